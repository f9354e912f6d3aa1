//! Sandboxes: what a process may see and touch of this machine.
//!
//! Whoever starts a process says what it needs; this room grants exactly that, on the strongest rung there is. A
//! [`Fence`] stands around one directory: inside, that directory always lies at [`WORK`]. How it is made: the helper (a
//! second start of the program around the engine) fences itself in and becomes the command.
//!
//! Knows nothing of tasks, plans or verdicts.

mod bubblewrap;
mod confine;
mod disk;
mod fence;
mod group;
mod kept;
mod layout;
mod limits;
mod needs;
mod network;
mod plain;
mod probe;
mod reach;
mod rooms;
mod rung;
mod settings;
mod spec;
mod survey;

pub use confine::main as confine;
pub(crate) use fence::KERNEL;
pub use fence::{Fence, Role, Sandbox};
pub use group::{Held, look_for_groups};
pub use layout::{OWN, WORK, is_system};
pub use limits::Limits;
pub use needs::{Needs, Network};
pub(crate) use network::SharedNetwork;
pub(crate) use plain::{is_straight, read_plain};
pub use probe::{BubblewrapVersion, can_have};
pub use reach::{of_directory, of_program};
pub(crate) use rooms::{Layer, Rooms};
pub use rung::{Rung, Wish};
pub use settings::{SandboxConfig, Unsandboxed};
pub use survey::{Choice, Look, Unavailable, choose};
