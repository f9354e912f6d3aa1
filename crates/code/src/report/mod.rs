//! Structured test reports: one file per format, all read into [`TestReport`].

mod source;

pub use source::{Need, ReportError, ReportFormat, ReportPlace, ReportSource, read, read_all};
pub use windlass_core::report::{Runner, TestOutcome, TestReport};
