//! The coordinator's end of a connection: a call, the worker that took it, and the parts of both directions.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, interval, timeout, timeout_at};
use windlass_engine::place::{CarriedPipes, CarrierEnd, place_ping, random_token};

use crate::broker::{FleetBroker, OUTAGE};
use crate::carrier::FleetMemory;
use crate::inbox::{ArrivedPart, CarriedPart, SessionInbox};
use crate::outbox::SessionOutbox;
use crate::pipes::{PartReader, PartWriter, WAITING};
use crate::roster::{WorkerCard, roster};

/// How long a call waits if no worker attends the queue.
const NOBODY: Duration = Duration::from_secs(20);
/// How long a call waits if all workers are busy.
const BUSY: Duration = Duration::from_mins(15);
/// How often the roster is read.
const LOOK: Duration = Duration::from_secs(2);
/// How often pings are made up for this side while the broker is away: the worker may be alive.
const PING_EVERY: Duration = Duration::from_secs(5);
/// How long the worker may take to say that it has ended.
const FAREWELL: Duration = Duration::from_secs(2);

/// What is put into the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FleetCall {
    pub(crate) run: String,
    pub(crate) session: String,
    /// Workers that are not to take it.
    pub(crate) avoid: BTreeSet<String>,
}

/// What a worker says when it takes a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkerClaim {
    pub(crate) worker: String,
    pub(crate) host: String,
}

/// A call that waits for a worker, or the connection to the worker that took it. What is left of it at the broker is removed
/// when it is dropped.
pub(crate) struct FleetSession {
    broker: FleetBroker,
    call: FleetCall,
    subject: String,
    /// Held for as long as there is something to be removed.
    busy: Arc<()>,
}

impl FleetSession {
    /// Puts a call into the queue.
    pub(crate) async fn call(
        broker: &FleetBroker,
        run: &str,
        version: &str,
        avoid: BTreeSet<String>,
        busy: Arc<()>,
    ) -> Result<(Self, SessionInbox), String> {
        let session = random_token();
        let filter = broker.names.from(run, &session, "*");
        let mut inbox = SessionInbox::new(broker, format!("from_{session}"), filter);
        inbox.prepare().await?;
        let subject = broker.names.call(version, &format!("{run}.{session}"));
        let call = FleetCall { run: run.to_owned(), session, avoid };
        let text = serde_json::to_vec(&call).unwrap_or_else(|e| unreachable!("plain data: {e}"));
        let made = Self { broker: broker.clone(), call, subject, busy };
        made.broker.publish(&made.subject, &made.subject, text, NOBODY).await?;
        Ok((made, inbox))
    }

    /// Waits for a worker to take the call.
    pub(crate) async fn connected(
        self,
        mut inbox: SessionInbox,
        memory: &Arc<FleetMemory>,
    ) -> Result<CarriedPipes, String> {
        let since = Instant::now();
        let mut seen = since;
        let mut looks = interval(LOOK);
        let (taker, claim) = loop {
            tokio::select! {
                arrived = inbox.next() => {
                    let Some(arrived) = arrived else { return Err(away()) };
                    arrived.done().await;
                    if let Some(claim) = claimed(&arrived) {
                        break (arrived.taker, claim);
                    }
                }
                _ = looks.tick() => {
                    let Ok(cards) = roster(&self.broker).await else { continue };
                    memory.saw(cards.clone());
                    if memory.usable(&cards).next().is_some() {
                        seen = Instant::now();
                    }
                    if seen.elapsed() > NOBODY {
                        return Err(memory.why_no_worker(&cards));
                    }
                    if since.elapsed() > BUSY {
                        let all: Vec<String> = cards.iter().map(WorkerCard::line).collect();
                        return Err(format!("no worker has taken the attempt in {} s: {}", BUSY.as_secs(), all.join("; ")));
                    }
                }
            }
        };
        Ok(self.carry(inbox, taker, claim, memory))
    }

    /// Starts to carry parts between the worker and a pair of pipes.
    fn carry(
        self,
        inbox: SessionInbox,
        taker: String,
        claim: WorkerClaim,
        memory: &Arc<FleetMemory>,
    ) -> CarriedPipes {
        let (to, outgoing) = mpsc::channel(WAITING);
        let (incoming, from) = mpsc::channel(WAITING);
        let (open, closed) = oneshot::channel();
        let said = Arc::new(Mutex::new(String::new()));
        let end = FleetEnd {
            worker: claim.worker,
            host: claim.host,
            said: Arc::clone(&said),
            memory: Arc::clone(memory),
            _open: open,
        };
        let carrying = Carrying { session: self, taker, said };
        tokio::spawn(carrying.run(inbox, outgoing, incoming, closed));
        CarriedPipes {
            input: Box::new(PartReader::new(from)),
            output: Box::new(PartWriter::new(to)),
            end: Box::new(end),
        }
    }

    /// Removes what is left of it at the broker.
    async fn remove(broker: FleetBroker, call: FleetCall, subject: String) {
        broker.purge(broker.names.calls(), subject).await;
        broker.forget(&format!("from_{}", call.session)).await;
        let all = broker.names.of_session(&call.run, &call.session);
        broker.purge(broker.names.parts(), all).await;
    }
}

