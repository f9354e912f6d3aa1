//! The plan of a list of units: tasks with all fields.

use std::collections::HashSet;

use super::classify::{self, Classification};
use super::note::{Note, NoteKind};
use super::unit::Unit;
use super::{DeriveOptions, name, verification};
use crate::file_kind::{self, FileKind};
use crate::repository::Repository;
use crate::spec::{CriterionForm, DocumentKind, Operation, Spec};
use crate::steps::{adapted, steps_for};
use windlass_code::detect::is_test_path;
use windlass_core::plan::{Criterion, Files, Mode, Plan, Task, Traces, Verification, infer_mode};

/// The plan of these units.
pub(super) fn plan(
    units: &[Unit],
    spec: &Spec,
    repository: &Repository<'_>,
    options: &DeriveOptions,
    notes: &mut Vec<Note>,
) -> Plan {
    let mut units = without_empty(units, repository, options, notes);
    name::ids(&mut units, options.profile, &options.name);
    let tasks: Vec<Task> = (0..units.len()).map(|at| task(&units, at, spec, repository)).collect();
    runners(&tasks, notes);
    let criteria =
        spec.criteria.iter().map(|c| Criterion { id: c.id.clone(), text: c.text.clone(), assertion: None });
    let documents = spec.documents.iter().filter(|d| d.kind != DocumentKind::Conventions);
    let named = |phase: &String| tasks.iter().any(|t| t.phase.as_ref() == Some(phase));
    let mut phases: Vec<String> = spec.phases.iter().map(|p| p.name.clone()).filter(named).collect();
    for phase in tasks.iter().filter_map(|t| t.phase.clone()) {
        if !phases.contains(&phase) {
            phases.push(phase);
        }
    }
    Plan {
        name: options.name.clone(),
        title: spec.title.clone(),
        objective: spec.summary.clone(),
        profile: Some(options.profile.as_str().to_owned()),
        branch: options.branch.clone(),
        session: options.session.clone(),
        specs: documents.map(|d| d.path.clone()).collect(),
        phases,
        criteria: criteria.collect(),
        tasks,
        ..Plan::default()
    }
}

/// Sets the steps of every leaf task.
pub(super) fn steps(plan: &mut Plan, repository: &Repository<'_>, options: &DeriveOptions) {
    let parents: HashSet<String> = plan.tasks.iter().filter_map(|t| t.parent.clone()).collect();
    for task in plan.tasks.iter_mut().filter(|t| !parents.contains(&t.id)) {
        let mode = infer_mode(task, &is_test_path);
        let detail = adapted(options.detail, task, &options.history, options.adaptive);
        task.steps = steps_for(task, mode, detail, repository);
    }
}

/// Removes units that change no file and that no command verifies; their dependants inherit their dependencies.
fn without_empty(
    units: &[Unit],
    repository: &Repository<'_>,
    options: &DeriveOptions,
    notes: &mut Vec<Note>,
) -> Vec<Unit> {
    let mut kept: Vec<Unit> = Vec::new();
    let mut place: Vec<Option<usize>> = Vec::new();
    let mut instead: Vec<Vec<usize>> = Vec::new();
    // Removed before any unit was kept that could take over their criteria.
    let mut orphans: Vec<&Unit> = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        let mut after: Vec<usize> = Vec::new();
        for b in &unit.after {
            match place[*b] {
                Some(new) => after.push(new),
                None => after.extend(&instead[*b]),
            }
        }
        after.sort_unstable();
        after.dedup();
        let gate = unit.owned().next().is_none();
        let before = ancestors(units, at);
        let provable = !gate || verification::proof(unit, None, &before, repository).1.is_some();
        let fits = !gate || options.profile != crate::lint::Profile::Homerun;
        if provable && fits {
            place.push(Some(kept.len()));
            instead.push(Vec::new());
            kept.push(Unit { after, ..unit.clone() });
            continue;
        }
        let id = if unit.stated.is_empty() { unit.title.as_str() } else { unit.stated.as_str() };
        let named = if unit.stated.is_empty() || unit.untitled {
            String::new()
        } else {
            format!(" ({})", unit.title)
        };
        let text = format!("`{id}`{named} changes no file, and no command of the repository verifies it");
        let note = Note::new(NoteKind::LeftOut, text).help("the closing run of the plan checks the whole");
        notes.push(Note { span: unit.span, ..note });
        if kept.is_empty() {
            orphans.push(unit);
        } else {
            hand_on(unit, &mut kept);
        }
        place.push(None);
        instead.push(after);
    }
    for unit in orphans {
        hand_on(unit, &mut kept);
    }
    kept
}

