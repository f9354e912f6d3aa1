//! Modes inferred from what a task says, and what it has to prove itself with.

use serde_json::{Value, json};

use super::*;

fn task(value: &Value) -> Task {
    serde_json::from_value(value.clone()).unwrap_or_else(|e| panic!("{value}: {e}"))
}

fn is_test(path: &str) -> bool {
    path.starts_with("tests/")
}

#[test]
fn a_mode_follows_from_files_type_and_reasons() {
    let code = json!({"create": ["src/a.py"]});
    let table = [
        // A task that owns nothing is a gate.
        (json!({}), Mode::Gate),
        (json!({"files": {"read": ["src/a.py"]}}), Mode::Gate),
        (json!({"task_type": "refactor"}), Mode::Gate),
        (json!({"verification": {"script": "make check"}}), Mode::Gate),
        // Code needs a test first, whether the task names one or not.
        (json!({"files": code}), Mode::Tdd),
        (json!({"files": {"delete": ["src/a.py"]}}), Mode::Tdd),
        (json!({"files": code, "test": {"file": "tests/a.py"}}), Mode::Tdd),
        (json!({"files": code, "test": {"required": true}}), Mode::Tdd),
        // A test file alone says nothing about the code, unless the type says that there is none.
        (json!({"test": {"file": "tests/a.py"}}), Mode::Tdd),
        (json!({"test_code": [{"path": "tests/a.py", "code": "x"}]}), Mode::Tdd),
        (json!({"test": {"file": "tests/a.py"}, "task_type": "add_test"}), Mode::TestsOnly),
        (json!({"test": {"file": "tests/a.py"}, "task_type": "test-gen"}), Mode::TestsOnly),
        (json!({"test": {"file": "tests/a.py"}, "task_type": "Add_Test"}), Mode::Tdd),
        // Every changed file is a test.
        (json!({"files": {"create": ["tests/a.py"], "modify": ["tests/b.py"]}}), Mode::TestsOnly),
        (json!({"files": {"create": ["tests/a.py"], "modify": ["src/b.py"]}}), Mode::Tdd),
        (json!({"files": {"create": ["tests/a.py"], "delete": ["tests/b.py"]}}), Mode::Tdd),
        (
            json!({"files": {"modify": ["tests/a.rs"]}, "test": {"file": "tests/a.rs", "inline": true}}),
            Mode::Tdd,
        ),
        // Refactorings are known by their type.
        (json!({"files": code, "task_type": "refactor"}), Mode::Refactor),
        (json!({"files": code, "task_type": "rename_refactor"}), Mode::Refactor),
        // No test, with a reason or without.
        (json!({"files": code, "test": {"none": "documentation_only"}}), Mode::None),
        (json!({"files": code, "test": {"none": "no idea"}}), Mode::None),
        (json!({"files": code, "test": {"required": false}}), Mode::None),
        (json!({"test": {"none": "documentation_only"}}), Mode::None),
        // The direct approach has no test, unless the task names one.
        (json!({"files": code, "methodology": "direct"}), Mode::None),
        (json!({"files": code, "methodology": "direct", "test": {"file": "tests/a.py"}}), Mode::Tdd),
        (json!({"files": code, "methodology": "tdd"}), Mode::Tdd),
        // A stated mode overrides everything.
        (json!({"mode": "gate", "files": code}), Mode::Gate),
        (json!({"mode": "tdd", "test": {"none": "documentation_only"}}), Mode::Tdd),
        (json!({"mode": "tests-only"}), Mode::TestsOnly),
    ];
    for (value, expected) in table {
        assert_eq!(infer_mode(&task(&value), &is_test), expected, "{value}");
    }
}

#[test]
fn a_proof_is_a_script_a_command_a_test_or_a_reason() {
    let script = json!({"script": "make check"});
    let table = [
        (json!({}), Proof::Nothing),
        (json!({"files": {"create": ["tests/a.py"]}}), Proof::Nothing),
        (json!({"verification": script, "test": {"command": "pytest", "file": "tests/a.py"}}), Proof::Script),
        (json!({"verification": {"script": " \r\n\t"}, "test": {"command": "pytest"}}), Proof::Command),
        (json!({"test": {"command": "pytest", "file": "tests/a.py"}}), Proof::Command),
        (json!({"test": {"command": "  ", "file": "tests/a.py"}}), Proof::TestFile),
        (json!({"test_code": [{"path": "tests/a.py", "code": ""}]}), Proof::TestFile),
        (json!({"test_code": [{"code": "assert x"}]}), Proof::Nothing),
        (json!({"test": {"none": "Config static"}}), Proof::Reason(NoTestReason::ConfigStatic)),
        (json!({"test": {"none": "too easy to test"}}), Proof::Nothing),
        (json!({"test": {"file": "tests/a.py", "none": "config_static"}}), Proof::TestFile),
    ];
    for (value, expected) in table {
        assert_eq!(task(&value).proof(), expected, "{value}");
    }
}

#[test]
fn own_work_is_a_file_to_change_or_a_check_to_run() {
    let table = [
        (json!({}), false),
        (json!({"title": "Phase 2", "objective": "everything"}), false),
        (json!({"files": {"read": ["a"]}}), false),
        (json!({"test": {"none": "documentation_only"}}), false),
        (json!({"files": {"delete": ["a"]}}), true),
        (json!({"verification": {"script": "make check"}}), true),
        (json!({"verification": {"script": ""}}), false),
        (json!({"test": {"command": "make check"}}), true),
        (json!({"test": {"file": "tests/a.py"}}), true),
    ];
    for (value, expected) in table {
        assert_eq!(task(&value).has_own_work(), expected, "{value}");
    }
}

#[test]
fn a_mode_has_one_name_everywhere() {
    for mode in [Mode::Tdd, Mode::TestsOnly, Mode::Refactor, Mode::Gate, Mode::None] {
        assert_eq!(serde_json::to_value(mode).unwrap(), mode.as_str());
        assert_eq!(serde_json::from_value::<Mode>(mode.as_str().into()).unwrap(), mode);
    }
    for bad in ["TDD", "tests_only", ""] {
        assert!(serde_json::from_value::<Mode>(bad.into()).is_err(), "{bad}");
    }
}

#[test]
fn a_cycle_promises_its_coverage() {
    use crate::plan::TddCycle;
    let cycle = |said: &str| TddCycle { expected_coverage: Some(said.to_owned()), ..TddCycle::default() };
    let task =
        |said: &[&str]| Task { tdd_cycles: said.iter().map(|s| cycle(s)).collect(), ..Task::default() };
    assert_eq!(task(&[">=85%"]).coverage_target(), Some(85.0));
    assert_eq!(task(&["at least 70 %", ">= 92.5% of lines"]).coverage_target(), Some(92.5));
    assert_eq!(task(&["high"]).coverage_target(), None);
    let mut own = task(&[">=85%"]);
    own.test.coverage = Some(60.0);
    assert_eq!(own.coverage_target(), Some(60.0), "what is said of the whole task counts");
}
