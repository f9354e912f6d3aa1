//! How often each kind of attempt succeeds, and the figures that say it is time to look at the process again.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::event::{AttemptEnd, RedKind};
use crate::failure::Failure;
use crate::ids::TaskId;
use crate::plan::Action;
use crate::policy::Rung;
use crate::state::TaskState;
use crate::team::Verdict;
use crate::view::{AttemptHistory, TaskHistory, View};

/// How often a kind of attempt was made, and how often it ended in a merge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RungRate {
    /// Attempts that count: none that was interrupted, lost or rate-limited.
    pub tried: u32,
    /// Of these, those that were merged.
    pub merged: u32,
}

impl RungRate {
    /// The share in per cent; `None` before the first attempt.
    pub fn percent(&self) -> Option<u32> {
        (self.tried > 0).then(|| self.merged * 100 / self.tried)
    }
}

/// How well it goes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Rates {
    /// By kind of attempt.
    pub rungs: BTreeMap<&'static str, RungRate>,
    /// Failures by kind.
    pub failures: BTreeMap<&'static str, u32>,
    /// Attempts that changed files outside their task; the changes were left out.
    pub strayed: u32,
    /// Attempts that changed frozen tests; the tests were put back.
    pub frozen_touched: u32,
    /// Reviews by their verdict.
    pub reviews: BTreeMap<&'static str, u32>,
    /// Milliseconds in verification.
    pub verifying_millis: u64,
    /// Milliseconds in attempts, verification included.
    pub working_millis: u64,
}

/// A figure with the limit beyond which the process should be looked at again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trigger {
    /// What is measured.
    pub name: &'static str,
    /// The figure, in words; empty where there is nothing to measure yet.
    pub value: String,
    /// The limit, in words.
    pub limit: &'static str,
    /// Whether it is passed.
    pub tripped: bool,
}

impl Rates {
    /// Counts what happened.
    pub fn of(histories: &[TaskHistory]) -> Self {
        let mut rates = Rates::default();
        for history in histories {
            let merged = history.merged.as_ref().map(|m| m.attempt);
            for attempt in &history.attempts {
                rates.count(attempt, merged == Some(attempt.no));
            }
        }
        rates
    }

    /// How many attempts changed what is not theirs, in words; nothing for none.
    pub fn strays(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let all = [
            ("changes outside the task's files, left out", self.strayed),
            ("changes of frozen tests, put back", self.frozen_touched),
        ];
        all.into_iter().filter(|(_, times)| *times > 0)
    }

    fn count(&mut self, attempt: &AttemptHistory, merged: bool) {
        if let Some(AttemptEnd::Failed { failure }) = &attempt.end {
            *self.failures.entry(failure.kind()).or_default() += 1;
        }
        self.strayed += u32::from(!attempt.left_out.paths.is_empty());
        self.frozen_touched += u32::from(!attempt.left_out.frozen.is_empty());
        for verdict in &attempt.reviews {
            *self.reviews.entry(verdict.as_str()).or_default() += 1;
        }
        let verifying = attempt.steps.iter().filter(|s| s.action == Action::VerifyPass);
        self.verifying_millis += verifying.map(|s| s.millis).sum::<u64>();
        let worked = attempt.ended.map_or(0, |end| end - attempt.started);
        self.working_millis += u64::try_from(worked).unwrap_or(0);
        let counts = match &attempt.end {
            Some(AttemptEnd::Failed { failure }) => !matches!(failure, Failure::RateLimited { .. }),
            Some(AttemptEnd::Interrupted | AttemptEnd::Lost) => false,
            None => merged,
        };
        if counts {
            let rate = self.rungs.entry(kind(attempt.rung)).or_default();
            rate.tried += 1;
            rate.merged += u32::from(merged);
        }
    }

    /// The figures of this plan against their limits.
    pub fn triggers(&self, view: &View, histories: &[TaskHistory]) -> Vec<Trigger> {
        let share = |part: u64, of: u64| (of > 0).then(|| part * 100 / of);
        let words = |share: Option<u64>| share.map(|s| format!("{s} %")).unwrap_or_default();
        let hunted: Vec<&TaskHistory> = histories.iter().filter(|h| was_hunted(h)).collect();
        let fixed = hunted.iter().filter(|h| merged_by_hunter(h)).count() as u64;
        let hunter = share(fixed, hunted.len() as u64);
        let verifying = share(self.verifying_millis, self.working_millis);
        let tasks = view.tasks.len() as u64;
        let overridden = histories.iter().filter(|h| h.overridden).count() as u64;
        let overridden = share(overridden, tasks);
        let red = histories.iter().filter_map(|h| h.attempts.iter().rev().find_map(|a| a.red.as_ref()));
        let kinds: Vec<RedKind> = red.map(|r| r.kind).collect();
        let nameless = kinds.iter().filter(|k| **k == RedKind::ExitCode).count();
        let unfound = histories.iter().filter(|h| h.attempts.iter().any(found_no_tests)).count();
        let missed = share((nameless + unfound) as u64, (kinds.len() + unfound) as u64);
        let cramped = histories.iter().filter(|h| h.attempts.iter().any(hit_context_limit)).count();
        let deepest = view.tasks.iter().map(|t| view.parents_of(t).count()).max().unwrap_or(0);
        let unread =
            self.reviews.get(Verdict::Unknown { reason: String::new() }.as_str()).copied().unwrap_or(0);
        let looked = self.reviews.values().sum::<u32>();
        let unread = share(u64::from(unread), u64::from(looked));
        vec![
            Trigger {
                name: "failures that a bug-hunter fixed",
                value: words(hunter),
                limit: "below 50 %",
                tripped: hunter.is_some_and(|p| p < 50),
            },
            Trigger {
                name: "time in verification",
                value: words(verifying),
                limit: "above 30 %",
                tripped: verifying.is_some_and(|p| p > 30),
            },
            Trigger {
                name: "tasks a person let pass or skipped after a failure",
                value: words(overridden),
                limit: "above 10 %",
                tripped: overridden.is_some_and(|p| p > 10),
            },
            Trigger {
                name: "tasks whose tests were not found, or have no names",
                value: words(missed),
                limit: "above 20 %",
                tripped: missed.is_some_and(|p| p > 20),
            },
            Trigger {
                name: "reviews without a verdict",
                value: words(unread),
                limit: "above 20 %",
                tripped: unread.is_some_and(|p| p > 20),
            },
            Trigger {
                name: "levels of parents",
                value: deepest.to_string(),
                limit: "above 3",
                tripped: deepest > 3,
            },
            Trigger {
                name: "tasks that did not fit into a model's context",
                value: cramped.to_string(),
                limit: "above 0",
                tripped: cramped > 0,
            },
            Trigger {
                name: "people find the phases hard to follow",
                value: String::new(),
                limit: "when they say so",
                tripped: false,
            },
        ]
    }
}

