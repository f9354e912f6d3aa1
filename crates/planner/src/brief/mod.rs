//! Briefs: the texts that agents get.
//!
//! A brief is rendered from a task, its code context and its history, within a token budget. It does not contain the
//! plan, other tasks or the engine's checks.

mod budget;
mod code_context;
mod house_rules;
mod lookup;

use std::collections::BTreeMap;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, UndefinedBehavior};
use serde::{Deserialize, Serialize};

pub use budget::{Fitted, RequiredPart, TokenBudget, TokenLimits, fit};
pub use code_context::{Analysis, BriefInputs, CodeContext, FileInterface, Pattern, Sketch, UnderTest};
pub use house_rules::{HouseRules, house_rules};

use windlass_core::event::PersonAnswer;
use windlass_core::plan::{Action, CodeBlock, Criterion, Interface, Task};

mod plan_brief;
mod planner_brief;
mod review_brief;

pub use plan_brief::{PlanBrief, PlanPurpose, PlannedTask, render_plan};
pub use planner_brief::{PlanDocument, PlannerBrief, render_planner, render_planner_again};
pub use review_brief::{ReviewBrief, render_review};

/// The purpose of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Write the failing test.
    WriteTest,
    /// Write the code.
    Implement,
    /// Fix the code that the verifier rejected.
    Fix,
    /// Improve the code while its tests pass.
    Refactor,
}

/// How the agent works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// With tools in a directory.
    #[default]
    Hands,
    /// With a single answer.
    Answer,
}

/// The input of a brief.
#[derive(Debug, Clone, Serialize)]
pub struct Brief<'a> {
    /// The purpose of a turn.
    pub purpose: Purpose,
    /// How the agent works.
    pub manner: Manner,
    /// The task.
    pub task: &'a Task,
    /// Criteria that the task traces to and does not state itself.
    pub traced: Vec<Criterion>,
    /// The keys of the criteria that still need a test, for a test-writer that is asked again.
    pub untested: Vec<String>,
    /// Wrong versions of the code that every test passes on, for a test-writer that is asked for more tests.
    pub survivors: Vec<String>,
    /// What a person found wrong with the task as it was merged.
    pub reopened: Option<String>,
    /// What changed in the text of the task since it was merged.
    pub changed: Option<ChangedTask>,
    /// What the task asked and a person answered, oldest first.
    pub answers: Vec<PersonAnswer>,
    /// The files the agent may change in this turn.
    pub may_change: Vec<String>,
    /// The frozen test files.
    pub frozen: Vec<String>,
    /// The command that verifies the work.
    pub command: Option<String>,
    /// The failures of earlier attempts, oldest first; the last one in full.
    pub failures: Vec<String>,
    /// The results of the tasks it builds on.
    pub before: Vec<EarlierTask>,
    /// The rules of the repository that the agent's program does not read by itself.
    pub house_rules: Vec<HouseRules>,
    /// Its code context.
    pub context: CodeContext,
}

/// A sentence of the specification, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedSentence {
    /// The criterion, by its key in the task.
    pub criterion: String,
    /// What it said; empty for a new one.
    pub was: String,
    /// What it says now; empty for one that is gone.
    pub now: String,
}

/// What changed in the text of a task since it was merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedTask {
    /// The sentences that changed.
    pub sentences: Vec<ChangedSentence>,
    /// The tests that stood for these sentences and for no other, by name. The other tests stay as they are.
    pub superseded: Vec<String>,
}

impl ChangedTask {
    /// Whether there is something new to do: sentences that are gone ask for nothing.
    pub fn asks_for_something(&self) -> bool {
        self.sentences.iter().any(|sentence| !sentence.now.is_empty())
    }
}

/// The result of an earlier task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EarlierTask {
    /// The task.
    pub task: String,
    /// The summary of its agent.
    pub summary: String,
}

const TEMPLATE: &str = include_str!("brief.md.j2");

/// The template of each role.
fn role(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::WriteTest => include_str!("roles/test_writer.md.j2"),
        Purpose::Implement => include_str!("roles/implementer.md.j2"),
        Purpose::Fix => include_str!("roles/bug_hunter.md.j2"),
        Purpose::Refactor => include_str!("roles/refactor.md.j2"),
    }
}

