//! The results of the gates, which become part of the evidence.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use windlass_code::detect::FormatPlan;
use windlass_code::expectation::ExpectationKind;
use windlass_code::red::Strength;
use windlass_code::syntax::tricks::{Rule, Strictness};
use windlass_core::failure::Gate;
use windlass_core::ids::{BlobName, Oid};
use windlass_core::report::TestReport;

/// The result of one gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateRecord {
    /// The gate.
    pub gate: Gate,
    /// What was run.
    pub command: String,
    /// The exit code, where a command was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// How long it took.
    pub millis: u64,
    /// How much of that was the build of the tests, where it was a command of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_millis: Option<u64>,
    /// What it printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<BlobName>,
    /// Its named results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<TestReport>,
    /// How much it shows.
    pub strength: ProofStrength,
    /// The processes that it left behind, where that is allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
    /// The tests that failed here and on the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failing_before: Vec<String>,
}

/// How much the result of a gate shows, the most first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProofStrength {
    /// Tests passed that are known by name.
    Named,
    /// A command ended as it should.
    ExitCode,
    /// A tool found nothing that it does not find on the base.
    #[serde(rename = "nothing new")]
    NothingNew,
    /// A check without a command passed.
    Alternative,
    /// Nothing was proved: the plan says that nothing needs to be.
    Unproved,
    /// A word that another version wrote.
    #[serde(untagged)]
    Unknown(String),
}

impl From<Strength> for ProofStrength {
    fn from(strength: Strength) -> Self {
        match strength {
            Strength::Named => Self::Named,
            Strength::ExitOnly => Self::ExitCode,
        }
    }
}

/// The result of the canaries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "canaries", rename_all = "kebab-case")]
pub enum CanaryRecord {
    /// They failed, as they must.
    Failed {
        /// Their random names.
        names: Vec<String>,
    },
    /// There were none.
    None {
        /// The reason.
        why: String,
    },
}

/// How a test was seen to depend on the code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BiteRecord {
    /// The test; for a script whose exit code is the result, its path.
    pub test: String,
    /// What was seen.
    #[serde(flatten)]
    pub seen: BiteSeen,
}

impl BiteRecord {
    /// Whether the test failed when it expected another value. A denied assertion shows only that the test runs, and the opposite of
    /// a condition only that it is looked at.
    pub(crate) fn compares_a_value(&self) -> bool {
        match &self.seen {
            BiteSeen::Failed { kind: BiteKind::Known(kind), .. } => match kind {
                ExpectationKind::Denial | ExpectationKind::Negation => false,
                ExpectationKind::Equality
                | ExpectationKind::Exception
                | ExpectationKind::Part
                | ExpectationKind::Golden
                | ExpectationKind::Field
                | ExpectationKind::Computed => true,
            },
            BiteSeen::Failed { kind: BiteKind::Unknown(_), .. } => true,
            BiteSeen::Weak { .. } | BiteSeen::None => false,
        }
    }
}

/// What was changed in a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BiteKind {
    /// An expectation of a kind that is known here.
    Known(ExpectationKind),
    /// A word that another version wrote.
    Unknown(String),
}

/// What a test did when what it expects was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "bite", rename_all = "kebab-case")]
pub enum BiteSeen {
    /// It failed, as it must.
    Failed {
        /// What was changed.
        kind: BiteKind,
        /// The file.
        path: String,
        /// The line.
        line: usize,
        /// What was expected.
        was: String,
        /// What was put in its place.
        now: String,
    },
    /// It is not known to depend on the code.
    Weak {
        /// The reason.
        why: String,
    },
    /// Nothing in it could be changed.
    None,
}

/// A held-out test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldOutRecord {
    /// Where it was laid.
    pub path: String,
    /// The hash that stood in the plan.
    pub blake3: String,
    /// Its content, kept by the evidence ref from now on.
    pub blob: Oid,
}

/// A repetition of the tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatRecord {
    /// How often.
    pub times: u32,
    /// Why one run was not enough.
    pub why: String,
}

