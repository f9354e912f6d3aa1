//! Errors of JavaScript and TypeScript that lie in a test file itself.

use crate::red::{FaultGround, FaultKind, TestFault, has_word, quoted};

/// The faults of the tests in what node, vitest, jest or the compiler printed.
pub(crate) fn read(text: &str, ground: &FaultGround<'_>) -> Vec<TestFault> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut faults = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let found = unbound(line, &lines[at + 1..], ground)
            .or_else(|| wrong_import(line, &lines[at + 1..], ground))
            .or_else(|| contradiction(line, ground));
        if let Some((file, kind)) = found {
            faults.push(TestFault { file: file.to_owned(), kind, said: (*line).to_owned() });
        }
    }
    faults
}

/// `ReferenceError: x is not defined` with its first frame in a test file that does not import the name.
fn unbound<'a>(line: &str, below: &[&str], ground: &FaultGround<'a>) -> Option<(&'a str, FaultKind)> {
    let (_, message) = line.split_once("ReferenceError: ")?;
    let name = message.split_once(" is not defined")?.0;
    let file = below.iter().take(40).find_map(|line| frame(line)).and_then(|path| ground.test_at(path))?;
    let text = ground.text(file);
    let mut imports = text.lines().filter(|line| line.contains("import") || line.contains("require("));
    (!imports.any(|line| has_word(line, name))).then(|| (file, FaultKind::Unbound(name.to_owned())))
}

/// The path of a stack frame: `at f (/a/x.js:1:2)`, `❯ x.js:1:2`.
fn frame(line: &str) -> Option<&str> {
    let framed = line.starts_with("at ") || line.starts_with('❯');
    let place = line.rsplit([' ', '(']).next().filter(|_| framed)?.trim_end_matches(')');
    place.rsplitn(3, ':').last()
}

/// A module that a test file asks for by a path that leads nowhere, while the file of the task is there.
fn wrong_import<'a>(line: &str, below: &[&str], ground: &FaultGround<'a>) -> Option<(&'a str, FaultKind)> {
    let module = quoted(line, "Cannot find module").or_else(|| quoted(line, "Failed to resolve import"))?;
    let asked_by = line
        .split_once(" imported from ")
        .map(|(_, path)| path)
        .or_else(|| quoted(line, " from"))
        .or_else(|| below.first().filter(|l| l.starts_with("Require stack")).and(below.get(1)).copied())
        .or_else(|| below.iter().take(40).find_map(|line| frame(line)))?;
    let asked_by = asked_by.trim_start_matches("- ").trim_matches(['\'', '"', '`']);
    let file = ground.test_at(asked_by)?;
    ground.present.script_file(module).map(|_| (file, FaultKind::WrongImport(module.to_owned())))
}

/// What the compiler says about a use that the contract decides: `a.test.ts(1,2): error TS2554: …`.
fn contradiction<'a>(line: &str, ground: &FaultGround<'a>) -> Option<(&'a str, FaultKind)> {
    let (place, message) = line.split_once("error TS")?;
    let path = place.split(['(', ':']).next()?;
    let file = ground.test_at(path.trim())?;
    let (code, message) = message.split_once(": ")?;
    match code {
        "2554" | "2555" => Some((file, FaultKind::Arguments)),
        "2305" | "2614" | "2724" => {
            let name = quoted(message, "has no exported member named")
                .or_else(|| quoted(message, "has no exported member"))?;
            Some((file, FaultKind::Lacks(name.to_owned())))
        }
        _ => None,
    }
}
