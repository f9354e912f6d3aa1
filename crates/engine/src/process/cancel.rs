//! A cancellation signal with two levels that many tasks can hold and raise.

use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::watch;

/// How urgently to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum CancelLevel {
    /// Go on.
    #[default]
    Run,
    /// Stop cleanly: ask, wait a little, then kill.
    Stop,
    /// Stop at once: kill.
    Now,
}

/// The signal. Clones are the same signal; levels only rise.
#[derive(Debug, Clone)]
pub struct CancellationSignal {
    own: Arc<watch::Sender<CancelLevel>>,
    parent: Option<Arc<CancellationSignal>>,
}

impl Default for CancellationSignal {
    fn default() -> Self {
        Self::new()
    }
}

impl CancellationSignal {
    /// A signal at [`CancelLevel::Run`].
    pub fn new() -> Self {
        Self { own: Arc::new(watch::Sender::new(CancelLevel::Run)), parent: None }
    }

    /// A signal that is also raised by this one; raising the child leaves the parent alone.
    pub fn child(&self) -> Self {
        Self { own: Arc::new(watch::Sender::new(CancelLevel::Run)), parent: Some(Arc::new(self.clone())) }
    }

    /// Raises the level. Never lowers it.
    pub fn raise(&self, level: CancelLevel) {
        self.own.send_if_modified(|now| {
            let higher = level > *now;
            if higher {
                *now = level;
            }
            higher
        });
    }

    /// The level now.
    pub fn level(&self) -> CancelLevel {
        let own = *self.own.borrow();
        self.parent.as_ref().map_or(own, |parent| own.max(parent.level()))
    }

    /// Waits until the level is at least this.
    pub async fn reached(&self, level: CancelLevel) {
        self.wait(level).await;
    }

    /// Waits until the level is above this.
    pub(crate) async fn raised_above(&self, level: CancelLevel) {
        match level {
            CancelLevel::Run => self.reached(CancelLevel::Stop).await,
            CancelLevel::Stop => self.reached(CancelLevel::Now).await,
            CancelLevel::Now => std::future::pending().await,
        }
    }

    /// The wait, boxed because a child waits for its parent in the same way.
    fn wait(&self, level: CancelLevel) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            let mut receiver = self.own.subscribe();
            // The sender lives as long as `self`: this wait ends only by the level.
            let own = receiver.wait_for(|now| *now >= level);
            match &self.parent {
                None => drop(own.await),
                Some(parent) => tokio::select! {
                    _ = own => {}
                    () = parent.wait(level) => {}
                },
            }
        })
    }
}

#[cfg(test)]
mod tests;
