//! The tools around Ruby: bundler and rubocop.

use super::setup;
use crate::checker::CheckerFormat;
use crate::detect::tool_config::{ToolConfig, own_file};
use crate::detect::{CheckerRow, FormatterRow};
use crate::language::Tooling;
use crate::repo::Tree;

pub(super) const TOOLING: Tooling = Tooling {
    programs: &["ruby"],
    build_files: &["Gemfile", "Rakefile", ".rspec"],
    lock_files: &[("Gemfile", &["Gemfile.lock"])],
    managers: setup::MANAGERS,
    further_endings: &["rake"],
    formatters: &[FormatterRow::new(
        "rubocop",
        &["rb", "rake", "gemspec"],
        rubocop,
        "rubocop --autocorrect --fail-level fatal --force-exclusion --",
    )],
    linters: &[CheckerRow::of_files("rubocop", &["rb"], rubocop, "rubocop --force-exclusion --")
        .with_report("rubocop --force-exclusion --format emacs --", CheckerFormat::Lines)],
    likely_manifest: |name, project| {
        let library = if project.speaks_of("minitest") { "minitest" } else { "rspec" };
        (name == "Gemfile").then(|| format!("gem '{library}'\n"))
    },
    ..Tooling::NONE
};

fn rubocop(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &[".rubocop.yml", ".rubocop.yaml"])
}
