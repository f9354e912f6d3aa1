//! Reads what a run did from its events, and leaves wishes for it.

use windlass_core::event::{AttemptEnd, BlockReason, Event, RunEvent, TaskEvent};
use windlass_core::failure::{Failure, Gate};
use windlass_core::policy::Ladder;
use windlass_core::wish::Wish;
use windlass_engine::integrate::Evidence;
use windlass_engine::requests::Requests;

use crate::bench::Bench;

/// Writes the script that its task is about.
pub(crate) const HONEST: &str = r#"echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh""#;

/// Writes a script that is wrong and different in every turn, so that no turn ends as "no change".
pub(crate) const WRONG: &str = r#"echo "echo wrong # $(date +%s%N)" > "$WINDLASS_TASK.sh""#;

/// A ladder without any rung above the first attempt.
pub(crate) fn no_rungs() -> Ladder {
    Ladder { bug_hunter: 0, same_agent: 0, fresh_agent: 0, tier_up: 0, ..Ladder::default() }
}

/// The bench with a single attempt per task.
pub(crate) fn strict(mut bench: Bench) -> Bench {
    bench.config.settings.ladder = no_rungs();
    bench
}

/// What each failed attempt failed with, in order.
pub(crate) fn failures(events: &[Event]) -> Vec<Failure> {
    let failed = |e: &Event| match e {
        Event::Task {
            event: TaskEvent::AttemptEnded { end: AttemptEnd::Failed { failure }, .. }, ..
        } => Some(failure.clone()),
        _ => None,
    };
    events.iter().filter_map(failed).collect()
}

/// The kinds of the failures, in order.
pub(crate) fn failure_kinds(events: &[Event]) -> Vec<&'static str> {
    failures(events).iter().map(Failure::kind).collect()
}

/// The gate that refused the only failed attempt.
pub(crate) fn refusing_gate(events: &[Event]) -> Option<Gate> {
    match failures(events).as_slice() {
        [Failure::TestsFailed { gate, .. }] => Some(*gate),
        _ => None,
    }
}

/// The findings about tasks, in order.
pub(crate) fn findings(events: &[Event]) -> Vec<String> {
    let told = |e: &Event| match e {
        Event::Task { event: TaskEvent::Finding { message }, .. } => Some(message.clone()),
        Event::Task { event: TaskEvent::ChangesLeftOut { left_out, .. }, .. } => Some(left_out.words()),
        _ => None,
    };
    events.iter().filter_map(told).collect()
}

/// The findings about the run, in order.
pub(crate) fn run_findings(events: &[Event]) -> Vec<String> {
    let told = |e: &Event| match e {
        Event::Run(RunEvent::Finding { message }) => Some(message.clone()),
        _ => None,
    };
    events.iter().filter_map(told).collect()
}

/// Each attempt that began as "rung by agent".
pub(crate) fn attempts(events: &[Event]) -> Vec<String> {
    let began = |e: &Event| match e {
        Event::Task { event: TaskEvent::AttemptStarted(s), .. } => {
            Some(format!("{} by {}", s.rung.label(), s.agent))
        }
        _ => None,
    };
    events.iter().filter_map(began).collect()
}

/// Why tasks were blocked, in order.
pub(crate) fn blocks(events: &[Event]) -> Vec<BlockReason> {
    let blocked = |e: &Event| match e {
        Event::Task { event: TaskEvent::TaskBlocked { block }, .. } => Some(block.clone()),
        _ => None,
    };
    events.iter().filter_map(blocked).collect()
}

/// The position of the first event that fits.
pub(crate) fn position(events: &[Event], fits: impl Fn(&Event) -> bool) -> Option<usize> {
    events.iter().position(fits)
}

/// Whether an attempt of this task begins with the event.
pub(crate) fn begins(event: &Event, task: &str) -> bool {
    matches!(event, Event::Task { task: of, event: TaskEvent::AttemptStarted(_) } if of.as_str() == task)
}

/// The requests of the bench's plan.
pub(crate) fn requests(bench: &Bench) -> Requests {
    let request = bench.request();
    Requests::open(&request.paths.plan(&request.name).requests()).unwrap()
}

/// Leaves a wish for the bench's plan.
pub(crate) fn leave(bench: &Bench, wish: &Wish) {
    requests(bench).submit("now", &wish.to_json().unwrap()).unwrap();
}

/// Writes files in the user's checkout and commits them.
pub(crate) fn commit(bench: &Bench, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = bench.path("repo").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    bench.git(&["add", "-A"]);
    bench.git(&["commit", "-qm", "more files"]);
}

/// The evidence of the branch's last commit.
pub(crate) fn evidence(bench: &Bench) -> Evidence {
    let key = "--format=%(trailers:key=Windlass-Evidence,valueonly)";
    let blob = bench.git(&["log", "-1", key, "windlass/demo"]);
    serde_json::from_str(&bench.git(&["cat-file", "blob", blob.trim()])).unwrap()
}
