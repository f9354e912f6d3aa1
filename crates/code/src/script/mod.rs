//! How to get named results out of a verification script: which runners it calls, and the smallest change that makes
//! each leave a structured report.
//!
//! Reads shell text the way a careful person does, by words, quotes and operators; runs nothing. What it does not
//! recognise it leaves alone, and such a script is judged by its exit code (or by TAP, if it prints that).

mod indirect;
mod instrument;
mod report_options;
mod runner_call;
mod selection;
mod shell;

pub(crate) use indirect::recipe;
pub use instrument::quote;
pub use instrument::{Instrumented, instrument, instrument_in};
pub use selection::selects_by_name;
pub use shell::{Redirect, Separator, ShellScript, ShellWord, SimpleCommand};
