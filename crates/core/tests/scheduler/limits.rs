//! What bounds the start of work: jobs, pools, order, pauses, providers.

use windlass_core::event::{Event, RunEvent};
use windlass_core::ids::TaskId;

use super::story::{Story, id};

#[test]
fn jobs_bound_attempts_and_verifications_together() {
    Story::new(2, "a\nb\nc").play(
        "? start a (first try); start b (first try)
         start a
         ? start b (first try)
         start b
         ? -
         candidate a
         ? verify a onto 0
         verify a onto 0 as 1
         ? -
         green a
         ? merge a; start c (first try)",
    );
}

#[test]
fn a_full_pool_holds_up_its_own_tasks_only() {
    Story::new(4, "a @db\nb @db\nc").play(
        "? start a (first try); start c (first try)
         start a
         ? start c (first try)
         candidate a
         ? verify a onto 0; start b (first try); start c (first try)",
    );
}

#[test]
fn the_longest_chain_goes_first() {
    Story::new(1, "a %1\nb %5\nc %3").play(
        "? start b (first try)
         start b
         candidate b
         verify b onto 0 as 1
         green b
         ? merge b; start c (first try)",
    );
}

#[test]
fn an_order_of_the_integrator_goes_before_the_longest_chain() {
    let mut story = Story::new(1, "a %1\nb %5\nc %3");
    let formed = |edges: Vec<(TaskId, TaskId)>| {
        Event::Run(RunEvent::QueueFormed {
            hash: "h".into(),
            queue: vec![id("c"), id("a")],
            edges,
            conflicts: Vec::new(),
        })
    };
    story.tell(formed(Vec::new())).unwrap();
    story.play("? start c (first try)");
    story.tell(formed(vec![(id("a"), id("c"))])).unwrap();
    story.play("? start a (first try)");
}

#[test]
fn an_order_for_another_plan_is_ignored() {
    let mut story = Story::new(1, "a\nb");
    let queue = vec![id("b")];
    let hash = "another".into();
    story
        .tell(Event::Run(RunEvent::QueueFormed { hash, queue, edges: Vec::new(), conflicts: Vec::new() }))
        .unwrap();
    story.play("? start a (first try)");
}

#[test]
fn a_pause_lets_running_work_end_and_starts_none() {
    Story::new(2, "a\nb: a").play(
        "start a
         pause
         candidate a
         ? verify a onto 0
         verify a onto 0 as 1
         green a
         ? merge a
         merge a as 2
         ? -
         resume
         ? start b (first try)",
    );
}

#[test]
fn a_paused_provider_costs_no_attempt() {
    let mut story = Story::new(2, "a");
    story.play(
        "start a
         rest mechanical until 500
         fail a limited
         ? -",
    );
    assert_eq!(story.scheduler.wake_at(0), Some(500));
    story.play(
        "at 499
         ? -
         at 500
         ? start a (first try)",
    );
}

#[test]
fn a_stopped_run_ends_when_its_workers_have() {
    Story::new(2, "a\nb").play(
        "start a
         stop
         ? -
         interrupt a
         ? finish Interrupted",
    );
    Story::new(2, "a\nb").play(
        "start a
         cancel
         interrupt a
         ? finish Cancelled",
    );
}
