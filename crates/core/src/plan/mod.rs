//! The one task model. Every dialect reads into it and is written from it.
//!
//! A plan holds what people wrote: ids are unchecked text. Sealing the plan into a graph turns them into
//! [`crate::ids::TaskId`]s. A plan never holds the state of a run.

mod field_spans;
mod mode;
mod parts;
mod step;
mod step_order;
mod task;

pub use field_spans::FieldSpans;
pub use mode::{Mode, Proof, infer_mode};
pub use parts::{
    CodeBlock, Complexity, Criterion, Files, HeldOut, Interface, Method, Methodology, NoTestReason,
    Placement, Section, Session, Strategy, TddCycle, TestPlan, Tier, Traces, Verification,
};
pub use step::{Action, Expect, Step, template};
pub use step_order::{StepPlaces, carried_out, impossible_order};
pub use task::Task;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, Sources, Span};

/// A plan: tasks, and what holds for all of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Plan {
    /// The plan's name; becomes part of its branch.
    pub name: String,
    /// What it is called for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is to achieve.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub objective: String,
    /// The lint profile it asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The integration branch, where it is not `windlass/<name>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The session the plan belongs to, where the tool that wrote it has sessions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The documents it was made from, relative to the repository.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub specs: Vec<String>,
    /// Phases in order, where tasks name one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<String>,
    /// The criteria of the specification that the plan is to cover, where they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<Criterion>,
    /// Every task, parents included, in the order written.
    pub tasks: Vec<Task>,
    /// Keys no reader knows, kept for the way back.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
    /// Where the fields were read.
    #[serde(skip)]
    pub places: FieldSpans,
}

impl Plan {
    /// The task with this id, as written.
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|t| t.id == id)
    }

    /// Where a field of the plan itself was read.
    pub fn span(&self, field: &str) -> Option<Span> {
        self.places.get(field).copied()
    }
}

/// What reading a plan gives: always a plan, however broken the input, with every finding and the texts they point at.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// What could be read.
    pub plan: Plan,
    /// The dialect it was read as.
    pub dialect: String,
    /// What was wrong, or had to be assumed.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts.
    pub sources: Sources,
}
