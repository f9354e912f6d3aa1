//! What a person sees of a run while it goes on: one line for everything that matters, in the order it happened.

use std::io::Write as _;

use windlass_core::event::{
    AttemptEnd, AttemptStarted, BlockReason, Event, PlanJudged, RedKind, RedReason, RedTests, RunEvent,
    RunStarted, Stamped, TaskEvent,
};
use windlass_core::failure::Failure;
use windlass_core::ids::TaskId;
use windlass_core::plan::Action;
use windlass_core::policy::Rung;
use windlass_core::team::Verdict;
use windlass_core::view::View;
use windlass_engine::Sink;

use crate::render::{Paint, Screen, counted, cut, time};

/// Lines for people.
pub(crate) struct ProgressLines {
    screen: Screen,
    started: Option<i64>,
}

impl ProgressLines {
    pub(crate) fn new(screen: Screen) -> Self {
        Self { screen, started: None }
    }

    fn say(&self, paint: Paint, mark: &str, task: Option<&TaskId>, text: &str) {
        let who = task.map(|t| format!("{t}  ")).unwrap_or_default();
        // A log is read later and elsewhere: only a terminal has a width.
        let room = if self.screen.terminal { self.screen.width.saturating_sub(3) } else { usize::MAX };
        let line = cut(&format!("{who}{}", text.lines().next().unwrap_or_default()), room);
        let line = format!("{} {line}\n", self.screen.paint(paint, mark));
        // A reader that went away does not stop a run.
        let _ = std::io::stdout().lock().write_all(line.as_bytes());
    }
}

impl Sink for ProgressLines {
    fn hear(&mut self, stamped: &Stamped, view: &View) {
        match &stamped.event {
            Event::Run(event) => self.hear_run(stamped.at, event),
            Event::Task { task, event } => self.hear_task(task, event, view),
        }
    }
}

impl ProgressLines {
    fn hear_run(&mut self, at: i64, event: &RunEvent) {
        match event {
            RunEvent::RunStarted(RunStarted { branch, tip, .. }) => {
                self.started = Some(at);
                self.say(Paint::Strong, "⚓", None, &format!("branch {branch} at {}", tip.short()));
            }
            RunEvent::AgentPaused { agent, reason, until } => {
                let rest = time(until - at);
                let text = format!("{agent} is paused for {rest}: {reason}; no try is used up");
                self.say(Paint::Warning, "‖", None, &text);
            }
            RunEvent::PlanJudged(PlanJudged { role, agent, verdict, .. }) => {
                let text = format!("{} {agent}: {}", role.as_str(), verdict_words(verdict));
                self.say(paint_of(verdict), "◆", None, &text);
            }
            RunEvent::QueueFormed { edges, conflicts, .. } => {
                let (found, ordered) = (counted(conflicts.len(), "conflict"), counted(edges.len(), "edge"));
                let text = format!("{found} between tasks, {ordered} put into their order");
                self.say(Paint::Note, "◆", None, &text);
            }
            RunEvent::MergingPaused { reason } => {
                self.say(Paint::Warning, "‖", None, &format!("merging is paused: {reason}"));
            }
            RunEvent::Paused => self.say(Paint::Warning, "‖", None, "paused; `windlass resume` goes on"),
            RunEvent::Resumed => self.say(Paint::Good, "▶", None, "resumed"),
            RunEvent::MergingResumed => self.say(Paint::Good, "▶", None, "merging goes on"),
            RunEvent::StopRequested { .. } => {
                self.say(Paint::Warning, "■", None, "stopping; nothing is lost");
            }
            RunEvent::TipMoved { tip } => {
                let text = format!("the branch moved to {}; what waits is verified again on it", tip.short());
                self.say(Paint::Warning, "!", None, &text);
            }
            RunEvent::Finding { message } => self.say(Paint::Note, "!", None, message),
            RunEvent::PlanSealed { .. } | RunEvent::RunEnded { .. } => {}
        }
    }

