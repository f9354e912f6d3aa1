//! `windlass reopen`: carries a merged task out again because a person found it wrong.

use clap::Args;
use windlass_core::state::TaskState;
use windlass_core::view::View;
use windlass_core::wish::Wish;

use super::completing::task_ids;
use super::state::{PlanState, StateArgs, task_id, task_in};
use super::wishing::wish_for_run;
use super::{CliError, Exit};
use crate::world::World;

/// Run a merged task again on top of the branch, because it is wrong
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReopenArgs {
    /// The task.
    #[arg(value_name = "TASK", add = task_ids())]
    task: String,

    /// What is wrong; the agents read it.
    #[arg(long, value_name = "REASON")]
    because: String,

    #[command(flatten)]
    state: StateArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass reopen T3 --because \"an empty cart must cost 0\"";

/// Records the request for the run.
pub(crate) fn cmd_reopen(world: &World, args: &ReopenArgs) -> Result<Exit, CliError> {
    let view = PlanState::find(world, &args.state)?.run_chronicle()?.view()?;
    let because = reason_to_reopen(&view, &args.task, &args.because)?;
    let wish = Wish::Reopen { task: task_id(&args.task)?, because };
    wish_for_run(world, &args.state, &wish, &format!("reopening `{}`", args.task))
}

/// The reason on one line, if the task can be reopened for it.
pub(super) fn reason_to_reopen(view: &View, task: &str, because: &str) -> Result<String, CliError> {
    let because = because.split_whitespace().collect::<Vec<_>>().join(" ");
    if because.is_empty() {
        return Err(
            CliError::usage("`--because` is empty").hint("say what is wrong: the agents work from it")
        );
    }
    if task_in(view, task)?.state != TaskState::Completed {
        let hint = format!("`windlass retry {task}` runs a task again that is failed, blocked or skipped");
        return Err(CliError::usage(format!("task `{task}` is not merged")).hint(hint));
    }
    Ok(because)
}
