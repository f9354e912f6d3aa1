//! The lint catalogue: rules with a stable code, a level per profile and a page that explains them.
//!
//! A check reads a plan and nothing else: no repository, no clock. It never stops at the first finding. What sealing
//! refuses (cycles, unknown references, bad ids) is the graph's to say; the pages of those codes are here too.

mod budget;
mod context;
mod contract;
mod contract_code;
mod cycles;
mod fields;
mod files;
pub(crate) mod outcome;
mod phrase_finder;
mod proof;
mod reported_elsewhere;
mod routing;
mod rule;
mod rule_pages;
mod shape;
mod size;
mod testable;
#[cfg(test)]
mod tests;
mod trace;
mod verification_script;
mod words;

pub use context::LintContext;
pub use rule::{Levels, LintRule, Profile, RuleFamily, UnknownProfile};

use context::{LintRun, Noted, PlanIndex};

use std::ops::Range;

use windlass_core::diagnostic::Diagnostic;
use windlass_core::plan::Plan;

/// The rules of every family, in the order of their codes.
static CATALOGUE: [&[&LintRule]; 13] = [
    reported_elsewhere::RULES,
    shape::RULES,
    fields::RULES,
    reported_elsewhere::SEALED,
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
pub fn rules() -> impl Iterator<Item = &'static LintRule> {
    CATALOGUE.iter().flat_map(|family| family.iter().copied())
}

/// The rule with this code or name; case does not matter.
pub fn explain(code: &str) -> Option<&'static LintRule> {
    rules().find(|r| r.code.eq_ignore_ascii_case(code) || r.name.eq_ignore_ascii_case(code))
}

/// Everything the rules have to say about a plan, in the order of its tasks' places.
pub fn check(plan: &Plan, context: &LintContext<'_>) -> Vec<Diagnostic> {
    let lint = Lint::new(plan, context);
    let part = lint.part(0..plan.tasks.len());
    lint.finish([part])
}

/// A check in pieces, so that a large plan can be looked at by several threads. Start and end are for the whole plan,
/// the parts between them can be done in any order.
pub struct Lint<'a>(PlanIndex<'a>);

/// What was found in a part of a plan.
pub struct LintPart<'a> {
    noted: Noted<'a>,
    found: Vec<Diagnostic>,
}

impl<'a> Lint<'a> {
    /// Looks at the plan as a whole.
    pub fn new(plan: &'a Plan, context: &'a LintContext<'a>) -> Self {
        Self(PlanIndex::new(plan, context))
    }

    /// Checks the tasks at these places.
    pub fn part(&self, places: Range<usize>) -> LintPart<'_> {
        let mut check = LintRun::new(&self.0);
        // Task by task, not family by family: a large plan then goes through the memory once.
        let first = u32::try_from(places.start).unwrap_or(u32::MAX);
        for (at, task) in (first..).zip(&self.0.plan.tasks[places]) {
            check.begin(task);
            shape::task(&mut check, at, task);
            files::task(&mut check, at, task);
            proof::task(&mut check, at, task);
            size::task(&mut check, at, task);
            budget::task(&mut check, at, task);
            cycles::task(&mut check, at, task);
            words::task(&mut check, at, task);
            contract::task(&mut check, at, task);
            trace::task(&mut check, at, task);
            routing::task(&mut check, at, task);
        }
        LintPart { noted: check.noted, found: check.found }
    }

    /// Says what is to be said about tasks together, and puts everything in order. The parts come in the order of their
    /// places.
    pub fn finish<'p>(&'p self, parts: impl IntoIterator<Item = LintPart<'p>>) -> Vec<Diagnostic> {
        let mut check = LintRun::new(&self.0);
        for part in parts {
            check.noted.extend(part.noted);
            check.found.extend(part.found);
        }
        shape::plan(&mut check);
        fields::plan(&mut check);
        files::plan(&mut check);
        proof::plan(&mut check);
        trace::plan(&mut check);
        routing::plan(&mut check);
        let mut found = check.found;
        found.sort_by_key(|d| d.span);
        found
    }
}
