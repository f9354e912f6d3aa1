//! Tests of `process/run`.

use super::*;

fn ended(script: &str) -> ProcessExit {
    exit_of(std::process::Command::new("sh").args(["-c", script]).status().unwrap())
}

#[test]
fn an_end_is_a_code_or_a_signal() {
    for (script, wanted) in [
        ("exit 0", ProcessExit::Code(0)),
        ("exit 3", ProcessExit::Code(3)),
        ("kill -TERM $$", ProcessExit::Signal(15)),
        ("kill -KILL $$", ProcessExit::Signal(9)),
    ] {
        assert_eq!(ended(script), wanted, "{script}");
    }
}

#[test]
fn why_a_command_did_not_start_is_said() {
    let invocation = |cwd: &str| Invocation {
        program: "tool".into(),
        args: Vec::new(),
        cwd: cwd.into(),
        env: Vec::new(),
        stdin: Vec::new(),
        timeout: Duration::ZERO,
        idle_timeout: None,
        capture: crate::process::Capture { dir: "/".into(), max_bytes: 0, tail_bytes: 0 },
    };
    let error = io::Error::from(io::ErrorKind::NotFound);
    assert_eq!(
        why_not_started(&error, &invocation("/nowhere/at/all")),
        "cannot start `tool`: the directory `/nowhere/at/all` does not exist"
    );
    let here = why_not_started(&error, &invocation("/"));
    assert!(here.starts_with("cannot start `tool`: ") && !here.contains("directory `"), "{here}");
}

#[tokio::test]
async fn silence_is_measured_from_the_last_output() {
    let activity = Activity::new();
    let limit = Duration::from_millis(30);
    assert_eq!(silent_for(Some(limit), &activity).await, limit);
    assert!(activity.last().elapsed() >= limit);
    let endless = timeout(Duration::from_millis(20), silent_for(None, &activity)).await;
    assert!(endless.is_err(), "without a limit it never ends");
}
