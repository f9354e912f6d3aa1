//! The status screen.

use std::fmt::Write as _;

use windlass_core::event::Millis;
use windlass_core::failure::Failure;
use windlass_core::state::TaskState;
use windlass_core::view::{Counts, Ending, Glance, RunState, RunView, TaskView, Why, agent_shown};
use windlass_core::wish::Wish;

use super::findings::counted;
use super::screen::{Paint, Screen, cut, pad, width, wrapped};
use super::time::{clock_time, time};

/// Columns of the bar.
const BAR: usize = 30;

/// Agents write paragraphs; the cause of an end has so many lines.
const CAUSE_LINES: usize = 4;

/// What is known besides the journal.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StatusKnown<'a> {
    /// Wishes that no run has followed yet.
    pub(crate) asked: &'a [Wish],
    /// The user's branch, if it has everything that was merged.
    pub(crate) landed: Option<&'a str>,
}

/// The whole screen.
pub(crate) fn status(
    plan: &str,
    glance: &Glance,
    state: RunState,
    now: Millis,
    screen: &Screen,
    known: &StatusKnown<'_>,
) -> String {
    let mut text = head(plan, glance.run.as_ref(), state, screen);
    text.push_str(&progress(glance, now, screen));
    text.push('\n');
    let ids = glance.tasks.iter().map(|(t, _)| width(t.id.as_str())).max().unwrap_or(0).min(24);
    for (task, why) in &glance.tasks {
        text.push_str(&row(task, why.as_ref(), now, screen, ids));
    }
    text.push_str(&foot(glance, state, now, screen, known));
    text
}

pub(crate) fn head(plan: &str, run: Option<&RunView>, state: RunState, screen: &Screen) -> String {
    let paint = match state {
        RunState::Running => Paint::Busy,
        RunState::Completed => Paint::Good,
        RunState::Stuck | RunState::Broken => Paint::Error,
        RunState::New
        | RunState::Paused
        | RunState::Interrupted
        | RunState::Cancelled
        | RunState::BudgetSpent
        | RunState::Lost => Paint::Warning,
    };
    let partly = state == RunState::Completed && run.is_some_and(|r| !r.only.is_empty());
    let word = if partly { "completed as far as asked".into() } else { state.as_str().replace('_', " ") };
    let word = screen.paint(paint, &word);
    let mut text = format!("plan {} · {word}", screen.paint(Paint::Strong, plan));
    if let Some(run) = run {
        let _ = write!(text, " · branch {} at {}", run.branch, run.tip.short());
    }
    text.push('\n');
    text
}

pub(crate) fn progress(glance: &Glance, now: Millis, screen: &Screen) -> String {
    let counts = &glance.counts;
    let done = usize::try_from(u64::from(counts.completed) * BAR as u64 / u64::from(counts.total.max(1)))
        .unwrap_or(0);
    let bar = format!("{}{}", "█".repeat(done), "░".repeat(BAR - done.min(BAR)));
    let mut text = format!("{} {}\n", screen.paint(Paint::Good, &bar), tally(counts));
    let mut facts = Vec::new();
    if let Some(run) = &glance.run {
        facts.push(time(now - run.started));
        facts.push(counted(run.jobs as usize, "job"));
    }
    let usage = &glance.progress.usage;
    if usage.tokens() > 0 {
        facts.push(format!("{} tokens", short_number(usage.tokens())));
    }
    if let Some(cost) = usage.cost_usd {
        facts.push(dollars(cost));
    }
    match glance.progress.unpriced {
        0 => {}
        n if usage.cost_usd.is_none() => {
            facts.push(format!("cost of {} unknown", counted(n as usize, "turn")));
        }
        n => facts.push(format!("and {} of unknown cost", counted(n as usize, "turn"))),
    }
    if !facts.is_empty() {
        let _ = writeln!(text, "{}", screen.paint(Paint::Faint, &facts.join(" · ")));
    }
    text
}

/// `3 of 10 completed · 2 in progress · 5 pending (1 ready)`.
pub(crate) fn tally(counts: &Counts) -> String {
    let mut parts = vec![format!("{} of {} completed", counts.completed, counts.total)];
    for state in [
        TaskState::InProgress,
        TaskState::Testing,
        TaskState::TestFailed,
        TaskState::Failed,
        TaskState::Blocked,
        TaskState::Skipped,
        TaskState::Pending,
    ] {
        let n = counts.of(state);
        if n > 0 {
            parts.push(format!("{n} {}", words(state)));
        }
    }
    if counts.pending > 0
        && let Some(last) = parts.last_mut()
    {
        let _ = write!(last, " ({} ready)", counts.ready);
    }
    if counts.stale > 0 {
        parts.push(format!("{} stale", counts.stale));
    }
    parts.join(" · ")
}