/// Moves the criteria of a removed unit to the last unit with code.
fn hand_on(unit: &Unit, kept: &mut [Unit]) {
    let code = kept.iter().rposition(|u| u.of_kind(FileKind::Code).next().is_some());
    if let Some(heir) = code.or(kept.len().checked_sub(1)).and_then(|at| kept.get_mut(at)) {
        heir.criteria.extend(unit.criteria.iter().cloned());
        heir.traced.extend(unit.traced.iter().cloned());
        let new: Vec<String> = unit.stories.iter().filter(|s| !heir.stories.contains(s)).cloned().collect();
        heir.stories.extend(new);
    }
}

/// All transitive dependencies of a unit.
fn ancestors(units: &[Unit], at: usize) -> Vec<&Unit> {
    let mut seen: HashSet<usize> = HashSet::new();
    let mut open = units[at].after.clone();
    while let Some(next) = open.pop() {
        if seen.insert(next) {
            open.extend(&units[next].after);
        }
    }
    let mut all: Vec<usize> = seen.into_iter().collect();
    all.sort_unstable();
    all.into_iter().map(|i| &units[i]).collect()
}

fn task(units: &[Unit], at: usize, spec: &Spec, repository: &Repository<'_>) -> Task {
    let unit = &units[at];
    let wants_test =
        unit.of_kind(FileKind::Code).next().is_some() || unit.of_kind(FileKind::Test).next().is_some();
    let planned = |path: &str| units.iter().any(|u| u.owns(path));
    let test = if wants_test { verification::test_file(unit, repository, &planned) } else { None };
    let class = classify::class(unit, test.as_ref().map(|(p, _)| p.as_str()), repository);
    let (mut plan, verification) = verification::proof(unit, test, &ancestors(units, at), repository);
    if let Some(reason) = class.reason {
        plan = windlass_core::plan::TestPlan { none: Some(reason.as_str().to_owned()), ..Default::default() };
    }
    let mut task = Task {
        id: unit.id.clone(),
        title: unit.title.clone(),
        objective: objective(unit, spec),
        depends_on: unit.after.iter().map(|b| units[*b].id.clone()).collect(),
        level: unit.level.map(i64::from),
        phase: unit.phase.clone(),
        criteria: unit.criteria.clone(),
        traces_to: Traces {
            stories: unit.stories.clone(),
            criteria: unit.traced.clone(),
            decisions: unit.decisions.clone(),
        },
        test: plan,
        verification: match (&unit.check, class.reason) {
            (Some(script), _) => Some(Verification { script: script.clone(), timeout_seconds: None }),
            (None, Some(_)) => None,
            (None, None) => verification,
        },
        files: files(unit),
        contract: unit.contract.clone(),
        risks: unit.risks.clone(),
        notes: notes_of(unit, spec),
        ..Task::default()
    };
    fill(&mut task, unit, class);
    task
}

