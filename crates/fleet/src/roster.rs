//! The workers that attend a queue: each publishes a card at intervals.

use futures_util::TryStreamExt as _;
use serde::{Deserialize, Serialize};

use crate::broker::FleetBroker;

/// The card of a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkerCard {
    pub(crate) worker: String,
    pub(crate) host: String,
    pub(crate) version: String,
    /// Its processor; empty on the card of an older version.
    #[serde(default)]
    pub(crate) arch: String,
    pub(crate) slots: usize,
    pub(crate) busy: usize,
}

impl WorkerCard {
    /// In a line, for people.
    pub(crate) fn line(&self) -> String {
        let Self { host, version, arch, slots, busy, .. } = self;
        let space = if arch.is_empty() { "" } else { " " };
        format!("{host}: windlass {version}{space}{arch}, {busy} of {slots} slots in use")
    }
}

/// The cards of the workers that published one lately.
pub(crate) async fn roster(broker: &FleetBroker) -> Result<Vec<WorkerCard>, String> {
    let failed = |error: &(dyn std::error::Error + 'static)| crate::broker::chain(error);
    let stream = broker.jetstream.get_stream_no_info(broker.names.workers()).await;
    let stream = stream.map_err(|error| failed(&error))?;
    let subjects = stream.info_with_subjects(broker.names.below("worker")).await;
    let subjects: Vec<(String, usize)> =
        subjects.map_err(|error| failed(&error))?.try_collect().await.map_err(|error| failed(&error))?;
    let mut cards = Vec::new();
    for (subject, _) in subjects {
        // The card may have expired since the subjects were listed.
        let Ok(message) = stream.get_last_raw_message_by_subject(&subject).await else { continue };
        let card: Option<WorkerCard> = serde_json::from_slice(&message.payload).ok();
        // A worker may publish its own card only.
        cards.extend(card.filter(|card| subject == broker.names.worker(&card.worker)));
    }
    cards.sort_by(|a, b| (&a.host, &a.worker).cmp(&(&b.host, &b.worker)));
    Ok(cards)
}
