//! Writes one task file so that it reads back as the same task.
//!
//! Most fields are written as sections. A field that a section cannot hold exactly (a text with a heading in it, a path
//! with a parenthesis) is found by reading the result again, and is written into the front matter instead.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::code::comment_mark;
use super::keys::{self, TASK_KEYS};
use super::output::{self, Verb};
use super::read::{Shared, TaskSource, read_task};
use super::section::SectionKind;
use super::steps::SKETCH;
use crate::markdown::fenced;
use crate::tree::{is_plain, yaml_value};
use windlass_core::diagnostic::FileIx;
use windlass_core::plan::{Criterion, Interface, Step, Task};
use windlass_core::state::TaskState;

/// A field that is written as a section, or otherwise into the front matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Carried {
    Known(SectionKind),
    Unknown,
}

/// The form of a task file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Sections with content only, and no state.
    Native,
    /// Every section of a contract task; its boxes are ticked if it is done.
    Contract(Option<TaskState>),
}

/// The sections that every contract task has.
const CONTRACT: [SectionKind; 6] = [
    SectionKind::Contract,
    SectionKind::Interfaces,
    SectionKind::Tests,
    SectionKind::Files,
    SectionKind::Verification,
    SectionKind::DoneWhen,
];

/// The file for a task.
pub(crate) fn write_task(task: &Task, form: Form) -> String {
    let mut in_front: BTreeSet<Carried> = BTreeSet::new();
    for _ in 0..3 {
        let text = compose(task, form, &in_front);
        let lost = lost(task, &text);
        if lost.is_empty() {
            return text;
        }
        in_front.extend(lost);
    }
    in_front.extend(SectionKind::all().map(Carried::Known));
    in_front.insert(Carried::Unknown);
    compose(task, form, &in_front)
}

/// The fields that do not come back when the text is read.
fn lost(task: &Task, text: &str) -> Vec<Carried> {
    // A file with a zero byte counts as binary; the front matter can escape it.
    if text.contains('\0') {
        return SectionKind::all().map(Carried::Known).chain([Carried::Unknown]).collect();
    }
    let mut shared = Shared::default();
    let source = TaskSource { text, file: FileIx(0), fallback_id: "", defaults: &[] };
    let back = read_task(&source, &mut shared);
    let sections = (task.sections != back.sections).then_some(Carried::Unknown);
    let (whole, back) = (json(task), json(&back));
    let known = SectionKind::all()
        .filter(|k| k.fields().iter().any(|f| whole.get(f) != back.get(f)))
        .map(Carried::Known);
    known.chain(sections).collect()
}

fn compose(task: &Task, form: Form, in_front: &BTreeSet<Carried>) -> String {
    let mut out = front(task, in_front);
    if let Some(heading) = heading(task) {
        let _ = write!(out, "\n# {heading}\n");
    }
    if !in_front.contains(&Carried::Known(SectionKind::Objective)) && !task.objective.is_empty() {
        let _ = write!(out, "\n{}\n", task.objective);
    }
    let unknown = !in_front.contains(&Carried::Unknown);
    for kind in SectionKind::all() {
        let carried = !in_front.contains(&Carried::Known(kind));
        let body = if carried { body(kind, task, form) } else { String::new() };
        let prose = if unknown { prose(kind, task) } else { String::new() };
        if !body.is_empty() || !prose.is_empty() {
            let gap = if body.is_empty() || prose.is_empty() { "" } else { "\n" };
            let _ = write!(out, "\n## {}\n\n{prose}{gap}{body}", kind.heading());
        } else if form != Form::Native && CONTRACT.contains(&kind) {
            let _ = write!(out, "\n## {}\n", kind.heading());
        }
    }
    if unknown {
        for section in task.sections.iter().filter(|s| SectionKind::of(&s.heading).is_none()) {
            let _ = write!(out, "\n## {}\n", section.heading);
            if !section.body.is_empty() {
                let _ = write!(out, "\n{}\n", section.body);
            }
        }
    }
    out
}

/// Prose that was found in a known section.
fn prose(kind: SectionKind, task: &Task) -> String {
    let of_kind = task.sections.iter().filter(|s| s.heading == kind.heading());
    of_kind.flat_map(|s| [s.body.as_str(), "\n"]).collect()
}

fn heading(task: &Task) -> Option<String> {
    let clean = |text: &str| !text.contains(char::is_control);
    if task.id.is_empty() || !clean(&task.id) {
        return None;
    }
    let title = Some(task.title.as_str()).filter(|t| !t.is_empty() && clean(t));
    Some(title.map_or_else(|| task.id.clone(), |title| format!("{}: {title}", task.id)))
}

/// The section of a field of the task's JSON form.
fn carried_by(field: &str) -> Option<Carried> {
    if field == "sections" {
        return Some(Carried::Unknown);
    }
    SectionKind::holding(field).map(Carried::Known)
}

/// The JSON form of a task.
fn json(task: &Task) -> Value {
    serde_json::to_value(task).unwrap_or_default()
}

fn front(task: &Task, in_front: &BTreeSet<Carried>) -> String {
    let (value, default) = (json(task), json(&Task::default()));
    let mut out = String::from("---\n");
    for key in &TASK_KEYS {
        let skipped = carried_by(key.field).is_some_and(|c| !in_front.contains(&c));
        if skipped || key.name == "extra" {
            continue;
        }
        let (own, usual) = (at(&value, key.field), at(&default, key.field));
        if let Some(own) = own.filter(|own| Some(*own) != usual || matches!(key.name, "id" | "title")) {
            pair(&mut out, key.name, own);
        }
    }
    let clashes =
        |name: &str| keys::find(name).is_some() || matches!(name, "status" | "state") || !is_plain(name);
    let (nested, flat): (Vec<_>, Vec<_>) = task.extra.iter().partition(|(name, _)| clashes(name));
    for (name, value) in flat {
        pair(&mut out, name, value);
    }
    if !nested.is_empty() {
        let nested: Map<String, Value> = nested.into_iter().map(|(k, v)| (k.clone(), v.clone())).collect();
        pair(&mut out, "extra", &Value::Object(nested));
    }
    out.push_str("---\n");
    out
}

