//! The closing run of tasks whose test files one call of their runner takes together.

use windlass_testkit::{PlanTask, TestRepo};

use crate::world::empty;

/// A task `name` that writes `name.py` and whose tests are these.
fn task(name: &str, tests: &str, also: &str) -> PlanTask {
    PlanTask::new(name, &format!("Make {name}"))
        .front(&format!("test_file: tests/test_{name}.py"))
        .section("Test Specification", "python", &format!("# tests/test_{name}.py\n{tests}"))
        .section("Output Files", "", &format!("WRITE: {name}.py\nWRITE: tests/test_{name}.py{also}"))
        .verified_by(&format!("python3 -m pytest -q tests/test_{name}.py"))
}

/// Makes `one`, `two` and `three`, one after the other, where `two` has these tests.
fn run_of_three(tests_of_two: &str, also: &str, agent_of_two: &str) -> TestRepo {
    let tests = |name: &str, value: u8| {
        format!("import {name}\n\n\ndef test_{name}():\n    assert {name}.value() == {value}")
    };
    let value = |name: &str, body: &str| {
        format!("[{name}]\nwrite {name}.py <<END\nimport shared\n\n\ndef value():\n    return {body}\nEND\n")
    };
    let agent = [value("one", "shared.START"), value("two", "2"), agent_of_two.into(), value("three", "3")];
    empty()
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .file("conftest.py", "")
        .file("shared.py", "START = 1\n")
        .plan(
            "demo",
            &[
                task("one", &tests("one", 1), ""),
                task("two", &format!("{}\n{tests_of_two}", tests("two", 2)), also).after(&["one"]),
                task("three", &tests("three", 3), "").after(&["two"]),
            ],
        )
        .committed()
        .agent(&agent.concat())
}

#[test]
fn files_that_cannot_be_tested_together_are_tested_alone() {
    let alone = "\n\ndef test_alone():\n    import sys\n    assert 'test_one' not in sys.modules";
    let repo = run_of_three(alone, "", "");
    repo.run(&[]).ends(0).says("closing run: 3 commands passed on");
}

#[test]
fn a_later_task_that_breaks_an_earlier_one_is_found_and_the_broken_command_is_named() {
    let breaks = "write shared.py <<END\nSTART = 7\nEND\n";
    let repo = run_of_three("", "\nMODIFY: shared.py", breaks);
    let ran = repo.run(&[]).ends(1);
    assert!(ran.stdout.contains("`python3 -m pytest -q tests/test_one.py` fails"), "{ran}");
    assert!(!ran.stdout.contains("tests/test_one.py tests/"), "{ran}");
}

#[test]
fn a_closing_run_that_failed_is_repeated() {
    let breaks = "write shared.py <<END\nSTART = 7\nEND\n";
    let repo = run_of_three("", "\nMODIFY: shared.py", breaks);
    for _ in 0..2 {
        let ran = repo.run(&[]).ends(1);
        assert!(ran.stdout.contains("`python3 -m pytest -q tests/test_one.py` fails"), "{ran}");
    }
}
