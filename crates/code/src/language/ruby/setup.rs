//! The set-up of Ruby projects: bundler.

use crate::detect::setup::{DirTree, MANAGER, ManagerRow};

const RUBY: ManagerRow = ManagerRow {
    name: "bundler",
    program: "bundle",
    command: |_, _| "bundle install".to_owned(),
    script: bundler_script,
    inputs: &[".ruby-version"],
    inputs_below: &[".gemspec"],
    tool: Some(("bundle", "ruby-bundler")),
    outputs: &["vendor/bundle", ".bundle"],
    versions: &[("bundle", "--version"), ("ruby", "--version")],
    ..MANAGER
};

/// Bundler, with a lock file and without.
pub(crate) const MANAGERS: &[ManagerRow] = &[
    ManagerRow {
        locks: &["Gemfile.lock", "gems.locked"],
        inputs: &["Gemfile", "gems.rb", ".ruby-version"],
        ..RUBY
    },
    ManagerRow {
        locks: &["Gemfile", "gems.rb"],
        by_manifest: true,
        outputs: &["vendor/bundle", ".bundle", "Gemfile.lock", "gems.locked"],
        ..RUBY
    },
];

/// Gems go into the directory of the project. Where the index cannot be reached, those of the machine may be enough.
pub(super) fn bundler_script(here: &DirTree<'_>, command: &str) -> String {
    let frozen = here.has("Gemfile.lock") || here.has("gems.locked");
    let frozen = if frozen { "export BUNDLE_FROZEN=true\n" } else { "" };
    format!(
        "{frozen}export BUNDLE_JOBS=4 BUNDLE_RETRY=1\n\
         bundle config set --local path vendor/bundle\n\
         if {command}; then exit 0; fi\n\
         bundle config unset --local path\n\
         if [ ! -e Gemfile.lock ] && [ ! -e gems.locked ]; then bundle lock --local; fi\n\
         bundle check\n"
    )
}
