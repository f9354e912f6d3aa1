//! Captures the output of a command: files up to a limit and the tail in memory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::oneshot;

use super::mask::Mask;
use super::masker::Masker;
use super::run::Listener;

/// Where output goes and how much of it is kept.
#[derive(Debug, Clone)]
pub struct Capture {
    /// The directory of the files, created if absent. Each command gets names of its own in it.
    pub dir: PathBuf,
    /// How many bytes each file may hold.
    pub max_bytes: u64,
    /// How many of the last bytes are kept in memory.
    pub tail_bytes: usize,
}

impl Capture {
    /// A new file among those of the commands, for output without a command.
    pub(crate) fn next_file(&self) -> io::Result<(PathBuf, File)> {
        fs::create_dir_all(&self.dir)?;
        let (number, file) = first_free(&self.dir)?;
        Ok((self.dir.join(format!("{number}.merged")), file))
    }
}

/// The output of a command.
#[derive(Debug, Clone, Default)]
pub struct CapturedOutput {
    /// The file with its standard output.
    pub stdout: PathBuf,
    /// The file with its standard error.
    pub stderr: PathBuf,
    /// The file with both in order of arrival; its last line says so if it was cut. None if there is no output, because nothing ran.
    pub merged: Option<PathBuf>,
    /// The last bytes of both.
    pub tail: Vec<u8>,
    /// The number of bytes it wrote.
    pub total_bytes: u64,
    /// Whether a file was cut.
    pub truncated: bool,
    /// Why a file could not be written, if so.
    pub write_error: Option<String>,
}

impl CapturedOutput {
    /// The last bytes as text.
    pub fn tail_text(&self) -> String {
        String::from_utf8_lossy(&self.tail).into_owned()
    }
}

/// How much is read at a time. Every running command has two such buffers.
const CHUNK: usize = 8 << 10;

/// The time of the last output, in milliseconds since the start.
#[derive(Debug, Clone)]
pub(super) struct Activity {
    start: Instant,
    last: Arc<AtomicU64>,
}

impl Activity {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), last: Arc::default() }
    }

    fn note(&self) {
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last.store(now, Ordering::Relaxed);
    }

    pub(super) fn last(&self) -> Instant {
        self.start + std::time::Duration::from_millis(self.last.load(Ordering::Relaxed))
    }
}

/// Writes what arrives.
pub(super) struct Recorder {
    files: [CaptureFile; 3],
    output: CapturedOutput,
    max_bytes: u64,
    tail_bytes: usize,
    activity: Activity,
    /// One masker per stream.
    masks: [Masker; 2],
    /// The line of each stream that has not ended yet; it is in the stream's own file and not in the merged one.
    open_lines: [Vec<u8>; 2],
    /// Whether a stream is in a line that became too long to be held.
    in_long_line: [bool; 2],
}

/// A line that becomes longer than this is merged in pieces.
const OPEN_LINE: usize = 64 << 10;

/// One file and how much is in it.
struct CaptureFile {
    file: File,
    written: u64,
}

const MERGED: usize = 2;

impl Recorder {
    /// Creates the three files under an unused number, which the merged one takes: a program that was killed while it removed
    /// such files may have left another of that number. Masked values are not written.
    pub(super) fn create(capture: &Capture, mask: Mask, activity: Activity) -> io::Result<Self> {
        fs::create_dir_all(&capture.dir)?;
        let (number, merged) = first_free(&capture.dir)?;
        let path = |kind: &str| capture.dir.join(format!("{number}.{kind}"));
        let output = CapturedOutput {
            stdout: path("stdout"),
            stderr: path("stderr"),
            merged: Some(path("merged")),
            ..CapturedOutput::default()
        };
        let files = [create_anew(&output.stdout)?, create_anew(&output.stderr)?, merged];
        let files = files.map(|file| CaptureFile { file, written: 0 });
        let masks = [Masker::new(mask.clone()), Masker::new(mask)];
        let (max_bytes, tail_bytes) = (capture.max_bytes, capture.tail_bytes);
        let (open_lines, in_long_line) = ([Vec::new(), Vec::new()], [false; 2]);
        Ok(Self { files, output, max_bytes, tail_bytes, activity, masks, open_lines, in_long_line })
    }

