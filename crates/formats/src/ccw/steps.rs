//! `implementation`: three steps, red, green and refactor; or, in plans that are not test-first, a list of sentences.

use serde_json::{Value, json};

use crate::json::{Fit, JsonKind, JsonNode, Shape, ValueReader};
use crate::reading::code;
use windlass_core::diagnostic::Severity;
use windlass_core::plan::{Action, Step, Task};

/// The rounds of test and fix in the green phase, where a plan sets none.
const ROUNDS: u32 = 3;

/// The members of a step.
const STEP: Shape = Shape::Object(&[
    ("step", Shape::Label),
    ("title", Shape::Text),
    ("description", Shape::Text),
    ("tdd_phase", Shape::Text),
    ("test_fix_cycle", Shape::Object(&[("auto_revert", Shape::Flag)])),
    ("modification_points", Shape::List(&Shape::Any)),
    ("logic_flow", Shape::List(&Shape::Any)),
    ("depends_on", Shape::List(&Shape::Label)),
    ("output", Shape::Text),
]);

/// Reads the list. The original is kept: it says more than steps do.
pub(super) fn read(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    if !node.is_list() {
        return f.misfit(node, "a list of steps");
    }
    let mut notes: Vec<String> = Vec::new();
    for item in node.items() {
        match &item.kind {
            JsonKind::Text(text) => notes.push(text.to_string()),
            JsonKind::Object(_) => step(f, item, t, &mut notes),
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::List(_) => {
                f.wrong_item(item, "a step");
            }
        }
    }
    if t.steps.len() == 6 {
        t.steps.extend([Step::of(Action::Format), Step::of(Action::Commit)]);
    }
    if !notes.is_empty() {
        t.notes = notes.join("\n");
    }
    Fit::Odd
}

fn step(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task, notes: &mut Vec<String>) {
    f.fits(node, STEP);
    let said = ["description", "title"].iter().find_map(|key| node.get(key)?.text());
    if let Some(rounds) = node.get("test_fix_cycle").and_then(|c| c.get("max_iterations")) {
        read_rounds(f, rounds, t);
    }
    let pair = match node.get("tdd_phase").and_then(JsonNode::text) {
        Some("red") => [Action::WriteTest, Action::VerifyFail],
        Some("green") => [Action::Implement, Action::VerifyPass],
        Some("refactor") => [Action::Refactor, Action::VerifyPass],
        Some(other) => {
            f.unknown_word(node.get("tdd_phase").unwrap_or(node), other, "red, green, refactor");
            notes.extend(said.map(str::to_owned));
            return;
        }
        None => {
            notes.extend(said.map(str::to_owned));
            return;
        }
    };
    let mut first = Step::of(pair[0]);
    first.title = said.map(str::to_owned);
    t.steps.extend([first, Step::of(pair[1])]);
}

/// Reads the limit of rounds, which may be in several places.
pub(super) fn read_rounds(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    let mut rounds = None;
    let fit = f.int(node, &mut rounds);
    if let Some(few) = rounds.filter(|rounds| *rounds < 1) {
        let message = format!("a whole number from 1 expected, this is {few}");
        f.find(code::WRONG_TYPE, Severity::Error, node, message);
        return Fit::No;
    }
    t.max_iterations = rounds.and_then(|r| u32::try_from(r).ok()).or(t.max_iterations);
    fit
}

/// Exactly three steps that say what the task knows about each phase; nothing for a task without steps.
pub(super) fn value(t: &Task) -> Value {
    if t.steps.is_empty() {
        return Value::Null;
    }
    json!([
        { "step": 1, "title": "Red", "description": red(t), "tdd_phase": "red" },
        {
            "step": 2,
            "title": "Green",
            "description": green(t),
            "tdd_phase": "green",
            "test_fix_cycle": { "max_iterations": t.max_iterations.unwrap_or(ROUNDS) },
        },
        { "step": 3, "title": "Refactor", "description": refactor(t), "tdd_phase": "refactor" },
    ])
}

fn titled(t: &Task, action: Action) -> Option<String> {
    t.steps.iter().find(|s| s.action == action).and_then(|s| s.title.clone())
}

/// What the red phase does.
pub(super) fn red(t: &Task) -> String {
    titled(t, Action::WriteTest).unwrap_or_else(|| {
        let cases: Vec<&str> = t.tdd_cycles.iter().flat_map(|c| &c.test_cases).map(String::as_str).collect();
        let count = t.tdd_cycles.iter().filter_map(|c| c.test_count).sum::<u32>();
        match (cases.is_empty(), count, &t.test.file) {
            (false, _, _) => format!("Write {}: [{}]", counted(cases.len(), "test case"), cases.join(", ")),
            (true, 1.., _) => format!("Write {}", counted(count as usize, "test case")),
            (true, 0, Some(file)) => format!("Write failing tests in {file}"),
            (true, 0, None) => "Write failing tests".to_owned(),
        }
    })
}

/// The files a task writes to.
fn changed(t: &Task) -> Vec<&str> {
    t.files.create.iter().chain(&t.files.modify).map(String::as_str).collect()
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// What the green phase does.
pub(super) fn green(t: &Task) -> String {
    titled(t, Action::Implement).unwrap_or_else(|| {
        let scopes: Vec<&str> =
            t.tdd_cycles.iter().filter_map(|c| c.implementation_scope.as_deref()).collect();
        let files = changed(t);
        match (scopes.is_empty(), files.is_empty()) {
            (false, _) => scopes.join("; "),
            (true, false) => format!("Implement in {}: [{}]", counted(files.len(), "file"), files.join(", ")),
            (true, true) => "Implement until the tests pass".to_owned(),
        }
    })
}

/// What the refactor phase does.
pub(super) fn refactor(t: &Task) -> String {
    titled(t, Action::Refactor).unwrap_or_else(|| {
        let files = changed(t);
        if files.is_empty() {
            return "Improve the code while the tests stay green".to_owned();
        }
        let count = counted(files.len(), "file");
        format!("Improve names and take out repetition in {count}, tests green: [{}]", files.join(", "))
    })
}
