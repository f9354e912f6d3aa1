//! The cache of a repository as a whole: the repository it belongs to, the processes that use it, its size, and when it is dropped.
//!
//! Everything in a cache can be made anew, so a cache that does not belong to the repository in front of us is emptied
//! instead of trusted. The rooms that fill it (slots, exports, layers, surveys) repair their own single entries.

mod claim;
mod journals;
mod kept;
mod upkeep;

pub(crate) use claim::CacheClaim;
pub use journals::{KeptJournal, free_journal, kept_journals};
pub use kept::{CachePart, KeptCache, free_cache, kept_caches};
pub(crate) use upkeep::drop_unused;
pub use upkeep::{CACHE_AGE, ORPHAN_AGE, SLOT_AGE};
