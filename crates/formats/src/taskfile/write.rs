//! Writes one task file so that it reads back as the same task.
//!
//! Sections carry what people read. What a section cannot carry exactly (a text with a heading in it, a path with a
//! parenthesis) is found by reading the result again, and goes into the front matter instead.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::code::comment_mark;
use super::keys::{self, TASK_KEYS};
use super::output::{self, Verb};
use super::read::{Shared, TaskSource, read_task};
use super::section::SectionKind;
use super::steps::{SKETCH, expect_word};
use crate::markdown::fenced;
use crate::tree::{is_plain, yaml_value};
use windlass_core::diagnostic::FileIx;
use windlass_core::plan::{Criterion, Interface, Step, Task};
use windlass_core::state::TaskState;

/// What a section would carry, or else the front matter does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Carried {
    Known(SectionKind),
    Unknown,
}

/// What a file looks like besides its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Only sections that say something; never a state.
    Native,
    /// Every section a contract task has, and its boxes ticked where it is done.
    Contract(Option<TaskState>),
}

/// The sections every contract task has.
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
    in_front.extend(SectionKind::ALL.map(Carried::Known));
    in_front.insert(Carried::Unknown);
    compose(task, form, &in_front)
}

/// What does not come back when the text is read.
fn lost(task: &Task, text: &str) -> Vec<Carried> {
    // A file with a zero byte counts as binary; the front matter can escape it.
    if text.contains('\0') {
        return SectionKind::ALL.into_iter().map(Carried::Known).chain([Carried::Unknown]).collect();
    }
    let mut shared = Shared::default();
    let source = TaskSource { text, file: FileIx(0), fallback_id: "", defaults: &[] };
    let back = read_task(&source, &mut shared);
    let known = SectionKind::ALL.into_iter().filter(|k| !same(*k, task, &back)).map(Carried::Known);
    let sections = (task.sections != back.sections).then_some(Carried::Unknown);
    known.chain(sections).collect()
}

