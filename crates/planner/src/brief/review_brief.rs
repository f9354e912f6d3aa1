//! The brief of a change reviewer: the task, the change, and the form of the answer.

use serde::Serialize;

use super::{BriefError, EarlierTask, write};
use windlass_core::plan::{CodeBlock, Criterion, Task};

const TEMPLATE: &str = include_str!("review.md.j2");
/// The most bytes of a change that are shown; the rest can be read in the directory.
const SHOWN: usize = 60_000;

/// The input of a review.
#[derive(Debug, Clone)]
pub struct ReviewBrief<'a> {
    /// The task.
    pub task: &'a Task,
    /// The change, as a patch.
    pub diff: &'a str,
    /// The tests that failed before the change and pass with it.
    pub tests: Vec<String>,
    /// Merged tasks that share files with it.
    pub others: Vec<EarlierTask>,
    /// Earlier rejections.
    pub rejections: Vec<String>,
}

#[derive(Serialize)]
struct ReviewFields<'a> {
    id: &'a str,
    title: &'a str,
    objective: &'a str,
    description: &'a str,
    criteria: &'a [Criterion],
    contract: &'a [CodeBlock],
    tests: &'a [String],
    others: &'a [EarlierTask],
    rejections: &'a [String],
    diff: &'a str,
    cut: bool,
}

/// Renders the brief.
pub fn render_review(brief: &ReviewBrief<'_>) -> Result<String, BriefError> {
    let task = brief.task;
    let end =
        (0..=SHOWN.min(brief.diff.len())).rev().find(|at| brief.diff.is_char_boundary(*at)).unwrap_or(0);
    let told = ReviewFields {
        id: &task.id,
        title: &task.title,
        objective: &task.objective,
        description: &task.description,
        criteria: &task.criteria,
        contract: &task.contract,
        tests: &brief.tests,
        others: &brief.others,
        rejections: &brief.rejections,
        diff: &brief.diff[..end],
        cut: end < brief.diff.len(),
    };
    write(TEMPLATE, &told)
}

#[cfg(test)]
mod tests;
