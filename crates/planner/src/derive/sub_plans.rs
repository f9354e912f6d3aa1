//! Sub-plans by phase: when to suggest them, how tasks are grouped, and planning of a single phase.

use super::note::{Note, NoteKind};
use super::{ChosenPhase, DeriveOptions, Grouping};
use crate::lint::Profile;
use windlass_code::detect::is_test_path;
use windlass_core::plan::{Plan, Task};

/// With more tasks than these the user is asked, and sub-plans are suggested.
const ASK: usize = 10;
const SUGGEST: usize = 15;
/// A plan of so few tasks is one feature: it stays flat whatever its phases.
const FLAT: usize = 5;
/// The most tasks of one sub-plan.
const FEW: usize = 9;

/// A suggestion for or against sub-plans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The phases in order, each with its number of tasks.
    pub phases: Vec<(String, usize)>,
    /// Whether to ask the user.
    pub ask: bool,
    /// Whether sub-plans are suggested.
    pub nested: bool,
    /// The reason.
    pub why: String,
}

/// The suggestion for a flat plan, by its size, its phases and the parts of the repository it changes.
pub fn suggest(plan: &Plan) -> Suggestion {
    let top: Vec<&Task> = plan.tasks.iter().filter(|t| t.parent.is_none()).collect();
    let phases = groups(&top, &plan.phases);
    let count = top.len();
    let domains = domains(&top);
    // Phases that are levels by another name order the tasks; they do not divide the plan.
    let clear = phases.len() >= 3 && top.iter().all(|t| t.phase.is_some() && t.level.is_none());
    let (nested, why) = if count > SUGGEST {
        (phases.len() > 1, format!("{count} tasks"))
    } else if clear && count > FLAT {
        (true, format!("{count} tasks in {} phases", phases.len()))
    } else if domains >= 4 && count > FLAT {
        (phases.len() > 1, format!("{count} tasks in {domains} parts of the repository"))
    } else {
        (false, format!("{count} tasks fit in one view"))
    };
    let phases = phases.into_iter().map(|(key, tasks)| (key.name(), tasks.len())).collect();
    Suggestion { phases, ask: count > ASK || nested, nested, why }
}

/// Whether a plan is grouped where no person can be asked: the documents state the groups, and there are enough tasks. Only
/// super-planner's plans are grouped by what their tasks have in common.
fn is_grouped_unasked(plan: &Plan, profile: Profile) -> bool {
    let top: Vec<&Task> = plan.tasks.iter().filter(|t| t.parent.is_none()).collect();
    let stated = top.iter().any(|t| t.phase.is_some() || t.level.is_some());
    let fits = match profile {
        Profile::Default => stated,
        Profile::Superplanner => true,
        // These formats have no third level, or none of their own; CCW has rules of its own.
        Profile::Zerg | Profile::Homerun | Profile::Ccw | Profile::Contract => false,
    };
    fits && top.len() > ASK && suggest(plan).nested
}

/// What the tasks of a group have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
enum GroupKey {
    Phase(String),
    Level(i64),
    /// A part of the repository, or a run of tasks, where the documents state no groups.
    Part(String),
    /// Neither a phase nor a level.
    Rest,
}

impl GroupKey {
    fn of(task: &Task) -> GroupKey {
        match (&task.phase, task.level) {
            (Some(phase), _) => GroupKey::Phase(phase.clone()),
            (None, Some(level)) => GroupKey::Level(level),
            (None, None) => GroupKey::Rest,
        }
    }

    /// Its title.
    fn name(&self) -> String {
        match self {
            GroupKey::Phase(name) | GroupKey::Part(name) => name.clone(),
            GroupKey::Level(level) => format!("Level {level}"),
            GroupKey::Rest => "Rest".to_owned(),
        }
    }

    /// The number in its name: `Phase 2: Checkout` is 2.
    fn number(&self) -> Option<u32> {
        match self {
            GroupKey::Phase(name) => {
                let digits = name.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty());
                digits?.parse().ok()
            }
            GroupKey::Level(level) => u32::try_from(*level).ok(),
            GroupKey::Part(_) | GroupKey::Rest => None,
        }
    }
}

