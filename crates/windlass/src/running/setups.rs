//! Tries the set-ups of a repository for `run --dry-run` and `doctor`.

use windlass_engine::run::RunRequest;
use windlass_engine::setup_trial::{SetupTrial, try_setups};

use super::{runtime, stop_on_signals};
use crate::cli::CliError;
use crate::world::World;

/// How the set-ups of a request went. None, with a note on the terminal, while a run is under way.
pub(crate) fn tried_setups(world: &World, request: &RunRequest) -> Result<Vec<SetupTrial>, CliError> {
    let runtime = runtime(1)?;
    let err = world.clone();
    let tried = runtime.block_on(async {
        let stop = stop_on_signals(move |_| err.tell("\nstopping\n"));
        try_setups(request, stop).await
    })?;
    runtime.shutdown_background();
    if tried.is_none() {
        world.tell("note: the set-up was not tried: a run is under way\n");
    }
    Ok(tried.unwrap_or_default())
}