    fn hear_task(&mut self, task: &TaskId, event: &TaskEvent, view: &View) {
        let id = Some(task);
        match event {
            TaskEvent::AttemptStarted(AttemptStarted { rung, agent, base, .. }) => {
                let who = if *rung == Rung::First { String::new() } else { format!("{}, ", rung.label()) };
                self.say(Paint::Busy, "▶", id, &format!("{who}by {agent} from {}", base.short()));
            }
            TaskEvent::TestsFrozen { red, tests, seen, .. } => {
                self.say(Paint::Error, "●", id, &format!("red: {}", red_words(*red, tests, seen)));
            }
            TaskEvent::CandidateMade { added, removed, .. } => {
                let text = format!("candidate with +{added} −{removed} lines, to be verified on the merge");
                self.say(Paint::Faint, "·", id, &text);
            }
            TaskEvent::Verified { tree, .. } => {
                self.say(Paint::Good, "●", id, &format!("green on tree {}", tree.short()));
            }
            TaskEvent::Merged { commit, .. } => {
                let title = id.and_then(|t| view.task(t.as_str())).map_or("", |t| t.title.as_str());
                self.say(Paint::Good, "✔", id, &format!("merged as {}: {title}", commit.short()));
            }
            TaskEvent::AttemptEnded { end, .. } => self.say_end(id, end),
            TaskEvent::TaskFailed { reason, .. } => {
                self.say(Paint::Error, "✘", id, &format!("failed: {reason}"));
            }
            TaskEvent::TaskBlocked { block, .. } => {
                self.say(Paint::Warning, "?", id, &block_words(block, id));
            }
            TaskEvent::TaskSkipped { because, .. } => {
                let why = because.as_ref().map_or("as you wished".into(), |b| format!("because of {b}"));
                self.say(Paint::Warning, "↷", id, &format!("skipped {why}"));
            }
            TaskEvent::Heartbeat { bytes, .. } => {
                let step = id.and_then(|t| view.task(t.as_str())).and_then(|t| t.steps.running());
                let what = step.map_or("working", |s| s.action.as_str());
                self.say(Paint::Faint, "…", id, &format!("{what}, {} KiB of output so far", bytes / 1024));
            }
            TaskEvent::StepStarted { action: Action::WriteTest, .. } => {
                self.say(Paint::Faint, "·", id, "tests first");
            }
            TaskEvent::Reviewed { verdict, .. } => self.say_verdict(id, verdict),
            TaskEvent::Finding { message, .. } => self.say(Paint::Note, "!", id, message),
            TaskEvent::TaskReset => self.say(Paint::Note, "↺", id, "from the start"),
            TaskEvent::Approved => self.say(Paint::Good, "✔", id, "approved"),
            TaskEvent::FilesGranted { files, .. } => {
                self.say(Paint::Note, "+", id, &format!("granted {}", files.join(", ")));
            }
            TaskEvent::VerifyAbandoned { .. } => {
                self.say(Paint::Faint, "·", id, "the ground moved: verified again");
            }
            TaskEvent::ProcessStarted { .. }
            | TaskEvent::StepStarted { .. }
            | TaskEvent::StepEnded { .. }
            | TaskEvent::TurnEnded(_)
            | TaskEvent::VerifyIntended { .. }
            | TaskEvent::VerifyStarted { .. }
            | TaskEvent::ReviewStarted { .. }
            | TaskEvent::ReviewAbandoned { .. }
            | TaskEvent::MergeIntended { .. } => {}
        }
    }

    fn say_verdict(&self, id: Option<&TaskId>, verdict: &Verdict) {
        self.say(paint_of(verdict), "◆", id, &format!("review: {}", verdict_words(verdict)));
    }

    fn say_end(&self, id: Option<&TaskId>, end: &AttemptEnd) {
        match end {
            // The pause was reported once for all tasks that wait for it.
            AttemptEnd::Failed { failure: Failure::RateLimited { .. } } => {}
            AttemptEnd::Failed { failure } => self.say(Paint::Error, "✘", id, &failure.summary()),
            AttemptEnd::Interrupted => self.say(Paint::Warning, "■", id, "interrupted; goes on next time"),
            AttemptEnd::Lost => self.say(Paint::Warning, "■", id, "was lost with the program; goes on"),
        }
    }
}

fn paint_of(verdict: &Verdict) -> Paint {
    match verdict {
        Verdict::Approved { .. } => Paint::Good,
        Verdict::Rejected { .. } => Paint::Error,
        Verdict::Unknown { .. } => Paint::Warning,
    }
}

fn verdict_words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Unknown { reason } => format!("no verdict: {reason}"),
        Verdict::Approved { issues } | Verdict::Rejected { issues } => {
            let lines: Vec<String> = issues.iter().map(windlass_core::team::Issue::line).collect();
            let tail = if lines.is_empty() { String::new() } else { format!(": {}", lines.join("; ")) };
            format!("{}{tail}", verdict.as_str())
        }
    }
}

/// How red was seen, by the tests that were red: one that stood in the file before and passes is none of them.
fn red_words(red: RedKind, tests: &[String], seen: &RedTests) -> String {
    let passed = |test: &&String| seen.get(*test).is_some_and(|test| test.reason == RedReason::Passed);
    let named: Vec<&str> = tests.iter().filter(|test| !passed(test)).map(String::as_str).collect();
    match red {
        RedKind::Assertion => format!("the tests fail as they should: {}", named.join(", ")),
        RedKind::MissingCode => format!("the tests wait for code: {}", named.join(", ")),
        RedKind::ExitCode => "the check fails as it should (by exit code)".into(),
    }
}

fn block_words(block: &BlockReason, id: Option<&TaskId>) -> String {
    let id = id.map_or("", TaskId::as_str);
    match block {
        BlockReason::AgentBlocked { reason } => format!("needs you: {reason} (then `windlass retry {id}`)"),
        BlockReason::NeedsFiles { files } => {
            let files: Vec<String> = files.iter().map(|(f, why)| format!("{f}: {why}")).collect();
            format!("needs you: it wants files it may not have: {}", files.join(", "))
        }
        BlockReason::AwaitingApproval => format!("verified; waits for `windlass approve {id}`"),
        BlockReason::Deadlock { reason } => {
            format!("needs you: {reason} (`windlass show {id}`, then `approve`, `retry` or `skip`)")
        }
        BlockReason::Escalated { reason } => {
            format!(
                "needs you, and nothing new begins until then: {reason} (`retry`, `approve` or `skip` {id})"
            )
        }
        BlockReason::NoVerdict { reason } => {
            format!("green, but the reviewer gave no verdict: {reason} (`windlass approve {id}` or `retry`)")
        }
        BlockReason::Unordered { with, reason } => {
            let with: Vec<&str> = with.iter().map(TaskId::as_str).collect();
            format!(
                "needs you: in conflict with {}: {reason} (say in the plan which comes first)",
                with.join(", ")
            )
        }
    }
}

/// Events as JSON, one per line.
pub(crate) struct JsonLines;

impl Sink for JsonLines {
    fn hear(&mut self, stamped: &Stamped, _: &View) {
        if let Ok(mut line) = serde_json::to_string(stamped) {
            line.push('\n');
            let _ = std::io::stdout().lock().write_all(line.as_bytes());
        }
    }
}
