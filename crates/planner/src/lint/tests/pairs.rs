//! Every rule with a plan that violates it and the nearest plan that does not, and its severity in each profile.
//!
//! The plan that is changed has two tasks, `a` (the cart) and `b` (the order), which most rules accept.

mod proof;
mod shape_and_files;
mod size;
mod trace_and_routing;
mod words;

use std::collections::BTreeSet;

use super::super::{Profile, RuleFamily, check, rules};
use super::conditions::{fine, script};
use super::context;
use windlass_core::diagnostic::Severity;
use windlass_core::plan::{Plan, Task};

/// A change to the plan of two tasks.
type PlanChange = fn(&mut Plan);

/// A code, its levels, a change that violates the rule, and the nearest change that does not.
///
/// The levels are letters in the order of [`Profile::ALL`] (default, zerg, homerun, ccw, superplanner, contract):
/// `E`rror, `W`arning, `N`ote, and `-` for off.
type RulePair = (&'static str, &'static str, PlanChange, PlanChange);

fn plan() -> Plan {
    let mut order = Task { id: "b".into(), title: "Add a total to orders".into(), ..fine() };
    order.files.create = vec!["src/order.py".into()];
    order.test.file = Some("tests/test_order.py".into());
    script(&mut order, "pytest tests/test_order.py");
    Plan { name: "p".into(), tasks: vec![fine(), order], ..Plan::default() }
}

/// A plan of this many independent tasks.
fn many(plan: &mut Plan, count: usize) {
    let task = |n: usize| {
        let mut task = Task { id: format!("t{n}"), ..fine() };
        task.files.create = vec![format!("src/f{n}.py")];
        task.test.file = Some(format!("tests/test_f{n}.py"));
        script(&mut task, &format!("pytest tests/test_f{n}.py"));
        task
    };
    plan.tasks = (0..count).map(task).collect();
}

fn texts<const N: usize>(list: [&str; N]) -> Vec<String> {
    list.map(str::to_owned).to_vec()
}

/// The severities of a code in each profile, as letters.
fn levels(code: &str, change: PlanChange) -> String {
    let mut changed = plan();
    change(&mut changed);
    let letter = |profile: Profile| {
        let found = check(&changed, &context(profile));
        match found.iter().filter(|d| d.code == code).map(|d| d.severity).max() {
            Some(Severity::Error) => 'E',
            Some(Severity::Warning) => 'W',
            Some(Severity::Note) => 'N',
            None => '-',
        }
    };
    Profile::ALL.into_iter().map(letter).collect()
}

fn hold(pairs: &[RulePair]) {
    for (code, expected, bad, good) in pairs {
        assert_eq!(levels(code, *bad), *expected, "{code}: the plan that violates it");
        assert_eq!(levels(code, *good), "------", "{code}: the plan that does not");
    }
}

#[test]
fn shape_and_files() {
    hold(shape_and_files::PAIRS);
}

#[test]
fn proof() {
    hold(proof::PAIRS);
}

#[test]
fn size() {
    hold(size::PAIRS);
}

#[test]
fn words() {
    hold(words::PAIRS);
}

#[test]
fn trace_and_routing() {
    hold(trace_and_routing::PAIRS);
}

/// Readers and the graph report `Reading` and WL015x–WL016x. No id fits every pattern of WL0103, which has a table in
/// `plans.rs`.
#[test]
fn every_rule_that_is_checked_here_has_a_pair() {
    let all = [shape_and_files::PAIRS, proof::PAIRS, size::PAIRS, words::PAIRS, trace_and_routing::PAIRS];
    let shown: BTreeSet<&str> = all.into_iter().flatten().map(|(code, ..)| *code).collect();
    let elsewhere = |code: &str| code.starts_with("WL015") || code.starts_with("WL016") || code == "WL0103";
    let missing: Vec<&str> = rules()
        .filter(|rule| rule.family != RuleFamily::Reading && !elsewhere(rule.code))
        .map(|rule| rule.code)
        .filter(|code| !shown.contains(code))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}
