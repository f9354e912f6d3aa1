//! A worker: takes calls from the queue, and starts a `windlass attend` for each.

use std::collections::VecDeque;
use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::pull::Config;
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt as _;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{Instant, interval, sleep, timeout};
use windlass_engine::place::{coordinator_ping, pass_frames, random_token};

use crate::address::FleetAddress;
use crate::broker::{FleetBroker, OUTAGE, PRESENCE};
use crate::inbox::{CarriedPart, SessionInbox};
use crate::outbox::SessionOutbox;
use crate::pipes::WAITING;
use crate::roster::WorkerCard;
use crate::session::{FleetCall, WorkerClaim};
use crate::subjects::QueueNames;

/// A call that was given out and not held for so long is given to another worker.
const LEASE: Duration = Duration::from_secs(15);
/// How long the coordinator may take to answer the worker that took its call.
const ANSWER: Duration = Duration::from_secs(30);
/// How long a call is asked for at a time.
const WAIT: Duration = Duration::from_secs(20);
/// How long a call that this worker must not take waits until another worker gets it.
const NOT_MINE: Duration = Duration::from_secs(1);
/// How long a call waits until its coordinator is looked for again, and how often that is done.
const NO_COORDINATOR: Duration = Duration::from_secs(2);
const LOOKS: i64 = 30;
/// How long an attendant may take to clean up after the connection is closed.
const CLEANING: Duration = Duration::from_secs(15);
/// How often pings are made up for the attendant while the broker is away: the coordinator may be alive.
const PING_EVERY: Duration = Duration::from_secs(5);
/// How much of what an attendant writes to its standard error is kept.
const WORDS: usize = 600;

/// What a worker is.
#[derive(Debug, Clone)]
pub struct FleetWorker {
    /// The queue it attends.
    pub address: FleetAddress,
    /// The program's version: it takes calls of the same only.
    pub version: String,
    /// How many attempts run here at once.
    pub slots: usize,
    /// What is started for each connection; its standard input and output are those of a `windlass attend`.
    pub command: Vec<String>,
}

/// Attends the queue until `stop` says 1, ends no call then, and returns when the last one is over; or until it says 2. The
/// reason if it cannot begin. `ready` is called when it attends.
pub async fn attend_fleet(
    worker: FleetWorker,
    mut stop: watch::Receiver<u8>,
    ready: impl FnOnce(),
) -> Result<(), String> {
    let broker = FleetBroker::connect(&worker.address).await?;
    let slots = worker.slots;
    let attending = Attending {
        broker,
        id: random_token(),
        host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
        worker: Arc::new(worker),
        free: Arc::new(Semaphore::new(slots)),
        busy: Arc::default(),
    };
    attending.show().await?;
    attending.calls().await?;
    ready();
    let presence = tokio::spawn(attending.clone().stay());
    let mut ending = stop.clone();
    let taking = attending.take_calls();
    tokio::select! {
        never = taking => match never {},
        () = reached(&mut stop, 1) => {}
    }
    presence.abort();
    attending
        .broker
        .purge(attending.broker.names.workers(), attending.broker.names.worker(&attending.id))
        .await;
    let every = u32::try_from(slots).unwrap_or(u32::MAX);
    tokio::select! {
        _ = attending.free.acquire_many(every) => {}
        () = reached(&mut ending, 2) => {}
    }
    attending.broker.flush().await;
    Ok(())
}

