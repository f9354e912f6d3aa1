//! What the repository's own configuration asks for: set-up, formatters, hooks, gates, test commands.
//!
//! Reads configuration files through a [`Tree`](crate::repo::Tree) and runs nothing. A tool without a configuration is not
//! used; the nearest configuration wins.

pub(crate) mod automation;
mod coming;
mod django;
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

pub use automation::ProjectUse;
pub use coming::coming;
pub(crate) use django::django_settings;
pub(crate) use format::FormatterRow;
pub use format::{FormatPlan, FormatWork, OwnFormatter, eslint_without_config, formatters, formatters_with};
pub(crate) use gate::CheckerRow;
pub use gate::{CheckerTool, GatePlan, lint, type_check};
pub use hook::{HookFiles, HookPlan, hooks};
pub(crate) use manifest::{
    CargoPackage, any_depends_on, cargo_package, cargo_root, csharp_project, depends_on, exists, first_in,
    from_dir, has_key, in_dir, is_below, nearest, relative, upwards,
};
pub use manifest::{dir_of, json, text, toml};
pub(crate) use path::{Folder, is_class_test, is_test_name};
pub use path::{
    comment_path, holds_expected_results, is_among_tests, is_settings, is_test_path, lockfiles_of,
    runner_config,
};
pub use runner_keys::{identity_word, runner_keys};
pub(crate) use setup::ManagerRow;
pub use setup::{PathPlace, ProgramDir, SetupKind, SetupPlan, setup, versioned_programs};
pub use test_command::{
    ConventionalTest, TestCommand, conventional_test, existing_tests, make_target, superplanner_command,
    test_command,
};
