//! The program: reads the command line and runs the command.

mod cli;
mod config;
mod input;
mod installed;
mod live;
mod notify;
mod render;
mod running;
mod trust;
#[cfg(feature = "tui")]
mod tui;
#[cfg(feature = "web")]
mod web;
mod world;

use std::process::ExitCode;

/// A large plan is hundreds of thousands of small strings: this allocator halves their cost, most of it in the kernel.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // The sandbox helper is this program started again. It must run before anything starts a thread.
    if let Some(code) = windlass_engine::sandbox::confine(std::env::args_os().skip(1)) {
        return code;
    }
    cli::main().into()
}
