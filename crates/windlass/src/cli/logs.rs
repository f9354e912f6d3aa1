//! `windlass logs`: what agents and commands printed, and what they are printing.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;
use windlass_core::event::{Event, Stamped, TaskEvent, TurnEnded};
use windlass_core::ids::{AttemptNo, BlobName, TaskId};
use windlass_engine::chronicle::Chronicle;

use super::state::{PlanState, StateArgs, is_live, run_state, task_in};
use super::status::is_over;
use super::{CliError, Exit};
use crate::render::{Paint, Transcript, cut, harmless, precise};
use crate::world::World;

/// Between two looks.
const TICK: Duration = Duration::from_millis(300);
/// How much of the beginning of a running output is kept, to know it again.
const BEGIN: usize = 64 * 1024;

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

    /// What agents printed, byte for byte, instead of what it tells.
    #[arg(long)]
    raw: bool,
}

/// Prints a task's outputs.
pub(crate) fn cmd_logs(world: &World, args: &LogsArgs) -> Result<Exit, CliError> {
    let state = PlanState::find(world, &args.state)?;
    let chronicle = state.run_chronicle()?;
    let task = task_in(&chronicle.view()?, &args.task)?.id.clone();
    let mut logs = Logs {
        world,
        state: &state,
        task,
        only: args.attempt.map(AttemptNo),
        seq: 0,
        live: Live::default(),
        voice: Voice::new(world, args.raw),
        raw: args.raw,
        mid_line: false,
    };
    logs.recorded(&chronicle)?;
    if args.follow {
        logs.follow(&chronicle)?;
    }
    let last = logs.voice.finish();
    logs.say(&last)?;
    logs.end_line()?;
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
    voice: Voice,
    raw: bool,
    mid_line: bool,
}

/// How output is turned into what is printed.
enum Voice {
    /// As it is.
    Raw,
    /// As it reads.
    Read(Transcript),
}

impl Voice {
    fn new(world: &World, raw: bool) -> Self {
        if raw { Voice::Raw } else { Voice::Read(Transcript::new(world.out)) }
    }

    fn push(&mut self, piece: &[u8]) -> String {
        match self {
            Voice::Raw => harmless(&String::from_utf8_lossy(piece)),
            Voice::Read(transcript) => transcript.push(piece),
        }
    }

    fn finish(&mut self) -> String {
        match self {
            Voice::Raw => String::new(),
            Voice::Read(transcript) => transcript.finish(),
        }
    }
}

impl Logs<'_> {
    /// Continues until no run is active.
    fn follow(&mut self, chronicle: &Chronicle) -> Result<(), CliError> {
        loop {
            self.running()?;
            let over = is_over(run_state(chronicle.glance(is_live)?.run.as_ref()));
            self.recorded(chronicle)?;
            if over {
                return Ok(());
            }
            thread::sleep(TICK);
        }
    }

    /// Prints what was recorded since the last look.
    fn recorded(&mut self, chronicle: &Chronicle) -> Result<(), CliError> {
        let mut events = Vec::new();
        self.seq = chronicle.each_of(&self.task, self.seq, |event| {
            if output_of(&event.event).is_some() {
                events.push(event.clone());
            }
        })?;
        events.iter().try_for_each(|event| self.event(event))
    }

    fn event(&mut self, stamped: &Stamped) -> Result<(), CliError> {
        let Some((attempt, title, output)) = output_of(&stamped.event) else { return Ok(()) };
        if self.only.is_some_and(|only| only != attempt) {
            return Ok(());
        }
        self.head(&format!("try {attempt} · {title}"))?;
        let Some(name) = output.checked() else { return Ok(()) };
        let path = self.state.paths.out().join(name);
        let Ok(mut file) = File::open(&path) else { return self.world.print("(the output is gone)\n") };
        let failed = |e: std::io::Error| CliError::file("cannot read", &path, &e);
        // What was shown while it was written is not shown twice.
        let mut from = self.live.shown_of(&mut file).map_err(failed)?;
        if from == 0 {
            let spoken = matches!(stamped.event, Event::Task { event: TaskEvent::TurnEnded(_), .. });
            self.voice = Voice::new(self.world, self.raw || !spoken);
        }
        while let Some(piece) = piece(&mut file, from).map_err(failed)? {
            from += piece.len() as u64;
            self.print(&piece)?;
        }
        let last = self.voice.finish();
        self.say(&last)?;
        if from == 0 { self.world.print("(it said nothing)\n") } else { Ok(()) }
    }

    /// Prints what the running process has written since the last look.
    fn running(&mut self) -> Result<(), CliError> {
        let Some(path) = newest(&self.state.paths.live(&self.task)) else { return Ok(()) };
        let Ok(mut file) = File::open(&path) else { return Ok(()) };
        if self.live.path.as_ref() != Some(&path) {
            self.live = Live { path: Some(path), ..Live::default() };
            self.voice = Voice::new(self.world, self.raw);
        }
        while let Ok(Some(piece)) = piece(&mut file, self.live.shown) {
            if self.live.shown == 0 {
                self.head("running")?;
            }
            self.live.take(&piece);
            self.print(&piece)?;
        }
        Ok(())
    }

    fn head(&mut self, title: &str) -> Result<(), CliError> {
        self.end_line()?;
        let title = format!("── {}", cut(title, usize::MAX));
        if self.raw {
            // Standard output is for what was printed, byte for byte: a heading in it could be anybody's.
            self.world.tell(&format!("{}\n", self.world.err.paint(Paint::Strong, &title)));
            return Ok(());
        }
        self.world.print(&format!("{}\n", self.world.out.paint(Paint::Strong, &title)))
    }

    fn end_line(&mut self) -> Result<(), CliError> {
        if std::mem::take(&mut self.mid_line) { self.world.print("\n") } else { Ok(()) }
    }

    fn print(&mut self, piece: &[u8]) -> Result<(), CliError> {
        let text = self.voice.push(piece);
        self.say(&text)
    }

    fn say(&mut self, text: &str) -> Result<(), CliError> {
        if text.is_empty() {
            return Ok(());
        }
        let text = if self.raw { text.to_owned() } else { indented(text, self.mid_line) };
        self.mid_line = !text.ends_with('\n');
        self.world.print(&text)
    }
}

