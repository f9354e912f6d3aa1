//! The names of streams, consumers and subjects at a broker.

/// The names that belong to a queue.
#[derive(Debug, Clone)]
pub(crate) struct QueueNames {
    queue: String,
}

impl QueueNames {
    pub(crate) fn of(queue: &str) -> Self {
        Self { queue: queue.to_owned() }
    }

    /// The stream of calls.
    pub(crate) fn calls(&self) -> String {
        format!("windlass_{}_calls", self.queue)
    }

    /// The stream of the parts of connections.
    pub(crate) fn parts(&self) -> String {
        format!("windlass_{}_parts", self.queue)
    }

    /// The stream in which workers say that they are there.
    pub(crate) fn workers(&self) -> String {
        format!("windlass_{}_workers", self.queue)
    }

    /// Calls for workers of a version, of one run, of one connection.
    pub(crate) fn call(&self, version: &str, rest: &str) -> String {
        format!("windlass.{}.call.{}.{rest}", self.queue, version.replace('.', "_"))
    }

    /// The consumer that workers of a version share.
    pub(crate) fn callers(version: &str) -> String {
        format!("workers_{}", version.replace('.', "_"))
    }

    /// Everything about the connections of a run.
    pub(crate) fn of_run(&self, run: &str) -> String {
        format!("windlass.{}.part.{run}.>", self.queue)
    }

    /// Everything about a connection.
    pub(crate) fn of_session(&self, run: &str, session: &str) -> String {
        format!("windlass.{}.part.{run}.{session}.>", self.queue)
    }

    /// What a worker gets.
    pub(crate) fn to(&self, run: &str, session: &str, taker: &str) -> String {
        format!("windlass.{}.part.{run}.{session}.to.{taker}", self.queue)
    }

    /// What a worker sends.
    pub(crate) fn from(&self, run: &str, session: &str, taker: &str) -> String {
        format!("windlass.{}.part.{run}.{session}.from.{taker}", self.queue)
    }

    /// A worker's own subject.
    pub(crate) fn worker(&self, worker: &str) -> String {
        format!("windlass.{}.worker.{worker}", self.queue)
    }

    /// Where the coordinator of a run answers that it is there.
    pub(crate) fn run(&self, run: &str) -> String {
        format!("windlass.{}.run.{run}", self.queue)
    }

    /// The subjects of each stream.
    pub(crate) fn below(&self, what: &str) -> String {
        format!("windlass.{}.{what}.>", self.queue)
    }
}
