//! The program: reads the command line, looks around, does what was asked, says how it went.

mod cli;
mod config;
mod input;
mod installed;
mod render;
mod running;
mod world;

use std::process::ExitCode;

/// A large plan is hundreds of thousands of small texts: this halves what they cost, most of it in the kernel.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A second start of this program, to fence itself in and become another: before anything that could start a thread.
    if let Some(code) = windlass_engine::sandbox::confine(std::env::args_os().skip(1)) {
        return code;
    }
    cli::main().into()
}
