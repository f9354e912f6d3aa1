//! Splits tasks that exceed the limits of the profile: by file and layer, by criterion, or by lines. The split task keeps
//! its id and becomes the parent of its parts.

use super::DeriveOptions;
use super::module_declarations::{is_glue, is_program};
use super::verification;
use super::words::{headline, words};
use crate::file_kind::{self, FileKind};
use crate::lint::Profile;
use crate::repository::Repository;
use crate::spec::{Operation, Spec, SpecCriterion};
use windlass_code::detect::is_test_path;
use windlass_core::plan::{CodeBlock, Criterion, Files, Mode, Plan, Task, TestPlan, Tier};

/// The most parts of one task: a part's id ends in one letter.
const MOST: usize = 26;
/// The most parts of a task that is split by criterion.
const USUAL: usize = 8;
/// The lines per part of a contract task, below the limit of the profile.
const LINES: u32 = 60;

/// The largest task that a profile allows.
struct TaskLimits {
    criteria: usize,
    files: usize,
    /// Whether tasks without tests are split, too.
    all: bool,
    lines: Option<u32>,
}

fn limits(profile: Profile) -> TaskLimits {
    let none = usize::MAX;
    match profile {
        Profile::Homerun => TaskLimits { criteria: 3, files: 4, all: true, lines: None },
        Profile::Contract => TaskLimits { criteria: none, files: none, all: false, lines: Some(65) },
        // Features are divided where units are joined; only one that is still too large is split.
        Profile::Ccw => TaskLimits { criteria: none, files: super::features::FILES, all: false, lines: None },
        Profile::Default | Profile::Zerg | Profile::Superplanner => {
            TaskLimits { criteria: none, files: none, all: false, lines: None }
        }
    }
}

/// Splits every task that is too large.
pub(super) fn split(plan: &mut Plan, spec: &Spec, repository: &Repository<'_>, options: &DeriveOptions) {
    let limits = limits(options.profile);
    let mut tasks: Vec<Task> = Vec::with_capacity(plan.tasks.len());
    for task in std::mem::take(&mut plan.tasks) {
        let parts = parts(&task, &limits, repository, options);
        if parts.len() < 2 {
            tasks.push(task);
            continue;
        }
        let parts = parts.into_iter().map(|part| with_own_stories(part, spec));
        tasks.push(parent(task));
        tasks.extend(parts);
    }
    plan.tasks = tasks;
}

/// A part serves the stories of its own criteria; one without criteria serves those of its parent.
fn with_own_stories(mut part: Task, spec: &Spec) -> Task {
    let own = |c: &&SpecCriterion| part.criteria.iter().any(|criterion| criterion.id == c.id);
    let mut stories: Vec<String> = spec.criteria.iter().filter(own).filter_map(|c| c.story.clone()).collect();
    stories.dedup();
    if !part.criteria.is_empty() {
        part.traces_to.stories = stories;
    }
    part
}

fn parts(
    task: &Task,
    limits: &TaskLimits,
    repository: &Repository<'_>,
    options: &DeriveOptions,
) -> Vec<Task> {
    let owned = task.owned().count();
    let tested = task.test.none.is_none() && task.mode != Some(Mode::Gate) && owned > 0;
    let lines: u32 = task.lines.iter().filter(|(p, _)| !is_test_path(p)).map(|(_, n)| n).sum();
    let long = limits.lines.is_some_and(|most| lines > most);
    let many_files = owned > limits.files;
    let many_criteria = task.criteria.len() > limits.criteria && (tested || limits.all) && owned > 0;
    let sources = || task.owned().filter(|path| !is_test_path(path));
    let mut layers: Vec<&str> = sources().filter_map(crate::lint::layer_of).collect();
    layers.sort_unstable();
    layers.dedup();
    let many_layers = limits.all && layers.len() > 1;
    if !(many_files || many_criteria || many_layers || long) {
        return Vec::new();
    }
    let groups =
        if many_files || many_layers || long { groups(task, limits) } else { vec![task.files.clone()] };
    let criteria = shared(task, &groups);
    let mut parts: Vec<Task> = Vec::new();
    for (files, criteria) in groups.into_iter().zip(criteria) {
        let room = (MOST - parts.len().min(MOST - 1)).min(USUAL);
        let chunks = chunks(criteria, limits, room);
        let pieces = pieces(task, &files, limits, chunks);
        for piece in pieces {
            parts.push(part(task, &parts, piece, repository, options));
        }
    }
    leave_the_rest(&mut parts);
    parts
}

