//! `windlass logs`: what agents and commands printed, and what they are printing.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;
use windlass_core::event::{Event, Stamped, TaskEvent, TurnEnded};
use windlass_core::ids::{AttemptNo, BlobName, TaskId};
use windlass_engine::chronicle::Chronicle;

use super::completing::task_ids;
use super::live_outputs::{LiveOutputs, outputs_below};
use super::state::{PlanState, StateArgs, is_live, run_state, task_in};
use super::status::is_over;
use super::{CliError, Exit};
use crate::render::{Paint, Screen, Transcript, coloured, cut, harmless, precise};
use crate::world::World;

/// Between two looks.
const TICK: Duration = Duration::from_millis(300);

/// Print what agents and commands of a task said
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LogsArgs {
    /// The task.
    #[arg(value_name = "TASK", add = task_ids())]
    task: String,

    #[command(flatten)]
    state: StateArgs,

    /// Go on printing while the run goes on.
    #[arg(short, long)]
    follow: bool,

    /// Only this attempt; without it, all of them.
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,

    /// What agents printed, byte for byte, instead of what it tells.
    #[arg(long)]
    raw: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass logs T3                 every attempt
  windlass logs T3 -f              and what is being printed now
  windlass logs T3 --attempt 2 --raw > attempt-2.log";

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
        live: LiveOutputs::default(),
        current: None,
        voice: Voice::new(world, args.raw),
        raw: args.raw,
        mid_line: false,
    };
    logs.recorded(&chronicle)?;
    if args.follow {
        logs.follow(&chronicle)?;
    }
    logs.between()?;
    Ok(Exit::Fine)
}

/// Printing, and how far it got.
struct Logs<'a> {
    world: &'a World,
    state: &'a PlanState,
    task: TaskId,
    only: Option<AttemptNo>,
    seq: u64,
    live: LiveOutputs,
    /// The running output that is being printed.
    current: Option<PathBuf>,
    voice: Voice,
    raw: bool,
    mid_line: bool,
}

/// How output is turned into what is printed.
enum Voice {
    /// As it is.
    Raw(Screen),
    /// As it reads.
    Read(Transcript),
}

impl Voice {
    fn new(world: &World, raw: bool) -> Self {
        if raw { Voice::Raw(world.out) } else { Voice::Read(Transcript::new(world.out)) }
    }

    fn push(&mut self, piece: &[u8]) -> String {
        match self {
            Voice::Raw(screen) if screen.colour => coloured(&String::from_utf8_lossy(piece)),
            Voice::Raw(_) => harmless(&String::from_utf8_lossy(piece)),
            Voice::Read(transcript) => transcript.push(piece),
        }
    }

    fn finish(&mut self) -> String {
        match self {
            Voice::Raw(_) => String::new(),
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
        let Some(name) = output.checked() else { return Ok(()) };
        let path = self.state.paths.out().join(name);
        let Ok(mut file) = File::open(&path) else {
            self.head(&format!("attempt {attempt} · {title}"))?;
            return self.world.print("(the output is gone)\n");
        };
        // What was shown while it was written is not shown twice.
        let shown = self.live.recorded(&mut file).map_err(|e| CliError::file("cannot read", &path, &e))?;
        let spoken = matches!(stamped.event, Event::Task { event: TaskEvent::TurnEnded(_), .. });
        if let Some((live, from)) = shown {
            self.switch_to(&live, from, self.raw)?;
            self.rest_of(&mut file, &path, from)?;
            self.between()?;
            return self.head(&format!("that was attempt {attempt} · {title}"));
        }
        self.between()?;
        self.head(&format!("attempt {attempt} · {title}"))?;
        self.voice = Voice::new(self.world, self.raw || !spoken);
        let read = self.rest_of(&mut file, &path, 0)?;
        self.between()?;
        if read == 0 { self.world.print("(no output)\n") } else { Ok(()) }
    }

    /// Prints a file from a place on; how far it got.
    fn rest_of(&mut self, file: &mut File, path: &Path, mut from: u64) -> Result<u64, CliError> {
        let failed = |e: std::io::Error| CliError::file("cannot read", path, &e);
        while let Some(piece) = piece(file, from).map_err(failed)? {
            from += piece.len() as u64;
            self.print(&piece)?;
        }
        Ok(from)
    }

    /// Ends what was being printed.
    fn between(&mut self) -> Result<(), CliError> {
        let last = self.voice.finish();
        self.say(&last)?;
        self.current = None;
        self.end_line()
    }

    /// Goes on with a running output. What comes before `from` was shown; a stream is understood from its beginning.
    fn switch_to(&mut self, live: &Path, from: u64, raw: bool) -> Result<(), CliError> {
        if self.current.as_deref() == Some(live) {
            return Ok(());
        }
        self.between()?;
        self.voice = Voice::new(self.world, raw);
        if let Ok(file) = File::open(live) {
            let mut before = Vec::new();
            let _ = file.take(from).read_to_end(&mut before);
            let _ = self.voice.push(&before);
        }
        self.current = Some(live.to_owned());
        Ok(())
    }

    /// Prints what running processes have written since the last look.
    fn running(&mut self) -> Result<(), CliError> {
        for path in outputs_below(&self.state.paths.live(&self.task)) {
            let Ok(mut file) = File::open(&path) else { continue };
            let Some(mut from) = self.live.unshown(&path, &mut file) else { continue };
            while let Ok(Some(piece)) = piece(&mut file, from) {
                self.switch_to(&path, from, self.raw)?;
                if from == 0 {
                    self.head("running")?;
                }
                from += piece.len() as u64;
                self.live.shown(&path, &piece);
                self.print(&piece)?;
            }
        }
        Ok(())
    }

    fn head(&mut self, title: &str) -> Result<(), CliError> {
        self.end_line()?;
        let title = format!("── {}", cut(title, usize::MAX));
        if self.raw {
            // Standard output is for what was printed, byte for byte: a heading in it could not be told from output.
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

/// The output an event names, with the attempt and a title.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_program_begins_where_headings_do() {
        let text = "a\n\n── attempt 2 · verified\nend";
        assert_eq!(indented(text, false), "  a\n\n  ── attempt 2 · verified\n  end");
        assert_eq!(indented(" of a line\n── x\n", true), " of a line\n  ── x\n");
    }
}
