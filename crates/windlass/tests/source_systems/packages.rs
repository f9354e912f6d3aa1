//! TypeScript and vitest for the cases that run the documents' own TypeScript.

use std::path::{Path, PathBuf};
use std::time::Duration;

use windlass_testkit::{Outcome, TestRepo};

/// Packages that `scripts/typescript` installs; `None`, and said aloud, where they are not there.
#[expect(clippy::print_stdout, reason = "a tool that is missing is named in the output of the tests")]
pub(crate) fn packages() -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/typescript/node_modules");
    let found = path.join("vitest").is_dir().then(|| path.canonicalize().unwrap());
    if found.is_none() {
        println!("SKIPPED: no TypeScript in target/typescript: `scripts/typescript` installs it with npm");
    }
    found
}

/// The set-up that gives a folder of the repository these packages.
pub(crate) fn setup(packages: &Path, folder: &str) -> String {
    let link = format!("{folder}node_modules");
    format!("[setup]\ncommand = \"ln -sfn {} {link}\"\noutputs = [\"{link}\"]\n", packages.display())
}

/// Carries out a plan with the fake agent, which may read the packages.
pub(crate) fn run(repo: &TestRepo, packages: &Path, plan: &str) -> Outcome {
    let share = packages.to_string_lossy().into_owned();
    repo.start_run(&[plan, "--yes", "--share", &share]).wait_for(Duration::from_mins(15))
}
