//! `windlass pr --watch`: red checks and comments on a pull request come back as work on the task that made the line.
//!
//! What was taken already is known from the journal: the reason of a reopened task names the address it came from. Comments
//! become work only from people who may write; everything else waits for a person, who is told the command.

use std::collections::BTreeSet;
use std::time::Duration;

use windlass_core::event::{Event, TaskEvent};
use windlass_core::wish::Wish;

use super::{Destination, PlanProposal, PrArgs, PullDoc};
use crate::cli::reopen::reason_to_reopen;
use crate::cli::run::{RunArgs, cmd_run};
use crate::cli::state::{PlanState, plan_of, task_id};
use crate::cli::wishing::{at_work, submit};
use crate::cli::{CliError, Exit};
use crate::forge::{Feedback, WriteAccess};
use crate::render::cut;
use crate::world::World;

/// The most of a remark that becomes a reason.
const LONGEST: usize = 1_500;

/// What one look at the pull requests came to.
pub(super) enum WatchOutcome {
    /// Tasks were reopened and carried out again.
    Worked,
    /// Nothing new became work.
    Nothing,
}

/// Looks once: takes in what is new, and has it carried out. `shown` is what a person was told before.
pub(super) fn look(
    world: &World,
    args: &PrArgs,
    proposal: &PlanProposal,
    to: &Destination,
    pulls: &[PullDoc],
    shown: &mut BTreeSet<String>,
) -> Result<WatchOutcome, CliError> {
    let state = PlanState::find(world, &args.state)?;
    let chronicle = state.run_chronicle()?;
    let mut taken = String::new();
    chronicle.each(|stamped| {
        if let Event::Task { event: TaskEvent::TaskReopened { because }, .. } = &stamped.event {
            taken.push_str(because);
            taken.push('\n');
        }
    })?;
    let view = chronicle.view()?;
    let mut wishes: Vec<Wish> = Vec::new();
    let mut reopened: BTreeSet<String> = BTreeSet::new();
    for pull in pulls {
        for said in to.forge.feedback(pull.number, &pull.commit)? {
            if taken.contains(&said.key) {
                continue;
            }
            let task = task_of(world, proposal, &said);
            let reason = reason(&said);
            let ready = task.as_ref().filter(|_| said.access == WriteAccess::Yes);
            match ready.map(|task| (task, reason_to_reopen(&view, task, &reason))) {
                // A task is reopened once at a time; what else is said of it is taken in when that is done.
                Some((task, Ok(_))) if reopened.contains(task) => {}
                Some((task, Ok(because))) => {
                    world.print(&format!("`{task}` is carried out again: {}\n", cut(&reason, 200)))?;
                    reopened.insert(task.clone());
                    wishes.push(Wish::Reopen { task: task_id(task)?, because });
                }
                None if shown.insert(said.key.clone()) => world.print(&waiting(&said, task.as_deref()))?,
                Some((_, Err(_))) | None => {}
            }
        }
    }
    if wishes.is_empty() {
        return Ok(WatchOutcome::Nothing);
    }
    submit(world, &state, &wishes)?;
    if at_work(&view).is_none() {
        let plan = plan_of(world, &args.state, &state, view.run.as_ref());
        let (agent, share) = (args.agent.clone(), args.share.clone());
        let again = RunArgs { yes: true, agent, share, ..RunArgs::plain(plan) };
        let ended = cmd_run(world, &again)?;
        if ended == Exit::Interrupted {
            return Err(CliError::blocked("interrupted"));
        }
    }
    Ok(WatchOutcome::Worked)
}

/// How long to wait between two looks.
pub(super) fn pause(seconds: u64) {
    std::thread::sleep(Duration::from_secs(seconds));
}

fn reason(said: &Feedback) -> String {
    let place = match (&said.path, said.line) {
        (Some(path), Some(line)) => format!(" at {path}:{line}"),
        (Some(path), None) => format!(" at {path}"),
        _ => String::new(),
    };
    let text: String =
        said.text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect();
    format!("{}{place}: {text} ({})", said.who, said.key)
}

fn waiting(said: &Feedback, task: Option<&str>) -> String {
    let why = match said.access {
        WriteAccess::Yes => "no task is known to have made the commented lines",
        WriteAccess::No => "its author may not write to the repository",
    };
    let task = task.unwrap_or("TASK");
    format!(
        "waits for you: {} by {}: {why}\n  hint: `windlass reopen {task} --because \"…\"` takes it\n",
        said.key, said.who
    )
}

/// The task whose commit made the line, or last changed the file, or that the text names.
fn task_of(world: &World, proposal: &PlanProposal, said: &Feedback) -> Option<String> {
    let tip = proposal.tip.as_str();
    let blamed = said.path.as_deref().zip(said.line).and_then(|(path, line)| {
        let range = format!("{line},{line}");
        let told = world.git(&["blame", "--porcelain", "-L", &range, tip, "--", path]).ok()?;
        told.split_whitespace().next().map(str::to_owned)
    });
    let changed = |path: &str| {
        let told = world.git(&["log", "-1", "--format=%H", tip, "--", path]).ok()?;
        Some(told.trim().to_owned()).filter(|commit| !commit.is_empty())
    };
    let by_commit = |commit: &str| {
        let made = proposal.audit.records.iter().find(|record| record.commit.as_str() == commit)?;
        Some(made.task.clone())
    };
    let path = said.path.as_deref();
    let by_place = blamed.as_deref().and_then(by_commit).or_else(|| by_commit(&changed(path?)?));
    by_place.or_else(|| {
        let words = said.text.split(|c: char| c.is_whitespace() || "`'\"()[],".contains(c));
        words.filter(|word| !word.is_empty()).take(400).find_map(|word| {
            let own = proposal.report.tasks.iter().find(|task| task.id == word).map(|task| task.id.clone());
            let path = word.split("::").next().unwrap_or(word).split(':').next().unwrap_or(word);
            let is_path = path.contains('.') && !path.starts_with(['-', '/', '.']);
            own.or_else(|| by_commit(&changed(path).filter(|_| is_path)?))
        })
    })
}
