//! `windlass status`: where everything stands.

use std::thread;
use std::time::Duration;

use clap::Args;
use windlass_core::event::Millis;
use windlass_core::view::board::{Around, ChangeDoc, Doings, Touched};
use windlass_core::view::{Liveness, Outputs, RunState, StatusDoc, View};
use windlass_core::wish::Wish;
use windlass_engine::chronicle::Chronicle;
use windlass_engine::requests::Requests;

use super::completing::task_ids;
use super::since_last_run::{UserBranch, edited};
use super::state::{
    PlanState, StateArgs, is_live, keep_text, liveness, phase_in, run_state, task_in, titles, titles_in,
    unknown_task,
};
use super::{CliError, Exit};
use crate::render::{self, StatusKnown, TreeView};
use crate::world::World;

/// Between two looks.
const TICK: Duration = Duration::from_millis(500);

/// Show where everything stands
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatusArgs {
    /// Only this task, with its steps; or this phase, with its tasks.
    #[arg(value_name = "TASK|PHASE", add = task_ids())]
    task: Option<String>,

    #[command(flatten)]
    state: StateArgs,

    /// Print `windlass.status/1` as JSON.
    #[arg(long)]
    json: bool,

    /// With `--json`: only what changed after this event, as `windlass.change/1`; `head.seq` of an answer is where the next
    /// one goes on.
    #[arg(long, value_name = "SEQ", requires = "json", conflicts_with_all = ["task", "all", "depth", "flat"])]
    since: Option<u64>,

    /// Keep watching until the run ends.
    #[arg(short, long, conflicts_with = "json")]
    watch: bool,

    /// List every task, however many there are.
    #[arg(long)]
    all: bool,

    /// Fold everything below so many levels of parents into its parent; 0 shows only the top.
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// List tasks one below the other, without their phases.
    #[arg(long, conflicts_with = "depth")]
    flat: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass status                 where everything stands, and what waits for you
  windlass status T3              one task with its steps
  windlass status --json | jq .attention
  windlass status --json --since 120     what changed after event 120, for a program that looks again and again";

/// Shows the status.
pub(crate) fn cmd_status(world: &World, args: &StatusArgs) -> Result<Exit, CliError> {
    let state = PlanState::find(world, &args.state)?;
    let Some(chronicle) = state.chronicle()? else {
        return never_run(world, args, &state);
    };
    if let Some(since) = args.since {
        return print_changes(world, &state, &chronicle, since);
    }
    if args.json {
        return print_json(world, args, &state, &chronicle);
    }
    if args.watch {
        return watch(world, args, &state, &chronicle);
    }
    let glance = chronicle.glance(is_live)?;
    let branch = UserBranch::of(world, glance.run.as_ref());
    world.print(&screen(world, args, &state, &chronicle, branch.as_ref())?)?;
    world.print(&branch.map(|branch| branch.moved_on(&glance)).unwrap_or_default())?;
    // Last, because a large plan that was written since takes a while to read.
    world.print(&edited(world, &args.state, &state, &glance, &chronicle))?;
    Ok(Exit::Fine)
}

/// The requests that no run has followed yet.
pub(crate) fn pending_wishes(state: &PlanState) -> Result<Vec<Wish>, CliError> {
    let path = state.paths.requests();
    if !path.exists() {
        return Ok(Vec::new());
    }
    let left = Requests::open(&path)?.pending()?;
    Ok(left.iter().filter_map(|(_, text)| Wish::from_json(text).ok()).collect())
}

/// A line about requests that were not followed yet; nothing if there are none.
fn waiting(wishes: &[Wish], run: RunState) -> String {
    if wishes.is_empty() {
        return String::new();
    }
    let words: Vec<String> = wishes.iter().map(wish_words).collect();
    let when =
        if is_over(run) { "applied by the next `windlass run`" } else { "the run has not got to it yet" };
    format!("requested: {} ({when})\n", words.join(", "))
}

/// The same in words.
pub(crate) fn wishes_left(state: &PlanState) -> Result<Vec<String>, CliError> {
    Ok(pending_wishes(state)?.iter().map(wish_words).collect())
}

/// A request as the command that leaves it.
pub(crate) fn wish_words(wish: &Wish) -> String {
    match wish {
        Wish::Pause {} => "pause".into(),
        Wish::Resume {} => "resume".into(),
        Wish::Cancel { task: None } => "cancel".into(),
        Wish::Cancel { task: Some(task) } => format!("cancel {task}"),
        Wish::Retry { task } => format!("retry {task}"),
        Wish::Reopen { task, .. } => format!("reopen {task}"),
        Wish::RetryBlocked {} => "retry --blocked".into(),
        Wish::RetryFailed {} => "retry --failed".into(),
        Wish::Answer { task, .. } => format!("answer {task}"),
        Wish::Skip { task } => format!("skip {task}"),
        Wish::Approve { task, .. } => format!("approve {task}"),
    }
}

fn never_run(world: &World, args: &StatusArgs, state: &PlanState) -> Result<Exit, CliError> {
    if args.json {
        let view = View::default();
        let outputs = state.outputs();
        let doc = StatusDoc::new(state.name.as_str(), &view, Liveness::Gone, world.now(), Outputs(&outputs));
        world.print(&(serde_json::to_string(&doc)? + "\n"))?;
    } else {
        let next = "next: `windlass check`, then `windlass run`";
        world.print(&format!("plan {} was never run\n\n{next}\n", state.name))?;
    }
    Ok(Exit::Fine)
}

/// What changed after an event, as the page is told it.
fn print_changes(
    world: &World,
    state: &PlanState,
    chronicle: &Chronicle,
    since: u64,
) -> Result<Exit, CliError> {
    let (mut view, mut doings, mut touched) = (View::default(), Doings::default(), Touched::default());
    let mut text = None;
    chronicle.follow(&mut view, |stamped| {
        doings.apply(stamped);
        keep_text(&mut text, stamped);
        if stamped.seq > since {
            touched.apply(stamped);
        }
    })?;
    if since > view.seq {
        touched = Touched::everything();
    }
    let (titles, wishes) = (titles_in(state, text.as_ref()), wishes_left(state)?);
    let around = Around {
        plan: state.name.as_str(),
        coordinator: view.run.as_ref().map_or(Liveness::Gone, liveness),
        now: world.now(),
        wishes: &wishes,
        titles: &titles,
        trouble: None,
    };
    let change = ChangeDoc::new(&view, since, &touched, around, &doings);
    let mut doc = serde_json::to_value(&change)?;
    doc["schema"] = "windlass.change/1".into();
    world.print(&format!("{doc}\n"))?;
    Ok(Exit::Fine)
}

fn print_json(
    world: &World,
    args: &StatusArgs,
    state: &PlanState,
    chronicle: &Chronicle,
) -> Result<Exit, CliError> {
    let view = chronicle.view()?;
    let coordinator = view.run.as_ref().map_or(Liveness::Gone, liveness);
    let now = clock(world, run_state(view.run.as_ref()), view.at);
    let outputs = state.outputs();
    let mut doc = StatusDoc::new(state.name.as_str(), &view, coordinator, now, Outputs(&outputs));
    doc.requested = pending_wishes(state)?;
    let titles = titles(state, chronicle)?;
    for parent in &mut doc.parents {
        parent.title = titles.get(parent.id).cloned();
    }
    let mut phase = None;
    if let Some(named) = &args.task {
        phase = view.task(named).is_none().then(|| phase_in(&view, &titles, named)).flatten();
        if phase.is_none() {
            let id = task_in(&view, named)?.id.as_str();
            doc.tasks.retain(|t| t.id == id);
        }
    }
    fold(&mut doc, &view, phase, args.depth);
    world.print(&(serde_json::to_string(&doc)? + "\n"))?;
    Ok(Exit::Fine)
}

fn screen(
    world: &World,
    args: &StatusArgs,
    state: &PlanState,
    chronicle: &Chronicle,
    branch: Option<&UserBranch>,
) -> Result<String, CliError> {
    let name = state.name.as_str();
    if let Some(named) = &args.task {
        let view = chronicle.view()?;
        let now = clock(world, run_state(view.run.as_ref()), view.at);
        if let Some(task) = view.task(named) {
            return Ok(render::task_status(&view, task, now, &world.out));
        }
        let titles = titles(state, chronicle)?;
        let Some(phase) = phase_in(&view, &titles, named) else { return Err(unknown(&view, named)) };
        let depth = args.depth.map_or(usize::MAX, |depth| depth.saturating_add(1));
        let tree = TreeView { depth, phase: Some(phase), titles: &titles, known: StatusKnown::default() };
        return Ok(render::phase_status(&view, now, &world.out, &tree));
    }
    let asked = pending_wishes(state)?;
    let nested = || {
        let small = chronicle.glance(is_live)?.counts.total <= TREE;
        Ok::<bool, CliError>(small && !chronicle.view()?.parents.is_empty())
    };
    if args.depth.is_some() || (!args.flat && !args.all && nested()?) {
        let view = chronicle.view()?;
        let run = run_state(view.run.as_ref());
        let now = clock(world, run, view.at);
        let titles = titles(state, chronicle)?;
        let depth = args.depth.unwrap_or(usize::MAX);
        let landed = branch.and_then(|branch| branch.landed(run));
        let known = StatusKnown { asked: &asked, landed };
        let tree = TreeView { depth, phase: None, titles: &titles, known };
        let text = render::status_tree(name, &view, run, now, &world.out, &tree);
        return Ok(text + &waiting(&asked, run));
    }
    let glance = if args.all { chronicle.view()?.glance_at_all() } else { chronicle.glance(is_live)? };
    let run = run_state(glance.run.as_ref());
    let landed = branch.and_then(|branch| branch.landed(run));
    let known = StatusKnown { asked: &asked, landed };
    let text = render::status(name, &glance, run, clock(world, run, glance.at), &world.out, &known);
    Ok(text + &waiting(&asked, run))
}

/// A plan with phases and up to so many tasks is shown as a tree.
const TREE: u32 = 60;

/// Leaves out of a document what is not below the phase, and what is deeper than asked for.
fn fold(doc: &mut StatusDoc<'_>, view: &View, phase: Option<usize>, depth: Option<usize>) {
    let depth = depth.unwrap_or(usize::MAX);
    let level = |chain: &[usize]| match phase {
        None => Some(chain.len()),
        Some(wanted) => chain.iter().position(|at| *at == wanted).map(|at| chain.len() - at - 1),
    };
    let kept = |id: &str| {
        let task = view.task(id);
        task.and_then(|task| level(&view.places_of(task))).is_some_and(|level| level <= depth)
    };
    doc.tasks.retain(|task| kept(task.id));
    let mut at = 0;
    doc.parents.retain(|_| {
        let mut chain = vec![at];
        let mut up = view.parents[at].up;
        while let Some(above) = up {
            chain.insert(0, above as usize);
            up = view.parents[above as usize].up;
        }
        at += 1;
        // A parent is one level above its tasks.
        level(&chain).is_some_and(|level| level.saturating_sub(usize::from(phase.is_none())) <= depth)
    });
}

/// The error for a name that is neither a task nor a phase.
pub(super) fn unknown(view: &View, named: &str) -> CliError {
    let known = view.tasks.iter().map(|t| t.id.as_str()).chain(view.parents.iter().map(|p| p.id.as_str()));
    unknown_task(named, known)
}

/// The current time; without an active run, the time of the last event.
pub(super) fn clock(world: &World, run: RunState, last: Millis) -> Millis {
    if is_over(run) { last } else { world.now() }
}

/// Whether no run is active.
pub(super) fn is_over(run: RunState) -> bool {
    match run {
        RunState::Running | RunState::Paused => false,
        RunState::New
        | RunState::Completed
        | RunState::Stuck
        | RunState::Interrupted
        | RunState::Cancelled
        | RunState::BudgetSpent
        | RunState::Broken
        | RunState::Lost => true,
    }
}

/// Draws again whenever something happened, until the run is over.
fn watch(
    world: &World,
    args: &StatusArgs,
    state: &PlanState,
    chronicle: &Chronicle,
) -> Result<Exit, CliError> {
    let mut drawn = String::new();
    loop {
        let run = chronicle.glance(is_live)?.run;
        let over = is_over(run_state(run.as_ref()));
        // Whether it was landed is of interest at the end only.
        let branch = over.then(|| UserBranch::of(world, run.as_ref())).flatten();
        let text = screen(world, args, state, chronicle, branch.as_ref())?;
        if text != drawn {
            // On a terminal the new picture takes the old one's place; elsewhere it follows it.
            let clear = if world.out.terminal { "\u{1b}[H\u{1b}[2J" } else { "" };
            world.print(&format!("{clear}{text}"))?;
            drawn = text;
        }
        if over {
            return Ok(Exit::Fine);
        }
        thread::sleep(TICK);
    }
}
