//! Errors that node, vitest, jest and the TypeScript compiler print when a test file cannot be loaded.

use super::imports::without_script_ending;
use crate::red::{Errors, Wrong, quoted};
use crate::red::{OwnedFiles, ends_with_path};

/// Compiler errors that say a name or module does not exist.
const NAME_CODES: [&str; 10] =
    ["TS2304", "TS2305", "TS2306", "TS2307", "TS2339", "TS2551", "TS2552", "TS2614", "TS2694", "TS2724"];

/// Compiler errors about a use that does not fit: arguments, properties, types.
const MISFIT_CODES: [&str; 12] = [
    "TS2322", "TS2344", "TS2345", "TS2353", "TS2367", "TS2554", "TS2555", "TS2558", "TS2559", "TS2739",
    "TS2741", "TS2769",
];

/// The errors of a run.
pub(crate) fn read(text: &str, owned: OwnedFiles<'_>, test_files: &[(String, Vec<u8>)]) -> Errors {
    let mut errors = Errors::default();
    let mut consequences = Vec::new();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for (index, line) in lines.iter().enumerate() {
        if compiler_code(line).is_some_and(is_consequence) {
            consequences.push(Wrong::Other((*line).to_owned()));
        } else if let Some(file) = thrown_by(line, &lines[index + 1..], owned, test_files) {
            // A stub: the task's own code threw while the test file was loaded.
            errors.missing(file);
        } else if let Some(misfit) = misfit(line, &lines[index + 1..], test_files) {
            errors.wrong(misfit);
        } else {
            judge(line, owned, &mut errors);
        }
    }
    // Where something is missing, the compiler no longer knows the types of what is made of it.
    if errors.missing.is_empty() {
        for wrong in consequences {
            errors.wrong(wrong);
        }
    }
    errors
}

/// Codes for a type that cannot be told: an implicit `any` (7005 to 7053), or a value of unknown type.
fn is_consequence(code: &str) -> bool {
    let number = code.trim_start_matches("TS").parse().unwrap_or(0);
    matches!(number, 7005..=7053 | 18046..=18049 | 2571)
}

/// A use that does not fit, with the line of the test and what the compiler shows below its message.
fn misfit(line: &str, below: &[&str], test_files: &[(String, Vec<u8>)]) -> Option<Wrong> {
    const SHOWN: usize = 12;
    compiler_code(line).filter(|code| MISFIT_CODES.contains(code))?;
    // `a.test.ts(3,4): error …` or, with colours, `a.test.ts:3:4 - error …`.
    let mut place = line.split(['(', ':', ',']);
    let (path, number) = (place.next()?, place.next()?.parse::<usize>().ok()?);
    let shown = below.iter().take(SHOWN).take_while(|line| compiler_code(line).is_none());
    let text = test_files.iter().find(|(test, _)| is_end_of(path, test) || is_end_of(test, path));
    let used = text.and_then(|(_, bytes)| {
        let text = String::from_utf8_lossy(bytes);
        text.lines().nth(number.checked_sub(1)?).map(str::to_owned)
    });
    let about =
        [line].into_iter().chain(shown.copied()).chain(used.as_deref()).collect::<Vec<_>>().join("\n");
    Some(Wrong::Misfit { line: line.to_owned(), about })
}

/// The task's own file that threw a plain error, by the first frame of the stack below it: `at f (/a/src/x.js:1:2)`,
/// `❯ src/x.js:1:2`. A test that throws by itself is wrong.
fn thrown_by(
    line: &str,
    below: &[&str],
    owned: OwnedFiles<'_>,
    test_files: &[(String, Vec<u8>)],
) -> Option<String> {
    thrown(line, "Error")?;
    let frame = below.iter().take(40).find(|frame| frame.starts_with("at ") || frame.starts_with('❯'))?;
    let place = frame.rsplit([' ', '(']).next()?.trim_end_matches(')');
    let path = place.rsplitn(3, ':').last()?;
    let is_test = |file: &String| test_files.iter().any(|(test, _)| test == file);
    owned.files.iter().find(|file| is_end_of(path, file) && !is_test(file)).cloned()
}

