//! Watches the stream of a running program and ends hopeless runs: a refused login, endless retries, a limit that the
//! program does not support.

use windlass_core::policy::Prices;

use super::CliKind;
use crate::agent::stream::{LineContent, Problem, StreamEntry, StreamReader, StreamSummary};
use crate::config::CliSpec;
use crate::process::{CancelLevel, CancellationSignal};

/// The number of retries in a row after which a run is ended.
const RETRIES: u32 = 5;
/// The longest wait in seconds that is left to the program; beyond it the governor decides.
const PATIENCE: u64 = 20;

/// What listens.
pub(super) struct StreamWatch {
    reader: StreamReader,
    told: StreamSummary,
    limits: TurnLimits,
    prices: Prices,
    model: Option<String>,
    stop: CancellationSignal,
    stopped: bool,
}

/// Limits that the program has no option for.
#[derive(Debug, Clone, Copy, Default)]
struct TurnLimits {
    steps: Option<u32>,
    money: Option<f64>,
}

impl StreamWatch {
    /// Listens to this program; `stop` is raised to end it.
    pub(super) fn new(spec: &CliSpec, stop: CancellationSignal) -> Self {
        let limits = match spec.kind {
            CliKind::Claude => TurnLimits::default(),
            CliKind::Gemini | CliKind::Qwen => TurnLimits { steps: None, money: spec.max_budget_usd },
            CliKind::Codex | CliKind::Opencode => {
                TurnLimits { steps: spec.max_turns, money: spec.max_budget_usd }
            }
        };
        Self {
            reader: StreamReader::new(spec.kind),
            told: StreamSummary::default(),
            limits,
            prices: spec.prices.clone(),
            model: spec.model.clone(),
            stop,
            stopped: false,
        }
    }

    /// Hears what arrived.
    pub(super) fn hear(&mut self, bytes: &[u8]) {
        let Self { reader, told, .. } = self;
        reader.push(bytes, &mut |heard| take(told, heard));
        self.judge();
    }

    /// Everything was heard: what was told, and whether it was ended from here.
    pub(super) fn finish(&mut self) -> (StreamSummary, bool) {
        let Self { reader, told, .. } = self;
        reader.finish(&mut |heard| take(told, heard));
        (std::mem::take(&mut self.told), self.stopped)
    }

    fn judge(&mut self) {
        if self.stopped || self.told.end.is_some() {
            return;
        }
        let reason = self.over_limit().or_else(|| self.hopeless());
        if let Some(reason) = reason {
            self.told.failure = Some(reason);
            self.stopped = true;
            self.stop.raise(CancelLevel::Stop);
        }
    }

    fn over_limit(&self) -> Option<(Problem, String)> {
        // Codex reports no steps before its end; its tool calls are counted instead.
        let steps = self.told.steps.max(self.told.tools);
        if let Some(most) = self.limits.steps.filter(|most| steps > *most) {
            return Some((Problem::TurnLimit, format!("it took more than {most} turns")));
        }
        let model = self.told.model.as_deref().or(self.model.as_deref());
        let spent = self.prices.price(self.told.usage, model).cost_usd.unwrap_or(0.0);
        let most = self.limits.money.filter(|most| spent > *most)?;
        Some((Problem::MoneyLimit, format!("it spent more than ${most}")))
    }

    fn hopeless(&self) -> Option<(Problem, String)> {
        let (problem, message) = self.told.trouble.clone()?;
        let at_once = match problem {
            Problem::Login | Problem::Payment => true,
            Problem::RateLimit { retry_after, .. } => retry_after.is_some_and(|s| s > PATIENCE),
            Problem::Unreachable
            | Problem::Cut
            | Problem::TurnLimit
            | Problem::MoneyLimit
            | Problem::NoSession
            | Problem::Refused
            | Problem::Server
            | Problem::Stopped
            | Problem::Other => false,
        };
        (at_once || self.told.retries >= RETRIES).then_some((problem, message))
    }
}

fn take(told: &mut StreamSummary, heard: LineContent<'_>) {
    let entries: Vec<StreamEntry> = match heard {
        LineContent::Entries(entries) => entries,
        LineContent::Plain(_) | LineContent::TooLong(_) => return,
    };
    for entry in entries {
        told.take(entry);
    }
}

#[cfg(test)]
mod tests;
