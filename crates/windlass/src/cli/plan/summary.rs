//! What `plan` ends with: how many tasks, what is open, and the command that works here.

use std::ffi::OsStr;
use std::path::Path;

use windlass_core::plan::Plan;
use windlass_core::policy::MECHANICAL_AGENT;
use windlass_engine::agent::cli::CliKind;
use windlass_planner::asked::PlanPage;
use windlass_planner::derive::{Derived, NoteKind};

use super::PlanArgs;
use super::deliver::Delivery;
use crate::input::Configuration;
use crate::render::{Paint, counted};
use crate::world::World;

/// The most of a plan that may be assumed before an agent is suggested: one part in so many.
const UNSURE: usize = 3;

/// Whether there was a plan before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrittenPlan {
    /// There was none.
    New,
    /// Its documents were planned again.
    Again,
}

/// The last words of `plan`.
pub(super) fn summary(of: &Delivery<'_>, derived: &Derived, root: &Path, written: WrittenPlan) -> String {
    let Delivery { world, args, request, configuration, spec, .. } = *of;
    let plan = &derived.plan;
    let shown = world.shown(root);
    let tasks = counted(plan.tasks.len(), "task");
    let mut text = match written {
        WrittenPlan::New => format!("wrote {tasks} to {shown}\n"),
        WrittenPlan::Again => format!("{shown} has {tasks}\n"),
    };
    let count = |kind: NoteKind| derived.notes.iter().filter(|n| n.kind == kind).count();
    // A phase has its own criteria; the others are not its business.
    let all = if args.phase.is_some() { plan.criteria.len() } else { spec.criteria.len() };
    if all > 0 {
        let gaps = count(NoteKind::CoverageGap).min(all);
        // A task that only has words in common with a criterion is proposed, and does not count.
        let guessed = count(NoteKind::Unsure).min(all - gaps);
        text.push_str(&format!("criteria: {} of {all} have a task that serves them", all - gaps - guessed));
        if guessed > 0 {
            text.push_str(&format!("; {guessed} only by a weak match, see above"));
        }
        text.push_str(if gaps > 0 { "; see COVERAGE_GAP above\n" } else { "\n" });
    }
    let unplanned = PlanPage::new(plan, &request.documents, &derived.notes).unplanned_lines();
    if unplanned > 0 && args.phase.is_none() {
        let lines = counted(unplanned, "line");
        text.push_str(&format!("documents: {lines} came to no task; `--review` shows which\n"));
    }
    text.push_str(&suggestion(world, args, configuration, plan, derived));
    if !args.run {
        let questions = derived.notes.iter().filter(|n| n.kind == NoteKind::Question).count();
        let next = if derived.asks_for_language() {
            "next: `windlass plan --language NAME` says in which language, and gives the tasks their files\n"
                .to_owned()
        } else {
            next(world, configuration, plan, &shown, questions)
        };
        text.push_str(&format!("\n{next}"));
    }
    text
}

/// What to do next: with the agent that is set or installed, or how to get one.
fn next(world: &World, configuration: &Configuration, plan: &Plan, shown: &str, questions: usize) -> String {
    if questions > 0 {
        let these = if questions == 1 { "question".to_owned() } else { counted(questions, "question") };
        return format!("next: answer the {these} above in the documents, then `windlass plan` again\n");
    }
    let look = "next: `windlass plan --review` shows what was asked beside what will be done";
    match agent(world, configuration) {
        ChosenAgent::Set => format!("{look};\n      `windlass run {shown}` carries it out\n"),
        ChosenAgent::Installed(kind) => {
            format!("{look};\n      `windlass run {shown} --agent {}` carries it out\n", kind.as_str())
        }
        ChosenAgent::Nothing if is_complete(plan) => {
            format!("{look};\n      `windlass run {shown}` carries it out: the plan holds all of its code\n")
        }
        ChosenAgent::Nothing => format!(
            "{look};\n      no agent is installed that could carry it out: `{}` installs one,\n      \
             `--agent cmd:COMMAND` takes any program, and `windlass doctor` lists what is here\n",
            CliKind::Claude.install()
        ),
    }
}

/// Whether every file is written out in the plan, so that no agent is needed.
fn is_complete(plan: &Plan) -> bool {
    let writes = |task: &windlass_core::plan::Task| {
        let coded = |path: &str| {
            task.steps.iter().any(|step| step.file.as_deref() == Some(path) && step.code.is_some())
                || task.test_code.iter().any(|block| block.path.as_deref() == Some(path))
        };
        task.owned().next().is_some() && task.owned().all(coded)
    };
    plan.tasks.iter().all(writes)
}

/// Which agent `run` would take.
enum ChosenAgent {
    /// The configuration names one.
    Set,
    /// None is set, and this one is installed.
    Installed(CliKind),
    /// None is set or installed.
    Nothing,
}

fn agent(world: &World, configuration: &Configuration) -> ChosenAgent {
    let tiers = &configuration.config.agents.tiers;
    let set = [&tiers.small, &tiers.medium, &tiers.large].into_iter().flatten();
    if set.filter(|name| *name != MECHANICAL_AGENT).count() > 0 {
        return ChosenAgent::Set;
    }
    match installed(world) {
        Some(kind) => ChosenAgent::Installed(kind),
        None => ChosenAgent::Nothing,
    }
}

/// The first command line agent on the search path.
fn installed(world: &World) -> Option<CliKind> {
    CliKind::ALL.into_iter().find(|kind| world.program(OsStr::new(kind.facts().program)).is_some())
}

/// An agent is suggested where the draft says of itself that much of it is unsure.
fn suggestion(
    world: &World,
    args: &PlanArgs,
    configuration: &Configuration,
    plan: &Plan,
    derived: &Derived,
) -> String {
    let doubts = |kind: NoteKind| derived.notes.iter().filter(|n| n.kind == kind).count();
    let unsure = doubts(NoteKind::Unsure) + doubts(NoteKind::CoverageGap) + doubts(NoteKind::Contradiction);
    // Only what stands for something that a document leaves open: not the detail of steps.
    let assumed = derived.notes.iter().filter(|n| n.kind == NoteKind::Assumed && n.span.is_some()).count();
    let parts = plan.criteria.len().max(plan.tasks.len()).max(1);
    let much = unsure * UNSURE >= parts || assumed * UNSURE >= plan.tasks.len().max(1) * 2;
    if args.agent.is_asked() || configuration.config.team.planner.is_some() || !much || unsure + assumed == 0
    {
        return String::new();
    }
    let name = installed(world).map_or("NAME", CliKind::as_str);
    let help = world.out.paint(Paint::Help, "help");
    let mut said = Vec::new();
    if unsure > 0 {
        said.push(format!("{unsure} unsure"));
    }
    if assumed > 0 {
        said.push(format!("{assumed} assumed"));
    }
    format!(
        "{help}: much of this plan is a guess ({}): `--agent {name}` lets an agent complete it, under the same checks\n",
        said.join(", ")
    )
}
