//! The thread that sends: batches of spans, and the newest figures, by HTTP.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::metrics::RunMetrics;
use super::otlp;
use super::spans::ClosedSpan;
use crate::config::TelemetryKeys;
use crate::world::World;

/// How long one request may take.
const LIMIT: Duration = Duration::from_secs(2);
/// How long spans are gathered before they are sent.
const GATHER: Duration = Duration::from_secs(2);
/// How many spans one request has.
const BATCH: usize = 512;
/// How many spans wait for a collector that does not answer.
const KEPT: usize = 4096;

/// Where telemetry goes.
#[derive(Debug)]
pub(super) struct Collector {
    endpoint: String,
    headers: Vec<(String, String)>,
}

/// What did not arrive.
#[derive(Debug, Default)]
pub(super) struct Undelivered {
    /// The number of spans.
    pub(super) spans: u64,
    /// Whether the newest figures are among it.
    pub(super) metrics: bool,
    /// The first reason.
    pub(super) why: Option<String>,
}

/// Why a request did not arrive.
struct PostError {
    why: String,
    /// Whether the same request may arrive later.
    passing: bool,
}

impl Collector {
    /// The one that is configured; `None` where there is none.
    pub(super) fn of(world: &World, keys: &TelemetryKeys) -> Option<Self> {
        let endpoint = keys.endpoint.as_deref()?.trim_end_matches('/').to_owned();
        let set = keys.headers_env.as_deref().and_then(|name| world.env_of([name]).pop());
        let headers = set.map(|(_, value)| headers(&value.to_string_lossy())).unwrap_or_default();
        Some(Self { endpoint, headers })
    }

    /// Sends what comes until nothing can come any more.
    pub(super) fn work(self, from: &Receiver<ClosedSpan>, metrics: &Mutex<RunMetrics>) -> Undelivered {
        let agent = ureq::Agent::config_builder().timeout_global(Some(LIMIT)).build().new_agent();
        let mut undelivered = Undelivered::default();
        let (mut waiting, mut sent) = (Vec::new(), RunMetrics::default());
        loop {
            let over = gather(from, &mut waiting);
            self.spans(&agent, &mut waiting, &mut undelivered);
            let newest = metrics.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if newest != sent && !newest.is_empty() {
                let posted = self.post(&agent, "v1/metrics", &otlp::metrics(&newest));
                undelivered.metrics = posted.is_err();
                match posted {
                    Ok(_) => sent = newest,
                    Err(error) => {
                        undelivered.why.get_or_insert(error.why);
                    }
                }
            }
            if over {
                undelivered.spans += u64::try_from(waiting.len()).unwrap_or(u64::MAX);
                return undelivered;
            }
        }
    }

    /// Sends spans in batches. Those that may arrive later stay, up to a bound.
    fn spans(&self, agent: &ureq::Agent, waiting: &mut Vec<ClosedSpan>, undelivered: &mut Undelivered) {
        while !waiting.is_empty() {
            let batch: Vec<ClosedSpan> = waiting.drain(..waiting.len().min(BATCH)).collect();
            let n = u64::try_from(batch.len()).unwrap_or(u64::MAX);
            match self.post(agent, "v1/traces", &otlp::traces(&batch)) {
                Ok(answer) => {
                    let partial = &answer["partialSuccess"];
                    let rejected = number(&partial["rejectedSpans"]);
                    if rejected > 0 {
                        let said = partial["errorMessage"].as_str().unwrap_or("it rejected them");
                        undelivered.spans += rejected.min(n);
                        undelivered.why.get_or_insert_with(|| said.chars().take(200).collect());
                    }
                }
                Err(PostError { why, passing }) => {
                    undelivered.why.get_or_insert(why);
                    if !passing {
                        undelivered.spans += n;
                        continue;
                    }
                    waiting.splice(0..0, batch);
                    let over = waiting.len().saturating_sub(KEPT);
                    undelivered.spans += u64::try_from(over).unwrap_or(u64::MAX);
                    waiting.drain(..over);
                    return;
                }
            }
        }
    }

    /// One request. An address may hold a secret, so errors do not repeat it.
    fn post(&self, agent: &ureq::Agent, path: &str, body: &Value) -> Result<Value, PostError> {
        let mut request = agent.post(format!("{}/{path}", self.endpoint));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        match request.header("Content-Type", "application/json").send(body.to_string()) {
            Ok(mut answer) => {
                let text = answer.body_mut().with_config().limit(64 * 1024).read_to_string();
                Ok(text.ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
            }
            Err(ureq::Error::StatusCode(code)) => {
                let passing = matches!(code, 429 | 502 | 503 | 504);
                Err(PostError { why: format!("`telemetry.endpoint` answered {code}"), passing })
            }
            Err(error) => Err(PostError { why: format!("`telemetry.endpoint`: {error}"), passing: true }),
        }
    }
}

/// Waits for spans for a while, or until there are enough; whether nothing can come any more.
fn gather(from: &Receiver<ClosedSpan>, waiting: &mut Vec<ClosedSpan>) -> bool {
    let until = Instant::now() + GATHER;
    let enough = waiting.len() + BATCH;
    while waiting.len() < enough {
        match from.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(span) => waiting.push(span),
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => return true,
        }
    }
    false
}

/// A 64-bit number is a text in OTLP's JSON, and some collectors write a number.
fn number(value: &Value) -> u64 {
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap_or_default()
}

/// Headers as OpenTelemetry's variables have them: `name=value,name=value`, with `%20` and the like in values.
pub(super) fn headers(text: &str) -> Vec<(String, String)> {
    let pair = |part: &str| {
        let (name, value) = part.split_once('=')?;
        Some((name.trim().to_owned(), crate::forge::unescaped(value.trim())))
    };
    text.split(',').filter_map(pair).collect()
}
