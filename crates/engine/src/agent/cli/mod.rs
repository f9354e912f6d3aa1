//! Command line agents: Claude Code, Codex, Gemini CLI, Qwen Code, opencode.
//!
//! Each has a file with its command line, environment, login and location of conversations. Common to all: a private
//! home for every turn, a watch that ends hopeless runs, and one verdict from the stream and the exit code.
//! Observations by version are in [`quirks`].

mod accounts;
mod acp;
mod agent;
mod claude;
mod codex;
mod gemini;
mod installation;
mod kind;
mod launch;
mod login_copy;
mod opencode;
mod provider;
mod quirks;
mod qwen;
mod schema_forms;
mod sessions;
mod side_usage;
mod stream_watch;
mod turn_home;
mod verdict;
mod version;

pub use accounts::{Account, AccountPool};
pub use acp::kind_behind;
pub use installation::behind;
pub(crate) use kind::UnseenLogin;
pub use kind::{CarriedForm, CliFacts, CliKind, Login, LoginWay, PriceSource, SettingsFacts, SettingsForm};
pub use launch::Permission;
pub use quirks::{Quirk, quirks_of};
pub use version::{Version, version_in};

pub(super) use agent::CliAgent;
pub(crate) use provider::hosts;
