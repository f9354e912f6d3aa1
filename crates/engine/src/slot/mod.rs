//! Directories in which attempts and verifications run, outside any checkout.
//!
//! A slot belongs to a fixed pool and may keep build caches between tasks; an export is fresh and is wiped after
//! use. Neither knows what runs in it.

mod error;
mod export;
mod pool;
mod prepare;

pub use error::SlotError;
pub use export::{Export, export};
pub use pool::{Slot, SlotPool};
