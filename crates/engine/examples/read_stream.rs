//! Prints what agents' streams tell: `read_stream FILE…`. For looking at a new version of a program.

use std::path::PathBuf;
use std::process::ExitCode;

use windlass_engine::agent::stream::{LineContent, StreamReader, StreamSummary};

#[expect(clippy::print_stdout, reason = "it is for people")]
fn main() -> ExitCode {
    for path in std::env::args_os().skip(1).map(PathBuf::from) {
        let Ok(bytes) = std::fs::read(&path) else {
            println!("{}: cannot be read", path.display());
            return ExitCode::FAILURE;
        };
        let (mut reader, mut told, mut plain, mut events) =
            (StreamReader::guessing(), StreamSummary::default(), 0, 0);
        let mut take = |content: LineContent<'_>| match content {
            LineContent::Entries(entries) => {
                events += 1;
                for entry in entries {
                    told.take(entry);
                }
            }
            LineContent::Plain(_) | LineContent::TooLong(_) => plain += 1,
        };
        reader.push(&bytes, &mut take);
        reader.finish(&mut take);
        let used = told.conversation.unwrap_or(told.usage);
        println!(
            "{}: {:?} · {events} events, {plain} others · {:?} · {}+{} tokens ({} cached) {:?} · {} tools · {:?} · \
             failed {:?} · trouble {:?} · said {:?} · denied {:?}",
            path.display(),
            reader.kind(),
            told.end,
            used.input_tokens,
            used.output_tokens,
            used.cache_read_tokens,
            used.cost_usd,
            told.tools,
            told.model,
            told.failure,
            told.trouble,
            told.said.as_deref().map(|s| s.chars().take(60).collect::<String>()),
            told.denied,
        );
    }
    ExitCode::SUCCESS
}
