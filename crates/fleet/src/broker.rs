//! The connection to a broker, and the streams of a queue there.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, Event, RequestErrorKind};
use futures_util::StreamExt as _;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::address::FleetAddress;
use crate::subjects::QueueNames;

/// How often the first connection is tried.
const ATTEMPTS: u32 = 4;
/// How often the broker is pinged, so that a cut cable is noticed before the limit of silence.
const PING_EVERY: Duration = Duration::from_secs(5);
/// How long a broker may be away before a connection over it is given up.
pub(crate) const OUTAGE: Duration = Duration::from_mins(10);
/// How long the broker keeps what is not removed: longer than a call or a part can be of use.
const KEPT: Duration = Duration::from_mins(20);
/// A worker counts as gone after this long without a sign of life.
pub(crate) const PRESENCE: Duration = Duration::from_secs(30);
/// How many parts of one direction wait at the broker.
const WAITING_PARTS: i64 = 64;
/// What a message must be able to hold: a frame and its headers.
const LEAST_PAYLOAD: usize = 320 << 10;
/// The shortest and the longest pause before publishing again.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LAST_PAUSE: Duration = Duration::from_secs(1);
/// The most that is put into one message.
const PART: usize = 512 << 10;

/// A connection to a broker; clones share it.
#[derive(Debug, Clone)]
pub(crate) struct FleetBroker {
    pub(crate) names: QueueNames,
    pub(crate) jetstream: Context,
    client: Client,
    state: watch::Receiver<LinkState>,
}

/// Dropped with the run: nothing answers for it any more.
#[derive(Debug)]
pub(crate) struct CoordinatorPresence(AbortHandle);

impl Drop for CoordinatorPresence {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What is known of the connection.
#[derive(Debug, Clone, Default)]
pub(crate) struct LinkState {
    /// Since when the broker is away.
    away: Option<Instant>,
}

/// The last thing that the broker complained about.
type Complaint = Arc<Mutex<Option<String>>>;

impl FleetBroker {
    /// Connects and makes the streams of the queue if they are not there. The reason and the next step if that fails.
    pub(crate) async fn connect(address: &FleetAddress) -> Result<Self, String> {
        let complaint = Complaint::default();
        let (client, state) = first_connection(address, &complaint).await?;
        if client.max_payload() < LEAST_PAYLOAD {
            let most = client.max_payload();
            return Err(format!(
                "the broker takes messages of {most} bytes: set `max_payload` there to {LEAST_PAYLOAD} or more"
            ));
        }
        let jetstream = jetstream::new(client.clone());
        let broker = Self { names: QueueNames::of(&address.queue), jetstream, client, state };
        for config in broker.streams() {
            let name = config.name.clone();
            let made = broker.jetstream.get_or_create_stream(config).await;
            if let Err(error) = made {
                let said = complaint.lock().unwrap_or_else(PoisonError::into_inner).take();
                let said = said.unwrap_or_else(|| chain(&error));
                return Err(format!(
                    "the broker does not give the stream `{name}`: {said}; it needs JetStream, and rights for \
                     `$JS.API.>`, `$JS.ACK.>`, `_INBOX.>` and `windlass.>`"
                ));
            }
        }
        Ok(broker)
    }

    fn streams(&self) -> [Config; 3] {
        let file = |name: String, below: &str| Config {
            name,
            subjects: vec![self.names.below(below)],
            storage: StorageType::File,
            max_age: KEPT,
            ..Config::default()
        };
        let calls = Config { retention: RetentionPolicy::WorkQueue, ..file(self.names.calls(), "call") };
        // A side that does not read holds the other up: the broker refuses what is more.
        let parts = Config {
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_messages_per_subject: WAITING_PARTS,
            ..file(self.names.parts(), "part")
        };
        let workers =
            Config { max_messages_per_subject: 1, max_age: PRESENCE, ..file(self.names.workers(), "worker") };
        [calls, parts, workers]
    }

    /// The most bytes of a part.
    pub(crate) fn part(&self) -> usize {
        PART.min(self.client.max_payload() - (16 << 10))
    }

    /// For how long the broker has been away.
    pub(crate) fn away(&self) -> Option<Duration> {
        self.state.borrow().away.map(|since| since.elapsed())
    }

    /// Tells from now on when the connection is lost or comes back.
    pub(crate) fn watch(&self) -> watch::Receiver<LinkState> {
        let mut state = self.state.clone();
        state.mark_unchanged();
        state
    }

