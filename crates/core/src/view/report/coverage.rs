//! The coverage matrix: from criterion to task to tests.

use std::collections::HashMap;

use serde::Serialize;

use crate::criteria::{Bite, LinkSource, Standing, criteria_of};
use crate::plan::{Criterion, Plan};
use crate::state::TaskState;
use crate::view::{TaskView, View};

/// One criterion, how it stands, and by which tests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CriterionCoverage {
    /// Its id, or its number in its task (`#2`).
    pub criterion: String,
    /// Its text.
    pub text: String,
    /// How it stands.
    pub standing: Standing,
    /// The tasks that serve it; none if no task does.
    pub tasks: Vec<String>,
    /// The state of these tasks: the one that is furthest from completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<TaskState>,
    /// The tests that stand for it.
    pub tests: Vec<String>,
    /// What says that they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<LinkSource>,
    /// Whether they were seen to fail when the code or their expectation was made wrong.
    pub bites: Bite,
    /// The stories and decisions that its tasks trace to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<String>,
    /// The commits that carry it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<String>,
}

/// The matrix of a plan: every criterion of its tasks and of its specification, each once.
pub fn coverage(plan: &Plan, view: &View) -> Vec<CriterionCoverage> {
    let mut rows: Vec<CriterionCoverage> = Vec::new();
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    for task in &plan.tasks {
        let seen = view.task(&task.id);
        for (n, criterion) in criteria_of(plan, task).into_iter().enumerate() {
            let row = row_of(&task.id, seen, &criterion);
            let row = CriterionCoverage {
                traces: task.traces_to.stories.iter().chain(&task.traces_to.decisions).cloned().collect(),
                ..row
            };
            if let Some(at) = places.get(&place(&task.id, n, &criterion)) {
                rows[*at].join(row);
            } else {
                places.insert(place(&task.id, n, &criterion), rows.len());
                rows.push(row);
            }
        }
    }
    for criterion in &plan.criteria {
        if !rows.iter().any(|row| row.criterion == criterion.id) {
            rows.push(CriterionCoverage { tasks: Vec::new(), ..row_of("", None, criterion) });
        }
    }
    rows
}

/// What makes two criteria of different tasks the same one: id and text. A criterion without an id is its task's own.
fn place(task: &str, n: usize, criterion: &Criterion) -> (String, String) {
    if criterion.id.starts_with('#') {
        return (task.to_owned(), n.to_string());
    }
    (criterion.id.clone(), criterion.text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn row_of(task: &str, seen: Option<&TaskView>, criterion: &Criterion) -> CriterionCoverage {
    let proof = seen.and_then(|t| t.criteria.iter().find(|proof| proof.criterion == criterion.id));
    let completed = seen.is_some_and(|t| t.state == TaskState::Completed);
    let standing = match proof.map(|proof| proof.standing) {
        // What was proved is another text than the plan's.
        Some(Standing::Proved | Standing::Held) if seen.is_some_and(TaskView::is_stale) => Standing::Merged,
        Some(standing) => standing,
        None if completed => Standing::Merged,
        None => Standing::Open,
    };
    CriterionCoverage {
        criterion: criterion.id.clone(),
        text: criterion.text.clone(),
        standing,
        tasks: vec![task.to_owned()],
        state: seen.map(|t| t.state),
        tests: proof.map(|proof| proof.tests.clone()).unwrap_or_default(),
        by: proof.and_then(|proof| proof.by),
        bites: proof.map(|proof| proof.bites).unwrap_or_default(),
        traces: Vec::new(),
        commits: seen.iter().filter_map(|t| Some(t.commit.as_ref()?.short().to_owned())).collect(),
    }
}

impl CriterionCoverage {
    /// Adds what another task says of the same criterion. It is open while one of its tasks is; then the best of them
    /// counts.
    fn join(&mut self, other: CriterionCoverage) {
        let open = self.standing == Standing::Open || other.standing == Standing::Open;
        self.standing = if open { Standing::Open } else { self.standing.min(other.standing) };
        self.state = match (self.state, other.state) {
            (Some(TaskState::Completed), state) | (state, _) => state,
        };
        self.by = self.by.or(other.by);
        self.bites = self.bites.max(other.bites);
        for (own, new) in [
            (&mut self.tasks, other.tasks),
            (&mut self.tests, other.tests),
            (&mut self.traces, other.traces),
            (&mut self.commits, other.commits),
        ] {
            own.extend(new.into_iter().filter(|item| !own.contains(item)).collect::<Vec<_>>());
        }
    }
}

#[cfg(test)]
mod tests;
