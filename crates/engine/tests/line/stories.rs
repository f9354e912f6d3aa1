//! What a run does on good and bad days.

use windlass_core::event::{Event, RunEnd};
use windlass_core::state::TaskState;

use crate::bench::{Bench, shell_task};

/// Writes the script its task is about.
const HONEST: &str = r#"echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh""#;

#[test]
fn three_tasks_become_three_commits_and_the_checkout_stays_as_it_was() {
    let bench = Bench::new(vec![shell_task("a", &[]), shell_task("b", &[]), shell_task("c", &["a", "b"])])
        .agent(HONEST);
    std::fs::write(bench.path("repo/README.md"), "being edited\n").unwrap();
    let before = (bench.git(&["status", "--porcelain"]), bench.git(&["rev-parse", "HEAD"]));
    let (end, _) = bench.run();
    assert_eq!(end, RunEnd::Completed);
    let subjects = bench.subjects();
    assert_eq!(subjects.len(), 3, "{subjects:?}");
    assert_eq!(subjects[2], "c: Say c");
    assert_eq!(before, (bench.git(&["status", "--porcelain"]), bench.git(&["rev-parse", "HEAD"])));
    let message = bench.git(&["log", "-1", "--format=%B", "windlass/demo"]);
    assert!(message.contains("Windlass-Task: c") && message.contains("Windlass-Evidence: "), "{message}");
    let files = bench.git(&["ls-tree", "-r", "--name-only", "windlass/demo"]);
    assert_eq!(files.lines().count(), 7, "{files}");
}

#[test]
fn the_bug_hunter_repairs_what_the_verifier_refused() {
    let agent = r#"case $WINDLASS_STEP in
        implement) echo "echo wrong" > "$WINDLASS_TASK.sh" ;;
        fix) grep -q 'not ok 1 - says a' "$WINDLASS_BRIEF" && echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh" ;;
    esac"#;
    let bench = Bench::new(vec![shell_task("a", &[])]).agent(agent);
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed);
    let failed = events.iter().filter(|e| matches!(e, Event::AttemptEnded { .. })).count();
    assert_eq!(failed, 1);
}
