//! `windlass diff`: what a task changed, merged or not.

use clap::Args;
use windlass_core::ids::{AttemptNo, Oid, PlanName};
use windlass_core::view::TaskHistory;
use windlass_engine::git::Repo;

use super::completing::task_ids;
use super::state::{PlanState, StateArgs, task_in};
use super::{CliError, Exit};
use crate::render::harmless;
use crate::world::World;

/// Show what a task changed: its commit, or its latest attempt
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffArgs {
    /// The task.
    #[arg(value_name = "TASK", add = task_ids())]
    task: String,

    #[command(flatten)]
    state: StateArgs,

    /// The change of this attempt; without it, the commit of a merged task or the latest attempt.
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,

    /// Only the files, and how many lines each.
    #[arg(long)]
    stat: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass diff T3                  before `windlass approve T3`
  windlass diff T3 --stat
  windlass diff T3 --attempt 1      what the first attempt did
  windlass diff T3 | less -R";

/// The two sides of a change, and what they are.
pub(crate) struct DiffedTask {
    /// The side before.
    pub(crate) from: Oid,
    /// The side after.
    pub(crate) to: Oid,
    /// What the change is, in words.
    pub(crate) what: String,
}

/// Prints the change.
pub(crate) fn cmd_diff(world: &World, args: &DiffArgs) -> Result<Exit, CliError> {
    let state = PlanState::find(world, &args.state)?;
    let chronicle = state.run_chronicle()?;
    let task = task_in(&chronicle.view()?, &args.task)?.id.clone();
    let history = chronicle.history(&task)?;
    let repo = Repo::discover(world.git_env(), &world.cwd)?;
    let Some(change) = change_of(&repo, &state.name, &history, args.attempt.map(AttemptNo))? else {
        let what = match args.attempt {
            Some(n) => format!("attempt {n} of task `{task}` changed nothing that was kept"),
            None => format!("task `{task}` has changed nothing yet"),
        };
        return Err(CliError::usage(what).hint(format!("`windlass show {task}` lists its attempts")));
    };
    world.tell(&format!("{task}: {}\n", change.what));
    let text = diff_text(world, &change, args.stat, world.out.colour)?;
    world.print(&text)?;
    Ok(Exit::Fine)
}

/// The change of an attempt, or the latest that there is; `None` if nothing was kept.
pub(crate) fn change_of(
    repo: &Repo,
    plan: &PlanName,
    history: &TaskHistory,
    attempt: Option<AttemptNo>,
) -> Result<Option<DiffedTask>, CliError> {
    if let (None, Some(merged)) = (attempt, &history.merged) {
        let parent = repo.resolve(&format!("{}^", merged.commit))?;
        let what = format!("merged as {}", merged.commit.short());
        return Ok(parent.map(|from| DiffedTask { from, to: merged.commit.clone(), what }));
    }
    let wanted = |no: AttemptNo| attempt.is_none_or(|attempt| attempt == no);
    for one in history.attempts.iter().rev().filter(|one| wanted(one.no)) {
        // A candidate is the whole of an attempt; a turn is what there is before that.
        for what in ["candidate", "fix", "refactor", "implement", "write_test-2", "write_test", "red"] {
            let name = format!("refs/windlass/{plan}/{}/{}/{what}", history.task, one.no);
            if let Some(to) = repo.resolve(&name)? {
                let what = format!("attempt {}, {}, not merged", one.no, what.replace('_', " "));
                return Ok(Some(DiffedTask { from: one.base.clone(), to, what }));
            }
        }
    }
    Ok(None)
}

/// The change as git shows it. Programs that the repository names for diffs are not started.
pub(crate) fn diff_text(
    world: &World,
    change: &DiffedTask,
    stat: bool,
    colour: bool,
) -> Result<String, CliError> {
    let colour = if colour { "--color=always" } else { "--color=never" };
    let mut args = vec!["--no-pager", "diff", "--no-ext-diff", "--no-textconv", colour];
    args.extend(if stat { &["--stat"][..] } else { &["--patch"][..] });
    args.extend([change.from.as_str(), change.to.as_str(), "--"]);
    let text = world.git(&args)?;
    // Bytes of a file may command a terminal. git's own colours pass only where they were asked for.
    Ok(if world.out.colour { crate::render::coloured(&text) } else { harmless(&text) })
}
