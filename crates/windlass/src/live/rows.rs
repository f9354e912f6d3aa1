//! The places of running tasks: a task keeps its row while it works, and a free row is taken by the next.

use windlass_core::ids::TaskId;
use windlass_core::view::RunningRow;

/// At most so many tasks are shown.
pub(super) const ROWS: usize = 8;

/// Which task has which row.
#[derive(Debug, Default)]
pub(super) struct RowSlots([Option<TaskId>; ROWS]);

/// The rows to show, and how many tasks have none.
#[derive(Debug, Default, PartialEq)]
pub(super) struct PlacedRows {
    /// The rows from the top.
    pub(super) shown: Vec<RunningRow>,
    /// Tasks at work that are not shown.
    pub(super) more: usize,
}

impl RowSlots {
    /// Gives each running task its row, as far as they go.
    pub(super) fn place(&mut self, mut running: Vec<RunningRow>) -> PlacedRows {
        for slot in &mut self.0 {
            let works = |task: &TaskId| running.iter().any(|row| row.task == *task);
            if !slot.as_ref().is_some_and(works) {
                *slot = None;
            }
        }
        let waiting: Vec<TaskId> =
            running.iter().map(|row| &row.task).filter(|task| !self.has(task)).cloned().collect();
        for (slot, task) in self.0.iter_mut().filter(|slot| slot.is_none()).zip(waiting) {
            *slot = Some(task);
        }
        let mut shown = Vec::new();
        for task in self.0.iter().flatten() {
            if let Some(at) = running.iter().position(|row| row.task == *task) {
                shown.push(running.swap_remove(at));
            }
        }
        PlacedRows { shown, more: running.len() }
    }

    fn has(&self, task: &TaskId) -> bool {
        self.0.iter().flatten().any(|taken| taken == task)
    }
}

#[cfg(test)]
mod tests {
    use windlass_core::event::Usage;

    use super::*;

    fn row(name: &str) -> RunningRow {
        RunningRow {
            task: TaskId::new(name).unwrap(),
            title: String::new(),
            strip: String::new(),
            step: "implement",
            attempt: 1,
            agent: String::new(),
            since: 0,
            doing: None,
            usage: Usage::default(),
        }
    }

    fn names(slots: &mut RowSlots, running: &str) -> (String, usize) {
        let placed = slots.place(running.split_whitespace().map(row).collect());
        let names: Vec<&str> = placed.shown.iter().map(|row| row.task.as_str()).collect();
        (names.join(" "), placed.more)
    }

    #[test]
    fn a_task_keeps_its_row_and_a_free_row_is_reused() {
        let mut slots = RowSlots::default();
        assert_eq!(names(&mut slots, "a b c"), ("a b c".into(), 0));
        assert_eq!(names(&mut slots, "c a"), ("a c".into(), 0));
        assert_eq!(names(&mut slots, "a c d"), ("a d c".into(), 0));
        assert_eq!(names(&mut slots, ""), (String::new(), 0));
    }

    #[test]
    fn only_so_many_are_shown_and_the_others_counted() {
        let mut slots = RowSlots::default();
        assert_eq!(names(&mut slots, "a b c d e f g h i j"), ("a b c d e f g h".into(), 2));
        assert_eq!(names(&mut slots, "a b c d e f g i j"), ("a b c d e f g i".into(), 1));
    }
}