/// An error of rendering a brief.
#[derive(Debug, thiserror::Error)]
pub enum BriefError {
    /// A template does not match its data: a defect of the program.
    #[error("cannot render the brief")]
    Template(#[from] minijinja::Error),
    /// The required parts exceed the budget.
    #[error("the brief of `{task}` has {tokens} tokens; the limit is {limit}: {}", shown(parts))]
    TooLarge {
        /// The task.
        task: String,
        /// Its tokens without the optional parts.
        tokens: usize,
        /// The budget.
        limit: usize,
        /// Its required parts with their tokens, the largest first.
        parts: Vec<(RequiredPart, usize)>,
    },
}

impl BriefError {
    /// How to resolve it.
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

/// The fields of a role's template.
#[derive(Serialize)]
struct RoleFields<'a> {
    manner: Manner,
    /// The key of a criterion to show the form of an answer with; none if the task has not several of them.
    example: Option<&'a str>,
    untested: &'a [String],
    survivors: &'a [String],
}

/// The fields of the brief's template.
#[derive(Serialize)]
struct BriefFields<'a> {
    purpose: Purpose,
    part: String,
    manner: Manner,
    id: &'a str,
    title: &'a str,
    objective: &'a str,
    description: &'a str,
    reopened: Option<&'a str>,
    changed: Option<&'a ChangedTask>,
    answers: &'a [PersonAnswer],
    criteria: &'a [Criterion],
    step: Option<&'a str>,
    cases: Vec<&'a str>,
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
    /// Whether these files are a guess.
    files_assumed: bool,
    changes: &'a BTreeMap<String, String>,
    frozen: &'a [String],
    command: Option<&'a str>,
    failures: Vec<ProgramOutput<'a>>,
    before: Vec<EarlierTask>,
    house_rules: &'a [HouseRules],
    #[serde(flatten)]
    context: &'a CodeContext,
    left_out: &'a [String],
}

/// What programs printed, in a fence that the text cannot close: nothing in it is read as a part of the brief.
#[derive(Serialize)]
struct ProgramOutput<'a> {
    fence: String,
    text: &'a str,
}

impl<'a> ProgramOutput<'a> {
    fn new(text: &'a str) -> Self {
        Self { fence: closing_fence(text), text: text.trim_end() }
    }
}

/// A fence that a text cannot close.
fn closing_fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

impl EarlierTask {
    /// The same with its summary, which an agent wrote, on one line.
    fn on_one_line(&self) -> Self {
        let words: Vec<&str> = self.summary.split_whitespace().collect();
        Self { task: self.task.clone(), summary: words.join(" ") }
    }
}

/// Renders a brief in full, whatever its size.
pub fn render(brief: &Brief<'_>) -> Result<String, BriefError> {
    render_parts(brief, &[])
}

/// The criteria as the brief lists them. A test-writer answers by their keys.
fn told_criteria(brief: &Brief<'_>) -> Vec<Criterion> {
    let mut all: Vec<Criterion> = brief.task.criteria.iter().chain(&brief.traced).cloned().collect();
    if brief.purpose == Purpose::WriteTest && all.len() > 1 {
        for (n, criterion) in all.iter_mut().enumerate().filter(|(_, c)| c.id.is_empty()) {
            criterion.id = format!("#{}", n + 1);
        }
    }
    all
}

fn render_parts(brief: &Brief<'_>, left_out: &[String]) -> Result<String, BriefError> {
    let task = brief.task;
    let criteria = told_criteria(brief);
    let example = criteria.first().filter(|_| criteria.len() > 1).map(|c| c.id.as_str());
    let fields =
        RoleFields { manner: brief.manner, example, untested: &brief.untested, survivors: &brief.survivors };
    let part = write(role(brief.purpose), &fields)?;
    let told = BriefFields {
        purpose: brief.purpose,
        part: part.trim_end().to_owned(),
        manner: brief.manner,
        id: &task.id,
        title: &task.title,
        objective: &task.objective,
        description: &task.description,
        reopened: brief.reopened.as_deref(),
        changed: brief.changed.as_ref(),
        answers: &brief.answers,
        criteria: &criteria,
        step: enumerated_step(brief),
        cases: test_cases(brief),
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
        files_assumed: task.files_assumed == Some(true) && brief.purpose != Purpose::WriteTest,
        changes: &task.changes,
        frozen: &brief.frozen,
        command: brief.command.as_deref().or(task.stated_check()),
        failures: brief.failures.iter().map(|text| ProgramOutput::new(text)).collect(),
        before: brief.before.iter().map(EarlierTask::on_one_line).collect(),
        house_rules: &brief.house_rules,
        context: &brief.context,
        left_out,
    };
    write(TEMPLATE, &told)
}

/// The plan's words for the step of this turn, where they enumerate what is to be done.
fn enumerated_step<'a>(brief: &Brief<'a>) -> Option<&'a str> {
    let action = match brief.purpose {
        Purpose::WriteTest => Action::WriteTest,
        Purpose::Implement | Purpose::Fix => Action::Implement,
        Purpose::Refactor => Action::Refactor,
    };
    let step = brief.task.steps.iter().find(|step| step.action == action);
    step.and_then(|step| step.title.as_deref()).filter(|title| title.contains('['))
}

/// The test cases that the plan lists for a test-writer, where the step does not.
fn test_cases<'a>(brief: &Brief<'a>) -> Vec<&'a str> {
    if brief.purpose != Purpose::WriteTest {
        return Vec::new();
    }
    let told = enumerated_step(brief).unwrap_or_default();
    let all = brief.task.tdd_cycles.iter().flat_map(|cycle| &cycle.test_cases);
    all.map(String::as_str).filter(|case| !told.contains(case)).collect()
}

/// Renders a template; an undefined variable is an error.
fn write(template: &str, told: &impl Serialize) -> Result<String, BriefError> {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    env.add_template("brief", template)?;
    Ok(env.get_template("brief")?.render(Value::from(Serde(told)))?)
}

#[cfg(test)]
mod tests;
