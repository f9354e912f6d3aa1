//! Levels of detail and familiar code.

use super::*;

fn task(file: &str) -> Task {
    let mut task = Task::default();
    task.files.create.push(file.to_owned());
    task
}

#[test]
fn familiarity_takes_one_level_off() {
    let mut history = History::default();
    for _ in 0..3 {
        history.add(["src/a/x.rs"], TaskEnd::Merged);
    }
    history.add(["src/a/y.rs", "src/a/z.rs"], TaskEnd::Failed);
    for _ in 0..4 {
        history.add(["src/b/x.rs"], TaskEnd::Failed);
    }
    history.add(["src/c/x.rs"], TaskEnd::Merged);
    let rule = Adaptive::default();
    let table = [
        ("src/a/x.rs", StepDetail::High, StepDetail::Medium),
        ("src/a/new.rs", StepDetail::High, StepDetail::High),
        ("src/b/new.rs", StepDetail::Medium, StepDetail::Medium),
        ("src/c/new.rs", StepDetail::Medium, StepDetail::Low),
        ("src/c/new.rs", StepDetail::Low, StepDetail::Low),
        ("elsewhere.rs", StepDetail::High, StepDetail::High),
    ];
    for (file, wanted, expected) in table {
        assert_eq!(adapted(wanted, &task(file), &history, rule), expected, "{file}");
    }
}

#[test]
fn names_of_levels() {
    let table = [
        ("low", Some(StepDetail::Low)),
        ("standard", Some(StepDetail::Low)),
        (" Medium\r\n", Some(StepDetail::Medium)),
        ("HIGH", Some(StepDetail::High)),
        ("", None),
        ("highest", None),
    ];
    for (text, expected) in table {
        assert_eq!(StepDetail::parse(text), expected, "{text}");
    }
    for level in [StepDetail::Low, StepDetail::Medium, StepDetail::High] {
        assert_eq!(StepDetail::parse(level.as_str()), Some(level));
    }
    assert_eq!(StepDetail::default(), StepDetail::Medium);
}

/// A task counts once per directory, however many files it has there.
#[test]
fn directories_become_familiar_by_their_share_of_merged_tasks() {
    let rule = Adaptive { familiar: 100, success: 0.5 };
    let with = |ends: &[TaskEnd]| {
        let mut history = History::default();
        for end in ends {
            history.add(["src/x.rs", "src/y.rs", "src/z.rs"], *end);
        }
        adapted(StepDetail::High, &task("src/new.rs"), &history, rule)
    };
    use TaskEnd::{Failed, Merged};
    assert_eq!(with(&[]), StepDetail::High);
    assert_eq!(with(&[Merged, Failed]), StepDetail::Medium);
    assert_eq!(with(&[Merged, Failed, Failed]), StepDetail::High);
    assert_eq!(with(&[Failed]), StepDetail::High);
}

#[test]
fn files_become_familiar_by_the_number_of_merged_tasks() {
    let mut history = History::default();
    assert!(history.is_empty());
    for end in [TaskEnd::Merged, TaskEnd::Merged, TaskEnd::Failed, TaskEnd::Failed, TaskEnd::Failed] {
        history.add(["main.rs"], end);
    }
    let of =
        |familiar| adapted(StepDetail::High, &task("main.rs"), &history, Adaptive { familiar, success: 1.0 });
    assert_eq!(of(2), StepDetail::Medium);
    assert_eq!(of(3), StepDetail::High);
    assert!(!history.is_empty());
    // A task without files is familiar with nothing.
    assert_eq!(
        adapted(StepDetail::High, &Task::default(), &history, Adaptive { familiar: 0, success: 0.0 }),
        StepDetail::High
    );
}