/// Adds to each part's notes the criteria that later parts add to the same files: code written too early would make
/// their tests pass before they start.
fn leave_the_rest(parts: &mut [Task]) {
    for at in 0..parts.len() {
        let (so_far, later) = parts.split_at_mut(at + 1);
        let Some(part) = so_far.last_mut() else { continue };
        let shares = |other: &&Task| other.owned().any(|path| part.owned().any(|own| own == path));
        let rest: Vec<String> =
            later.iter().filter(shares).flat_map(|t| t.criteria.iter().map(named)).collect();
        if !rest.is_empty() {
            let sep = if part.notes.is_empty() { "" } else { "\n" };
            part.notes.push_str(&format!("{sep}Leave to later parts: {}", rest.join("; ")));
        }
    }
}

fn named(criterion: &Criterion) -> String {
    format!("{} {}", criterion.id, super::words::cut(&criterion.text, 60))
}

/// The files of a task in groups: each source file alone, tests with the file before them, other files by kind.
fn groups(task: &Task, limits: &TaskLimits) -> Vec<Files> {
    let most = limits.files.min(4).saturating_sub(usize::from(task.test.file.is_some())).max(1);
    let mut groups: Vec<Files> = Vec::new();
    let every = all(&task.files);
    let mut layered: Vec<&(Operation, String)> = every.iter().collect();
    layered.sort_by_key(|(_, p)| (file_kind::layer(p).unwrap_or(3), FileKind::of(p)));
    let alone = limits.lines.is_some();
    let mut last: Option<FileKind> = None;
    for (operation, path) in layered {
        let own = FileKind::of(path);
        let fits = groups.last().is_some_and(|g| all(g).len() < most) && !alone;
        let joins = fits && (last == Some(own) || own == FileKind::Test) && own != FileKind::Code;
        if !joins {
            groups.push(Files::default());
        }
        if let Some(group) = groups.last_mut() {
            put(group, *operation, path.clone());
        }
        last = Some(own);
    }
    if let Some(first) = groups.first_mut() {
        first.read.clone_from(&task.files.read);
    }
    groups
}

fn all(files: &Files) -> Vec<(Operation, String)> {
    let of = |operation, list: &[String]| list.iter().map(|p| (operation, p.clone())).collect::<Vec<_>>();
    [
        of(Operation::Create, &files.create),
        of(Operation::Modify, &files.modify),
        of(Operation::Delete, &files.delete),
    ]
    .concat()
}

fn put(files: &mut Files, operation: Operation, path: String) {
    match operation {
        Operation::Create => files.create.push(path),
        Operation::Modify | Operation::Unsaid => files.modify.push(path),
        Operation::Read => files.read.push(path),
        Operation::Delete => files.delete.push(path),
    }
}

/// The criteria of each group: a criterion goes to the group whose paths share most words with it, then to the group
/// with the fewest.
fn shared(task: &Task, groups: &[Files]) -> Vec<Vec<Criterion>> {
    let mut shared: Vec<Vec<Criterion>> = vec![Vec::new(); groups.len()];
    let names: Vec<Vec<String>> =
        groups.iter().map(|g| all(g).iter().flat_map(|(_, p)| words(p)).collect()).collect();
    for criterion in &task.criteria {
        let own = words(&criterion.text);
        let common = |at: usize| own.iter().filter(|w| names[at].contains(w)).count();
        let best = (0..groups.len()).max_by_key(|at| (common(*at), std::cmp::Reverse(shared[*at].len())));
        if let Some(list) = best.and_then(|at| shared.get_mut(at)) {
            list.push(criterion.clone());
        }
    }
    shared
}

