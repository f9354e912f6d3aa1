//! Errors that rustc and cargo print when tests do not compile.
//!
//! Reads the `error` headers of the human output and the notes under them; every one must be understood.

use crate::detect::is_test_path;
use crate::red::OwnedFiles;
use crate::red::{Errors, Wrong};

/// Unresolved names: the thing does not exist, or is not visible from the test.
const NAME_CODES: [&str; 21] = [
    "E0405", "E0407", "E0412", "E0422", "E0423", "E0425", "E0437", "E0438", "E0531", "E0532", "E0560",
    "E0576", "E0599", "E0603", "E0609", "E0616", "E0624", "E0026", "E0220", "E0574", "E0573",
];

/// Consequences of an error elsewhere.
const DERIVED_CODES: [&str; 2] = ["E0282", "E0283"];

/// Messages about a type whose macro has not written its code: no such trait, operator or type.
const MACRO_CODES: [&str; 5] = ["E0277", "E0308", "E0369", "E0600", "E0614"];

/// Messages about a wrong use: arguments, fields, types, and what can be done with a result.
const MISFIT_CODES: [&str; 20] = [
    "E0023", "E0027", "E0029", "E0050", "E0053", "E0061", "E0063", "E0107", "E0271", "E0277", "E0308",
    "E0368", "E0369", "E0600", "E0604", "E0605", "E0606", "E0608", "E0614", "E0618",
];

/// How a macro that runs into `todo!()` is named.
const UNWRITTEN_MACRO: &str = "todo!() in a macro";

/// Lines of cargo that repeat an earlier error.
const ECHOES: [&str; 12] = [
    "could not compile",
    "aborting due to",
    "test failed, to rerun",
    "doctest failed",
    "build failed",
    "test run failed",
    "1 target failed",
    "targets failed",
    "command `",
    "could not document",
    "could not exec",
    "creating test list failed",
];

/// The errors of a run.
pub(crate) fn read(text: &str, owned: OwnedFiles<'_>) -> Errors {
    let mut errors = Errors::default();
    let mut untyped: Vec<Wrong> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let Some((code, message)) = header(line) else { continue };
        let notes: Vec<&str> = lines[index + 1..]
            .iter()
            .take(40)
            .take_while(|note| header(note).is_none() && !note.starts_with("warning"))
            .copied()
            .collect();
        if MACRO_CODES.contains(&code) {
            match defined_here(&notes, owned) {
                Some(path) if MISFIT_CODES.contains(&code) => errors.missing(path),
                Some(_) | None => untyped.push(of_code(code, line, &notes, owned)),
            }
        } else {
            judge(line, code, message, &notes, owned, &mut errors);
        }
    }
    // What an unwritten macro would have derived is missing everywhere.
    if !errors.missing.iter().any(|name| name == UNWRITTEN_MACRO) {
        for wrong in untyped {
            errors.wrong(wrong);
        }
    }
    errors
}

/// `error[E0425]: message` or `error: message`, at the beginning of a line.
fn header(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("error")?;
    match rest.strip_prefix('[') {
        Some(rest) => {
            let (code, message) = rest.split_once("]: ")?;
            Some((code, message))
        }
        None => rest.strip_prefix(": ").map(|message| ("", message)),
    }
}

fn judge(line: &str, code: &str, message: &str, notes: &[&str], owned: OwnedFiles<'_>, errors: &mut Errors) {
    // A package from elsewhere that cannot be built here, as for want of a library of the system. One of the project has its
    // path behind its version.
    let built = message
        .strip_prefix("failed to run custom build command for `")
        .and_then(|rest| rest.split('`').next());
    if built.is_some_and(|package| !package.contains('(')) {
        errors.wrong(Wrong::Foreign(line.to_owned()));
        return;
    }
    if code.is_empty() {
        judge_plain(line, message, notes, owned, errors);
    } else if code == "E0583" {
        module(ticked(message), line, owned, errors);
    } else if matches!(code, "E0432" | "E0433" | "E0463") {
        judge_path(line, message, notes, owned, errors);
    } else if code == "E0080" && is_unwritten(message, notes) {
        errors.missing("todo!()");
    } else if code == "E0599" && message.contains(" exists for ") {
        errors.wrong(Wrong::Other(line.to_owned()));
    } else if NAME_CODES.contains(&code) {
        // `struct P has no field named y` is about the field.
        let about = message.split_once(" named ").map_or(message, |(_, rest)| rest);
        errors.missing(ticked(about).or_else(|| ticked(message)).unwrap_or(message));
    } else if let Some(name) = own_macro(notes, owned) {
        errors.missing(name);
    } else if MISFIT_CODES.contains(&code)
        && let Some(path) = defined_here(notes, owned)
    {
        errors.missing(path);
    } else if !DERIVED_CODES.contains(&code) {
        errors.wrong(of_code(code, line, notes, owned));
    }
}

