//! The run's limit of money and tokens, held while turns are at work.
//!
//! Every turn is admitted here first and reports what its agent has told so far. A turn is ended once the limit would
//! be passed by more than one answer: with several turns at work each may be about to get an answer, so room for the
//! answers of the others is kept free. How large an answer is, is learnt from those that came; until the first one has
//! come, turns go one by one. Knows nothing of tasks, agents or the journal.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;
use windlass_core::event::{TurnProgress, Usage};
use windlass_core::policy::Settings;

use crate::process::{CancelLevel, CancellationSignal};

/// An answer may be so many times as large as the largest before it: what a model reads grows with every answer.
const GROWTH: f64 = 2.0;

/// The limit of a run and what was spent of it.
pub(crate) struct RunBudget {
    max_usd: Option<f64>,
    max_tokens: Option<f64>,
    state: Mutex<BudgetState>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct BudgetState {
    /// What turns that are over have used.
    over: Amount,
    turns_over: u32,
    /// What turns at work have told, by their number.
    at_work: BTreeMap<u64, Amount>,
    next: u64,
    /// The largest answer so far.
    largest: Amount,
    /// Why no further turn starts.
    closed: Option<String>,
    announced: bool,
}

/// Money and tokens, as numbers to reckon with.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Amount {
    usd: f64,
    tokens: f64,
}

impl Amount {
    fn of(usage: &Usage) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "no run has 2^52 tokens")]
        Self { usd: usage.cost_usd.unwrap_or(0.0), tokens: usage.tokens() as f64 }
    }

    fn plus(self, other: Self) -> Self {
        Self { usd: self.usd + other.usd, tokens: self.tokens + other.tokens }
    }

    fn times(self, factor: f64) -> Self {
        Self { usd: self.usd * factor, tokens: self.tokens * factor }
    }

    fn most(self, other: Self) -> Self {
        Self { usd: self.usd.max(other.usd), tokens: self.tokens.max(other.tokens) }
    }
}

impl BudgetState {
    fn total(&self) -> Amount {
        self.at_work.values().fold(self.over, |sum, spent| sum.plus(*spent))
    }

    /// What one more answer may cost.
    fn answer(&self) -> Amount {
        self.largest.times(GROWTH)
    }

    /// What one more turn may cost.
    fn turn(&self) -> Amount {
        self.over.times(1.0 / f64::from(self.turns_over.max(1))).most(self.answer())
    }
}

/// What is left for a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Remaining {
    pub(crate) usd: Option<f64>,
}

impl RunBudget {
    /// The budget of a run with these settings.
    pub(crate) fn of(settings: &Settings) -> Arc<Self> {
        #[expect(clippy::cast_precision_loss, reason = "no run has 2^52 tokens")]
        let max_tokens = settings.max_tokens.map(|most| most as f64);
        Arc::new(Self {
            max_usd: settings.max_cost_usd,
            max_tokens,
            state: Mutex::default(),
            changed: Notify::new(),
        })
    }

    /// Waits until a turn may start. `None` if none starts any more, or the wait was cancelled.
    pub(crate) async fn admit(self: &Arc<Self>, cancel: &CancellationSignal) -> Option<Arc<TurnMeter>> {
        loop {
            let changed = self.changed.notified();
            match self.try_admit() {
                Admission::Granted(meter) => return Some(meter),
                Admission::Closed => return None,
                Admission::Wait => {}
            }
            tokio::select! {
                () = changed => {}
                () = cancel.reached(CancelLevel::Stop) => return None,
            }
        }
    }

    fn try_admit(self: &Arc<Self>) -> Admission {
        let mut state = self.state();
        let total = state.total();
        if state.closed.is_none() && self.is_reached(total) {
            state.closed = Some(self.words(total));
        }
        if state.closed.is_some() {
            return Admission::Closed;
        }
        #[expect(clippy::cast_precision_loss, reason = "a number of turns")]
        let at_work = state.at_work.len() as f64;
        let unknown = state.largest == Amount::default();
        if at_work > 0.0 && self.is_limited() {
            let expected = total.plus(state.turn().times(at_work + 1.0));
            if unknown || self.is_passed(expected) {
                return Admission::Wait;
            }
        }
        // Still under the lock: two turns that ask at the same moment must see each other.
        Admission::Granted(self.meter(&mut state))
    }

    fn meter(self: &Arc<Self>, state: &mut BudgetState) -> Arc<TurnMeter> {
        let number = state.next;
        state.next += 1;
        state.at_work.insert(number, Amount::default());
        let (budget, since) = (Arc::clone(self), Instant::now());
        Arc::new(TurnMeter { budget, number, since, progress: Mutex::default() })
    }