    /// Publishes a message under an id, once. Tries again for as long as `patience`: a broker may be away for a while.
    pub(crate) async fn publish(
        &self,
        subject: &str,
        id: &str,
        payload: Vec<u8>,
        patience: Duration,
    ) -> Result<(), String> {
        let (since, mut pause) = (Instant::now(), FIRST_PAUSE);
        loop {
            let message = PublishMessage::build().message_id(id).payload(payload.clone().into());
            let sent = match self.jetstream.send_publish(subject.to_owned(), message).await {
                Ok(ack) => ack.await,
                Err(error) => Err(error),
            };
            let Err(error) = sent else { return Ok(()) };
            if since.elapsed() > patience {
                return Err(format!("the broker did not take a message: {}", chain(&error)));
            }
            // A broker that is away takes nothing: one that comes back is asked at once.
            let mut state = self.watch();
            let _ = timeout(pause, state.changed()).await;
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }

    /// Removes what waits under a subject of a stream.
    pub(crate) async fn purge(&self, stream: String, subject: String) {
        // What stays is removed by its age.
        if let Ok(stream) = self.jetstream.get_stream_no_info(stream).await {
            let _ = stream.purge().filter(subject).await;
        }
    }

    /// Removes a consumer.
    pub(crate) async fn forget(&self, consumer: &str) {
        let _ = self.jetstream.delete_consumer_from_stream(consumer, self.names.parts()).await;
    }

    /// Answers from now on that the coordinator of this run is there.
    pub(crate) async fn answer_for(&self, run: &str) -> Result<CoordinatorPresence, String> {
        let asked = self.client.subscribe(self.names.run(run)).await;
        let mut asked =
            asked.map_err(|error| format!("the broker gives no subscription: {}", chain(&error)))?;
        let client = self.client.clone();
        let answering = tokio::spawn(async move {
            while let Some(question) = asked.next().await {
                if let Some(reply) = question.reply {
                    let _ = client.publish(reply, Vec::new().into()).await;
                }
            }
        });
        Ok(CoordinatorPresence(answering.abort_handle()))
    }

    /// Whether the broker knows of no coordinator of this run: it died, or it has lost its way to the broker for a moment.
    pub(crate) async fn has_no_coordinator(&self, run: &str) -> bool {
        let asked = self.client.request(self.names.run(run), Vec::new().into()).await;
        asked.is_err_and(|error| error.kind() == RequestErrorKind::NoResponders)
    }

    /// Every message has reached the broker.
    pub(crate) async fn flush(&self) {
        let _ = self.client.flush().await;
    }
}

/// Connects, with a bounded number of attempts. Once connected, the client finds its way back by itself.
async fn first_connection(
    address: &FleetAddress,
    complaint: &Complaint,
) -> Result<(Client, watch::Receiver<LinkState>), String> {
    let mut pause = Duration::from_millis(250);
    let mut tried = 1;
    loop {
        let (state, seen) = watch::channel(LinkState::default());
        let state = Arc::new(state);
        let kept = Arc::clone(complaint);
        let options =
            address.options()?.name("windlass").ping_interval(PING_EVERY).event_callback(move |event| {
                note(&state, &kept, &event);
                std::future::ready(())
            });
        let error = match options.connect(address.url.as_str()).await {
            Ok(client) => return Ok((client, seen)),
            Err(error) => error,
        };
        let (url, host, said) = (&address.url, address.host(), chain(&error));
        let no_tls = || {
            format!(
                "TLS with the broker at {url} fails: {said}; name the certificate of its authority if it has one of its own"
            )
        };
        let hopeless = match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => Some(format!(
                "the broker at {url} does not let this key in: name the file with its token, nkey seed or credentials"
            )),
            ConnectErrorKind::Dns => Some(format!("the host `{host}` of the broker is unknown: {said}")),
            ConnectErrorKind::Tls => Some(no_tls()),
            ConnectErrorKind::ServerParse => Some(format!("`{url}` is no address of a broker: {said}")),
            ConnectErrorKind::Io => is_refused_handshake(&error).then(no_tls),
            ConnectErrorKind::TimedOut | ConnectErrorKind::MaxReconnects => None,
        };
        if let Some(reason) = hopeless {
            return Err(reason);
        }
        if tried == ATTEMPTS {
            return Err(format!("the broker at {url} does not answer after {ATTEMPTS} attempts: {said}"));
        }
        tried += 1;
        sleep(pause).await;
        pause *= 3;
    }
}

/// Whether a handshake of TLS was refused: rustls passes its errors on as invalid data.
fn is_refused_handshake(error: &(dyn std::error::Error + 'static)) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::InvalidData)
        || error.source().is_some_and(is_refused_handshake)
}

fn note(state: &watch::Sender<LinkState>, complaint: &Complaint, event: &Event) {
    match event {
        Event::Connected => {
            state.send_replace(LinkState { away: None });
        }
        Event::Disconnected => {
            state.send_replace(LinkState { away: Some(Instant::now()) });
        }
        Event::ServerError(error) => {
            *complaint.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
        }
        Event::LameDuckMode
        | Event::Draining
        | Event::Closed
        | Event::SlowConsumer(_)
        | Event::ClientError(_) => {}
    }
}

/// An error with its causes, in one line.
pub(crate) fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = error.source();
    }
    text
}