fn fill(task: &mut Task, unit: &Unit, class: Classification) {
    task.task_type = Some(class.task_type.to_owned());
    task.tier = Some(class.tier);
    task.methodology = Some(class.methodology);
    task.complexity = Some(class.complexity);
    task.estimate_minutes = Some(class.minutes);
    task.layer = unit.of_kind(FileKind::Code).filter_map(|f| file_kind::layer(&f.path)).max().map(i64::from);
    if infer_mode(task, &is_test_path) != class.mode {
        task.mode = Some(class.mode);
    }
    for file in unit.owned() {
        if let Some(lines) = file.lines {
            task.lines.insert(file.path.clone(), lines);
        }
        let said = file.note.trim();
        if file.operation == Operation::Modify && said.split_whitespace().count() > 1 {
            task.changes.insert(file.path.clone(), said.to_owned());
        }
    }
    let scope = if unit.owned().count() <= 1 { "single_file" } else { "multi_file" };
    task.estimated_scope = (class.mode != Mode::Gate).then(|| scope.to_owned());
}

fn files(unit: &Unit) -> Files {
    let of = |operation: Operation| -> Vec<String> {
        unit.files.iter().filter(|f| f.operation == operation).map(|f| f.path.clone()).collect()
    };
    Files {
        create: of(Operation::Create),
        modify: of(Operation::Modify),
        read: of(Operation::Read),
        delete: of(Operation::Delete),
    }
}

/// The objective: the document's text about the unit, else about its component, else its title.
fn objective(unit: &Unit, spec: &Spec) -> String {
    let component = unit.owned().find_map(|f| spec.components.iter().find(|c| c.files.contains(&f.path)));
    let said = component.map(|c| c.responsibility.clone()).filter(|r| r.split_whitespace().count() > 2);
    let text = if unit.text.split_whitespace().count() > 3 { Some(unit.text.clone()) } else { None };
    let objective = text.or(said).unwrap_or_else(|| unit.title.clone());
    cut(&objective, 600)
}

/// The notes of a task: sections, requirement details, remarks and decisions, limited in length.
fn notes_of(unit: &Unit, spec: &Spec) -> String {
    let mut notes = String::new();
    for detail in unit.details.iter().filter_map(|d| spec.details.get(*d)) {
        let text = cut(&detail.text, 500);
        if text.is_empty() || notes.len() + text.len() > 1_200 || text == unit.text {
            continue;
        }
        notes.push_str(&format!("{}: {text}\n", detail.heading));
    }
    // A criterion from a heading lacks the text below it.
    for criterion in spec.criteria.iter().filter(|c| unit.traced.contains(&c.id)) {
        let shown = criterion.detail.is_empty() || criterion.text.contains(&criterion.detail);
        let bare = criterion.form == CriterionForm::Heading && criterion.text.split_whitespace().count() > 3;
        let text = cut(&criterion.detail, 500);
        if !shown && bare && !unit.text.contains(&criterion.detail) && notes.len() + text.len() <= 2_000 {
            notes.push_str(&format!("{} ({}): {text}\n", criterion.id, criterion.text));
        }
    }
    for remark in &unit.remarks {
        notes.push_str(remark);
        notes.push('\n');
    }
    for id in &unit.decisions {
        if let Some(decision) = spec.decisions.iter().find(|d| d.id == *id) {
            notes.push_str(&format!("{id} ({}): {}\n", decision.title, cut(&decision.text, 240)));
        }
    }
    notes.trim_end().to_owned()
}

/// The beginning of a text, cut between words.
fn cut(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.trim().to_owned();
    }
    let end = text.char_indices().map(|(i, _)| i).take_while(|i| *i <= limit).last().unwrap_or(0);
    let end = text[..end].rfind(' ').unwrap_or(end);
    format!("{}…", text[..end].trim_end())
}

fn runners(tasks: &[Task], notes: &mut Vec<Note>) {
    let without = tasks.iter().filter(|t| t.verification.is_none() && t.test.file.is_some());
    let ids: Vec<String> = without.map(|t| t.id.clone()).collect();
    verification::no_runner(&ids, notes);
}
