//! What follows a failed attempt: the rungs in their order, what each starts from, and what costs no attempt.

use windlass_core::event::{Event, Role, RunEnd, RunEvent, TaskEvent};
use windlass_core::failure::Failure;
use windlass_core::plan::Tier;
use windlass_core::policy::Ladder;
use windlass_core::state::TaskState;
use windlass_engine::config::AgentSpec;

use crate::bench::{Bench, shell_task};
use crate::seen::{HONEST, WRONG, attempts, blocks, failure_kinds, failures, no_rungs, strict};

fn bench(agent: &str, ladder: Ladder) -> Bench {
    let mut bench = Bench::new(vec![shell_task("a", &[])]).agent(agent);
    bench.config.settings.ladder = ladder;
    bench
}

#[test]
fn the_rungs_follow_each_other_and_what_changes_nothing_cuts_them_short() {
    let full = Ladder { identical: 0, rounds_without_progress: 0, ..Ladder::default() };
    let two_rounds = Ladder { rounds_without_progress: 2, ..Ladder::default() };
    let table: [(&str, &str, Ladder, &[&str]); 6] = [
        (
            "every rung is used as often as the ladder allows",
            WRONG,
            full.clone(),
            &[
                "first try",
                "bug-hunter 1",
                "bug-hunter 2",
                "bug-hunter 3",
                "same agent again 1",
                "same agent again 2",
                "fresh agent 1",
                "one tier up 1",
            ],
        ),
        (
            "three identical verdicts end a rung, and the first try is not the bug-hunter's",
            WRONG,
            Ladder::default(),
            &[
                "first try",
                "bug-hunter 1",
                "bug-hunter 2",
                "bug-hunter 3",
                "same agent again 1",
                "fresh agent 1",
                "one tier up 1",
            ],
        ),
        (
            "a turn without a verdict leaves nothing for a bug-hunter",
            "true",
            full,
            &["first try", "same agent again 1", "same agent again 2", "fresh agent 1", "one tier up 1"],
        ),
        (
            "kinds of rung that change nothing end the ladder",
            "true",
            two_rounds,
            &["first try", "same agent again 1", "same agent again 2", "fresh agent 1"],
        ),
        ("without rungs one attempt is all", WRONG, no_rungs(), &["first try"]),
        (
            "a rung that is switched off is passed over",
            WRONG,
            Ladder { fresh_agent: 1, ..no_rungs() },
            &["first try", "fresh agent 1"],
        ),
    ];
    for (rule, agent, ladder, expected) in table {
        let bench = bench(agent, ladder);
        let (end, events) = bench.run();
        let expected: Vec<String> = expected.iter().map(|rung| format!("{rung} by it")).collect();
        assert_eq!(attempts(&events), expected, "{rule}");
        assert_eq!((end, bench.state("a")), (RunEnd::Stuck, TaskState::Failed), "{rule}");
        assert!(bench.subjects().is_empty(), "{rule}");
    }
}

#[test]
fn a_question_to_a_person_ends_the_ladder_at_once() {
    let contradiction = r#"echo '{"status":"blocked","reason":"4 or 5?"}' > $WINDLASS_RESULT"#;
    let no_permission = r#"echo '{"status":"blocked","needs_files":["../x"]}' > $WINDLASS_RESULT"#;
    for (agent, kind) in [(contradiction, "spec-contradiction"), (no_permission, "needs-files")] {
        let bench = bench(agent, Ladder::default());
        let (_, events) = bench.run();
        assert_eq!(failure_kinds(&events), [kind]);
        assert_eq!(attempts(&events).len(), 1, "{kind}");
        assert_eq!(blocks(&events).len(), 1, "{kind}");
        assert_eq!(bench.state("a"), TaskState::Blocked, "{kind}");
    }
}

#[test]
fn a_bug_hunter_goes_on_with_the_failed_tree_and_every_other_rung_starts_from_red() {
    let agent = r#"if [ -e "$HOME/again" ]; then
            if [ -e a.sh ]; then echo there; else echo gone; fi > "$HOME/saw"
            test -e tests/a_test.sh && echo tests >> "$HOME/saw"
            echo "$WINDLASS_STEP" >> "$HOME/saw"
            echo "echo a" > a.sh
        else touch "$HOME/again"; echo "echo wrong" > a.sh; fi"#;
    let table = [
        (Ladder { bug_hunter: 1, ..no_rungs() }, "there\ntests\nfix\n"),
        (Ladder { same_agent: 1, ..no_rungs() }, "gone\ntests\nimplement\n"),
        (Ladder { fresh_agent: 1, ..no_rungs() }, "gone\ntests\nimplement\n"),
        (Ladder { tier_up: 1, ..no_rungs() }, "gone\ntests\nimplement\n"),
    ];
    for (ladder, expected) in table {
        let bench = bench(agent, ladder.clone());
        assert_eq!(bench.run().0, RunEnd::Completed, "{ladder:?}");
        let saw = std::fs::read_to_string(bench.path("home/saw")).unwrap();
        assert_eq!(saw, expected, "{ladder:?}");
    }
}