/// The place in a file of the task to which a note points as the definition of what does not fit: `note: method defined here`,
/// and under it `--> src/lib.rs:10:12`.
fn defined_here<'a>(notes: &[&'a str], owned: OwnedFiles<'_>) -> Option<&'a str> {
    let mut notes = notes.iter().skip_while(|note| !note.trim_end().ends_with(" defined here"));
    let place = notes.nth(1)?.trim_start().strip_prefix("--> ")?;
    owned.has_path(place.split(':').next()?).then_some(place)
}

fn of_code(code: &str, line: &str, notes: &[&str], owned: OwnedFiles<'_>) -> Wrong {
    let line = line.to_owned();
    match elsewhere(notes, owned) {
        Some(place) => Wrong::Foreign(format!("{line} ({place})")),
        None if MISFIT_CODES.contains(&code) => Wrong::Misfit { about: notes.join("\n"), line },
        None => Wrong::Other(line),
    }
}

/// The place of an error in code that is neither the task's nor a test: what stands there does not compile without the task
/// either, as where a newer compiler finds more to say.
fn elsewhere<'a>(notes: &[&'a str], owned: OwnedFiles<'_>) -> Option<&'a str> {
    let place = notes.iter().find_map(|note| note.trim_start().strip_prefix("--> "))?;
    let path = place.split(':').next()?;
    (path.ends_with(".rs") && !owned.has_path(path) && !is_test_path(path)).then_some(place)
}

/// The macro that made the code with the error, if a file of the task is where it is written: `enum_iter.rs` for `EnumIter`, or
/// any file of a crate of macros.
fn own_macro<'a>(notes: &[&'a str], owned: OwnedFiles<'_>) -> Option<&'a str> {
    let origin = notes.iter().find_map(|note| note.split_once("this error originates in the "))?.1;
    let name = ticked(origin.split_once("macro ")?.1)?;
    let plain = |text: &str| text.replace('_', "").to_ascii_lowercase();
    let writes = |path: &String| {
        let mut parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
        let file = parts.pop().unwrap_or_default();
        let of_macros = |part: &&str| part.ends_with("macros") || part.ends_with("derive");
        path.ends_with(".rs") && (plain(file) == plain(name) || parts.iter().any(of_macros))
    };
    owned.files.iter().any(writes).then_some(name)
}

/// What `todo!()` and `unimplemented!()` say when a constant or a macro runs into them while the tests are built.
fn is_unwritten(message: &str, notes: &[&str]) -> bool {
    const SAID: [&str; 2] = ["not yet implemented", "not implemented"];
    let evaluated = message.rsplit_once("panicked: ").map(|(_, said)| said);
    let help = notes.iter().filter_map(|note| note.trim_start().strip_prefix("= help: message: "));
    let panic = notes.iter().filter_map(|note| note.split_once("panicked at '").map(|(_, said)| said));
    evaluated
        .into_iter()
        .chain(help)
        .chain(panic)
        .any(|said| SAID.iter().any(|words| said.starts_with(words)))
}

/// The first thing in backticks.
fn ticked(message: &str) -> Option<&str> {
    message.split('`').nth(1)
}

fn module(name: Option<&str>, line: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    match name {
        Some(name) if owned.rust_module(name) => errors.missing(name),
        _ => errors.wrong(Wrong::Foreign(line.to_owned())),
    }
}

