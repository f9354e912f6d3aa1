//! Tests of `agent/command`.

use super::*;
use crate::process::CapturedOutput;

fn finished(exit: ProcessExit, tail: &str) -> Finished {
    Finished {
        exit,
        elapsed: Duration::ZERO,
        output: CapturedOutput { tail: tail.as_bytes().to_vec(), ..CapturedOutput::default() },
        survivors_killed: 0,
        left: Vec::new(),
        over: None,
        blocked: Vec::new(),
        still_alive: Vec::new(),
    }
}

/// How a turn with this exit and this result file ended.
fn end(exit: ProcessExit, result: Option<&str>) -> TurnEnd {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("result.json");
    if let Some(text) = result {
        std::fs::write(&path, text).unwrap();
    }
    conclude("coder", &finished(exit, "first\nlast words\n\n"), &path).end
}

fn error(message: &str) -> TurnEnd {
    TurnEnd::Failed(Failure::AgentError { message: message.into() })
}

#[test]
fn the_exit_decides_where_there_is_no_result_file() {
    let limited = Failure::RateLimited { agent: "coder".into(), retry_after_seconds: None, outage: None };
    let idle = Clock::Idle(Duration::from_secs(9));
    let missing = |code| {
        let reason = format!("its command cannot be run: exit code {code}: last words");
        TurnEnd::Failed(Failure::ProviderRefused { agent: "coder".into(), reason })
    };
    let table = [
        (ProcessExit::Code(0), TurnEnd::Done { needs_files: Vec::new() }),
        (ProcessExit::Code(2), error("exit code 2: last words")),
        (ProcessExit::Code(75), TurnEnd::Failed(limited)),
        (ProcessExit::Code(126), missing(126)),
        (ProcessExit::Code(127), missing(127)),
        (ProcessExit::Signal(6), error("ended by signal 6")),
        (ProcessExit::Cancelled, TurnEnd::Cancelled),
        (
            ProcessExit::NotStarted("no bash".into()),
            TurnEnd::Failed(Failure::Spawn { message: "no bash".into() }),
        ),
        (ProcessExit::TimedOut(idle), TurnEnd::Failed(Failure::Timeout { budget: Budget::Idle, seconds: 9 })),
    ];
    for (exit, wanted) in table {
        assert_eq!(end(exit.clone(), None), wanted, "{exit:?}");
    }
}

#[test]
fn a_result_file_says_more_than_an_exit_code() {
    let blocked = r#"{"status": "blocked", "reason": "the test is wrong"}"#;
    let contradiction = Failure::SpecContradiction { reason: "the test is wrong".into() };
    assert_eq!(end(ProcessExit::Code(1), Some(blocked)), TurnEnd::Failed(contradiction));
    let needs = r#"{"status": "blocked", "needs_files": ["b.py"]}"#;
    assert_eq!(end(ProcessExit::Code(0), Some(needs)), TurnEnd::NeedsFiles(vec!["b.py".into()]));
    assert_eq!(
        end(ProcessExit::Code(3), Some("{}")),
        error("exit code 3: last words"),
        "done with an error is no end"
    );
    assert_eq!(end(ProcessExit::Code(75), Some("{}")), error("exit code 75: last words"));
    assert!(matches!(
        end(ProcessExit::Code(0), Some("nonsense")),
        TurnEnd::Failed(Failure::AgentError { .. })
    ));
    assert_eq!(end(ProcessExit::Code(0), Some(" \n")), TurnEnd::Done { needs_files: Vec::new() });
    assert_eq!(end(ProcessExit::Cancelled, Some(blocked)), TurnEnd::Cancelled);
}

#[test]
fn usage_and_words_are_taken_from_the_result_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("result.json");
    let text = r#"{"summary": "ok", "session": "s1", "model": "m", "usage": {"input_tokens": 4}, "verdict": "approved"}"#;
    std::fs::write(&path, text).unwrap();
    let over = conclude("coder", &finished(ProcessExit::Code(0), ""), &path);
    assert_eq!(
        (over.summary.as_deref(), over.session.as_deref(), over.model.as_deref()),
        (Some("ok"), Some("s1"), Some("m"))
    );
    assert_eq!(over.usage.input_tokens, 4);
    assert_eq!(over.structured.unwrap()["verdict"], "approved");
}

#[test]
fn what_it_printed_is_kept_as_plain_text() {
    let dir = tempfile::tempdir().unwrap();
    let stdout = dir.path().join("1.stdout");
    std::fs::write(&stdout, "x".repeat(PRINTED) + "\n\u{1b}[1mWhich one?\u{1b}[0m\n").unwrap();
    let mut finished = finished(ProcessExit::Code(0), "");
    finished.output.stdout = stdout.clone();
    let said = || conclude("coder", &finished, &dir.path().join("none")).printed;
    let text = said().unwrap();
    assert!(text.len() <= PRINTED && text.ends_with("x\nWhich one?\n"), "{text:?}");
    std::fs::write(&stdout, "\n").unwrap();
    assert_eq!(said(), None);
}

#[test]
fn absolute_paths_in_the_command_line_may_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let (tool, data) = (dir.path().join("tool.sh"), dir.path().join("data"));
    std::fs::write(&tool, "").unwrap();
    std::fs::create_dir(&data).unwrap();
    let needs =
        needs(&format!("'{}' --data={} /usr/bin/env /no/such/file | cat", tool.display(), data.display()));
    assert_eq!(needs.network, Network::Open);
    assert!(needs.read_only.contains(&data), "{needs:?}");
    assert!(needs.read_only.contains(&tool), "{needs:?}");
    assert_eq!(needs.read_only.len(), 2, "system paths and missing ones are not listed: {needs:?}");
}
