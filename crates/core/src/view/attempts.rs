//! Every attempt at a task with the turns agents took in it: kept with the view, and shown in one public form by
//! `status --json`, `show --json` and `report`. [`super::TaskHistory`] has everything else about an attempt.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::task::TaskView;
use super::why::Why;
use crate::event::{AttemptEnd, AttemptStarted, Claim, Millis, PlanJudged, Role, TurnEnded, Usage};
use crate::failure::Failure;
use crate::ids::{AttemptNo, BlobName};
use crate::plan::Tier;
use crate::policy::Rung;
use crate::state::TaskState;
use crate::team::Verdict;

/// One attempt. Keys are short because ten thousand of these are kept beside the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptView {
    /// Its number.
    #[serde(rename = "n")]
    pub no: AttemptNo,
    /// Where on the ladder.
    #[serde(rename = "g")]
    pub rung: Rung,
    /// The agent.
    #[serde(rename = "a")]
    pub agent: String,
    /// The tier.
    #[serde(rename = "r")]
    pub tier: Tier,
    /// The place it ran at; none for this machine.
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// When it started.
    #[serde(rename = "b")]
    pub started: Millis,
    /// When it ended or was merged.
    #[serde(rename = "z", default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Millis>,
    /// How it ended, and why in a line; none while it is open.
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<(AttemptOutcome, String)>,
    /// The turns taken in it.
    #[serde(rename = "t", default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnView>,
}

/// One turn of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnView {
    /// The part it played.
    #[serde(rename = "p")]
    pub role: Role,
    /// Its name.
    #[serde(rename = "a")]
    pub agent: String,
    /// The model behind it, where that is known.
    #[serde(rename = "m", default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How long it took.
    #[serde(rename = "w")]
    pub millis: u64,
    /// How it ended, by its own account.
    #[serde(rename = "c", default, skip_serializing_if = "Claim::is_done")]
    pub claim: Claim,
    /// The verdict, if the agent judged.
    #[serde(rename = "v", default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// What it cost.
    #[serde(rename = "u", default, skip_serializing_if = "Usage::is_nothing")]
    pub usage: Usage,
    /// Its session, where it has one.
    #[serde(rename = "k", default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What it printed.
    #[serde(rename = "x")]
    pub output: BlobName,
}

impl TurnView {
    /// A turn in an attempt.
    pub(super) fn of_task(turn: &TurnEnded) -> Self {
        Self {
            role: turn.role,
            agent: turn.agent.clone(),
            model: turn.model.clone(),
            millis: turn.millis,
            claim: turn.claim,
            verdict: None,
            usage: turn.usage,
            session: turn.session.clone(),
            output: turn.output.clone(),
        }
    }

    /// A turn about the plan as a whole.
    pub(super) fn of_plan(turn: &PlanJudged) -> Self {
        Self {
            role: turn.role,
            agent: turn.agent.clone(),
            model: turn.model.clone(),
            millis: turn.millis,
            claim: Claim::Done,
            verdict: Some(turn.verdict.as_str().to_owned()),
            usage: turn.usage,
            session: turn.session.clone(),
            output: turn.output.clone(),
        }
    }
}

/// An agent, and where it works if that is another machine.
pub fn agent_at(agent: &str, place: Option<&str>) -> String {
    let agent = agent_shown(agent);
    place.map_or_else(|| agent.to_string(), |place| format!("{agent} at {place}"))
}

/// The name of an agent for people. The name of a `cmd:` agent is its whole command, which can fill every line.
pub fn agent_shown(agent: &str) -> Cow<'_, str> {
    const ROOM: usize = 40;
    let line = agent.lines().next().unwrap_or_default();
    if line.len() == agent.len() && line.chars().count() <= ROOM {
        return Cow::Borrowed(agent);
    }
    let head: String = line.chars().take(ROOM - 1).collect();
    Cow::Owned(format!("{}…", head.trim_end()))
}

impl TaskView {
    /// The agent of the last attempt, and where it works if that is another machine.
    pub fn agent_and_place(&self) -> Option<String> {
        let place = self.attempts.last().and_then(|last| last.place.as_deref());
        self.agent.as_deref().map(|agent| agent_at(agent, place))
    }

