//! What a rule is, and how hard each profile takes it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::rule_pages;
use windlass_core::diagnostic::Severity;
use windlass_formats::Dialect;

/// Which house rules a plan is held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// What any plan needs to be carried out.
    #[default]
    Default,
    /// Bite-sized tasks with levels.
    Zerg,
    /// One commit and one test per task, traced to a specification.
    Homerun,
    /// Quantified test cycles in sessions.
    Ccw,
    /// Hierarchies of sub-projects.
    Superplanner,
    /// Small tasks with a contract each.
    Contract,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Profile; 6] = [
        Profile::Default,
        Profile::Zerg,
        Profile::Homerun,
        Profile::Ccw,
        Profile::Superplanner,
        Profile::Contract,
    ];

    /// Its name in options and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Profile::Default => "default",
            Profile::Zerg => "zerg",
            Profile::Homerun => "homerun",
            Profile::Ccw => "ccw",
            Profile::Superplanner => "superplanner",
            Profile::Contract => "contract",
        }
    }

    /// The profile of a format, where the plan does not name one.
    pub fn of(dialect: Dialect) -> Profile {
        match dialect {
            Dialect::Native | Dialect::Taskmaster | Dialect::Speckit => Profile::Default,
            Dialect::Zerg => Profile::Zerg,
            Dialect::Homerun => Profile::Homerun,
            Dialect::Ccw => Profile::Ccw,
            Dialect::Superplanner => Profile::Superplanner,
            Dialect::Contract => Profile::Contract,
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that names no profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a profile; known are default, zerg, homerun, ccw, superplanner, contract")]
pub struct UnknownProfile(pub String);

impl FromStr for Profile {
    type Err = UnknownProfile;
    fn from_str(text: &str) -> Result<Self, UnknownProfile> {
        Self::ALL.into_iter().find(|p| p.as_str() == text).ok_or_else(|| UnknownProfile(text.into()))
    }
}

/// What a rule is about; each is a file of this room and a page of the guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleFamily {
    /// What a reader could not use.
    Reading,
    /// Ids, references, order, hierarchy.
    Shape,
    /// Paths and who owns them.
    Files,
    /// How a task is proved.
    Proof,
    /// How large it is.
    Size,
    /// What it says and how.
    Words,
    /// What in the specification it serves.
    Trace,
    /// Who carries it out.
    Routing,
}

/// How hard each profile takes a rule; `None` is off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels([Option<Severity>; 6]);

impl Levels {
    /// The same everywhere.
    pub(super) const fn all(severity: Severity) -> Levels {
        Levels([Some(severity); 6])
    }

    /// Off everywhere.
    pub(super) const fn off() -> Levels {
        Levels([None; 6])
    }

    /// Another level in one profile.
    pub(super) const fn with(mut self, profile: Profile, severity: Severity) -> Levels {
        self.0[profile as usize] = Some(severity);
        self
    }

    /// The level in a profile.
    pub fn get(&self, profile: Profile) -> Option<Severity> {
        self.0[profile as usize]
    }
}

/// A rule of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct LintRule {
    /// Stable code, for example `WL0301`.
    pub code: &'static str,
    /// Its name in configuration.
    pub name: &'static str,
    /// What it is about.
    pub family: RuleFamily,
    /// How hard each profile takes it.
    pub levels: Levels,
    /// One line.
    pub summary: &'static str,
}

impl LintRule {
    /// Its page: why, a bad example and a good one, as Markdown.
    pub fn page(&self) -> &'static str {
        rule_pages::of(self)
    }
}

/// The rules of a file: each a static of its own, and all of them as `RULES`, in the order of their codes.
macro_rules! rules {
    ($family:ident; $($rule:ident = $code:literal $name:literal, $levels:expr, $summary:literal;)*) => {
        $(
            static $rule: $crate::lint::LintRule = $crate::lint::LintRule {
                code: $code,
                name: $name,
                family: $crate::lint::RuleFamily::$family,
                levels: $levels,
                summary: $summary,
            };
        )*

        /// The rules of this file.
        pub(super) static RULES: &[&$crate::lint::LintRule] = &[$(&$rule),*];
    };
}
pub(super) use rules;
