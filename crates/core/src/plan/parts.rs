//! The smaller pieces a task is made of. Data only.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

worded! {
    /// Which size of model a task is given to. Seeds: haiku, sonnet, opus.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Tier {
        /// Mechanical work along a given pattern.
        Small = "small",
        /// Ordinary implementation.
        Medium = "medium",
        /// Work that needs the whole picture.
        Large = "large",
    }
}

impl Tier {
    /// One size up; the largest has none.
    pub fn up(self) -> Option<Tier> {
        match self {
            Tier::Small => Some(Tier::Medium),
            Tier::Medium => Some(Tier::Large),
            Tier::Large => None,
        }
    }
}

/// How the author wants the task approached (homerun's word); the [`super::Mode`] is what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Methodology {
    /// Test first.
    Tdd,
    /// No test first: configuration and documentation.
    Direct,
}

worded! {
    /// How large the author thinks a task is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Complexity {
        /// An import, a typo, a field.
        Trivial = "trivial",
        /// A method along a pattern.
        Simple = "simple",
        /// A file from a template.
        Medium = "medium",
        /// A file with two or three methods.
        Complex = "complex",
    }
}

worded! {
    /// The agent that carries a task out: Windlass's own agent role, or a command-line tool it hands over to.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Method {
        /// The configured agent.
        Agent = "agent",
        /// A command-line tool named by the task.
        Cli = "cli",
        /// Decided per task by its size.
        Hybrid = "hybrid",
    }
}

worded! {
    /// The only reasons for which a task may come without a test.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum NoTestReason {
        /// Prose; a person approves it, or configuration lets it pass.
        DocumentationOnly = "documentation_only",
        /// Static data; a schema or parser checks it.
        ConfigStatic = "config_static",
        /// Types without behaviour; the type checker checks them.
        TypeDefinitionsOnly = "type_definitions_only",
        /// Third-party code; the existing tests check it.
        DependencyUpdate = "dependency_update",
        /// A removal; the existing tests check it.
        DeleteDeadCode = "delete_dead_code",
    }
}

impl NoTestReason {
    /// Reads a reason leniently: spaces, dashes and case do not matter, and a remark may follow it
    /// (`Type definitions only - the compiler checks them`).
    pub fn parse(text: &str) -> Option<Self> {
        let remark =
            [" - ", " – ", " — ", ":", "(", ",", ";"].iter().filter_map(|mark| text.find(mark)).min();
        Self::exact(text).or_else(|| Self::exact(&text[..remark?]))
    }

    fn exact(text: &str) -> Option<Self> {
        let plain = |c: char| if c == ' ' || c == '-' { '_' } else { c.to_ascii_lowercase() };
        let norm: String = text.trim().chars().map(plain).collect();
        // homerun's table of exceptions words two of them in another way than its own schema.
        let norm = match norm.as_str() {
            "configuration_files" | "configuration_file" | "configuration_only" => "config_static",
            "dependency_updates" => "dependency_update",
            other => other,
        };
        Self::ALL.into_iter().find(|r| r.as_str() == norm)
    }
}

/// One acceptance criterion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Criterion {
    /// Its id in the specification, or one of its own.
    pub id: String,
    /// What must hold.
    pub text: String,
    /// The assertion that shows it, in the project's test language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assertion: Option<String>,
    /// The tests that stand for it, by name. Which tests they are does not change what the work is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
}

/// What in the specification a task serves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Traces {
    /// User stories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stories: Vec<String>,
    /// Acceptance criteria.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<String>,
    /// Architecture decisions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<String>,
}

impl Traces {
    /// Whether nothing is traced.
    pub fn is_empty(&self) -> bool {
        self.stories.is_empty() && self.criteria.is_empty() && self.decisions.is_empty()
    }
}

/// The files of a task, by what it does to them. Paths are relative to the repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Files {
    /// Made by the task.
    pub create: Vec<String>,
    /// Changed by it.
    pub modify: Vec<String>,
    /// Looked at only.
    pub read: Vec<String>,
    /// Removed by it.
    pub delete: Vec<String>,
}

impl Files {
    /// Every path the task may change, in the order written.
    pub fn owned(&self) -> impl Iterator<Item = &str> {
        self.create.iter().chain(&self.modify).chain(&self.delete).map(String::as_str)
    }

    /// Whether no file is named at all.
    pub fn is_empty(&self) -> bool {
        self.owned().next().is_none() && self.read.is_empty()
    }
}

/// A test the agent never sees; the plan holds only its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeldOut {
    /// Where it is laid for verification.
    pub path: String,
    /// blake3 of its content.
    pub blake3: String,
}

/// How the task is proved: a test file, a command, or a reason why there is none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TestPlan {
    /// The test file, relative to the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Whether `file` is a source file that holds its own tests.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inline: bool,
    /// An explicit test command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Why there is no test, as written; see [`NoTestReason::parse`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub none: Option<String>,
    /// Whether the task must be tested (super-planner's flag); absent means yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Tests kept from the agent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held_out: Vec<HeldOut>,
    /// Coverage the task promises, in per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
}

/// A piece of code with the file it belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CodeBlock {
    /// The file named in its first comment, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The language of the fence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The code, path comment included.
    pub code: String,
    /// Whether the code is the whole file or is to be added to it.
    #[serde(skip_serializing_if = "Placement::is_whole")]
    pub placement: Placement,
}

/// How a block of code relates to the file it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Placement {
    /// It is the complete file.
    #[default]
    Whole,
    /// It is added to a file that exists.
    Addition,
}

impl Placement {
    /// Whether the code is the complete file.
    pub fn is_whole(&self) -> bool {
        *self == Placement::Whole
    }
}

/// An interface the task may rely on, and the task that provides it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Interface {
    /// The providing task, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its declaration.
    pub code: String,
    /// The language of the fence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// The deterministic check: one script, run in order, stopping at the first failure.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Verification {
    /// The bash script.
    pub script: String,
    /// Its time limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u64>,
}

/// One quantified Red–Green–Refactor cycle (seed 002).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TddCycle {
    /// The feature it builds, where named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    /// How many test cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_count: Option<u32>,
    /// The test cases by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub test_cases: Vec<String>,
    /// What is implemented, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implementation_scope: Option<String>,
    /// The coverage expected, as written (`>=85%`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_coverage: Option<String>,
    /// Keys no reader knows.
    #[serde(flatten)]
    #[schemars(skip)]
    pub extra: serde_json::Map<String, serde_json::Value>,
}

worded! {
    /// How a task's agent session begins.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Strategy {
        /// A new session.
        New = "new",
        /// Goes on in the parent's session.
        Resume = "resume",
        /// A copy of the parent's session.
        Fork = "fork",
        /// A copy of the first parent's session with the others' results.
        MergeFork = "merge_fork",
    }
}

/// The session of a task's agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Session {
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// How it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// The sessions it begins from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// Whether it may be resumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enable_resume: Option<bool>,
}

/// A Markdown section no reader knows, kept for the way back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// Its heading, without the marks.
    pub heading: String,
    /// Everything below it up to the next heading of its level.
    pub body: String,
}

#[cfg(test)]
mod tests;
