//! `windlass logs`: what agents and commands printed, and what they are printing.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;
use windlass_core::event::{Event, Stamped};
use windlass_core::ids::{AttemptNo, BlobName, TaskId};
use windlass_core::view::RunState;
use windlass_engine::chronicle::Chronicle;

use super::state::{PlanState, StateArgs, run_state, task_in};
use super::{CliError, Exit};
use crate::render::{Paint, time};
use crate::world::World;

/// Between two looks.
const TICK: Duration = Duration::from_millis(300);
/// Events read at once.
const PIECE: usize = 4096;

/// Print what agents and commands of a task said
#[derive(Debug, Args)]
pub(crate) struct LogsArgs {
    /// The task.
    #[arg(value_name = "TASK")]
    task: String,

    #[command(flatten)]
    state: StateArgs,

    /// Go on printing while the run goes on.
    #[arg(short, long)]
    follow: bool,

    /// Only this try; without it, all of them.
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,
}

/// Prints a task's outputs.
pub(crate) fn cmd_logs(world: &World, args: &LogsArgs) -> Result<Exit, CliError> {
    let state = PlanState::find(world, &args.state)?;
    let chronicle = state.run_chronicle()?;
    let task = task_in(&chronicle.view()?, &args.task)?.id.clone();
    let mut logs =
        Logs { world, state: &state, task, only: args.attempt.map(AttemptNo), seq: 0, live: Live::default() };
    logs.recorded(&chronicle)?;
    while args.follow {
        logs.running()?;
        let over = match run_state(chronicle.glance()?.run.as_ref()) {
            RunState::Running | RunState::Paused => false,
            RunState::New
            | RunState::Completed
            | RunState::Stuck
            | RunState::Interrupted
            | RunState::Cancelled
            | RunState::BudgetSpent
            | RunState::Broken
            | RunState::Lost => true,
        };
        logs.recorded(&chronicle)?;
        if over {
            break;
        }
        thread::sleep(TICK);
    }
    Ok(Exit::Fine)
}

/// Printing, and how far it got.
struct Logs<'a> {
    world: &'a World,
    state: &'a PlanState,
    task: TaskId,
    only: Option<AttemptNo>,
    seq: u64,
    live: Live,
}

impl Logs<'_> {
    /// Prints what was recorded since the last look.
    fn recorded(&mut self, chronicle: &Chronicle) -> Result<(), CliError> {
        loop {
            let events = chronicle.events_after(self.seq, PIECE)?;
            for stamped in &events {
                self.seq = stamped.seq;
                if stamped.event.task() == Some(&self.task) {
                    self.event(stamped)?;
                }
            }
            if events.len() < PIECE {
                return Ok(());
            }
        }
    }

    fn event(&mut self, stamped: &Stamped) -> Result<(), CliError> {
        let Some((attempt, title, output)) = output_of(&stamped.event) else { return Ok(()) };
        if self.only.is_some_and(|only| only != attempt) {
            return Ok(());
        }
        let head = format!("── try {attempt} · {title}");
        self.world.print(&format!("{}\n", self.world.out.paint(Paint::Strong, &head)))?;
        // What was already shown while it was written is not shown twice.
        let shown = self.live.forget();
        self.print_from(&self.state.paths.out(), output, shown)
    }

    fn print_from(&self, store: &Path, output: &BlobName, shown: u64) -> Result<(), CliError> {
        let Some(name) = output.checked() else { return Ok(()) };
        let path = store.join(name);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) => return self.world.print(&format!("(the output is gone: {error})\n")),
        };
        let mut from = shown;
        while let Some(piece) =
            piece(&mut file, from).map_err(|e| CliError::file("cannot read", &path, &e))?
        {
            from += piece.len() as u64;
            self.world.print(&harmless(&piece))?;
        }
        Ok(())
    }

    /// Prints what the running process has written since the last look.
    fn running(&mut self) -> Result<(), CliError> {
        let Some(path) = newest(&self.state.paths.live(&self.task)) else { return Ok(()) };
        let Ok(mut file) = File::open(&path) else { return Ok(()) };
        let mut from = self.live.seen(&path);
        while let Ok(Some(piece)) = piece(&mut file, from) {
            from += piece.len() as u64;
            self.world.print(&harmless(&piece))?;
        }
        self.live.saw(path, from);
        Ok(())
    }
}

/// How much of each running output was shown.
#[derive(Default)]
struct Live {
    shown: HashMap<PathBuf, u64>,
    last: Option<PathBuf>,
}

impl Live {
    fn seen(&self, path: &Path) -> u64 {
        self.shown.get(path).copied().unwrap_or(0)
    }

    fn saw(&mut self, path: PathBuf, bytes: u64) {
        self.shown.insert(path.clone(), bytes);
        self.last = Some(path);
    }

    /// How much of the output that has just been recorded was shown.
    fn forget(&mut self) -> u64 {
        self.last.take().map_or(0, |path| self.seen(&path))
    }
}

/// The output an event names, with the try and a title.
fn output_of(event: &Event) -> Option<(AttemptNo, String, &BlobName)> {
    let took = |millis: u64| time(i64::try_from(millis).unwrap_or(i64::MAX));
    if let Event::StepEnded { attempt, action, result, millis, output, .. } = event {
        let result = windlass_core::view::StepState::from(*result).as_str();
        return Some((
            *attempt,
            format!("{} · {result} · {}", action.as_str(), took(*millis)),
            output.as_ref()?,
        ));
    }
    if let Event::TurnEnded { attempt, role, agent, millis, output, .. } = event {
        return Some((*attempt, format!("{} · {agent} · {}", role.as_str(), took(*millis)), output));
    }
    if let Event::AttemptEnded { attempt, end, output, .. } = event {
        let end = match end {
            windlass_core::event::AttemptEnd::Failed { failure } => failure.summary(),
            windlass_core::event::AttemptEnd::Interrupted => "interrupted".into(),
            windlass_core::event::AttemptEnd::Lost => "lost".into(),
        };
        return Some((*attempt, end, output.as_ref()?));
    }
    None
}

/// The next piece of a file; `None` at its end.
fn piece(file: &mut File, from: u64) -> std::io::Result<Option<Vec<u8>>> {
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(64 * 1024).read_to_end(&mut bytes)?;
    Ok((!bytes.is_empty()).then_some(bytes))
}

/// The newest output file below a directory.
fn newest(dir: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(dir).ok()?.flatten();
    let dated = |entry: fs::DirEntry| {
        let path = entry.path();
        let path = if path.is_dir() { newest(&path)? } else { path };
        let wanted = path.extension().is_some_and(|e| e == "merged");
        let modified = fs::metadata(&path).ok()?.modified().ok()?;
        wanted.then_some((modified, path))
    };
    entries.filter_map(dated).max().map(|(_, path)| path)
}

/// Output as it may be shown: lines and tabs stay, what would command the terminal does not.
fn harmless(bytes: &[u8]) -> String {
    let keep = |c: char| c == '\n' || c == '\t' || !c.is_control();
    String::from_utf8_lossy(bytes).chars().filter(|c| keep(*c)).collect()
}
