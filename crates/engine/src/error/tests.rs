//! Tests of `src/error`.

use super::*;

#[test]
fn errors_that_a_person_can_solve_say_how() {
    let branch = EngineError::Branch { message: "gone".into(), hint: "restore it".into() };
    let table = [
        (EngineError::NoCommits, Some("first commit")),
        (EngineError::NoIdentity, Some("git config user.name")),
        (EngineError::AlreadyRunning { note: "pid 1".into() }, Some("windlass cancel")),
        (EngineError::UnknownAgent { name: "x".into() }, Some("[agents]")),
        (EngineError::Unfenced { agent: "x".into(), why: "y".into() }, Some("--allow-unsandboxed")),
        (EngineError::NoRoom { dir: "/c".into(), missing: "0 MiB left".into() }, Some("XDG_CACHE_HOME")),
        (branch, Some("restore it")),
        (EngineError::WorkerDied("x".into()), None),
    ];
    for (error, wanted) in table {
        let hint = error.hint();
        match wanted {
            Some(part) => assert!(hint.as_deref().is_some_and(|h| h.contains(part)), "{error}: {hint:?}"),
            None => assert_eq!(hint, None, "{error}"),
        }
    }
}
