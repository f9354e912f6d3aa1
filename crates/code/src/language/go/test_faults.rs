//! Errors of the go command that lie in a test file itself. A test of the same package sees everything in it.

use crate::red::{FaultGround, FaultKind, TestFault};

/// Packages of the standard library that tests forget to import, by the name they are used by.
const STANDARD: [&str; 24] = [
    "bufio", "bytes", "context", "errors", "exec", "filepath", "fmt", "http", "httptest", "io", "ioutil",
    "json", "math", "os", "rand", "reflect", "regexp", "sort", "strconv", "strings", "sync", "time",
    "unicode", "url",
];

/// The faults of the tests in what `go test` printed.
pub(crate) fn read(text: &str, ground: &FaultGround<'_>) -> Vec<TestFault> {
    text.lines().filter_map(|line| fault(line, ground)).collect()
}

/// `./a_test.go:3:4: undefined: strings`.
fn fault(line: &str, ground: &FaultGround<'_>) -> Option<TestFault> {
    let (path, rest) = line.trim().split_once(".go:")?;
    let (_, message) = rest.split_once(": ")?;
    let file = format!("{}.go", path.trim_start_matches("./"));
    // The path is relative to the directory of the package.
    let ends = |known: &str| known == file || known.ends_with(&format!("/{file}"));
    let file = ground.test_files.iter().map(|(known, _)| known.as_str()).find(|known| ends(known))?;
    let kind = if let Some(name) = message.strip_prefix("undefined: ").map(str::trim) {
        let used = ground.text(file).contains(&format!("{name}."));
        if STANDARD.contains(&name) && used {
            FaultKind::Unbound(name.to_owned())
        } else {
            FaultKind::Lacks(name.rsplit('.').next().unwrap_or(name).to_owned())
        }
    } else if message.contains("arguments in call to ") {
        FaultKind::Arguments
    } else {
        return None;
    };
    Some(TestFault { file: file.to_owned(), kind, said: line.trim().to_owned() })
}
