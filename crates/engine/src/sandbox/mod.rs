//! Sandboxes: what a process may see and touch of this machine.
//!
//! The caller of a process states what it needs; this room grants exactly that, on the strongest rung available. A
//! [`Fence`] surrounds one directory, which is always [`WORK`] inside. The helper (`windlass-confine`, or a second start
//! of the program) sets up the sandbox around itself and execs the command.
//!
//! Knows nothing of tasks, plans or verdicts.

mod choose_rung;
mod dir_setup;
mod disk_watch;
mod fence;
mod layout;
mod limits;
mod model_network;
mod needs;
mod network;
mod probe;
mod program_files;
mod rung;
mod settings;
mod untrusted_paths;

pub use crate::platform::confine::edition::is_own_edition;
pub use crate::platform::confine::main as confine;
pub use crate::platform::control_groups::{HeldLimits, look_for_groups};
pub use choose_rung::{RungProbe, SandboxChoice, SandboxUnavailable, choose};
pub(crate) use dir_setup::{DirSetups, Layer};
pub(crate) use disk_watch::disk_usage;
pub(crate) use fence::KERNEL;
pub use fence::{Fence, FenceRole, Sandbox};
pub(crate) use layout::is_system;
pub use layout::{OWN, WORK};
pub use limits::ResourceLimits;
pub use needs::{Needs, Network};
pub(crate) use network::SharedNetwork;
pub use probe::{BubblewrapVersion, can_have};
pub use program_files::of_directory;
pub(crate) use program_files::of_program;
pub use rung::{SandboxRung, SandboxWish};
pub use settings::{SandboxConfig, Unsandboxed};
pub(crate) use untrusted_paths::{is_straight, read_plain};