fn chunks(criteria: Vec<Criterion>, limits: &TaskLimits, room: usize) -> Vec<Vec<Criterion>> {
    if criteria.len() <= limits.criteria.min(3) {
        return vec![criteria];
    }
    // The test of a quality alone would pass at once, so qualities go with the last behaviour.
    let (qualities, deeds): (Vec<Criterion>, Vec<Criterion>) = criteria.into_iter().partition(is_quality);
    let (deeds, qualities) = if deeds.is_empty() { (qualities, deeds) } else { (deeds, qualities) };
    let size = deeds.len().div_ceil(room.max(1));
    let mut chunks: Vec<Vec<Criterion>> = deeds.chunks(size).map(<[Criterion]>::to_vec).collect();
    if let Some(last) = chunks.last_mut() {
        last.extend(qualities);
    }
    chunks
}

/// Whether a criterion is a non-functional requirement or success criterion, by its id.
fn is_quality(criterion: &Criterion) -> bool {
    let kind: String = criterion.id.chars().take_while(char::is_ascii_alphabetic).collect();
    matches!(kind.to_ascii_uppercase().as_str(), "NFR" | "NF" | "SC")
}

/// A part before it becomes a task.
struct PartDraft {
    files: Files,
    criteria: Vec<Criterion>,
    /// The lines it writes, where the profile limits them.
    lines: Option<u32>,
    /// Its index among the parts over the same files, and their number.
    of: (usize, usize),
}

fn pieces(task: &Task, files: &Files, limits: &TaskLimits, chunks: Vec<Vec<Criterion>>) -> Vec<PartDraft> {
    let lines: u32 = all(files).iter().filter_map(|(_, p)| task.lines.get(p)).sum();
    let by_lines = limits.lines.map_or(1, |_| usize::try_from(lines.div_ceil(LINES)).unwrap_or(1));
    let count = chunks.len().max(by_lines).clamp(1, USUAL);
    let each = limits.lines.map(|most| lines.div_ceil(u32::try_from(count).unwrap_or(1)).min(most));
    let mut chunks = chunks.into_iter();
    (0..count)
        .map(|at| {
            // Only the first part creates the files.
            let own = if at == 0 { files.clone() } else { later(files) };
            let criteria = chunks.next().unwrap_or_default();
            PartDraft { files: own, criteria, lines: each, of: (at, count) }
        })
        .collect()
}

/// The files of a later part: code and tests, or all files where there is no code.
fn later(files: &Files) -> Files {
    let every = [files.create.clone(), files.modify.clone()].concat();
    let is_code = |p: &&String| matches!(FileKind::of(p), FileKind::Code | FileKind::Test);
    let code: Vec<String> = every.iter().filter(is_code).cloned().collect();
    // The first part declares the module.
    let declares = |p: &&String| is_glue(p) || (is_program(p) && code.len() > 1);
    let own: Vec<String> = code.iter().filter(|p| !declares(p)).cloned().collect();
    let goes_on = [own, code, every].into_iter().find(|files| !files.is_empty());
    Files { modify: goes_on.unwrap_or_default(), ..Files::default() }
}

