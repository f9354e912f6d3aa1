//! Tests: what a task may change, and tests that the plan brings.

use windlass_core::plan::{CodeBlock, Placement, Step};

use super::*;

fn block(path: Option<&str>, code: &str, placement: Placement) -> CodeBlock {
    CodeBlock { path: path.map(str::to_owned), code: code.into(), placement, ..CodeBlock::default() }
}

fn shown(task: &Task) -> Vec<String> {
    let one = |(path, piece): (String, TestPiece)| match piece {
        TestPiece::Whole(code) => format!("{path} = {code}"),
        TestPiece::Added(code) => format!("{path} + {code}"),
    };
    plan_tests(task).into_iter().map(one).collect()
}

#[test]
fn the_first_block_of_a_file_is_the_file_and_later_ones_are_added() {
    let mut task = Task::default();
    task.test.file = Some("tests/a.py".into());
    task.test_code = vec![
        block(None, "one", Placement::Whole),
        block(None, "two", Placement::Whole),
        block(Some("tests/b.py"), "three", Placement::Addition),
    ];
    assert_eq!(shown(&task), ["tests/a.py = one", "tests/a.py + two", "tests/b.py + three"]);
    assert!(plan_brings_tests(&task));
}

#[test]
fn a_block_without_a_file_is_no_test() {
    let task = Task { test_code: vec![block(None, "one", Placement::Whole)], ..Task::default() };
    assert!(shown(&task).is_empty() && !plan_brings_tests(&task));
}

#[test]
fn steps_count_only_where_there_are_no_blocks() {
    let step =
        Step { code: Some("s".into()), file: Some("tests/s.py".into()), ..Step::of(Action::WriteTest) };
    let other = Step { code: Some("x".into()), file: Some("src/x.py".into()), ..Step::of(Action::Implement) };
    let mut task = Task { steps: vec![step, other], ..Task::default() };
    assert_eq!(shown(&task), ["tests/s.py = s"]);
    task.test_code = vec![block(Some("tests/b.py"), "b", Placement::Whole)];
    assert_eq!(shown(&task), ["tests/b.py = b"]);
}

#[test]
fn a_text_ends_with_a_line_break() {
    assert_eq!((ended("a"), ended("a\n"), ended("")), ("a\n".into(), "a\n".into(), "\n".into()));
}

#[test]
fn only_files_far_beyond_their_estimate_are_reported() {
    let task = Task { lines: [("a".to_owned(), 10), ("b".to_owned(), 10)].into(), ..Task::default() };
    let counts =
        |a: u64, b: u64| vec![("a".to_owned(), a, 0), ("b".to_owned(), b, 0), ("c".to_owned(), 999, 0)];
    let found = |a, b, tolerance| line_findings(&task, &counts(a, b), tolerance).len();
    assert_eq!(found(15, 15, 1.5), 0);
    assert_eq!(found(16, 15, 1.5), 1);
    assert_eq!(found(11, 11, 0.0), 2, "a tolerance below 1 counts as 1");
    assert_eq!(line_findings(&task, &counts(16, 0), 1.5), ["`a` has 16 new lines, 10 were estimated"]);
}

fn ownership(owned: &[&str], tests: &[&str], inline: bool) -> Ownership {
    let all = |paths: &[&str]| paths.iter().map(|p| (*p).to_owned()).collect();
    Ownership { owned: all(owned), tests: all(tests), inline, open: false, untested: false }
}

#[test]
fn the_test_writer_may_write_tests_and_with_inline_tests_any_file_of_the_task() {
    let apart = ownership(&["src/a.py", "tests/helper_test.py"], &["tests/test_a.py"], false);
    for (path, allowed) in [
        ("tests/test_a.py", true),
        ("tests/helper_test.py", true),
        ("src/a.py", false),
        ("tests/test_other.py", false),
    ] {
        assert_eq!(apart.is_test(path), allowed, "{path}");
    }
    assert_eq!(apart.tests(), ["tests/test_a.py"]);
    let inline = ownership(&["src/a.rs"], &[], true);
    assert!(inline.is_test("src/a.rs") && !inline.is_test("src/b.rs"));
    assert_eq!(inline.tests(), ["src/a.rs"]);
}

#[test]
fn granted_files_are_owned_from_then_on() {
    let mut ownership = ownership(&["a"], &[], false);
    assert!(!ownership.owns("b"));
    ownership.grant(vec!["b".into()]);
    assert!(ownership.owns("b") && ownership.list().len() == 2 && !ownership.is_open());
}
