//! Command line agents: Claude Code, Codex, Gemini CLI, Qwen Code, opencode.
//!
//! Each has a file: its command line, its environment, the login it needs, where its conversations lie. What they have
//! in common is done once: a private home for every turn, a listener that ends what will not end well, and one
//! verdict from the stream and the exit code together. What was seen of which version is in [`quirks`].

mod agent;
mod claude;
mod codex;
mod gemini;
mod installation;
mod kind;
mod launch;
mod opencode;
mod quirks;
mod qwen;
mod schema_forms;
mod sessions;
mod stream_watch;
mod turn_home;
mod verdict;
mod version;

pub use installation::behind;
pub use kind::{CliFacts, CliKind, Login};
pub use launch::Permission;
pub use quirks::{Quirk, quirks_of};
pub use version::{Version, version_in};

pub(super) use agent::CliAgent;
