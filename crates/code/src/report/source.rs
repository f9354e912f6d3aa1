//! Where a report lies and how it is read.

use windlass_core::report::{Runner, TestReport};

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    /// JUnit XML.
    Junit,
    /// The text lines of `cargo test`.
    Libtest,
    /// The JSON lines of `cargo nextest --message-format libtest-json`.
    NextestJson,
    /// The JSON of `jest --json`.
    JestJson,
    /// The JSON lines of `go test -json`.
    GoJson,
    /// TAP.
    Tap,
}

/// Where a report lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportPlace {
    /// In this file.
    File(String),
    /// In the output of the run (standard output and error in one stream).
    Output,
}

/// Whether a report must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A passing run without it is not a pass.
    Required,
    /// Read if it is there; otherwise the runner is unknown.
    IfPresent,
}

/// One report that a run should leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportSource {
    /// Who writes it.
    pub runner: Runner,
    /// How.
    pub format: ReportFormat,
    /// Where.
    pub place: ReportPlace,
    /// Whether it must be there.
    pub need: Need,
}

/// Why a report cannot be believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The bytes are not of the format.
    #[error("the {format:?} report cannot be read: {detail}")]
    Malformed {
        /// The format.
        format: ReportFormat,
        /// What is wrong.
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

/// Reads one report. `Ok(None)` when there is none.
pub fn read(
    source: &ReportSource,
    files: &dyn Fn(&str) -> Option<Vec<u8>>,
    output: &[u8],
) -> Result<Option<TestReport>, ReportError> {
    let _ = (source, files, output);
    Ok(None)
}

/// Reads all reports of a run into one. `Ok(None)` when no report is there or a required one is missing.
pub fn read_all(
    sources: &[ReportSource],
    files: &dyn Fn(&str) -> Option<Vec<u8>>,
    output: &[u8],
) -> Result<Option<TestReport>, ReportError> {
    let mut all: Option<TestReport> = None;
    for source in sources {
        if let Some(report) = read(source, files, output)? {
            all.get_or_insert(report);
        }
    }
    Ok(all)
}
