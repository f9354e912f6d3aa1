//! How hard one provider is driven: fewer turns at once after a rate limit, more again as turns succeed.
//!
//! Additive increase, multiplicative decrease, and a circuit breaker. *Closed*: turns begin up to the limit. *Open*:
//! none begins until the rest is over. *Half-open*: once the rest of an open breaker is over, a single turn probes the
//! provider; success closes the breaker, a refusal doubles the next rest. No task loses an attempt by any of it.
//! Pure: the time is passed in, and the same calls give the same state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::Millis;

/// What governors are held to; journaled with the settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GovernorRules {
    /// The most turns of one provider at once; 0 leaves it to the number of jobs.
    pub at_once: u32,
    /// The same for single providers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub each: BTreeMap<String, u32>,
    /// The first rest, where the provider does not say how long.
    pub rest_seconds: u64,
    /// The longest rest that is not the provider's own wish.
    pub longest_rest_seconds: u64,
}

impl Default for GovernorRules {
    fn default() -> Self {
        Self { at_once: 0, each: BTreeMap::new(), rest_seconds: 30, longest_rest_seconds: 900 }
    }
}

impl GovernorRules {
    /// The most turns of a provider at once.
    pub(crate) fn ceiling(&self, provider: &str, jobs: u32) -> u32 {
        let own = self.each.get(provider).copied().unwrap_or(self.at_once);
        let own = if own == 0 { jobs } else { own };
        own.min(jobs).max(1)
    }
}

/// Whether turns may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breaker {
    /// Up to the limit.
    Closed,
    /// Not before this time; then one at a time.
    Open {
        /// The end of the rest.
        until: Millis,
    },
}

/// The state of one provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Governor {
    ceiling: u32,
    limit: u32,
    breaker: Breaker,
    /// Refusals in a row.
    strikes: u32,
    /// Successes since the limit last grew.
    good: u32,
}

/// A provider's own wish is honoured up to a day.
const LONGEST_WISH: u64 = 24 * 3600;
/// Beyond so many doublings a rest is the longest anyway.
const DOUBLINGS: u32 = 20;

impl Governor {
    /// One that has never been refused.
    pub fn new(ceiling: u32) -> Self {
        let ceiling = ceiling.max(1);
        Self { ceiling, limit: ceiling, breaker: Breaker::Closed, strikes: 0, good: 0 }
    }

    /// Takes over a new ceiling: another run may have another number of jobs.
    pub(crate) fn set_ceiling(&mut self, ceiling: u32) {
        let free = self.limit == self.ceiling;
        self.ceiling = ceiling.max(1);
        self.limit = if free { self.ceiling } else { self.limit.min(self.ceiling) };
    }

    /// How many turns may run at once, once the breaker is closed.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Refusals in a row.
    pub(crate) fn strikes(&self) -> u32 {
        self.strikes
    }

    /// The end of the rest, if it rests.
    pub fn resting(&self, now: Millis) -> Option<Millis> {
        match self.breaker {
            Breaker::Open { until } if until > now => Some(until),
            Breaker::Open { .. } | Breaker::Closed => None,
        }
    }

    /// How many more turns may begin now, with so many under way.
    pub fn room(&self, now: Millis, running: u32) -> u32 {
        match self.breaker {
            Breaker::Closed => self.limit.saturating_sub(running),
            Breaker::Open { until } if until > now => 0,
            Breaker::Open { .. } => 1_u32.saturating_sub(running),
        }
    }

    /// The end of the rest that a refusal now leads to; `None` if it changes nothing, because it comes from a turn
    /// that began before the rest in force.
    pub(crate) fn rest_after(&self, rules: &GovernorRules, now: Millis, told: Option<u64>) -> Option<Millis> {
        let wish = told.map(|s| s.clamp(1, LONGEST_WISH));
        let until = |seconds: u64| now + i64::try_from(seconds).unwrap_or(i64::MAX / 2000) * 1000;
        if let Some(resting) = self.resting(now) {
            return wish.map(until).filter(|wished| *wished > resting);
        }
        let doubled = rules.rest_seconds.max(1).saturating_mul(1 << self.strikes.min(DOUBLINGS));
        Some(until(wish.unwrap_or_else(|| doubled.min(rules.longest_rest_seconds.max(1)))))
    }

    /// A turn was refused; the rest lasts until `until`. So many turns were under way, the refused one included.
    pub fn refused(&mut self, now: Millis, until: Millis, running: u32) {
        self.good = 0;
        match self.breaker {
            Breaker::Open { until: before } if before > now => {
                // A straggler of the same crowd: one crowd is slowed down once.
                self.breaker = Breaker::Open { until: before.max(until) };
                return;
            }
            Breaker::Closed => self.limit = (self.limit.min(running.max(1)) / 2).max(1),
            Breaker::Open { .. } => self.limit = 1,
        }
        self.strikes = self.strikes.saturating_add(1);
        self.breaker = Breaker::Open { until };
    }

    /// A turn came through.
    pub(crate) fn succeeded(&mut self, now: Millis) {
        match self.breaker {
            // It began before the rest; it says nothing about now.
            Breaker::Open { until } if until > now => return,
            Breaker::Open { .. } => {
                self.breaker = Breaker::Closed;
                self.strikes = 0;
                self.good = 0;
                return;
            }
            Breaker::Closed => {}
        }
        if self.limit < self.ceiling {
            self.good += 1;
            if self.good >= self.limit {
                self.good = 0;
                self.limit += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
