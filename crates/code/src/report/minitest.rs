//! The text lines of minitest and of test-unit with `-v`.
//!
//! A line per test, blocks about those that did not pass, and a total that must agree with the lines.

use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::source::{ReportError, check_count, keep_message};
use crate::text::strip_ansi;

/// Reads every run in the output; `Ok(None)` when there is none.
pub(super) fn read(bytes: &[u8]) -> Result<Option<TestReport>, ReportError> {
    let text = String::from_utf8_lossy(bytes);
    let text = strip_ansi(&text);
    let mut report = TestReport::new(Runner::Minitest);
    let (mut stated, mut named, mut totals) = (0u64, 0u64, 0u64);
    // The classes of test-unit that are open, by depth.
    let mut classes: Vec<(usize, String)> = Vec::new();
    let mut block: Option<(String, String)> = None;
    for line in text.lines() {
        if let Some(count) = total(line) {
            stated = stated.saturating_add(count);
            totals += 1;
            close(&mut report, &mut block);
        } else if let Some((name, outcome)) = minitest(line).or_else(|| test_unit(line, &mut classes)) {
            close(&mut report, &mut block);
            named += 1;
            report.record(name, outcome);
        } else if let Some(name) = about(line) {
            close(&mut report, &mut block);
            block = Some((name, String::new()));
        } else if let Some((_, said)) = &mut block {
            said.push_str(line);
            said.push('\n');
        }
    }
    if totals == 0 {
        return Ok(None);
    }
    check_count("tests", stated, named)?;
    Ok(Some(report))
}

fn close(report: &mut TestReport, block: &mut Option<(String, String)>) {
    if let Some((name, said)) = block.take() {
        keep_message(report, &name, &said);
    }
}

/// `4 runs, 2 assertions, …` and `4 tests, 3 assertions, …`
fn total(line: &str) -> Option<u64> {
    let (count, rest) = line.split_once(' ')?;
    let is_total = rest.starts_with("runs, ") || rest.starts_with("tests, ");
    (is_total && rest.contains(" assertions, ")).then(|| count.parse().ok())?
}

/// `CartTest#test_adds = 0.00 s = .`
fn minitest(line: &str) -> Option<(String, TestOutcome)> {
    let (rest, mark) = line.rsplit_once(" s = ")?;
    let (name, seconds) = rest.rsplit_once(" = ")?;
    seconds.parse::<f64>().ok()?;
    Some((method(name)?, outcome(mark.trim())?))
}

/// An exception that comes out of a test is a failure of that test.
fn outcome(mark: &str) -> Option<TestOutcome> {
    match mark {
        "." => Some(TestOutcome::Passed),
        "F" | "E" => Some(TestOutcome::Failed),
        "S" | "O" | "P" => Some(TestOutcome::Skipped),
        _ => None,
    }
}

/// `CartTest::test_adds` out of `CartTest#test_adds`, `Cart #total adds up` out of `Cart::#total#test_0001_adds up`.
fn method(name: &str) -> Option<String> {
    let at = name.rfind("#test_")?;
    let (class, method) = (&name[..at], &name[at + 1..]);
    let spec = method.get(5..9).filter(|n| n.bytes().all(|b| b.is_ascii_digit()));
    match spec.and_then(|_| method.get(9..)?.strip_prefix('_')) {
        Some(title) => Some(format!("{} {title}", class.replace("::", " "))),
        None => Some(format!("{class}::{method}")),
    }
}

/// `test_adds:`, tabs and `.: (0.0004)`, further in than `CartTest: `
fn test_unit(line: &str, classes: &mut Vec<(usize, String)>) -> Option<(String, TestOutcome)> {
    let depth = line.len() - line.trim_start_matches(' ').len();
    let content = &line[depth..];
    if let Some(class) = content.strip_suffix(": ")
        && !class.is_empty()
        && !class.contains('\t')
    {
        classes.retain(|(at, _)| *at < depth);
        classes.push((depth, class.to_owned()));
        return None;
    }
    let (name, rest) = content.split_once(":\t")?;
    let mark = rest.trim_start_matches('\t');
    let outcome = outcome(mark.get(..1)?).filter(|_| mark.len() == 1 || mark[1..].starts_with(": ("))?;
    let own: Vec<&str> = classes.iter().filter(|(at, _)| *at < depth).map(|(_, c)| c.as_str()).collect();
    let name = name.strip_prefix("test: ").unwrap_or(name);
    Some((format!("{}::{name}", own.join("::")), outcome))
}

/// The test that a block is about: the line below `  1) Failure:` in minitest, `Failure: test_bad(CartTest)` in test-unit.
fn about(line: &str) -> Option<String> {
    let stated = ["Failure: ", "Error: "].iter().find_map(|mark| line.strip_prefix(mark));
    if let Some((test, class)) = stated.and_then(|rest| rest.trim_end_matches(':').split_once('(')) {
        return Some(format!("{}::{test}", class.trim_end_matches(')')));
    }
    let name = line.strip_suffix(':')?;
    let name = name.rsplit_once(" [").map_or(name, |(name, _)| name);
    (!line.starts_with(' ')).then(|| method(name))?
}

#[cfg(test)]
mod tests;
