//! Where a report is, how it is read, and how several are merged. Each format has its own file.

use windlass_core::report::{Runner, TestReport};
use windlass_core::worded;

use super::tap::TapUnit;
use super::{go, jest, junit, libtest, minitest, nextest, node, rspec, tap, unittest};
use crate::text::strip_ansi;

worded! {
    /// How a report is written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ReportFormat {
        /// JUnit XML.
        Junit = "JUnit",
        /// The text lines of `cargo test`.
        Libtest = "cargo test",
        /// The JSON lines of `cargo nextest run --message-format libtest-json`.
        NextestJson = "nextest",
        /// The JSON of `jest --json`.
        JestJson = "jest",
        /// The JSON lines of the reporter that is given to `node --test`.
        NodeEvents = "node",
        /// The JSON lines of `go test -json`.
        GoJson = "go test",
        /// The text lines of `python -m unittest -v`.
        Unittest = "unittest",
        /// The JSON of `rspec --format json`.
        RspecJson = "rspec",
        /// The text lines of minitest or test-unit with `-v`.
        Minitest = "minitest",
        /// TAP in which every result is a test.
        Tap = "TAP",
        /// TAP of node-tap, in which sub-tests are tests.
        TapSubtests = "TAP of tap",
        /// TAP of tape, in which comments name the tests.
        TapTitles = "TAP of tape",
        /// JSON lines like those for node, written by a module that is loaded into uvu.
        UvuEvents = "uvu",
    }
}

impl ReportFormat {
    /// The ending of a file with such a report.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Junit => "xml",
            Self::JestJson | Self::RspecJson => "json",
            Self::NodeEvents | Self::UvuEvents => "jsonl",
            Self::Libtest
            | Self::NextestJson
            | Self::GoJson
            | Self::Unittest
            | Self::Minitest
            | Self::Tap
            | Self::TapSubtests
            | Self::TapTitles => "txt",
        }
    }
}

/// Where a report is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportPlace {
    /// In this file.
    File(String),
    /// In the output of the run.
    Output,
}

/// Whether a report must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A passing run without it is not a pass.
    Required,
    /// Read if it is there; otherwise the runner counts as unknown.
    IfPresent,
}

/// One report that a run should leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportSource {
    /// The runner that writes it.
    pub runner: Runner,
    /// How it is written.
    pub format: ReportFormat,
    /// Its place.
    pub place: ReportPlace,
    /// Whether it must be there.
    pub need: Need,
}

/// Why a report is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The bytes are not of the format.
    #[error("the {} report cannot be read: {detail}", format.as_str())]
    Malformed {
        /// The format.
        format: ReportFormat,
        /// What is wrong.
        detail: String,
    },
    /// The report is incomplete: the run ended before the runner finished.
    #[error("the {} report is incomplete: {detail}", format.as_str())]
    Incomplete {
        /// The format.
        format: ReportFormat,
        /// What is missing.
        detail: String,
    },
    /// The report's own totals disagree with the tests it names.
    #[error("the report says {stated} {what} but names {named}")]
    CountMismatch {
        /// What is counted.
        what: &'static str,
        /// The stated number.
        stated: u64,
        /// The number of names.
        named: u64,
    },
}

/// Keeps the message about a test, cut to a limit.
pub(super) fn keep_message(report: &mut TestReport, name: &str, text: &str) {
    const EACH: usize = 8 * 1024;
    const NAMES: usize = 200;
    // Compilers colour what they say also inside a report.
    let text = strip_ansi(text);
    let text = text.trim();
    if text.is_empty() || report.messages.len() >= NAMES {
        return;
    }
    // The cause stands at the end of a message.
    let from = text.ceil_char_boundary(text.len().saturating_sub(EACH));
    report.messages.insert(name.to_owned(), text[from..].to_owned());
}

/// Fails when a stated total and the number of names differ.
pub(super) fn check_count(what: &'static str, stated: u64, named: u64) -> Result<(), ReportError> {
    if stated == named { Ok(()) } else { Err(ReportError::CountMismatch { what, stated, named }) }
}

