//! The tests inside a program that CTest ran, read from its output.
//!
//! CTest sees programs and their exit codes; a program without a single test passes too. Reads the output of googletest
//! and Catch2.

use windlass_core::report::{TestOutcome, TestReport};

use super::source::keep_message;

/// Records the tests that googletest named, or that there were none; false when only the program's own outcome is known.
pub(super) fn record_inner(report: &mut TestReport, printed: &str, outcome: TestOutcome) -> bool {
    if says_nothing_ran(printed) && outcome == TestOutcome::Passed {
        return true;
    }
    let results = googletest(printed);
    if results.is_empty() {
        return false;
    }
    // A program that fails although none of its tests does has to be seen to fail.
    let bad = |outcome: TestOutcome| matches!(outcome, TestOutcome::Failed | TestOutcome::Errored);
    if bad(outcome) && !results.iter().any(|result| bad(result.outcome)) {
        return false;
    }
    for result in results {
        if bad(result.outcome) {
            keep_message(report, result.name, &result.said);
        }
        report.record(result.name, result.outcome);
    }
    true
}

fn says_nothing_ran(printed: &str) -> bool {
    const NONE: [&str; 4] = ["Running 0 tests from ", "No tests ran", "test cases: 0 |", "test cases:  0 |"];
    NONE.iter().any(|words| printed.contains(words))
}

struct ProgramTest<'a> {
    name: &'a str,
    outcome: TestOutcome,
    said: String,
}

/// Every `[ RUN      ] Suite.Name` with what follows it; one without an end is where the program died.
fn googletest(printed: &str) -> Vec<ProgramTest<'_>> {
    let mut out: Vec<ProgramTest<'_>> = Vec::new();
    let mut open = false;
    for line in printed.lines() {
        if let Some(name) = line.strip_prefix("[ RUN      ] ") {
            out.push(ProgramTest { name: name.trim(), outcome: TestOutcome::Failed, said: String::new() });
            open = true;
            continue;
        }
        let Some(last) = out.last_mut().filter(|_| open) else { continue };
        let ends = [
            ("[       OK ] ", TestOutcome::Passed),
            ("[  FAILED  ] ", TestOutcome::Failed),
            ("[  SKIPPED ] ", TestOutcome::Skipped),
        ];
        let ended = ends.iter().find(|(mark, _)| {
            line.strip_prefix(mark).is_some_and(|rest| rest.split([' ', ',']).next() == Some(last.name))
        });
        if let Some((_, outcome)) = ended {
            last.outcome = *outcome;
            open = false;
        } else {
            last.said.push_str(line);
            last.said.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests;
