//! The plan of a list of units: tasks with all fields.

use std::collections::HashSet;
use windlass_core::path_text::file_name;

use super::classify::{self, Classification};
use super::note::{Note, NoteKind};
use super::unit::{Unit, UnitFile};
use super::{DeriveOptions, contracts, name, verification};
use crate::file_kind::{self, FileKind};
use crate::repository::Repository;
use crate::spec::{CriterionForm, DetailSection, DocumentKind, Operation, Spec};
use crate::steps::{adapted, steps_for};
use windlass_code::detect::is_test_path;
use windlass_code::survey::Language;
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
    let mut tasks: Vec<Task> = (0..units.len()).map(|at| task(&units, at, spec, repository)).collect();
    stated_times(&mut tasks, spec);
    runners(&tasks, notes);
    let criteria = spec.criteria.iter().map(|c| Criterion {
        id: c.id.clone(),
        text: c.text.clone(),
        ..Criterion::default()
    });
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

/// Where the documents give the time of a phase, its tasks share it in proportion to their own estimates.
fn stated_times(tasks: &mut [Task], spec: &Spec) {
    for phase in &spec.phases {
        let Some(minutes) = phase.minutes else { continue };
        let own = |t: &&mut Task| t.phase.as_ref() == Some(&phase.name);
        let sum: f64 = tasks.iter_mut().filter(own).filter_map(|t| t.estimate_minutes).sum();
        for task in tasks.iter_mut().filter(own) {
            task.estimate_minutes = task.estimate_minutes.map(|m| (m / sum * minutes * 10.0).round() / 10.0);
        }
    }
}