async fn reached(stop: &mut watch::Receiver<u8>, level: u8) {
    if stop.wait_for(|now| *now >= level).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// A worker that attends.
#[derive(Clone)]
struct Attending {
    broker: FleetBroker,
    id: String,
    host: String,
    worker: Arc<FleetWorker>,
    free: Arc<Semaphore>,
    busy: Arc<AtomicUsize>,
}

impl Attending {
    /// Says that this worker is there.
    async fn show(&self) -> Result<(), String> {
        let slots = self.worker.slots;
        let card = WorkerCard {
            worker: self.id.clone(),
            host: self.host.clone(),
            version: self.worker.version.clone(),
            arch: std::env::consts::ARCH.to_owned(),
            slots,
            busy: self.busy.load(Ordering::Relaxed),
        };
        let text = serde_json::to_vec(&card).unwrap_or_else(|e| unreachable!("plain data: {e}"));
        let subject = self.broker.names.worker(&self.id);
        self.broker.publish(&subject, &random_token(), text, Duration::ZERO).await
    }

    async fn stay(self) {
        let mut every = interval(PRESENCE / 3);
        let mut state = self.broker.watch();
        loop {
            tokio::select! {
                _ = every.tick() => {}
                _ = state.changed() => {}
            }
            let _ = self.show().await;
        }
    }

    /// The consumer that all workers of this version share.
    async fn calls(&self) -> Result<Consumer<Config>, String> {
        let version = &self.worker.version;
        let config = Config {
            durable_name: Some(QueueNames::callers(version)),
            filter_subject: self.broker.names.call(version, ">"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: LEASE,
            // As often as it takes: a call without an answer is taken back by its run, or removed by its age.
            max_deliver: -1,
            max_ack_pending: 10_000,
            ..Config::default()
        };
        let made = self.broker.jetstream.create_consumer_on_stream(config, self.broker.names.calls()).await;
        made.map_err(|error| format!("the broker gives no consumer: {}", crate::broker::chain(&error)))
    }

    async fn take_calls(&self) -> std::convert::Infallible {
        loop {
            let Ok(slot) = Arc::clone(&self.free).acquire_owned().await else {
                unreachable!("it is never closed")
            };
            let Some(message) = self.next_call().await else {
                sleep(Duration::from_millis(200)).await;
                continue;
            };
            let attending = self.clone();
            tokio::spawn(async move {
                attending.busy.fetch_add(1, Ordering::Relaxed);
                let _ = attending.show().await;
                attending.serve(message).await;
                attending.busy.fetch_sub(1, Ordering::Relaxed);
                drop(slot);
                let _ = attending.show().await;
            });
        }
    }

    async fn next_call(&self) -> Option<Message> {
        let mut state = self.broker.watch();
        let consumer = self.calls().await.ok()?;
        let mut batch = consumer.batch().max_messages(1).expires(WAIT).messages().await.ok()?;
        tokio::select! {
            came = batch.next() => came?.ok(),
            // What was asked for before is forgotten by a broker that was away.
            _ = state.changed() => None,
        }
    }

    /// Takes a call and carries its connection.
    async fn serve(&self, message: Message) {
        let Ok(call) = serde_json::from_slice::<FleetCall>(&message.payload) else {
            let _ = message.double_ack_with(AckKind::Term).await;
            return;
        };
        if call.avoid.contains(&self.id) {
            let _ = message.ack_with(AckKind::Nak(Some(NOT_MINE))).await;
            return;
        }
        // A coordinator that was killed leaves its calls behind: they would hold up those of the others.
        if self.broker.has_no_coordinator(&call.run).await {
            let looks = message.info().map_or(0, |info| info.delivered);
            let answer = if looks < LOOKS { AckKind::Nak(Some(NO_COORDINATOR)) } else { AckKind::Term };
            let _ = message.ack_with(answer).await;
            return;
        }
        // The token of this very taking: what is sent under another one is dropped.
        let taker = random_token();
        let names = &self.broker.names;
        let to = names.to(&call.run, &call.session, &taker);
        let mut inbox = SessionInbox::new(&self.broker, format!("to_{taker}"), to.clone());
        let mut outbox = SessionOutbox::new(&self.broker, names.from(&call.run, &call.session, &taker));
        let claim = WorkerClaim { worker: self.id.clone(), host: self.host.clone() };
        let claim = serde_json::to_vec(&claim).unwrap_or_else(|e| unreachable!("plain data: {e}"));
        if outbox.send(CarriedPart::Claim(claim)).await.is_ok() {
            match answer(&mut inbox, &message).await {
                Some(CarriedPart::Frames(first)) => {
                    // From here on the connection's own signs of life count.
                    let _ = message.double_ack().await;
                    self.carry(&mut inbox, &mut outbox, first).await;
                }
                Some(CarriedPart::Claim(_) | CarriedPart::Over(_)) | None => {
                    let _ = message.double_ack_with(AckKind::Term).await;
                }
            }
        }
        inbox.close().await;
        self.broker.purge(names.parts(), to).await;
    }

    /// Starts an attendant and carries its frames until one side is over.
    async fn carry(&self, inbox: &mut SessionInbox, outbox: &mut SessionOutbox, first: Vec<u8>) {
        let mut attendant = match StartedAttendant::start(&self.worker.command) {
            Ok(attendant) => attendant,
            Err(reason) => {
                let _ = outbox.send(CarriedPart::Over(reason)).await;
                return;
            }
        };
        let input = attendant.input.clone();
        let mut frames = std::mem::replace(&mut attendant.frames, mpsc::channel(1).1);
        let sent = {
            let sending = outbox.send_all(&mut frames);
            tokio::pin!(sending);
            let hearing = self.pass_on(inbox, &input, first);
            tokio::pin!(hearing);
            tokio::select! {
                sent = &mut sending => sent,
                () = &mut hearing => {
                    // The attendant sees the end of its input, cleans up and ends; what it still says is dropped.
                    Ok(())
                }
            }
        };
        drop((input, frames));
        let words = attendant.end().await;
        if sent.is_ok() {
            let _ = timeout(LEASE, outbox.send(CarriedPart::Over(words))).await;
        }
    }

    /// Passes on what the coordinator sends, until it is over.
    async fn pass_on(&self, inbox: &mut SessionInbox, input: &mpsc::Sender<Vec<u8>>, first: Vec<u8>) {
        if input.send(first).await.is_err() {
            return;
        }
        let mut expected = 1;
        let mut pings = interval(PING_EVERY);
        loop {
            let arrived = tokio::select! {
                arrived = inbox.next() => arrived,
                _ = pings.tick() => {
                    // The broker is away: that is no silence of the coordinator.
                    if self.broker.away().is_some_and(|time| time < OUTAGE) {
                        let _ = input.try_send(coordinator_ping());
                    }
                    continue;
                }
            };
            let Some(arrived) = arrived else { return };
            if arrived.number > expected && inbox.again(expected) {
                continue;
            }
            if arrived.number >= expected {
                let Some(CarriedPart::Frames(frames)) = &arrived.part else {
                    arrived.done().await;
                    return;
                };
                if arrived.number > expected || input.send(frames.clone()).await.is_err() {
                    return;
                }
                expected += 1;
            }
            arrived.done().await;
        }
    }
}

/// The coordinator's answer to the worker that took its call. The call is held meanwhile.
async fn answer(inbox: &mut SessionInbox, call: &Message) -> Option<CarriedPart> {
    let until = Instant::now() + ANSWER;
    let mut hold = interval(LEASE / 3);
    loop {
        tokio::select! {
            arrived = inbox.next() => {
                let arrived = arrived?;
                arrived.done().await;
                return arrived.part.filter(|_| arrived.number == 0);
            }
            _ = hold.tick() => {
                let _ = call.ack_with(AckKind::Progress).await;
                if Instant::now() > until {
                    return None;
                }
            }
        }
    }
}

/// A `windlass attend` that was started for a connection.
struct StartedAttendant {
    child: Child,
    /// What it gets.
    input: mpsc::Sender<Vec<u8>>,
    /// What it says.
    frames: mpsc::Receiver<Vec<u8>>,
    words: Arc<Mutex<VecDeque<u8>>>,
    why: Arc<Mutex<String>>,
}

impl StartedAttendant {
    fn start(command: &[String]) -> Result<Self, String> {
        let Some((program, args)) = command.split_first() else { return Err("there is no command".into()) };
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A Ctrl-C on the terminal is for the worker, which then ends its attempts in order.
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be started: {error}"))?;
        let (Some(mut stdin), Some(stdout), Some(mut errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(format!("`{program}` has no pipes"));
        };
        let (input, mut incoming) = mpsc::channel::<Vec<u8>>(WAITING);
        let (outgoing, frames) = mpsc::channel(WAITING);
        let words: Arc<Mutex<VecDeque<u8>>> = Arc::default();
        let why: Arc<Mutex<String>> = Arc::default();
        let (kept, reason) = (Arc::clone(&words), Arc::clone(&why));
        std::thread::spawn(move || {
            while let Some(piece) = incoming.blocking_recv() {
                if stdin.write_all(&piece).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        std::thread::spawn(move || {
            let ended = pass_frames(stdout, |frame| outgoing.blocking_send(frame).is_ok());
            *reason.lock().unwrap_or_else(PoisonError::into_inner) = ended;
        });
        std::thread::spawn(move || {
            let mut buffer = [0; 1024];
            while let Ok(count @ 1..) = errors.read(&mut buffer) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&buffer[..count]);
                let beyond = kept.len().saturating_sub(WORDS);
                kept.drain(..beyond);
            }
        });
        Ok(Self { child, input, frames, words, why })
    }

    /// Closes its input and waits for it to end; what it said last.
    async fn end(self) -> String {
        let Self { mut child, input, frames, words, why } = self;
        drop((input, frames));
        let until = Instant::now() + CLEANING;
        while let Ok(None) = child.try_wait() {
            if Instant::now() > until {
                if let Some(pid) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
                    let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
                }
                let _ = child.wait();
                break;
            }
            sleep(Duration::from_millis(20)).await;
        }
        let said: Vec<u8> = words.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let said = String::from_utf8_lossy(&said).trim().replace('\n', "; ");
        let why = why.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if said.is_empty() { why } else { said }
    }
}
