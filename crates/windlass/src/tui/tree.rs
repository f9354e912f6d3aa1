//! The rows of the tree: phases and their tasks, folded and filtered.

use std::collections::BTreeSet;

use windlass_core::state::TaskState;
use windlass_core::view::{TaskView, View};

/// A row of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeRow {
    /// The phase or task that it shows.
    pub(super) item: TreeItem,
    /// How many parents are above it.
    pub(super) depth: usize,
}

/// A phase or a task, as a place in the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TreeItem {
    /// A place in [`View::parents`].
    Phase(usize),
    /// A place in [`View::tasks`].
    Task(usize),
}

/// Which tasks are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum TaskFilter {
    /// All of them.
    #[default]
    All,
    /// Those that wait for a person.
    Attention,
    /// Those at work.
    Running,
    /// Those not merged yet.
    Open,
}

impl TaskFilter {
    /// The next one.
    pub(super) fn next(self) -> Self {
        match self {
            TaskFilter::All => TaskFilter::Attention,
            TaskFilter::Attention => TaskFilter::Running,
            TaskFilter::Running => TaskFilter::Open,
            TaskFilter::Open => TaskFilter::All,
        }
    }

    /// Its words.
    pub(super) fn words(self) -> &'static str {
        match self {
            TaskFilter::All => "all tasks",
            TaskFilter::Attention => "waiting for you",
            TaskFilter::Running => "at work",
            TaskFilter::Open => "not merged",
        }
    }

    fn lets_pass(self, view: &View, task: &TaskView) -> bool {
        match self {
            TaskFilter::All => true,
            TaskFilter::Attention => view.need_of(task).is_some(),
            TaskFilter::Running => matches!(task.state, TaskState::InProgress | TaskState::Testing),
            TaskFilter::Open => task.state != TaskState::Completed,
        }
    }
}

/// The rows in the order of the plan. A phase without a task that passes the filter is left out.
pub(super) fn rows(view: &View, filter: TaskFilter, folded: &BTreeSet<String>) -> Vec<TreeRow> {
    let mut rows = Vec::new();
    let mut shown = vec![false; view.parents.len()];
    for (at, task) in view.tasks.iter().enumerate().filter(|(_, task)| filter.lets_pass(view, task)) {
        let chain = view.places_of(task);
        let mut hidden = false;
        for (depth, place) in chain.iter().enumerate() {
            if !hidden && !std::mem::replace(&mut shown[*place], true) {
                rows.push(TreeRow { item: TreeItem::Phase(*place), depth });
            }
            hidden |= folded.contains(&view.parents[*place].id);
        }
        if !hidden {
            rows.push(TreeRow { item: TreeItem::Task(at), depth: chain.len() });
        }
    }
    rows
}
