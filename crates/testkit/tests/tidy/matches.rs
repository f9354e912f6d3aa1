//! Matches over our own enums: folds name every variant, and languages and runners are matched in few files.

use crate::tree::{code, none, without_tests};

/// Files that fold events, states and outcomes. A new variant must be a compile error in each of them.
const FOLDS: &[&str] = &[
    "crates/core/src/event/fact.rs",
    "crates/core/src/event/mod.rs",
    "crates/core/src/event/run.rs",
    "crates/core/src/event/task.rs",
    "crates/core/src/failure.rs",
    "crates/core/src/schedule/apply.rs",
    "crates/core/src/schedule/decide.rs",
    "crates/core/src/schedule/task_record.rs",
    "crates/core/src/schedule/team.rs",
    "crates/core/src/state.rs",
    "crates/core/src/view/activity.rs",
    "crates/core/src/view/board/change.rs",
    "crates/core/src/view/board/spending.rs",
    "crates/core/src/view/fold.rs",
    "crates/core/src/view/glance.rs",
    "crates/core/src/view/history.rs",
    "crates/core/src/view/progress.rs",
    "crates/core/src/view/report/fold.rs",
    "crates/core/src/view/run.rs",
    "crates/core/src/view/seal.rs",
    "crates/core/src/view/task.rs",
    "crates/core/src/view/attempts.rs",
    "crates/core/src/view/why.rs",
    "crates/engine/src/audit/chain.rs",
    "crates/engine/src/chronicle.rs",
    "crates/engine/src/place/accepted.rs",
    "crates/engine/src/place/work_there.rs",
    "crates/windlass/src/cli/known.rs",
    "crates/windlass/src/live/mod.rs",
    "crates/windlass/src/notify/notice.rs",
    "crates/windlass/src/render/story.rs",
    "crates/windlass/src/running/progress.rs",
    "crates/windlass/src/telemetry/metrics.rs",
    "crates/windlass/src/telemetry/spans.rs",
];

/// The most files outside `code/src/language` and `code/src/runner` that may match on a language or a runner.
const LANGUAGE_FILES: usize = 3;
const RUNNER_FILES: usize = 3;

/// Arms that take every event of a run or a task because they ask for something that all of them have, or about none.
const WHOLE_EVENTS: &[(&str, &str)] = &[
    ("crates/core/src/event/mod.rs", "Event::Run(_) => None,"),
    ("crates/core/src/view/history.rs", "Event::Task { .. } | Event::Run(_) => {}"),
    (
        "crates/engine/src/place/work_there.rs",
        "Message::Event(Event::Run(_) | Event::Task { event: TaskEvent::ProcessStarted { .. }, .. }) => {",
    ),
];

/// Whether a line is an arm that takes everything, or every event of a run or a task.
fn is_wildcard(line: &str) -> bool {
    let line = line.trim_start();
    let head = line.split("=>").next().unwrap_or(line);
    let is_arm = line.contains("=>") || line.starts_with('|');
    let is_whole = is_arm && ["Event::Run(_)", "Event::Task { .. }"].iter().any(|whole| head.contains(whole));
    line.starts_with("_ =>") || line.starts_with("_ if ") || line.starts_with("| _ ") || is_whole
}

#[test]
fn folds_have_no_wildcard_arm() {
    let sources = code();
    for fold in FOLDS {
        assert!(sources.iter().any(|(name, _)| name == fold), "`{fold}` is gone: correct the list of folds");
    }
    let folds = sources.iter().filter(|(name, _)| FOLDS.contains(&name.as_str()));
    let found = folds.flat_map(|(name, text)| {
        let allowed = |line: &str| WHOLE_EVENTS.contains(&(name.as_str(), line.trim()));
        let lines = without_tests(text).lines().enumerate();
        let lines = lines.filter(move |(_, line)| is_wildcard(line) && !allowed(line));
        lines.map(move |(n, line)| format!("{name}:{}: {}", n + 1, line.trim()))
    });
    none("wildcard arms in folds", found);
}

#[test]
fn every_file_that_matches_on_events_is_a_fold() {
    let events = ["RunEvent", "TaskEvent", "EventFact"];
    let matching = code().into_iter().filter(|(_, text)| events.iter().any(|word| matches_on(text, word)));
    let missing = matching.filter(|(name, _)| !FOLDS.contains(&name.as_str()));
    none("files that match on events and are not in the list of folds", missing.map(|(name, _)| name));
}

#[test]
fn few_files_match_on_a_language_or_a_runner() {
    for (word, most) in [("Language", LANGUAGE_FILES), ("Runner", RUNNER_FILES)] {
        let files: Vec<String> =
            code().into_iter().filter(|(_, text)| matches_on(text, word)).map(|(name, _)| name).collect();
        assert!(
            files.len() <= most,
            "files that match on `{word}`, at most {most}:\n  {}",
            files.join("\n  ")
        );
    }
}

/// Whether a text has an arm `Word::Variant =>`, also among alternatives.
fn matches_on(text: &str, word: &str) -> bool {
    let start = format!("{word}::");
    without_tests(text).lines().any(|line| {
        let is_arm = line.contains("=>") || line.trim_start().starts_with('|');
        let head = line.split("=>").next().unwrap_or(line);
        let own = |at: usize| !head[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let variant = |at: usize| head[at + start.len()..].starts_with(|c: char| c.is_ascii_uppercase());
        is_arm && head.match_indices(&start).any(|(at, _)| own(at) && variant(at)) && !head.contains('=')
    })
}

#[test]
fn arms_are_found() {
    assert!(is_wildcard("        _ => None,") && is_wildcard("_ if x => y") && !is_wildcard("Some(_) => x"));
    assert!(is_wildcard("Event::Run(_) => {}") && is_wildcard("| Event::Task { .. }"));
    assert!(is_wildcard("Event::Task { .. } | Event::Run(_) => return,"));
    assert!(
        !is_wildcard("Event::Task { task, .. } => {")
            && !is_wildcard("let run = matches!(e, Event::Run(_));")
    );
    let arms = [
        "Language::Rust => 1,",
        "Some(Language::Go) => 2,",
        "| Language::C",
        "Language::A | Language::B => 3,",
    ];
    assert!(arms.iter().all(|arm| matches_on(arm, "Language")));
    let others = [
        "let x = Language::Rust;",
        "OtherLanguage::Rust => 1,",
        "x == Language::Rust => 1,",
        "|| Language::is_header(x)",
    ];
    assert!(!others.iter().any(|line| matches_on(line, "Language")));
}

/// The writer is public for tests and examples alone.
#[test]
fn only_the_dispatcher_writes_the_journal() {
    let rooms = ["crates/engine/src/journal/", "crates/engine/src/dispatcher/"];
    let writes = |(name, text): &(String, String)| {
        !rooms.iter().any(|room| name.starts_with(room)) && without_tests(text).contains("JournalWriter")
    };
    none("writes the journal", code().into_iter().filter(writes).map(|(name, _)| name));
}
