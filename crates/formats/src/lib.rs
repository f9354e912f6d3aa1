//! Text ⇄ [`Plan`], one module per dialect. Pure: the caller reads and writes the files.
//!
//! Reading is lenient: it always returns a plan, reports what it had to assume, and keeps what it does not know. Writing
//! follows the format's own rules. A new dialect is a module with its table of keys, and one line in [`dialects!`].

mod ccw;
mod contract;
mod family;
mod flatten;
mod homerun;
mod json;
mod known;
mod markdown;
mod memory;
mod native;
mod picking;
mod reading;
mod remainder;
mod schema;
mod speckit;
mod states;
mod superplanner;
mod table;
mod taskfile;
mod taskmaster;
#[cfg(test)]
mod tests;
mod tree;
mod zerg;

pub use ccw::tdd_warnings_log;
pub use homerun::{
    SignalledTasks, StateLimits, keep_state, planning_complete, state_limits, worktree, write_task_files,
};
pub use json::field_at;
pub use known::{Logged, LoggedDeed, RunFacts, write_known};
pub use remainder::as_others_see;
pub use schema::{plan_json, schemas};
pub use superplanner::{is_project, named_sub_projects};
pub use taskfile::comment_mark;
pub use tree::yaml_documents;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use windlass_core::plan::{Loaded, Plan};
use windlass_core::state::TaskState;

/// Declares the dialects: each line is a variant, its name in options and output, and its format.
macro_rules! dialects {
    ($($(#[$doc:meta])* $variant:ident $name:literal $format:path;)+) => {
        /// A file format of a plan.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Dialect { $($(#[$doc])* $variant),+ }

        impl Dialect {
            /// Every dialect, in the order in which they are named where several are possible.
            pub const ALL: [Dialect; [$(Dialect::$variant),+].len()] = [$(Dialect::$variant),+];

            /// Its name in options and output.
            pub fn as_str(self) -> &'static str {
                match self { $(Dialect::$variant => $name),+ }
            }

            fn format(self) -> &'static PlanFormat {
                match self { $(Dialect::$variant => &$format),+ }
            }
        }
    };
}

dialects! {
    /// `plan.toml` and a folder of Markdown contract tasks.
    Native "native" native::FORMAT;
    /// Contract tasks, `TASK-XXX.md`.
    Contract "contract" contract::FORMAT;
    /// A CCW session folder.
    Ccw "ccw" ccw::FORMAT;
    /// ZERG's `task-graph.json`.
    Zerg "zerg" zerg::FORMAT;
    /// homerun's `tasks.json`, `state.json` or `docs/tasks/NNN-slug.md`.
    Homerun "homerun" homerun::FORMAT;
    /// A super-planner project.
    Superplanner "superplanner" superplanner::FORMAT;
    /// Task Master's `tasks.json`.
    Taskmaster "taskmaster" taskmaster::FORMAT;
    /// Spec Kit's `tasks.md`.
    Speckit "speckit" speckit::FORMAT;
}

impl Dialect {
    /// The file that a plan of this dialect usually has.
    pub fn usual_file(self) -> &'static str {
        self.format().usual_file
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that names no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a plan format; known formats: {list}", list = names())]
pub struct UnknownDialect(pub String);

fn names() -> String {
    Dialect::ALL.iter().map(|d| d.as_str()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Dialect {
    type Err = UnknownDialect;
    fn from_str(text: &str) -> Result<Self, UnknownDialect> {
        Self::ALL.into_iter().find(|d| d.as_str() == text).ok_or_else(|| UnknownDialect(text.into()))
    }
}

/// One file of an input or an output; the path is relative to the input's root and uses `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// Its path below the root.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What the user named: one file, or a folder with the files that a dialect may read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    /// The path as the user gave it, put before each file's path in messages.
    pub root: String,
    /// The files; a single file is one entry with its file name.
    pub files: Vec<TextFile>,
}

/// The state of each task in a written plan; `None` means that it is unknown.
pub type StateOf<'a> = &'a dyn Fn(&str) -> Option<TaskState>;

/// How sure a format is that an input is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sniff {
    /// Not its own.
    No,
    /// It could be.
    Maybe,
    /// It is.
    Sure,
}

/// How a dialect is recognised, read and written.
pub(crate) struct PlanFormat {
    /// The file that a plan usually has.
    usual_file: &'static str,
    /// How much an input looks like a plan of this dialect.
    sniff: fn(&Input) -> Sniff,
    /// Reads an input.
    read: fn(&Input) -> Loaded,
    /// Writes a plan.
    write: fn(&Plan, StateOf<'_>) -> Vec<TextFile>,
    /// Adds what a run knows to the written files, where the format has a place for it.
    add_run: Option<fn(&Plan, &RunFacts<'_>, &mut Vec<TextFile>)>,
}

/// The dialects that the input could be, most likely first. Several mean that the user has to choose.
///
/// If any dialect is sure, only the sure ones are returned.
pub fn detect(input: &Input) -> Vec<Dialect> {
    let sniffs: Vec<(Dialect, Sniff)> = Dialect::ALL.map(|d| (d, (d.format().sniff)(input))).to_vec();
    let with = |sniff: Sniff| -> Vec<Dialect> {
        sniffs.iter().filter(|(_, s)| *s == sniff).map(|(dialect, _)| *dialect).collect()
    };
    let sure = with(Sniff::Sure);
    if sure.is_empty() { with(Sniff::Maybe) } else { sure }
}

/// Reads the input as `dialect`.
pub fn read(dialect: Dialect, input: &Input) -> Loaded {
    (dialect.format().read)(input)
}

/// Writes the plan as `dialect`: the files to put below the chosen root.
pub fn write(dialect: Dialect, plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    (dialect.format().write)(plan, states)
}
