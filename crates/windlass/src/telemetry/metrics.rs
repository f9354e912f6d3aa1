//! The figures of one run, folded from its events: tokens and time of turns, tasks, attempts, money.

use std::collections::BTreeMap;

use windlass_core::event::{AttemptEnd, Event, EventFact, Millis, RunEvent, Stamped, TaskEvent, Usage};

use super::otlp::hex;
use super::spans::{state_of, trace_of};

/// The buckets that the conventions name for tokens.
const TOKEN_BOUNDS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16384.0,
    65536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
/// The buckets that the conventions name for seconds, and three more: turns of agents take minutes.
const SECOND_BOUNDS: [f64; 17] = [
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 327.68, 1310.72,
    5242.88,
];

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Meter {
    /// Its name.
    pub(super) name: &'static str,
    /// Its unit.
    pub(super) unit: &'static str,
    /// What it says.
    pub(super) about: &'static str,
    /// The upper bounds of its buckets; none for a sum.
    pub(super) bounds: &'static [f64],
}

const TOKENS: Meter = Meter {
    name: "gen_ai.client.token.usage",
    unit: "{token}",
    about: "Tokens of a turn of an agent",
    bounds: &TOKEN_BOUNDS,
};
const DURATION: Meter = Meter {
    name: "gen_ai.client.operation.duration",
    unit: "s",
    about: "Time of a turn of an agent",
    bounds: &SECOND_BOUNDS,
};
const COST: Meter =
    Meter { name: "windlass.cost", unit: "USD", about: "Money that agents reported", bounds: &[] };
const TASKS: Meter =
    Meter { name: "windlass.tasks", unit: "{task}", about: "Tasks that came to a state", bounds: &[] };
const ATTEMPTS: Meter =
    Meter { name: "windlass.attempts", unit: "{attempt}", about: "Attempts that ended", bounds: &[] };

/// The labels of one series.
type Labels = Vec<(&'static str, String)>;

/// How values are spread.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Histogram {
    /// How many.
    pub(super) count: u64,
    /// Their sum.
    pub(super) sum: f64,
    /// The least.
    pub(super) min: f64,
    /// The greatest.
    pub(super) max: f64,
    /// How many fell into each bucket; one more than there are bounds.
    pub(super) buckets: Vec<u64>,
}

impl Histogram {
    fn add(&mut self, value: f64, bounds: &[f64]) {
        self.buckets.resize(bounds.len() + 1, 0);
        self.buckets[bounds.partition_point(|bound| *bound < value)] += 1;
        self.min = if self.count == 0 { value } else { self.min.min(value) };
        self.max = self.max.max(value);
        self.count += 1;
        self.sum += value;
    }
}

/// The figures of the run at work.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RunMetrics {
    /// The run, so that two of them are not added up.
    pub(super) instance: String,
    /// When it started.
    pub(super) since: Millis,
    /// The time of its newest event.
    pub(super) until: Millis,
    /// Spreads.
    pub(super) histograms: Series<Histogram>,
    /// Sums.
    pub(super) sums: Series<f64>,
}

/// Values by meter and labels. There are few meters: a list keeps their order.
type Series<T> = Vec<(Meter, BTreeMap<Labels, T>)>;

fn series<'s, T>(all: &'s mut Series<T>, meter: &Meter) -> &'s mut BTreeMap<Labels, T> {
    let at = all.iter().position(|(known, _)| known.name == meter.name).unwrap_or_else(|| {
        all.push((*meter, BTreeMap::new()));
        all.len() - 1
    });
    &mut all[at].1
}

impl RunMetrics {
    /// Whether there is anything to tell.
    pub(super) fn is_empty(&self) -> bool {
        self.histograms.is_empty() && self.sums.is_empty()
    }

    /// Takes one event in.
    pub(super) fn apply(&mut self, stamped: &Stamped, provider: impl Fn(&str) -> String) {
        self.until = stamped.at;
        match &stamped.event {
            Event::Run(RunEvent::RunStarted(started)) => {
                let instance = hex(&trace_of(stamped, started));
                *self = Self { instance, since: stamped.at, until: stamped.at, ..Self::default() };
            }
            Event::Task { event, .. } => self.task(event),
            Event::Run(
                RunEvent::PlanSealed { .. }
                | RunEvent::RunEnded { .. }
                | RunEvent::Paused
                | RunEvent::Resumed
                | RunEvent::StopRequested { .. }
                | RunEvent::TipMoved { .. }
                | RunEvent::SyncIntended(_)
                | RunEvent::Synced(_)
                | RunEvent::MergingPaused { .. }
                | RunEvent::MergingResumed
                | RunEvent::AgentPaused { .. }
                | RunEvent::PlaceLost { .. }
                | RunEvent::ProviderStopped { .. }
                | RunEvent::ProviderResumed { .. }
                | RunEvent::BudgetSpent { .. }
                | RunEvent::ClosingFailed { .. }
                | RunEvent::PlanJudged(_)
                | RunEvent::QueueFormed { .. }
                | RunEvent::Finding { .. },
            ) => {}
        }
        if let Some(turn) = stamped.event.paid_turn() {
            self.turn(turn.usage, turn.millis, &provider(turn.agent), turn.model);
        }
    }

    fn turn(&mut self, usage: &Usage, millis: u64, provider: &str, model: Option<&str>) {
        let mut labels: Labels = vec![
            ("gen_ai.operation.name", "invoke_agent".into()),
            ("gen_ai.provider.name", provider.to_owned()),
        ];
        labels.extend(model.map(|model| ("gen_ai.request.model", model.to_owned())));
        #[expect(clippy::cast_precision_loss, reason = "figures for a chart")]
        let number = |n: u64| n as f64;
        self.spread(&DURATION, labels.clone(), number(millis) / 1000.0);
        for (kind, tokens) in [("input", usage.input_tokens), ("output", usage.output_tokens)] {
            if tokens > 0 {
                let with = labels.iter().cloned().chain([("gen_ai.token.type", kind.to_owned())]).collect();
                self.spread(&TOKENS, with, number(tokens));
            }
        }
        if let Some(cost) = usage.cost_usd {
            self.sum(&COST, labels, cost);
        }
    }

    fn task(&mut self, event: &TaskEvent) {
        let mut attempt = |word: &str| {
            self.sum(&ATTEMPTS, vec![("windlass.attempt.end", word.to_owned())], 1.0);
        };
        match event.fact() {
            EventFact::AttemptEnded(AttemptEnd::Failed { failure }) => attempt(failure.kind()),
            EventFact::AttemptEnded(AttemptEnd::Interrupted) => attempt("interrupted"),
            EventFact::AttemptEnded(AttemptEnd::Lost) => attempt("lost"),
            EventFact::Commit { .. } => attempt("merged"),
            EventFact::RunBegan
            | EventFact::AttemptBegan
            | EventFact::Turn(_)
            | EventFact::TaskStopped(_)
            | EventFact::Other => {}
        }
        if let Some(state) = state_of(event) {
            self.sum(&TASKS, vec![("windlass.task.state", state.to_owned())], 1.0);
        }
    }

    fn spread(&mut self, meter: &Meter, labels: Labels, value: f64) {
        series(&mut self.histograms, meter).entry(labels).or_default().add(value, meter.bounds);
    }

    fn sum(&mut self, meter: &Meter, labels: Labels, value: f64) {
        *series(&mut self.sums, meter).entry(labels).or_default() += value;
    }
}