fn part(
    task: &Task,
    before: &[Task],
    piece: PartDraft,
    repository: &Repository<'_>,
    options: &DeriveOptions,
) -> Task {
    let number = before.len();
    let letter = char::from(b'a' + u8::try_from(number.min(MOST - 1)).unwrap_or(0));
    let id = match options.profile {
        Profile::Ccw => format!("{}.{}", task.id, number + 1),
        _ => format!("{}{letter}", task.id),
    };
    let paths: Vec<String> = all(&piece.files).into_iter().map(|(_, p)| p).collect();
    let traced: Vec<String> = piece.criteria.iter().map(|c| c.id.clone()).collect();
    let mut part =
        Task { id, parent: Some(task.id.clone()), title: title(task, &piece, &paths), ..task.clone() };
    // The first part waits for what its parent waits for.
    part.depends_on = before.last().map_or_else(|| task.depends_on.clone(), |b| vec![b.id.clone()]);
    part.traces_to.criteria = traced;
    part.criteria = piece.criteria;
    part.lines.retain(|p, _| paths.contains(p));
    if let Some(lines) = piece.lines.filter(|_| !part.lines.is_empty()) {
        let share = lines / u32::try_from(part.lines.len()).unwrap_or(1).max(1);
        part.lines.values_mut().for_each(|n| *n = (*n).min(share.max(1)));
    }
    part.changes.retain(|p, _| paths.contains(p));
    contract_of(&mut part, task, &paths, piece.of);
    part.test = test_of(task, &paths, repository);
    let tested = part.test.file.is_some();
    let mut tests: Vec<String> = part.test.file.iter().cloned().collect();
    let others = paths.iter().filter(|p| FileKind::of(p) == FileKind::Test && !tests.contains(p));
    tests.extend(others.cloned().collect::<Vec<_>>());
    part.verification = if tested { verification::verification(&tests, repository) } else { None };
    part.files = piece.files;
    part.estimate_minutes = Some(10.0);
    part.tier = Some(Tier::Small);
    part.task_type = Some(part_type(task, &paths, tested).to_owned());
    part.mode = None;
    part
}

/// Gives the contract to the last part over a file; earlier parts get it as a note.
fn contract_of(part: &mut Task, task: &Task, paths: &[String], (at, count): (usize, usize)) {
    let own = |b: &&CodeBlock| b.path.as_ref().is_none_or(|p| paths.contains(p));
    let blocks: Vec<CodeBlock> = task.contract.iter().filter(own).cloned().collect();
    part.contract = Vec::new();
    if at + 1 == count {
        part.contract = blocks;
    } else if !blocks.is_empty() {
        let code: Vec<String> = blocks.iter().map(|b| format!("```\n{}\n```", b.code)).collect();
        let sep = if part.notes.is_empty() { "" } else { "\n" };
        let said = "The final interface of the file; keep to it as far as this part needs it:";
        part.notes.push_str(&format!("{sep}{said}\n{}", code.join("\n")));
    }
}

/// The task type of a part.
fn part_type(task: &Task, paths: &[String], tested: bool) -> &'static str {
    // A part over one of several sources is what that source is.
    let of_source = own_source(task, paths).filter(|_| tested).and_then(crate::lint::layer_of);
    match (of_source, task.task_type.as_deref()) {
        (Some("api"), _) => return "add_endpoint",
        (Some("data"), _) => return "add_field",
        (Some(_), _) => return "add_method",
        (None, _) => {}
    }
    match task.task_type.as_deref() {
        Some("add_field") => "add_field",
        Some("add_validation") => "add_validation",
        Some("add_endpoint" | "add_endpoint_complex") => "add_endpoint",
        Some("add_test" | "integration_test") => "add_test",
        Some("rename_refactor") => "rename_refactor",
        _ if tested => "add_method",
        _ => "add_config",
    }
}

/// The one source of a part, if its task has others.
fn own_source<'p>(task: &Task, paths: &'p [String]) -> Option<&'p str> {
    let code = |path: &&str| FileKind::of(path) == FileKind::Code;
    let mut own = paths.iter().map(String::as_str).filter(code);
    let source = own.next().filter(|_| own.next().is_none())?;
    (task.owned().filter(code).count() > 1).then_some(source)
}