/// Moves every line to the right: only headings begin at the edge, whatever a program prints.
fn indented(text: &str, mid_line: bool) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for (n, line) in text.split_inclusive('\n').enumerate() {
        if (n > 0 || !mid_line) && line != "\n" {
            out.push_str("  ");
        }
        out.push_str(line);
    }
    out
}

/// How much of a running output was shown, and how it began.
#[derive(Default)]
struct Live {
    path: Option<PathBuf>,
    shown: u64,
    begin: Vec<u8>,
}

impl Live {
    fn take(&mut self, piece: &[u8]) {
        self.shown += piece.len() as u64;
        let room = BEGIN.saturating_sub(self.begin.len()).min(piece.len());
        self.begin.extend_from_slice(&piece[..room]);
    }

    /// How much of a recorded output was shown: all that was, if it begins alike.
    fn shown_of(&mut self, file: &mut File) -> std::io::Result<u64> {
        let live = std::mem::take(self);
        let mut begin = Vec::new();
        (&mut *file).take(live.begin.len() as u64).read_to_end(&mut begin)?;
        Ok(if begin == live.begin { live.shown } else { 0 })
    }
}

/// The output an event names, with the try and a title.
pub(crate) fn output_of(event: &Event) -> Option<(AttemptNo, String, &BlobName)> {
    let Event::Task { event, .. } = event else { return None };
    if let TaskEvent::StepEnded { attempt, action, result, millis, output, .. } = event {
        let result = windlass_core::view::StepState::from(*result).as_str();
        return Some((
            *attempt,
            format!("{} · {result} · {}", action.as_str(), precise(*millis)),
            output.as_ref()?,
        ));
    }
    if let TaskEvent::TurnEnded(TurnEnded { attempt, role, agent, millis, output, .. }) = event {
        return Some((*attempt, format!("{} · {agent} · {}", role.as_str(), precise(*millis)), output));
    }
    if let TaskEvent::AttemptEnded { attempt, end, output, .. } = event {
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
pub(crate) fn newest(dir: &Path) -> Option<PathBuf> {
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

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn no_line_of_a_program_begins_where_headings_do() {
        let text = "a\n\n── try 2 · verified\nend";
        assert_eq!(indented(text, false), "  a\n\n  ── try 2 · verified\n  end");
        assert_eq!(indented(" of a line\n── x\n", true), " of a line\n  ── x\n");
    }

    #[test]
    fn what_was_shown_is_known_again() {
        let shown_of = |shown: &str, recorded: &str| {
            let mut live = Live::default();
            live.take(shown.as_bytes());
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(recorded.as_bytes()).unwrap();
            file.seek(SeekFrom::Start(0)).unwrap();
            let known = live.shown_of(&mut file).unwrap();
            assert_eq!(live.shown, 0, "the next output begins anew");
            known
        };
        assert_eq!(shown_of("half", "half a line"), 4);
        assert_eq!(shown_of("half", "something else"), 0);
        assert_eq!(shown_of("half", "ha"), 0);
        assert_eq!(shown_of("", "all of it"), 0);
    }
}
