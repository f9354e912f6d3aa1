//! The ladder, step by step.

use super::*;
use crate::failure::{BlindSign, Gate};
fn issue(severity: IssueSeverity, against: Option<&str>) -> Issue {
    Issue {
        criterion: Some("AC-1".into()),
        severity,
        message: "x".into(),
        file: None,
        against: against.map(str::to_owned),
    }
}

fn red(test: &str) -> Failure {
    Failure::TestsFailed {
        gate: Gate::Tests,
        failed: vec![test.into()],
        summary: String::new(),
        excerpt: String::new(),
    }
}

fn walk(ladder: &Ladder, mut failure: impl FnMut(usize) -> Failure) -> Vec<Rung> {
    let mut history = vec![(Rung::First, failure(0))];
    let mut rungs = vec![Rung::First];
    while let Next::Try(rung) = next_rung(ladder, &history) {
        rungs.push(rung);
        history.push((rung, failure(history.len())));
        assert!(history.len() < 50, "the ladder must end");
    }
    rungs
}

#[test]
fn the_whole_ladder_is_climbed_while_something_changes() {
    use Rung::{BugHunter, First, FreshAgent, SameAgent, TierUp};
    let ladder = Ladder::default();
    let rungs = walk(&ladder, |n| red(&format!("t{n}")));
    let all = [
        First,
        BugHunter(1),
        BugHunter(2),
        BugHunter(3),
        SameAgent(1),
        SameAgent(2),
        FreshAgent(1),
        TierUp(1),
    ];
    assert_eq!(rungs, all);
    assert_eq!(rungs.len(), ladder.worst_case_turns() as usize);
}

#[test]
fn the_same_failure_shortens_rungs_and_ends_the_ladder() {
    use Rung::{BugHunter, First, FreshAgent, SameAgent};
    let rungs = walk(&Ladder::default(), |_| red("t"));
    // The bug-hunter has its three tries; each later kind is tried once more; three kinds without change end it.
    let hunted = [First, BugHunter(1), BugHunter(2), BugHunter(3)];
    assert_eq!(rungs, [&hunted[..], &[SameAgent(1), FreshAgent(1), Rung::TierUp(1)]].concat());
    let strict = Ladder { rounds_without_progress: 2, ..Ladder::default() };
    assert_eq!(walk(&strict, |_| red("t")), [&hunted[..], &[SameAgent(1), FreshAgent(1)]].concat());
}

#[test]
fn a_bug_hunter_needs_a_verdict_and_a_contradiction_needs_a_person() {
    let ladder = Ladder::default();
    assert_eq!(next_rung(&ladder, &[(Rung::First, Failure::NoChange)]), Next::Try(Rung::SameAgent(1)));
    let said = Failure::SpecContradiction { reason: "2 + 2 is not 5".into() };
    assert_eq!(next_rung(&ladder, &[(Rung::First, said)]), Next::Ask("2 + 2 is not 5".into()));
    let no = Failure::Rejected { issues: vec![issue(IssueSeverity::Medium, None)] };
    let history = [(Rung::First, no.clone()), (Rung::BugHunter(1), no.clone()), (Rung::BugHunter(2), no)];
    assert!(matches!(next_rung(&ladder, &history), Next::Ask(_)));
}

#[test]
fn a_grave_issue_needs_a_person_at_once_and_so_do_tasks_that_reject_each_other() {
    let ladder = Ladder::default();
    let grave = Failure::Rejected { issues: vec![issue(IssueSeverity::High, None)] };
    assert!(matches!(next_rung(&ladder, &[(Rung::First, grave)]), Next::Ask(_)));
    let no = |other: &str| {
        (Rung::First, Failure::Rejected { issues: vec![issue(IssueSeverity::Low, Some(other))] })
    };
    let (once, twice) = (vec![no("a")], vec![no("b"), no("b")]);
    assert!(!reject_each_other(&ladder, ("a", &twice), ("b", &once)));
    assert!(reject_each_other(&ladder, ("a", &twice), ("b", &[no("a"), no("a")])));
    assert!(!reject_each_other(&ladder, ("a", &twice), ("b", &[no("c"), no("a")])));
}

#[test]
fn each_rung_leads_to_the_next() {
    use Rung::{BugHunter, First, FreshAgent, SameAgent, TierUp};
    let verdict = || red("new");
    let other = || Failure::NoChange;
    let table = [
        (First, verdict(), Some(BugHunter(1))),
        (BugHunter(1), verdict(), Some(BugHunter(2))),
        (BugHunter(2), verdict(), Some(BugHunter(3))),
        (BugHunter(3), verdict(), Some(SameAgent(1))),
        (SameAgent(1), verdict(), Some(SameAgent(2))),
        (SameAgent(2), verdict(), Some(FreshAgent(1))),
        (FreshAgent(1), verdict(), Some(TierUp(1))),
        (TierUp(1), verdict(), None),
        // Without a tree the rest of the bug-hunter's turns is skipped, and the ladder is never climbed down.
        (BugHunter(1), other(), Some(SameAgent(1))),
        (SameAgent(1), other(), Some(SameAgent(2))),
        (FreshAgent(1), other(), Some(TierUp(1))),
        (TierUp(1), other(), None),
    ];
    for (rung, failure, expected) in table {
        let next = next_rung(&Ladder::default(), &[(First, red("old")), (rung, failure)]);
        match expected {
            Some(expected) => assert_eq!(next, Next::Try(expected), "{rung:?}"),
            None => {
                assert!(
                    matches!(&next, Next::Fail(why) if why.starts_with("every attempt failed: ")),
                    "{next:?}"
                );
            }
        }
    }
}

