//! `windlass show`: everything that happened to one task.

use std::fmt::Write as _;

use windlass_core::criteria::Standing;
use windlass_core::event::{AttemptEnd, Millis, RedKind, RedReason, Role, TurnEnded, Usage};
use windlass_core::failure::Failure;
use windlass_core::ids::BlobName;
use windlass_core::team::Verdict;
use windlass_core::view::{
    AttemptHistory, Ending, MergeRecord, SeenRed, StepRun, StepState, TaskHistory, TaskView, View, agent_at,
    agent_shown,
};

use super::findings::counted;
use super::screen::{Paint, Screen, cut};
use super::status::{dollars, ending_lines, mark, short_number, words};
use super::time::precise;
use super::transcript::harmless;
use super::tree::step_mark;

/// Names listed before the rest is only counted.
const NAMED: usize = 6;

/// What agents printed, by the name under which it is kept.
pub(crate) trait TurnOutputs {
    /// What an agent did, as far as its output tells.
    fn deeds(&self, name: &BlobName) -> Option<String>;
    /// The file it lies in.
    fn place(&self, name: &BlobName) -> Option<String>;
}

/// The story of a task.
pub(crate) fn story(
    view: &View,
    task: &TaskView,
    history: &TaskHistory,
    now: Millis,
    screen: &Screen,
    outputs: &dyn TurnOutputs,
) -> String {
    let (sign, paint) = mark(task);
    let head = format!("{} {}", screen.paint(paint, sign), screen.paint(Paint::Strong, task.id.as_str()));
    let mut text = format!("{head} · {} · {}\n", cut(&task.title, screen.width), words(task.state));
    let why = view.why(task);
    match (Ending::of(task, why.as_ref()), &why) {
        (Some(ending), _) => text.push_str(&ending_lines(&ending, 2, screen)),
        (None, Some(why)) => {
            let _ = writeln!(text, "  {}", cut(&why.to_string(), screen.width));
        }
        (None, None) => {}
    }
    let needs: Vec<&str> =
        task.deps.iter().filter_map(|d| Some(view.tasks.get(*d as usize)?.id.as_str())).collect();
    let mut facts = vec![format!("mode {}", task.mode.as_str()), format!("tier {}", task.tier.as_str())];
    if !needs.is_empty() {
        facts.push(format!("needs {}", list(&needs)));
    }
    let _ = writeln!(text, "  {}", facts.join(" · "));
    if let Some(merged) = &history.merged {
        text.push_str(&merge(merged));
    }
    text.push_str(&criteria(task, screen));
    for attempt in &history.attempts {
        text.push('\n');
        text.push_str(&try_text(attempt, now, screen, outputs));
    }
    if history.attempts.is_empty() {
        text.push_str("\nnot tried yet\n");
    }
    if !history.granted.is_empty() {
        let _ = writeln!(text, "\ngranted besides its own files: {}", history.granted.join(", "));
    }
    for (_, because) in &history.reopened {
        let _ =
            writeln!(text, "\n{}: {}", screen.paint(Paint::Warning, "reopened"), cut(because, usize::MAX));
    }
    for (_, told) in &history.answers {
        let asked = if told.question.is_empty() { String::new() } else { format!("{} → ", told.question) };
        let said = cut(&format!("{asked}{}", told.answer), usize::MAX);
        let _ = writeln!(text, "\n{}: {said}", screen.paint(Paint::Note, "answered"));
    }
    for finding in &history.findings {
        // Names in it may be an agent's: it stays on one line.
        let _ = writeln!(text, "\n{}: {}", screen.paint(Paint::Note, "note"), cut(finding, usize::MAX));
    }
    text
}

/// How the criteria of a task stand, and by which tests.
fn criteria(task: &TaskView, screen: &Screen) -> String {
    if task.criteria.is_empty() {
        return String::new();
    }
    let count = |standing| task.criteria.iter().filter(|c| c.standing == standing).count();
    let counts: Vec<String> = Standing::ALL
        .into_iter()
        .filter(|standing| count(*standing) > 0)
        .map(|standing| format!("{} {}", count(standing), standing.as_str()))
        .collect();
    let mut text = format!("  criteria  {}\n", counts.join(" · "));
    for proof in &task.criteria {
        let (sign, paint) = match proof.standing {
            Standing::Proved | Standing::Held => ("✔", Paint::Good),
            Standing::Merged => ("!", Paint::Warning),
            Standing::Open => ("·", Paint::Faint),
        };
        let tests: Vec<&str> = proof.tests.iter().map(String::as_str).collect();
        let said = match (proof.standing, proof.by) {
            (Standing::Merged, None) => ": no test is known to stand for it".to_owned(),
            (_, Some(by)) => format!(" by {} (linked by {})", list(&tests), by.as_str()),
            (Standing::Proved | Standing::Held | Standing::Open, None) => String::new(),
        };
        let line = format!("{} {}{said}", proof.criterion, proof.standing.as_str());
        let line = cut(&line, screen.width.saturating_sub(6));
        let _ = writeln!(text, "    {} {line}", screen.paint(paint, sign));
    }
    text
}

