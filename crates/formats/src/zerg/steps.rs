//! The steps of a ZERG task. The format has no `refactor`, so none is ever written.

use serde_json::{Value, json};

use crate::json::{Fit, JsonNode, ValueReader};
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
    for item in node.items() {
        task.steps.extend(step(reader, item));
    }
    if node.is_written_as(&value(&task.steps)) { Fit::Exact } else { Fit::Odd }
}

fn step(reader: &mut ValueReader<'_>, node: &JsonNode<'_>) -> Option<Step> {
    let Some(word) = node.get("action") else {
        reader.misfit(node, "a step with an action");
        return None;
    };
    let mut action = None;
    reader.choice(word, &ACTIONS, &mut action);
    let mut step = Step { verify: Expect::ExitCode, ..Step::of(action?) };
    for m in node.members() {
        match m.key.as_ref() {
            "file" => reader.maybe(&m.value, &mut step.file),
            "code_snippet" => reader.maybe(&m.value, &mut step.code),
            "run" => reader.maybe(&m.value, &mut step.run),
            "verify" => {
                let mut expect = None;
                let fit = reader.choice(&m.value, &EXPECTATIONS, &mut expect);
                step.verify = expect.unwrap_or(step.verify);
                fit
            }
            _ => Fit::Odd,
        };
    }
    step.run = step.run.filter(|run| !run.is_empty());
    Some(step)
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
    if let Some(code) = &step.code {
        value["code_snippet"] = code.clone().into();
    }
    value["run"] = step.run.clone().unwrap_or_default().into();
    let word = EXPECTATIONS.iter().find(|(_, expect)| *expect == step.verify);
    value["verify"] = json!(word.map(|(word, _)| word));
    value
}