    /// An attempt began.
    pub(super) fn add_attempt(&mut self, at: Millis, started: &AttemptStarted) {
        self.attempts.push(AttemptView {
            no: started.attempt,
            rung: started.rung,
            agent: started.agent.clone(),
            tier: started.tier,
            place: started.place.clone(),
            started: at,
            ended: None,
            outcome: None,
            turns: Vec::new(),
        });
    }

    /// A turn was taken in an attempt.
    pub(super) fn add_turn(&mut self, turn: &TurnEnded) {
        self.attempt_at(turn.attempt, |t| t.turns.push(TurnView::of_task(turn)));
    }

    /// Records a verdict with the last reviewer's turn.
    pub(super) fn add_verdict(&mut self, no: AttemptNo, verdict: &Verdict) {
        self.attempt_at(no, |t| {
            let asked = t.turns.iter_mut().rev().find(|turn| turn.role == Role::Reviewer);
            if let Some(turn) = asked {
                turn.verdict = Some(verdict.as_str().to_owned());
            }
        });
    }

    /// An attempt ended without a merge, at the time of its last event.
    pub(super) fn close_attempt(&mut self, until: Millis, no: AttemptNo, end: &AttemptEnd) {
        self.attempt_at(no, |t| {
            t.ended = Some(until);
            t.outcome = Some((AttemptOutcome::of(end), Why::of_end(end, t.place.as_deref()).to_string()));
        });
    }

    /// An attempt was merged.
    pub(super) fn close_merged(&mut self, at: Millis, no: AttemptNo) {
        self.attempt_at(no, |t| {
            t.ended = Some(at);
            t.outcome = Some((AttemptOutcome::Merged, String::new()));
        });
    }

    fn attempt_at(&mut self, no: AttemptNo, change: impl FnOnce(&mut AttemptView)) {
        if let Some(found) = self.attempts.iter_mut().rev().find(|t| t.no == no) {
            change(found);
        }
    }
}

/// How an attempt ended, in a word.
/// How an attempt ended, or stands; a word in documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttemptOutcome {
    /// It is being worked on.
    Open,
    /// It waits for a person.
    Waits,
    /// Its change is part of the branch.
    Merged,
    /// The run was stopped.
    Interrupted,
    /// Its worker or its place was lost.
    Lost,
    /// The provider had enough of its requests: the attempt does not count.
    RateLimited,
    /// It failed: the kind of the failure.
    #[serde(untagged)]
    Failed(Cow<'static, str>),
}

impl AttemptOutcome {
    fn of(end: &AttemptEnd) -> Self {
        match end {
            AttemptEnd::Failed { failure: Failure::RateLimited { .. } } => Self::RateLimited,
            AttemptEnd::Failed { failure } => Self::Failed(failure.kind().into()),
            AttemptEnd::Interrupted => Self::Interrupted,
            AttemptEnd::Lost => Self::Lost,
        }
    }

    /// Its word in documents.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Open => "open",
            Self::Waits => "waits",
            Self::Merged => "merged",
            Self::Interrupted => "interrupted",
            Self::Lost => "lost",
            Self::RateLimited => "rate-limited",
            Self::Failed(kind) => kind,
        }
    }
}

impl fmt::Display for AttemptOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Where the outputs of turns lie, so that a document can name their files.
#[derive(Debug, Clone, Copy)]
pub struct Outputs<'a>(pub &'a str);

impl Outputs<'_> {
    /// The file of an output; `None` for a name that cannot be one.
    pub fn path(self, name: &BlobName) -> Option<String> {
        Some(format!("{}/{}", self.0, name.checked()?))
    }
}

/// One attempt, in the public form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttemptDoc {
    /// Its number.
    pub attempt: u32,
    /// The kind of attempt.
    pub rung: String,
    /// The agent.
    pub agent: String,
    /// The place it ran at; none for the coordinator's machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The tier.
    pub tier: &'static str,
    /// When it started, in milliseconds since the Unix epoch.
    pub started: Millis,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Millis>,
    /// How long it took, until now while it is open.
    pub seconds: f64,
    /// How it ended, or stands.
    pub outcome: AttemptOutcome,
    /// Why, in a line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Tokens of its turns, read and written.
    pub tokens: u64,
    /// What its turns cost, as far as it is known; `null` if it is known of none.
    pub cost_usd: Option<f64>,
    /// Every turn of an agent in it.
    pub turns: Vec<TurnDoc>,
}

