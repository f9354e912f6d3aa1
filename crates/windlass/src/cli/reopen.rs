//! `windlass reopen`: carries a merged task out again because a person found it wrong.

use clap::Args;
use windlass_core::state::TaskState;
use windlass_core::wish::Wish;

use super::state::{PlanState, StateArgs, task_id, task_in};
use super::wishing::wish_for_run;
use super::{CliError, Exit};
use crate::world::World;

/// Run a merged task again on top of the branch, because it is wrong
#[derive(Debug, Args)]
pub(crate) struct ReopenArgs {
    /// The task.
    #[arg(value_name = "TASK")]
    task: String,

    /// What is wrong; the agents read it.
    #[arg(long, value_name = "REASON")]
    because: String,

    #[command(flatten)]
    state: StateArgs,
}

/// Records the request for the run.
pub(crate) fn cmd_reopen(world: &World, args: &ReopenArgs) -> Result<Exit, CliError> {
    let because = args.because.split_whitespace().collect::<Vec<_>>().join(" ");
    if because.is_empty() {
        return Err(
            CliError::usage("`--because` is empty").hint("say what is wrong: the agents work from it")
        );
    }
    let view = PlanState::find(world, &args.state)?.run_chronicle()?.view()?;
    let task = task_in(&view, &args.task)?;
    if task.state != TaskState::Completed {
        let hint =
            format!("`windlass retry {}` runs a task again that is failed, blocked or skipped", args.task);
        return Err(CliError::usage(format!("task `{}` is not merged", args.task)).hint(hint));
    }
    let wish = Wish::Reopen { task: task_id(&args.task)?, because };
    wish_for_run(world, &args.state, &wish, &format!("reopening `{}`", args.task))
}
