//! Rules, profiles, and the level of a rule in each profile.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::rule_pages;
use windlass_core::diagnostic::Severity;
use windlass_core::worded;
use windlass_formats::Dialect;

worded! {
    /// A set of levels for the rules, one per planning system.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Profile {
        /// The rules for any plan.
        #[default]
        Default = "default",
        /// Bite-sized tasks with levels.
        Zerg = "zerg",
        /// One commit and one test per task, traced to a specification.
        Homerun = "homerun",
        /// Quantified test cycles in sessions.
        Ccw = "ccw",
        /// Hierarchies of sub-projects.
        Superplanner = "superplanner",
        /// Small tasks with a contract each.
        Contract = "contract",
    }
}

impl Profile {
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
#[error("`{0}` is not a profile; known are {list}", list = profile_names())]
pub struct UnknownProfile(pub String);

fn profile_names() -> String {
    Profile::ALL.map(Profile::as_str).join(", ")
}

impl FromStr for Profile {
    type Err = UnknownProfile;
    fn from_str(text: &str) -> Result<Self, UnknownProfile> {
        Self::ALL.into_iter().find(|p| p.as_str() == text).ok_or_else(|| UnknownProfile(text.into()))
    }
}

/// The subject of a rule; each family has a page in the guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleFamily {
    /// Problems of reading a plan.
    Reading,
    /// Ids, references, order, hierarchy.
    Shape,
    /// Paths and ownership.
    Files,
    /// Verification.
    Proof,
    /// Size of tasks.
    Size,
    /// Wording of tasks.
    Words,
    /// Traceability to the specification.
    Trace,
    /// Model, method and session.
    Routing,
}

/// The level of a rule in each profile; `None` is off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels {
    by_profile: [Option<Severity>; Profile::ALL.len()],
    is_required: bool,
}

impl Levels {
    /// The same level in every profile.
    pub(super) const fn all(severity: Severity) -> Levels {
        Levels { by_profile: [Some(severity); Profile::ALL.len()], is_required: false }
    }

    /// Off in every profile.
    pub(super) const fn off() -> Levels {
        Levels { by_profile: [None; Profile::ALL.len()], is_required: false }
    }

    /// An error that no configuration lowers: a plan that breaks the rule cannot run.
    pub(super) const fn required() -> Levels {
        Levels { is_required: true, ..Levels::all(Severity::Error) }
    }

    /// Another level in one profile.
    pub(super) const fn with(mut self, profile: Profile, severity: Severity) -> Levels {
        self.by_profile[profile as usize] = Some(severity);
        self
    }

    /// The level in a profile.
    pub fn get(&self, profile: Profile) -> Option<Severity> {
        self.by_profile[profile as usize]
    }
}

/// A rule of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct LintRule {
    /// Stable code, for example `WL0301`.
    pub code: &'static str,
    /// Its name in configuration.
    pub name: &'static str,
    /// Its family.
    pub family: RuleFamily,
    /// Its level in each profile.
    pub levels: Levels,
    /// One line.
    pub summary: &'static str,
}

impl LintRule {
    /// Whether a plan that breaks it cannot run at all. Its level cannot be lowered.
    pub fn is_required(&self) -> bool {
        self.levels.is_required
    }

    /// Its page as Markdown: the reason, a bad example and a good one.
    pub fn page(&self) -> &'static str {
        rule_pages::of(self)
    }
}

/// Defines a static per rule, and `RULES` with all of them in the order of their codes.
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
