//! The set-up of PHP projects: composer.

use serde_json::Value;

use crate::detect::setup::{DirTree, MANAGER, ManagerRow, PathPlace};
use crate::detect::{in_dir, json};

const PHP: ManagerRow = ManagerRow {
    name: "composer",
    program: "composer",
    command: |_, _| "composer install --no-interaction".to_owned(),
    script: composer_script,
    version_variables: |_| vec!["COMPOSER_ROOT_VERSION"],
    tool: Some(("composer", "composer")),
    outputs: &["vendor"],
    bins: &[("vendor/bin", PathPlace::Behind)],
    versions: &[("composer", "--version"), ("php", "--version")],
    ..MANAGER
};

/// Composer, with a lock file and without.
pub(crate) const MANAGERS: &[ManagerRow] = &[
    ManagerRow { locks: &["composer.lock"], inputs: &["composer.json"], ..PHP },
    ManagerRow {
        locks: &["composer.json"],
        by_manifest: true,
        applies: has_something_to_install,
        outputs: &["vendor", "composer.lock"],
        ..PHP
    },
];

/// Whether a package without a lock file needs packages or an autoloader.
pub(super) fn has_something_to_install(here: &DirTree<'_>) -> bool {
    let package = json(here.tree, &in_dir(here.dir, "composer.json")).unwrap_or_default();
    let filled = |key: &str| package.get(key).and_then(Value::as_object).is_some_and(|list| !list.is_empty());
    ["require", "require-dev", "autoload", "autoload-dev"].into_iter().any(filled)
}

/// Scripts of the package may fail while files of it are missing, and so may a check of the platform that no test needs.
pub(super) fn composer_script(_: &DirTree<'_>, command: &str) -> String {
    format!(
        "export COMPOSER_ALLOW_SUPERUSER=1 COMPOSER_HOME=\"${{COMPOSER_HOME:-$HOME/.config/composer}}\"\n\
         if {command} --no-progress; then exit 0; fi\n\
         if {command} --no-progress --no-scripts; then exit 0; fi\n\
         {command} --no-progress --no-scripts --ignore-platform-reqs\n"
    )
}
