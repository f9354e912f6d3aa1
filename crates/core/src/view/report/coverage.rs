//! The coverage matrix: from criterion to task to tests.

use serde::Serialize;

use crate::plan::{Criterion, Plan};
use crate::state::TaskState;
use crate::view::{TaskHistory, View};

/// One criterion and what proves it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CriterionCoverage {
    /// Its id; empty where the plan gives none.
    pub criterion: String,
    /// Its text.
    pub text: String,
    /// What in the specification it serves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<String>,
    /// The task.
    pub task: String,
    /// Where the task stands.
    pub state: TaskState,
    /// The tests that were red before and are green now.
    pub tests: Vec<String>,
    /// Whether these tests name the criterion, rather than the task as a whole.
    pub by_name: bool,
    /// The commit that carries it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// The matrix of a plan. A task without criteria has one row, so that nothing is left out.
pub fn coverage(plan: &Plan, view: &View, histories: &[TaskHistory]) -> Vec<CriterionCoverage> {
    let mut rows = Vec::new();
    for task in &plan.tasks {
        let Some(seen) = view.task(&task.id) else { continue };
        let history = histories.iter().find(|h| h.task.as_str() == task.id);
        let tests = history.map(red_tests).unwrap_or_default();
        let traced = task.traces_to.stories.iter().chain(&task.traces_to.criteria);
        let traces: Vec<String> = traced.cloned().collect();
        let row = |criterion: &Criterion| {
            let named: Vec<String> = tests.iter().filter(|t| names(t, &criterion.id)).cloned().collect();
            let by_name = !named.is_empty();
            CriterionCoverage {
                criterion: criterion.id.clone(),
                text: criterion.text.clone(),
                traces: traces.clone(),
                task: task.id.clone(),
                state: seen.state,
                tests: if by_name { named } else { tests.clone() },
                by_name,
                commit: seen.commit.as_ref().map(|c| c.short().to_owned()),
            }
        };
        if task.criteria.is_empty() {
            rows.push(row(&Criterion { id: String::new(), text: task.title.clone(), assertion: None }));
        }
        rows.extend(task.criteria.iter().map(row));
    }
    rows
}

/// The tests that were seen red, of whichever try.
fn red_tests(history: &TaskHistory) -> Vec<String> {
    let red = history.attempts.iter().rev().find_map(|a| a.red.as_ref());
    red.map(|r| r.tests.clone()).unwrap_or_default()
}

/// Whether a test's name has the criterion's id in it, whatever stands between its parts.
fn names(test: &str, id: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|p| !p.is_empty())
            .map(str::to_ascii_lowercase)
            .collect()
    };
    let (test, id) = (parts(test), parts(id));
    !id.is_empty() && test.windows(id.len()).any(|w| w == id)
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_test_names_a_criterion_by_its_parts() {
        assert!(names("tests/a.py::test_ac_1_prints", "AC-1"));
        assert!(!names("tests/a.py::test_ac_12_prints", "AC-1"));
        assert!(!names("anything", ""));
    }
}