/// What to type to see more.
pub(crate) fn where_to_look(task: &TaskView, history: &TaskHistory) -> String {
    if history.attempts.is_empty() { String::new() } else { format!("\nmore: `windlass logs {}`\n", task.id) }
}

fn merge(merged: &MergeRecord) -> String {
    format!(
        "  merged as {} (attempt {})\n  tree      {}\n  evidence  {}\n",
        merged.commit, merged.attempt, merged.tree, merged.evidence
    )
}

fn try_text(attempt: &AttemptHistory, now: Millis, screen: &Screen, outputs: &dyn TurnOutputs) -> String {
    let worked = precise(u64::try_from(attempt.ended.unwrap_or(now) - attempt.started).unwrap_or(0));
    let head = format!("attempt {}", attempt.no);
    let mut text = format!(
        "{} · {} · {} · {} · from {} · {worked}\n",
        screen.paint(Paint::Strong, &head),
        attempt.rung.label(),
        agent_at(&attempt.agent, attempt.place.as_deref()),
        attempt.tier.as_str(),
        attempt.base.short(),
    );
    for turn in &attempt.turns {
        text.push_str(&turn_line(turn, screen, outputs));
    }
    for step in &attempt.steps {
        text.push_str(&step_line(step, screen));
    }
    if let Some(red) = &attempt.red {
        text.push_str(&red_line(red));
    }
    if let Some((commit, added, removed)) = &attempt.candidate {
        let _ = writeln!(text, "    change  {} (+{added} -{removed} lines)", commit.short());
    }
    for verdict in &attempt.reviews {
        text.push_str(&review_lines(verdict, screen));
    }
    if let Some(end) = &attempt.end {
        text.push_str(&end_text(end, screen));
    }
    text
}

fn turn_line(turn: &TurnEnded, screen: &Screen, outputs: &dyn TurnOutputs) -> String {
    let mut facts = vec![agent_shown(&turn.agent).into_owned()];
    facts.extend(turn.model.clone());
    facts.push(precise(turn.millis));
    facts.extend(cost(&turn.usage));
    if !turn.claim.is_done() {
        facts.push(turn.claim.as_str().to_owned());
    }
    let mut text = format!("    {} · {}\n", turn.role.as_str(), cut(&facts.join(" · "), usize::MAX));
    // What a reviewer said stands below, in words.
    let summary = turn.summary.as_deref().filter(|_| turn.role != Role::Reviewer);
    let summary = summary.and_then(|s| s.lines().find(|l| !l.trim().is_empty()));
    let session = turn.session.as_ref().map(|id| format!("session {id}"));
    let told = [summary.map(harmless), outputs.deeds(&turn.output).map(|d| harmless(&d)), session];
    for line in told.into_iter().flatten() {
        let line = cut(&line, screen.width.saturating_sub(6));
        let _ = writeln!(text, "      {}", screen.paint(Paint::Faint, &line));
    }
    // A path that is cut cannot be opened.
    if let Some(place) = outputs.place(&turn.output) {
        let _ = writeln!(text, "      {}", screen.paint(Paint::Faint, &format!("transcript {place}")));
    }
    text
}

fn review_lines(verdict: &Verdict, screen: &Screen) -> String {
    let paint = match verdict {
        Verdict::Approved { .. } => Paint::Good,
        Verdict::Rejected { .. } => Paint::Error,
        Verdict::Unknown { .. } => Paint::Warning,
    };
    let mut text = format!("    review  {}\n", screen.paint(paint, verdict.as_str()));
    for issue in verdict.issues() {
        let _ = writeln!(text, "      {}", cut(&issue.line(), screen.width.saturating_sub(6)));
    }
    if let Verdict::Unknown { reason } = verdict {
        let _ = writeln!(text, "      {}", cut(reason, screen.width.saturating_sub(6)));
    }
    text
}