/// A frozen test file that a formatter brought into another form once the code was there. Only the form differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReformattedTest {
    /// The file.
    pub path: String,
    /// Its blob as it was frozen.
    pub from: Oid,
    /// Its blob in the new form.
    pub to: Oid,
}

/// The proof that one tree passed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GreenProof {
    /// The tree.
    pub tree: Oid,
    /// The gates in the order they ran.
    pub gates: Vec<GateRecord>,
    /// What was installed beforehand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup: Vec<String>,
    /// The version of the project that its build was told, where it would ask git for it. A clone may have other tags, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_version: Option<String>,
    /// The names of the variables the commands had.
    pub environment: Vec<String>,
    /// What kept its processes together.
    pub containment: String,
    /// The canaries, where tests are known by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canaries: Option<CanaryRecord>,
    /// How each test was seen to depend on the code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bites: Vec<BiteRecord>,
    /// The tests the agent never saw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_out: Vec<HeldOutRecord>,
    /// Whether the tests were run several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<RepeatRecord>,
    /// Frozen test files in a new form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reformatted: Vec<ReformattedTest>,
    /// What the rules found and let pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// Levels of rules that differ from their default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, String>,
}

const WORDS: [(Strictness, &str); 3] =
    [(Strictness::Off, "off"), (Strictness::Warning, "warning"), (Strictness::Error, "error")];

/// Levels by the names of their rules.
pub(super) fn levels_in_words(levels: &BTreeMap<Rule, Strictness>) -> BTreeMap<String, String> {
    let word = |level: &Strictness| {
        WORDS.iter().find(|(known, _)| known == level).map_or("error", |(_, word)| *word)
    };
    levels.iter().map(|(rule, level)| (rule.as_str().to_owned(), word(level).to_owned())).collect()
}

impl GreenProof {
    /// The tests that are not known to depend on the code.
    pub(crate) fn weak_tests(&self) -> Vec<String> {
        let is_weak = |bite: &&BiteRecord| match bite.seen {
            BiteSeen::Weak { .. } | BiteSeen::None => true,
            BiteSeen::Failed { .. } => false,
        };
        self.bites.iter().filter(is_weak).map(|bite| bite.test.clone()).collect()
    }

    /// The levels that differ from the default; an unknown word counts as `error`.
    pub(super) fn levels(&self) -> BTreeMap<Rule, Strictness> {
        let level = |word: &str| {
            WORDS.iter().find(|(_, known)| *known == word).map_or(Strictness::Error, |(level, _)| *level)
        };
        let known = |(name, word): (&String, &String)| Some((Rule::named(name)?, level(word)));
        self.rules.iter().filter_map(known).collect()
    }
}

/// A linter that ended well and has nothing to fix in these files: it printed nothing, or its report says so.
#[derive(Debug)]
pub(crate) struct SilentLinter {
    pub(crate) name: String,
    /// Where it was run, relative to the root of the tree.
    pub(crate) dir: String,
    pub(crate) files: Vec<String>,
}

impl SilentLinter {
    /// Whether what a formatter fixes is what this linter would have reported.
    pub(crate) fn covers(&self, plan: &FormatPlan) -> bool {
        let same = plan.name == self.name && plan.dir == self.dir;
        plan.has_linter_fixes() && same && plan.files.iter().all(|file| self.files.contains(file))
    }
}

/// The gates' results, before they are bound to a tree.
#[derive(Debug, Default)]
pub(crate) struct GateResults {
    pub(crate) gates: Vec<GateRecord>,
    pub(crate) canaries: Option<CanaryRecord>,
    pub(crate) bites: Vec<BiteRecord>,
    pub(crate) held_out: Vec<HeldOutRecord>,
    pub(crate) repeated: Option<RepeatRecord>,
    /// Not part of the proof: it only saves the formatters' time.
    pub(crate) silent_linters: Vec<SilentLinter>,
}

#[cfg(test)]
mod tests;
