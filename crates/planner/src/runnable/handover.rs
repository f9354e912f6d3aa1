//! Tests whose code comes with a later task. They cannot be green before that code, so they become its red commit.
//!
//! The task that only writes tests becomes a parent of the task that implements them: it is done when that one is, what
//! waits for it waits for that one, and what it waits for that one waits for. Whether the tests are red is seen at run
//! time.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use windlass_code::detect::is_test_path;
use windlass_core::diagnostic::{Diagnostic, Severity};
use windlass_core::plan::{Mode, Plan, Task, infer_mode};

use super::tree::TaskTree;

/// Two tasks that were joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handover {
    /// The task that writes the tests.
    pub tests: String,
    /// The task that makes them pass.
    pub code: String,
}

/// The places of two tasks that belong together: the tests and the code.
type HandedTasks = (usize, usize);

/// Every task that only writes tests, with the one later task that makes them pass.
fn pairs(plan: &Plan) -> Vec<HandedTasks> {
    let parents: HashSet<&str> = plan.tasks.iter().filter_map(|t| t.parent.as_deref()).collect();
    let writes_tests = |t: &Task| !parents.contains(t.id.as_str()) && mode(t) == Mode::TestsOnly;
    let tests: Vec<usize> = (0..plan.tasks.len()).filter(|at| writes_tests(&plan.tasks[*at])).collect();
    if tests.is_empty() {
        return Vec::new();
    }
    let mut dependants: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, task) in plan.tasks.iter().enumerate() {
        for id in &task.depends_on {
            let later = dependants.entry(id).or_default();
            if later.last() != Some(&at) {
                later.push(at);
            }
        }
    }
    let implementer = |at: usize| {
        let tests = &plan.tasks[at];
        let files: Vec<&str> = tests.owned().collect();
        let later = dependants.get(tests.id.as_str()).into_iter().flatten().copied();
        let mut found = later.filter(|to| {
            let code = &plan.tasks[*to];
            mode(code) == Mode::Tdd && is_proved_by(code, &files) && !tests.depends_on.contains(&code.id)
        });
        match (found.next(), found.next()) {
            (Some(to), None) => Some((at, to)),
            _ => None,
        }
    };
    tests.into_iter().filter_map(implementer).collect()
}

fn mode(task: &Task) -> Mode {
    infer_mode(task, &is_test_path)
}

/// Whether a task's own proof names one of these files.
fn is_proved_by(task: &Task, files: &[&str]) -> bool {
    let script = task.verification.as_ref().map_or("", |v| v.script.as_str());
    let command = task.test.command.as_deref().unwrap_or("");
    files.iter().any(|f| task.test.file.as_deref() == Some(f) || script.contains(f) || command.contains(f))
}

/// Joins tests with the code that makes them pass. A plan whose ids and parents are broken stays as it is: its errors
/// are about the plan as written.
pub(super) fn hand_over(plan: &mut Cow<'_, Plan>, max_depth: u32) -> Vec<Handover> {
    let pairs = pairs(plan);
    if pairs.is_empty() {
        return Vec::new();
    }
    let Some(mut tree) = TaskTree::of(plan, max_depth) else { return Vec::new() };
    let plan = plan.to_mut();
    for (tests, code) in &pairs {
        tree.join(plan, *tests, *code);
        merge_texts(plan, *tests, *code);
    }
    for (at, task) in plan.tasks.iter().map(|t| t.id.clone()).collect::<Vec<_>>().into_iter().enumerate() {
        for part in &tree.parts[at] {
            plan.tasks[*part].parent = Some(task.clone());
        }
    }
    let id = |at: &usize| plan.tasks[*at].id.clone();
    pairs.iter().map(|(tests, code)| Handover { tests: id(tests), code: id(code) }).collect()
}

/// Moves the tests, and the text about them, to the task that makes them pass.
fn merge_texts(plan: &mut Plan, at: usize, to: usize) {
    let tests = std::mem::take(&mut plan.tasks[at]);
    let code = &mut plan.tasks[to];
    code.files.create.extend(tests.files.create.iter().cloned());
    code.files.modify.extend(tests.files.modify.iter().cloned());
    if code.test.file.is_none() {
        code.test.file = tests.test.file.clone().or_else(|| tests.owned().next().map(str::to_owned));
    }
    code.test_code.extend(tests.test_code.iter().cloned());
    code.criteria.extend(tests.criteria.iter().cloned());
    for text in [&tests.objective, &tests.description].into_iter().filter(|t| !t.is_empty()) {
        if !code.description.is_empty() {
            code.description.push_str("\n\n");
        }
        code.description.push_str(&format!("Tests ({}): {text}", tests.id));
    }
    // A task that names no code file would now look like one that only writes tests.
    if mode(code) != Mode::Tdd {
        code.mode = Some(Mode::Tdd);
    }
    plan.tasks[at] = Task {
        id: tests.id,
        title: tests.title,
        depends_on: tests.depends_on,
        parent: tests.parent,
        places: tests.places,
        ..Task::default()
    };
}

/// Says in cycles, and in errors about a joined task, what was joined: the plan as written does not show it.
pub(super) fn explain(handovers: &[Handover], findings: &mut [Diagnostic]) {
    const NAMED: usize = 3;
    for finding in findings.iter_mut().filter(|f| f.severity == Severity::Error) {
        let is_about = |h: &&Handover| {
            finding.code == "WL0150"
                || finding.task.as_ref().is_some_and(|t| [&h.tests, &h.code].contains(&t))
        };
        let joined = handovers.iter().filter(is_about).take(NAMED);
        let said: Vec<String> = joined
            .map(|h| format!("the tests of `{}` are merged together with `{}`", h.tests, h.code))
            .collect();
        if !said.is_empty() {
            finding.help = Some(finding.help.take().into_iter().chain(said).collect::<Vec<_>>().join("; "));
        }
    }
}
