//! Ways out of the sandbox, and what comes of them. Each test can be read as a promise of the guide's page on trust.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail, and say where")]

mod attacks;
mod cell;
mod containers;
mod inside;
mod line;
mod model_network;
mod orphans;
mod outside;

use windlass_engine::sandbox::SandboxRung;

use crate::attacks::{ATTEMPTS, Where};
use crate::outside::Outside;

/// Makes every attempt that is made on a rung; the ones that had an effect, with it.
fn escapes(rung: SandboxRung, made: impl Fn(Where) -> bool) -> (usize, Vec<String>) {
    let mut outside = Outside::new(rung);
    let mut escaped = Vec::new();
    let attempts = ATTEMPTS.iter().filter(|attempt| made(attempt.at));
    let mut count = 0;
    for attempt in attempts {
        count += 1;
        let finished = outside.attempt(attempt.script);
        let effects = outside.effects(&finished);
        if !effects.is_empty() {
            escaped.push(format!("{}: {}", attempt.name, effects.join(", ")));
            outside = Outside::new(rung);
        }
    }
    (count, escaped)
}

#[test]
fn nothing_leaves_bubblewrap() {
    let (count, escaped) = escapes(SandboxRung::Bubblewrap, |_| true);
    assert_eq!(escaped, [""; 0]);
    assert!(count >= 40, "{count} attempts");
}

#[test]
fn nothing_leaves_our_own_namespaces() {
    let (count, escaped) = escapes(SandboxRung::Namespaces, |at| at != Where::Bubblewrap);
    assert_eq!(escaped, [""; 0]);
    assert!(count >= 40, "{count} attempts");
}

#[test]
fn landlock_refuses_files_signals_and_nameless_sockets() {
    let (_, escaped) = escapes(SandboxRung::Landlock, |at| at == Where::Everywhere);
    assert_eq!(escaped, [""; 0]);
}

#[test]
fn without_a_fence_the_attempts_succeed() {
    let (count, escaped) = escapes(SandboxRung::Off, |at| at == Where::Everywhere);
    assert_eq!(escaped.len(), count, "only these had an effect: {escaped:#?}");
}
