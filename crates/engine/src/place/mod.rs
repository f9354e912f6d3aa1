//! Places: where attempts, reviews, verifications and closing runs are carried out.
//!
//! A [`Place`] receives a job, which is plain data, and answers with plain data: objects in the repository, names of
//! stored outputs, a verdict. What happens meanwhile is reported through the [`WorkerChannel`]. The dispatcher knows
//! nothing else of a place; slots, sandboxes, exports and processes stay behind it. [`LocalPlace`] is this machine;
//! [`LaunchedPlace`] is a machine that a command leads to, where [`attend`] takes the attempts. What a place must
//! provide: `docs/design/0025-places.md`.

mod accepted;
mod attend;
mod carrier;
mod connection_limit;
mod disk_space;
mod frame;
mod job;
mod launched;
mod link;
mod live;
mod local;
mod machine;
mod message;
mod remote;
mod trusted;
mod work_there;
mod workspace;

use std::future::Future;
use std::pin::Pin;

use windlass_core::team::Verdict;

pub use self::attend::{AttendHost, Configure, attend, clean_attended};
pub use self::carrier::{
    CarriedPipes, Carrier, CarrierEnd, CarrierOpening, CarrierRoster, CarrierTask, CarrierWorker,
    coordinator_ping, pass_frames, place_ping,
};
pub(crate) use self::job::{
    AttemptJob, ClosingJob, ClosingShare, Neighbour, ReviewJob, SentWork, TrustedJob, VerifyJob,
};
pub use self::launched::{LaunchCommand, PlaceLoss, PlaceProbe, architecture_of, probe_place};
pub(crate) use self::local::{LocalPlace, report_process};
pub(crate) use self::machine::{LocalMachine, ScratchDir};
pub use self::message::PlaceReady;
pub(crate) use self::remote::LaunchedPlace;
pub(crate) use self::workspace::Workspace;
use crate::early_end::EarlyEnd;
use crate::process::CancellationSignal;
pub use crate::random_token::random_token;
use crate::worker_channel::{CandidateCommit, VerifiedTree, WorkerChannel};

/// A job under way.
pub(crate) type BoxedJob<'a, T> = Pin<Box<dyn Future<Output = Result<T, EarlyEnd>> + Send + 'a>>;

/// An attempt under way.
pub(crate) type AttemptRunning<'a> =
    Pin<Box<dyn Future<Output = Result<CandidateCommit, WorkStop>> + Send + 'a>>;

/// A job at another place under way.
pub(crate) type RemoteRunning<'a, T> = Pin<Box<dyn Future<Output = Result<T, WorkStop>> + Send + 'a>>;

/// Why work ended without its result.
#[derive(Debug)]
pub(crate) enum WorkStop {
    /// An end that does not depend on the place.
    Early(EarlyEnd),
    /// Its place was lost, or refused; the work itself was not judged.
    Lost { place: String, reason: String, refused: bool },
}

impl From<EarlyEnd> for WorkStop {
    fn from(end: EarlyEnd) -> Self {
        Self::Early(end)
    }
}

/// Where attempts are carried out. Many run at one place at the same time.
///
/// When a returned future is ready or dropped, every process of its job has ended. Raising `cancel` ends the job with
/// [`EarlyEnd::Interrupted`].
pub(crate) trait AttemptPlace: Send + Sync {
    /// Carries out an attempt up to its candidate commit.
    fn attempt<'a>(
        &'a self,
        job: AttemptJob,
        channel: &'a WorkerChannel,
        cancel: &'a CancellationSignal,
    ) -> AttemptRunning<'a>;
}

/// Another machine. What it says about a verification becomes evidence only if the user trusts it with that.
pub(crate) trait RemotePlace: AttemptPlace {
    /// Merges a candidate here and has the result verified there.
    fn verify_there<'a>(
        &'a self,
        job: VerifyJob,
        channel: &'a WorkerChannel,
        cancel: &'a CancellationSignal,
    ) -> RemoteRunning<'a, VerifiedTree>;

    /// Has commands of a closing run carried out there.
    fn close_there<'a>(
        &'a self,
        share: ClosingShare,
        cancel: &'a CancellationSignal,
    ) -> RemoteRunning<'a, ()>;
}

/// Where a run's other jobs are carried out too: what they say becomes evidence.
pub(crate) trait Place: AttemptPlace {
    /// Lets a reviewer judge a merged change.
    fn review<'a>(
        &'a self,
        job: ReviewJob,
        channel: &'a WorkerChannel,
        cancel: &'a CancellationSignal,
    ) -> BoxedJob<'a, Verdict>;

    /// Merges a candidate and verifies the result.
    fn verify<'a>(
        &'a self,
        job: VerifyJob,
        channel: &'a WorkerChannel,
        cancel: &'a CancellationSignal,
    ) -> BoxedJob<'a, VerifiedTree>;

    /// Runs the commands of completed tasks once more on one tree; how many passed.
    fn close<'a>(&'a self, job: ClosingJob, cancel: &'a CancellationSignal) -> BoxedJob<'a, usize>;
}
