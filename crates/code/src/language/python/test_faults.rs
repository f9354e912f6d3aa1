//! Errors of Python that lie in a test file itself.

use crate::red::{FaultGround, FaultKind, TestFault, has_word, quoted};

/// The faults of the tests in what pytest or unittest printed.
pub(crate) fn read(text: &str, ground: &FaultGround<'_>) -> Vec<TestFault> {
    let lines: Vec<&str> = text.lines().collect();
    let mut faults = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let error = line.strip_prefix("E  ").map_or(*line, str::trim_start);
        let Some(kind) = kind(error) else { continue };
        let Some(file) = place(&lines, at).and_then(|printed| ground.test_at(printed)) else { continue };
        if is_proved(&kind, &ground.text(file), ground) {
            faults.push(TestFault { file: file.to_owned(), kind, said: error.trim().to_owned() });
        }
    }
    faults
}

fn kind(error: &str) -> Option<FaultKind> {
    if let Some(name) = error.strip_prefix("NameError: ").and_then(|rest| quoted(rest, "name")) {
        return Some(FaultKind::Unbound(name.to_owned()));
    }
    if error.starts_with("ModuleNotFoundError: ") {
        return quoted(error, "No module named").map(|module| FaultKind::WrongImport(module.to_owned()));
    }
    if error.starts_with("ImportError: cannot import name") && !error.contains("circular import") {
        return quoted(error, "cannot import name").map(|name| FaultKind::Lacks(name.to_owned()));
    }
    let message = error.strip_prefix("TypeError: ")?;
    let words = ["positional argument", "unexpected keyword argument", "required keyword-only argument"];
    words.iter().any(|words| message.contains(words)).then_some(FaultKind::Arguments)
}

fn is_proved(kind: &FaultKind, text: &str, ground: &FaultGround<'_>) -> bool {
    match kind {
        // An import that failed quietly leaves its name unbound, and `*` may bring any name.
        FaultKind::Unbound(name) => {
            let mut imports = text.lines().filter(|line| {
                let line = line.trim_start();
                line.starts_with("import ") || line.starts_with("from ")
            });
            !imports.any(|line| line.contains('*') || has_word(line, name))
        }
        FaultKind::WrongImport(module) => {
            let files: Vec<String> =
                ground.present.files.iter().filter(|path| path.ends_with(".py")).cloned().collect();
            crate::red::OwnedFiles { files: &files, names: &[], present: &[] }.python_module(module)
        }
        FaultKind::Lacks(_) | FaultKind::Arguments => true,
    }
}

/// The path of the frame that raised: pytest's `path:3: NameError` below the error, else the last place above it.
fn place<'a>(lines: &[&'a str], at: usize) -> Option<&'a str> {
    let mut below = lines[at + 1..].iter().take_while(|line| !line.starts_with("____"));
    let raised = below.find_map(|line| numbered(line));
    let above = || {
        let mut before = lines[..at].iter().rev().take_while(|line| !line.starts_with("____"));
        before.find_map(|line| numbered(line).or_else(|| framed(line)))
    };
    // A frame that only passes the error on has no name behind its line.
    match raised {
        Some((path, rest)) if rest.trim_end_matches(':').ends_with("Error") => Some(path),
        Some(_) | None => above().map(|(path, _)| path),
    }
}

/// `path.py:3: rest`.
fn numbered(line: &str) -> Option<(&str, &str)> {
    let (path, rest) = line.trim().split_once(".py:")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    let rest = rest[digits..].strip_prefix(": ")?;
    let end = path.len() + ".py".len();
    (digits > 0 && !path.contains(' ')).then(|| (&line.trim()[..end], rest))
}

/// `File "path.py", line 3, in f`.
fn framed(line: &str) -> Option<(&str, &str)> {
    let path = line.trim().strip_prefix("File \"")?.split('"').next()?;
    Some((path, ""))
}
