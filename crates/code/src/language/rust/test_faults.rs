//! Errors of rustc that lie in a test file itself. Tests inside a source file see whatever that file has.

use crate::detect::is_test_path;
use crate::red::{FaultGround, FaultKind, TestFault};

/// Names that are not in scope.
const UNBOUND: [&str; 6] = ["E0405", "E0412", "E0422", "E0423", "E0425", "E0433"];

/// The faults of the tests in what cargo printed.
pub(crate) fn read(text: &str, ground: &FaultGround<'_>) -> Vec<TestFault> {
    let lines: Vec<&str> = text.lines().collect();
    let mut faults = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((code, message)) = line.strip_prefix("error[").and_then(|rest| rest.split_once("]: "))
        else {
            continue;
        };
        let arrow = lines[at + 1..].iter().take(4).find_map(|line| line.trim_start().strip_prefix("--> "));
        let path = arrow.and_then(|place| place.split(':').next());
        let Some(file) = path.and_then(|path| ground.test_at(path)) else { continue };
        if !is_test_path(file) {
            continue;
        }
        let Some(name) = message.split('`').nth(1) else { continue };
        let text = ground.text(file);
        let kind = if code == "E0061" {
            FaultKind::Arguments
        } else if code == "E0432" {
            FaultKind::Lacks(name.rsplit("::").next().unwrap_or(name).to_owned())
        } else if UNBOUND.contains(&code) && !name.contains("::") && is_closed(&text) {
            FaultKind::Unbound(name.to_owned())
        } else {
            continue;
        };
        faults.push(TestFault { file: file.to_owned(), kind, said: (*line).to_owned() });
    }
    faults
}

/// Whether nothing but the file itself brings names into its scope.
fn is_closed(text: &str) -> bool {
    !text.contains("::*") && !text.contains("macro_use") && !text.contains("include!")
}
