//! The answer of a tool: as much text as an agent wants to read at once, and the way to the rest.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use windlass_planner::tokens::estimate;

use crate::cli::CliError;
use crate::job::BackgroundJob;
use crate::render::Screen;

/// The most tokens of an answer; its last line is extra.
const TOKENS: usize = 1900;
/// The most that is read of an output at once.
const BYTES: u64 = 16 << 10;
/// How long a command is waited for. Clients give up after a minute, and people before that.
const PATIENCE: Duration = Duration::from_millis(1500);

/// How long an answer that began at this moment may still wait.
pub(super) fn patience_left(begun: Instant) -> Duration {
    PATIENCE.saturating_sub(begun.elapsed())
}

/// What a tool answers.
#[derive(Debug)]
pub(super) struct ToolAnswer {
    text: String,
    is_error: bool,
}

impl ToolAnswer {
    /// Said in words.
    pub(super) fn said(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_error: false }
    }

    /// An error as the command line words it.
    pub(super) fn refused(error: &CliError) -> Self {
        let plain = Screen { terminal: false, colour: false, width: 100 };
        Self { text: cut(&error.render(&plain)).to_owned(), is_error: true }
    }

    /// What a job printed that was started at this moment, and how it ended.
    pub(super) fn after(begun: Instant, job: &BackgroundJob) -> Result<Self, CliError> {
        Self::printed(job, 0, patience_left(begun))
    }

    /// What a job printed from a byte on, and how it ended.
    pub(super) fn of_job(job: &BackgroundJob, offset: u64) -> Result<Self, CliError> {
        Self::printed(job, offset, PATIENCE)
    }

    fn printed(job: &BackgroundJob, offset: u64, patience: Duration) -> Result<Self, CliError> {
        let exit = job.wait(patience);
        let path = job.output();
        let failed = |e: &std::io::Error| CliError::file("cannot read", &path, e);
        let mut file = File::open(&path).map_err(|e| failed(&e))?;
        let all = file.metadata().map_err(|e| failed(&e))?.len();
        file.seek(SeekFrom::Start(offset)).map_err(|e| failed(&e))?;
        let mut bytes = Vec::new();
        file.take(BYTES).read_to_end(&mut bytes).map_err(|e| failed(&e))?;
        // The output of a job that is over may end inside a character: nothing completes it.
        let is_last = exit.is_some() && offset + bytes.len() as u64 >= all;
        let read = if is_last { &bytes[..] } else { whole_characters(&bytes) };
        let text = String::from_utf8_lossy(read);
        let piece = cut(&text);
        let mut said = piece.to_owned();
        let is_whole = piece.len() == text.len();
        let until = offset + if is_whole { read.len() } else { piece.len().min(read.len()) } as u64;
        if !said.is_empty() && !said.ends_with('\n') {
            said.push('\n');
        }
        let id = &job.id;
        match exit {
            _ if until < all => said.push_str(&format!(
                "[{until} of {all} bytes; status {{\"job\": \"{id}\", \"offset\": {until}}} goes on]"
            )),
            None => said.push_str(&format!(
                "[at work as {id}, whether this client stays or not; status {{\"job\": \"{id}\", \"offset\": {until}}} looks again]"
            )),
            Some(0) => {}
            Some(code) => said.push_str(&format!("[exit code {code}: {}]", meaning(code))),
        }
        Ok(Self { text: said, is_error: matches!(exit, Some(code) if code != 0 && code != 3) })
    }

    /// Adds a line.
    pub(super) fn and(mut self, line: &str) -> Self {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self
    }

    /// As the protocol wants it.
    pub(super) fn content(&self) -> Value {
        json!({ "content": [{ "type": "text", "text": self.text }], "isError": self.is_error })
    }
}

/// The words of an exit code, as `windlass --help` has them.
fn meaning(code: i32) -> &'static str {
    match code {
        1 => "findings or failed tasks",
        2 => "usage or unreadable input",
        3 => "a person is needed",
        130 => "interrupted",
        _ => "the environment lacks something",
    }
}

/// The bytes without a character that is cut at their end: the next answer begins with it.
pub(super) fn whole_characters(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        Ok(_) | Err(_) => bytes,
    }
}

/// The beginning of a text that is no more than an answer may have, ended at a line where there is one.
pub(super) fn cut(text: &str) -> &str {
    let mut end = text.len();
    while estimate(&text[..end]) > TOKENS {
        end = text.floor_char_boundary(end * 9 / 10);
    }
    if end < text.len() {
        end = text[..end].rfind('\n').map_or(end, |at| at + 1);
    }
    &text[..end]
}
