//! The lint catalogue: rules with a stable code, a level per profile and a page that explains them.
//!
//! A check reads a plan and nothing else: no repository, no clock. It never stops at the first finding. What sealing
//! refuses (cycles, unknown references, bad ids) is the graph's to say; the pages of those codes are here too.

mod budget;
mod code;
mod context;
mod contract;
mod cycles;
mod files;
pub(crate) mod outcome;
mod page;
mod phrase;
mod proof;
mod reading;
mod routing;
mod rule;
mod shape;
mod shell;
mod size;
mod testable;
#[cfg(test)]
mod tests;
mod trace;
mod words;

pub use context::LintContext;
pub use rule::{Family, Levels, Profile, Rule, UnknownProfile};

use context::Check;

use crate::diagnostic::Diagnostic;
use crate::plan::Plan;

/// The rules of every family, in the order of their codes.
static CATALOGUE: [&[&Rule]; 12] = [
    reading::RULES,
    shape::RULES,
    reading::SEALED,
    files::RULES,
    proof::RULES,
    size::RULES,
    budget::RULES,
    cycles::RULES,
    words::RULES,
    contract::RULES,
    trace::RULES,
    routing::RULES,
];

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
    let mut makers = files::Makers::of(plan);
    // Task by task, not family by family: a large plan then goes through the memory once.
    for (at, task) in check.tasks() {
        check.begin(task);
        shape::task(&mut check, at, task);
        files::task(&mut check, at, task, &mut makers);
        proof::task(&mut check, at, task);
        size::task(&mut check, at, task);
        budget::task(&mut check, at, task);
        cycles::task(&mut check, at, task);
        words::task(&mut check, at, task);
        contract::task(&mut check, at, task);
        trace::task(&mut check, at, task);
        routing::task(&mut check, at, task);
    }
    shape::plan(&mut check);
    files::plan(&mut check, &makers);
    proof::plan(&mut check);
    trace::plan(&mut check);
    let mut found = check.found;
    found.sort_by_key(|d| d.span);
    found
}
