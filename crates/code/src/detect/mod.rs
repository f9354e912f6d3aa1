//! What the repository's own configuration asks for: set-up, formatters, hooks, gates, test commands.
//!
//! Reads configuration files through a [`Tree`](crate::repo::Tree) and runs nothing. A tool without a configuration is not
//! used; the nearest configuration wins.

pub(crate) mod automation;
mod coming;
mod format;
mod gate;
mod hook;
mod ini;
mod manifest;
mod path;
mod runner_keys;
pub(crate) mod setup;
mod test_command;
pub(crate) mod tool_config;

pub use crate::language::eslint_without_config;
pub use automation::ProjectUse;
pub use coming::coming;
pub(crate) use format::FormatterRow;
pub use format::{FormatPlan, FormatWork, OwnFormatter, formatters, formatters_with};
pub(crate) use gate::CheckerRow;
pub use gate::{CheckerTool, GatePlan, lint, type_check};
pub use hook::{HookFiles, HookPlan, hooks};
pub(crate) use ini::{ini_lines, ini_section};
pub use manifest::{dir_of, json, text, toml};
pub(crate) use manifest::{first_in, from_dir, has_key, in_dir, is_below, nearest, relative, upwards};
pub(crate) use path::{Folder, is_class_test, is_test_name};
pub use path::{
    comment_path, holds_expected_results, is_among_tests, is_lockfile, is_settings, is_test_path,
    lockfiles_of, runner_config,
};
pub(crate) use runner_keys::{MANIFEST, ManifestKeys, ManifestRow, ini_value, json_value, toml_value};
pub use runner_keys::{identity_word, runner_keys};
pub(crate) use setup::ManagerRow;
pub use setup::{PathPlace, ProgramDir, SetupKind, SetupPlan, is_built_module, setup, versioned_programs};
pub use test_command::{
    ConventionalTest, TestCommand, conventional_test, existing_tests, make_target, superplanner_command,
    test_command,
};
