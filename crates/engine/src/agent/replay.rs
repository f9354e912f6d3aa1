//! `replay`: carries a recorded run out again, patch by patch, keyed by task, step and attempt.

use std::path::{Path, PathBuf};

use windlass_core::failure::Failure;
use windlass_core::ids::TaskId;

use super::{Agent, AgentTurn, TurnEnd, TurnFuture, TurnOver, TurnStep};
use crate::process::{self, Invocation, ProcessExit};

/// The agent that applies recorded patches.
pub(super) struct Replay {
    pub(super) dir: PathBuf,
}

/// The path of a turn's patch in a recording.
pub(crate) fn patch_path(dir: &Path, task: &TaskId, step: TurnStep, nth: u32) -> PathBuf {
    dir.join(task.as_str()).join(format!("{}-{nth}.patch", step.as_str()))
}

impl Agent for Replay {
    fn turn<'a>(&'a self, turn: AgentTurn<'a>) -> TurnFuture<'a> {
        Box::pin(self.take(turn))
    }
}

impl Replay {
    async fn take(&self, turn: AgentTurn<'_>) -> TurnOver {
        let path = patch_path(&self.dir, turn.id, turn.step, turn.nth);
        let patch = match std::fs::read(&path) {
            Ok(patch) => patch,
            Err(e) => {
                let reason = format!("the recording has no `{}`: {e}", path.display());
                return TurnOver::silent(TurnEnd::Failed(Failure::SpecContradiction { reason }));
            }
        };
        if patch.is_empty() {
            return TurnOver::silent(TurnEnd::Done { needs_files: Vec::new() });
        }
        let invocation = Invocation {
            program: "git".into(),
            args: ["apply", "--whitespace=nowarn", "-"].map(Into::into).to_vec(),
            cwd: turn.dir.clone(),
            env: turn.env.clone(),
            stdin: patch,
            timeout: turn.timeout,
            idle_timeout: None,
            capture: turn.capture.clone(),
        };
        let finished = process::run(invocation, &turn.token, turn.cancel.clone(), turn.on_spawn).await;
        let end = match finished.exit {
            ProcessExit::Code(0) => TurnEnd::Done { needs_files: Vec::new() },
            ProcessExit::Cancelled => TurnEnd::Cancelled,
            ProcessExit::Code(_)
            | ProcessExit::Signal(_)
            | ProcessExit::TimedOut(_)
            | ProcessExit::NotStarted(_) => {
                let said = finished.output.tail_text();
                let message = format!("the recorded patch does not apply: {}", said.trim());
                TurnEnd::Failed(Failure::AgentError { message })
            }
        };
        TurnOver { output: finished.output.merged, ..TurnOver::silent(end) }
    }
}
