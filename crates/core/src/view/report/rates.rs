//! How often each kind of try succeeds, and the figures that say it is time to look at the process again.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::event::{AttemptEnd, RedKind};
use crate::plan::Action;
use crate::policy::Rung;
use crate::team::Verdict;
use crate::view::{AttemptHistory, TaskHistory, View};

/// How often a kind of try was made, and how often it ended in a merge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RungRate {
    /// Tries that count: none that was interrupted, lost or rate-limited.
    pub tried: u32,
    /// Of these, those that were merged.
    pub merged: u32,
}

impl RungRate {
    /// The share in per cent; `None` before the first try.
    pub fn percent(&self) -> Option<u32> {
        (self.tried > 0).then(|| self.merged * 100 / self.tried)
    }
}

/// How well it goes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Rates {
    /// By kind of try.
    pub rungs: BTreeMap<&'static str, RungRate>,
    /// Failures by kind.
    pub failures: BTreeMap<&'static str, u32>,
    /// Reviews by what was said.
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

    fn count(&mut self, attempt: &AttemptHistory, merged: bool) {
        if let Some(AttemptEnd::Failed { failure }) = &attempt.end {
            *self.failures.entry(failure.kind()).or_default() += 1;
        }
        for verdict in &attempt.reviews {
            *self.reviews.entry(verdict.as_str()).or_default() += 1;
        }
        let verifying = attempt.steps.iter().filter(|s| s.action == Action::VerifyPass);
        self.verifying_millis += verifying.map(|s| s.millis).sum::<u64>();
        let worked = attempt.ended.map_or(0, |end| end - attempt.started);
        self.working_millis += u64::try_from(worked).unwrap_or(0);
        let counts = match &attempt.end {
            Some(AttemptEnd::Failed { failure }) => failure.kind() != "rate-limited",
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
        let hunter = self.rungs.get("bug-hunter").and_then(RungRate::percent);
        let verifying = share(self.verifying_millis, self.working_millis);
        let tasks = view.tasks.len() as u64;
        let overridden = histories.iter().filter(|h| h.overridden).count() as u64;
        let overridden = share(overridden, tasks);
        let red = histories.iter().filter_map(|h| h.attempts.iter().rev().find_map(|a| a.red.as_ref()));
        let kinds: Vec<RedKind> = red.map(|r| r.kind).collect();
        let nameless = kinds.iter().filter(|k| **k == RedKind::ExitCode).count() as u64;
        let nameless = share(nameless, kinds.len() as u64);
        let deepest = view.tasks.iter().map(|t| view.parents_of(t).count()).max().unwrap_or(0);
        let unread =
            self.reviews.get(Verdict::Unknown { reason: String::new() }.as_str()).copied().unwrap_or(0);
        let looked = self.reviews.values().sum::<u32>();
        let unread = share(u64::from(unread), u64::from(looked));
        vec![
            Trigger {
                name: "a bug-hunter's tries that were merged",
                value: words(hunter.map(u64::from)),
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
                name: "tasks whose tests have no names",
                value: words(nameless),
                limit: "above 20 %",
                tripped: nameless.is_some_and(|p| p > 20),
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
        ]
    }
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
