//! The lint catalogue: rules with a stable code, a level per profile and a page that explains them.
//!
//! A check reads only the plan, not the repository, and reports all findings. Errors of sealing (cycles, unknown
//! references, bad ids) are reported by the graph; the pages of their codes are here, too.

mod budget;
mod context;
mod contract;
pub(crate) mod contract_code;
mod cycles;
mod fields;
mod files;
mod open_questions;
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
mod tiny;
mod trace;
mod verification_script;
mod words;

pub use context::LintContext;
pub(crate) use size::layer_of;

pub use rule::{Levels, LintRule, Profile, RuleFamily, UnknownProfile};

use context::{LintRun, PlanIndex, TaskObservations};

use std::ops::Range;

use windlass_core::diagnostic::Diagnostic;
use windlass_core::plan::Plan;

/// The rules of every family, in the order of their codes.
static CATALOGUE: [&[&LintRule]; 14] = [
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
    open_questions::RULES,
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

/// All findings about a plan, in the order of their places in its files.
pub fn check(plan: &Plan, context: &LintContext<'_>) -> Vec<Diagnostic> {
    let lint = Lint::new(plan, context);
    let part = lint.part(0..plan.tasks.len());
    lint.finish([part])
}

/// A check in parts, for several threads: [`Lint::new`] and [`Lint::finish`] are called once, [`Lint::part`] in any order.
pub struct Lint<'a>(PlanIndex<'a>);

/// The findings in a part of a plan.
pub struct LintPart<'a> {
    noted: TaskObservations<'a>,
    found: Vec<Diagnostic>,
}

impl<'a> Lint<'a> {
    /// Indexes a plan.
    pub fn new(plan: &'a Plan, context: &'a LintContext<'a>) -> Self {
        Self(PlanIndex::new(plan, context))
    }

    /// Checks the tasks in this range.
    pub fn part(&self, places: Range<usize>) -> LintPart<'_> {
        let mut check = LintRun::new(&self.0);
        // Task by task, not family by family: large plans exceed the cache.
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
            open_questions::task(&mut check, task);
            trace::task(&mut check, at, task);
            routing::task(&mut check, at, task);
        }
        LintPart { noted: check.noted, found: check.found }
    }

    /// Checks the tasks together and sorts all findings. The parts are given in the order of their ranges.
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
