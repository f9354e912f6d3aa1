//! What an agent is told: everything it needs, nothing it does not.
//!
//! Pure text out of a task, the code around it and what happened to it, kept inside a budget of tokens. The plan itself,
//! other tasks and the checks stay outside.

mod budget;
mod code_context;
mod lookup;

use std::collections::BTreeMap;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

pub use budget::{Fitted, RequiredPart, TokenBudget, TokenLimits, fit};
pub use code_context::{Analysis, BriefInputs, CodeContext, FileInterface, Pattern, Sketch, UnderTest};

use windlass_core::plan::{CodeBlock, Criterion, Interface, Task};

mod plan_brief;
mod planner_brief;
mod review_brief;

pub use plan_brief::{PlanBrief, PlanPurpose, PlannedTask, render_plan};
pub use planner_brief::{PlanDocument, PlannerBrief, render_planner, render_planner_again};
pub use review_brief::{ReviewBrief, render_review};

/// What the turn is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Write the failing test.
    WriteTest,
    /// Write the code.
    Implement,
    /// Repair what the verifier refused.
    Fix,
    /// Improve the code while it stays green.
    Refactor,
}

/// How the agent works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// With tools, in a directory.
    #[default]
    Hands,
    /// With one answer, which is all that it can give.
    Answer,
}

/// Everything a brief is made of.
#[derive(Debug, Clone, Serialize)]
pub struct Brief<'a> {
    /// What the turn is for.
    pub purpose: Purpose,
    /// How the agent works.
    pub manner: Manner,
    /// The task.
    pub task: &'a Task,
    /// The files the agent may change in this turn.
    pub may_change: Vec<String>,
    /// The frozen test files.
    pub frozen: Vec<String>,
    /// How the work is going to be checked.
    pub command: Option<String>,
    /// What went wrong in earlier tries, oldest first, in full for the last.
    pub failures: Vec<String>,
    /// What came of the tasks it builds on.
    pub before: Vec<EarlierTask>,
    /// The code around it.
    pub context: CodeContext,
}

/// What came of an earlier task, in its agent's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EarlierTask {
    /// The task.
    pub task: String,
    /// The words.
    pub summary: String,
}

const TEMPLATE: &str = include_str!("brief.md.j2");

/// The part of each role.
fn role(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::WriteTest => include_str!("roles/test_writer.md.j2"),
        Purpose::Implement => include_str!("roles/implementer.md.j2"),
        Purpose::Fix => include_str!("roles/bug_hunter.md.j2"),
        Purpose::Refactor => include_str!("roles/refactor.md.j2"),
    }
}

/// Why there is no brief.
#[derive(Debug, thiserror::Error)]
pub enum BriefError {
    /// A template does not fit its data: a defect of the program, found by its tests.
    #[error("the brief cannot be written")]
    Template(#[from] minijinja::Error),
    /// What cannot be left out does not fit.
    #[error("the brief of `{task}` has {tokens} tokens and {limit} fit: {}", shown(parts))]
    TooLarge {
        /// The task.
        task: String,
        /// How many it has with everything left out that can be.
        tokens: usize,
        /// How many fit.
        limit: usize,
        /// Its parts with their tokens, the largest first.
        parts: Vec<(RequiredPart, usize)>,
    },
}

impl BriefError {
    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            BriefError::Template(_) => None,
            BriefError::TooLarge { parts, .. } => Some(budget::advice(parts)),
        }
    }
}

fn shown(parts: &[(RequiredPart, usize)]) -> String {
    let shown: Vec<String> =
        parts.iter().take(3).map(|(part, size)| format!("{} {size}", part.as_str())).collect();
    shown.join(", ")
}

/// What a role's own part depends on.
#[derive(Serialize)]
struct RoleFields {
    manner: Manner,
}

/// The fields of a task that an agent is told.
#[derive(Serialize)]
struct BriefFields<'a> {
    purpose: Purpose,
    part: String,
    manner: Manner,
    id: &'a str,
    title: &'a str,
    objective: &'a str,
    description: &'a str,
    criteria: &'a [Criterion],
    contract: &'a [CodeBlock],
    interfaces: &'a [Interface],
    tests: &'a [CodeBlock],
    done_when: &'a [String],
    notes: &'a str,
    risks: &'a [String],
    read: &'a [String],
    focus: &'a [String],
    delete: &'a [String],
    may_change: &'a [String],
    changes: &'a BTreeMap<String, String>,
    frozen: &'a [String],
    command: Option<&'a str>,
    failures: &'a [String],
    before: &'a [EarlierTask],
    #[serde(flatten)]
    context: &'a CodeContext,
    left_out: &'a [String],
}

/// Writes the brief in full, whatever its size.
pub fn render(brief: &Brief<'_>) -> Result<String, BriefError> {
    render_parts(brief, &[])
}

fn render_parts(brief: &Brief<'_>, left_out: &[String]) -> Result<String, BriefError> {
    let task = brief.task;
    let part = write(role(brief.purpose), &RoleFields { manner: brief.manner })?;
    let told = BriefFields {
        purpose: brief.purpose,
        part: part.trim_end().to_owned(),
        manner: brief.manner,
        id: &task.id,
        title: &task.title,
        objective: &task.objective,
        description: &task.description,
        criteria: &task.criteria,
        contract: &task.contract,
        interfaces: &task.interfaces,
        tests: &task.test_code,
        done_when: &task.done_when,
        notes: &task.notes,
        risks: &task.risks,
        read: &task.files.read,
        focus: &task.focus_paths,
        delete: &task.files.delete,
        may_change: &brief.may_change,
        changes: &task.changes,
        frozen: &brief.frozen,
        command: brief.command.as_deref().or(task.verification.as_ref().map(|v| v.script.as_str())),
        failures: &brief.failures,
        before: &brief.before,
        context: &brief.context,
        left_out,
    };
    write(TEMPLATE, &told)
}

/// Fills a template in, strictly.
fn write(template: &str, told: &impl Serialize) -> Result<String, BriefError> {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    env.add_template("brief", template)?;
    Ok(env.get_template("brief")?.render(Value::from(Serde(told)))?)
}

#[cfg(test)]
mod tests;