/// Sets the steps of every leaf task.
pub(super) fn steps(
    plan: &mut Plan,
    repository: &Repository<'_>,
    options: &DeriveOptions,
    notes: &mut Vec<Note>,
) {
    let parents: HashSet<String> = plan.tasks.iter().filter_map(|t| t.parent.clone()).collect();
    let mut familiar: Vec<String> = Vec::new();
    for task in plan.tasks.iter_mut().filter(|t| !parents.contains(&t.id)) {
        let mode = infer_mode(task, &is_test_path);
        let detail = adapted(options.detail, task, &options.history, options.adaptive);
        if detail != options.detail {
            familiar.push(task.id.clone());
        }
        task.steps = steps_for(task, mode, detail, repository);
    }
    if !familiar.is_empty() {
        let (wanted, given) = (options.detail.as_str(), options.detail.down().as_str());
        let text =
            format!("detail `{given}` instead of `{wanted}` for {}: familiar files", familiar.join(", "));
        let help = "earlier runs changed them or their folders with success; `[planning] adaptive = false` turns it off";
        notes.push(Note::new(NoteKind::Assumed, text).help(help));
    }
    let written = plan.tasks.iter().flat_map(Task::owned);
    if let Some(path) = written.into_iter().find(|path| repository.lacks_eslint_config(path)) {
        let text =
            format!("`package.json` names eslint, but nothing configures it, so it does not format `{path}`");
        notes.push(
            Note::new(NoteKind::LeftOut, text).help("add `eslint.config.js`, or set `[format.commands]`"),
        );
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
        let gate = unit.owned().next().is_none() && !unit.is_open;
        let before = ancestors(units, at);
        let planned = |path: &str| units.iter().any(|u| u.owns(path));
        let proof = || verification::proof(unit, None, &before, repository, &planned).1;
        let provable = !gate || proof().is_some();
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
    let code = kept.iter().rposition(Unit::makes_code);
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
        unit.open_test.is_some() || unit.makes_code() || unit.of_kind(FileKind::Test).next().is_some();
    let planned = |path: &str| units.iter().any(|u| u.owns(path));
    let later = |path: &str| {
        let name = file_name(path);
        let is_one_module = Language::row_of(path).test_names_clash;
        let same =
            |f: &UnitFile| f.path == path || (is_one_module && f.path.rsplit('/').next() == Some(name));
        let waits = |i: usize| {
            i != at && units[i].owned().any(same) && ancestors(units, i).iter().any(|u| u.id == unit.id)
        };
        !repository.survey().has(path) && (0..units.len()).any(waits)
    };
    let test = if wants_test { verification::test_file(unit, repository, &planned) } else { None };
    let test = test.map(|(path, inline)| {
        if inline || unit.owns(&path) || !later(&path) { (path, inline) } else { (beside(&path), false) }
    });
    let class = classify::class(unit, test.as_ref().map(|(p, _)| p.as_str()), repository);
    let (mut plan, verification) =
        verification::proof(unit, test, &ancestors(units, at), repository, &planned);
    if let Some(reason) = class.reason {
        plan = windlass_core::plan::TestPlan { none: Some(reason.as_str().to_owned()), ..Default::default() };
    }
    let objective = objective(unit, spec);
    let mut task = Task {
        id: unit.id.clone(),
        title: unit.title.clone(),
        parent: unit.feature.clone(),
        objective: objective.clone(),
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
        files_assumed: unit.is_assumed.then_some(true),
        contract: unit.contract.clone(),
        risks: unit.risks.clone(),
        notes: notes_of(unit, spec, &objective),
        ..Task::default()
    };
    fill(&mut task, unit, class);
    task
}

/// A test file beside one that a later task creates: each file has one owner, and pytest cannot tell two modules of one
/// name apart.
fn beside(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let (stem, ending) = name.split_once('.').map_or((name, String::new()), |(s, e)| (s, format!(".{e}")));
    let stem = match stem.strip_suffix("_test") {
        Some(subject) => format!("{subject}_basics_test"),
        None if stem.starts_with("test_") || ending.matches('.').count() < 2 => format!("{stem}_basics"),
        None => format!("{stem}.basics"),
    };
    if folder.is_empty() { format!("{stem}{ending}") } else { format!("{folder}/{stem}{ending}") }
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
    let said = component.map(|c| c.responsibility.clone()).filter(|r| r.split_whitespace().count() > 1);
    let text = if unit.text.split_whitespace().count() > 3 { Some(unit.text.clone()) } else { None };
    let objective = text.or(said).unwrap_or_else(|| unit.title.clone());
    cut(&objective, 600)
}

/// The notes of a task: sections, components, requirement details, remarks and decisions, limited in length.
fn notes_of(unit: &Unit, spec: &Spec, objective: &str) -> String {
    let mut notes = String::new();
    for detail in unit.details.iter().filter_map(|d| spec.details.get(*d)) {
        let text = cut(&detail.text, 500);
        if !text.is_empty() && notes.len() + text.len() <= 1_200 && text != unit.text {
            notes.push_str(&format!("{}: {text}\n", detail.heading));
        }
    }
    for component in spec.components.iter().filter(|c| c.files.iter().any(|file| unit.owns(file))) {
        let text = cut(&component.responsibility, 300);
        let said = text.split_whitespace().count() <= 1 || objective.contains(&text);
        if !said && notes.len() + text.len() <= 1_600 && !notes.contains(&text) {
            notes.push_str(&format!("{}: {text}\n", component.name));
        }
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
    for remark in unit.rules.iter().chain(&unit.remarks) {
        notes.push_str(remark);
        notes.push('\n');
    }
    for id in &unit.decisions {
        if let Some(decision) = spec.decisions.iter().find(|d| d.id == *id) {
            notes.push_str(&format!("{id} ({}): {}\n", decision.title, cut(&decision.text, 240)));
        }
    }
    for detail in unit.details.iter().filter_map(|d| spec.details.get(*d)) {
        show(&mut notes, detail, unit);
    }
    notes.trim_end().to_owned()
}

/// The most bytes of one table or code block in a task's notes, and of the notes with all of them.
const SHOWN: usize = 4_000;
const ALL_SHOWN: usize = 8_000;

/// Adds the tables and the code of a section: an interface in the contract lacks the bodies that the document shows.
fn show(notes: &mut String, detail: &DetailSection, unit: &Unit) {
    let contract: String = unit.contract.iter().map(|block| format!("{}\n", block.code)).collect();
    let says_more = |code: &str| {
        let lines =
            code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '/']));
        lines.into_iter().any(|line| !contract.contains(line))
    };
    let code = detail.code.iter().filter(|code| !code.language.is_empty());
    let code = code.filter(|code| !contracts::only_shows(detail, code) && says_more(&code.text));
    let fenced = code.map(|c| format!("```{}\n{}\n```", c.language, c.text.trim_end()));
    let mut headed = false;
    for shown in detail.tables.iter().cloned().chain(fenced) {
        if shown.len() > SHOWN || notes.len() + shown.len() > ALL_SHOWN {
            notes.push_str(&format!(
                "{}: see the document, it is too long to be repeated here\n",
                detail.heading
            ));
            continue;
        }
        if !headed {
            notes.push_str(&format!("{}:\n", detail.heading));
            headed = true;
        }
        notes.push_str(&shown);
        notes.push('\n');
    }
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
