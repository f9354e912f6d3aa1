//! The coverage gate: measures the promised coverage on the task's own code.

use std::path::Path;

use windlass_code::coverage::{CoveragePlan, LineCoverage, ask, read};
use windlass_code::detect::is_test_path;
use windlass_code::script::instrument_in;
use windlass_core::plan::Task;

use super::script::task_script;
use crate::git_tree::GitTree;
use crate::sandbox::read_plain;

/// What a measurement showed.
pub(super) enum Measured {
    /// The target is reached.
    Kept(String),
    /// The target is missed; in one line.
    Missed(String),
    /// It could not be measured; why.
    Unknown(String),
}

/// How to measure the task's tests, or why that is not known.
pub(super) fn plan(task: &Task, tree: &GitTree, dir: &Path) -> Result<CoveragePlan, String> {
    let script = task_script(task, tree).unwrap_or_default();
    let dir = dir.to_string_lossy();
    let runner = instrument_in(tree, &script, &dir).runner();
    let runner = runner.ok_or("the test runner is not known")?;
    ask(runner, &script, &dir).ok_or_else(|| "no coverage tool is known for this test command".into())
}

/// Compares a report with the promise, on the owned code alone.
pub(super) fn judge(target: f64, plan: &CoveragePlan, owned: &[String], root: &Path) -> Measured {
    let report = Path::new(&plan.report);
    let Some(bytes) = read_plain(report, &report.parent().into_iter().collect::<Vec<_>>()) else {
        return Measured::Unknown(format!("`{}` left no report; is it installed?", plan.tool));
    };
    let root = root.to_string_lossy();
    let mut sum = LineCoverage::default();
    for (path, found) in read(plan.format, &bytes) {
        let relative = path.strip_prefix(&*root).unwrap_or(&path).trim_start_matches('/');
        let mine =
            owned.iter().any(|o| !is_test_path(o) && (relative == o || relative.ends_with(&format!("/{o}"))));
        if mine {
            sum.covered += found.covered;
            sum.total += found.total;
        }
    }
    let percent = sum.percent();
    if sum.total == 0 {
        return Measured::Unknown("the report names none of the task's files".into());
    }
    let words = format!("{percent:.1} % of {} lines, {target:.0} % are promised", sum.total);
    if percent + 1e-9 >= target { Measured::Kept(words) } else { Measured::Missed(words) }
}
