//! Tests of `criteria`.

use super::*;
use crate::plan::Traces;

fn facts(was_red: bool, is_green: bool, bites: Bite) -> TestFacts {
    TestFacts { was_red, is_green, bites }
}

#[test]
fn only_linked_tests_that_were_red_prove_a_criterion() {
    let table: [(&str, &[&str], Standing); 9] = [
        ("no test is linked", &[], Standing::Merged),
        ("red, then green, and bites", &["red"], Standing::Proved),
        ("red, then green, and nothing is known of its bite", &["untried"], Standing::Merged),
        ("one red beside one that passed before", &["red", "old"], Standing::Proved),
        ("passed before, and nothing is known of its bite", &["old"], Standing::Merged),
        ("passed before, and bites", &["old that bites"], Standing::Held),
        ("red, and passes on a wrong version", &["blind"], Standing::Merged),
        ("one of them did not run", &["red", "absent"], Standing::Merged),
        ("one of them fails", &["red", "failing"], Standing::Merged),
    ];
    let known = |name: &str| match name {
        "red" => Some(facts(true, true, Bite::Yes)),
        "untried" => Some(facts(true, true, Bite::Unknown)),
        "old" => Some(facts(false, true, Bite::Unknown)),
        "old that bites" => Some(facts(false, true, Bite::Yes)),
        "blind" => Some(facts(true, true, Bite::No)),
        "failing" => Some(facts(true, false, Bite::Unknown)),
        _ => None,
    };
    for (what, tests, wanted) in table {
        let tests: Vec<String> = tests.iter().map(|t| (*t).to_owned()).collect();
        let link = CriterionLink { criterion: "AC-1".into(), tests, by: LinkSource::Answer };
        assert_eq!(stand("AC-1", Some(&link), &known).standing, wanted, "{what}");
    }
    assert_eq!(stand("AC-1", None, &known).standing, Standing::Merged);
}

#[test]
fn a_task_serves_its_own_criteria_and_those_it_traces_to() {
    let said = |id: &str, text: &str| Criterion { id: id.into(), text: text.into(), ..Criterion::default() };
    let plan = Plan { criteria: vec![said("AC-1", "adds"), said("AC-2", "prints")], ..Plan::default() };
    let traces = |ids: &[&str]| Traces {
        criteria: ids.iter().map(|id| (*id).to_owned()).collect(),
        ..Traces::default()
    };
    let ids = |own: &[Criterion], traced: &[&str]| -> Vec<(String, String)> {
        let task = Task { criteria: own.to_vec(), traces_to: traces(traced), ..Task::default() };
        criteria_of(&plan, &task).into_iter().map(|c| (c.id, c.text)).collect()
    };
    let pair = |id: &str, text: &str| (id.to_owned(), text.to_owned());
    assert_eq!(ids(&[], &["AC-2", "AC-9"]), [pair("AC-2", "prints"), pair("AC-9", "")]);
    assert_eq!(ids(&[said("AC-1", "adds")], &["AC-1"]), [pair("AC-1", "adds")]);
    assert_eq!(
        ids(&[said("", "adds two")], &["AC-1"]),
        [pair("AC-1", "adds two")],
        "the same, without its id"
    );
    assert_eq!(ids(&[said("", "x"), said("", "y")], &[]), [pair("#1", "x"), pair("#2", "y")]);
}
