//! Any agent that speaks the Agent Client Protocol, over its standard input and output.
//!
//! The client is this program started again, inside the sandbox of the turn and beside the agent: whatever an agent asks its
//! client to do happens where the agent itself could have done it, and never outside. The client puts the brief to the
//! agent, answers its requests by the turn's permission, and prints what happens, a JSON object a line; the stream is read as that of any
//! other program ([`crate::agent::stream`]).

mod client;
mod files;
mod permission;
mod session;
mod terminals;
mod wire;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

pub use client::AcpRequest;
use serde_json::json;

/// The word by which the program knows that it is to be the client.
pub const CLIENT: &str = "acp-client";

/// Runs as the client, if the arguments say so. The brief is on standard input.
pub fn client_main(mut args: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    if args.next()? != CLIENT {
        return None;
    }
    let read = args.next().and_then(|text| serde_json::from_str(text.to_str()?).ok());
    let Some(request): Option<AcpRequest> = read else {
        client::tell(&json!({ "acp": "gone", "message": "the request cannot be read" }));
        return Some(ExitCode::from(2));
    };
    let brief = io::read_to_string(io::stdin()).unwrap_or_default();
    Some(client::take_turn(&request, &brief))
}

#[cfg(test)]
mod tests;
