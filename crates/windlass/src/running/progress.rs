//! What a person sees of a run while it goes on: one line for everything that matters, in the order it happened.

use std::collections::HashMap;
use std::io::Write as _;

use windlass_core::event::{
    AttemptEnd, AttemptStarted, BlockReason, Event, HeldTests, PlanJudged, RedKind, RedReason, RedTests,
    RunEvent, RunStarted, Stamped, TaskEvent, TurnProgress,
};
use windlass_core::failure::Failure;
use windlass_core::ids::TaskId;
use windlass_core::plan::Action;
use windlass_core::policy::Rung;
use windlass_core::team::Verdict;
use windlass_core::view::{View, agent_at, agent_shown};
use windlass_engine::Sink;

use crate::render::{Paint, Screen, counted, cut, dollars, short_number, time, with_strip};
use crate::world::World;

/// Lines for people, as they happen.
pub(crate) struct ProgressLines {
    words: ProgressWords,
    world: World,
}

impl ProgressLines {
    pub(crate) fn new(world: &World) -> Self {
        Self { words: ProgressWords::new(world.out), world: world.clone() }
    }
}

impl Sink for ProgressLines {
    fn on_event(&mut self, stamped: &Stamped, view: &View) {
        let text = self.words.of(stamped, view);
        // A reader that went away does not stop a run.
        let _ = std::io::stdout().lock().write_all(self.world.legible(&text).as_bytes());
    }
}

/// The words for what happens.
pub(crate) struct ProgressWords {
    screen: Screen,
    said: String,
    /// What was last said of each attempt at work.
    beats: HashMap<TaskId, LastBeat>,
}

/// What was last said of an attempt at work.
struct LastBeat {
    step: String,
    progress: TurnProgress,
}

impl ProgressWords {
    pub(crate) fn new(screen: Screen) -> Self {
        Self { screen, said: String::new(), beats: HashMap::new() }
    }

    /// The lines for an event; empty for most of them.
    pub(crate) fn of(&mut self, stamped: &Stamped, view: &View) -> String {
        match &stamped.event {
            Event::Run(event) => self.hear_run(stamped.at, event),
            Event::Task { task, event } => self.hear_task(task, event, view),
        }
        std::mem::take(&mut self.said)
    }

    fn say(&mut self, paint: Paint, mark: &str, task: Option<&TaskId>, text: &str) {
        let who = task.map(|t| format!("{t}  ")).unwrap_or_default();
        // A log is read later and elsewhere: only a terminal has a width.
        let room = if self.screen.terminal { self.screen.width.saturating_sub(3) } else { usize::MAX };
        let line = cut(&format!("{who}{}", text.lines().next().unwrap_or_default()), room);
        self.said.push_str(&format!("{} {line}\n", self.screen.paint(paint, mark)));
    }
}

