//! Structured test reports: one file per format, all read into [`TestReport`].
//!
//! A reader believes nothing it can check: where a format states its own totals, they must agree with the tests it
//! names, and a report that breaks off is an error. How names look, by runner:
//!
//! | runner | name |
//! |---|---|
//! | pytest | `tests/test_x.py::TestClass::test_name[param]` (its own node id) |
//! | cargo test | `tests/it.rs module::name`, `src/lib.rs@crate module::name`, `doc@crate src/lib.rs - item` |
//! | nextest | `crate::binary module::name` |
//! | vitest, jest, node | `path/to/file.test.ts > suite > title` |
//! | go | `example.com/module/package TestName/subtest` |
//! | TAP | the description, sub-tests joined by ` > ` |

mod go;
mod jest;
mod junit;
mod libtest;
mod nextest;
mod node;
mod source;
mod tap;

pub(crate) use node::REPORTER;
pub use source::{Need, ReportError, ReportFormat, ReportPlace, ReportSource, read, read_all, read_any};
pub use windlass_core::report::{Runner, TestOutcome, TestReport};