/// Tasks of one phase or level, by place.
type Group = (GroupKey, Vec<usize>);

/// Tasks by phase, in the plan's order of phases; tasks without a phase by level, tasks with neither last.
fn groups(tasks: &[&Task], phases: &[String]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let key = GroupKey::of(task);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, list)) => list.push(at),
            None => groups.push((key, vec![at])),
        }
    }
    let place = |key: &GroupKey| phases.iter().position(|p| *p == key.name()).unwrap_or(phases.len());
    groups.sort_by_key(|(key, _)| (*key == GroupKey::Rest, place(key)));
    match groups.as_slice() {
        [(GroupKey::Rest, all)] if all.len() > FEW => unstated(tasks, FEW),
        _ => groups,
    }
}

/// Groups of tasks for which the documents state none: by the part of the repository they change; where that tells
/// nothing, runs of tasks in the order in which they build on each other.
fn unstated(tasks: &[&Task], most: usize) -> Vec<Group> {
    let area = |task: &Task| {
        let source = task.owned().find(|p| !is_test_path(p)).or_else(|| task.owned().next())?;
        source.rsplit_once('/').map(|(dir, _)| dir.to_owned())
    };
    let areas: Vec<Option<String>> = tasks.iter().map(|t| area(t)).collect();
    let mut distinct: Vec<&String> = areas.iter().flatten().collect();
    distinct.sort();
    distinct.dedup();
    if distinct.len() > 1 && distinct.len() * 2 <= tasks.len() && areas.iter().all(Option::is_some) {
        let mut groups: Vec<Group> = Vec::new();
        for (at, area) in areas.iter().flatten().enumerate() {
            let key = GroupKey::Part(area.clone());
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, list)) => list.push(at),
                None => groups.push((key, vec![at])),
            }
        }
        return groups;
    }
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    let depths = depths(tasks);
    order.sort_by_key(|at| depths[*at]);
    let pieces = tasks.len().div_ceil(most).max(2);
    let size = tasks.len().div_ceil(pieces).max(1);
    let named = |(n, places): (usize, &[usize])| {
        let title =
            |at: Option<&usize>| super::words::headline(at.map_or("", |at| tasks[*at].title.as_str()), 40);
        let (first, last) = (title(places.first()), title(places.last()));
        (GroupKey::Part(format!("Phase {}: {first} to {last}", n + 1)), places.to_vec())
    };
    order.chunks(size).enumerate().map(named).collect()
}

