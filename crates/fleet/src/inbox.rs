//! What comes to one end of a connection: parts in their order, each once.

use std::pin::Pin;
use std::time::Duration;

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::pull::{Batch, Config};
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::stream::ConsumerError;
use futures_util::StreamExt as _;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::broker::{FleetBroker, LinkState, OUTAGE};

/// How long the broker waits for a part before it answers that there is none.
const WAIT: Duration = Duration::from_secs(20);
/// A part that was given out and not acknowledged for so long is given out again.
const ACK_WAIT: Duration = Duration::from_secs(30);
/// A pause after an error of the broker.
const PAUSE: Duration = Duration::from_millis(200);

/// What a part holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CarriedPart {
    /// The worker that took the call.
    Claim(Vec<u8>),
    /// Whole frames.
    Frames(Vec<u8>),
    /// The end, with what there is to say about it.
    Over(String),
}

impl CarriedPart {
    pub(crate) fn bytes(self) -> Vec<u8> {
        let (kind, mut rest) = match self {
            Self::Claim(rest) => (b'c', rest),
            Self::Frames(rest) => (b'f', rest),
            Self::Over(words) => (b'o', words.into_bytes()),
        };
        rest.insert(0, kind);
        rest
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        match kind {
            b'c' => Some(Self::Claim(rest.to_vec())),
            b'f' => Some(Self::Frames(rest.to_vec())),
            b'o' => Some(Self::Over(String::from_utf8_lossy(rest).into_owned())),
            _ => None,
        }
    }
}

/// A part that came.
pub(crate) struct ArrivedPart {
    /// The last word of its subject: the worker that took the call.
    pub(crate) taker: String,
    /// Its place in the order.
    pub(crate) number: u64,
    /// `None` if it cannot be read.
    pub(crate) part: Option<CarriedPart>,
    message: Message,
}

impl ArrivedPart {
    fn of(message: Message) -> Self {
        let taker = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
        let id =
            message.headers.as_ref().and_then(|headers| headers.get(async_nats::header::NATS_MESSAGE_ID));
        let number = id.and_then(|id| id.as_str().rsplit('.').next()?.parse().ok());
        let part = number.and_then(|_| CarriedPart::read(&message.payload));
        Self { taker, number: number.unwrap_or_default(), part, message }
    }

    /// It is dealt with: the broker may remove it.
    pub(crate) async fn done(&self) {
        // One that is given out again is known by its number.
        let _ = self.message.ack().await;
    }
}

/// The parts under a subject, in their order. A part that was given out and not acknowledged comes again.
pub(crate) struct SessionInbox {
    broker: FleetBroker,
    consumer: String,
    filter: String,
    state: watch::Receiver<LinkState>,
    /// Whether parts may have been given out that never came: then the consumer is made anew, and begins with the first part
    /// that was not acknowledged.
    stale: bool,
    asking: Option<Asking>,
    asked: Option<Batch>,
    /// How often the same part was waited for in vain.
    missed: (u64, u32),
}

/// A request for parts on its way.
type Asking = Pin<Box<dyn Future<Output = Option<Batch>> + Send>>;

impl SessionInbox {
    /// Everything under `filter`; `name` is the consumer's.
    pub(crate) fn new(broker: &FleetBroker, name: String, filter: String) -> Self {
        Self {
            broker: broker.clone(),
            consumer: name,
            filter,
            state: broker.watch(),
            stale: false,
            asking: None,
            asked: None,
            missed: (0, 0),
        }
    }

    /// The next part. Waits for as long as it takes while the broker is there; `None` if it has been away for too long. May be
    /// dropped at any time.
    pub(crate) async fn next(&mut self) -> Option<ArrivedPart> {
        loop {
            if let Some(time) = self.broker.away() {
                self.reset();
                if time > OUTAGE {
                    return None;
                }
                let _ = timeout(Duration::from_secs(1), self.state.changed()).await;
                continue;
            }
            // What was asked for before is forgotten by a broker that was away.
            if self.state.has_changed().unwrap_or(false) {
                self.state.borrow_and_update();
                self.reset();
            }
            if let Some(batch) = self.asked.as_mut() {
                let came = tokio::select! {
                    came = batch.next() => came,
                    _ = self.state.changed() => { self.reset(); continue }
                };
                match came {
                    Some(Ok(message)) => return Some(ArrivedPart::of(message)),
                    Some(Err(_)) => {
                        self.reset();
                        sleep(PAUSE).await;
                    }
                    None => self.asked = None,
                }
                continue;
            }
            let stale = std::mem::take(&mut self.stale);
            let (broker, config) = (&self.broker, self.config());
            let asking = self.asking.get_or_insert_with(|| Box::pin(ask(broker.clone(), config, stale)));
            tokio::select! {
                asked = asking => {
                    (self.asking, self.asked) = (None, asked);
                    if self.asked.is_none() {
                        self.stale = true;
                        sleep(PAUSE).await;
                    }
                }
                _ = self.state.changed() => self.reset(),
            }
        }
    }

    fn reset(&mut self) {
        (self.asking, self.asked, self.stale) = (None, None, true);
    }

    /// A later part came than the one expected: everything that was not acknowledged is asked for again. Not for ever.
    pub(crate) fn again(&mut self, expected: u64) -> bool {
        const MOST: u32 = 3;
        self.reset();
        self.missed = if self.missed.0 == expected { (expected, self.missed.1 + 1) } else { (expected, 1) };
        self.missed.1 <= MOST
    }

    fn config(&self) -> Config {
        Config {
            name: Some(self.consumer.clone()),
            filter_subject: self.filter.clone(),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            inactive_threshold: OUTAGE,
            ..Config::default()
        }
    }

    /// Makes the consumer, so that it is there before anything comes.
    pub(crate) async fn prepare(&mut self) -> Result<(), String> {
        let made = make(&self.broker, self.config()).await;
        made.map(drop).map_err(|error| crate::broker::chain(&error))
    }

    /// Nothing more is expected.
    pub(crate) async fn close(self) {
        drop((self.asking, self.asked));
        self.broker.forget(&self.consumer).await;
    }
}

async fn make(broker: &FleetBroker, config: Config) -> Result<Consumer<Config>, ConsumerError> {
    broker.jetstream.create_consumer_on_stream(config, broker.names.parts()).await
}

/// Asks for parts. The consumer is made if it is not there: the broker removes one that is not used for a while.
async fn ask(broker: FleetBroker, config: Config, stale: bool) -> Option<Batch> {
    if stale {
        broker.forget(config.name.as_deref().unwrap_or_default()).await;
    }
    let consumer = make(&broker, config).await.ok()?;
    consumer.batch().max_messages(32).expires(WAIT).messages().await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_survive_the_journey_and_garbage_is_none() {
        for part in [
            || CarriedPart::Claim(b"{}".to_vec()),
            || CarriedPart::Frames(vec![0, 1, 255]),
            || CarriedPart::Over("why".into()),
        ] {
            assert_eq!(CarriedPart::read(&part().bytes()), Some(part()));
        }
        assert_eq!(CarriedPart::read(b""), None);
        assert_eq!(CarriedPart::read(b"xyz"), None);
    }
}