/// `12.0k tokens in (9.0k cached), 300 out` and the cost, or that it is unknown.
fn cost(usage: &Usage) -> Vec<String> {
    if usage.tokens() == 0 {
        return usage.cost_usd.map(dollars).into_iter().collect();
    }
    let cached = match usage.cache_read_tokens {
        0 => String::new(),
        n => format!(" ({} cached)", short_number(n)),
    };
    let (read, written) = (short_number(usage.input_tokens), short_number(usage.output_tokens));
    let money = usage.cost_usd.map_or_else(|| "cost unknown".to_owned(), dollars);
    vec![format!("{read} tokens in{cached}, {written} out"), money]
}

fn step_line(step: &StepRun, screen: &Screen) -> String {
    let (sign, paint) = step_mark(StepState::from(step.result));
    format!("    {} {:12} {}\n", screen.paint(paint, sign), step.action.as_str(), precise(step.millis))
}

fn red_line(red: &SeenRed) -> String {
    let how = match red.kind {
        RedKind::Assertion => "assertions failed",
        RedKind::MissingCode => "the code was missing",
        RedKind::Passing => "nothing: the tests passed before the refactoring",
        RedKind::ExitCode => "the command failed; no test names are known",
    };
    let tests: Vec<&str> = red.tests.iter().map(String::as_str).collect();
    let named = if tests.is_empty() { String::new() } else { format!(": {}", list(&tests)) };
    let how = reasons(red).unwrap_or_else(|| how.to_owned());
    let how = cut(&format!("{how}{named}"), usize::MAX);
    format!("    red     {how}\n    frozen  {}\n", counted(red.files.len(), "file"))
}

/// Why the tests were red, where each has its own reason: `2 tests: an assertion failed; 1 test: code is missing`.
fn reasons(red: &SeenRed) -> Option<String> {
    let all = [RedReason::Assertion, RedReason::MissingCode, RedReason::Error, RedReason::Passed];
    let count = |reason| red.seen.values().filter(|t| t.reason == reason).count();
    let parts: Vec<String> = all
        .into_iter()
        .filter(|reason| count(*reason) > 0)
        .map(|reason| format!("{}: {}", counted(count(reason), "test"), reason.as_str()))
        .collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn end_text(end: &AttemptEnd, screen: &Screen) -> String {
    match end {
        AttemptEnd::Failed { failure: Failure::RateLimited { agent, .. } } => {
            format!(
                "    {} for {agent}, which met a rate limit; no attempt was used up\n",
                screen.paint(Paint::Warning, "paused")
            )
        }
        AttemptEnd::Failed { failure: Failure::ProviderRefused { agent, .. } } => {
            format!(
                "    {} for {agent}, which does not serve this account; no attempt was used up\n",
                screen.paint(Paint::Warning, "stopped")
            )
        }
        AttemptEnd::Failed { failure } => {
            let (kind, summary) = (failure.kind(), failure.summary());
            let summary = summary.strip_prefix(kind).map_or(summary.as_str(), str::trim_start);
            let summary = cut(summary, usize::MAX);
            let mut text = format!("    {} {summary}\n", screen.paint(Paint::Error, kind));
            let details = failure.details();
            let output = details.split_once("\n\n").map_or("", |(_, output)| output);
            for line in telling_part(output, failure) {
                let _ = writeln!(text, "      {}", screen.paint(Paint::Faint, &cut(line, screen.width - 6)));
            }
            text
        }
        AttemptEnd::Interrupted => "    interrupted; no attempt was used up\n".into(),
        AttemptEnd::Lost => "    lost: Windlass ended while it ran; no attempt was used up\n".into(),
    }
}

/// The lines of an output around the one that says the most.
fn telling_part<'o>(output: &'o str, failure: &Failure) -> impl Iterator<Item = &'o str> {
    const SHOWN: usize = 20;
    const BEFORE: usize = 6;
    let said = failure.evidence().unwrap_or_default();
    let said = said.split("; ").next().unwrap_or_default();
    let at = output.lines().position(|line| !said.is_empty() && line.contains(said)).unwrap_or(0);
    let first = if at < SHOWN { 0 } else { at - BEFORE };
    output.lines().skip(first).take(SHOWN)
}

fn list(names: &[&str]) -> String {
    let shown = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        rest => format!("{shown} and {rest} more"),
    }
}