impl ProgressWords {
    fn hear_run(&mut self, at: i64, event: &RunEvent) {
        match event {
            RunEvent::RunStarted(RunStarted { branch, tip, .. }) => {
                self.say(Paint::Strong, "⚓", None, &format!("branch {branch} at {}", tip.short()));
            }
            RunEvent::AgentPaused { agent, reason, until } => {
                let rest = time(until - at);
                let text =
                    format!("{} is paused for {rest}: {reason}; no attempt is used up", agent_shown(agent));
                self.say(Paint::Warning, "‖", None, &text);
            }
            RunEvent::PlaceLost { place, reason, until } => {
                let rest =
                    until.map(|until| format!("; it rests for {}", time(until - at))).unwrap_or_default();
                let text = format!("place {place} was lost: {reason}; no attempt is used up{rest}");
                self.say(Paint::Warning, "‖", None, &text);
            }
            RunEvent::ProviderStopped { provider, reason } => {
                let text = format!(
                    "{} is stopped: {reason}; no attempt is used up (then `windlass retry --blocked`)",
                    agent_shown(provider)
                );
                self.say(Paint::Error, "‖", None, &text);
            }
            RunEvent::ProviderResumed { provider } => {
                self.say(Paint::Good, "▶", None, &format!("{} is asked again", agent_shown(provider)));
            }
            RunEvent::BudgetSpent { reason } => self.say(Paint::Warning, "‖", None, reason),
            RunEvent::ClosingFailed { tip, summary, .. } => {
                let text = format!("the closing run on {} failed: {summary}", tip.short());
                self.say(Paint::Error, "✘", None, &text);
            }
            RunEvent::PlanJudged(PlanJudged { role, agent, verdict, .. }) => {
                let text = format!("{} {}: {}", role.as_str(), agent_shown(agent), verdict_words(verdict));
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
            RunEvent::Synced(synced) => {
                let text = format!("`{}` is in the branch by a verified merge", synced.branch);
                self.say(Paint::Good, "✔", None, &text);
            }
            RunEvent::Finding { message } => self.say(Paint::Note, "!", None, message),
            RunEvent::PlanSealed { .. } | RunEvent::RunEnded { .. } | RunEvent::SyncIntended(_) => {}
        }
    }

    fn hear_task(&mut self, task: &TaskId, event: &TaskEvent, view: &View) {
        let id = Some(task);
        match event {
            TaskEvent::AttemptStarted(started) => self.say_start(id, started),
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
            TaskEvent::AttemptEnded { end, .. } => self.say_end(id, end, view),
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
            TaskEvent::TaskCancelled => {
                self.say(Paint::Warning, "↷", id, "cancelled as you wished; the next run continues it");
            }
            TaskEvent::Heartbeat { bytes, progress, .. } => {
                let step = view.task(task.as_str()).map_or_else(|| "working".to_owned(), with_strip);
                self.say_beat(task, &step, *bytes, progress.as_ref());
            }
            TaskEvent::StepStarted { action: Action::WriteTest, .. } => {
                self.say(Paint::Faint, "·", id, "tests first");
            }
            TaskEvent::Reviewed { verdict, .. } => self.say_verdict(id, verdict),
            TaskEvent::Finding { message, .. } => self.say(Paint::Note, "!", id, message),
            TaskEvent::ChangesLeftOut { left_out, .. } => {
                self.say(Paint::Note, "!", id, &left_out.words());
            }
            TaskEvent::TestsHeld { held, .. } => {
                self.say(Paint::Good, "●", id, &held_words(held));
            }
            TaskEvent::TestsTried { mutants, .. } => {
                let noticed = mutants.iter().filter(|m| !m.failed.is_empty()).count();
                let text =
                    format!("its tests notice {noticed} of {}", counted(mutants.len(), "wrong version"));
                self.say(Paint::Note, "·", id, &text);
            }
            TaskEvent::TaskReopened { because } => {
                self.say(Paint::Note, "↺", id, &format!("reopened: {because}"));
            }
            TaskEvent::TaskReset => self.say(Paint::Note, "↺", id, "from the start"),
            TaskEvent::Answered(_) => self.say(Paint::Good, "↺", id, "answered; it goes on with the answer"),
            TaskEvent::Approved => self.say(Paint::Good, "✔", id, "approved"),
            TaskEvent::FilesGranted { files, .. } => {
                self.say(Paint::Note, "+", id, &format!("granted {}", files.join(", ")));
            }
            TaskEvent::VerifyAbandoned { .. } => {
                self.say(Paint::Faint, "·", id, "its verification was broken off; it is verified again");
            }
            TaskEvent::ProcessStarted { .. }
            | TaskEvent::StepStarted { .. }
            | TaskEvent::StepEnded { .. }
            | TaskEvent::TurnEnded(_)
            | TaskEvent::TestsLinked { .. }
            | TaskEvent::VerifyIntended { .. }
            | TaskEvent::VerifyStarted { .. }
            | TaskEvent::ReviewStarted { .. }
            | TaskEvent::ReviewAbandoned { .. }
            | TaskEvent::MergeIntended { .. } => {}
        }
    }

    /// What goes on in a long step, whenever that has changed since it was last said.
    fn say_beat(&mut self, task: &TaskId, step: &str, bytes: u64, progress: Option<&TurnProgress>) {
        let Some(progress) = progress else {
            let text = format!("{step}, {} KiB of output so far", bytes / 1024);
            return self.say(Paint::Faint, "…", Some(task), &text);
        };
        let seen = TurnProgress { millis: 0, ..progress.clone() };
        let said = self.beats.get(task).is_some_and(|last| last.step == step && last.progress == seen);
        if !said {
            self.say(Paint::Faint, "…", Some(task), &beat_words(step, progress));
            self.beats.insert(task.clone(), LastBeat { step: step.to_owned(), progress: seen });
        }
    }

    fn say_verdict(&mut self, id: Option<&TaskId>, verdict: &Verdict) {
        self.say(paint_of(verdict), "◆", id, &format!("review: {}", verdict_words(verdict)));
    }

    fn say_start(&mut self, id: Option<&TaskId>, started: &AttemptStarted) {
        let AttemptStarted { rung, agent, place, base, .. } = started;
        let who = if *rung == Rung::First { String::new() } else { format!("{}, ", rung.label()) };
        let agent = agent_at(agent, place.as_deref());
        self.say(Paint::Busy, "▶", id, &format!("{who}by {agent} from {}", base.short()));
    }

    fn say_end(&mut self, id: Option<&TaskId>, end: &AttemptEnd, view: &View) {
        let last = id.and_then(|id| view.task(id.as_str())?.attempts.last());
        match end {
            // The pause was reported once for all tasks that wait for it.
            AttemptEnd::Failed { failure: Failure::RateLimited { .. } | Failure::ProviderRefused { .. } } => {
            }
            AttemptEnd::Failed { failure } => self.say(Paint::Error, "✘", id, &failure.summary()),
            AttemptEnd::Interrupted => self.say(Paint::Warning, "■", id, "interrupted; goes on next time"),
            AttemptEnd::Lost => match last.and_then(|last| last.place.as_deref()) {
                Some(place) => {
                    let said = format!("place `{place}` was lost; the attempt starts again");
                    self.say(Paint::Warning, "■", id, &said);
                }
                None => {
                    self.say(Paint::Warning, "■", id, "interrupted when Windlass ended; starts again");
                }
            },
        }
    }
}

/// `implement, 1m 20s · Bash pytest -q · 12.3k tokens · $0.04`.
fn beat_words(step: &str, progress: &TurnProgress) -> String {
    let elapsed = time(i64::try_from(progress.millis).unwrap_or(i64::MAX));
    let mut parts = vec![format!("{step}, {elapsed}")];
    match (&progress.tool, &progress.said) {
        (Some(tool), _) => parts.push(tool.clone()),
        (None, Some(said)) => parts.push(format!("“{said}”")),
        (None, None) => {}
    }
    if progress.usage.tokens() > 0 {
        parts.push(format!("{} tokens", short_number(progress.usage.tokens())));
    }
    parts.extend(progress.usage.cost_usd.map(dollars));
    parts.join(" · ")
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

/// How red was seen, by the tests that were red. Tests that were in the file before and pass do not count.
fn red_words(red: RedKind, tests: &[String], seen: &RedTests) -> String {
    let passed = |test: &&String| seen.get(*test).is_some_and(|test| test.reason == RedReason::Passed);
    let named: Vec<&str> = tests.iter().filter(|test| !passed(test)).map(String::as_str).collect();
    match red {
        RedKind::Assertion => format!("the tests fail as they should: {}", first_of(&named)),
        RedKind::MissingCode => format!("the tests wait for code: {}", first_of(&named)),
        RedKind::Passing => {
            let all: Vec<&str> = tests.iter().map(String::as_str).collect();
            format!("the tests pass before the refactoring, and must go on: {}", first_of(&all))
        }
        RedKind::ExitCode => "the check fails as it should (by exit code)".into(),
    }
}

/// The first names of a list, and how many more there are: a test file may have hundreds.
fn first_of(names: &[&str]) -> String {
    const SHOWN: usize = 4;
    let first = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// What a task is satisfied by already.
fn held_words(held: &HeldTests) -> String {
    let by = held.by.short();
    let noticed = held.mutants.last().map(|mutant| format!("; they notice wrong code ({})", mutant.change));
    format!("satisfied already by {by}: the tests pass{}", noticed.unwrap_or_default())
}

fn block_words(block: &BlockReason, id: Option<&TaskId>) -> String {
    let id = id.map_or("", TaskId::as_str);
    match block {
        BlockReason::AgentBlocked { reason } => {
            format!("needs you: {reason} (`windlass answer {id} \"…\"` or `windlass retry {id}`)")
        }
        BlockReason::NeedsFiles { files } => {
            let named: Vec<&String> = files.iter().map(|(f, _)| f).collect();
            let files: Vec<String> = files.iter().map(|(f, why)| format!("{f}: {why}")).collect();
            let named: Vec<String> = named.iter().map(|file| format!(" --files {file}")).collect();
            let (files, named) = (files.join(", "), named.concat());
            format!("needs you: it asks for files beyond its own: {files} (`windlass approve {id}{named}`)")
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
    fn on_event(&mut self, stamped: &Stamped, _: &View) {
        if let Ok(mut line) = serde_json::to_string(stamped) {
            line.push('\n');
            let _ = std::io::stdout().lock().write_all(line.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests;
