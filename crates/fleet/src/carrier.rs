//! The carrier that is a queue of a broker.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::{Instant, sleep, timeout};
use windlass_engine::place::{
    Carrier, CarrierOpening, CarrierRoster, CarrierTask, CarrierWorker, random_token,
};

use crate::address::FleetAddress;
use crate::broker::{CoordinatorPresence, FleetBroker};
use crate::roster::{WorkerCard, roster};
use crate::session::FleetSession;

/// For how long a worker that refused is not asked again.
const AVOIDED: Duration = Duration::from_mins(15);
/// How long it may take to remove what a run left at the broker.
const CLEANING: Duration = Duration::from_secs(5);

/// Workers that attend a queue, as one place.
#[derive(Debug)]
pub struct FleetCarrier {
    address: FleetAddress,
    version: String,
    /// What this run's subjects begin with.
    run: String,
    broker: OnceCell<(FleetBroker, CoordinatorPresence)>,
    memory: Arc<FleetMemory>,
    /// Connections hold it for as long as something of them is at the broker.
    busy: Arc<()>,
}

impl FleetCarrier {
    /// The way to the workers of a queue, for one run.
    pub fn new(address: FleetAddress, version: &str) -> Self {
        let memory =
            FleetMemory { version: version.to_owned(), url: address.url.clone(), ..FleetMemory::default() };
        Self {
            address,
            version: version.to_owned(),
            run: random_token(),
            broker: OnceCell::new(),
            memory: Arc::new(memory),
            busy: Arc::new(()),
        }
    }

    async fn broker(&self) -> Result<&FleetBroker, String> {
        let connected = self.broker.get_or_try_init(async || {
            let broker = FleetBroker::connect(&self.address).await?;
            let presence = broker.answer_for(&self.run).await?;
            Ok::<_, String>((broker, presence))
        });
        connected.await.map(|(broker, _)| broker)
    }
}

impl Carrier for FleetCarrier {
    fn described(&self) -> (&'static str, String) {
        ("queue", format!("`{}` at {}", self.address.queue, self.address.url))
    }

    fn advice(&self) -> String {
        let FleetAddress { url, queue, .. } = &self.address;
        format!(
            "on a worker: `windlass attend --nats {url} --queue {queue}`, with `--key FILE` if the broker asks for one"
        )
    }

    fn open(&self) -> CarrierOpening<'_> {
        Box::pin(async move {
            let broker = self.broker().await?;
            let (avoid, busy) = (self.memory.avoided(), Arc::clone(&self.busy));
            let (session, inbox) = FleetSession::call(broker, &self.run, &self.version, avoid, busy).await?;
            session.connected(inbox, &self.memory).await
        })
    }

    fn roster(&self) -> CarrierRoster<'_> {
        Box::pin(async move {
            let cards = roster(self.broker().await?).await?;
            self.memory.saw(cards.clone());
            let usable: Vec<&WorkerCard> = self.memory.usable(&cards).collect();
            if usable.is_empty() {
                return Err(self.memory.why_no_worker(&cards));
            }
            let known = |card: &WorkerCard| usable.contains(&card) && !card.arch.is_empty();
            let worker = |card: &WorkerCard| CarrierWorker {
                line: card.line(),
                arch: known(card).then(|| card.arch.clone()),
            };
            Ok(cards.iter().map(worker).collect())
        })
    }

    fn finish(&self) -> CarrierTask<'_> {
        Box::pin(async move {
            let Some((broker, _)) = self.broker.get() else { return };
            let cleaning = async {
                // Closed connections remove their own.
                while Arc::strong_count(&self.busy) > 1 {
                    sleep(Duration::from_millis(20)).await;
                }
                broker.purge(broker.names.calls(), broker.names.call("*", &format!("{}.>", self.run))).await;
                broker.purge(broker.names.parts(), broker.names.of_run(&self.run)).await;
                broker.flush().await;
            };
            // What a broker keeps that is away now is removed by its age.
            let _ = timeout(CLEANING, cleaning).await;
        })
    }
}

/// What a run remembers of the workers.
#[derive(Debug, Default)]
pub(crate) struct FleetMemory {
    version: String,
    url: String,
    avoided: Mutex<BTreeMap<String, Instant>>,
    seen: Mutex<Vec<WorkerCard>>,
}

impl FleetMemory {
    pub(crate) fn saw(&self, cards: Vec<WorkerCard>) {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = cards;
    }

    /// Workers that are not to be asked.
    fn avoided(&self) -> std::collections::BTreeSet<String> {
        let mut avoided = self.avoided.lock().unwrap_or_else(PoisonError::into_inner);
        avoided.retain(|_, since| since.elapsed() < AVOIDED);
        avoided.keys().cloned().collect()
    }

    /// A worker refused. Whether it was the last one.
    pub(crate) fn avoid(&self, worker: &str) -> bool {
        self.avoided.lock().unwrap_or_else(PoisonError::into_inner).insert(worker.to_owned(), Instant::now());
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.usable(&seen).next().is_none()
    }

    /// Those that can take a call.
    pub(crate) fn usable<'a>(&self, cards: &'a [WorkerCard]) -> impl Iterator<Item = &'a WorkerCard> {
        let (avoided, version) = (self.avoided(), self.version.clone());
        cards.iter().filter(move |card| card.version == version && !avoided.contains(&card.worker))
    }

    /// Why no worker takes a call.
    pub(crate) fn why_no_worker(&self, cards: &[WorkerCard]) -> String {
        let (url, version) = (&self.url, &self.version);
        if cards.is_empty() {
            return format!("no worker attends the queue: start `windlass attend --nats {url}` on a machine");
        }
        let lines: Vec<String> = cards.iter().map(WorkerCard::line).collect();
        let lines = lines.join("; ");
        if cards.iter().all(|card| card.version != *version) {
            return format!(
                "every worker has another version than {version}: install the same version there ({lines})"
            );
        }
        format!("every worker of this version refused ({lines})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_worker_that_says_no_does_not_stand_for_the_others() {
        let memory = FleetMemory { version: "1".into(), url: "tls://b".into(), ..FleetMemory::default() };
        let card = |worker: &str, version: &str| WorkerCard {
            worker: worker.into(),
            host: format!("host-{worker}"),
            version: version.into(),
            arch: "x86_64".into(),
            slots: 2,
            busy: 0,
        };
        assert!(memory.why_no_worker(&[]).contains("windlass attend --nats tls://b"));
        assert!(memory.why_no_worker(&[card("old", "0")]).contains("another version than 1"));
        let cards = vec![card("a", "1"), card("b", "1"), card("old", "0")];
        memory.saw(cards.clone());
        assert!(!memory.avoid("a"), "b is left");
        assert_eq!(memory.usable(&cards).map(|card| card.worker.as_str()).collect::<Vec<_>>(), ["b"]);
        assert!(memory.avoid("b"), "no worker is left");
        assert!(memory.why_no_worker(&cards).contains("refused"));
    }
}
