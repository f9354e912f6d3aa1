//! Keeps what a command says: files up to a limit, the end in memory, never more.

use std::path::PathBuf;

/// Where output goes and how much of it is kept.
#[derive(Debug, Clone)]
pub struct Capture {
    /// The directory for the files, made if absent.
    pub dir: PathBuf,
    /// How many bytes each file may hold.
    pub max_bytes: u64,
    /// How many of the last bytes are kept in memory.
    pub tail_bytes: usize,
}

/// What a command said.
#[derive(Debug, Clone, Default)]
pub struct CapturedOutput {
    /// The file with its standard output.
    pub stdout: PathBuf,
    /// The file with its standard error.
    pub stderr: PathBuf,
    /// The file with both in the order of arrival, with a last line that says so if it was cut.
    pub merged: PathBuf,
    /// The last bytes of both.
    pub tail: Vec<u8>,
    /// How many bytes it said in all.
    pub total_bytes: u64,
    /// Whether a file holds less than was said.
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
