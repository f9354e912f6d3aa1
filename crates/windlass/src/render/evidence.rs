//! The evidence of a completed task, for people: what was red, what was green, on what, run how.

use std::fmt::Write as _;

use windlass_code::expectation::ExpectationKind;
use windlass_core::event::{FrozenFile, HeldTests, RedReason};
use windlass_core::failure::Gate;
use windlass_core::report::TestOutcome;
use windlass_engine::integrate::{Evidence, RedEvidence};
use windlass_engine::{BiteKind, BiteRecord, BiteSeen, CanaryRecord, GateRecord, ProofStrength};

use super::findings::counted;
use super::screen::{Paint, Screen, cut};
use super::time::precise;

/// Lines of one kind before the rest is only counted.
const SHOWN: usize = 12;

/// The evidence, fact by fact.
pub(crate) fn evidence(record: &Evidence, screen: &Screen) -> String {
    let mut text = format!("\n{}\n", screen.paint(Paint::Strong, "evidence"));
    let mut fact = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<12} {}", cut(value, screen.width.saturating_sub(15)));
    };
    fact("tree", &format!("{} on {}", record.green.tree.short(), record.onto.short()));
    if record.revision > 1 {
        fact("revision", &format!("{}: its text changed after it was completed before", record.revision));
    }
    fact("changes", &changes(record));
    fact("ran with", &format!("{} · {}", record.green.containment, record.green.environment.join(" ")));
    if let Some(place) = &record.verified_at {
        fact("verified at", &format!("{place}, a place that was trusted with it"));
    }
    if let Some(red) = &record.red {
        text.push_str(&seen_red(red, screen));
    }
    if let Some(held) = &record.held {
        text.push_str(&held_already(held, screen));
    }
    if !record.left_out.is_empty() {
        let line = format!("  {:<12} {}", "not taken", record.left_out.words());
        let _ = writeln!(text, "{}", cut(&line, screen.width));
    }
    for gate in &record.green.gates {
        text.push_str(&seen_green(gate, screen));
    }
    text.push_str(&doubts(record, screen));
    text
}

fn changes(record: &Evidence) -> String {
    let paths: Vec<&str> = record.changes.iter().map(|c| c.path.as_str()).collect();
    let stray = paths.iter().filter(|p| !record.owned.iter().any(|o| o == *p)).count();
    let owned = if stray == 0 { "all its own".into() } else { format!("{stray} NOT its own") };
    format!("{}, {owned}: {}", counted(paths.len(), "file"), paths.join(", "))
}

fn seen_red(red: &RedEvidence, screen: &Screen) -> String {
    let mut text =
        format!("  {:<12} {} on {}\n", "red", counted(red.tests.len(), "test"), red.commit.short());
    for name in red.tests.iter().take(SHOWN) {
        let line = match red.seen.get(name) {
            Some(test) if test.reason == RedReason::Passed => {
                format!("    · {name}: {}", test.reason.as_str())
            }
            Some(test) if test.said.is_empty() => format!("    ✘ {name}: {}", test.reason.as_str()),
            Some(test) => format!("    ✘ {name}: {}: {}", test.reason.as_str(), test.said),
            None => format!("    ✘ {name}"),
        };
        let _ = writeln!(text, "{}", cut(&line, screen.width));
    }
    more(&mut text, red.tests.len());
    let frozen: Vec<String> = red.files.iter().take(SHOWN).map(frozen).collect();
    let rest = red.files.len().saturating_sub(SHOWN);
    let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let line = format!("  {:<12} {}{rest}", "frozen", frozen.join(", "));
    let _ = writeln!(text, "{}", cut(&line, screen.width));
    text
}

/// What satisfied the task before it began, and the wrong versions of the code that its tests were run on.
fn held_already(held: &HeldTests, screen: &Screen) -> String {
    let mut text = format!(
        "  {:<12} {} passed before it began, by {}\n",
        "held",
        counted(held.tests.len(), "test"),
        held.by.short()
    );
    for mutant in held.mutants.iter().take(SHOWN) {
        let seen = match mutant.failed.as_slice() {
            [] => "not noticed".to_owned(),
            [first, ..] => format!("noticed by {first}"),
        };
        let line = format!("    · {}: {}: {seen}", mutant.path, mutant.change);
        let _ = writeln!(text, "{}", cut(&line, screen.width));
    }
    text
}

