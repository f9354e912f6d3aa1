//! One command from start to proved end.

use super::cancel::CancellationSignal;
use super::invocation::{Finished, Invocation, ProcessId, Token};

/// Runs a command to its end and ends everything it started. `on_spawn` is told the process as soon as it exists.
pub async fn run(
    inv: Invocation,
    token: &Token,
    cancel: CancellationSignal,
    on_spawn: impl FnOnce(ProcessId),
) -> Finished {
    let _ = (inv, token, cancel, on_spawn);
    std::future::ready(()).await;
    todo!()
}
