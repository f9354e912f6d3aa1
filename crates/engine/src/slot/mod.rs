//! Directories in which attempts and verifications run, outside any checkout.
//!
//! A slot belongs to a fixed pool and may keep build caches between tasks; what is written to an export is wiped after
//! use, while the tree below it may be kept as long as nobody can write to it. Neither knows what runs in it.

mod base;
mod dir_snapshot;
mod error;
mod export;
mod overlay_changes;
mod pool;
mod prepare;

pub use base::Bases;
pub use error::SlotError;
pub use export::{ExportedTree, export, export_over};
pub use pool::{Slot, SlotPool};
