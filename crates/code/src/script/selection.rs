//! Whether a script picks single tests by name.

use windlass_core::path_text::file_name;

use super::shell::ShellScript;
use crate::runner::runner_call;

/// Whether the script picks tests by their exact names or marks, so that a test it does not know would not run.
pub fn selects_by_name(script: &str) -> bool {
    ShellScript::parse(script).commands.iter().filter_map(runner_call).any(|call| call.selects_by_name())
}

/// Whether a script names one of these test files, by its path or the name that it has as a module or target. Such a script runs
/// the tests of that file and not those of the whole repository.
pub fn names_a_file(script: &str, files: &[&str]) -> bool {
    let stem = |path: &str| {
        let name = file_name(path);
        name.split('.').next().unwrap_or(name).to_owned()
    };
    files.iter().any(|path| script.contains(path) || script.contains(&stem(path)))
}

#[cfg(test)]
mod tests;
