//! Several things at once. core starts no thread: whoever calls it brings the hands.

/// Something to be done.
pub type Job<'j> = Box<dyn FnOnce() + Send + 'j>;

/// Who does several things, at once if it can.
pub trait Hands: Sync {
    /// How many things are worth doing at once.
    fn count(&self) -> usize;

    /// Does all of them, in any order, and comes back when the last is done.
    fn work(&self, jobs: Vec<Job<'_>>);
}

/// One thing after the other.
#[derive(Debug, Clone, Copy, Default)]
pub struct OneHand;

impl Hands for OneHand {
    fn count(&self) -> usize {
        1
    }

    fn work(&self, jobs: Vec<Job<'_>>) {
        for job in jobs {
            job();
        }
    }
}
