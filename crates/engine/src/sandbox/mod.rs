//! Sandboxes: what a process may see and touch of this machine.
//!
//! Whoever starts a process says what it needs; this room grants exactly that, on the strongest rung there is.

mod needs;

pub use needs::{Needs, Network};
