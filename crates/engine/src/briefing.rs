//! Puts a brief together from a plan, a tree and its survey: the one place for a run, its preview and `show --brief`.
//!
//! Knows nothing of attempts: earlier failures and results are added by the caller.

use windlass_code::repo::Tree;
use windlass_code::runner::test_opening;
use windlass_code::survey::Survey;
use windlass_core::criteria::criteria_of;
use windlass_core::plan::{Mode, Plan, Task};
use windlass_planner::brief::{Brief, BriefInputs, CodeContext, Manner, Purpose, house_rules};

use crate::verify::task_script;

/// What a brief is taken from.
#[derive(Clone, Copy)]
pub struct BriefSource<'a> {
    /// The plan the task belongs to.
    pub plan: &'a Plan,
    /// The tree its turn begins with.
    pub tree: &'a dyn Tree,
    /// The survey of that tree; `None` if the brief is not read.
    pub survey: Option<&'a Survey>,
}

/// What a turn may touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// The files it may change.
    pub may_change: Vec<String>,
    /// The frozen tests it is told of.
    pub frozen: Vec<String>,
}

impl Bounds {
    /// Those of a turn before anything has been granted: what the plan alone says.
    pub fn planned(task: &Task, mode: Mode, owned: Vec<String>, purpose: Purpose) -> Self {
        let tests: Vec<String> = task.test_files().into_iter().map(str::to_owned).collect();
        match purpose {
            Purpose::WriteTest if task.test.inline => Self { may_change: owned, frozen: Vec::new() },
            Purpose::WriteTest => Self { may_change: tests, frozen: Vec::new() },
            Purpose::Implement | Purpose::Fix | Purpose::Refactor
                if mode != Mode::Tdd || task.test.inline =>
            {
                Self { may_change: owned, frozen: Vec::new() }
            }
            Purpose::Implement | Purpose::Fix | Purpose::Refactor => {
                let may_change = owned.into_iter().filter(|path| !tests.contains(path)).collect();
                Self { may_change, frozen: tests }
            }
        }
    }
}

/// The agent that reads a brief.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BriefReader {
    /// How the agent works.
    pub manner: Manner,
    /// The files with rules of the repository that its program reads by itself.
    pub own_rules: &'static [&'static str],
}

/// What an agent is told at its first attempt.
pub fn brief_of<'a>(
    source: BriefSource<'_>,
    task: &'a Task,
    purpose: Purpose,
    reader: BriefReader,
    bounds: Bounds,
) -> Brief<'a> {
    let BriefSource { plan, tree, survey } = source;
    let read = |path: &str| tree.read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let command = task_script(task, tree);
    let opening = || {
        let script = command.as_deref().filter(|_| purpose == Purpose::WriteTest)?;
        task.test_files().into_iter().find_map(|file| test_opening(tree, file, script))
    };
    let around = |survey| {
        let told = CodeContext::of(task, purpose, &BriefInputs { plan, survey, read: &read });
        CodeContext { opening: opening(), ..told }
    };
    let context = survey.map(around).unwrap_or_default();
    Brief {
        purpose,
        manner: reader.manner,
        task,
        traced: criteria_of(plan, task).into_iter().skip(task.criteria.len()).collect(),
        untested: Vec::new(),
        survivors: Vec::new(),
        reopened: None,
        changed: None,
        answers: Vec::new(),
        // Without a survey the brief is not read.
        house_rules: match survey {
            Some(_) => house_rules(&read, &bounds.may_change, reader.own_rules),
            None => Vec::new(),
        },
        may_change: bounds.may_change,
        frozen: bounds.frozen,
        command,
        failures: Vec::new(),
        before: Vec::new(),
        context,
    }
}

#[cfg(test)]
mod tests;