/// A task's line, and why it stands there below it.
pub(crate) fn row(task: &TaskView, why: Option<&Why>, now: Millis, screen: &Screen, ids: usize) -> String {
    let (mark, paint) = mark(task);
    let worked = task.worked_until(now);
    let clock = if worked > 0 { time(worked) } else { String::new() };
    let state = if task.is_stale() { "stale" } else { words(task.state) };
    let lead = 2 + 2 + ids + 2 + 12 + 7;
    let room = screen.width.saturating_sub(lead).max(20);
    let mut tail = task.title.clone();
    for fact in facts(task) {
        let _ = write!(tail, " · {fact}");
    }
    let waits = task.state == TaskState::Pending && !task.is_stale();
    if let (true, Some(why)) = (waits, why) {
        let _ = write!(tail, " · {why}");
    }
    let mut text = format!(
        "  {} {}  {}{:>6} {}\n",
        screen.paint(paint, mark),
        pad(&cut(task.id.as_str(), ids), ids),
        screen.paint(paint, &pad(state, 12)),
        clock,
        cut(&tail, room),
    );
    match (Ending::of(task, why), why) {
        (Some(ending), _) => text.push_str(&ending_lines(&ending, lead, screen)),
        (None, Some(why)) if !waits => {
            let why = screen.paint(Paint::Faint, &cut(&why.to_string(), room));
            let _ = writeln!(text, "{}{why}", " ".repeat(lead));
        }
        (None, _) => {}
    }
    text
}

/// The cause of a task's end, what shows it, and the next step. The next step is never cut: it is there to be typed.
pub(crate) fn ending_lines(ending: &Ending, indent: usize, screen: &Screen) -> String {
    let (lead, room) = (" ".repeat(indent), screen.width.saturating_sub(indent).max(20));
    let mut text = String::new();
    for line in wrapped(&ending.cause, room).into_iter().take(CAUSE_LINES) {
        let _ = writeln!(text, "{lead}{}", screen.paint(Paint::Faint, &line));
    }
    if let Some(evidence) = &ending.evidence {
        let _ = writeln!(text, "{lead}{}", screen.paint(Paint::Faint, &cut(evidence, room)));
    }
    let _ = writeln!(text, "{lead}{} {}", screen.paint(Paint::Help, "next:"), ending.remedy);
    text
}

/// What is worth a word while a task is under way, and what is known to be weak in one that is merged.
fn facts(task: &TaskView) -> Vec<String> {
    let mut facts = Vec::new();
    match task.state {
        TaskState::InProgress | TaskState::Testing | TaskState::TestFailed => {
            facts.push(with_strip(task));
            if task.attempt.0 > 1 {
                facts.push(format!("attempt {}", task.attempt));
                facts.extend(task.rung.map(windlass_core::policy::Rung::label));
            }
            facts.extend(task.agent_and_place());
        }
        TaskState::Failed | TaskState::Blocked if task.steps.failed().is_some() => {
            facts.push(with_strip(task));
        }
        TaskState::Completed if !task.weak_tests.is_empty() => {
            facts.push(counted(task.weak_tests.len(), "weak test"));
        }
        TaskState::Pending
        | TaskState::Completed
        | TaskState::Failed
        | TaskState::Blocked
        | TaskState::Skipped => {}
    }
    facts
}

/// The strip of a task's steps, with the one under way: `[✓✓▶··] implement`.
pub(crate) fn with_strip(task: &TaskView) -> String {
    let strip = task.steps.strip();
    task.steps.running().map_or(strip.clone(), |step| format!("{strip} {}", step.action.as_str()))
}

pub(crate) fn foot(
    glance: &Glance,
    state: RunState,
    now: Millis,
    screen: &Screen,
    known: &StatusKnown<'_>,
) -> String {
    let mut text = String::new();
    let counts = &glance.counts;
    if glance.left_out > 0 {
        let _ = writeln!(text, "  … and {} more; `windlass status --all` lists every task", glance.left_out);
    }
    if let Some(run) = &glance.run {
        if let Some(reason) = &run.held {
            let _ = writeln!(text, "\n{}: {reason}", screen.paint(Paint::Warning, "nothing begins"));
        }
        if let Some(reason) = &run.merging_paused {
            let _ = writeln!(text, "\n{}: {reason}", screen.paint(Paint::Warning, "merging is paused"));
        }
        if let Some(reason) = &run.closing_failed {
            let _ = writeln!(text, "\n{}: {reason}", screen.paint(Paint::Error, "the closing run failed"));
        }
        for stop in &run.stopped {
            let pause = screen.paint(Paint::Error, "‖");
            let _ = writeln!(
                text,
                "\n{pause} {} is stopped: {}; no attempt is used up",
                agent_shown(&stop.provider),
                stop.reason
            );
        }
        for rest in run.resting_at(now) {
            let left = time(rest.until - now);
            let reason = cut(&rest.reason, screen.width / 2);
            let pause = screen.paint(Paint::Warning, "‖");
            let _ = writeln!(
                text,
                "\n{pause} {} is paused until {} ({left} left): {reason}; no attempt is used up",
                agent_shown(&rest.agent),
                clock_time(rest.until)
            );
        }
    }
    if let Some(hint) = hint(glance, state, known) {
        let _ = writeln!(text, "\n{} {hint}", screen.paint(Paint::Help, "next:"));
    }
    if counts.total == 0 {
        text.push_str("  no tasks\n");
    }
    text
}

