//! This machine as a place.

use std::sync::Arc;

use windlass_core::event::TaskEvent;
use windlass_core::team::Verdict;

use super::disk_space::missing_space;
use super::{AttemptJob, AttemptPlace, AttemptRunning, BoxedJob, ClosingJob, Place, ReviewJob, VerifyJob};
use crate::attempt;
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::process::{CancellationSignal, ProcessId};
use crate::verify;
use crate::worker_channel::{VerifiedTree, WorkerChannel};

/// This machine: jobs run in slots and exports below the cache directory, in sandboxes.
pub(crate) struct LocalPlace {
    ctx: Arc<Context>,
}

impl LocalPlace {
    /// This machine for one run.
    pub(crate) fn new(ctx: Arc<Context>) -> Self {
        Self { ctx }
    }

    /// Ends the run where there is no room to work: it goes on when there is.
    fn has_room(&self) -> Result<(), EarlyEnd> {
        let dir = &self.ctx.machine.cache;
        missing_space(dir)
            .map_or(Ok(()), |missing| Err(EngineError::NoRoom { dir: dir.clone(), missing }.into()))
    }

    /// A failure on a full disk is no verdict on the work.
    fn judged<T>(&self, end: Result<T, EarlyEnd>) -> Result<T, EarlyEnd> {
        if let Err(EarlyEnd::Failed { .. } | EarlyEnd::Broken(_)) = &end {
            self.has_room()?;
        }
        end
    }
}

impl AttemptPlace for LocalPlace {
    fn attempt<'a>(
        &'a self,
        job: AttemptJob,
        channel: &'a WorkerChannel,
        cancel: &'a CancellationSignal,
    ) -> AttemptRunning<'a> {
        Box::pin(async move {
            self.has_room()?;
            Ok(self.judged(attempt::attempt(&self.ctx, &job, channel, cancel).await)?)
        })
    }
}

impl Place for LocalPlace {
    fn review<'a>(
        &'a self,
        job: ReviewJob,
        channel: &'a WorkerChannel,
        cancel: &'a CancellationSignal,
    ) -> BoxedJob<'a, Verdict> {
        Box::pin(async move { self.judged(attempt::review(&self.ctx, &job, channel, cancel).await) })
    }

    fn verify<'a>(
        &'a self,
        job: VerifyJob,
        channel: &'a WorkerChannel,
        cancel: &'a CancellationSignal,
    ) -> BoxedJob<'a, VerifiedTree> {
        Box::pin(async move {
            self.has_room()?;
            self.judged(verify::verify(&self.ctx, &job, channel, cancel).await)
        })
    }

    fn close<'a>(&'a self, job: ClosingJob, cancel: &'a CancellationSignal) -> BoxedJob<'a, usize> {
        Box::pin(async move { self.judged(verify::close(&self.ctx, &job, cancel).await) })
    }
}

/// Reports a process of an attempt, so that a later start can end it if this program is killed.
pub(crate) fn report_process(channel: &WorkerChannel) -> Box<dyn FnOnce(ProcessId) + Send> {
    let channel = channel.clone();
    Box::new(move |id| {
        let (task, attempt) = (channel.task.clone(), channel.attempt);
        channel.event(TaskEvent::ProcessStarted { attempt, pid: id.pid, started: id.started }.of(task));
    })
}