#[test]
fn one_tier_up_is_the_agent_of_the_next_tier_and_a_bug_hunter_may_have_its_own() {
    let with = |name: &str, command: &str, bench: &mut Bench| {
        let spec = AgentSpec::parse(&format!("cmd:{command}")).unwrap();
        bench.config.agents.insert(name.into(), spec);
    };
    let mut up = bench(WRONG, Ladder { tier_up: 1, ..no_rungs() });
    with("big", HONEST, &mut up);
    up.config.settings.agents.insert(Tier::Large, "big".into());
    let (end, events) = up.run();
    assert_eq!(end, RunEnd::Completed);
    assert_eq!(attempts(&events), ["first try by it", "one tier up 1 by big"]);

    let mut hunted = bench(WRONG, Ladder { bug_hunter: 1, ..no_rungs() });
    with("hunter", HONEST, &mut hunted);
    hunted.config.settings.team.insert(Role::BugHunter, "hunter".into());
    let (end, events) = hunted.run();
    assert_eq!(end, RunEnd::Completed);
    assert_eq!(attempts(&events), ["first try by it", "bug-hunter 1 by hunter"]);
    let roles: Vec<Role> = events
        .iter()
        .filter_map(|e| match e {
            Event::Task { event: TaskEvent::TurnEnded(turn), .. } => Some(turn.role),
            _ => None,
        })
        .collect();
    assert_eq!(roles, [Role::Implementer, Role::BugHunter]);
}

#[test]
fn an_outage_pauses_the_agent_and_costs_no_attempt() {
    let limited = r#"echo '{"status":"rate_limited","retry_after_seconds":1}' > $WINDLASS_RESULT; exit 1"#;
    for (refusal, told) in [("exit 75", "rate limit"), (limited, "rate limit; it asks for 1 s")] {
        let agent =
            format!(r#"[ -e "$HOME/again" ] || {{ touch "$HOME/again"; {refusal}; }}; echo "echo a" > a.sh"#);
        let mut bench = strict(Bench::new(vec![shell_task("a", &[])]).agent(&agent));
        bench.config.settings.governor.rest_seconds = 1;
        let (end, events) = bench.run();
        assert_eq!(end, RunEnd::Completed, "{refusal}: {:?}", failures(&events));
        let rests: Vec<&str> = events
            .iter()
            .filter_map(|e| match e {
                Event::Run(RunEvent::AgentPaused { agent, reason, .. }) => {
                    assert_eq!(agent, "it");
                    Some(reason.as_str())
                }
                _ => None,
            })
            .collect();
        assert_eq!(rests, [told], "{refusal}");
        assert_eq!(attempts(&events), ["first try by it"; 2], "{refusal}: the first attempt is still due");
        assert!(matches!(failures(&events).as_slice(), [Failure::RateLimited { .. }]), "{refusal}");
    }
}

#[test]
fn a_temporary_failure_counts_only_where_the_agent_says_nothing_else() {
    let table = [
        (r#"echo '{"status":"blocked","reason":"?"}' > $WINDLASS_RESULT; exit 75"#, "spec-contradiction"),
        ("echo nonsense > $WINDLASS_RESULT; exit 75", "agent-error"),
        ("exit 74", "agent-error"),
    ];
    for (agent, kind) in table {
        let bench = strict(Bench::new(vec![shell_task("a", &[])]).agent(agent));
        assert_eq!(failure_kinds(&bench.run().1), [kind], "{agent}");
    }
}

#[test]
fn a_spent_budget_ends_the_run_before_the_next_task() {
    let agent = format!(
        "{HONEST}\necho '{{\"usage\":{{\"input_tokens\":90,\"output_tokens\":20}}}}' > $WINDLASS_RESULT"
    );
    for (budget, end, subjects) in [
        (100, RunEnd::BudgetSpent, vec!["a: Say a"]),
        (1000, RunEnd::Completed, vec!["a: Say a", "b: Say b"]),
    ] {
        let mut bench = Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"])]).agent(&agent);
        bench.config.settings.max_tokens = Some(budget);
        assert_eq!(bench.run().0, end, "{budget}");
        assert_eq!(bench.subjects(), subjects, "{budget}");
    }
}

#[test]
fn a_failed_task_skips_what_needs_it_and_nothing_else() {
    let agent = format!(r#"[ "$WINDLASS_TASK" = a ] && exit 3; {HONEST}"#);
    let tasks =
        vec![shell_task("a", &[]), shell_task("b", &["a"]), shell_task("c", &["b"]), shell_task("d", &[])];
    let bench = strict(Bench::new(tasks).agent(&agent));
    assert_eq!(bench.run().0, RunEnd::Stuck);
    let states = ["a", "b", "c", "d"].map(|task| bench.state(task));
    assert_eq!(states, [TaskState::Failed, TaskState::Skipped, TaskState::Skipped, TaskState::Completed]);
}
