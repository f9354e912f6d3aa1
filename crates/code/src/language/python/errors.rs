//! Errors that Python and pytest print when a file cannot be imported.
//!
//! Of each chain of exceptions the last one counts: a fallback import that fails too is the cause.

use windlass_core::path_text::file_name;

use crate::red::OwnedFiles;
use crate::red::{Errors, Wrong, quoted};
use crate::syntax::imports;

/// The errors of a run, one per failed file, set-up or traceback.
pub(crate) fn read(text: &str, owned: OwnedFiles<'_>, test_files: &[(String, Vec<u8>)]) -> Errors {
    let mut errors = Errors::default();
    for block in blocks(text) {
        if let Some(error) = block.error {
            judge(&error, &block.place, owned, test_files, &mut errors);
        }
    }
    for line in text.lines().filter(|line| is_usage_error(line)) {
        errors.wrong(Wrong::Other(line.trim().to_owned()));
    }
    for line in text.lines() {
        match missing_program(line) {
            // A test that starts the program which the task is to make: `python -m shop`.
            Some(module) if owned.python_module(module) => errors.missing(module),
            Some(_) => errors.wrong(Wrong::Foreign(line.trim().to_owned())),
            None => {}
        }
    }
    errors
}

#[derive(Default)]
struct Traceback {
    /// The last exception.
    error: Option<String>,
    /// The last place before it, `path:line: in function`.
    place: String,
}

fn blocks(text: &str) -> Vec<Traceback> {
    let mut out = vec![Traceback::default()];
    let mut chained = false;
    for line in text.lines() {
        let content = line.strip_prefix("E  ").map_or(line, str::trim_start);
        let starts_block = (line.starts_with("____") && line.contains("ERROR "))
            || (content.starts_with("Traceback (most recent call last)") && !chained);
        if starts_block {
            out.push(Traceback::default());
        } else if line.starts_with("===") {
            // The summary repeats what was said.
            out.push(Traceback::default());
            if line.contains("short test summary") {
                break;
            }
        }
        if !line.trim().is_empty() {
            chained =
                content.starts_with("During handling of") || content.starts_with("The above exception was");
        }
        let Some(block) = out.last_mut() else { continue };
        if is_exception(content) || (!block.place.is_empty() && is_own_exception(content)) {
            block.error = Some(content.to_owned());
        } else if line.contains(".py") && (line.contains(": in ") || line.trim_start().starts_with("File \""))
        {
            line.trim().clone_into(&mut block.place);
        }
    }
    out
}

/// `SomeError: message`, without anything before it.
fn is_exception(line: &str) -> bool {
    if line.starts_with("fixture '") && line.ends_with("' not found") {
        return true;
    }
    // unittest's heading; the real error follows its traceback.
    if line.starts_with("ImportError: Failed to import test module") {
        return false;
    }
    let name = line.split(':').next().unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or(name);
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
        && last.starts_with(|c: char| c.is_ascii_uppercase())
        && ["Error", "Exception", "Exit", "Interrupt", "Failed", "Warning"]
            .iter()
            .any(|end| last.ends_with(end))
}

/// `package.Name: message` behind a traceback: the exceptions of packages are called anything, and Python names their modules.
fn is_own_exception(line: &str) -> bool {
    let name = line.split(": ").next().unwrap_or_default().trim_end_matches(':');
    let Some((module, last)) = name.rsplit_once('.') else { return false };
    let is_name =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    last.starts_with(|c: char| c.is_ascii_uppercase()) && is_name(last) && module.split('.').all(is_name)
}

/// The module in `/usr/bin/python3: No module named pytest`: what `python -m` says of itself, without a traceback.
fn missing_program(line: &str) -> Option<&str> {
    let (program, said) = line.split_once(": No module named ")?;
    let name = file_name(program);
    let end = said.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(said.len());
    (name.starts_with("python") || name.starts_with("pypy")).then(|| said[..end].trim_end_matches('.'))
}

fn is_usage_error(line: &str) -> bool {
    line.contains("error: unrecognized arguments") || line.starts_with("ERROR: usage:")
}