    /// Reads both streams to their ends, or until told to stop because a process keeps them open.
    pub(super) async fn drain(
        mut self,
        mut stdout: impl AsyncRead + Unpin,
        mut stderr: impl AsyncRead + Unpin,
        mut stop: oneshot::Receiver<()>,
        mut listener: Listener,
    ) -> CapturedOutput {
        let mut buffers = [vec![0; CHUNK], vec![0; CHUNK]];
        let mut open = [true, true];
        let [from_stdout, from_stderr] = &mut buffers;
        while open != [false, false] {
            tokio::select! {
                read = stdout.read(from_stdout), if open[0] => {
                    // Heard before it is written: on a slow disk an agent would go on beyond its limit meanwhile.
                    if let Ok(count @ 1..) = read {
                        listener(&from_stdout[..count]);
                    }
                    open[0] = self.arrived(0, from_stdout, &read);
                }
                read = stderr.read(from_stderr), if open[1] => open[1] = self.arrived(1, from_stderr, &read),
                _ = &mut stop => break,
            }
        }
        self.finish()
    }

    /// Takes what one read gave; `false` at the end of the stream.
    fn arrived(&mut self, stream: usize, buffer: &[u8], read: &io::Result<usize>) -> bool {
        let Ok(count @ 1..) = *read else { return false };
        self.activity.note();
        self.output.total_bytes += count as u64;
        let bytes = self.masks[stream].push(&buffer[..count]);
        self.keep(stream, &bytes);
        true
    }

    /// Writes masked bytes of one stream. They are merged by whole lines: a line that the other stream breaks in two, such as a
    /// result between the parts of a warning, cannot be read any more.
    fn keep(&mut self, stream: usize, bytes: &[u8]) {
        self.write(stream, bytes);
        let line = &mut self.open_lines[stream];
        let before = line.len();
        line.extend_from_slice(bytes);
        let end = memchr::memrchr(b'\n', bytes).map(|at| before + at + 1);
        let is_long = line.len() > OPEN_LINE || (end.is_none() && self.in_long_line[stream]);
        let ready = end.unwrap_or(if is_long { line.len() } else { 0 });
        self.in_long_line[stream] = end.is_none() && is_long;
        let rest = line.split_off(ready);
        let whole = std::mem::replace(line, rest);
        self.merge(&whole);
    }

    fn merge(&mut self, bytes: &[u8]) {
        self.keep_tail(bytes);
        self.write(MERGED, bytes);
    }

    /// Writes synchronously: at most one chunk, into the page cache.
    fn write(&mut self, file: usize, bytes: &[u8]) {
        let sink = &mut self.files[file];
        let room = usize::try_from(self.max_bytes.saturating_sub(sink.written)).unwrap_or(usize::MAX);
        let part = &bytes[..bytes.len().min(room)];
        self.output.truncated |= part.len() < bytes.len();
        match sink.file.write_all(part) {
            Ok(()) => sink.written += part.len() as u64,
            Err(error) => {
                // Reading continues: a command must not hang because our disk is full.
                sink.written = self.max_bytes;
                self.output.truncated = true;
                self.output.write_error.get_or_insert_with(|| error.to_string());
            }
        }
    }

    fn keep_tail(&mut self, bytes: &[u8]) {
        let tail = &mut self.output.tail;
        tail.extend_from_slice(bytes);
        // Trimmed rarely, so that each byte is moved a bounded number of times.
        if tail.len() > 2 * self.tail_bytes.max(CHUNK) {
            tail.drain(..tail.len() - self.tail_bytes);
        }
    }

    /// Closes the files.
    pub(super) fn finish(mut self) -> CapturedOutput {
        for stream in [0, 1] {
            let rest = self.masks[stream].finish();
            self.keep(stream, &rest);
        }
        let [mut last, other] = std::mem::take(&mut self.open_lines);
        if !last.is_empty() && !other.is_empty() {
            last.push(b'\n');
        }
        self.merge(&last);
        self.merge(&other);
        let excess = self.output.tail.len().saturating_sub(self.tail_bytes);
        self.output.tail.drain(..excess);
        if self.output.truncated {
            let mark = format!(
                "\n[output cut: {} of {} bytes kept]\n",
                self.files[MERGED].written, self.output.total_bytes
            );
            // On a full disk only the flag remains.
            let _ = self.files[MERGED].file.write_all(mark.as_bytes());
        }
        self.output
    }
}

/// Creates the first free merged file, starting at a number near the last one.
fn first_free(dir: &Path) -> io::Result<(usize, File)> {
    let mut number = fs::read_dir(dir)?.count() / 3 + 1;
    loop {
        match create(&dir.join(format!("{number}.merged"))) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            other => return other.map(|file| (number, file)),
        }
    }
}

fn create_anew(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
}

fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests;
