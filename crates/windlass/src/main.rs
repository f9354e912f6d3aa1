//! The program: reads the command line and runs the command.

mod attest;
mod base64;
mod cli;
mod config;
mod forge;
mod input;
mod installed;
mod job;
mod live;
#[cfg(feature = "mcp")]
mod mcp;
mod notify;
mod render;
mod running;
mod skill;
mod telemetry;
mod trust;
#[cfg(feature = "tui")]
mod tui;
#[cfg(feature = "web")]
mod web;
mod world;

use std::process::ExitCode;

/// A large plan is hundreds of thousands of small strings: this allocator halves their cost, most of it in the kernel. It must not
/// ask for huge pages (feature `no_thp`): every thread would take two megabytes and more.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // The sandbox helper is this program started again. It must run before anything starts a thread.
    if let Some(code) = windlass_engine::sandbox::confine(std::env::args_os().skip(1)) {
        return code;
    }
    // So is the client of an agent that speaks the Agent Client Protocol.
    if let Some(code) = windlass_engine::agent::acp::client_main(std::env::args_os().skip(1)) {
        return code;
    }
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|first| first == job::KEEPER) {
        let rest: Vec<_> = args.collect();
        let code = std::env::current_exe().map_or(4, |program| job::keep(&program, &rest));
        return ExitCode::from(u8::try_from(code).unwrap_or(1));
    }
    cli::main().into()
}
