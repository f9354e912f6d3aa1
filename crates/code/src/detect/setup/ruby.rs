//! The set-up of Ruby projects: bundler.

use super::DirTree;

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