/// An unresolved path: the note under the code says which part of it is missing, and whether it is a crate.
fn judge_path(line: &str, message: &str, notes: &[&str], owned: OwnedFiles<'_>, errors: &mut Errors) {
    let said = |words: &str| {
        std::iter::once(&message).chain(notes).find(|note| note.contains(words)).and_then(|note| {
            let after = note.split_once(words)?.1;
            after.split('`').nth(1)
        })
    };
    let crate_words = [
        "unlinked crate",
        "undeclared crate or module",
        "cannot find module or crate",
        "find crate for",
        "maybe a missing crate",
    ];
    if let Some(name) = crate_words.iter().find_map(|words| said(words)) {
        if owned.rust_crate(name) {
            errors.missing(name);
        } else {
            errors.wrong(Wrong::Foreign(line.to_owned()));
        }
        return;
    }
    let part = said("could not find").or_else(|| said("cannot find"));
    match part {
        // A lowercase part of a path is a module; anything else is a name.
        Some(name) if name.starts_with(|c: char| c.is_lowercase()) => module(Some(name), line, owned, errors),
        Some(name) => errors.missing(name),
        None => errors.missing(ticked(message).unwrap_or(message)),
    }
}

fn judge_plain(line: &str, message: &str, notes: &[&str], owned: OwnedFiles<'_>, errors: &mut Errors) {
    if ECHOES.iter().any(|echo| message.starts_with(echo) || message.contains(" target failed")) {
        // A test binary that dies is named under the echo.
        for note in notes
            .iter()
            .filter(|note| note.contains("process didn't exit successfully") && note.contains("signal"))
        {
            errors.wrong(Wrong::Other(note.trim().to_owned()));
        }
        return;
    }
    if message.starts_with("no test target named") {
        // The file is not there: nothing is wrong with any code.
        return;
    }
    let under = |words: &str| message.contains(words) || notes.iter().any(|note| note.contains(words));
    let syntax = [
        "expected",
        "unclosed delimiter",
        "unexpected closing",
        "mismatched closing",
        "unterminated",
        "unknown start",
    ];
    if message.ends_with(" panicked") && is_unwritten(message, notes) {
        errors.missing(UNWRITTEN_MACRO);
    } else if message.starts_with("cannot find macro") {
        errors.missing(format!("{}!", ticked(message).unwrap_or_default()));
    } else if message.starts_with("couldn't read") && ticked(message).is_some_and(|path| owned.has_path(path))
    {
        errors.missing(ticked(message).unwrap_or_default());
    } else if (under("no targets specified in the manifest") || under("can't find library"))
        && owned.has_file(&["lib.rs", "main.rs"])
    {
        errors.missing("library target");
    } else if (under("did not match any packages") || under("failed to load manifest for workspace member"))
        && owned.has_file(&["Cargo.toml"])
    {
        errors.missing(ticked(message).unwrap_or("package"));
    } else if syntax.iter().any(|words| message.contains(words)) {
        errors.wrong(Wrong::Syntax(line.to_owned()));
    } else {
        errors.wrong(of_code("", line, notes, owned));
    }
}

impl OwnedFiles<'_> {
    /// A module is provided by a file or directory of its name, or by a file that could declare it inline.
    fn rust_module(&self, name: &str) -> bool {
        self.promises(name)
            || self.has_file(&["lib.rs", "main.rs", "mod.rs"])
            || self
                .files
                .iter()
                .filter_map(|path| path.strip_suffix(".rs"))
                .any(|path| path.split('/').any(|part| part == name))
    }

    /// A crate is provided by its manifest, or by the `lib.rs` that makes the package a library.
    fn rust_crate(&self, name: &str) -> bool {
        self.has_file(&["Cargo.toml", "lib.rs"])
            || self
                .files
                .iter()
                .filter_map(|path| path.strip_suffix(".rs"))
                .any(|path| path.split('/').any(|part| part.replace('-', "_") == name))
    }
}

#[cfg(test)]
mod tests;
