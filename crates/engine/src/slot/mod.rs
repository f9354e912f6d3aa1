//! Directories for attempts and verifications, outside any checkout.
//!
//! A slot belongs to a pool and may keep build caches between tasks. Changes in an export are wiped after use; its base
//! may be kept, because no command can write to it.

mod base;
mod dir_snapshot;
mod error;
mod export;
mod overlay_changes;
mod pool;
mod prepare;

pub use base::{BaseAge, Bases};
pub use error::SlotError;
pub(crate) use export::FileAge;
pub use export::{ExportedTree, export, export_over};
pub(crate) use pool::drop_idle;
pub use pool::{Slot, SlotPool};
