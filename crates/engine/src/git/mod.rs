//! The `git` program behind one struct: typed answers, a hermetic environment, one object store.
//!
//! Windlass reads and writes objects in the user's object directory but through a git directory of its own, so
//! that no hook, filter, attribute, alias or replacement of the user's repository or of an agent's tree has a
//! say. Refs are written in the user's git directory, one at a time and only by compare-and-swap. Knows nothing
//! of plans, tasks or attempts.

mod agent_repository;
mod blob_import;
mod changes;
mod command;
mod config;
mod discover;
mod error;
mod fetch;
mod history;
mod ignore_rules;
mod ingest;
mod ingest_walk;
mod object_cache;
mod objects;
mod own_dir;
mod packing;
mod packs;
mod picked;
mod refs;
mod repo;
mod resident;
mod tool_output;
mod tree;
mod tree_nodes;
mod worktree;

pub use changes::{ChangeKind, LineCount, MergeResult, PathChange};
pub use command::GitEnv;
pub use config::{CommitPeople, UserSigning};
pub use error::GitError;
pub use history::CommitInfo;
pub use ingest::{Ingest, Ingested, Refusal, RefusalKind};
pub use objects::{CommitSpec, Identity, Signing};
pub use refs::{ExpectedRef, Head, RefMove};
pub use repo::Repo;
pub use tree::{TreeEdit, TreeEntry};

pub(crate) use ignore_rules::IgnoreRules;
pub(crate) use object_cache::TreeFiles;
pub(crate) use packing::OwnPacks;
pub(crate) use packs::PackLimits;
pub(crate) use picked::NameRule;
pub(crate) use tree::{GITLINK, SortedEntries, is_below};
