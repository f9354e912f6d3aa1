//! Tests: running a verification script.

use windlass_core::plan::Verification;

use super::*;
use crate::process::TimeLimit;

/// A tree without files.
struct Empty;

impl Tree for Empty {
    fn paths(&self) -> &[String] {
        &[]
    }

    fn read(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn has(&self, _: &str) -> bool {
        false
    }
}

#[test]
fn the_script_of_a_task_is_stated_or_follows_from_its_tests() {
    let stated = |script: &str| Verification { script: script.into(), ..Verification::default() };
    let mut task = Task { verification: Some(stated("make check")), ..Task::default() };
    task.test.command = Some("pytest".into());
    assert_eq!(task_script(&task, &Empty).as_deref(), Some("make check"));
    task.verification = Some(stated(" \n"));
    assert_eq!(task_script(&task, &Empty).as_deref(), Some("pytest"));
    task.test.command = Some(" ".into());
    assert_eq!(task_script(&task, &Empty), None);
}

#[test]
fn a_cancelled_run_has_no_exit() {
    let clock = TimeLimit::Wall(Duration::from_secs(1));
    for (exit, wanted) in [
        (ProcessExit::Code(3), Some(RunExit::Code(3))),
        (ProcessExit::Signal(9), Some(RunExit::Signal(9))),
        (ProcessExit::TimedOut(clock), Some(RunExit::TimedOut)),
        (ProcessExit::NotStarted("x".into()), Some(RunExit::NotStarted)),
        (ProcessExit::Cancelled, None),
    ] {
        assert_eq!(exit_of(&exit), wanted, "{exit:?}");
    }
}

#[test]
fn of_a_large_output_the_head_and_the_tail_are_read() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("merged");
    std::fs::write(&path, "short").unwrap();
    assert_eq!(read_back(&path), b"short");
    let mut large = b"HEAD".to_vec();
    large.resize(usize::try_from(READ_BACK).unwrap() * 2, b'.');
    large.extend(b"TAIL");
    std::fs::write(&path, &large).unwrap();
    let read = read_back(&path);
    assert!(read.len() as u64 <= READ_BACK + 16);
    assert!(read.starts_with(b"HEAD") && read.ends_with(b"TAIL"));
    assert_eq!(read_back(&temp.path().join("none")), b"");
}

#[test]
fn the_size_of_the_largest_file_is_a_sign_of_life() {
    let temp = tempfile::tempdir().unwrap();
    assert_eq!(size_below(temp.path()), 0);
    std::fs::write(temp.path().join("a"), "12345").unwrap();
    std::fs::write(temp.path().join("b"), "1").unwrap();
    assert_eq!(size_below(temp.path()), 5);
    assert_eq!(size_below(&temp.path().join("none")), 0);
}