#[test]
fn rungs_can_be_taken_out() {
    use Rung::{BugHunter, First, FreshAgent, SameAgent, TierUp};
    let none = Ladder { bug_hunter: 0, same_agent: 0, fresh_agent: 0, tier_up: 0, ..Ladder::default() };
    let table: [(Ladder, &[Rung]); 5] = [
        (none.clone(), &[First]),
        (Ladder { bug_hunter: 1, ..none.clone() }, &[First, BugHunter(1)]),
        (Ladder { tier_up: 2, ..none.clone() }, &[First, TierUp(1), TierUp(2)]),
        (Ladder { same_agent: 1, fresh_agent: 1, ..none.clone() }, &[First, SameAgent(1), FreshAgent(1)]),
        (Ladder { bug_hunter: 1, tier_up: 1, ..none }, &[First, BugHunter(1), TierUp(1)]),
    ];
    for (ladder, expected) in table {
        let rungs = walk(&ladder, |n| red(&format!("t{n}")));
        assert_eq!(rungs, expected, "{ladder:?}");
        assert_eq!(rungs.len(), ladder.worst_case_turns() as usize);
    }
}

#[test]
fn the_rules_about_repetition_can_be_turned_off() {
    use Rung::{BugHunter, First, SameAgent};
    let patient = Ladder { identical: 0, rounds_without_progress: 0, ..Ladder::default() };
    assert_eq!(walk(&patient, |_| red("t")).len(), patient.worst_case_turns() as usize);
    let hasty = Ladder { identical: 1, rounds_without_progress: 1, ..Ladder::default() };
    assert_eq!(walk(&hasty, |_| red("t")), [First, BugHunter(1), SameAgent(1)]);
    let no = || Failure::Rejected { issues: vec![issue(IssueSeverity::Medium, None)] };
    let Next::Ask(question) = next_rung(&hasty, &[(First, no())]) else { panic!("a person decides") };
    assert_eq!(question, "the same rejection came 1 times: rejected in review: medium: AC-1: x");
}

#[test]
fn progress_in_between_starts_the_count_again() {
    let ladder = Ladder::default();
    let tests = ["a", "a", "b", "a", "a", "b", "a", "a"];
    assert_eq!(walk(&ladder, |n| red(tests[n])).len(), ladder.worst_case_turns() as usize);
}

#[test]
fn a_stalled_ladder_says_so() {
    use Rung::{BugHunter, First, FreshAgent, SameAgent, TierUp};
    let history: Vec<(Rung, Failure)> = [First, BugHunter(1), SameAgent(1), FreshAgent(1), TierUp(1)]
        .into_iter()
        .map(|r| (r, red("t")))
        .collect();
    let expected = Next::Fail("3 kinds of attempt did not help: tests: `t` failed".into());
    assert_eq!(next_rung(&Ladder::default(), &history), expected);
}

#[test]
fn a_rung_has_a_label_and_a_form_in_files() {
    use serde_json::json;
    let table = [
        (Rung::First, "first try", json!("first"), false),
        (Rung::BugHunter(2), "bug-hunter 2", json!({"bug-hunter": 2}), true),
        (Rung::SameAgent(1), "same agent again 1", json!({"same-agent": 1}), false),
        (Rung::FreshAgent(1), "fresh agent 1", json!({"fresh-agent": 1}), false),
        (Rung::TierUp(1), "one tier up 1", json!({"tier-up": 1}), false),
    ];
    for (rung, label, json, continues) in table {
        assert_eq!((rung.label().as_str(), rung.continues()), (label, continues));
        assert_eq!(serde_json::to_value(rung).unwrap(), json);
        assert_eq!(serde_json::from_value::<Rung>(json).unwrap(), rung);
    }
}

#[test]
fn a_ladder_in_a_file_has_defaults_and_no_unknown_keys() {
    let read = |text: &str| toml::from_str::<Ladder>(text);
    assert_eq!(read("").unwrap(), Ladder::default());
    assert_eq!(read("tier_up = 4").unwrap(), Ladder { tier_up: 4, ..Ladder::default() });
    for bad in ["bughunter = 1", "bug_hunter = -1", "bug_hunter = \"3\"", "bug_hunter = 1.5"] {
        assert!(read(bad).is_err(), "{bad}");
    }
    assert_eq!(next_rung(&Ladder::default(), &[]), Next::Try(Rung::First));
}

