//! What an agent is told: everything it needs, nothing it does not.
//!
//! Pure text out of a task and what happened to it. The plan itself, other tasks and the checks stay outside.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use crate::plan::{CodeBlock, Criterion, Interface, Task};

mod plan;
mod review;

pub use plan::{PlanBrief, PlanPurpose, PlannedTask, render_plan};
pub use review::{ReviewBrief, render_review};

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
    pub before: Vec<Before>,
}

/// What came of an earlier task, in its agent's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Before {
    /// The task.
    pub task: String,
    /// The words.
    pub summary: String,
}

const TEMPLATE: &str = include_str!("brief.md.j2");

/// A template that does not fit its data: a defect of the program, found by its tests.
#[derive(Debug, thiserror::Error)]
#[error("the brief cannot be written")]
pub struct BriefError(#[from] minijinja::Error);

/// The fields of a task that an agent is told.
#[derive(Serialize)]
struct Told<'a> {
    purpose: Purpose,
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
    frozen: &'a [String],
    command: Option<&'a str>,
    failures: &'a [String],
    before: &'a [Before],
}

/// Writes the brief.
pub fn render(brief: &Brief<'_>) -> Result<String, BriefError> {
    let task = brief.task;
    let told = Told {
        purpose: brief.purpose,
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
        frozen: &brief.frozen,
        command: brief.command.as_deref().or(task.verification.as_ref().map(|v| v.script.as_str())),
        failures: &brief.failures,
        before: &brief.before,
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
mod tests {
    use super::*;

    #[test]
    fn a_brief_says_what_to_do_and_within_which_bounds() {
        let task = Task {
            id: "T-1".into(),
            title: "Greet".into(),
            objective: "Say hello.".into(),
            criteria: vec![Criterion { id: "AC-1".into(), text: "prints hello".into(), assertion: None }],
            ..Task::default()
        };
        let brief = Brief {
            purpose: Purpose::Fix,
            manner: Manner::Hands,
            task: &task,
            may_change: vec!["greet.sh".into()],
            frozen: vec!["test.sh".into()],
            command: Some("sh test.sh".into()),
            failures: vec!["tests: `t` failed\n\nexpected hello".into()],
            before: vec![Before { task: "T-0".into(), summary: "made the parser".into() }],
        };
        insta::assert_snapshot!(render(&brief).unwrap(), @r#"
        # T-1: Greet

        Your part: find out why the check below fails, and repair the code. Your work of before is in this directory.

        ## Objective
        Say hello.

        ## Acceptance criteria
        - AC-1: prints hello

        ## Files
        - you may change `greet.sh`
        - `test.sh` is frozen: do not touch it

        ## How it is checked
        ```bash
        sh test.sh
        ```

        ## What was done before this task
        - T-0: made the parser

        ## What went wrong before

        ### Try 1
        tests: `t` failed

        expected hello

        ## Rules
        - Change only the files listed above. If you need another one, write `{"status": "blocked", "needs_files": ["path"]}` to
          the file named by `WINDLASS_RESULT`.
        - If the tests contradict the description, do not work around them: write `{"status": "blocked", "reason": "…"}` there.
        - Do not commit. Do not change tests that are frozen, nor the configuration that runs them.
        - Saying that it is done does not make it so: it is checked on a clean checkout, without anything else you leave behind.
        "#);
    }
}
