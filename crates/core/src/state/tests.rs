//! States: names, ends and the fold of parents. The table of moves is in `tests/task_states.rs`.

use super::TaskState::{self, *};

#[test]
fn a_parent_is_a_fold_of_its_children() {
    let table: [(&[TaskState], TaskState); 8] = [
        (&[], Pending),
        (&[Pending, Pending], Pending),
        (&[Completed, Pending], InProgress),
        (&[Completed, TestFailed], InProgress),
        (&[Completed, Failed], Failed),
        (&[Completed, Blocked], Blocked),
        (&[Completed, Skipped], Completed),
        (&[Skipped, Skipped], Skipped),
    ];
    for (children, expected) in table {
        assert_eq!(TaskState::of_children(children.iter().copied()), expected, "{children:?}");
    }
}

#[test]
fn an_illegal_move_names_both_ends() {
    let error = Skipped.after(&crate::event::TaskEvent::Approved).unwrap_err();
    assert_eq!((error.from, error.to), (Skipped, Testing));
    assert_eq!(error.to_string(), "a task cannot go from `skipped` to `testing`");
}

#[test]
fn every_state_has_one_name_and_only_a_person_moves_an_end() {
    let table = [
        (Pending, "pending", false),
        (InProgress, "in_progress", false),
        (Testing, "testing", false),
        (TestFailed, "test_failed", false),
        (Completed, "completed", true),
        (Failed, "failed", true),
        (Blocked, "blocked", true),
        (Skipped, "skipped", true),
    ];
    assert_eq!(table.map(|(state, ..)| state), TaskState::ALL);
    for (state, name, is_end) in table {
        assert_eq!((state.as_str(), state.is_end()), (name, is_end));
        assert_eq!(serde_json::to_value(state).unwrap(), name, "the name in files is the name in output");
        assert_eq!(serde_json::from_value::<TaskState>(name.into()).unwrap(), state);
    }
    assert!(serde_json::from_value::<TaskState>("done".into()).is_err());
    assert_eq!(TaskState::default(), Pending);
}

#[test]
fn open_work_below_keeps_a_parent_in_progress_and_the_worst_end_wins() {
    let table: [(&[TaskState], TaskState); 9] = [
        (&[InProgress], InProgress),
        (&[Testing, Pending], InProgress),
        (&[Failed, Pending], InProgress),
        (&[Blocked, InProgress], InProgress),
        (&[Failed, Blocked, Completed, Skipped], Failed),
        (&[Blocked, Completed, Skipped], Blocked),
        (&[Skipped, Completed], Completed),
        (&[Completed], Completed),
        (&[Skipped], Skipped),
    ];
    for (children, expected) in table {
        assert_eq!(TaskState::of_children(children.iter().copied()), expected, "{children:?}");
        assert_eq!(
            TaskState::of_children(children.iter().rev().copied()),
            expected,
            "in any order: {children:?}"
        );
    }
}
