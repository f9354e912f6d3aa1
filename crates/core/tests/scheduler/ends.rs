//! How tasks end without a merge, and how people bring them back.

use windlass_core::policy::Settings;
use windlass_core::state::TaskState;

use super::story::{Story, id};

#[test]
fn each_failure_leads_to_its_command() {
    let table = [
        ("tests t", "start a (bug-hunter 1)"),
        ("rejected", "start a (bug-hunter 1)"),
        ("no-change", "start a (same agent again 1)"),
        ("conflict", "start a (same agent again 1)"),
        ("limited", "start a (first try)"),
        ("contradiction", "block a (agent)"),
        ("environment", "block a (agent)"),
        ("needs x", "block a (files)"),
        ("grave", "block a (escalated)"),
    ];
    for (failure, command) in table {
        let script = format!(
            "start a
             candidate a
             fail a {failure}
             ? {command}"
        );
        Story::new(1, "a").play(&script);
    }
}

#[test]
fn an_interrupted_or_lost_attempt_is_repeated_on_its_rung() {
    for end in ["interrupt", "lose"] {
        let script = format!(
            "start a
             candidate a
             fail a tests t
             start a hunter 1
             {end} a
             ? start a (bug-hunter 1)"
        );
        Story::new(1, "a").play(&script);
    }
}

#[test]
fn a_used_up_ladder_fails_the_task_and_skips_its_dependants() {
    let mut story = Story::new(1, "a\nb: a\nc: b\nd");
    story.play(
        "start a
         fail a no-change
         start a same 1
         fail a no-change
         start a same 2
         fail a no-change
         start a fresh 1
         fail a no-change
         start a up 1
         fail a no-change
         ? fail a; start d (first try)
         failed a
         ? skip b because a; start d (first try)
         skipped b because a
         ? skip c because b; start d (first try)
         skipped c because b
         start d
         candidate d
         verify d onto 0 as 1
         green d
         merge d as 2
         ? finish Stuck",
    );
    assert_eq!(story.scheduler.brought_back_by(&id("a")), [id("a"), id("b"), id("c")]);
    assert_eq!(story.scheduler.brought_back_by(&id("c")), [id("c")]);
    story.play(
        "reset a
         reset b
         reset c
         ? start a (first try)",
    );
}

#[test]
fn a_severe_rejection_holds_up_everything_new() {
    Story::new(2, "a\nb").play(
        "start a
         candidate a
         fail a grave
         ? block a (escalated)
         blocked a
         ? finish Stuck
         skipped a
         ? start b (first try)",
    );
}

#[test]
fn tasks_that_are_rejected_because_of_each_other_are_a_question() {
    Story::new(2, "a\nb").play(
        "start a
         start b
         candidate a
         fail a rejected against b
         start a hunter 1
         candidate a
         fail a rejected against b
         candidate b
         fail b rejected against a
         start b hunter 1
         candidate b
         fail b rejected against a
         ? block b (deadlock); start a (bug-hunter 2)",
    );
}

#[test]
fn a_task_that_needs_approval_waits_for_it_once() {
    let mut story = Story::new(1, "a !");
    story.play(
        "start a
         candidate a
         verify a onto 0 as 1
         green a
         ? block a (approval)
         blocked a
         ? finish Stuck",
    );
    assert!(story.scheduler.task(&id("a")).unwrap().can_be_approved());
    story.play(
        "approve a
         ? verify a onto 0
         verify a onto 0 as 2
         green a
         ? merge a
         merge a as 3
         ? finish Completed",
    );
}

#[test]
fn an_edited_plan_restarts_open_tasks_and_keeps_completed_ones() {
    let mut story = Story::new(1, "a\nb");
    story.play(
        "start a
         candidate a
         verify a onto 0 as 1
         green a
         merge a as 2
         start b
         candidate b
         fail b tests t
         ? start b (bug-hunter 1)",
    );
    story.seal("h2", "a %2\nb %2\nc");
    story.play("? start b (bug-hunter 1)");
    assert_eq!(story.scheduler.task(&id("a")).unwrap().state(), TaskState::Completed);
    assert_eq!(story.scheduler.tasks().len(), 3);
}

#[test]
fn a_budget_that_is_spent_starts_nothing_and_lets_work_end() {
    let settings = Settings { jobs: 1, max_tokens: Some(0), ..Settings::default() };
    let mut story = Story::of(settings, "a");
    story.play("? finish BudgetSpent");
    story.begin(Settings { jobs: 1, ..Settings::default() });
    story.play("? start a (first try)");
}
