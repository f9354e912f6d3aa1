//! Small plans of a lending library, one in each format, as its tool would leave them. Written for the tests.

use std::fmt::Write as _;

use crate::{Dialect, Input, TextFile};
use windlass_core::plan::{Criterion, Loaded, Plan, Task, Verification};

/// An input of these files.
pub(crate) fn input(files: &[(&str, &str)]) -> Input {
    let file =
        |(path, text): &(&str, &str)| TextFile { path: (*path).to_owned(), bytes: text.as_bytes().to_vec() };
    Input { root: "library".into(), files: files.iter().map(file).collect() }
}

/// What was read, for a snapshot: a line per task with what it says, then the findings in their places.
pub(crate) fn summary(loaded: &Loaded) -> String {
    let plan = &loaded.plan;
    let mut text = format!("{} {:?}\n", plan.name, plan.phases);
    for t in &plan.tasks {
        let mut parts = vec![format!("{} `{}`", t.id, t.title)];
        let mut add = |name: &str, value: String| {
            if !matches!(value.as_str(), "" | "[]" | "None" | "{}") {
                parts.push(format!("{name} {value}"));
            }
        };
        add("in", t.parent.clone().unwrap_or_default());
        add("after", t.depends_on.join(" "));
        add("creates", t.files.create.join(" "));
        add("modifies", t.files.modify.join(" "));
        add("reads", t.files.read.join(" "));
        add("deletes", t.files.delete.join(" "));
        add("is", t.claimed_state.clone().unwrap_or_default());
        add("test", serde_json::to_string(&t.test).unwrap_or_default());
        add("verified by", t.verification.as_ref().map_or_else(String::new, |v| v.script.clone()));
        add("criteria", t.criteria.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join("; "));
        add("steps", t.steps.iter().map(|s| s.action.as_str()).collect::<Vec<_>>().join(" "));
        add("keeps", t.extra.keys().cloned().collect::<Vec<_>>().join(" "));
        text.push_str(&parts.join(" | "));
        text.push('\n');
    }
    for d in &loaded.diagnostics {
        let at = d.span.map_or_else(String::new, |s| {
            let p = loaded.sources.position(s);
            format!(" {}:{}:{}", loaded.sources.file(s.file).path, p.line, p.column)
        });
        let _ = writeln!(text, "{:?} {}{at}: {}", d.severity, d.code, d.message);
    }
    text
}

/// The text of one of the files written.
pub(crate) fn text_of(files: &[TextFile], path: &str) -> String {
    let file = files.iter().find(|f| f.path.ends_with(path));
    file.map_or_else(|| format!("no {path}"), |f| String::from_utf8_lossy(&f.bytes).into_owned())
}

/// A plan that knows nothing of any format: a parent with two children, and a task that waits for the parent.
pub(crate) fn plain() -> Plan {
    let task = |id: &str, title: &str, parent: Option<&str>, after: &[&str]| Task {
        id: id.to_owned(),
        title: title.to_owned(),
        parent: parent.map(str::to_owned),
        depends_on: after.iter().map(|d| (*d).to_owned()).collect(),
        ..Task::default()
    };
    let mut tasks = vec![
        task("model", "Create the loan model", None, &[]),
        task("lend", "Lend books", None, &["model"]),
        task("reserve", "Reserve a book", Some("lend"), &[]),
        task("hand-over", "Hand the book over", Some("lend"), &["reserve"]),
        task("report", "Report loans", None, &["lend", "model"]),
    ];
    tasks[0].files.create.push("library/loan.py".to_owned());
    tasks[0].test.file = Some("tests/test_loan.py".to_owned());
    tasks[0].criteria.push(Criterion {
        id: "AC-1".into(),
        text: "a loan has a due date".into(),
        ..Criterion::default()
    });
    tasks[0].traces_to.stories.push("US1".to_owned());
    tasks[0].verification = Some(Verification { script: "pytest -q".into(), timeout_seconds: Some(30) });
    Plan { name: "library".into(), title: Some("Lending library".into()), tasks, ..Plan::default() }
}

/// Every fixture with its format.
pub(crate) fn all() -> Vec<(Dialect, Input)> {
    vec![
        (Dialect::Zerg, input(&[("task-graph.json", ZERG)])),
        (Dialect::Taskmaster, input(&[("tasks.json", TASKMASTER)])),
        (Dialect::Homerun, input(&[("docs/tasks.json", HOMERUN), ("state.json", HOMERUN_STATE)])),
        (Dialect::Homerun, input(&[("state.json", HOMERUN_DICT)])),
        (Dialect::Homerun, input(&[("docs/tasks/001-loan-model.md", HOMERUN_MD)])),
        (Dialect::Superplanner, input(&[("library.json", SUPERPLANNER), ("loans.json", SUPERPLANNER_SUB)])),
        (Dialect::Speckit, input(&[("tasks.md", SPECKIT), ("spec.md", SPECKIT_SPEC)])),
        (
            Dialect::Ccw,
            input(&[
                ("plan.json", CCW_PLAN),
                (".task/IMPL-1.json", CCW_TASK),
                (".task/IMPL-1.1.json", CCW_PART),
            ]),
        ),
        (Dialect::Ccw, input(&[("QUE-1.json", CCW_QUEUE)])),
    ]
}

pub(crate) const ZERG: &str = include_str!("../../tests/fixtures/zerg/task-graph.json");

pub(crate) const TASKMASTER: &str = include_str!("../../tests/fixtures/taskmaster/tasks.json");

pub(crate) const HOMERUN: &str = include_str!("../../tests/fixtures/homerun/tasks.json");

pub(crate) const HOMERUN_STATE: &str = include_str!("../../tests/fixtures/homerun/state.json");

pub(crate) const HOMERUN_DICT: &str = include_str!("../../tests/fixtures/homerun/state-with-tasks.json");

pub(crate) const HOMERUN_MD: &str = include_str!("../../tests/fixtures/homerun/001-loan-model.md");

pub(crate) const SUPERPLANNER: &str = include_str!("../../tests/fixtures/superplanner/library.json");

pub(crate) const SUPERPLANNER_SUB: &str = include_str!("../../tests/fixtures/superplanner/loans.json");

pub(crate) const SPECKIT: &str = include_str!("../../tests/fixtures/speckit/tasks.md");

pub(crate) const SPECKIT_SPEC: &str = include_str!("../../tests/fixtures/speckit/spec.md");

pub(crate) const CCW_PLAN: &str = include_str!("../../tests/fixtures/ccw/plan.json");

pub(crate) const CCW_TASK: &str = include_str!("../../tests/fixtures/ccw/IMPL-1.json");

pub(crate) const CCW_PART: &str = include_str!("../../tests/fixtures/ccw/IMPL-1.1.json");

pub(crate) const CCW_QUEUE: &str = include_str!("../../tests/fixtures/ccw/QUE-1.json");
