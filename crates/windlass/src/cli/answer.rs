//! `windlass answer`: answers what a task asks, and lets it go on.

use clap::Args;
use windlass_core::state::TaskState;
use windlass_core::view::View;
use windlass_core::wish::Wish;

use super::completing::task_ids;
use super::state::{PlanState, StateArgs, task_id, task_in};
use super::wishing::wish_for_run;
use super::{CliError, Exit};
use crate::world::World;

/// Answer what a task asks; it goes on with the answer
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AnswerArgs {
    /// The task.
    #[arg(value_name = "TASK", add = task_ids())]
    task: String,

    /// The answer; the agents read it. `-` reads it from standard input.
    #[arg(value_name = "TEXT")]
    text: String,

    /// Begin the task from the start: its tests are written again, too.
    #[arg(long)]
    afresh: bool,

    #[command(flatten)]
    state: StateArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass answer T3 \"Amounts are rounded to two places, half to even\"
  windlass answer T3 --afresh \"The test is wrong: an empty cart costs 0\"
  windlass answer T3 - < decision.txt";

/// Records the request for the run.
pub(crate) fn cmd_answer(world: &World, args: &AnswerArgs) -> Result<Exit, CliError> {
    let text = if args.text == "-" { world.read_input()? } else { args.text.clone() };
    let view = PlanState::find(world, &args.state)?.run_chronicle()?.view()?;
    let text = answer_for(&view, &args.task, &text)?;
    let wish = Wish::Answer { task: task_id(&args.task)?, text, afresh: args.afresh };
    wish_for_run(world, &args.state, &wish, &format!("answered `{}`", args.task))
}

/// The answer as it is left, if the task waits for one.
pub(super) fn answer_for(view: &View, id: &str, said: &str) -> Result<String, CliError> {
    let text = said.trim().to_owned();
    if text.is_empty() {
        return Err(CliError::usage("the answer is empty").hint("say what the agent should do"));
    }
    let task = task_in(view, id)?;
    let approval = view.why(task).is_some_and(|why| why.awaits_approval());
    match task.state {
        TaskState::Blocked if !approval => {}
        TaskState::Failed => {}
        TaskState::Blocked => {
            return Err(CliError::usage(format!("task `{id}` is verified and asks nothing"))
                .hint(format!("`windlass diff {id}`, then `windlass approve {id}`")));
        }
        TaskState::Pending
        | TaskState::InProgress
        | TaskState::Testing
        | TaskState::TestFailed
        | TaskState::Completed
        | TaskState::Skipped => {
            return Err(CliError::usage(format!("task `{id}` asks nothing"))
                .hint("`windlass status` lists what waits for you"));
        }
    }
    Ok(text)
}
