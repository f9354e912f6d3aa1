//! Lets few connections to one place be opened at once.
//!
//! A place with hundreds of slots would otherwise be asked for as many connections in one moment. An ssh server as it is installed
//! refuses some when more than ten have not logged in, and a machine that starts hundreds of programs answers none of them in time.

use std::time::Duration;

use tokio::sync::Semaphore;

use super::launched::{PlaceConnection, PlaceLoss};
use crate::config::PlaceSpec;

/// How long a connection that is being opened keeps others waiting. One that takes longer waits for something else than this machine,
/// such as a pod for its node.
const COUNTED: Duration = Duration::from_secs(5);

/// The way into one place.
pub(super) struct ConnectionLimit {
    room: Semaphore,
    counted: Duration,
}

impl ConnectionLimit {
    /// A limit for as many at once as the carrier of the place allows.
    pub(super) fn of(spec: &PlaceSpec) -> Self {
        let most = spec.carrier.opened_at_once().unwrap_or(Semaphore::MAX_PERMITS);
        Self { room: Semaphore::new(most), counted: COUNTED }
    }

    /// Opens a connection when it is its turn. The time that the place has to answer begins then.
    pub(super) async fn open(&self, spec: &PlaceSpec, version: &str) -> Result<PlaceConnection, PlaceLoss> {
        self.pass(PlaceConnection::open(spec, version)).await
    }

    async fn pass<T>(&self, opening: impl Future<Output = T>) -> T {
        let turn = self.room.acquire().await;
        let mut opening = std::pin::pin!(opening);
        tokio::select! {
            opened = &mut opening => return opened,
            () = tokio::time::sleep(self.counted) => drop(turn),
        }
        opening.await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Lets 40 through at once, each of which takes so long; the most that were inside together.
    async fn crowd(counted: Duration, takes: Duration) -> usize {
        let limit = ConnectionLimit { room: Semaphore::new(8), counted };
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let one = || async {
            let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            tokio::time::sleep(takes).await;
            inside.fetch_sub(1, Ordering::SeqCst);
        };
        let mut all: Vec<_> = (0..40).map(|_| Box::pin(limit.pass(one()))).collect();
        std::future::poll_fn(|cx| {
            all.retain_mut(|passing| passing.as_mut().poll(cx).is_pending());
            if all.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
        most.load(Ordering::SeqCst)
    }

    #[tokio::test]
    async fn few_are_opened_at_once() {
        assert_eq!(crowd(Duration::from_mins(5), Duration::from_millis(10)).await, 8);
    }

    #[tokio::test]
    async fn what_takes_long_keeps_no_other_waiting() {
        assert!(crowd(Duration::from_millis(20), Duration::from_secs(2)).await > 8);
    }
}
