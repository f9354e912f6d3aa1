//! A reviewer's verdict on a verified change, and what follows from it.

use windlass_core::event::{BlockReason, Event, Role, RunEnd, TaskEvent};
use windlass_core::state::TaskState;
use windlass_core::team::Verdict;
use windlass_engine::config::AgentSpec;

use crate::bench::{Bench, shell_task};
use crate::seen::{HONEST, attempts, blocks, failure_kinds, position, strict};

const APPROVED: &str = r#"echo '{"verdict":"APPROVED"}' > $WINDLASS_RESULT"#;

fn rejected(severity: &str) -> String {
    format!(
        r#"echo '{{"verdict":"REJECTED","issues":[{{"severity":"{severity}","criterion":"AC-1","message":"not polite"}}]}}' > $WINDLASS_RESULT"#
    )
}

fn reviewed(agent: &str, critic: &str) -> Bench {
    let mut bench = Bench::new(vec![shell_task("a", &[])]).agent(agent);
    let spec = AgentSpec::parse(&format!("cmd:{critic}")).unwrap();
    bench.config.agents.insert("critic".into(), spec);
    bench.config.settings.team.insert(Role::Reviewer, "critic".into());
    bench
}

fn verdicts(events: &[Event]) -> Vec<&'static str> {
    let word = |e: &Event| match e {
        Event::Task { event: TaskEvent::Reviewed { verdict, .. }, .. } => Some(match verdict {
            Verdict::Approved { .. } => "approved",
            Verdict::Rejected { .. } => "rejected",
            Verdict::Unknown { .. } => "unknown",
        }),
        _ => None,
    };
    events.iter().filter_map(word).collect()
}

#[test]
fn an_approved_change_is_merged_as_it_was_verified() {
    let critic = format!("grep -q 'echo a' a.sh || exit 9; echo hacked > a.sh; echo x > more; {APPROVED}");
    let bench = reviewed(HONEST, &critic);
    let (end, events) = bench.run();
    assert_eq!((end, verdicts(&events)), (RunEnd::Completed, vec!["approved"]));
    assert_eq!(bench.git(&["show", "windlass/demo:a.sh"]), "echo a", "a reviewer changes nothing");
    assert_eq!(bench.git(&["diff", "--name-only", "main", "windlass/demo"]), "a.sh\ntests/a_test.sh");
    let at = |fits: fn(&TaskEvent) -> bool| {
        position(&events, |e| matches!(e, Event::Task { event, .. } if fits(event))).unwrap()
    };
    let order = [
        at(|e| matches!(e, TaskEvent::Verified { .. })),
        at(|e| matches!(e, TaskEvent::ReviewStarted { .. })),
        at(|e| matches!(e, TaskEvent::Reviewed { .. })),
        at(|e| matches!(e, TaskEvent::Merged { .. })),
    ];
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn what_a_verdict_leads_to() {
    let grave_approval =
        r#"echo '{"verdict":"APPROVED","issues":[{"severity":"high","message":"m"}]}' > $WINDLASS_RESULT"#;
    let empty_rejection = r#"echo '{"verdict":"REJECTED"}' > $WINDLASS_RESULT"#;
    let high = rejected("high");
    let medium = rejected("medium");
    type VerdictRow<'a> = (&'a str, &'a str, &'a [&'a str], TaskState, &'a [&'a str]);
    let table: [VerdictRow<'_>; 7] = [
        ("approved", APPROVED, &["approved"], TaskState::Completed, &[]),
        ("rejected, and no rung is left", &medium, &["rejected"], TaskState::Failed, &["rejected"]),
        ("rejected gravely", &high, &["rejected"], TaskState::Blocked, &["rejected"]),
        ("no verdict, asked once more", "true", &["unknown"; 2], TaskState::Blocked, &[]),
        ("a reviewer that fails is no verdict", "exit 3", &["unknown"; 2], TaskState::Blocked, &[]),
        ("it approves a grave issue", grave_approval, &["unknown"; 2], TaskState::Blocked, &[]),
        ("it rejects without an issue", empty_rejection, &["unknown"; 2], TaskState::Blocked, &[]),
    ];
    for (what, critic, said, state, failed) in table {
        let bench = strict(reviewed(HONEST, critic));
        let (_, events) = bench.run();
        assert_eq!(verdicts(&events), said, "{what}");
        assert_eq!(bench.state("a"), state, "{what}");
        assert_eq!(failure_kinds(&events), failed, "{what}");
        assert_eq!(bench.subjects().len(), usize::from(state == TaskState::Completed), "{what}");
    }
}

#[test]
fn a_rejection_is_fixed_by_the_bug_hunter_and_reviewed_again() {
    let agent = r#"case $WINDLASS_STEP in
        implement) echo "echo a" > a.sh ;;
        fix) grep -q 'not polite' "$WINDLASS_BRIEF" && printf '# please\necho a\n' > a.sh ;;
    esac"#;
    let critic = format!("if grep -q please a.sh; then {APPROVED}; else {}; fi", rejected("medium"));
    let bench = reviewed(agent, &critic);
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed);
    assert_eq!(verdicts(&events), ["rejected", "approved"]);
    assert_eq!(attempts(&events), ["first try by it", "bug-hunter 1 by it"]);
    assert_eq!(bench.git(&["show", "windlass/demo:a.sh"]), "# please\necho a");
}

#[test]
fn the_same_rejection_three_times_is_a_deadlock() {
    let agent = r#"printf '# %s\necho a\n' "$(date +%s%N)" > a.sh"#;
    let bench = reviewed(agent, &rejected("medium"));
    let (_, events) = bench.run();
    assert_eq!(verdicts(&events), ["rejected"; 3]);
    assert_eq!(bench.state("a"), TaskState::Blocked);
    let blocks = blocks(&events);
    let [BlockReason::Deadlock { reason }] = blocks.as_slice() else { panic!("{events:?}") };
    assert!(reason.starts_with("the same rejection came 3 times"), "{reason}");
}

#[test]
fn a_reviewer_that_is_not_available_is_waited_for() {
    let critic = format!(r#"[ -e "$HOME/again" ] || {{ touch "$HOME/again"; exit 75; }}; {APPROVED}"#);
    let mut bench = strict(reviewed(HONEST, &critic));
    bench.config.settings.governor.rest_seconds = 1;
    let (end, events) = bench.run();
    assert_eq!((end, verdicts(&events)), (RunEnd::Completed, vec!["approved"]));
    assert_eq!(attempts(&events).len(), 1, "the work is not done again");
    let abandoned = |e: &Event| matches!(e, Event::Task { event: TaskEvent::ReviewAbandoned { .. }, .. });
    assert_eq!(events.iter().filter(|e| abandoned(e)).count(), 1);
}