/// How many tasks stand before each in a chain of dependencies.
fn depths(tasks: &[&Task]) -> Vec<usize> {
    let mut depths = vec![0; tasks.len()];
    for _ in 0..tasks.len() {
        let mut changed = false;
        for (at, task) in tasks.iter().enumerate() {
            let before = tasks.iter().enumerate().filter(|(_, t)| task.depends_on.contains(&t.id));
            let depth = before.map(|(b, _)| depths[b] + 1).max().unwrap_or(0).min(tasks.len());
            if depth > depths[at] {
                depths[at] = depth;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    depths
}

/// The group that is meant by a phase number: by the number in its name, else by its place.
fn numbered(groups: &[Group], wanted: u32) -> Option<usize> {
    let named = groups.iter().position(|(key, _)| key.number() == Some(wanted));
    let at = usize::try_from(wanted).ok()?.checked_sub(1)?;
    // A numbered group is found by its number alone: phase 2 without tasks must not select phase 3.
    let free = groups.get(at).is_some_and(|(key, _)| key.number().is_none());
    named.or_else(|| free.then_some(at))
}

/// The number of top-level folders that the tasks change.
fn domains(tasks: &[&Task]) -> usize {
    let mut found: Vec<&str> = Vec::new();
    for path in tasks.iter().flat_map(|t| t.files.owned()) {
        let first = path.split('/').next().filter(|_| path.contains('/')).unwrap_or_default();
        if !first.is_empty() && !found.contains(&first) {
            found.push(first);
        }
    }
    found.len()
}

/// Keeps the tasks of one phase; the results of earlier phases are taken as merged.
pub(super) fn only(plan: &mut Plan, options: &DeriveOptions, notes: &mut Vec<Note>) {
    let Some(wanted) = options.phase else { return };
    let top: Vec<&Task> = plan.tasks.iter().collect();
    let groups = groups(&top, &plan.phases);
    let phased = top.iter().any(|t| t.phase.is_some() || t.level.is_some());
    let Some((key, places)) = numbered(&groups, wanted).map(|at| &groups[at]) else {
        let names: Vec<String> = groups.iter().map(|(key, _)| format!("`{}`", key.name())).collect();
        let have = if phased { names.join(", ") } else { "none".to_owned() };
        let text = format!("no phase {wanted}; the documents have {have}");
        notes.push(Note::new(NoteKind::LeftOut, text));
        plan.tasks.clear();
        return;
    };
    if !phased {
        let text = "the documents name no phases; planning everything".to_owned();
        notes.push(Note::new(NoteKind::Assumed, text));
        return;
    }
    let name = key.name();
    let rest = groups.iter().position(|(other, _)| *other == GroupKey::Rest);
    if let Some(at) = rest.filter(|_| *key != GroupKey::Rest) {
        let titles: Vec<&str> = groups[at].1.iter().map(|i| top[*i].title.as_str()).collect();
        let text = format!("in no phase: {}", titles.join("; "));
        let help = format!("name their files in a phase, or plan them with `--phase {}`", at + 1);
        notes.push(Note::new(NoteKind::LeftOut, text).help(help));
    }
    let kept: Vec<Task> = places.iter().map(|i| plan.tasks[*i].clone()).collect();
    let ids: Vec<String> = kept.iter().map(|t| t.id.clone()).collect();
    let all = std::mem::replace(&mut plan.tasks, kept);
    for task in &mut plan.tasks {
        let (here, earlier) = std::mem::take(&mut task.depends_on).into_iter().partition(|d| ids.contains(d));
        task.depends_on = here;
        build_on(task, &earlier, &all);
    }
    let served: Vec<String> = plan.tasks.iter().flat_map(|t| t.traces_to.criteria.clone()).collect();
    let before = plan.criteria.len();
    plan.criteria.retain(|c| served.contains(&c.id));
    plan.phases.retain(|p| *p == name);
    let left = before - plan.criteria.len();
    let text = format!("planned phase {wanted} ({name}) only; {left} criteria belong to other phases");
    notes.push(Note::new(NoteKind::LeftOut, text));
}

/// Adds the files of tasks from earlier phases to the files a task reads.
fn build_on(task: &mut Task, earlier: &[String], all: &[Task]) {
    let made = all.iter().filter(|t| earlier.contains(&t.id)).flat_map(Task::owned);
    for path in made.filter(|path| !is_test_path(path)) {
        if !task.files.read.iter().any(|known| known == path) {
            task.files.read.push(path.to_owned());
        }
    }
}

/// Groups the tasks by phase, if the options ask for it.
pub(super) fn nest(plan: &mut Plan, options: &DeriveOptions) {
    let (depth, chosen) = match &options.grouping {
        Grouping::Nested(depth) => (*depth, None),
        Grouping::Chosen(depth, phases) => (*depth, Some(phases)),
        Grouping::Suggested if options.profile == Profile::Ccw => return two_levels(plan),
        Grouping::Suggested if is_grouped_unasked(plan, options.profile) => (3, None),
        Grouping::Flat | Grouping::Suggested => return,
    };
    let parted = plan.tasks.iter().any(|t| t.parent.is_some());
    if depth == 0 || (parted && depth < 2) {
        return;
    }
    let top: Vec<Task> = plan.tasks.iter().filter(|t| t.parent.is_none()).cloned().collect();
    let views: Vec<&Task> = top.iter().collect();
    let mut groups = groups(&views, &plan.phases);
    if let Some(chosen) = chosen {
        groups = regrouped(groups, chosen);
    }
    // A single group is no grouping.
    if groups.len() < 2 && top.len() <= FEW {
        return;
    }
    let parts: Vec<Task> = plan.tasks.iter().filter(|t| t.parent.is_some()).cloned().collect();
    let mut tasks: Vec<Task> = Vec::with_capacity(plan.tasks.len() + groups.len());
    for (number, (key, places)) in (1..).zip(groups) {
        let name = key.name();
        for (half, chunk) in halves(&places).into_iter().enumerate() {
            let parent = parent(number, half, &name);
            for at in chunk {
                let task = Task { parent: Some(parent.id.clone()), ..top[at].clone() };
                let own = parts.iter().filter(|p| p.parent.as_ref() == Some(&task.id)).cloned();
                let own: Vec<Task> = own.collect();
                tasks.push(task);
                tasks.extend(own);
            }
            tasks.push(parent);
        }
    }
    plan.tasks = tasks;
}

/// The groups that a person chose, by their numbers in the suggestion; groups that are not named follow as they are.
fn regrouped(groups: Vec<Group>, chosen: &[ChosenPhase]) -> Vec<Group> {
    let mut left: Vec<Option<Group>> = groups.into_iter().map(Some).collect();
    let mut made: Vec<Group> = Vec::new();
    for phase in chosen {
        let parts: Vec<Group> = phase
            .numbers
            .iter()
            .filter_map(|n| left.get_mut(n.checked_sub(1)?).and_then(Option::take))
            .collect();
        let Some((key, _)) = parts.first() else { continue };
        let key = phase.name.clone().map_or_else(|| key.clone(), GroupKey::Phase);
        made.push((key, parts.into_iter().flat_map(|(_, places)| places).collect()));
    }
    made.extend(left.into_iter().flatten());
    made
}

/// CCW's two levels: up to five tasks stand alone; from six on they are in containers, which features with parts are
/// already.
fn two_levels(plan: &mut Plan) {
    const ALONE: usize = 5;
    let parents: Vec<String> = plan.tasks.iter().filter_map(|t| t.parent.clone()).collect();
    let leaves = plan.tasks.iter().filter(|t| !parents.contains(&t.id)).count();
    if leaves <= ALONE || !parents.is_empty() {
        return;
    }
    let views: Vec<&Task> = plan.tasks.iter().collect();
    let stated = groups(&views, &plan.phases);
    let groups = if stated.len() > 1 { stated } else { unstated(&views, ALONE) };
    let mut tasks: Vec<Task> = Vec::with_capacity(plan.tasks.len() + groups.len());
    for (number, (key, places)) in (1..).zip(groups) {
        if let [only] = places.as_slice() {
            tasks.push(plan.tasks[*only].clone());
            continue;
        }
        let container = parent(number, 0, &key.name());
        let parts =
            places.iter().map(|at| Task { parent: Some(container.id.clone()), ..plan.tasks[*at].clone() });
        let parts: Vec<Task> = parts.collect();
        tasks.push(Task { sub_plan: None, phase: None, ..container });
        tasks.extend(parts);
    }
    plan.tasks = tasks;
}

/// Splits a phase that is too large for one sub-plan.
fn halves(places: &[usize]) -> Vec<Vec<usize>> {
    let pieces = places.len().div_ceil(FEW).max(1);
    let size = places.len().div_ceil(pieces).max(1);
    places.chunks(size).map(<[usize]>::to_vec).collect()
}

fn parent(number: usize, half: usize, name: &str) -> Task {
    // `Phase 2: Use` has its number already.
    let bare =
        name.split_once(':').filter(|(head, _)| head.starts_with("Phase ")).map_or(name, |(_, rest)| rest);
    let slug = super::words::plain(bare, 5).replace('_', "-");
    let cut = if half == 0 { String::new() } else { format!("-{}", half + 1) };
    let own =
        if slug.is_empty() { format!("phase-{number}{cut}") } else { format!("phase-{number}-{slug}{cut}") };
    Task {
        id: own.clone(),
        title: name.to_owned(),
        objective: format!("Everything of {name}"),
        phase: Some(name.to_owned()),
        sub_plan: Some(own),
        ..Task::default()
    }
}