fn is_end_of(path: &str, file: &str) -> bool {
    path.strip_suffix(file).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

fn judge(line: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    let wrong = |kind: fn(String) -> Wrong| kind(line.to_owned());
    if let Some(code) = compiler_code(line) {
        judge_compiler(line, code, owned, errors);
    } else if let Some(module) = quoted(line, "Cannot find package") {
        package(module, line, owned, errors);
    } else if let Some(module) =
        quoted(line, "Cannot find module").or_else(|| quoted(line, "Failed to resolve import"))
    {
        specifier(module, line, owned, errors);
    } else if let Some((_, rest)) = line.split_once("Failed to load url ") {
        specifier(rest.split(' ').next().unwrap_or_default(), line, owned, errors);
    } else if let Some(name) = quoted(line, "does not provide an export named") {
        match quoted(line, "requested module") {
            Some(module) if owned.script_module(module) || owned.promises(name) => errors.missing(name),
            _ => errors.wrong(wrong(Wrong::Foreign)),
        }
    } else if let Some(message) = thrown(line, "TypeError") {
        let name =
            ["is not a function", "is not a constructor"].iter().find_map(|end| message.split_once(end));
        match name {
            Some((name, _)) => errors.missing(name.trim().trim_matches(['(', ')', '0', ',', ' '])),
            None => errors.wrong(wrong(Wrong::Other)),
        }
    } else if let Some(message) = thrown(line, "ReferenceError") {
        let name = message.split(' ').next().unwrap_or_default();
        if owned.promises(name) { errors.missing(name) } else { errors.wrong(wrong(Wrong::Other)) }
    } else if thrown(line, "SyntaxError").is_some()
        || line.contains("PARSE_ERROR")
        || line.contains("Transform failed")
        || line.contains("encountered an unexpected token")
    {
        errors.wrong(wrong(Wrong::Syntax));
    } else if is_thrown(line) {
        errors.wrong(wrong(Wrong::Other));
    }
}

/// `TypeError: message` or `TypeError [CODE]: message` at the beginning of a line.
fn thrown<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.strip_prefix("Uncaught ").unwrap_or(line).strip_prefix(name)?;
    let rest = match rest.strip_prefix(" [") {
        Some(code) => code.split_once(']')?.1,
        None => rest,
    };
    rest.strip_prefix(": ")
}

/// Any other error at the beginning of a line; the ones a runner wraps around them say nothing new.
fn is_thrown(line: &str) -> bool {
    let name = line.split([':', ' ']).next().unwrap_or_default();
    let wrapper = line.contains("ERR_TEST_FAILURE")
        || line.contains("'test failed'")
        || line.contains("Test suite failed");
    name.ends_with("Error")
        && name.bytes().all(|b| b.is_ascii_alphanumeric())
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && thrown(line, name).is_some()
        && !wrapper
}

fn compiler_code(line: &str) -> Option<&str> {
    let at = line.find("error TS")?;
    let code = line.get(at + 6..)?;
    let end = code.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(code.len());
    code.get(..end)
}

fn judge_compiler(line: &str, code: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    if code == "TS6053" {
        // `File 'src/x.ts' not found.`
        match quoted(line, "File").filter(|file| owned.script_module(file)) {
            Some(file) => errors.missing(file),
            None => errors.wrong(Wrong::Foreign(line.to_owned())),
        }
    } else if !NAME_CODES.contains(&code) {
        // Codes below 2000 are the parser's.
        let number = code.trim_start_matches("TS").parse::<u32>().unwrap_or(u32::MAX);
        let kind = if number < 2000 { Wrong::Syntax } else { Wrong::Other };
        errors.wrong(kind(line.to_owned()));
    } else if let Some(module) = quoted(line, "Cannot find module") {
        specifier(module, line, owned, errors);
    } else {
        let message = line.split_once(code).map_or(line, |(_, message)| message);
        let name = ["has no exported member named", "has no exported member", "Cannot find name", "Property"]
            .iter()
            .find_map(|before| quoted(message, before));
        errors.missing(name.unwrap_or(message).trim_matches(['"', '\'']));
    }
}

