//! Tests of `agent/mechanical`.

use windlass_core::plan::Step;

use super::*;

fn step(action: Action, file: Option<&str>, code: Option<&str>) -> Step {
    Step { file: file.map(str::to_owned), code: code.map(str::to_owned), ..Step::of(action) }
}

#[test]
fn only_steps_with_a_file_and_code_are_written() {
    let steps = vec![
        step(Action::Implement, Some("a.py"), Some("x = 1")),
        step(Action::Implement, Some("b.py"), None),
        step(Action::Implement, None, Some("y")),
        step(Action::WriteTest, Some("test_a.py"), Some("t")),
    ];
    let task = Task { steps, ..Task::default() };
    assert_eq!(pieces(&task, Action::Implement), [("a.py", "x = 1")]);
    assert_eq!(pieces(&task, Action::WriteTest), [("test_a.py", "t")]);
    assert!(pieces(&task, Action::Refactor).is_empty());
}

#[test]
fn files_are_written_below_the_directory_and_nowhere_else() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "src/deep/a.py", "x = 1").unwrap();
    assert_eq!(fs::read_to_string(dir.path().join("src/deep/a.py")).unwrap(), "x = 1\n");
    put(dir.path(), "./b.py", "y\n").unwrap();
    assert_eq!(fs::read_to_string(dir.path().join("b.py")).unwrap(), "y\n");
    for path in ["../out.py", "/etc/x", "a/../../x"] {
        assert_eq!(put(dir.path(), path, "").unwrap_err(), format!("`{path}` leads out of the repository"));
    }
}
