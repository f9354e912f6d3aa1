//! Units by feature, as CCW counts them: one feature is one task with a whole cycle. A feature that is too large for one
//! cycle becomes a container with parts.

use std::collections::BTreeMap;

use super::unit::Unit;
use super::words::words;
use crate::spec::{Spec, Story};
use windlass_core::plan::{Plan, Task};

/// The most files and lines of one cycle.
pub(super) const FILES: usize = 6;
const LINES: u32 = 2500;

/// What the units of one feature have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum FeatureKey {
    Story(String),
    Component(String),
    /// The documents know neither stories nor components: they are about one feature.
    Whole,
}

/// Joins the units of a feature. Units that documents state as tasks, and those that no feature needs alone, stay.
pub(super) fn join(units: Vec<Unit>, spec: &Spec) -> Vec<Unit> {
    if units.iter().any(|u| !u.stated.is_empty()) {
        return units;
    }
    let mut groups: BTreeMap<FeatureKey, Vec<usize>> = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        if let Some(key) = feature_of(unit, spec) {
            groups.entry(key).or_default().push(at);
        }
    }
    prepare(&units, &mut groups);
    let mut of: Vec<usize> = (0..units.len()).collect();
    for members in groups.values() {
        let mut tried = of.clone();
        for chunk in chunks(&units, members) {
            for at in &chunk {
                tried[*at] = chunk[0];
            }
        }
        if is_acyclic(&units, &tried) {
            of = tried;
        }
    }
    let titles: BTreeMap<usize, String> = groups
        .iter()
        .flat_map(|(key, members)| members.iter().map(|at| (*at, title(key, spec))))
        .filter(|(_, title)| !title.is_empty())
        .collect();
    joined(&units, &of, &titles)
}

/// The feature of a unit: the story most of its criteria belong to, else its component, else the whole document.
fn feature_of(unit: &Unit, spec: &Spec) -> Option<FeatureKey> {
    if !spec.stories.is_empty() {
        let of = |id: &String| spec.criteria.iter().find(|c| c.id == *id).and_then(|c| c.story.clone());
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for story in unit.traced.iter().filter_map(of) {
            *counts.entry(story).or_default() += 1;
        }
        let first = unit.slice.clone().or_else(|| unit.stories.first().cloned());
        let most = counts.into_iter().rev().max_by_key(|(_, n)| *n).map(|(story, _)| story);
        return most.or(first).or_else(|| closest(unit, spec)).map(FeatureKey::Story);
    }
    let component =
        spec.components.iter().find(|c| c.files.len() > 1 && c.files.iter().any(|f| unit.owns(f)));
    if let Some(component) = component {
        return Some(FeatureKey::Component(component.name.clone()));
    }
    spec.components.is_empty().then_some(FeatureKey::Whole)
}

/// The story that shares most words with a unit that no criterion leads to; the only one there is.
fn closest(unit: &Unit, spec: &Spec) -> Option<String> {
    if let [only] = spec.stories.as_slice() {
        return Some(only.id.clone());
    }
    let mut own = words(&format!("{} {}", unit.title, unit.text));
    own.extend(unit.owned().flat_map(|file| words(&file.path)));
    let score = |story: &Story| {
        let criteria = spec.criteria.iter().filter(|c| c.story.as_ref() == Some(&story.id));
        let mut said = words(&format!("{} {}", story.title, story.text));
        said.extend(criteria.flat_map(|c| words(&c.text)));
        own.iter().filter(|word| said.contains(word)).count()
    };
    let scores: Vec<usize> = spec.stories.iter().map(score).collect();
    let most = scores.iter().copied().max().filter(|most| *most > 0)?;
    let mut best = (0..scores.len()).filter(|at| scores[*at] == most);
    let at = best.next().filter(|_| best.next().is_none())?;
    Some(spec.stories[at].id.clone())
}

/// A unit without a feature belongs to the only feature that needs it.
fn prepare(units: &[Unit], groups: &mut BTreeMap<FeatureKey, Vec<usize>>) {
    for at in (0..units.len()).rev() {
        if groups.values().any(|members| members.contains(&at)) {
            continue;
        }
        let users: Vec<usize> = (0..units.len()).filter(|u| units[*u].after.contains(&at)).collect();
        let mut keys: Vec<&FeatureKey> =
            groups.iter().filter(|(_, m)| users.iter().any(|u| m.contains(u))).map(|(key, _)| key).collect();
        let free = users.iter().any(|u| !groups.values().any(|m| m.contains(u)));
        if let (Some(key), true, false) = (keys.pop().cloned(), keys.is_empty(), free) {
            let members = groups.entry(key).or_default();
            members.push(at);
            members.sort_unstable();
        }
    }
}

/// The units of a feature in parts that fit one cycle, of about equal size.
fn chunks(units: &[Unit], members: &[usize]) -> Vec<Vec<usize>> {
    let size = |at: usize| units[at].owned().count();
    let lines = |at: usize| units[at].owned().filter_map(|f| f.lines).sum::<u32>();
    let files: usize = members.iter().map(|at| size(*at)).sum();
    let all_lines: u32 = members.iter().map(|at| lines(*at)).sum();
    let pieces = files.div_ceil(FILES).max(all_lines.div_ceil(LINES) as usize).max(1);
    let most = files.div_ceil(pieces).max(1);
    let mut chunks: Vec<Vec<usize>> = Vec::new();
    let (mut used, mut written) = (0, 0);
    for at in members {
        let fits = used + size(*at) <= most.max(2) && written + lines(*at) <= LINES;
        if let Some(chunk) = chunks.last_mut().filter(|_| fits) {
            chunk.push(*at);
        } else {
            chunks.push(vec![*at]);
            (used, written) = (0, 0);
        }
        used += size(*at);
        written += lines(*at);
    }
    chunks
}

