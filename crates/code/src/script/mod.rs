//! How to get named results out of a verification script: which runners it calls, and the smallest change that makes
//! each leave a structured report. Also the shell lexer for everything that reads scripts.
//!
//! Runs nothing. A call that it does not recognise stays as it is, and such a script is judged by its exit code (or by
//! TAP, if it prints that).

mod build;
mod indirect;
mod instrument;
mod joined;
mod selection;
mod shell;

pub use build::{BuildStep, build_step};
pub(crate) use instrument::ScriptEdits;
pub use instrument::{Instrumented, instrument, instrument_in, quote, starts_at_once};
pub use joined::{JoinedScript, join_runs};
pub use selection::{names_a_file, selects_by_name};
pub use shell::{Redirect, Separator, ShellScript, ShellWord, SimpleCommand};
pub(crate) use shell::{is_shell_file, join};
