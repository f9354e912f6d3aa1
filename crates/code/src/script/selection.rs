//! Whether a script picks single tests by name.

use super::shell::ShellScript;
use crate::runner::runner_call;

/// Whether the script picks tests by their exact names or marks, so that a test it does not know would not run.
pub fn selects_by_name(script: &str) -> bool {
    ShellScript::parse(script).commands.iter().filter_map(runner_call).any(|call| call.selects_by_name())
}

#[cfg(test)]
mod tests;