fn at<'v>(value: &'v Value, field: &str) -> Option<&'v Value> {
    field.split('.').try_fold(value, |v, part| v.get(part))
}

fn pair(out: &mut String, name: &str, value: &Value) {
    let line = yaml_value(value);
    match value {
        Value::Array(items) if line.len() > 100 && !items.is_empty() => {
            let _ = writeln!(out, "{name}:");
            for item in items {
                let _ = writeln!(out, "  - {}", yaml_value(item));
            }
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => {
            let _ = writeln!(out, "{name}: {line}");
        }
    }
}

fn body(kind: SectionKind, task: &Task, form: Form) -> String {
    match kind {
        // The objective is the prose below the title, and risks are a key.
        SectionKind::Objective | SectionKind::Risks => String::new(),
        SectionKind::Description => paragraph(&task.description),
        SectionKind::Notes => paragraph(&task.notes),
        SectionKind::Criteria => criteria(&task.criteria),
        SectionKind::Contract => {
            spaced(task.contract.iter().map(|b| fenced(&b.code, info(b.language.as_deref()), 0)))
        }
        SectionKind::Tests => {
            spaced(task.test_code.iter().map(|b| fenced(&b.code, info(b.language.as_deref()), 0)))
        }
        SectionKind::Interfaces => spaced(task.interfaces.iter().map(interface)),
        SectionKind::Files => files(task),
        SectionKind::Steps => task.steps.iter().enumerate().map(|(i, s)| step(i + 1, s)).collect(),
        SectionKind::Verification => match task.verification.as_ref().filter(|v| !v.script.is_empty()) {
            Some(verification) => fenced(&verification.script, "bash", 0),
            None => String::new(),
        },
        SectionKind::DoneWhen => {
            let done = form == Form::Contract(Some(TaskState::Completed));
            let mark = if done { "- [x] " } else { "- [ ] " };
            task.done_when.iter().flat_map(|d| [mark, d, "\n"]).collect()
        }
    }
}

fn info(language: Option<&str>) -> &str {
    language.unwrap_or_default()
}

fn paragraph(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

fn spaced(blocks: impl Iterator<Item = String>) -> String {
    blocks.collect::<Vec<_>>().join("\n")
}

fn criteria(criteria: &[Criterion]) -> String {
    let quoted = |names: &[String]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    let with_tests = criteria.iter().any(|c| !c.tests.is_empty());
    if criteria.iter().any(|c| c.assertion.is_some()) {
        let bars = |text: &str| text.replace('|', "\\|");
        let rows = criteria.iter().map(|c| {
            let assertion = c.assertion.as_deref().map(|a| format!("`{}`", bars(a))).unwrap_or_default();
            let tests = if with_tests { format!(" {} |", bars(&quoted(&c.tests))) } else { String::new() };
            format!("| {} | {} | {assertion} |{tests}\n", bars(&c.id), bars(&c.text))
        });
        let head = if with_tests {
            "| id | criterion | assertion | tests |\n|---|---|---|---|\n"
        } else {
            "| id | criterion | assertion |\n|---|---|---|\n"
        };
        return std::iter::once(head.to_owned()).chain(rows).collect();
    }
    let item = |c: &Criterion| {
        let id = if c.id.is_empty() { String::new() } else { format!("{}: ", c.id) };
        let tests =
            if c.tests.is_empty() { String::new() } else { format!("  - tests: {}\n", quoted(&c.tests)) };
        format!("- {id}{}\n{tests}", c.text)
    };
    criteria.iter().map(item).collect()
}

fn interface(interface: &Interface) -> String {
    let language = interface.language.as_deref();
    let mark = comment_mark(language);
    let source = match (&interface.source, &interface.name) {
        (Some(source), Some(name)) => format!("{mark} From {source}: {name}\n"),
        (Some(source), None) => format!("{mark} From {source}\n"),
        (None, _) => String::new(),
    };
    let code = format!("{source}{}", interface.code);
    fenced(code.strip_suffix('\n').unwrap_or(&code), info(language), 0)
}

fn files(task: &Task) -> String {
    let mut task = task.clone();
    let mut text = String::new();
    for verb in Verb::ALL {
        for path in std::mem::take(verb.list(&mut task)) {
            let note =
                output::note(task.lines.get(&path).copied(), task.changes.get(&path).map(String::as_str));
            let _ = writeln!(text, "{}: {path}{note}", verb.word());
        }
    }
    if text.is_empty() { text } else { fenced(text.trim_end_matches('\n'), "", 0) }
}

fn step(number: usize, step: &Step) -> String {
    let mut out = format!("{number}. {}", step.action.as_str());
    if let Some(file) = &step.file {
        let _ = write!(out, " `{file}`");
    }
    if let Some(title) = &step.title {
        let _ = write!(out, " — {title}");
    }
    out.push('\n');
    if let Some(run) = &step.run {
        let _ = writeln!(out, "   run: `{run}`");
    }
    if step.verify != Step::of(step.action).verify {
        let _ = writeln!(out, "   expect: {}", step.verify.as_str());
    }
    if let Some(code) = &step.code {
        out.push_str(&fenced(code, "", 3));
    }
    if let Some(sketch) = &step.sketch {
        out.push_str(&fenced(sketch, SKETCH, 3));
    }
    out
}
