//! A task's hash: changes when what the work *is* changes, and only then.
//!
//! Counts: whatever the agent is told or the verifier checks, and what must be merged first. Does not count: how
//! long it may take, how urgent it is, who carries it out, where it was read, what another tool claims about it, and
//! keys no reader knows (other tools keep their bookkeeping there).

use serde_json::{Value, json};

use crate::plan::Task;

/// The hash (blake3, hexadecimal) over the fields that say what the work is.
pub fn task_hash(task: &Task) -> String {
    let mut value = normative(task);
    tidy(&mut value);
    let text = format!("windlass.task/1\n{value}");
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Every field is named, so that a new one cannot be forgotten here.
fn normative(task: &Task) -> Value {
    let Task {
        id,
        title,
        objective,
        description,
        task_type,
        methodology,
        mode,
        depends_on,
        criteria,
        traces_to,
        test,
        files,
        changes,
        focus_paths,
        contract,
        interfaces,
        test_code,
        verification,
        done_when,
        steps,
        pre_analysis,
        tdd_cycles,
        consumers,
        risks,
        notes,
        sections,
        // When and by whom.
        layer: _,
        level: _,
        phase: _,
        track: _,
        parent: _,
        sub_plan: _,
        priority: _,
        resources: _,
        tier: _,
        agent: _,
        method: _,
        session: _,
        max_iterations: _,
        // How much.
        complexity: _,
        estimate_minutes: _,
        estimated_scope: _,
        lines: _,
        // Bookkeeping.
        claimed_state: _,
        extra: _,
        places: _,
    } = task;
    let title: Vec<&str> = title.split_whitespace().collect();
    let mut waits: Vec<&String> = depends_on.iter().collect();
    waits.sort();
    waits.dedup();
    json!([
        [id, title.join(" "), objective, description, task_type, methodology, mode, waits],
        [criteria, traces_to, test, files, changes, focus_paths, contract, interfaces],
        [test_code, verification, done_when, steps, pre_analysis, tdd_cycles],
        [consumers, risks, notes, sections],
    ])
}

/// Line ends and the order of keys say nothing about the work.
fn tidy(value: &mut Value) {
    match value {
        Value::String(text) => {
            if text.contains('\r') {
                *text = text.replace("\r\n", "\n");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(map) => {
            map.sort_keys();
            map.values_mut().for_each(tidy);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
