//! The steps of a ZERG task. The seed has no `refactor`, so none is ever written.

use serde_json::{Value, json};

use super::super::json::{Fields, Fit, Node};
use windlass_core::plan::{Action, Expect, Step};

const ACTIONS: [Action; 7] = [
    Action::WriteTest,
    Action::VerifyFail,
    Action::Implement,
    Action::VerifyPass,
    Action::Refactor,
    Action::Format,
    Action::Commit,
];

/// Reads `steps`; a step with an unknown action is said and left out.
pub(super) fn read(f: &mut Fields<'_>, node: &Node<'_>, slot: &mut Vec<Step>) -> Fit {
    f.field("steps");
    if !node.is_list() {
        return f.misfit(node, "a list of steps");
    }
    let mut fit = Fit::Exact;
    for item in node.items() {
        let step_fit = step(f, item, slot);
        fit = fit.and(if step_fit == Fit::No { Fit::Odd } else { step_fit });
    }
    f.field("steps");
    // Whatever was said in another way than we say it is kept as it was.
    if fit == Fit::Exact && value(slot) != node.to_value() { Fit::Odd } else { fit }
}

fn step(f: &mut Fields<'_>, node: &Node<'_>, slot: &mut Vec<Step>) -> Fit {
    let Some(word) = node.get("action") else {
        return f.misfit(node, "a step with an action");
    };
    let name = word.text().unwrap_or_default();
    let Some(action) = ACTIONS.into_iter().find(|a| a.as_str() == name) else {
        f.unknown_word(word, name, "write_test, verify_fail, implement, verify_pass, format, commit");
        return Fit::No;
    };
    let mut step = Step { verify: Expect::ExitCode, ..Step::of(action) };
    let mut fit = Fit::Exact;
    for m in node.members() {
        let member_fit = match m.key.as_ref() {
            "step" | "action" => Fit::Exact,
            "file" => f.maybe("steps", &m.value, &mut step.file),
            "code_snippet" => f.maybe("steps", &m.value, &mut step.code),
            "run" => f.maybe("steps", &m.value, &mut step.run),
            "verify" => expectation(f, &m.value, &mut step),
            _ => Fit::Odd,
        };
        fit = fit.and(if member_fit == Fit::No { Fit::Odd } else { member_fit });
    }
    step.run = step.run.filter(|run| !run.is_empty());
    slot.push(step);
    fit
}

fn expectation(f: &mut Fields<'_>, node: &Node<'_>, step: &mut Step) -> Fit {
    step.verify = match node.text() {
        Some("exit_code") => Expect::ExitCode,
        Some("exit_code_nonzero") => Expect::ExitCodeNonzero,
        Some("none") => Expect::None,
        Some(other) => {
            f.unknown_word(node, other, "exit_code, exit_code_nonzero, none");
            return Fit::Odd;
        }
        None => return f.misfit(node, "a string"),
    };
    Fit::Exact
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
    value["verify"] = match step.verify {
        Expect::ExitCode => "exit_code",
        Expect::ExitCodeNonzero => "exit_code_nonzero",
        Expect::None => "none",
    }
    .into();
    value
}