/// Whether units joined in this way can still be put in an order.
fn is_acyclic(units: &[Unit], of: &[usize]) -> bool {
    order(units, of).is_some()
}

/// The groups in an order in which each comes after what it builds on.
fn order(units: &[Unit], of: &[usize]) -> Option<Vec<usize>> {
    let mut open: Vec<usize> = (0..units.len()).filter(|at| of[*at] == *at).collect();
    let needs = |group: usize| -> Vec<usize> {
        let members = (0..units.len()).filter(|at| of[*at] == group);
        members.flat_map(|at| units[at].after.iter().map(|b| of[*b])).filter(|b| *b != group).collect()
    };
    let mut done: Vec<usize> = Vec::new();
    while !open.is_empty() {
        let at = open.iter().position(|group| needs(*group).iter().all(|b| done.contains(b)))?;
        done.push(open.remove(at));
    }
    Some(done)
}

fn title(key: &FeatureKey, spec: &Spec) -> String {
    match key {
        FeatureKey::Story(id) => {
            spec.stories.iter().find(|s| s.id == *id).map(|s| s.title.clone()).unwrap_or_default()
        }
        FeatureKey::Component(name) => name.clone(),
        FeatureKey::Whole => spec.title.clone().unwrap_or_default(),
    }
}

fn joined(units: &[Unit], of: &[usize], titles: &BTreeMap<usize, String>) -> Vec<Unit> {
    let order = order(units, of).unwrap_or_default();
    let place = |group: usize| order.iter().position(|g| *g == group);
    // A feature of several groups has a container.
    let parts = |title: &str| order.iter().filter(|g| titles.get(g).is_some_and(|t| t == title)).count();
    let mut made: Vec<Unit> = Vec::new();
    for group in &order {
        let members: Vec<&Unit> =
            (0..units.len()).filter(|at| of[*at] == *group).map(|at| &units[at]).collect();
        let mut unit = members[0].clone();
        for other in &members[1..] {
            absorb(&mut unit, other);
        }
        let mut after: Vec<usize> =
            members.iter().flat_map(|m| &m.after).filter_map(|b| place(of[*b])).collect();
        after.retain(|b| *b < made.len());
        after.sort_unstable();
        after.dedup();
        unit.after = after;
        if let Some(title) = titles.get(group) {
            if parts(title) > 1 {
                unit.feature = Some(title.clone());
            } else if members.len() > 1 || unit.untitled {
                unit.title.clone_from(title);
                unit.untitled = false;
            }
        }
        made.push(unit);
    }
    made
}

/// Adds what another unit is about to a unit.
pub(super) fn absorb(unit: &mut Unit, other: &Unit) {
    fn add<T: Clone + PartialEq>(list: &mut Vec<T>, more: &[T]) {
        for item in more {
            if !list.contains(item) {
                list.push(item.clone());
            }
        }
    }
    for file in &other.files {
        if !unit.files.iter().any(|known| known.path == file.path) {
            unit.files.push(file.clone());
        }
    }
    add(&mut unit.criteria, &other.criteria);
    add(&mut unit.traced, &other.traced);
    add(&mut unit.stories, &other.stories);
    add(&mut unit.decisions, &other.decisions);
    add(&mut unit.details, &other.details);
    add(&mut unit.risks, &other.risks);
    add(&mut unit.remarks, &other.remarks);
    add(&mut unit.contract, &other.contract);
    unit.check = unit.check.take().or_else(|| other.check.clone());
    unit.phase = unit.phase.take().or_else(|| other.phase.clone());
    if !other.text.is_empty() && !unit.text.contains(&other.text) {
        let sep = if unit.text.is_empty() { "" } else { "; " };
        unit.text.push_str(&format!("{sep}{}", other.text));
    }
}

/// Gives parts of a feature their container. A part's `parent` is the title of its feature until then.
pub(super) fn contain(plan: &mut Plan) {
    let mut tasks: Vec<Task> = Vec::with_capacity(plan.tasks.len());
    for mut task in std::mem::take(&mut plan.tasks) {
        if let Some(feature) = task.parent.take() {
            let id = format!("feature: {feature}");
            if !tasks.iter().any(|t| t.id == id) {
                let objective = format!("Everything of {feature}");
                tasks.push(Task { id: id.clone(), title: feature, objective, ..Task::default() });
            }
            task.parent = Some(id);
        }
        tasks.push(task);
    }
    plan.tasks = tasks;
}

/// `IMPL-1`, `IMPL-2.1`: ids by place, in the order of the plan.
pub(super) fn number(plan: &mut Plan) {
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    let roots = plan.tasks.iter().filter(|t| t.parent.is_none()).map(|t| t.id.clone());
    for (at, root) in (1..).zip(roots.collect::<Vec<_>>()) {
        ids.insert(root.clone(), format!("IMPL-{at}"));
        let parts = plan.tasks.iter().filter(|t| t.parent.as_ref() == Some(&root));
        for (part, task) in (1..).zip(parts) {
            ids.insert(task.id.clone(), format!("IMPL-{at}.{part}"));
        }
    }
    let new = |id: &mut String| {
        if let Some(own) = ids.get(id) {
            id.clone_from(own);
        }
    };
    for task in &mut plan.tasks {
        new(&mut task.id);
        task.parent.iter_mut().for_each(new);
        task.depends_on.iter_mut().for_each(new);
    }
    // A container comes before its parts.
    plan.tasks.sort_by_key(|t| {
        let numbers: Vec<u32> = t.id.split(['-', '.']).filter_map(|part| part.parse().ok()).collect();
        numbers
    });
}