fn frozen(file: &FrozenFile) -> String {
    match file.items.len() {
        0 => format!("{} {}", file.path, file.blob.short()),
        n => format!("{} ({n} parts)", file.path),
    }
}

fn seen_green(gate: &GateRecord, screen: &Screen) -> String {
    let command = gate.command.trim().replace('\n', "; ");
    let ended =
        gate.exit.map(|code| format!(" → exit {code} in {}", precise(gate.millis))).unwrap_or_default();
    let nameless = gate.strength == ProofStrength::ExitCode && is_test(gate.gate);
    let strength = if nameless { " · weaker: no test is known by name" } else { "" };
    let line = format!("  {:<12} {command}{ended}{strength}", gate.gate.as_str());
    let mut text = format!("{}\n", cut(&line, screen.width));
    if !gate.left.is_empty() {
        let line = format!(
            "    {} left running, and ended: {}",
            screen.paint(Paint::Warning, "!"),
            gate.left.join(", ")
        );
        let _ = writeln!(text, "{}", cut(&line, screen.width));
    }
    let Some(report) = &gate.report else { return text };
    for (name, outcome) in report.tests.iter().take(SHOWN) {
        let (mark, paint) = match outcome {
            TestOutcome::Passed => ("✔", Paint::Good),
            TestOutcome::Failed | TestOutcome::Errored => ("✘", Paint::Error),
            TestOutcome::Skipped => ("·", Paint::Faint),
        };
        let name = cut(name, screen.width.saturating_sub(6));
        let _ = writeln!(text, "    {} {name}", screen.paint(paint, mark));
    }
    more(&mut text, report.tests.len());
    text
}

/// Whether a gate runs tests.
pub(crate) fn is_test(gate: Gate) -> bool {
    matches!(gate, Gate::Tests | Gate::HeldOut | Gate::Neighbours | Gate::Suite)
}

/// What the pass had to stand up to.
fn doubts(record: &Evidence, screen: &Screen) -> String {
    let proof = &record.green;
    let mut text = String::new();
    let mut fact = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<12} {}", cut(value, screen.width.saturating_sub(15)));
    };
    match &proof.canaries {
        Some(CanaryRecord::Failed { names }) => {
            fact("canaries", &format!("{} laid among them, and failed", counted(names.len(), "test")));
        }
        Some(CanaryRecord::None { why }) => fact("canaries", &format!("none: {why}")),
        None => {}
    }
    for line in bites(&proof.bites) {
        fact("bites", &line);
    }
    for held in &proof.held_out {
        fact("held-out", &format!("{} {}…", held.path, held.blake3.get(..12).unwrap_or(&held.blake3)));
    }
    if let Some(repeated) = &proof.repeated {
        fact("run again", &format!("{} times in all: {}", repeated.times, repeated.why));
    }
    for finding in &proof.findings {
        fact("rules", finding);
    }
    text
}

/// How each test was seen to depend on the code.
fn bites(all: &[BiteRecord]) -> Vec<String> {
    let words = |bite: &BiteRecord| match &bite.seen {
        BiteSeen::Failed { kind: BiteKind::Known(ExpectationKind::Denial), path, line, was, .. } => {
            format!("{}: fails with a failure in place of `{was}` ({path}:{line}; says less)", bite.test)
        }
        BiteSeen::Failed { path, line, was, now, .. } => {
            format!("{}: fails with `{now}` in place of `{was}` ({path}:{line})", bite.test)
        }
        BiteSeen::Weak { why } => format!("weak: {}: {why}", bite.test),
        BiteSeen::None => format!("{}: nothing in it could be changed", bite.test),
    };
    let mut lines: Vec<String> = all.iter().take(SHOWN).map(words).collect();
    if all.len() > SHOWN {
        lines.push(format!("and {} more", all.len() - SHOWN));
    }
    lines
}

fn more(text: &mut String, all: usize) {
    if all > SHOWN {
        let _ = writeln!(text, "      and {} more", all - SHOWN);
    }
}
