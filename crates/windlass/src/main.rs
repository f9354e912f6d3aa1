//! The program: reads the command line, looks around, does what was asked, says how it went.

mod cli;
mod config;
mod input;
mod installed;
mod render;
mod running;
mod world;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main().into()
}
