//! `windlass.toml`: what it may say, what holds where it says nothing, and what is wrong with it.
//!
//! Every key is declared once, in [`keys`], with its type, its default and its words; reading, the reference page and
//! the file that `init` writes all come from that declaration. Knows nothing of files on disk.

mod beyond_sandbox;
mod choice;
mod duration;
mod keys;
mod load;
mod map;
mod places;
mod reader;
mod reference;
mod section;
mod shape;
mod team;
mod value;

pub(crate) use beyond_sandbox::{HostSetting, host_settings};
pub(crate) use choice::{AgentKind, DocsRule, LintLevel, TestNetwork};
pub(crate) use duration::parse_time;
pub(crate) use keys::{AgentTable, Config, NotifyKeys, Planning, RunLimits, TelemetryKeys};
pub(crate) use places::PlaceKeys;
pub(crate) use reader::explain;
pub(crate) use reference::{commented, defaults, reference};
