//! Runs one command so that it really ends: its group, its daemons, its grandchildren in other sessions.
//!
//! Knows nothing of tasks or agents. Processes are found through `platform`; sandboxes with namespaces also end with
//! this program.

mod cancel;
mod capture;
mod containment;
mod invocation;
mod launcher;
mod leftovers;
mod mask;
mod masker;
mod registry;
mod run;
mod spawner;
mod sweep;
mod watchdog;

pub(crate) use crate::platform::identify;
pub use crate::platform::is_alive;
pub use cancel::{CancelLevel, CancellationSignal};
pub use capture::{Capture, CapturedOutput};
pub use containment::Containment;
pub(crate) use invocation::Keeper;
pub use invocation::{Finished, Invocation, LimitHit, ProcessExit, ProcessId, TimeLimit, Token};
pub(crate) use launcher::{ADOPTER, LAUNCHER, launcher, run_adopter, run_launcher};
pub use leftovers::kill_leftovers;
pub(crate) use mask::Mask;
pub(crate) use registry::forget;
pub use run::{Listener, run};
pub(crate) use run::{not_started, run_kept};
pub(crate) use spawner::spawn as start;
pub(crate) use watchdog::{WATCHDOG, Watchdog, run_watchdog};
