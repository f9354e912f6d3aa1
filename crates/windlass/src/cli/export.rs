//! `windlass export`: a plan in another format, with what the journal knows of it.

use std::path::{Path, PathBuf};

use clap::Args;
use windlass_core::diagnostic::{Diagnostic, Severity};
use windlass_core::plan::Plan;
use windlass_formats::{Dialect, RunFacts, SignalledTasks, TextFile};

use super::checked::{PlanSelection, findings_of};
use super::known::{known_log, known_view, rfc3339, state_in};
use super::writing::{Overwrite, write_files};
use super::{CliError, Exit};
use crate::config::Config;
use crate::input::{Configuration, PlanTarget, ReadPlan, find_plan, read_plan};
use crate::render::counted;
use crate::world::World;

/// Write a plan in another format, with progress from the journal
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    plan: PlanSelection,

    /// The format: native, zerg, homerun, ccw, superplanner, contract, taskmaster, speckit, or json.
    #[arg(long, value_name = "FORMAT")]
    to: To,

    /// Print it instead of writing files.
    #[arg(long, conflicts_with = "output")]
    stdout: bool,

    /// Where to write: a folder, or a file if the format has only one.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// With `--to homerun`: a Markdown file for each task in `docs/tasks` instead of one `docs/tasks.json`.
    #[arg(long)]
    task_files: bool,

    /// Overwrite files that exist. A plan in the same format is written over itself without it.
    #[arg(long)]
    force: bool,

    /// Answer as homerun's planner does: print the signal PLANNING_COMPLETE once the files are written. Nothing is
    /// written or printed while the plan has an error.
    #[arg(long, requires = "output")]
    signal: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass export --to taskmaster --stdout
  windlass export plans/shop --to zerg --output .zerg";

/// What a plan is written as.
#[derive(Debug, Clone, Copy)]
enum To {
    Json,
    Dialect(Dialect),
}

impl std::str::FromStr for To {
    type Err = windlass_formats::UnknownDialect;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "json" { Ok(To::Json) } else { text.parse().map(To::Dialect) }
    }
}

/// Exports a plan.
pub(crate) fn cmd_export(world: &World, args: &ExportArgs) -> Result<Exit, CliError> {
    let configuration = Configuration::find(world)?;
    let target = find_plan(world, &configuration, args.plan.plan.as_deref())?;
    let ReadPlan { loaded, dialect } = read_plan(world, &target, args.plan.from)?;
    let plan = loaded.plan;
    let files = match args.to {
        To::Json => {
            let text = serde_json::to_string_pretty(&windlass_formats::plan_json(&plan))? + "\n";
            vec![TextFile { path: format!("{}.json", plan.name), bytes: text.into_bytes() }]
        }
        To::Dialect(Dialect::Homerun) if args.task_files => {
            let view = known_view(world, &plan.name)?;
            windlass_formats::write_task_files(&plan, &|id| state_in(&view, id))
        }
        To::Dialect(_) if args.task_files => {
            return Err(CliError::usage("`--task-files` is homerun's: it needs `--to homerun`"));
        }
        To::Dialect(to) => in_format(world, &plan, to, &configuration.config)?,
    };
    let signal = || signal(world, &plan, args.to, &files, &configuration.config, signalled(args.task_files));
    let signal = args.signal.then(signal).transpose()?;
    let Some(path) = &args.output else {
        print(world, &files)?;
        return Ok(Exit::Fine);
    };
    let path = world.cwd.join(path);
    // A plan that is written over itself keeps what it says and gains how far it has come.
    let own = matches!(args.to, To::Dialect(to) if to == dialect) && is_own_place(&target, &path, &files);
    let overwrite = if args.force || own { Overwrite::Yes } else { Overwrite::No };
    let written = write_files(world, &path, &files, overwrite)?;
    if let Some(signal) = signal {
        world.print(&format!("{signal:#}\n"))?;
    } else {
        let lines: String = written.iter().map(|path| format!("wrote {}\n", world.shown(path))).collect();
        world.print(&lines)?;
    }
    Ok(Exit::Fine)
}

/// Whether files that are written below a folder replace the plan they come from.
fn is_own_place(target: &PlanTarget, folder: &Path, files: &[TextFile]) -> bool {
    let PlanTarget::Path(plan) = target else { return false };
    let same = |path: &Path| matches!((path.canonicalize(), plan.canonicalize()), (Ok(a), Ok(b)) if a == b);
    same(folder) || files.iter().any(|file| same(&folder.join(&file.path)))
}

/// The plan's files in a format, with progress, time and log.
fn in_format(world: &World, plan: &Plan, to: Dialect, config: &Config) -> Result<Vec<TextFile>, CliError> {
    let view = known_view(world, &plan.name)?;
    let log = if to == Dialect::Homerun { known_log(world, &plan.name)? } else { Vec::new() };
    let known = RunFacts { states: &|id| state_in(&view, id), now: &rfc3339(world.now()), log: &log };
    let mut files = windlass_formats::write_known(to, plan, &known);
    if to == Dialect::Ccw && files.len() > 1 {
        let found = findings_of(&files, to, config);
        files.push(windlass_formats::tdd_warnings_log(&files, &red_flag_lines(&found)));
    }
    Ok(files)
}

/// The findings that a session's log of warnings holds.
pub(crate) fn red_flag_lines(found: &[Diagnostic]) -> Vec<String> {
    let worth = found.iter().filter(|f| f.severity > Severity::Note);
    worth.map(|f| format!("[{}] {}", f.code, f.message)).collect()
}

/// The form that `--task-files` asks for.
pub(super) fn signalled(task_files: bool) -> SignalledTasks {
    if task_files { SignalledTasks::ManyFiles } else { SignalledTasks::OneFile }
}

/// The signal that ends planning; the findings that stand against it otherwise.
fn signal(
    world: &World,
    plan: &Plan,
    to: To,
    files: &[TextFile],
    config: &Config,
    tasks: SignalledTasks,
) -> Result<serde_json::Value, CliError> {
    if !matches!(to, To::Dialect(Dialect::Homerun)) {
        return Err(CliError::usage("`--signal` is homerun's: it needs `--to homerun`"));
    }
    let found = findings_of(files, Dialect::Homerun, config);
    let errors: Vec<Diagnostic> = found.into_iter().filter(|f| f.severity == Severity::Error).collect();
    windlass_formats::planning_complete(plan, errors.len(), tasks).ok_or_else(|| {
        let lines: String = errors.iter().map(|e| format!("{}: {}\n", e.code, e.message)).collect();
        world.tell(&lines);
        let n = counted(errors.len(), "error");
        CliError::findings(format!("PLANNING_COMPLETE is not given: homerun's rules find {n}"))
            .hint("`windlass check --profile homerun` shows them in place")
    })
}

/// Prints the one file; several cannot be told apart on one stream.
fn print(world: &World, files: &[TextFile]) -> Result<(), CliError> {
    match files {
        [only] => world.print(&String::from_utf8_lossy(&only.bytes)),
        [] => Err(CliError::usage("this format cannot be written")),
        several => Err(CliError::usage(format!("this format is a folder of {} files", several.len()))
            .hint("say where to write it: `-o FOLDER`")),
    }
}