fn judge(
    error: &str,
    place: &str,
    owned: OwnedFiles<'_>,
    test_files: &[(String, Vec<u8>)],
    errors: &mut Errors,
) {
    let line = error.to_owned();
    if let Some(module) = quoted(error, "No module named") {
        if owned.python_module(module) {
            errors.missing(module);
        } else {
            errors.wrong(Wrong::Foreign(line));
        }
    } else if let Some(name) = quoted(error, "cannot import name") {
        let module = quoted(error, " from").or_else(|| quoted(error, "initialized module"));
        let module = module.unwrap_or_default();
        let path = error.rsplit_once('(').map_or("", |(_, path)| path.trim_end_matches(')'));
        // Python says so too where a package imports a module of its own that is not there.
        if error.contains("circular import") && !owned.python_module(&format!("{module}.{name}")) {
            errors.wrong(Wrong::Other(line));
        } else if owned.python_name(module, name) || owned.has_path(path) {
            errors.missing(format!("{module}.{name}"));
        } else {
            errors.wrong(Wrong::Foreign(line));
        }
    } else if error.starts_with("AttributeError") {
        judge_attribute(error, owned, errors);
    } else if let Some(name) = error.strip_prefix("NameError").and_then(|rest| quoted(rest, "name")) {
        if raised_in(place, owned) || owned.promises(name) || has_star_import(test_files) {
            errors.missing(name);
        } else {
            errors.wrong(Wrong::Other(line));
        }
    } else if let Some(name) = quoted(error, "fixture") {
        if owned.has_file(&["conftest.py"]) {
            errors.missing(format!("fixture {name}"));
        } else {
            errors.wrong(Wrong::Other(line));
        }
    } else if ["SyntaxError", "IndentationError", "TabError"].iter().any(|name| error.starts_with(name)) {
        errors.wrong(Wrong::Syntax(line));
    } else if raised_in(place, owned) && !is_in_tests(place, test_files) {
        // A stub: the task's own code raised while the test file was loaded.
        errors.missing(error.split(':').next().unwrap_or(error));
    } else {
        errors.wrong(Wrong::Other(line));
    }
}

/// Whether the last place before an exception is in a file of the task: `src/m.py:3: in f`, `File "src/m.py", line 3`.
fn raised_in(place: &str, owned: OwnedFiles<'_>) -> bool {
    place.split([':', '"']).any(|part| !part.is_empty() && owned.has_path(part.trim()))
}

/// Whether the place is in a test file, which may belong to the task as well.
fn is_in_tests(place: &str, test_files: &[(String, Vec<u8>)]) -> bool {
    test_files.iter().any(|(path, _)| place.contains(path.as_str()))
}

/// `module 'm' has no attribute 'a'`, `type object 'T' has no attribute 'a'`, `'T' object has no attribute 'a'`.
fn judge_attribute(error: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    let Some(name) = quoted(error, "has no attribute") else {
        errors.wrong(Wrong::Other(error.to_owned()));
        return;
    };
    match quoted(error, "module") {
        Some(module) if owned.python_name(module, name) => errors.missing(format!("{module}.{name}")),
        Some(_) => errors.wrong(Wrong::Foreign(error.to_owned())),
        None => errors.missing(name),
    }
}

fn has_star_import(test_files: &[(String, Vec<u8>)]) -> bool {
    test_files.iter().any(|(path, bytes)| {
        imports(path, bytes).iter().any(|import| import.names.iter().any(|name| name == "*"))
    })
}

impl OwnedFiles<'_> {
    /// `a.b` is provided by `src/a/b.py`, `a/b/__init__.py` and by anything inside `a/b/`, unless modules are in that
    /// directory already: then the package is there and Python does not look where it is.
    pub(super) fn python_module(&self, dotted: &str) -> bool {
        let wanted: Vec<&str> = dotted.split('.').filter(|part| !part.is_empty()).collect();
        let manifests = ["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "Pipfile", "uv.lock"];
        let provides = |parts: &Vec<&str>| {
            let found = parts.windows(wanted.len()).position(|window| window == wanted);
            found.is_some_and(|at| {
                let (package, inside) = parts.split_at(at + wanted.len());
                matches!(inside, [] | ["__init__"]) || !self.has_modules_in(&package.join("/"))
            })
        };
        !wanted.is_empty() && (self.has_file(&manifests) || self.python_files().any(|parts| provides(&parts)))
    }

    /// Whether a directory has Python modules before the task begins.
    fn has_modules_in(&self, dir: &str) -> bool {
        let inside = |path: &String| {
            path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/') && rest.ends_with(".py"))
        };
        self.present.iter().any(inside)
    }

    /// A name of a module can come from the module, from a module inside it, or through its package.
    fn python_name(&self, module: &str, name: &str) -> bool {
        let top = module.trim_start_matches('.').split('.').next().unwrap_or_default();
        self.python_module(module)
            || self.python_module(&format!("{module}.{name}"))
            || (!top.is_empty() && self.python_files().any(|parts| parts.contains(&top)))
            || self.promises(name)
    }

    fn python_files(&self) -> impl Iterator<Item = Vec<&str>> {
        self.files.iter().filter_map(|path| path.strip_suffix(".py")).map(|path| path.split('/').collect())
    }
}

#[cfg(test)]
mod tests;
