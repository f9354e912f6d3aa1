//! A task as people wrote it.

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    CodeBlock, Complexity, Criterion, FieldSpans, Files, Interface, Method, Methodology, Mode, Section,
    Session, Step, TddCycle, TestPlan, Tier, Traces, Verification,
};
use crate::diagnostic::Span;

/// One task: a unit with one commit. Everything the five seed formats carry, by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Task {
    /// Its id, as written.
    pub id: String,
    /// A short imperative title.
    pub title: String,
    /// What it accomplishes.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub objective: String,
    /// Further prose about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its kind, for routing (`add_method`, `create_service`, `bug_fix`, …), as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_type: Option<String>,
    /// The author's approach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub methodology: Option<Methodology>,
    /// The shape of its proof, where stated; otherwise inferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Architectural layer (seed 004).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<i64>,
    /// Level (seed 000): a barrier there, a hint here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<i64>,
    /// Phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// Track (`backend`, `frontend`, `shared`, or any other).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub track: Option<String>,
    /// Estimated size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// Estimated minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate_minutes: Option<f64>,
    /// Estimated scope, in words (`single_file`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_scope: Option<String>,
    /// Priority, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// Tasks that must be merged first, as written.
    pub depends_on: Vec<String>,
    /// The task this is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The sub-plan this task represents or belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_plan: Option<String>,
    /// Acceptance criteria.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<Criterion>,
    /// What in the specification it serves.
    #[serde(skip_serializing_if = "Traces::is_empty")]
    pub traces_to: Traces,
    /// How it is proved.
    pub test: TestPlan,
    /// Its files.
    pub files: Files,
    /// Estimated lines by path.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lines: BTreeMap<String, u32>,
    /// What is done to a modified file, in words, by path.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: BTreeMap<String, String>,
    /// Where to look in the code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub focus_paths: Vec<String>,
    /// The public interface it must provide.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contract: Vec<CodeBlock>,
    /// Interfaces it may rely on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub interfaces: Vec<Interface>,
    /// The tests themselves, complete.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub test_code: Vec<CodeBlock>,
    /// The deterministic check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// When it is done, as a checklist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub done_when: Vec<String>,
    /// Its steps, where stated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// What to look at before starting.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pre_analysis: Vec<Value>,
    /// Quantified cycles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tdd_cycles: Vec<TddCycle>,
    /// Limit of test-and-fix rounds, where the task sets one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
    /// Whether a person must approve its verified change before it is merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    /// Whether its files are a guess: it may change other source files that its tests reach, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_assumed: Option<bool>,
    /// The size of model it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// The agent it asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// How it is carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// Its session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    /// The tasks that use what it makes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consumers: Vec<String>,
    /// Resources of which it needs one at a time (`db-schema`, `port-8080`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<String>,
    /// What the place of its attempts must have (`gpu`): labels of `[places]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// Risks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    /// Notes for the implementer.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// What the other tool says its state is. A claim: it is shown and written back, never believed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed_state: Option<String>,
    /// Markdown sections no reader knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
    /// Keys no reader knows, kept for the way back.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
    /// Where the fields were read; the key `""` is the task itself.
    #[serde(skip)]
    pub places: FieldSpans,
}

impl Task {
    /// Where a field was read; or else what it is a part of (`files` of `files.create[2]`); or else the task itself.
    pub fn span(&self, field: &str) -> Option<Span> {
        let mut part = Some(field);
        while let Some(name) = part.filter(|name| !name.is_empty()) {
            if let Some(span) = self.places.get(name) {
                return Some(*span);
            }
            part = name.rfind(['.', '[']).map(|at| &name[..at]);
        }
        self.places.get("").copied()
    }

    /// Every path the task may change: its files and its test file.
    pub fn owned(&self) -> impl Iterator<Item = &str> {
        // Nearly every task has a handful of files: looking back is cheaper than hashing them.
        let many = self.changed().nth(16).is_some();
        let mut seen = many.then(HashSet::new);
        self.changed().enumerate().filter_map(move |(i, path)| {
            let fresh = match &mut seen {
                Some(seen) => seen.insert(path),
                None => !self.changed().take(i).any(|earlier| earlier == path),
            };
            fresh.then_some(path)
        })
    }

    /// Every path the task may change, as often as it is named.
    fn changed(&self) -> impl Iterator<Item = &str> {
        let test_blocks = self.test_code.iter().filter_map(|b| b.path.as_deref());
        self.files.owned().chain(self.test.file.as_deref()).chain(test_blocks)
    }

    /// The paths that hold its tests: the test file and the files of its test code.
    pub fn test_files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = self.test.file.as_deref().into_iter().collect();
        for path in self.test_code.iter().filter_map(|b| b.path.as_deref()) {
            if !files.contains(&path) {
                files.push(path);
            }
        }
        files
    }
}

#[cfg(test)]
mod tests;
