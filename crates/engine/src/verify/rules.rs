//! Static rules on a candidate's changes, before anything runs.

use std::collections::BTreeMap;

use windlass_code::detect::{holds_expected_results, is_test_path};
use windlass_code::repo::Tree;
use windlass_code::syntax::language_of;
use windlass_code::syntax::tricks::{ChangedFile, GoldenFiles, Rule, Strictness, Trick, is_unsteady, tricks};
use windlass_core::failure::{Failure, Gate};

use crate::git::GitError;
use crate::git_tree::GitTree;

/// What the rules found.
#[derive(Debug, Default)]
pub(super) struct RuleFindings {
    /// Refused.
    pub(super) errors: Vec<Trick>,
    /// Shown in the evidence.
    pub(super) warnings: Vec<Trick>,
    /// Changed code whose result may differ from run to run.
    pub(super) unsteady: Vec<String>,
}

/// Applies the rules to every changed file. Rules without a configured level use their default.
pub(super) fn look(
    levels: &BTreeMap<Rule, Strictness>,
    before: &GitTree,
    after: &GitTree,
    changed: &[String],
) -> Result<RuleFindings, GitError> {
    let golden = GoldenFiles::among(after.paths(), is_golden);
    let mut found = RuleFindings::default();
    for path in changed {
        let Some(bytes) = after.bytes(path)? else { continue };
        let old = before.bytes(path)?;
        let change = ChangedFile { path, before: old.as_deref(), after: &bytes, golden: &golden };
        for trick in tricks(&change) {
            let level = levels.get(&trick.rule).copied();
            match level.unwrap_or_else(|| trick.rule.default_level()) {
                Strictness::Off => {}
                Strictness::Warning => found.warnings.push(trick),
                Strictness::Error => found.errors.push(trick),
            }
        }
        if is_unsteady(path, &bytes) {
            found.unsteady.push(path.clone());
        }
    }
    Ok(found)
}

/// Files with expected results, and other files among tests that are not code.
pub(super) fn is_golden(path: &str) -> bool {
    holds_expected_results(path) || (is_test_path(path) && language_of(path).is_none())
}

/// The failure for rule errors.
pub(super) fn refusal(found: &RuleFindings) -> Option<Failure> {
    let first = found.errors.first()?;
    let lines: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    let mut names: Vec<String> = found.errors.iter().map(|trick| trick.rule.as_str().to_owned()).collect();
    names.sort();
    names.dedup();
    Some(Failure::TestsFailed {
        gate: Gate::Rules,
        failed: names,
        summary: first.to_string(),
        excerpt: lines.join("\n"),
    })
}
