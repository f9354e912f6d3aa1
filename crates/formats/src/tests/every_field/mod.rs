//! A task with every field set, as each dialect writes it: what has a key of its own, and what travels under `windlass`.

mod ccw;
mod contract;
mod homerun;
mod native;
mod speckit;
mod superplanner;
mod taskmaster;
mod zerg;

use std::fmt::Write as _;

use super::full_task;
use crate::{Dialect, Input, read, write};
use windlass_core::plan::{Plan, Task};

/// The files of a plan with one full task, and the proof that the task comes back.
fn written(dialect: Dialect) -> String {
    let plan = Plan { name: "full".into(), tasks: vec![full_task()], ..Plan::default() };
    let files = write(dialect, &plan, &|_| None);
    let mut text = String::new();
    for file in &files {
        let _ = writeln!(text, "=== {}\n{}", file.path, String::from_utf8_lossy(&file.bytes));
    }
    let mut back = read(dialect, &Input { root: String::new(), files }).plan.tasks.remove(0);
    back.extra.shift_remove(dialect.as_str());
    back.places.clear();
    let expected = full_task();
    // A state that was read is a claim about the file, and each format writes it in its own words.
    let bare = |task: Task| Task { claimed_state: None, extra: serde_json::Map::new(), ..task };
    assert_eq!(bare(back), bare(expected), "{dialect}");
    text
}
