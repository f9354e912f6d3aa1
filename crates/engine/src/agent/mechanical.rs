//! `mechanical`: writes what the plan contains, and is blocked where it contains nothing.

use std::fs;
use std::path::{Component, Path};

use windlass_core::failure::Failure;
use windlass_core::plan::{Action, Task};

use super::{Agent, AgentTurn, TurnEnd, TurnFuture, TurnOver, TurnStep};

/// The agent that writes the code of the plan's steps.
pub(super) struct Mechanical;

impl Agent for Mechanical {
    fn turn<'a>(&'a self, turn: AgentTurn<'a>) -> TurnFuture<'a> {
        Box::pin(async move { TurnOver::silent(write_out(&turn)) })
    }
}

fn write_out(turn: &AgentTurn<'_>) -> TurnEnd {
    let wanted = match turn.step {
        TurnStep::WriteTest => Action::WriteTest,
        TurnStep::Implement => Action::Implement,
        TurnStep::Refactor => Action::Refactor,
        TurnStep::Fix => return blocked("it cannot repair: the plan's own code was refused"),
        TurnStep::Review | TurnStep::ReviewPlan | TurnStep::Integrate | TurnStep::Plan => {
            return blocked("it has no judgement of its own");
        }
    };
    let pieces = pieces(turn.task, wanted);
    let by_command = turn.task.steps.iter().any(|s| s.action == wanted && s.command().is_some());
    if pieces.is_empty() && turn.task.files.delete.is_empty() && !by_command {
        return blocked(&format!("the plan has no code for the step `{}`", turn.step.as_str()));
    }
    for (path, code) in pieces {
        if let Err(message) = put(&turn.dir, path, code) {
            return TurnEnd::Failed(Failure::AgentError { message });
        }
    }
    if wanted == Action::Implement {
        for path in &turn.task.files.delete {
            let _ = safe(path).map(|p| fs::remove_file(turn.dir.join(p)));
        }
    }
    TurnEnd::Done { needs_files: Vec::new() }
}

fn pieces(task: &Task, wanted: Action) -> Vec<(&str, &str)> {
    task.steps
        .iter()
        .filter(|s| s.action == wanted)
        .filter_map(|s| Some((s.file.as_deref()?, s.code.as_deref()?)))
        .collect()
}

fn blocked(reason: &str) -> TurnEnd {
    TurnEnd::Failed(Failure::SpecContradiction { reason: reason.to_owned() })
}

/// A relative path without `..`.
fn safe(path: &str) -> Option<&Path> {
    let path = Path::new(path);
    path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir)).then_some(path)
}

fn put(dir: &Path, path: &str, code: &str) -> Result<(), String> {
    let relative = safe(path).ok_or_else(|| format!("`{path}` leads out of the repository"))?;
    let target = dir.join(relative);
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent).map_err(|e| format!("cannot create `{path}`: {e}"))?;
    }
    let mut text = code.to_owned();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    fs::write(&target, text).map_err(|e| format!("cannot write `{path}`: {e}"))
}

#[cfg(test)]
mod tests;