fn same(kind: SectionKind, a: &Task, b: &Task) -> bool {
    match kind {
        SectionKind::Objective => a.objective == b.objective,
        SectionKind::Description => a.description == b.description,
        SectionKind::Criteria => a.criteria == b.criteria,
        SectionKind::Contract => a.contract == b.contract,
        SectionKind::Interfaces => a.interfaces == b.interfaces,
        SectionKind::Tests => a.test_code == b.test_code,
        SectionKind::Files => a.files == b.files && a.lines == b.lines && a.changes == b.changes,
        SectionKind::Steps => a.steps == b.steps,
        SectionKind::Verification => a.verification == b.verification,
        SectionKind::DoneWhen => a.done_when == b.done_when,
        SectionKind::Notes => a.notes == b.notes,
        SectionKind::Risks => a.risks == b.risks,
    }
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
    for kind in SectionKind::ALL {
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

/// The fields of the task's JSON form that a section carries.
fn carried_by(field: &str) -> Option<Carried> {
    let kind = match field {
        "objective" => SectionKind::Objective,
        "description" => SectionKind::Description,
        "criteria" => SectionKind::Criteria,
        "contract" => SectionKind::Contract,
        "interfaces" => SectionKind::Interfaces,
        "test_code" => SectionKind::Tests,
        "files" | "lines" | "changes" => SectionKind::Files,
        "steps" => SectionKind::Steps,
        "verification" => SectionKind::Verification,
        "done_when" => SectionKind::DoneWhen,
        "notes" => SectionKind::Notes,
        "sections" => return Some(Carried::Unknown),
        _ => return None,
    };
    Some(Carried::Known(kind))
}

fn front(task: &Task, in_front: &BTreeSet<Carried>) -> String {
    let json = |task: &Task| serde_json::to_value(task).unwrap_or_default();
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
    if criteria.iter().any(|c| c.assertion.is_some()) {
        let bars = |text: &str| text.replace('|', "\\|");
        let rows = criteria.iter().map(|c| {
            let assertion = c.assertion.as_deref().map(|a| format!("`{}`", bars(a))).unwrap_or_default();
            format!("| {} | {} | {assertion} |\n", bars(&c.id), bars(&c.text))
        });
        return std::iter::once("| id | criterion | assertion |\n|---|---|---|\n".to_owned())
            .chain(rows)
            .collect();
    }
    let item = |c: &Criterion| match c.id.as_str() {
        "" => format!("- {}\n", c.text),
        id => format!("- {id}: {}\n", c.text),
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
        let _ = writeln!(out, "   expect: {}", expect_word(step.verify));
    }
    if let Some(code) = &step.code {
        out.push_str(&fenced(code, "", 3));
    }
    if let Some(sketch) = &step.sketch {
        out.push_str(&fenced(sketch, SKETCH, 3));
    }
    out
}

/// A task with every field set, for tests of the key table and the schemas.
#[cfg(test)]
pub(crate) fn full_task() -> Task {
    use windlass_core::plan::*;
    let criterion =
        |a: Option<&str>| Criterion { id: "AC-1".into(), text: "adds".into(), assertion: a.map(Into::into) };
    let block = |path: &str, placement| CodeBlock {
        path: Some(path.into()),
        language: Some("ts".into()),
        code: format!("// {}{path}\ncode", if placement == Placement::Addition { "ADD to " } else { "" }),
        placement,
    };
    Task {
        id: "TASK-1".into(),
        title: "Add a thing".into(),
        objective: "Objective.".into(),
        description: "More.".into(),
        task_type: Some("add_method".into()),
        methodology: Some(Methodology::Tdd),
        mode: Some(Mode::TestsOnly),
        layer: Some(2),
        level: Some(1),
        phase: Some("one".into()),
        track: Some("backend".into()),
        complexity: Some(Complexity::Simple),
        estimate_minutes: Some(12.5),
        estimated_scope: Some("single_file".into()),
        priority: Some("high".into()),
        depends_on: vec!["TASK-0".into(), "007".into()],
        parent: Some("P".into()),
        sub_plan: Some("sub".into()),
        criteria: vec![criterion(None), criterion(Some("a || b"))],
        traces_to: Traces {
            stories: vec!["US-1".into()],
            criteria: vec!["AC-1".into()],
            decisions: vec!["1".into()],
        },
        test: TestPlan {
            file: Some("a.test.ts".into()),
            inline: true,
            command: Some("npm test -- a".into()),
            none: Some("config_static".into()),
            required: Some(true),
            held_out: vec![HeldOut { path: "h.ts".into(), blake3: "00".into() }],
            coverage: Some(85.0),
        },
        files: Files {
            create: vec!["a.ts".into()],
            modify: vec!["b.ts".into()],
            read: vec!["c.ts".into()],
            delete: vec!["d.ts".into()],
        },
        lines: [("a.ts".to_owned(), 40)].into(),
        changes: [("b.ts".to_owned(), "export it".to_owned())].into(),
        focus_paths: vec!["src/".into()],
        contract: vec![block("a.ts", Placement::Whole)],
        interfaces: vec![Interface {
            source: Some("TASK-0".into()),
            name: Some("repo".into()),
            code: "type R = {};".into(),
            language: Some("ts".into()),
        }],
        test_code: vec![block("a.test.ts", Placement::Addition)],
        verification: Some(Verification { script: "cd a\nnpm test".into(), timeout_seconds: Some(60) }),
        done_when: vec!["`a` exported".into()],
        steps: vec![Step {
            run: Some("x".into()),
            code: Some("y".into()),
            sketch: Some("z".into()),
            ..Step::of(Action::WriteTest)
        }],
        pre_analysis: vec![serde_json::json!({"step": "look", "n": 1, "none": null})],
        tdd_cycles: vec![TddCycle { test_count: Some(2), ..TddCycle::default() }],
        max_iterations: Some(3),
        tier: Some(Tier::Small),
        agent: Some("codex".into()),
        method: Some(Method::Agent),
        session: Some(Session {
            id: Some("s-1".into()),
            strategy: Some(Strategy::MergeFork),
            ..Session::default()
        }),
        consumers: vec!["TASK-9".into()],
        resources: vec!["db".into()],
        risks: vec!["none: really".into()],
        notes: "Notes.".into(),
        claimed_state: Some("done".into()),
        sections: vec![Section { heading: "Rollback".into(), body: "Revert.".into() }],
        extra: serde_json::from_str(r#"{"x": {"y": [1, "2", null]}, "status": "odd", "a b:": 1}"#).unwrap(),
        places: FieldSpans::default(),
    }
}