/// What a person would do next.
fn hint(glance: &Glance, state: RunState, known: &StatusKnown<'_>) -> Option<String> {
    let asked = known.asked;
    // What was asked for already is not advised again.
    let is_asked = |t: &TaskView| asked.iter().any(|wish| wish.is_about(&t.id, t.state));
    let first = |wanted: TaskState| glance.tasks.iter().find(|(t, _)| t.state == wanted && !is_asked(t));
    if let Some((task, why)) = first(TaskState::Blocked) {
        let id = &task.id;
        if why.as_ref().is_some_and(Why::awaits_approval) {
            return Some(format!("`windlass diff {id}`, then `windlass approve {id}`"));
        }
        if let Some(Failure::SpecContradiction { .. }) = &task.failure {
            return Some(format!("`windlass answer {id} \"…\"`, or `windlass show {id}`"));
        }
        return Some(format!("`windlass show {id}`, then `windlass retry {id}`"));
    }
    if let Some((TaskView { id: task, .. }, _)) = first(TaskState::Failed) {
        return Some(format!(
            "`windlass show {task}`, then `windlass retry {task}` or `windlass skip {task}`"
        ));
    }
    let over = !matches!(state, RunState::Running | RunState::Paused);
    if over && !asked.is_empty() {
        return Some("`windlass run` does what was requested".into());
    }
    if glance.run.as_ref().is_some_and(|run| run.held.is_some() && run.ended.is_some()) {
        return Some("change the plan, or go on all the same with `windlass run --yes`".into());
    }
    if let Some(remedy) = glance.run.as_ref().and_then(RunView::closing_remedy) {
        return Some(remedy);
    }
    match state {
        RunState::New => Some("`windlass run`".into()),
        RunState::Interrupted | RunState::Lost | RunState::Stuck => Some("`windlass run` goes on".into()),
        RunState::Completed if glance.counts.completed < glance.counts.total => {
            Some("`windlass run` carries out the rest".into())
        }
        RunState::Completed => Some(known.landed.map_or_else(
            || "`windlass land` brings the branch home".into(),
            |branch| format!("nothing: it is on `{branch}`; `windlass report` says what was proved"),
        )),
        RunState::Paused => Some("`windlass resume`".into()),
        RunState::BudgetSpent => Some("`windlass run` goes on, with a budget of its own".into()),
        RunState::Running | RunState::Cancelled | RunState::Broken => None,
    }
}

/// A state in words.
pub(crate) fn words(state: TaskState) -> &'static str {
    match state {
        TaskState::InProgress => "in progress",
        TaskState::TestFailed => "test failed",
        TaskState::Pending
        | TaskState::Testing
        | TaskState::Completed
        | TaskState::Failed
        | TaskState::Blocked
        | TaskState::Skipped => state.as_str(),
    }
}

/// The mark of a task.
pub(crate) fn mark(task: &TaskView) -> (&'static str, Paint) {
    if task.is_stale() {
        return ("~", Paint::Warning);
    }
    match task.state {
        TaskState::Pending => ("·", Paint::Faint),
        TaskState::InProgress => ("▶", Paint::Busy),
        TaskState::Testing => ("◆", Paint::Busy),
        TaskState::TestFailed => ("↻", Paint::Warning),
        TaskState::Completed => ("✓", Paint::Good),
        TaskState::Failed => ("✗", Paint::Error),
        TaskState::Blocked => ("■", Paint::Error),
        TaskState::Skipped => ("-", Paint::Faint),
    }
}

/// `$0.42`, and `$0.0031` where two digits would hide it.
pub(crate) fn dollars(usd: f64) -> String {
    if usd > 0.0 && usd < 0.01 { format!("${usd:.4}") } else { format!("${usd:.2}") }
}

/// `950`, `1.2k`, `3.4M`.
pub(crate) fn short_number(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        1_000..1_000_000 => format!("{}.{}k", n / 1_000, n % 1_000 / 100),
        _ => format!("{}.{}M", n / 1_000_000, n % 1_000_000 / 100_000),
    }
}