/// A figure that says whether the process does what it is for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SuccessMetric {
    /// What is measured.
    pub name: &'static str,
    /// The figure, in words; empty where there is nothing to measure yet.
    pub value: String,
    /// The goal, in words.
    pub goal: &'static str,
    /// Whether it is reached; nothing where it cannot be said yet.
    pub reached: Option<bool>,
}

/// The figures of a plan against their goals.
pub(super) fn success_metrics(view: &View, histories: &[TaskHistory]) -> Vec<SuccessMetric> {
    let share = |part: usize, of: usize| (of > 0).then(|| part * 100 / of);
    let words = |share: Option<usize>| share.map(|s| format!("{s} %")).unwrap_or_default();
    let completed = view.tasks.iter().filter(|t| t.state == TaskState::Completed).count();
    let passing = share(completed, view.tasks.len());
    let failed: Vec<&TaskHistory> =
        histories.iter().filter(|h| h.attempts.iter().any(failed_tests)).collect();
    let recovered = failed.iter().filter(|h| h.merged.is_some() && !h.overridden).count();
    let recovered = share(recovered, failed.len());
    let merged = |id: &TaskId| histories.iter().any(|h| h.task == *id && h.merged.is_some());
    let unproved = view.tasks.iter().filter(|t| t.state == TaskState::Completed && !merged(&t.id)).count();
    let largest = view.parent_sizes().into_iter().max();
    vec![
        SuccessMetric {
            name: "tasks whose tests pass at the end",
            value: words(passing),
            goal: "100 %",
            reached: passing.map(|p| p == 100),
        },
        SuccessMetric {
            name: "test failures fixed without a person",
            value: words(recovered),
            goal: "above 80 %",
            reached: recovered.map(|p| p > 80),
        },
        SuccessMetric {
            name: "tasks completed with failing tests",
            value: unproved.to_string(),
            goal: "0",
            reached: Some(unproved == 0),
        },
        SuccessMetric {
            name: "tasks of the largest phase",
            value: largest.map(|n| n.to_string()).unwrap_or_default(),
            goal: "below 10",
            reached: largest.map(|n| n < 10),
        },
    ]
}

fn failed_tests(attempt: &AttemptHistory) -> bool {
    matches!(&attempt.end, Some(AttemptEnd::Failed { failure: Failure::TestsFailed { .. } }))
}

fn is_hunt(attempt: &AttemptHistory) -> bool {
    matches!(attempt.rung, Rung::BugHunter(_))
}

fn was_hunted(history: &TaskHistory) -> bool {
    history.attempts.iter().any(is_hunt)
}

fn merged_by_hunter(history: &TaskHistory) -> bool {
    let merged = history.merged.as_ref().map(|m| m.attempt);
    history.attempts.iter().any(|a| merged == Some(a.no) && is_hunt(a))
}

/// Whether an attempt ended because no test, or no command for it, was found.
fn found_no_tests(attempt: &AttemptHistory) -> bool {
    let Some(AttemptEnd::Failed { failure }) = &attempt.end else { return false };
    matches!(failure, Failure::NoTestCommand { .. } | Failure::NotRed { without_tests: true, .. })
}

/// Whether an attempt ended because its brief, or what the agent read, did not fit into the model's context. Agent programs
/// tell the second in words alone.
fn hit_context_limit(attempt: &AttemptHistory) -> bool {
    let Some(AttemptEnd::Failed { failure }) = &attempt.end else { return false };
    let Failure::AgentError { message } = failure else {
        return matches!(failure, Failure::BriefTooLarge { .. });
    };
    let message = message.to_lowercase();
    ["context length", "context window", "maximum context", "prompt is too long", "context_length"]
        .iter()
        .any(|words| message.contains(words))
}

fn kind(rung: Rung) -> &'static str {
    match rung {
        Rung::First => "first try",
        Rung::BugHunter(_) => "bug-hunter",
        Rung::SameAgent(_) => "same agent again",
        Rung::FreshAgent(_) => "fresh agent",
        Rung::TierUp(_) => "one tier up",
    }
}
