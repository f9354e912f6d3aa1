//! One HTTP call with a timeout that can be cancelled at any time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ureq::Agent;
use windlass_core::calendar::http_date;

use crate::process::{CancelLevel, CancellationSignal};

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(10);
/// The longest answer.
pub(super) const ANSWER_BYTES: u64 = 8 << 20;

/// What is sent.
pub(super) struct HttpCall {
    pub(super) url: String,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
    pub(super) timeout: Duration,
}

/// What came of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HttpOutcome {
    /// An answer.
    Answer {
        status: u16,
        /// Seconds the server wants to be left alone.
        retry_after: Option<u64>,
        body: Vec<u8>,
    },
    /// Time ran out.
    TimedOut,
    /// No connection, or the server does not speak HTTP.
    Unreachable(String),
    /// The connection broke off.
    Broken(String),
    /// The answer is longer than any answer may be.
    TooLong,
    /// It was stopped.
    Cancelled,
}

/// Makes the call.
pub(super) async fn make(call: HttpCall, cancel: &CancellationSignal) -> HttpOutcome {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .timeout_resolve(Some(CONNECT))
        .timeout_connect(Some(CONNECT))
        .timeout_global(Some(call.timeout))
        .user_agent("windlass")
        .build();
    let agent = Agent::new_with_config(config);
    // Also closes the connection when the turn is dropped: an unread answer still costs money.
    let line = HangUp(Some(agent.clone()));
    let waiting = tokio::task::spawn_blocking(move || send(&agent, &call));
    tokio::select! {
        biased;
        () = cancel.reached(CancelLevel::Stop) => {
            drop(line);
            HttpOutcome::Cancelled
        }
        came = waiting => came.unwrap_or_else(|e| HttpOutcome::Broken(e.to_string())),
    }
}

struct HangUp(Option<Agent>);

impl Drop for HangUp {
    fn drop(&mut self) {
        if let Some(agent) = self.0.take() {
            agent.shutdown();
        }
    }
}

fn send(agent: &Agent, call: &HttpCall) -> HttpOutcome {
    let mut request = agent.post(&call.url).header("content-type", "application/json");
    for (name, value) in &call.headers {
        request = request.header(*name, value);
    }
    let mut response = match request.send(&call.body[..]) {
        Ok(response) => response,
        Err(error) => return failed(error),
    };
    let retry_after = response.headers().get("retry-after").and_then(|v| v.to_str().ok()).and_then(seconds);
    let status = response.status().as_u16();
    match response.body_mut().with_config().limit(ANSWER_BYTES).read_to_vec() {
        Ok(body) => HttpOutcome::Answer { status, retry_after, body },
        Err(ureq::Error::Timeout(_)) => HttpOutcome::TimedOut,
        Err(ureq::Error::BodyExceedsLimit(_)) => HttpOutcome::TooLong,
        Err(error) => HttpOutcome::Broken(error.to_string()),
    }
}

fn failed(error: ureq::Error) -> HttpOutcome {
    match error {
        // The connection timed out, not the whole request.
        ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
            HttpOutcome::Unreachable(format!("it did not answer within {} s", CONNECT.as_secs()))
        }
        ureq::Error::Timeout(_) => HttpOutcome::TimedOut,
        ureq::Error::Io(e) if is_no_connection(&e) => HttpOutcome::Unreachable(e.to_string()),
        ureq::Error::Io(e) => HttpOutcome::Broken(e.to_string()),
        other => HttpOutcome::Unreachable(other.to_string()),
    }
}

fn is_no_connection(error: &std::io::Error) -> bool {
    use std::io::ErrorKind as Kind;
    matches!(
        error.kind(),
        Kind::ConnectionRefused
            | Kind::HostUnreachable
            | Kind::NetworkUnreachable
            | Kind::AddrNotAvailable
            | Kind::NotFound
    )
}

/// The seconds of a `Retry-After`, which are a number or a moment.
fn seconds(text: &str) -> Option<u64> {
    if let Ok(seconds) = text.trim().parse::<u64>() {
        return Some(seconds);
    }
    let moment = UNIX_EPOCH + Duration::from_secs(u64::try_from(http_date(text)?).ok()?);
    Some(moment.duration_since(SystemTime::now()).map_or(0, |left| left.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_time_is_a_number_or_a_moment() {
        assert_eq!(seconds(" 7 "), Some(7));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(0));
        assert!(seconds("Fri, 31 Dec 2100 23:59:59 GMT").is_some_and(|s| s > 1_000_000));
        assert_eq!(seconds("soon"), None);
    }
}
