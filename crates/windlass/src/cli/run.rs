//! `windlass run`: runs a plan, or continues an earlier run.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use windlass_core::diagnostic::Severity;
use windlass_core::event::RunEnd;
use windlass_core::state::TaskState;
use windlass_core::view::{Ending, TaskView, View};
use windlass_engine::chronicle::Chronicle;
use windlass_engine::error::EngineError;
use windlass_engine::process::CancelLevel;
use windlass_engine::run::{RunRequest, run};
use windlass_engine::sandbox::{SandboxWish, Unsandboxed};

use super::checked::{CheckedPlan, PlanSelection, ProfileArgs};
use super::completing::task_ids;
use super::dry_run::DryRun;
use super::state::{PlanState, StateArgs};
use super::wishing::at_work;
use super::{CliError, Exit};
use crate::config::RunLimits;
use crate::job::BackgroundJob;
use crate::live::LiveView;
use crate::notify::Notices;
use crate::render::{self, Paint};
use crate::running::{
    Both, JsonLines, Overrides, Prepared, ProgressLines, SandboxOverrides, ask_architectures, look_for,
    prepare, refuse_to_start, runtime, stop_on_signals, tried_setups,
};
use crate::telemetry::Telemetry;
use crate::world::World;

/// Run a plan; continues where an earlier run stopped
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) plan: PlanSelection,

    #[command(flatten)]
    pub(crate) profile: ProfileArgs,

    /// The agent of every task, whatever its tier: `claude`, `codex`, `gemini`, `qwen`, `opencode`, `mechanical`,
    /// `cmd:COMMAND`, `acp:COMMAND`, `replay:FOLDER`, or a name from `[agents]`.
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,

    /// How many attempts and verifications run at once.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) jobs: Option<u32>,

    /// Spend at most this many US dollars, and one answer of an agent beyond it. Agents at work are ended there.
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,

    /// Use at most this many tokens, and one answer of an agent beyond it.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,

    /// Try the set-up, show what would be done and the highest cost, and ask no agent.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// With `--dry-run`: print the full brief of each task's first turn.
    #[arg(long, requires = "dry_run")]
    pub(crate) briefs: bool,

    /// Run only this task and what it depends on. May be given more than once.
    #[arg(long, value_name = "TASK", add = task_ids())]
    pub(crate) until: Vec<String>,

    /// Continue although the check has warnings, or a reviewer rejects the plan.
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// Record what agents change, turn by turn, for `--agent replay:DIR`.
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,

    /// The sandbox of agents and tests: `auto`, `bubblewrap`, `namespaces`, `landlock` or `off`.
    #[arg(long, value_name = "RUNG", value_parser = sandbox_wish)]
    pub(crate) sandbox: Option<SandboxWish>,

    /// Let agents read and write this path too. May be given more than once.
    #[arg(long, value_name = "PATH")]
    pub(crate) share: Vec<PathBuf>,

    /// Let agents run without a sandbox if this machine has none.
    #[arg(long)]
    pub(crate) allow_unsandboxed: bool,

    /// Start the run and return: it goes on by itself. `windlass status` follows it, `windlass cancel` ends it.
    #[arg(long, conflicts_with_all = ["dry_run", "json"])]
    pub(crate) background: bool,

    /// Print events as JSON, one per line.
    #[arg(long)]
    pub(crate) json: bool,

    /// How progress is shown: `live` redraws rows on a terminal, `lines` prints a line per step. `auto` is `live` on a
    /// terminal and `lines` elsewhere.
    #[arg(
        long,
        value_name = "STYLE",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        conflicts_with = "json"
    )]
    pub(crate) progress: ProgressStyle,
}

