//! A task's hash: changes when what the work *is* changes, and only then.
//!
//! Included: everything in the brief, everything the verifier checks, and what must be merged first. Not included: how
//! long it may take, how urgent it is, which agent carries it out, where it was read, what another tool claims about it,
//! which tests stand for a criterion (a person may say that afterwards), and keys no reader knows (other tools keep their
//! bookkeeping there).

use serde::Serialize;
use serde_json::Value;

use crate::plan::{Criterion, Task};

/// The hash (blake3, hexadecimal) over the fields that say what the work is.
pub fn task_hash(task: &Task) -> String {
    let mut text = normative(task).unwrap_or_default();
    debug_assert!(!text.is_empty(), "a task is plain data");
    if text.contains(r"\r") {
        text = without_carriage_returns(&text);
    }
    blake3::hash(format!("windlass.task/1\n{text}").as_bytes()).to_hex().to_string()
}

/// Every field is named, so that a new one cannot be forgotten here.
fn normative(task: &Task) -> serde_json::Result<String> {
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
        // When, and by which agent.
        layer: _,
        level: _,
        phase: _,
        track: _,
        parent: _,
        sub_plan: _,
        priority: _,
        resources: _,
        needs: _,
        tier: _,
        agent: _,
        method: _,
        session: _,
        max_iterations: _,
        requires_approval: _,
        files_assumed: _,
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
    let said = (id, title, objective, description, task_type, methodology, mode, waits);
    let criteria: Vec<Criterion> =
        criteria.iter().map(|c| Criterion { tests: Vec::new(), ..c.clone() }).collect();
    let given = (criteria, traces_to, test, files, changes, focus_paths, contract, interfaces);
    let loose = (sorted(pre_analysis)?, sorted(tdd_cycles)?);
    let proof = (test_code, verification, done_when, steps, loose);
    let prose = (consumers, risks, notes, sections);
    serde_json::to_string(&(said, given, proof, prose))
}

/// The order of keys in loose JSON says nothing about the work.
fn sorted<T: Serialize>(items: &[T]) -> serde_json::Result<Option<Value>> {
    if items.is_empty() {
        return Ok(None);
    }
    let mut value = serde_json::to_value(items)?;
    value.sort_all_objects();
    Ok(Some(value))
}

/// Drops each escaped carriage return before a newline: line ends say nothing about the work either.
fn without_carriage_returns(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        // An escape is two characters that belong together: a written backslash does not start the next one.
        let keep = if rest[at..].starts_with(r"\r\n") { at } else { at + 2 };
        out.push_str(&rest[..keep]);
        rest = &rest[at + 2..];
    }
    out + rest
}

#[cfg(test)]
mod tests;