/// Reads one report; `Ok(None)` when there is none.
///
/// `output` is what the run printed, best with standard output and error in one stream.
pub fn read(
    source: &ReportSource,
    files: &dyn Fn(&str) -> Option<Vec<u8>>,
    output: &[u8],
) -> Result<Option<TestReport>, ReportError> {
    let owned;
    let bytes = match &source.place {
        ReportPlace::Output => output,
        ReportPlace::File(path) => match files(path) {
            None => return Ok(None),
            Some(read) => {
                owned = read;
                &owned
            }
        },
    };
    match source.format {
        ReportFormat::Junit => junit::read(source.runner, bytes).map(Some),
        ReportFormat::Libtest => libtest::read(bytes),
        ReportFormat::NextestJson => nextest::read(bytes),
        ReportFormat::JestJson => jest::read(bytes, working_dir(source, files).as_deref()).map(Some),
        ReportFormat::NodeEvents | ReportFormat::UvuEvents => node::read(source.runner, bytes).map(Some),
        ReportFormat::GoJson => go::read(bytes, working_dir(source, files).as_deref()),
        ReportFormat::Unittest => unittest::read(bytes),
        ReportFormat::RspecJson => rspec::read(bytes).map(Some),
        ReportFormat::Minitest => minitest::read(bytes),
        ReportFormat::Tap => tap::read(source.runner, bytes, TapUnit::Result),
        ReportFormat::TapSubtests => tap::read(source.runner, bytes, TapUnit::Subtest),
        ReportFormat::TapTitles => tap::read(source.runner, bytes, TapUnit::Title),
    }
}

/// The note that the instrumented script leaves beside the report: the directory in which jest was started, or the name
/// and directory of a Go module.
fn working_dir(source: &ReportSource, files: &dyn Fn(&str) -> Option<Vec<u8>>) -> Option<String> {
    match &source.place {
        ReportPlace::Output => None,
        ReportPlace::File(path) => {
            let bytes = files(&format!("{path}.root"))?;
            Some(String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned())
        }
    }
}

/// Reads the reports of a run that passed: `Ok(None)` when there is none, or when one that is required is missing.
pub fn read_all(
    sources: &[ReportSource],
    files: &dyn Fn(&str) -> Option<Vec<u8>>,
    output: &[u8],
) -> Result<Option<TestReport>, ReportError> {
    Ok(gather(sources, files, output)?.filter(|gathered| gathered.complete).map(|gathered| gathered.report))
}

/// Reads the reports of a run that failed: all that exist, because a script stops at its first failure.
pub fn read_any(
    sources: &[ReportSource],
    files: &dyn Fn(&str) -> Option<Vec<u8>>,
    output: &[u8],
) -> Result<Option<TestReport>, ReportError> {
    Ok(gather(sources, files, output)?.map(|gathered| gathered.report))
}

struct MergedReport {
    report: TestReport,
    /// Whether every report that is required was there.
    complete: bool,
}

fn gather(
    sources: &[ReportSource],
    files: &dyn Fn(&str) -> Option<Vec<u8>>,
    output: &[u8],
) -> Result<Option<MergedReport>, ReportError> {
    let mut all: Option<TestReport> = None;
    let mut complete = true;
    let mut output_formats = Vec::new();
    for source in sources {
        // Several calls that print to one stream are read in one go.
        if source.place == ReportPlace::Output {
            if output_formats.contains(&source.format) {
                continue;
            }
            output_formats.push(source.format);
        }
        match read(source, files, output)? {
            // A runner that only lists its tests leaves an empty report.
            Some(report) if source.need == Need::IfPresent && report.tests.is_empty() => {}
            Some(report) => merge(&mut all, report),
            None => complete &= source.need == Need::IfPresent,
        }
    }
    Ok(all.map(|report| MergedReport { report, complete }))
}

/// Adds a call's report to those before it.
pub(super) fn merge(all: &mut Option<TestReport>, report: TestReport) {
    match all {
        Some(kept) => kept.absorb(report),
        None => *all = Some(report),
    }
}

#[cfg(test)]
mod tests;