    /// Ends the budget for a reason of its own.
    pub(crate) fn close(&self, reason: String) {
        self.state().closed.get_or_insert(reason);
        self.changed.notify_waiters();
    }

    /// Whether money is limited.
    pub(crate) fn limits_money(&self) -> bool {
        self.max_usd.is_some()
    }

    /// Why no further turn starts, the first time it is asked after that is so.
    pub(crate) fn newly_closed(&self) -> Option<String> {
        let mut state = self.state();
        let reason = state.closed.clone().filter(|_| !state.announced)?;
        state.announced = true;
        Some(reason)
    }

    /// What all turns have used so far: money and tokens.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "never below 0, and below 2^52"
    )]
    pub(crate) fn spent(&self) -> (f64, u64) {
        let total = self.state().total();
        (total.usd, total.tokens as u64)
    }

    fn is_limited(&self) -> bool {
        self.max_usd.is_some() || self.max_tokens.is_some()
    }

    fn is_reached(&self, spent: Amount) -> bool {
        self.max_usd.is_some_and(|max| spent.usd >= max)
            || self.max_tokens.is_some_and(|max| spent.tokens >= max)
    }

    fn is_passed(&self, spent: Amount) -> bool {
        self.max_usd.is_some_and(|max| spent.usd > max)
            || self.max_tokens.is_some_and(|max| spent.tokens > max)
    }

    fn words(&self, total: Amount) -> String {
        let mut parts = Vec::new();
        if let Some(max) = self.max_usd {
            parts.push(format!("{:.4} of {max:.4} US dollars", total.usd));
        }
        if let Some(max) = self.max_tokens {
            parts.push(format!("{} of {max} tokens", total.tokens));
        }
        format!("{} are spent: no further turn of an agent starts", parts.join(", "))
    }

    fn state(&self) -> MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Admission {
    Granted(Arc<TurnMeter>),
    Wait,
    Closed,
}

/// Usage that one running turn has reported: counts against the limit of the run, and is shown while it works.
pub struct TurnMeter {
    budget: Arc<RunBudget>,
    number: u64,
    since: Instant,
    progress: Mutex<TurnProgress>,
}

impl TurnMeter {
    /// The meter of a turn that belongs to no run.
    pub fn alone() -> Arc<Self> {
        let budget = RunBudget::of(&Settings::default());
        let mut state = budget.state();
        budget.meter(&mut state)
    }

    /// What is left of the run's money.
    pub(crate) fn remaining(&self) -> Remaining {
        let state = self.budget.state();
        let spent = state.total().usd;
        Remaining { usd: self.budget.max_usd.map(|max| (max - spent).max(0.0)) }
    }

    /// What is left of the run's tokens.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "never below 0, and below 2^52"
    )]
    pub(crate) fn tokens_left(&self) -> Option<u64> {
        let spent = self.budget.state().total().tokens;
        self.budget.max_tokens.map(|max| (max - spent).max(0.0) as u64)
    }

    /// Takes in what the turn has used so far. The reason to end it, if it has to end.
    pub(crate) fn used(&self, usage: &Usage) -> Option<String> {
        let mut state = self.budget.state();
        let before = state.at_work.get(&self.number).copied().unwrap_or_default();
        let now = Amount::of(usage).most(before);
        let answer = Amount { usd: now.usd - before.usd, tokens: now.tokens - before.tokens };
        state.largest = state.largest.most(answer);
        state.at_work.insert(self.number, now);
        let total = state.total();
        #[expect(clippy::cast_precision_loss, reason = "a number of turns")]
        let others = state.at_work.len() as f64 - 1.0;
        let others = state.answer().times(others);
        if self.budget.is_reached(total) || self.budget.is_passed(total.plus(others)) {
            let words = self.budget.words(total);
            state.closed.get_or_insert_with(|| words.clone());
            return Some(words);
        }
        drop(state);
        self.budget.changed.notify_waiters();
        None
    }

    /// Shows what the agent does.
    pub(crate) fn shows(&self, progress: TurnProgress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }

    /// What the agent did last.
    pub(crate) fn progress(&self) -> TurnProgress {
        let millis = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let shown = self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
        TurnProgress { millis, ..shown }
    }

    /// The turn is over and has used exactly this, whatever was expected of it.
    pub(crate) fn settle(&self, usage: &Usage) {
        let _ = self.used(usage);
        self.budget.state().at_work.insert(self.number, Amount::of(usage));
    }
}

impl Drop for TurnMeter {
    fn drop(&mut self) {
        let mut state = self.budget.state();
        let spent = state.at_work.remove(&self.number).unwrap_or_default();
        state.over = state.over.plus(spent);
        state.turns_over += 1;
        drop(state);
        self.budget.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests;
