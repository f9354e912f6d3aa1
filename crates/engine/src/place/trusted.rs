//! Verifications and closing runs at a place that the user trusts with them. Merging, refusals and static rules stay here;
//! what the place says is checked as far as it can be seen here.

use windlass_core::ids::AttemptNo;

use super::launched::PlaceLoss;
use super::remote::{LaunchedPlace, WorkAnswer, answered_otherwise};
use super::{ClosingShare, RemotePlace, RemoteRunning, SentWork, TrustedJob, VerifyJob, WorkStop};
use crate::process::CancellationSignal;
use crate::verify::{accept, merge_candidate};
use crate::worker_channel::{VerifiedTree, WorkerChannel};

impl LaunchedPlace {
    /// The place is lost unless the user trusts it with verifications.
    fn must_be_trusted(&self) -> Result<(), WorkStop> {
        if self.ctx.config.settings.places.get(&self.name).is_some_and(|rules| rules.verify) {
            return Ok(());
        }
        let reason = "it is not trusted with verifications: `verify = true` is not set".to_owned();
        Err(self.lost(PlaceLoss { reason, refused: true }))
    }

    async fn verified_there(
        &self,
        job: VerifyJob,
        channel: &WorkerChannel,
        cancel: &CancellationSignal,
    ) -> Result<VerifiedTree, WorkStop> {
        self.must_be_trusted()?;
        let merged = merge_candidate(&self.ctx, &job, channel)?;
        let work = SentWork::Verify(Box::new(TrustedJob { job: job.clone(), merged: merged.clone() }));
        match self.carry_out(&work, channel, cancel, None).await? {
            WorkAnswer::Verified(verdict) => accept(&self.ctx, &job, &merged, &verdict, channel)
                .map_err(|reason| self.lost(PlaceLoss { reason, refused: true })),
            WorkAnswer::Candidate(_) | WorkAnswer::Closed => Err(self.lost(answered_otherwise())),
        }
    }

    async fn closed_there(&self, share: ClosingShare, cancel: &CancellationSignal) -> Result<(), WorkStop> {
        self.must_be_trusted()?;
        let Some(first) = share.job.tasks.first().cloned() else { return Ok(()) };
        // A closing run belongs to no attempt, so its events are dropped.
        let (to, _deaf) = tokio::sync::mpsc::unbounded_channel();
        let channel = WorkerChannel::new(to, first, AttemptNo(0), &[]);
        match self.carry_out(&SentWork::Close(share), &channel, cancel, None).await {
            Ok(WorkAnswer::Closed) => Ok(()),
            Ok(WorkAnswer::Candidate(_) | WorkAnswer::Verified(_)) => Err(self.lost(answered_otherwise())),
            Err(stop) => Err(stop),
        }
    }
}

impl RemotePlace for LaunchedPlace {
    fn verify_there<'a>(
        &'a self,
        job: VerifyJob,
        channel: &'a WorkerChannel,
        cancel: &'a CancellationSignal,
    ) -> RemoteRunning<'a, VerifiedTree> {
        Box::pin(self.verified_there(job, channel, cancel))
    }

    fn close_there<'a>(
        &'a self,
        share: ClosingShare,
        cancel: &'a CancellationSignal,
    ) -> RemoteRunning<'a, ()> {
        Box::pin(self.closed_there(share, cancel))
    }
}
