//! The steps of a ZERG task. The format has no `refactor`, so none is ever written.

use serde_json::{Value, json};

use crate::json::{Fit, JsonKind, JsonNode, ValueReader};
use crate::reading::code;
use windlass_core::diagnostic::Severity;
use windlass_core::plan::{Action, Expect, Step, Task};

const ACTIONS: [(&str, Action); 7] = [
    ("write_test", Action::WriteTest),
    ("verify_fail", Action::VerifyFail),
    ("implement", Action::Implement),
    ("verify_pass", Action::VerifyPass),
    ("refactor", Action::Refactor),
    ("format", Action::Format),
    ("commit", Action::Commit),
];

const EXPECTATIONS: [(&str, Expect); 3] =
    [("exit_code", Expect::ExitCode), ("exit_code_nonzero", Expect::ExitCodeNonzero), ("none", Expect::None)];

/// Reads `steps`; a step with an unknown action is reported and left out.
pub(super) fn read(reader: &mut ValueReader<'_>, node: &JsonNode<'_>, task: &mut Task) -> Fit {
    if !node.is_list() {
        return reader.misfit(node, "a list of steps");
    }
    let mut last = 0;
    for item in node.items() {
        if item.is_object() {
            number(reader, item, &mut last);
            if let Some(run) = required(reader, item, "run").filter(|run| run.is_null()) {
                reader.wrong_item(run, "a string");
            }
        }
        task.steps.extend(step(reader, item));
    }
    if node.is_written_as(&value(&task.steps)) { Fit::Exact } else { Fit::Odd }
}

/// Checks the number of a step: a whole number from 1, above that of the step before it.
fn number(reader: &mut ValueReader<'_>, node: &JsonNode<'_>, last: &mut i64) {
    let Some(given) = required(reader, node, "step") else { return };
    let number = match &given.kind {
        JsonKind::Number(text) => text.parse::<i64>().ok().filter(|number| *number >= 1),
        _ => None,
    };
    let wrong = match number {
        None => Some("`step` must be a whole number from 1".to_owned()),
        Some(number) if number <= *last => {
            Some(format!("`step` {number} comes after step {last}; numbers must be unique and ascending"))
        }
        Some(_) => None,
    };
    if let Some(wrong) = wrong {
        reader.find(code::WRONG_TYPE, Severity::Error, given, wrong);
    }
    *last = number.unwrap_or(*last).max(*last);
}

/// A key that every step has.
fn required<'n, 'a>(
    reader: &mut ValueReader<'_>,
    node: &'n JsonNode<'a>,
    key: &str,
) -> Option<&'n JsonNode<'a>> {
    let given = node.get(key);
    if given.is_none() {
        reader.find(code::WRONG_TYPE, Severity::Error, node, format!("this step has no `{key}`"));
    }
    given
}

fn step(reader: &mut ValueReader<'_>, node: &JsonNode<'_>) -> Option<Step> {
    let Some(word) = node.get("action").filter(|word| !word.is_null()) else {
        reader.wrong_item(node, "a step with an action");
        return None;
    };
    let mut action = None;
    deciding(reader, |reader| reader.choice(word, &ACTIONS, &mut action));
    let mut step = Step { verify: Expect::ExitCode, ..Step::of(action?) };
    for m in node.members() {
        match m.key.as_ref() {
            "file" => reader.maybe(&m.value, &mut step.file),
            "code_snippet" => reader.maybe(&m.value, &mut step.code),
            "run" => reader.maybe(&m.value, &mut step.run),
            "verify" => {
                let mut expect = None;
                let fit = deciding(reader, |reader| reader.choice(&m.value, &EXPECTATIONS, &mut expect));
                step.verify = expect.unwrap_or(step.verify);
                fit
            }
            _ => Fit::Odd,
        };
    }
    step.run = step.run.filter(|run| !run.is_empty());
    Some(step)
}

/// Reads a word that decides what is run: one that is not known is an error.
fn deciding(reader: &mut ValueReader<'_>, read: impl FnOnce(&mut ValueReader<'_>) -> Fit) -> Fit {
    let known = reader.out.len();
    let fit = read(reader);
    for found in &mut reader.out[known..] {
        found.severity = Severity::Error;
    }
    fit
}

/// The steps as ZERG writes them.
pub(super) fn value(steps: &[Step]) -> Value {
    steps.iter().filter(|s| s.action != Action::Refactor).enumerate().map(|(i, s)| one(i + 1, s)).collect()
}

fn one(number: usize, step: &Step) -> Value {
    let mut value = json!({ "step": number, "action": step.action.as_str() });
    if let Some(file) = &step.file {
        value["file"] = file.clone().into();
    }
    // The format has one key for both; that a sketch is only a hint is in the remainder.
    if let Some(code) = step.code.as_ref().or(step.sketch.as_ref()) {
        value["code_snippet"] = code.clone().into();
    }
    value["run"] = step.run.clone().unwrap_or_default().into();
    let word = EXPECTATIONS.iter().find(|(_, expect)| *expect == step.verify);
    value["verify"] = json!(word.map(|(word, _)| word));
    value
}
