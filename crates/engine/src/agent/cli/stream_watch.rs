//! Watches the stream of a running program and ends hopeless runs: a refused login, endless retries, a limit that the
//! program does not support.

use std::sync::Arc;

use rustix::process::Signal;
use windlass_core::event::{TurnProgress, Usage};
use windlass_core::policy::Prices;

use super::agent::since;
use super::kind::OwnLimits;
use super::side_usage::{SideUsage, ToldBeside};
use crate::agent::stream::{LineContent, Problem, StreamEntry, StreamReader, StreamSummary};
use crate::budget::TurnMeter;
use crate::config::CliSpec;
use crate::platform::signal;
use crate::process::{CancelLevel, CancellationSignal, ProcessId};

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
    side: Option<SideUsage>,
    /// An answer that is not written down yet.
    due: Usage,
    /// What the conversation had used before.
    before: Usage,
    meter: Arc<TurnMeter>,
    stop: CancellationSignal,
    /// The program, once it runs.
    main: Option<ProcessId>,
    stopped: bool,
    out_of_budget: bool,
}

/// Limits that the program has no option for.
#[derive(Debug, Clone, Copy, Default)]
struct TurnLimits {
    steps: Option<u32>,
    money: Option<f64>,
}

impl StreamWatch {
    /// Listens to this program; `stop` is raised to end it.
    pub(super) fn new(
        spec: &CliSpec,
        side: Option<SideUsage>,
        before: Usage,
        meter: Arc<TurnMeter>,
        stop: CancellationSignal,
    ) -> Self {
        let all = TurnLimits { steps: spec.max_turns, money: spec.max_budget_usd };
        // A program's own options for limits are not among those of the protocol.
        let own = if spec.acp.is_some() { OwnLimits::None } else { spec.kind.facts().limits };
        let limits = match own {
            OwnLimits::StepsAndMoney => TurnLimits::default(),
            OwnLimits::Steps => TurnLimits { steps: None, money: spec.max_budget_usd },
            OwnLimits::None => all,
        };
        Self {
            reader: StreamReader::new(spec.kind),
            told: StreamSummary::default(),
            limits,
            prices: spec.prices.clone(),
            model: spec.model.clone(),
            side,
            due: Usage::default(),
            before,
            meter,
            stop,
            main: None,
            stopped: false,
            out_of_budget: false,
        }
    }

    /// The program runs.
    pub(super) fn started(&mut self, main: ProcessId) {
        self.main = Some(main);
    }

    /// Hears what arrived.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let Self { reader, told, .. } = self;
        reader.push(bytes, &mut |content| take(told, content));
        self.judge();
    }

    /// Looks at what the program writes down beside its stream.
    pub(super) fn look_beside(&mut self) {
        match self.side.as_mut().and_then(SideUsage::look) {
            Some(ToldBeside::Conversation { told, due }) => {
                self.told.conversation = Some(told);
                self.due = due;
            }
            Some(ToldBeside::Run(usage)) if self.told.end.is_none() => self.told.usage = usage,
            Some(ToldBeside::Run(_)) | None => return,
        }
        self.judge();
    }

    /// The stream has ended: what was told, and whether it was ended from here.
    pub(super) fn finish(&mut self) -> WatchedTurn {
        let Self { reader, told, .. } = self;
        reader.finish(&mut |content| take(told, content));
        if self.told.end.is_none() {
            // What it was charged before it was ended counts.
            self.look_beside();
        }
        WatchedTurn {
            told: std::mem::take(&mut self.told),
            stopped: self.stopped,
            out_of_budget: self.out_of_budget,
        }
    }

    /// What this turn has used so far, with its price.
    fn used(&self) -> Usage {
        let model = self.told.model.as_deref().or(self.model.as_deref());
        let conversation = self.told.conversation.map(|all| since(&all, &self.before));
        self.prices.price(conversation.unwrap_or(self.told.usage), model)
    }

    fn judge(&mut self) {
        let used = self.used();
        self.meter.shows(TurnProgress {
            millis: 0,
            tool: self.told.tool.clone(),
            said: self.told.said.as_deref().and_then(last_line),
            usage: used,
        });
        if self.stopped {
            return;
        }
        let model = self.told.model.as_deref().or(self.model.as_deref());
        let mut expected = used;
        if self.told.end.is_none() {
            expected.add(&self.prices.price(self.due, model));
        }
        let spent = self.meter.used(&expected);
        if self.told.end.is_some() {
            return;
        }
        if spent.is_some() {
            (self.stopped, self.out_of_budget) = (true, true);
            // Not asked to stop: while it ends in order, the next answer would be paid for. Killed from here, because on a
            // busy machine an answer may come before the signal is acted upon; the rest is swept as after any end.
            self.stop.raise(CancelLevel::Now);
            if let Some(main) = self.main {
                signal(main, Signal::KILL);
            }
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
        let spent = self.used().cost_usd.unwrap_or(0.0);
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
            | Problem::Declined
            | Problem::Server
            | Problem::Stopped
            | Problem::Other => false,
        };
        (at_once || self.told.retries >= RETRIES).then_some((problem, message))
    }
}

/// A turn that was listened to until its end.
pub(super) struct WatchedTurn {
    pub(super) told: StreamSummary,
    /// Whether it was ended from here.
    pub(super) stopped: bool,
    /// Whether it was ended because the run's money or tokens are spent.
    pub(super) out_of_budget: bool,
}

/// The last line that says something, cut to what fits a line.
fn last_line(text: &str) -> Option<String> {
    const MOST: usize = 120;
    let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    Some(last.chars().take(MOST).collect())
}

fn take(told: &mut StreamSummary, content: LineContent<'_>) {
    let entries: Vec<StreamEntry> = match content {
        LineContent::Entries(entries) => entries,
        LineContent::Plain(_) | LineContent::TooLong(_) => return,
    };
    for entry in entries {
        told.take(entry);
    }
}

#[cfg(test)]
mod tests;