/// One turn, in the public form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnDoc {
    /// The part the agent played.
    pub role: &'static str,
    /// The agent.
    pub agent: String,
    /// The model behind it; `null` if unknown.
    pub model: Option<String>,
    /// How it ended by its own account: `done`, `blocked`, `failed`, `limited` or `stopped`.
    pub claim: &'static str,
    /// The verdict, if the agent judged: `approved`, `rejected` or `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// Tokens read, cached ones included.
    pub input_tokens: u64,
    /// Of these, those that came from the provider's cache.
    pub cached_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// What it cost; `null` if neither the agent nor the price list knows.
    pub cost_usd: Option<f64>,
    /// Its session; `null` where it has none.
    pub session: Option<String>,
    /// The file with what it printed.
    pub transcript: Option<String>,
}

impl TurnDoc {
    /// The public form of a turn.
    pub fn new(turn: &TurnView, outputs: Outputs<'_>) -> Self {
        Self {
            role: turn.role.as_str(),
            agent: turn.agent.clone(),
            model: turn.model.clone(),
            claim: turn.claim.as_str(),
            verdict: turn.verdict.clone(),
            seconds: seconds(i64::try_from(turn.millis).unwrap_or(i64::MAX)),
            input_tokens: turn.usage.input_tokens,
            cached_tokens: turn.usage.cache_read_tokens,
            output_tokens: turn.usage.output_tokens,
            cost_usd: turn.usage.cost_usd,
            session: turn.session.clone(),
            transcript: outputs.path(&turn.output),
        }
    }
}

/// Every attempt at a task, oldest first.
pub(crate) fn attempts_of(task: &TaskView, now: Millis, outputs: Outputs<'_>) -> Vec<AttemptDoc> {
    task.attempts.iter().map(|one| attempt(task, one, now, outputs)).collect()
}

fn attempt(task: &TaskView, one: &AttemptView, now: Millis, outputs: Outputs<'_>) -> AttemptDoc {
    let waits = task.state == TaskState::Blocked && one.no == task.attempt;
    let (outcome, why) = match &one.outcome {
        Some(ended) => ended.clone(),
        None if waits => (AttemptOutcome::Waits, task.why.as_ref().map(Why::to_string).unwrap_or_default()),
        None => (AttemptOutcome::Open, String::new()),
    };
    let mut usage = Usage::default();
    one.turns.iter().for_each(|turn| usage.add(&turn.usage));
    // The clock stops while it waits for a person.
    let until = one.ended.unwrap_or(if waits { task.heard } else { now });
    AttemptDoc {
        attempt: one.no.0,
        rung: one.rung.label(),
        agent: one.agent.clone(),
        place: one.place.clone(),
        tier: one.tier.as_str(),
        started: one.started,
        ended: one.ended,
        seconds: seconds(until - one.started),
        outcome,
        why,
        tokens: usage.tokens(),
        cost_usd: usage.cost_usd,
        turns: one.turns.iter().map(|turn| TurnDoc::new(turn, outputs)).collect(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "no attempt lasts long enough for it to matter")]
fn seconds(millis: Millis) -> f64 {
    millis.max(0) as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_command_is_cut_and_a_name_is_not() {
        let long = "cmd:bash /home/ada/agents/replay --answers /home/ada/answers";
        assert_eq!(agent_shown("claude"), "claude");
        assert_eq!(agent_shown("cmd:aider --yes"), "cmd:aider --yes");
        assert_eq!(agent_shown(long), "cmd:bash /home/ada/agents/replay --answ…");
        assert_eq!(agent_shown("cmd:case $X in\n a) b;;\nesac"), "cmd:case $X in…");
        assert_eq!(agent_at(long, Some("big")), "cmd:bash /home/ada/agents/replay --answ… at big");
    }
}
