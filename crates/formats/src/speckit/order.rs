//! The order that follows from the positions of tasks in the list.

use windlass_core::plan::Task;

/// The position of a task, as far as the order needs it.
pub(super) struct TaskPosition {
    pub(super) phase: usize,
    pub(super) parallel: bool,
    /// Ids named in the sentence: `(depends on T001, T002)`.
    pub(super) named: Vec<String>,
}

/// Fills in the dependencies of each task.
pub(super) fn infer(tasks: &mut [Task], positions: &[TaskPosition]) {
    let mut previous_phase: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < tasks.len() {
        let phase = positions[at].phase;
        let end = (at..tasks.len()).find(|i| positions[*i].phase != phase).unwrap_or(tasks.len());
        let mut followed = vec![false; end - at];
        let mut last_in_line = None;
        for i in at..end {
            let mut waits: Vec<usize> = Vec::new();
            if !positions[i].parallel {
                waits.extend(last_in_line);
                last_in_line = Some(i);
            }
            for id in &positions[i].named {
                let named = (at..end).find(|n| *n != i && tasks[*n].id == *id);
                waits.extend(named.filter(|n| !waits.contains(n)));
            }
            for w in &waits {
                followed[*w - at] = true;
            }
            let begins = waits.is_empty();
            let mut ids: Vec<String> = waits.into_iter().map(|w| tasks[w].id.clone()).collect();
            ids.extend(
                positions[i]
                    .named
                    .iter()
                    .filter(|n| !ids.contains(n) && **n != tasks[i].id)
                    .cloned()
                    .collect::<Vec<_>>(),
            );
            if begins {
                let before = previous_phase.iter().map(|p| tasks[*p].id.clone());
                ids.extend(before.filter(|p| !positions[i].named.contains(p)));
            }
            tasks[i].depends_on = ids;
        }
        previous_phase = (at..end).filter(|i| !followed[*i - at]).collect();
        at = end;
    }
}

/// The ids that a sentence names as dependencies.
pub(super) fn named(sentence: &str) -> Vec<String> {
    let lower = sentence.to_ascii_lowercase();
    let Some(at) = lower.find("depends on").or_else(|| lower.find("after t")) else { return Vec::new() };
    let words = sentence[at..].split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|w| super::line::is_id(w)).map(str::to_owned).collect()
}
