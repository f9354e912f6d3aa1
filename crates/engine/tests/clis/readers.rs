//! Every kind of stream, whole and broken. The samples in `streams/` were written for this, in the shapes that the
//! programs print.

use std::path::Path;

use windlass_engine::agent::cli::CliKind;
use windlass_engine::agent::stream::{ClaimedEnd, LineContent, StreamEntry, StreamReader, StreamSummary};

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

fn told(mut reader: StreamReader, pieces: &[&[u8]]) -> StreamSummary {
    let mut told = StreamSummary::default();
    let mut take = |heard: LineContent<'_>| {
        let LineContent::Entries(entries) = heard else { return };
        for entry in entries {
            told.take(entry);
        }
    };
    for piece in pieces {
        reader.push(piece, &mut take);
    }
    reader.finish(&mut take);
    told
}

/// What a sample tells, in a few lines.
fn facts(name: &str, told: &StreamSummary) -> String {
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
    insta::assert_snapshot!(text.join("\n"), @r#"
    claude-cut: Some(Done), 97+41 tokens (20 cached) $0.0031, 0 tools, model-c
      said: ""
    claude-denied: Some(Done), 97+41 tokens (20 cached) $0.0031, 1 tools, model-c
      said: "May I write the file?"
      denied: Write /slot/x
    claude-done: Some(Done), 97+41 tokens (20 cached) $0.0031, 2 tools, model-c
      said: "The function is there."
    claude-limit: Some(Failed), 0+0 tokens (0 cached) $0.0000, 0 tools, model-c
      failed: RateLimit { retry_after: Some(7), resets_at: None }: API Error: Request rejected (429)
      trouble: RateLimit { retry_after: None, resets_at: None }: API Error: Request rejected (429)
      said: "API Error: Request rejected (429)"
    claude-login: None, 0+0 tokens (0 cached), 0 tools, model-c
      trouble: Login: authentication_failed (401)
    claude-money: Some(Failed), 97+41 tokens (20 cached) $0.0031, 0 tools, model-c
      failed: MoneyLimit: Reached maximum budget ($0.02)
    claude-no-session: Some(Failed), 0+0 tokens (0 cached) $0.0000, 0 tools, no model
      failed: NoSession: No conversation found with session ID: 0c1d0000-0000-4000-8000-00000000c1a0
    claude-schema: Some(Done), 97+41 tokens (20 cached) $0.0031, 0 tools, model-c
      said: ""
    claude-turns: Some(Failed), 97+41 tokens (20 cached) $0.0031, 1 tools, model-c
      failed: TurnLimit: Reached maximum number of turns (1)
    codex-cut: Some(Failed), 0+0 tokens (0 cached), 0 tools, no model
      failed: Cut: stream disconnected before completion: it closed
      trouble: Cut: stream disconnected before completion: it closed
    codex-denied: Some(Done), 10+1 tokens (0 cached), 1 tools, no model
      said: "I could not."
      denied: the call requires approval, and nobody approves
    codex-done: Some(Done), 900+60 tokens (300 cached), 1 tools, no model
      said: "The function is there."
    codex-limit: Some(Failed), 0+0 tokens (0 cached), 0 tools, no model
      failed: RateLimit { retry_after: Some(3720), resets_at: None }: You've hit your usage limit. Please try again in 1 hour 2 minutes.
      trouble: RateLimit { retry_after: None, resets_at: None }: exceeded retry limit, last status: 429 Too Many Requests
    codex-login: Some(Failed), 0+0 tokens (0 cached), 0 tools, no model
      failed: Login: unexpected status 401 Unauthorized: no such key
      trouble: Login: unexpected status 401 Unauthorized: no such key
    codex-offline: None, 0+0 tokens (0 cached), 0 tools, no model
      trouble: Unreachable: Connection failed: error sending request
    gemini-cut: Some(Failed), 0+0 tokens (0 cached), 0 tools, model-g
      trouble: Cut: Model stream ended without a finish reason.
    gemini-done: Some(Done), 700+70 tokens (100 cached), 2 tools, model-g-real
      said: "It is there."
      denied: Tool execution denied by policy.
    gemini-limit: Some(Failed), 0+0 tokens (0 cached), 0 tools, model-g
      failed: RateLimit { retry_after: Some(42), resets_at: None }: You exceeded your current quota. Please retry in 41.5s.
    gemini-login: Some(Failed), 0+0 tokens (0 cached), 0 tools, model-g
      failed: Login: no such key (401)
    gemini-turns: Some(Failed), 700+70 tokens (100 cached), 0 tools, model-g-real
      failed: TurnLimit: Reached max session turns for this session.
    opencode-cut: None, 0+0 tokens (0 cached) $0.0000, 0 tools, no model
      trouble: Cut: the model's answer broke off
    opencode-done: Some(Done), 960+72 tokens (160 cached) $0.0040, 2 tools, no model
      said: "It is there."
      denied: bash rm -rf /
    opencode-half: None, 480+30 tokens (80 cached) $0.0020, 1 tools, no model
    opencode-limit: Some(Failed), 0+0 tokens (0 cached), 0 tools, no model
      failed: RateLimit { retry_after: Some(17), resets_at: None }: slow down
    opencode-login: Some(Failed), 0+0 tokens (0 cached), 0 tools, no model
      failed: Login: no such key
    qwen-done: Some(Done), 1000+40 tokens (100 cached), 1 tools, model-q
      said: "There it is."
    qwen-login: Some(Failed), 0+0 tokens (0 cached), 0 tools, model-q
      failed: Login: 401 no such key
      trouble: Login: 401 no such key
    qwen-retry: None, 0+0 tokens (0 cached), 0 tools, model-q
      trouble: Other: it tries again: retry
    qwen-turns: None, 1000+40 tokens (100 cached), 2 tools, model-q
    "#);
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
        assert_eq!(whole.end, Some(ClaimedEnd::Done), "{name}");
        // A last line without its end is a line.
        for end in 0..bytes.len() - 1 {
            let half = told(StreamReader::new(kind), &[&bytes[..end]]);
            assert_ne!(half.end, Some(ClaimedEnd::Done), "{name} cut at {end} of {}", bytes.len());
            if end % 7 == 0 {
                let pieces = told(StreamReader::new(kind), &[&bytes[..end], &bytes[end..]]);
                assert_eq!(pieces, whole, "{name} in two pieces at {end}");
            }
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
    assert_eq!(told(StreamReader::new(CliKind::Claude), &[deep.as_bytes()]), StreamSummary::default());
}

#[test]
fn what_is_kept_of_a_long_run_is_bounded() {
    let mut told = StreamSummary::default();
    for n in 0..100_000 {
        told.take(StreamEntry::Denied { call: n.to_string(), what: "x".repeat(100) });
    }
    assert_eq!(told.denied.len(), 20);
}