fn specifier(module: &str, line: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    let is_path =
        module.starts_with(['.', '/', '~', '#']) || module.starts_with("@/") || module.starts_with("file:");
    if is_path {
        match owned.script_file(module) {
            // An absolute path would name this machine.
            Some(file) => errors.missing(file),
            None => errors.wrong(Wrong::Foreign(line.to_owned())),
        }
    } else {
        package(module, line, owned, errors);
    }
}

fn package(name: &str, line: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    // A path alias looks like a package; a path with a directory in it can still be an owned file.
    if owned.script_package(name) || (name.contains('/') && owned.script_module(name)) {
        errors.missing(name);
    } else {
        errors.wrong(Wrong::Foreign(line.to_owned()));
    }
}

impl OwnedFiles<'_> {
    /// The owned file that a relative or absolute module path of JavaScript means.
    pub(super) fn script_file(&self, specifier: &str) -> Option<&str> {
        let whole = module_path(specifier);
        let wanted = whole.strip_suffix("/index").unwrap_or(&whole).to_owned();
        let means = |path: &&String| {
            let own = without_script_ending(path);
            // `..` and `.` mean the main file of a directory.
            if wanted.is_empty() {
                return own == "index" || own.ends_with("/index");
            }
            // The main file of a package has no directory that its module could be named by.
            if own == "index" {
                return ends_with_path(&whole, own);
            }
            let dir = own.strip_suffix("/index").unwrap_or(own);
            ends_with_path(&wanted, dir) || ends_with_path(dir, &wanted) || ends_with_path(own, &whole)
        };
        self.files.iter().find(means).map(String::as_str).or_else(|| self.built_file(&whole))
    }

    /// The owned source, still to be written, that a build is going to make a module of: `dist/esm/a` of `src/a.ts`. Nothing of the
    /// repository is where a build puts its results.
    fn built_file(&self, module: &str) -> Option<&str> {
        let (dir, _) = module.rsplit_once('/')?;
        let is_in =
            |path: &String, dir: &str| path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'));
        let mut tails = dir.match_indices('/').filter_map(|(at, _)| dir.get(at + 1..)).chain([dir]);
        if self.present.is_empty() || tails.any(|tail| self.present.iter().any(|path| is_in(path, tail))) {
            return None;
        }
        let makes = |path: &&String| {
            let inside = below_sources(without_script_ending(path));
            let dir = inside.strip_suffix("/index").unwrap_or(inside);
            !self.present.contains(path) && (ends_with_path(module, inside) || ends_with_path(module, dir))
        };
        self.files.iter().find(makes).map(String::as_str)
    }

    /// Whether an owned file is the module that a path of JavaScript means.
    fn script_module(&self, specifier: &str) -> bool {
        self.script_file(specifier).is_some()
    }

    /// A package is provided by a manifest, or by a workspace member of its name.
    fn script_package(&self, name: &str) -> bool {
        let last = name.trim_start_matches('@').split('/').nth(usize::from(name.starts_with('@')));
        self.has_file(&["package.json"])
            || (name.starts_with('@')
                && self.files.iter().any(|path| path.split('/').rev().skip(1).any(|part| Some(part) == last)))
    }
}

/// What is left of a specifier when the way to it is taken off: `../src/a.js` and `@/src/a` are `src/a`.
fn module_path(specifier: &str) -> String {
    let path = specifier.split('?').next().unwrap_or(specifier);
    let path = path.strip_prefix("file://").unwrap_or(path);
    let parts: Vec<&str> =
        path.split('/').filter(|part| !matches!(*part, "" | "." | ".." | "@" | "~" | "#")).collect();
    let tail = parts.join("/");
    without_script_ending(&tail).to_owned()
}

/// A path as it is named below the directory of a package's sources, which a build keeps.
fn below_sources(path: &str) -> &str {
    let root = ["src/", "source/", "lib/"].iter().filter_map(|root| {
        let at = path.rfind(root)?;
        (at == 0 || path[..at].ends_with('/')).then_some(at + root.len())
    });
    let first = path.find('/').map_or(0, |at| at + 1);
    &path[root.max().unwrap_or(first)..]
}

#[cfg(test)]
mod tests;
