//! The lint catalogue: rules with a stable code, a level per profile and a page that explains them.
//!
//! A check reads a plan and nothing else: no repository, no clock. It never stops at the first finding. What sealing
//! refuses (cycles, unknown references, bad ids) is the graph's to say; the pages of those codes are here too.

mod context;
mod files;
mod page;
mod proof;
mod reading;
mod rule;
mod shape;
mod shell;
#[cfg(test)]
mod tests;

pub use context::LintContext;
pub use rule::{Family, Levels, Profile, Rule, UnknownProfile};

use context::Check;

use crate::diagnostic::Diagnostic;
use crate::plan::Plan;

/// The rules of every family, in the order of their codes.
static CATALOGUE: [&[&Rule]; 5] = [reading::RULES, shape::RULES, reading::SEALED, files::RULES, proof::RULES];

/// Every rule, in the order of codes.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    CATALOGUE.iter().flat_map(|family| family.iter().copied())
}

/// The rule with this code or name; case does not matter.
pub fn explain(code: &str) -> Option<&'static Rule> {
    rules().find(|r| r.code.eq_ignore_ascii_case(code) || r.name.eq_ignore_ascii_case(code))
}

/// Everything the rules have to say about a plan, in the order of its tasks' places.
pub fn check(plan: &Plan, context: &LintContext<'_>) -> Vec<Diagnostic> {
    let mut check = Check::new(plan, context);
    shape::check(&mut check);
    files::check(&mut check);
    proof::check(&mut check);
    let mut found = check.found;
    found.sort_by_key(|d| d.span);
    found
}