impl Drop for FleetSession {
    fn drop(&mut self) {
        let (broker, call, subject) = (self.broker.clone(), self.call.clone(), self.subject.clone());
        let busy = Arc::clone(&self.busy);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                Self::remove(broker, call, subject).await;
                drop(busy);
            });
        }
    }
}

fn away() -> String {
    format!("the broker was away for {} s", OUTAGE.as_secs())
}

/// The worker that took the call, if this says so.
fn claimed(arrived: &ArrivedPart) -> Option<WorkerClaim> {
    let Some(CarriedPart::Claim(text)) = &arrived.part else { return None };
    serde_json::from_slice(text).ok().filter(|_| arrived.number == 0)
}

/// A connection while it is used.
struct Carrying {
    session: FleetSession,
    /// The worker's token for this call. Messages under other tokens are dropped.
    taker: String,
    said: Arc<Mutex<String>>,
}

impl Carrying {
    async fn run(
        self,
        mut inbox: SessionInbox,
        mut outgoing: mpsc::Receiver<Vec<u8>>,
        incoming: mpsc::Sender<Vec<u8>>,
        mut closed: oneshot::Receiver<()>,
    ) {
        let FleetCall { run, session, .. } = &self.session.call;
        let broker = self.session.broker.clone();
        let mut outbox = SessionOutbox::new(&broker, broker.names.to(run, session, &self.taker));
        let over = {
            let sending = outbox.send_all(&mut outgoing);
            tokio::pin!(sending);
            let hearing = self.pass_on(&mut inbox, incoming);
            tokio::pin!(hearing);
            let mut sent = false;
            loop {
                tokio::select! {
                    over = &mut hearing => break over,
                    end = &mut sending, if !sent => {
                        sent = true;
                        if let Err(reason) = end {
                            self.say(&reason);
                            break false;
                        }
                    }
                    _ = &mut closed => break false,
                }
            }
        };
        if !over {
            // The worker ends what it started, and says so; then nothing more comes from it.
            let parting = outbox.send(CarriedPart::Over(String::new()));
            if timeout(FAREWELL, parting).await.is_ok() {
                let until = Instant::now() + FAREWELL;
                while let Ok(Some(arrived)) = timeout_at(until, inbox.next()).await {
                    arrived.done().await;
                    if arrived.taker == self.taker && matches!(arrived.part, Some(CarriedPart::Over(_))) {
                        break;
                    }
                }
            }
        }
        inbox.close().await;
    }

    /// Passes on what the worker sends, until it says that it is over: then `true`.
    async fn pass_on(&self, inbox: &mut SessionInbox, incoming: mpsc::Sender<Vec<u8>>) -> bool {
        let mut expected = 1;
        let mut pings = interval(PING_EVERY);
        loop {
            let arrived = tokio::select! {
                arrived = inbox.next() => arrived,
                _ = pings.tick() => {
                    // The broker is away: that is no silence of the worker.
                    if self.session.broker.away().is_some() {
                        let _ = incoming.try_send(place_ping());
                    }
                    continue;
                }
            };
            let Some(arrived) = arrived else {
                self.say(&away());
                return false;
            };
            if arrived.taker != self.taker {
                self.turn_away(&arrived).await;
                arrived.done().await;
                continue;
            }
            // A repeated part is only acknowledged.
            if arrived.number >= expected {
                if arrived.number > expected {
                    if inbox.again(expected) {
                        continue;
                    }
                    self.say("parts of what the worker sent are missing");
                    return false;
                }
                expected += 1;
                match &arrived.part {
                    Some(CarriedPart::Frames(frames)) => {
                        if incoming.send(frames.clone()).await.is_err() {
                            return false;
                        }
                    }
                    Some(CarriedPart::Over(words)) => {
                        self.say(words);
                        arrived.done().await;
                        return true;
                    }
                    Some(CarriedPart::Claim(_)) | None => {
                        self.say("the worker sent what is no part of a connection");
                        return false;
                    }
                }
            }
            arrived.done().await;
        }
    }

    /// Another worker got the call as well, because the first one took long to say that it has it.
    async fn turn_away(&self, arrived: &ArrivedPart) {
        if claimed(arrived).is_some() {
            let FleetCall { run, session, .. } = &self.session.call;
            let subject = self.session.broker.names.to(run, session, &arrived.taker);
            let mut outbox = SessionOutbox::new(&self.session.broker, subject);
            let _ = timeout(FAREWELL, outbox.send(CarriedPart::Over("another worker has it".into()))).await;
        }
    }

    fn say(&self, words: &str) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.is_empty() {
            *said = words.chars().filter(|c| !c.is_control()).take(600).collect();
        }
    }
}

/// The worker at the other end of a connection.
struct FleetEnd {
    worker: String,
    host: String,
    said: Arc<Mutex<String>>,
    memory: Arc<FleetMemory>,
    /// Dropped with this: the connection is closed then.
    _open: oneshot::Sender<()>,
}

impl CarrierEnd for FleetEnd {
    fn words(&self) -> String {
        let host: String = self.host.chars().filter(|c| !c.is_control()).take(80).collect();
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if said.is_empty() {
            format!("the worker on {host}")
        } else {
            format!("the worker on {host} said: {said}")
        }
    }

    fn turned_away(&self) -> bool {
        self.memory.avoid(&self.worker)
    }
}
