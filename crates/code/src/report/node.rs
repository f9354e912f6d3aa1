//! The JSON lines of the reporter that the instrumented script gives to `node --test`.
//!
//! Node's own JUnit and TAP reports leave out the file, so that two files with a test of the same name look like one.
//! The reporter's source is here, beside the reader of what it writes.

use serde::Deserialize;
use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::source::{ReportError, ReportFormat, check_count};

/// A reporter for node's test runner: one line per test, one line of totals at the end.
pub(crate) const NODE_REPORTER: &str = "\
import {relative} from 'node:path';
export default async function* (source) {
  const path = [];
  let total = null;
  for await (const {type, data} of source) {
    if (type === 'test:start') {
      path.length = data.nesting;
      path.push(data.name);
    } else if (type === 'test:pass' || type === 'test:fail') {
      path.length = data.nesting;
      path.push(data.name);
      const file = data.file ? relative(process.cwd(), data.file) : '';
      const suite = data.details && data.details.type === 'suite';
      const idle = data.skip !== undefined ? 'skip' : data.todo !== undefined ? 'todo' : null;
      const whole = data.name === data.file || (file && data.name === file);
      yield JSON.stringify({file, path, suite: !!suite, whole: !!whole, outcome: idle || type.slice(5)}) + '\\n';
    } else if (type === 'test:diagnostic' && data.nesting === 0 && /^tests \\d+$/.test(data.message)) {
      total = Number(data.message.slice(6));
    }
  }
  yield JSON.stringify({total}) + '\\n';
}
";

/// A module that is loaded before uvu, which has no reporter: one line per test in the same form. uvu writes the name of
/// a test into its context before it runs, and a mark when it has run; both are overheard. The total is what uvu itself
/// says at its end, so that a run which ends early leaves none.
pub(crate) const UVU_LISTENER: &str = "\
import {appendFileSync} from 'node:fs';
let current = null;
const tell = (line) => appendFileSync('{file}', JSON.stringify(line) + '\\n');
Object.defineProperty(Object.prototype, '__test__', {
  configurable: true,
  get() { return ''; },
  set(name) { if (name) current = this.__suite__ ? [this.__suite__, name] : [name]; },
});
const write = process.stdout.write;
process.stdout.write = function (text, ...rest) {
  const plain = String(text).replace(/\\x1b\\[\\d+m/g, '');
  const total = /^\\n {2}Total: +(\\d+)/.exec(plain);
  if (current && (plain === '\\u2022 ' || plain === '\\u2718 ')) {
    const outcome = plain === '\\u2022 ' ? 'pass' : 'fail';
    tell({file: '', path: current, suite: false, whole: false, outcome});
    current = null;
  } else if (total) {
    tell({total: Number(total[1])});
  }
  return write.call(this, text, ...rest);
};
";

#[derive(Deserialize)]
#[serde(untagged)]
enum ReporterLine {
    Test { file: String, path: Vec<String>, suite: bool, whole: bool, outcome: String },
    End { total: Option<u64> },
}

/// Reads all lines.
pub(super) fn read(runner: Runner, bytes: &[u8]) -> Result<TestReport, ReportError> {
    let text = String::from_utf8_lossy(bytes);
    let mut report = TestReport::new(runner);
    let mut named = 0u64;
    let mut end = None;
    for line in text.lines() {
        let line: ReporterLine = serde_json::from_str(line).map_err(|error| ReportError::Malformed {
            format: ReportFormat::NodeEvents,
            detail: error.to_string(),
        })?;
        match line {
            ReporterLine::End { total } => end = Some(total),
            ReporterLine::Test { file, suite: true, outcome, path, .. } => {
                // A suite is not a test, but a hook of it can fail when none of its tests does.
                if outcome == "fail" && !has_failure_below(&report, &full_name(&file, &path)) {
                    report.record(full_name(&file, &path), TestOutcome::Errored);
                }
            }
            ReporterLine::Test { file, path, whole, outcome, .. } => {
                named += 1;
                if whole {
                    record_whole(&mut report, file, &outcome);
                } else {
                    report.record(full_name(&file, &path), outcome_of(&outcome));
                }
            }
        }
    }
    match end {
        None => Err(ReportError::Incomplete {
            format: ReportFormat::NodeEvents,
            detail: "no totals at the end".into(),
        }),
        Some(Some(total)) => check_count("tests", total, named).map(|()| report),
        Some(None) => Ok(report),
    }
}

/// A file without tests counts as one test of its own name: no test when it passes, an error when it does not load.
fn record_whole(report: &mut TestReport, file: String, outcome: &str) {
    if outcome == "fail" {
        report.record(file, TestOutcome::Errored);
    }
}

fn has_failure_below(report: &TestReport, suite: &str) -> bool {
    let below = format!("{suite} > ");
    report.tests.iter().any(|(name, outcome)| {
        name.starts_with(&below) && matches!(outcome, TestOutcome::Failed | TestOutcome::Errored)
    })
}

fn full_name(file: &str, path: &[String]) -> String {
    let mut name = file.to_owned();
    for title in path {
        if !name.is_empty() {
            name.push_str(" > ");
        }
        name.push_str(title);
    }
    name
}

fn outcome_of(outcome: &str) -> TestOutcome {
    match outcome {
        "pass" => TestOutcome::Passed,
        "fail" => TestOutcome::Failed,
        "skip" | "todo" => TestOutcome::Skipped,
        _ => TestOutcome::Errored,
    }
}

#[cfg(test)]
mod tests;
