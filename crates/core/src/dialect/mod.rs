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

#[cfg(test)]
pub(crate) use native::guide_tests::example as guide_example;
pub use schema::{plan_json, schemas};

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, Severity};
use crate::plan::{Loaded, Plan};
use crate::state::TaskState;

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

/// A format: how it is told, read and written. One line of [`FORMATS`] connects one.
struct Format {
    dialect: Dialect,
    sniff: fn(&Input) -> Sniff,
    read: fn(&Input) -> Loaded,
    write: fn(&Plan, StateOf<'_>) -> Vec<TextFile>,
}

static FORMATS: [Format; 8] = [
    Format { dialect: Dialect::Native, sniff: native::sniff, read: native::read, write: native::write },
    Format {
        dialect: Dialect::Contract,
        sniff: contract::sniff,
        read: contract::read,
        write: contract::write,
    },
    Format { dialect: Dialect::Ccw, sniff: ccw::sniff, read: ccw::read, write: ccw::write },
    Format { dialect: Dialect::Zerg, sniff: zerg::sniff, read: zerg::read, write: zerg::write },
    Format { dialect: Dialect::Homerun, sniff: homerun::sniff, read: homerun::read, write: homerun::write },
    Format {
        dialect: Dialect::Superplanner,
        sniff: superplanner::sniff,
        read: superplanner::read,
        write: superplanner::write,
    },
    Format {
        dialect: Dialect::Taskmaster,
        sniff: taskmaster::sniff,
        read: taskmaster::read,
        write: taskmaster::write,
    },
    Format { dialect: Dialect::Speckit, sniff: speckit::sniff, read: speckit::read, write: speckit::write },
];

fn format(dialect: Dialect) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.dialect == dialect)
}

/// Which dialects the input could be, most likely first. More than one sure answer means: ask.
///
/// If any format is sure, only the sure ones are given.
pub fn detect(input: &Input) -> Vec<Dialect> {
    let heard: Vec<(Dialect, Sniff)> = FORMATS.iter().map(|f| (f.dialect, (f.sniff)(input))).collect();
    let with = |sniff: Sniff| -> Vec<Dialect> {
        heard.iter().filter(|(_, s)| *s == sniff).map(|(dialect, _)| *dialect).collect()
    };
    let sure = with(Sniff::Sure);
    if sure.is_empty() { with(Sniff::Maybe) } else { sure }
}

/// Reads the input as `dialect`.
pub fn read(dialect: Dialect, input: &Input) -> Loaded {
    if let Some(format) = format(dialect) {
        return (format.read)(input);
    }
    let message = format!("the format `{dialect}` cannot be read yet");
    let diagnostics = vec![Diagnostic::new(reading::code::NO_FORMAT, Severity::Error, message)];
    Loaded { dialect: dialect.as_str().to_owned(), diagnostics, ..Loaded::default() }
}

/// Writes the plan as `dialect`: the files to put below the chosen root. A format that cannot be written gives none.
pub fn write(dialect: Dialect, plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    format(dialect).map_or_else(Vec::new, |f| (f.write)(plan, states))
}
