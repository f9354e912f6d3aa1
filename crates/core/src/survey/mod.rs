//! What a survey finds in a repository: plain data, and the questions that can be answered from it alone.
//!
//! The code crate makes it from bytes; derivation, steps and briefs use it. Nothing here parses or reads a file.

mod ask;
mod facts;
mod handy;
mod import_line;
mod place;
mod query;
mod resolve;
mod style;
mod terms;

pub use ask::{Case, CodeWanted, Ground, NoGround, Snippet, SnippetState, TestCall, TestWanted};
pub use facts::{Export, ExportKind, FileFacts, Import, Language};
pub use handy::{Handy, Seeker, subjects};
pub use place::{Spot, TestFile, TestPlace, places, subject_stem, test_file_for};
pub use query::{Member, Reader, Survey};
pub use resolve::resolve_dots;
pub use style::{Conventions, Framework, Naming, Quotes, TestShape, TestStyle};
pub use terms::words;