/// The test of a part: a test file among its paths, else the task's own, else the reason for having none.
fn test_of(task: &Task, paths: &[String], repository: &Repository<'_>) -> TestPlan {
    if task.test.none.is_some() {
        return task.test.clone();
    }
    let kinds: Vec<FileKind> = paths.iter().map(|p| FileKind::of(p)).collect();
    let none = |reason: windlass_core::plan::NoTestReason| TestPlan {
        none: Some(reason.as_str().to_owned()),
        ..TestPlan::default()
    };
    let tests = || paths.iter().zip(&kinds).filter(|(_, k)| **k == FileKind::Test).map(|(p, _)| p);
    if let Some(test) = tests().find(|p| verification::is_run(p)).or_else(|| tests().next()) {
        return TestPlan { file: Some(test.clone()), ..TestPlan::default() };
    }
    let own = own_source(task, paths).and_then(|source| repository.survey().test_file_for(source));
    if let Some(own) = own {
        return TestPlan { file: Some(own.path), inline: own.inline, ..TestPlan::default() };
    }
    if kinds.contains(&FileKind::Code) {
        return task.test.clone();
    }
    if kinds.iter().all(|k| *k == FileKind::Documentation) {
        return none(windlass_core::plan::NoTestReason::DocumentationOnly);
    }
    none(windlass_core::plan::NoTestReason::ConfigStatic)
}

fn title(task: &Task, piece: &PartDraft, paths: &[String]) -> String {
    let cut = |text: &str| headline(text, 70);
    match (piece.criteria.as_slice(), paths) {
        ([first, ..], _) => format!("{}: {}", first.id, cut(&first.text)),
        ([], [only]) if piece.of.1 == 1 => format!("{} in {only}", cut(&task.title)),
        ([], _) => {
            let (at, count) = piece.of;
            let named = paths.first().map(|p| format!(" in {p}")).unwrap_or_default();
            format!("{}{named}, part {} of {count}", cut(&task.title), at + 1)
        }
    }
}

/// The split task as a parent, without files, test and verification.
fn parent(mut task: Task) -> Task {
    task.files = Files::default();
    task.test = TestPlan::default();
    task.verification = None;
    task.steps.clear();
    task.lines.clear();
    task.changes.clear();
    task.contract.clear();
    task.mode = None;
    task.task_type = task.task_type.map(|kind| match kind.as_str() {
        "add_endpoint" => "add_endpoint_complex".to_owned(),
        "add_method" | "add_field" | "add_validation" => "create_service".to_owned(),
        "add_test" => "integration_test".to_owned(),
        _ => kind,
    });
    task.tier = Some(Tier::Medium);
    task
}

#[cfg(test)]
mod tests {
    use super::*;

    fn criterion(id: &str) -> Criterion {
        Criterion { id: id.into(), text: format!("what {id} says"), ..Criterion::default() }
    }

    #[test]
    fn qualities_go_with_the_last_deed() {
        let limits = limits(Profile::Homerun);
        let ids = |all: &[&str]| -> Vec<String> {
            let chunks = chunks(all.iter().map(|id| criterion(id)).collect(), &limits, USUAL);
            chunks.iter().map(|c| c.iter().map(|c| c.id.as_str()).collect::<Vec<_>>().join("+")).collect()
        };
        assert_eq!(ids(&["AC-1", "NFR-1", "AC-2", "AC-3"]), ["AC-1", "AC-2", "AC-3+NFR-1"]);
        assert_eq!(ids(&["AC-1", "AC-2", "NFR-1"]), ["AC-1+AC-2+NFR-1"]);
        assert_eq!(ids(&["NFR-1", "NFR-2", "NFR-3", "NFR-4"]), ["NFR-1", "NFR-2", "NFR-3", "NFR-4"]);
    }

    #[test]
    fn a_part_is_told_what_others_add() {
        let part = |id: &str, path: &str, ac: &str| Task {
            id: id.into(),
            files: Files { modify: vec![path.into()], ..Files::default() },
            criteria: vec![criterion(ac)],
            ..Task::default()
        };
        let mut parts = [part("a", "x.py", "AC-1"), part("b", "y.py", "AC-2"), part("c", "x.py", "AC-3")];
        leave_the_rest(&mut parts);
        let notes: Vec<&str> = parts.iter().map(|p| p.notes.as_str()).collect();
        assert_eq!(notes, ["Leave to later parts: AC-3 what AC-3 says", "", ""]);
    }
}
