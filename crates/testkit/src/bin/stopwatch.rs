//! Notes when a program starts and ends, and is otherwise not there: what a turn costs besides its program is measured
//! with it. It stands in the first line of a script whose second line is the program:
//!
//! ```text
//! #! /path/to/stopwatch /path/to/notes
//! /path/to/program
//! ```
//!
//! Appends two lines to the notes, in nanoseconds since the Unix epoch.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitCode};
use std::time::{SystemTime, UNIX_EPOCH};

fn main() -> io::Result<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    let missing = || io::Error::new(io::ErrorKind::InvalidInput, "usage: stopwatch NOTES SCRIPT [ARGUMENT…]");
    let (notes, script) = (args.next().ok_or_else(missing)?, args.next().ok_or_else(missing)?);
    let text = std::fs::read_to_string(script)?;
    let program = text.lines().nth(1).ok_or_else(missing)?;
    let mut notes = OpenOptions::new().append(true).open(notes)?;
    let began = now();
    let status = Command::new(program).args(args).status()?;
    let ended = now();
    writeln!(notes, "{began}\n{ended}")?;
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)))
}

fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_nanos()).unwrap_or_default()
}
