//! Structured test reports: one file per format, all read into [`TestReport`].
//!
//! Where a format states totals, they must agree with the tests it names, and an incomplete report is an error. Names by
//! runner:
//!
//! | runner | name |
//! |---|---|
//! | pytest | `tests/test_x.py::TestClass::test_name[param]` (its own node id) |
//! | cargo test | `tests/it.rs module::name`, `src/lib.rs@crate module::name`, `doc@crate src/lib.rs - item` |
//! | nextest | `crate::binary module::name` |
//! | vitest, jest, node | `path/to/file.test.ts > suite > title` |
//! | go | `example.com/module/package TestName/subtest` |
//! | unittest | `tests.test_x.TestClass::test_name` |
//! | rspec | `spec/x_spec.rb::Described does this` |
//! | minitest, test-unit | `Module::ClassTest::test_name`, `Described does this` |
//! | phpunit, Maven, Gradle | `name.space.ClassTest::testName[case]` |
//! | ctest | the tests that a program of googletest names, `Suite.Name`; else the name in `add_test` |
//! | uvu | `suite > title` |
//! | tap | `path/to/file.test.js > test > sub-test` |
//! | tape, other TAP | the description, sub-tests joined by ` > ` |

mod go;
mod googletest;
mod jest;
mod junit;
mod libtest;
mod minitest;
mod nextest;
mod node;
mod rspec;
mod source;
mod tap;
mod unittest;

pub(crate) use junit::JunitCase;
pub(crate) use node::{NODE_REPORTER, UVU_LISTENER};
pub use source::{Need, ReportError, ReportFormat, ReportPlace, ReportSource, read, read_all, read_any};
pub use windlass_core::report::{Runner, TestOutcome, TestReport};
