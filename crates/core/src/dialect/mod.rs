//! Text ⇄ [`Plan`], one file per format. Pure: the binary reads the files and writes what comes back.
//!
//! Reading is lenient: it always gives a plan, says what it had to assume, and keeps what it does not know. Writing
//! follows the format's own rules.

mod family;
mod flatten;
mod foreign;
mod json;
mod parts;
mod reading;
mod remainder;
mod states;
mod taskmaster;
mod zerg;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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

/// How much an input looks like a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Confidence {
    /// Not at all.
    None,
    /// It could be.
    Weak,
    /// It is.
    Sure,
}

/// Which dialects the input could be, most likely first. More than one sure answer means: ask.
pub fn detect(input: &Input) -> Vec<Dialect> {
    let mut found: Vec<(Confidence, Dialect)> = Dialect::ALL.into_iter().map(|d| (sniff(d, input), d)).collect();
    found.retain(|(c, _)| *c > Confidence::None);
    found.sort_by_key(|(c, _)| std::cmp::Reverse(*c));
    let best = found.first().map_or(Confidence::None, |(c, _)| *c);
    found.into_iter().filter(|(c, _)| *c == best).map(|(_, d)| d).collect()
}

fn sniff(dialect: Dialect, input: &Input) -> Confidence {
    match dialect {
        Dialect::Zerg => zerg::sniff(input),
        Dialect::Taskmaster => taskmaster::sniff(input),
        _ => Confidence::None,
    }
}

/// Reads the input as `dialect`.
pub fn read(dialect: Dialect, input: &Input) -> Loaded {
    match dialect {
        Dialect::Zerg => zerg::read(input),
        Dialect::Taskmaster => taskmaster::read(input),
        _ => Loaded::default(),
    }
}

/// Writes the plan as `dialect`: the files to put below the chosen root.
pub fn write(dialect: Dialect, plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    match dialect {
        Dialect::Zerg => zerg::write(plan, states),
        Dialect::Taskmaster => taskmaster::write(plan, states),
        _ => Vec::new(),
    }
}
