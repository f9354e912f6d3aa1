//! The report on a plan's runs: a pure fold over the journal and the plan it sealed. Its JSON is `windlass.report/1`.
//!
//! Knows events and the plan; nothing of files, of the time it is, or of how anything is drawn.

mod coverage;
mod fold;
mod rates;
mod tasks;

pub use coverage::{CriterionCoverage, coverage};
pub use fold::{AttemptLine, Happening, Reporter, RunReport, Spending};
pub use rates::{Rates, RungRate, SuccessMetric, Trigger};
pub use tasks::ReportTask;
