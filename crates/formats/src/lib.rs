//! Text ⇄ [`Plan`], one file per format. Pure: the binary reads the files and writes what comes back.
//!
//! Reading is lenient: it always gives a plan, says what it had to assume, and keeps what it does not know. Writing
//! follows the format's own rules.

mod ccw;
mod contract;
mod family;
#[cfg(test)]
pub(crate) mod fixtures;
mod flatten;
mod foreign;
mod homerun;
mod json;
mod known;
mod markdown;
mod native;
mod parts;
mod reading;
mod remainder;
#[cfg(test)]
mod roundtrip_tests;
mod schema;
mod speckit;
mod states;
mod superplanner;
mod taskfile;
mod taskmaster;
mod tree;
mod zerg;

pub use ccw::tdd_warnings_log;
pub use homerun::planning_complete;
pub use known::{Deed, Known, Logged, write_known};
pub use remainder::as_others_see;

pub use schema::{plan_json, schemas};

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use windlass_core::hands::{Hands, OneHand};
use windlass_core::plan::{Loaded, Plan};
use windlass_core::state::TaskState;

/// A file format of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// `plan.toml` and a folder of Markdown contract tasks.
    Native,
    /// ZERG's `task-graph.json`.
    Zerg,
    /// homerun's `tasks.json`, `state.json` or `docs/tasks/NNN-slug.md`.
    Homerun,
    /// A CCW session folder.
    Ccw,
    /// A super-planner project.
    Superplanner,
    /// Contract tasks, `TASK-XXX.md`.
    Contract,
    /// Task Master's `tasks.json`.
    Taskmaster,
    /// Spec Kit's `tasks.md`.
    Speckit,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 8] = [
        Dialect::Native,
        Dialect::Zerg,
        Dialect::Homerun,
        Dialect::Ccw,
        Dialect::Superplanner,
        Dialect::Contract,
        Dialect::Taskmaster,
        Dialect::Speckit,
    ];

    /// Its name in options and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::Native => "native",
            Dialect::Zerg => "zerg",
            Dialect::Homerun => "homerun",
            Dialect::Ccw => "ccw",
            Dialect::Superplanner => "superplanner",
            Dialect::Contract => "contract",
            Dialect::Taskmaster => "taskmaster",
            Dialect::Speckit => "speckit",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that names no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a plan format; known are native, zerg, homerun, ccw, superplanner, contract, taskmaster, speckit"
)]
pub struct UnknownDialect(pub String);

impl FromStr for Dialect {
    type Err = UnknownDialect;
    fn from_str(text: &str) -> Result<Self, UnknownDialect> {
        Self::ALL.into_iter().find(|d| d.as_str() == text).ok_or_else(|| UnknownDialect(text.into()))
    }
}

/// One file of an input or an output; the path is relative to the input's root and uses `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// Where it lies below the root.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What the user pointed at: one file, or a folder with the files a dialect could want.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    /// The path as the user gave it, put before each file's path in messages.
    pub root: String,
    /// The files; for a single file, one entry with its file name.
    pub files: Vec<TextFile>,
}

/// What a written plan says about each task's progress; `None` means nothing is known.
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

/// What a format is told by.
enum Told {
    /// Any one of the files.
    ByFile(fn(&TextFile) -> Sniff),
    /// All of them together.
    ByAll(fn(&Input) -> Sniff),
}

impl Told {
    fn sniff(&self, input: &Input) -> Sniff {
        match self {
            Told::ByFile(of) => input.files.iter().map(of).max().unwrap_or(Sniff::No),
            Told::ByAll(of) => of(input),
        }
    }
}

/// A format: how it is told, read and written.
struct Format {
    told: Told,
    read: Read,
    write: Write,
}

/// How a format is read.
enum Read {
    /// By one hand.
    Alone(fn(&Input) -> Loaded),
    /// By several, where it is long.
    Together(fn(&Input, &dyn Hands) -> Loaded),
}

type Write = fn(&Plan, StateOf<'_>) -> Vec<TextFile>;

/// One line connects a format.
#[rustfmt::skip]
fn format(dialect: Dialect) -> Format {
    use Read::{Alone, Together};
    use Told::{ByAll, ByFile};
    let (told, read, write): (Told, Read, Write) = match dialect {
        Dialect::Native => (ByAll(native::sniff), Alone(native::read), native::write),
        Dialect::Contract => (ByAll(contract::sniff), Alone(contract::read), contract::write),
        Dialect::Ccw => (ByFile(ccw::confidence), Alone(ccw::read), ccw::write),
        Dialect::Zerg => (ByFile(zerg::confidence), Together(zerg::read), zerg::write),
        Dialect::Homerun => (ByAll(homerun::sniff), Alone(homerun::read), homerun::write),
        Dialect::Superplanner => (ByFile(superplanner::confidence), Alone(superplanner::read), superplanner::write),
        Dialect::Taskmaster => (ByFile(taskmaster::confidence), Alone(taskmaster::read), taskmaster::write),
        Dialect::Speckit => (ByFile(speckit::confidence), Alone(speckit::read), speckit::write),
    };
    Format { told, read, write }
}

/// The formats in the order they are named where several are possible.
const ASKED: [Dialect; 8] = [
    Dialect::Native,
    Dialect::Contract,
    Dialect::Ccw,
    Dialect::Zerg,
    Dialect::Homerun,
    Dialect::Superplanner,
    Dialect::Taskmaster,
    Dialect::Speckit,
];

/// Which dialects the input could be, most likely first. More than one sure answer means: ask.
///
/// If any format is sure, only the sure ones are given.
pub fn detect(input: &Input) -> Vec<Dialect> {
    let heard: Vec<(Dialect, Sniff)> = ASKED.map(|d| (d, format(d).told.sniff(input))).to_vec();
    let with = |sniff: Sniff| -> Vec<Dialect> {
        heard.iter().filter(|(_, s)| *s == sniff).map(|(dialect, _)| *dialect).collect()
    };
    let sure = with(Sniff::Sure);
    if sure.is_empty() { with(Sniff::Maybe) } else { sure }
}

/// Reads the input as `dialect`.
pub fn read(dialect: Dialect, input: &Input) -> Loaded {
    read_with(&OneHand, dialect, input)
}

/// Reads the input as `dialect`, with the help of these hands where it is long. Nothing depends on how many there are.
pub fn read_with(hands: &dyn Hands, dialect: Dialect, input: &Input) -> Loaded {
    match format(dialect).read {
        Read::Alone(read) => read(input),
        Read::Together(read) => read(input, hands),
    }
}

/// Writes the plan as `dialect`: the files to put below the chosen root.
pub fn write(dialect: Dialect, plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    (format(dialect).write)(plan, states)
}