#[test]
fn the_rule_about_tasks_that_reject_each_other_can_be_turned_off() {
    let no = |other: &str| {
        (
            Rung::First,
            Failure::Rejected {
                issues: vec![issue(IssueSeverity::Low, None), issue(IssueSeverity::Low, Some(other))],
            },
        )
    };
    let (a, b) = (vec![no("b"); 3], vec![no("a"); 2]);
    for (limit, expected) in [(0, false), (1, true), (2, true), (3, false)] {
        let ladder = Ladder { each_other: limit, ..Ladder::default() };
        assert_eq!(reject_each_other(&ladder, ("a", &a), ("b", &b)), expected, "{limit}");
    }
}

fn refusal(line: usize, code: &str) -> Failure {
    let said = format!("a.py:{line}: replaces an attribute of a foreign object [patches]: `{code}`");
    Failure::TestsFailed {
        gate: Gate::Rules,
        failed: vec!["patches".into()],
        summary: said.clone(),
        excerpt: said,
    }
}

/// A second agent that writes the same line, wherever it stands then, says that the line is meant: a person decides.
#[test]
fn work_that_is_refused_twice_as_dishonest_is_a_question() {
    use Rung::{BugHunter, First, SameAgent};
    let ladder = Ladder::default();
    let question = |history: &[(Rung, Failure)]| match next_rung(&ladder, history) {
        Next::Ask(question) => question,
        next @ (Next::Try(_) | Next::Fail(_)) => panic!("{next:?}"),
    };
    assert_eq!(next_rung(&ladder, &[(First, refusal(3, "f.x = 1"))]), Next::Try(BugHunter(1)));
    let again = [(First, refusal(3, "f.x = 1")), (BugHunter(1), refusal(9, "f.x = 1"))];
    assert_eq!(
        question(&again),
        "refused twice for the same reason: rules: a.py:9: replaces an attribute of a foreign object [patches]: `f.x = 1`"
    );
    let between =
        [(First, refusal(3, "f.x = 1")), (BugHunter(1), red("t")), (BugHunter(2), refusal(3, "f.x = 1"))];
    assert!(question(&between).starts_with("refused twice for the same reason"));
    let other = [(First, refusal(3, "f.x = 1")), (BugHunter(1), refusal(3, "f.y = 1"))];
    assert_eq!(next_rung(&ladder, &other), Next::Try(BugHunter(2)));

    let words = Failure::OnlyWords { stance: Stance::Remark, words: "it has to be set".into() };
    for left_alone in [Failure::NoChange, words] {
        let asked = question(&[(First, refusal(3, "f.x = 1")), (BugHunter(1), left_alone.clone())]);
        assert!(
            asked.contains("a.py:3:") && asked.contains("`patches = \"warning\"` in `[verify.rules]`"),
            "{asked}"
        );
        assert!(asked.contains(&left_alone.summary()), "{asked}");
    }
    let blind = |was: &str| Failure::NoBite {
        test: "t".into(),
        place: "t.py:1".into(),
        was: was.into(),
        now: "2".into(),
        sign: BlindSign::AnyValue,
        excerpt: String::new(),
    };
    assert!(question(&[(First, blind("1")), (BugHunter(1), blind("7"))]).starts_with("refused twice"));
    // Another attempt from the start that changes nothing says nothing of the line.
    let anew = [(First, refusal(3, "f.x = 1")), (SameAgent(1), Failure::NoChange)];
    assert!(matches!(next_rung(&ladder, &anew), Next::Try(_)));
}

/// The test-writer gets the proof once. The same words again are for a person.
#[test]
fn tests_that_fail_again_for_the_same_wrong_reason_are_a_question() {
    let wrong = |reason: &str| Failure::WrongRed {
        reason: reason.into(),
        by_plan: false,
        environment: false,
        skipped: false,
    };
    let ladder = Ladder::default();
    let twice = [(Rung::First, wrong("a")), (Rung::SameAgent(1), wrong("a"))];
    assert!(matches!(next_rung(&ladder, &twice), Next::Ask(_)));
    let other = [(Rung::First, wrong("a")), (Rung::SameAgent(1), wrong("b"))];
    assert_eq!(next_rung(&ladder, &other), Next::Try(Rung::SameAgent(2)));
}

/// Tests of an agent that pass before the work cost two attempts, whatever came between them.
#[test]
fn tests_that_pass_already_are_asked_for_again_once() {
    let passing = || Failure::NotRed {
        reason: "the tests pass already".into(),
        by_plan: false,
        passing: true,
        without_tests: false,
    };
    assert_eq!(walk(&Ladder::default(), |_| passing()).len(), 2);
    let between = |n: usize| if n == 1 { Failure::NoChange } else { passing() };
    assert_eq!(walk(&Ladder::default(), between).len(), 3);
}
