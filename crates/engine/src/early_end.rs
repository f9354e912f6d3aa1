//! `EarlyEnd`: how a piece of work ends without its result. Attempts, turns, gates, verifications, reviews and the
//! closing run share it; what each of them yields when it does finish is the `Ok` of its `Result`.

use windlass_core::failure::Failure;
use windlass_core::ids::BlobName;

use crate::error::EngineError;

/// Why a piece of work ended without its result.
#[derive(Debug)]
pub(crate) enum EarlyEnd {
    /// It failed: the failure, and what the deciding command printed.
    Failed { failure: Failure, output: Option<BlobName> },
    /// It was cancelled; the work itself was not judged.
    Interrupted,
    /// Windlass cannot go on.
    Broken(EngineError),
}

impl EarlyEnd {
    /// A failure without the output of a command.
    pub(crate) fn failed(failure: Failure) -> Self {
        Self::Failed { failure, output: None }
    }
}

impl<E: Into<EngineError>> From<E> for EarlyEnd {
    fn from(error: E) -> Self {
        Self::Broken(error.into())
    }
}
