//! A wish from another front end, checked as the command that leaves it checks it.

use windlass_core::state::TaskState;
use windlass_core::view::{View, Why};
use windlass_core::wish::Wish;

use super::CliError;
use super::answer::answer_for;
use super::reopen::reason_to_reopen;
use super::retry::refuse_what_is_done;
use super::state::{PlanState, StateArgs, task_in};
use super::status::wish_words;
use super::wishing::{at_work, heard_by, submit};
use crate::world::World;

/// Leaves a wish, if the command line would, and says whom it reaches.
pub(crate) fn leave(world: &World, state: &PlanState, wish: &Wish) -> Result<String, CliError> {
    let view = state.run_chronicle()?.view()?;
    let wish = checked(world, state, &view, wish)?;
    submit(world, state, std::slice::from_ref(&wish))?;
    Ok(format!("{}: {}", wish_words(&wish), heard_by(state, &view)))
}

fn checked(world: &World, state: &PlanState, view: &View, wish: &Wish) -> Result<Wish, CliError> {
    match wish {
        Wish::Pause {} | Wish::Resume {} | Wish::Cancel { task: None } => {
            let idle = || CliError::blocked(format!("no run of `{}` is at work", state.name));
            at_work(view).ok_or_else(idle)?;
        }
        Wish::RetryBlocked {} | Wish::RetryFailed {} => {}
        Wish::Cancel { task: Some(task) } => {
            task_in(view, task.as_str())?;
        }
        Wish::Skip { .. } | Wish::Approve { .. } => refuse_what_changes_nothing(view, wish)?,
        Wish::Retry { task } => {
            let own = task_in(view, task.as_str())?;
            // A run at work does not take up what was cancelled in it.
            let cancelled = at_work(view).is_some() && view.why(own) == Some(Why::Cancelled);
            if own.state == TaskState::Pending && !cancelled {
                return Err(
                    CliError::blocked(format!("`{task}` is pending")).hint("`windlass run` goes on with it")
                );
            }
            let args = StateArgs { plan: Some(state.name.to_string()) };
            refuse_what_is_done(world, &args, &[task.to_string()])?;
        }
        Wish::Answer { task, text, afresh } => {
            let text = answer_for(view, task.as_str(), text)?;
            return Ok(Wish::Answer { task: task.clone(), text, afresh: *afresh });
        }
        Wish::Reopen { task, because } => {
            let because = reason_to_reopen(view, task.as_str(), because)?;
            return Ok(Wish::Reopen { task: task.clone(), because });
        }
    }
    Ok(wish.clone())
}

/// Refuses to skip what has ended and to approve what waits for something else: a run would only ignore it.
pub(super) fn refuse_what_changes_nothing(view: &View, wish: &Wish) -> Result<(), CliError> {
    match wish {
        Wish::Skip { task } => {
            let state = task_in(view, task.as_str())?.state;
            if matches!(state, TaskState::Completed | TaskState::Skipped) {
                return Err(CliError::usage(format!("task `{task}` is {} already", state.as_str())));
            }
        }
        Wish::Approve { task, files } => {
            let own = task_in(view, task.as_str())?;
            let waits = if files.is_empty() {
                matches!(view.why(own), Some(Why::Blocked(reason)) if reason.can_be_approved())
            } else {
                matches!(own.state, TaskState::Blocked | TaskState::Failed)
            };
            if !waits {
                let what = if files.is_empty() { "approval" } else { "files" };
                return Err(CliError::usage(format!("task `{task}` does not wait for {what}"))
                    .hint("`windlass status` lists what waits for you"));
            }
        }
        Wish::Pause {}
        | Wish::Resume {}
        | Wish::Cancel { .. }
        | Wish::Retry { .. }
        | Wish::Reopen { .. }
        | Wish::RetryBlocked {}
        | Wish::RetryFailed {}
        | Wish::Answer { .. } => {}
    }
    Ok(())
}
