//! The brief of a plan reviewer and an integrator: every task in a few lines, and the form of the answer.

use serde::Serialize;
use windlass_core::plan::CodeBlock;

use super::{BriefError, write};

const TEMPLATE: &str = include_str!("plan.md.j2");

/// The summary of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedTask {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its objective.
    pub objective: String,
    /// Its dependencies.
    pub after: Vec<String>,
    /// The files it owns.
    pub files: Vec<String>,
    /// Its acceptance criteria.
    pub criteria: Vec<String>,
    /// The interface it provides.
    pub contract: Vec<CodeBlock>,
}

/// The purpose of a turn about the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanPurpose {
    /// Review the plan.
    ReviewPlan,
    /// Order the queue.
    Integrate,
}

/// The input of a brief about a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanBrief {
    /// The purpose of a turn about the plan.
    pub purpose: PlanPurpose,
    /// The plan's name.
    pub name: String,
    /// Its tasks.
    pub tasks: Vec<PlannedTask>,
}

/// Renders the brief.
pub fn render_plan(brief: &PlanBrief) -> Result<String, BriefError> {
    write(TEMPLATE, brief)
}

#[cfg(test)]
mod tests;
