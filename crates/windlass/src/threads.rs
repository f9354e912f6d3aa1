//! Threads for what is long enough to be worth them.

use std::num::NonZero;
use std::thread;

use windlass_core::hands::{Hands, Job};

/// A thread for each thing but the first, which the caller does itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Threads;

impl Hands for Threads {
    fn count(&self) -> usize {
        thread::available_parallelism().map_or(1, NonZero::get)
    }

    fn work(&self, jobs: Vec<Job<'_>>) {
        let mut jobs = jobs.into_iter();
        let own = jobs.next();
        thread::scope(|scope| {
            for job in jobs {
                scope.spawn(job);
            }
            if let Some(own) = own {
                own();
            }
        });
    }
}
