//! What goes from one end of a connection: parts with a number each, one after the other.

use tokio::sync::mpsc;

use crate::broker::{FleetBroker, OUTAGE};
use crate::inbox::CarriedPart;

/// Sends parts under a subject. A part is on its way again until the broker has it; its id keeps it from being there twice.
pub(crate) struct SessionOutbox {
    broker: FleetBroker,
    subject: String,
    next: u64,
}

impl SessionOutbox {
    pub(crate) fn new(broker: &FleetBroker, subject: String) -> Self {
        Self { broker: broker.clone(), subject, next: 0 }
    }

    /// Sends a part.
    pub(crate) async fn send(&mut self, part: CarriedPart) -> Result<(), String> {
        let id = format!("{}.{}", self.subject, self.next);
        self.next += 1;
        self.broker.publish(&self.subject, &id, part.bytes(), OUTAGE).await
    }

    /// Sends what comes out of a channel until it is closed, as much as there is at a time.
    pub(crate) async fn send_all(&mut self, from: &mut mpsc::Receiver<Vec<u8>>) -> Result<(), String> {
        let most = self.broker.part();
        let mut kept: Option<Vec<u8>> = None;
        loop {
            let next = match kept.take() {
                Some(piece) => Some(piece),
                None => from.recv().await,
            };
            let Some(mut part) = next else { return Ok(()) };
            while let Ok(more) = from.try_recv() {
                if part.len() + more.len() > most {
                    kept = Some(more);
                    break;
                }
                part.extend_from_slice(&more);
            }
            self.send(CarriedPart::Frames(part)).await?;
        }
    }
}