impl RunArgs {
    /// What `windlass run PLAN` asks for.
    pub(crate) fn plain(plan: PlanSelection) -> Self {
        Self {
            plan,
            profile: ProfileArgs::default(),
            agent: None,
            jobs: None,
            max_cost: None,
            max_tokens: None,
            dry_run: false,
            briefs: false,
            until: Vec::new(),
            yes: false,
            record: None,
            sandbox: None,
            share: Vec::new(),
            allow_unsandboxed: false,
            background: false,
            json: false,
            progress: ProgressStyle::Auto,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  windlass run                              the plan of windlass.toml, or the only one in plans/
  windlass run plans/shop --agent claude    with Claude Code
  windlass run --dry-run                    what would be done, and what it may cost
  windlass run --until T7 --max-cost 5      T7 and what it needs, for at most 5 dollars
  windlass run --json | jq .kind            events for a program";

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum ProgressStyle {
    /// As the terminal allows.
    #[default]
    Auto,
    /// Rows that are drawn again.
    Live,
    /// A line per step.
    Lines,
}

/// Runs a plan.
pub(crate) fn cmd_run(world: &World, args: &RunArgs) -> Result<Exit, CliError> {
    if args.background {
        return in_background(world, args);
    }
    let checked = CheckedPlan::load(world, &args.plan, &args.profile)?;
    if let Some(exit) = refuse_or_ask(world, &checked, args)? {
        return Ok(exit);
    }
    if !checked.done_before.is_empty() {
        let named = checked.done_before.join(", ");
        world.tell(&format!(
            "note: completed according to the plan's own file, not run again and not proved: {named}\n"
        ));
    }
    let Prepared { mut request, wishes } = prepare(world, &checked, &overrides(world, args))?;
    for joined in &request.runnable.handovers {
        world
            .tell(&format!("note: the tests of {} become the red commit of {}\n", joined.tests, joined.code));
    }
    let runtime = runtime(request.config.settings.all_slots())?;
    for note in runtime.block_on(ask_architectures(&mut request)) {
        world.tell(&format!("note: {note}\n"));
    }
    if args.dry_run {
        match look_for(world, &request.config, &wishes) {
            Ok(notes) => notes.iter().for_each(|note| world.tell(&format!("note: {note}\n"))),
            Err(missing) => world.tell(&format!("note: the run would not start: {}\n", missing.message)),
        }
        if let Err(refused) = refuse_to_start(&request) {
            world.tell(&format!("note: the run would not start: {}\n", refused.message));
        }
        return dry_run(world, &request, &checked.configuration.config.limits, args);
    }
    let notes = look_for(world, &request.config, &wishes)?;
    refuse_to_start(&request)?;
    for note in &notes {
        world.tell(&format!("note: {note}\n"));
    }
    let (name, branch, paths) = (request.name.clone(), request.branch.clone(), request.paths.clone());
    let notices = Notices::new(world, &checked.configuration, request.name.as_str())?;
    let journal = paths.plan(&name).journal();
    let telemetry = Telemetry::new(world, &checked.configuration, name.as_str(), &journal)?;
    let end = runtime.block_on(carry_out(world, request, args, Both(notices, telemetry)))?;
    runtime.shutdown_background();
    let view = Chronicle::open(&journal)?.map(|c| c.view()).transpose()?.unwrap_or_default();
    if !args.json {
        world.print(&closing_words(world, &end, &view, &branch))?;
    }
    Ok(exit_of(&end, &view))
}

/// Tries the set-up, and says what the run would do and cost.
fn dry_run(
    world: &World,
    request: &RunRequest,
    limits: &RunLimits,
    args: &RunArgs,
) -> Result<Exit, CliError> {
    let setups = tried_setups(world, request).unwrap_or_else(|error| {
        world.tell(&format!("note: the set-up was not tried: {}\n", error.message));
        Vec::new()
    });
    let dry = DryRun::of(request, limits, &completed(request)?)?.with_setups(setups);
    let text = if args.json { dry.json()? } else { dry.screen(args.briefs) };
    world.print(&text)?;
    Ok(if dry.is_blocked() { Exit::Environment } else { Exit::Fine })
}

/// How long a run in the background is watched for a refusal.
const BEGINS: Duration = Duration::from_secs(5);

/// Starts the same command without `--background` as a job, and waits until it is at work or was refused.
fn in_background(world: &World, args: &RunArgs) -> Result<Exit, CliError> {
    let named = args.plan.plan.as_ref().map(|path| path.display().to_string());
    let state = PlanState::find(world, &StateArgs { plan: named }).ok();
    let before = state.as_ref().and_then(process_at_work);
    let since = state.as_ref().and_then(|state| state.chronicle().ok()??.last_seq().ok()).unwrap_or(0);
    let own = world.own_args().into_iter().filter(|arg| arg != "--background");
    let job = BackgroundJob::start(world, &own.collect::<Vec<OsString>>())?;
    let until = Instant::now() + BEGINS;
    while Instant::now() < until {
        if let Some(code) = job.wait(Duration::from_millis(100)) {
            world.tell(&fs::read_to_string(job.output()).unwrap_or_default());
            return Ok(Exit::of_code(code));
        }
        let state = state.as_ref().filter(|state| process_at_work(state) != before);
        if let Some((state, process)) = state.and_then(|state| Some((state, process_at_work(state)?))) {
            world.print(&format!("plan {}: the run is at work (process {process})\n", state.name))?;
            break;
        }
    }
    world.print(&format!(
        "it goes on by itself as {}; everything it prints is in {}\nnext: `windlass status --json --since {since}`, `windlass ui`\n",
        job.id,
        world.shown(&job.output())
    ))?;
    Ok(Exit::Fine)
}

/// The process of a run at work.
fn process_at_work(state: &PlanState) -> Option<u32> {
    let view = state.chronicle().ok()??.view().ok()?;
    at_work(&view).map(|run| run.pid)
}

/// Runs the plan, with what is shown of it meanwhile.
async fn carry_out(
    world: &World,
    request: RunRequest,
    args: &RunArgs,
    also: Both<Notices, Telemetry>,
) -> Result<RunEnd, EngineError> {
    let err = world.clone();
    let tell = move |level| err.tell(stop_words(level));
    if args.json {
        let stop = stop_on_signals(tell);
        return Box::pin(run(request, stop, &mut Both(JsonLines, also))).await;
    }
    let live = match args.progress {
        ProgressStyle::Auto | ProgressStyle::Live => world.can_redraw,
        ProgressStyle::Lines => false,
    };
    if live {
        let shown = LiveView::new(world);
        let notes = shown.notes();
        let stop = stop_on_signals(move |level| notes.say(stop_words(level)));
        return Box::pin(run(request, stop, &mut Both(shown, also))).await;
    }
    let stop = stop_on_signals(tell);
    let shown = ProgressLines::new(world);
    Box::pin(run(request, stop, &mut Both(shown, also))).await
}

fn overrides(world: &World, args: &RunArgs) -> Overrides {
    Overrides {
        agent: args.agent.clone(),
        jobs: args.jobs,
        max_cost_usd: args.max_cost,
        max_tokens: args.max_tokens,
        record: args.record.as_ref().map(|dir| world.cwd.join(dir)),
        until: args.until.clone(),
        sandbox: SandboxOverrides {
            mode: args.sandbox,
            unsandboxed: if args.allow_unsandboxed { Unsandboxed::Allowed } else { Unsandboxed::Refused },
            share: args.share.iter().map(|path| world.cwd.join(path)).collect(),
        },
        go_on: args.yes,
    }
}

fn sandbox_wish(text: &str) -> Result<SandboxWish, String> {
    SandboxWish::parse(text)
        .ok_or_else(|| "expected `auto`, `bubblewrap`, `namespaces`, `landlock` or `off`".into())
}

/// Errors stop the run; warnings are shown, and the user is asked.
fn refuse_or_ask(world: &World, checked: &CheckedPlan, args: &RunArgs) -> Result<Option<Exit>, CliError> {
    const SHOWN: usize = 20;
    let report = checked.report();
    let errors = checked.has_errors() || checked.runnable.is_none();
    let warnings = report.count(Severity::Warning);
    if errors || warnings > 0 {
        world.tell(&render::human(report.findings, report.sources, &world.err, SHOWN));
        world.tell(&render::summary(&report, &world.err));
    }
    if errors {
        world.tell("the run does not start: fix the errors first (`windlass check` shows them all)\n");
        return Ok(Some(Exit::Findings));
    }
    let goes_on = warnings == 0 || args.yes || args.dry_run || checked.configuration.config.auto_mode;
    if goes_on {
        return Ok(None);
    }
    if !world.can_ask {
        return Err(CliError::usage("the plan has warnings, and there is no terminal to ask on")
            .hint("continue with `--yes`, or set `auto_mode = true` in windlass.toml"));
    }
    if world.ask("Continue in spite of these warnings? [y/N] ")? {
        Ok(None)
    } else {
        Ok(Some(Exit::Findings))
    }
}

/// The tasks that an earlier run has completed.
fn completed(request: &RunRequest) -> Result<BTreeSet<String>, CliError> {
    let journal = request.paths.plan(&request.name).journal();
    let Some(chronicle) = Chronicle::open(&journal)? else { return Ok(BTreeSet::new()) };
    let view = chronicle.view()?;
    let done = view.tasks.iter().filter(|t| t.state == TaskState::Completed);
    Ok(done.map(|t| t.id.to_string()).collect())
}

fn stop_words(level: CancelLevel) -> &'static str {
    match level {
        CancelLevel::Run => "",
        CancelLevel::Stop => "\nstopping cleanly; press Ctrl-C again to stop at once\n",
        CancelLevel::Now => "\nstopping at once\n",
    }
}

fn closing_words(world: &World, end: &RunEnd, view: &View, branch: &str) -> String {
    let counts = view.counts();
    let tally = render::tally(&counts);
    let run = view.run.as_ref();
    let closing = run.and_then(|run| run.closing_failed.as_deref());
    let how = match end {
        RunEnd::Completed => world.out.paint(Paint::Good, "done"),
        RunEnd::Stuck if closing.is_some() => {
            world.out.paint(Paint::Error, "every task is merged, and the closing run failed")
        }
        RunEnd::Stuck => world.out.paint(Paint::Warning, "not everything is done"),
        RunEnd::Interrupted => world.out.paint(Paint::Warning, "interrupted"),
        RunEnd::Cancelled => world.out.paint(Paint::Warning, "cancelled"),
        RunEnd::BudgetSpent => {
            let said = run.and_then(|run| run.budget_spent.as_deref());
            world.out.paint(Paint::Warning, said.unwrap_or("the budget is spent"))
        }
        RunEnd::Broken { message } => world.out.paint(Paint::Error, message),
    };
    let merging_paused = run.and_then(|run| run.merging_paused.as_ref());
    let stopped: Vec<String> = run
        .iter()
        .flat_map(|run| &run.stopped)
        .map(|s| format!("{} is stopped: {}", s.provider, s.reason))
        .collect();
    let next = match end {
        RunEnd::Completed if counts.completed < counts.total => {
            "next: `windlass run` runs the rest, `windlass land` lands what is done".into()
        }
        RunEnd::Completed => format!("next: `git log {branch}`, `windlass show TASK`, `windlass land`"),
        RunEnd::Stuck if merging_paused.is_some() => {
            let reason = merging_paused.map_or("", String::as_str);
            format!("merging is paused: {reason}\nnext: `windlass run` continues once that is done")
        }
        RunEnd::Stuck if !stopped.is_empty() => {
            format!("{}\nnext: `windlass run` continues once that is done", stopped.join("\n"))
        }
        RunEnd::Stuck if closing.is_some() => {
            let remedy = run.and_then(windlass_core::view::RunView::closing_remedy).unwrap_or_default();
            format!("{}\nnext: {remedy}", closing.unwrap_or_default())
        }
        RunEnd::Stuck if run.is_some_and(|run| run.held.is_some()) => {
            "next: change the plan, or continue anyway with `windlass run --yes`".into()
        }
        // What was cancelled waits for nothing but the next run.
        RunEnd::Stuck if view.waits_for_person().is_empty() => "next: `windlass run` goes on".into(),
        RunEnd::Stuck => format!("next: `windlass status`, then {}", verbs(view)),
        RunEnd::BudgetSpent => "next: `windlass run` continues, with a new budget".into(),
        RunEnd::Interrupted | RunEnd::Cancelled | RunEnd::Broken { .. } => {
            "next: `windlass run` continues from here".into()
        }
    };
    format!("\n{how}: {tally}\n{}{next}\n", endings(world, view))
}

/// What may be asked of the tasks that wait for a person: `` `windlass answer TASK`, `retry` or `skip` ``.
fn verbs(view: &View) -> String {
    let mut verbs: Vec<&str> = Vec::new();
    for offer in view.waits_for_person().iter().flat_map(|one| &one.offers) {
        if !verbs.contains(&offer.as_str()) {
            verbs.push(offer.as_str());
        }
    }
    let quoted = |(n, verb): (usize, &&str)| {
        if n == 0 { format!("`windlass {verb} TASK`") } else { format!("`{verb}`") }
    };
    let mut quoted: Vec<String> = verbs.iter().enumerate().map(quoted).collect();
    let Some(last) = quoted.pop() else { return "`windlass run`".into() };
    if quoted.is_empty() { last } else { format!("{} or {last}", quoted.join(", ")) }
}

/// How many tasks that need a person are told in full at the end of a run.
const TOLD: usize = 5;

/// The cause, the evidence and the next step of tasks that failed or are blocked.
fn endings(world: &World, view: &View) -> String {
    let ended = |task| Some((task, Ending::of(task, view.why(task).as_ref())?));
    let all: Vec<(&TaskView, Ending)> = view.tasks.iter().filter_map(ended).collect();
    let mut text = String::new();
    for (task, ending) in all.iter().take(TOLD) {
        text.push_str(&format!("  {} {}\n", task.id, render::words(task.state)));
        text.push_str(&render::ending_lines(ending, 4, &world.out));
    }
    if all.len() > TOLD {
        text.push_str(&format!("  … and {} more; `windlass status` lists them\n", all.len() - TOLD));
    }
    text
}

/// The exit code of a run: failed tasks and tasks that wait for a person differ.
fn exit_of(end: &RunEnd, view: &View) -> Exit {
    match end {
        RunEnd::Completed => Exit::Fine,
        RunEnd::Interrupted | RunEnd::Cancelled => Exit::Interrupted,
        RunEnd::Broken { .. } => Exit::Environment,
        RunEnd::BudgetSpent => Exit::Blocked,
        RunEnd::Stuck => {
            let closing = view.run.as_ref().is_some_and(|run| run.closing_failed.is_some());
            let failed = closing || view.counts().of(TaskState::Failed) > 0;
            if failed { Exit::Findings } else { Exit::Blocked }
        }
    }
}
