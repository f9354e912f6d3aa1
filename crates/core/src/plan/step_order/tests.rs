//! The steps of a run: what is added to a list, who carries out which, and orders that cannot work.

use super::*;

fn task(listed: &str) -> Task {
    let steps = listed.split_whitespace().map(|word| {
        let action = Action::ALL.into_iter().find(|a| a.as_str() == word).unwrap();
        Step::of(action)
    });
    Task { id: "T".into(), steps: steps.collect(), ..Task::default() }
}

fn words(steps: &[Step]) -> String {
    steps.iter().map(|s| s.action.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_the_mode_demands_is_added_where_it_belongs() {
    let table = [
        (Mode::Tdd, "", "write_test verify_fail implement verify_pass format commit"),
        (Mode::Tdd, "implement verify_pass", "write_test verify_fail implement verify_pass format commit"),
        (
            Mode::Tdd,
            "write_test verify_fail implement implement verify_pass refactor verify_pass commit",
            "write_test verify_fail implement implement verify_pass refactor verify_pass format commit",
        ),
        (
            Mode::Tdd,
            "write_test implement format",
            "write_test verify_fail implement verify_pass format commit",
        ),
        (Mode::Refactor, "implement", "verify_pass implement verify_pass format commit"),
        (Mode::Refactor, "verify_pass refactor", "verify_pass refactor format commit"),
        (Mode::None, "refactor verify_pass", "refactor verify_pass format commit"),
        (Mode::Gate, "implement", "implement verify_pass commit"),
    ];
    for (mode, listed, expected) in table {
        assert_eq!(words(&carried_out(&task(listed), mode)), expected, "{listed}");
    }
}

#[test]
fn the_verifier_takes_over_at_the_first_verification_without_work_after_it() {
    let table = [
        (Mode::Tdd, "write_test verify_fail implement verify_pass format commit", (Some(1), 2, 3)),
        (
            Mode::Tdd,
            "write_test verify_fail implement verify_pass refactor verify_pass commit",
            (Some(1), 2, 5),
        ),
        (
            Mode::Tdd,
            "write_test verify_fail implement verify_pass format verify_pass commit",
            (Some(1), 2, 3),
        ),
        (Mode::Tdd, "write_test verify_fail implement verify_pass implement commit", (Some(1), 2, 3)),
        (Mode::Refactor, "verify_pass refactor verify_pass format commit", (None, 1, 2)),
        (Mode::TestsOnly, "write_test verify_pass commit", (None, 0, 1)),
        (Mode::Gate, "verify_pass commit", (None, 0, 0)),
    ];
    for (mode, listed, (red, work, verdict)) in table {
        let places = StepPlaces::of(&task(listed).steps, mode);
        assert_eq!(places, StepPlaces { red, work, verdict }, "{listed}");
    }
}

#[test]
fn an_order_that_cannot_work_is_named() {
    let table = [
        (Mode::Tdd, "write_test verify_fail implement verify_pass refactor verify_pass format commit", None),
        (Mode::Tdd, "implement verify_pass", None),
        (
            Mode::Tdd,
            "implement write_test verify_fail verify_pass",
            Some((0, "`implement` comes before `verify_fail`")),
        ),
        (Mode::Tdd, "implement write_test verify_pass", Some((0, "`implement` comes before `write_test`"))),
        (Mode::Tdd, "verify_fail write_test implement", Some((0, "`verify_fail` comes before the test"))),
        (Mode::Tdd, "write_test verify_pass implement", Some((1, "`verify_pass` comes before `implement`"))),
        (Mode::Tdd, "write_test implement commit format", Some((3, "`format` comes after `commit`"))),
        (Mode::Refactor, "verify_pass refactor verify_pass", None),
        (Mode::None, "implement commit commit", Some((2, "`commit` comes after `commit`"))),
    ];
    for (mode, listed, expected) in table {
        let found = impossible_order(&task(listed), mode);
        match expected {
            None => assert_eq!(found, None, "{listed}"),
            Some((at, words)) => {
                let (place, message) = found.unwrap();
                assert_eq!(place, at, "{listed}");
                assert!(message.starts_with(words), "{message}");
            }
        }
    }
}

#[test]
fn a_verifying_step_proves_its_task() {
    let mut proved = task("implement verify_pass");
    assert_eq!(proved.proof(), crate::plan::Proof::Nothing);
    proved.steps[1].run = Some("pytest -q".into());
    assert_eq!(proved.proof(), crate::plan::Proof::Script);
    assert_eq!(proved.stated_check(), Some("pytest -q"));
    proved.steps[1].verify = Expect::None;
    assert_eq!(proved.proof(), crate::plan::Proof::Nothing);
}
