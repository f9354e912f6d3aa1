//! Every kind of stream, whole and broken. The samples in `streams/` were written for this, in the shapes that the
//! programs print.

use std::path::Path;

use windlass_engine::agent::cli::CliKind;
use windlass_engine::agent::stream::{Entry, Heard, Outcome, StreamReader, Told};

/// Every sample: its name, whose it is, its bytes.
fn samples() -> Vec<(String, CliKind, Vec<u8>)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clis/streams");
    let mut all: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    let sample = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let kind = CliKind::parse(name.split('-').next().unwrap()).unwrap();
        (name, kind, std::fs::read(path).unwrap())
    };
    all.into_iter().map(sample).collect()
}

fn told(mut reader: StreamReader, pieces: &[&[u8]]) -> Told {
    let mut told = Told::default();
    let mut take = |heard: Heard<'_>| {
        let Heard::Entries(entries) = heard else { return };
        entries.into_iter().for_each(|entry| told.take(entry));
    };
    for piece in pieces {
        reader.push(piece, &mut take);
    }
    reader.finish(&mut take);
    told
}

/// What a sample tells, in a few lines.
fn facts(name: &str, told: &Told) -> String {
    let usage = told.conversation.unwrap_or(told.usage);
    let money = usage.cost_usd.map(|usd| format!(" ${usd:.4}")).unwrap_or_default();
    let mut text = format!(
        "{name}: {:?}, {}+{} tokens ({} cached){money}, {} tools, {}",
        told.end,
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        told.tools,
        told.model.as_deref().unwrap_or("no model"),
    );
    for (what, fact) in [("failed", &told.failure), ("trouble", &told.trouble)] {
        if let Some((problem, message)) = fact {
            text.push_str(&format!("\n  {what}: {problem:?}: {message}"));
        }
    }
    if let Some(said) = &told.said {
        text.push_str(&format!("\n  said: {said:?}"));
    }
    for denied in &told.denied {
        text.push_str(&format!("\n  denied: {denied}"));
    }
    text
}

#[test]
fn every_sample_tells_what_it_is_about() {
    let text: Vec<String> = samples()
        .iter()
        .map(|(name, kind, bytes)| facts(name, &told(StreamReader::new(*kind), &[bytes])))
        .collect();
    insta::assert_snapshot!(text.join("\n"), @"");
}

#[test]
fn a_stream_says_whose_it_is() {
    for (name, kind, bytes) in samples() {
        let mut reader = StreamReader::guessing();
        reader.push(&bytes, &mut |_| {});
        assert_eq!(reader.kind(), Some(kind), "{name}");
        assert_eq!(
            told(StreamReader::guessing(), &[&bytes]),
            told(StreamReader::new(kind), &[&bytes]),
            "{name}"
        );
    }
}

#[test]
fn a_stream_that_is_cut_anywhere_is_never_done() {
    for (name, kind, bytes) in samples().into_iter().filter(|(name, ..)| name.ends_with("-done")) {
        let whole = told(StreamReader::new(kind), &[&bytes]);
        assert_eq!(whole.end, Some(Outcome::Done), "{name}");
        // A last line without its end is a line.
        for end in 0..bytes.len() - 1 {
            let half = told(StreamReader::new(kind), &[&bytes[..end]]);
            assert_ne!(half.end, Some(Outcome::Done), "{name} cut at {end} of {}", bytes.len());
            let pieces = told(StreamReader::new(kind), &[&bytes[..end], &bytes[end..]]);
            assert_eq!(pieces, whole, "{name} in two pieces at {end}");
        }
    }
}

#[test]
fn garbage_is_passed_over() {
    for (name, kind, bytes) in samples().into_iter().filter(|(name, ..)| name.ends_with("-done")) {
        let whole = told(StreamReader::new(kind), &[&bytes]);
        let mut noisy: Vec<u8> = b"\xff\xfe not json\n{\"type\":\n[]\n{}\n{\"type\":7}\nnull\n".to_vec();
        noisy.extend(std::iter::repeat_n(b'x', 10 << 20));
        noisy.push(b'\n');
        noisy.extend(
            bytes.iter().flat_map(|b| if *b == b'\n' { b"\n\x00\x1b[31m\n".to_vec() } else { vec![*b] }),
        );
        assert_eq!(told(StreamReader::new(kind), &[&noisy]), whole, "{name}");
    }
}

#[test]
fn events_with_the_wrong_things_inside_do_no_harm() {
    let types = [
        "system",
        "assistant",
        "user",
        "result",
        "init",
        "message",
        "tool_use",
        "tool_result",
        "error",
        "thread.started",
        "turn.started",
        "turn.completed",
        "turn.failed",
        "item.started",
        "item.completed",
        "step_start",
        "step_finish",
        "text",
    ];
    let insides = [
        r#""message":7,"item":[],"part":"x","usage":-1"#,
        r#""message":{"content":"text"},"item":{"type":5},"part":{"tokens":[]},"error":{"data":null}"#,
        r#""message":{"content":[null,{"type":"text"},{"type":"tool_use"}]},"stats":{"models":[]},"modelUsage":3"#,
        r#""subtype":"api_retry","retry_delay_ms":"soon","error_status":"x","permission_denials":[1,{}]"#,
    ];
    for kind in CliKind::ALL {
        for (event, inside) in types.iter().flat_map(|t| insides.iter().map(move |i| (t, i))) {
            let line = format!("{{\"type\":\"{event}\",{inside}}}\n");
            told(StreamReader::new(kind), &[line.as_bytes()]);
        }
    }
    let deep = format!("{{\"type\":\"result\",\"x\":{}{}}}\n", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(told(StreamReader::new(CliKind::Claude), &[deep.as_bytes()]), Told::default());
}

#[test]
fn what_is_kept_of_a_long_run_is_bounded() {
    let mut told = Told::default();
    for n in 0..100_000 {
        told.take(Entry::Denied { call: n.to_string(), what: "x".repeat(100) });
    }
    assert_eq!(told.denied.len(), 20);
}
