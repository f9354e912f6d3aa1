//! Plans whose documents change: what a plan remembers of its documents, and the same plan after they changed.
//!
//! A plan keeps a [`Derivation`]: the documents it was made from and the plan as it was derived. When a document
//! changes, the old and the new text are derived alike, on the same repository, and only the difference between the
//! two is carried over to the plan as people have left it ([`revise`]). So ids, hand edits and the order of tasks stay,
//! and a repository that has grown meanwhile changes nothing.

mod change;
mod edit;
mod lines;
mod pairing;
mod place;
mod record;
mod renaming;
mod revise;
#[cfg(test)]
mod tests;

pub use change::{PlanChangeKind, Revision, SentenceChange, TaskChange};
pub use lines::{SentenceLine, plain_text, source_lines};
pub use record::{Derivation, DerivationError, KeptDocument};
pub use revise::{Drafts, Standings, revise};
