//! What stays where it is although derivation would choose anew: files that it had to name itself, and criteria that it
//! gave to a task by their words.

use std::collections::{BTreeMap, BTreeSet};
use windlass_core::path_text::{dir_of, file_name};

use super::lines::plain_text;
use crate::spec::SpecFile;
use windlass_core::plan::{Criterion, Plan, Task};

/// The files that a task had to invent a name for, by the names they had before.
pub(super) fn assumed_files(old: &Task, new: &Task, said: &dyn Fn(&str) -> bool) -> BTreeMap<String, String> {
    let before: Vec<&str> = old.owned().collect();
    let after: Vec<&str> = new.owned().collect();
    let gone: Vec<&str> = before.iter().copied().filter(|p| !after.contains(p)).collect();
    let come: Vec<&str> = after.iter().copied().filter(|p| !before.contains(p)).collect();
    if gone.len() != come.len() || gone.iter().chain(&come).any(|path| said(path)) {
        return BTreeMap::new();
    }
    let alike = |a: &str, b: &str| dir_of(a) == dir_of(b) && ending(a) == ending(b);
    let mut left = gone;
    let mut names = BTreeMap::new();
    for path in come {
        let Some(at) = left.iter().position(|old| alike(old, path)) else { return BTreeMap::new() };
        names.insert(path.to_owned(), left.remove(at).to_owned());
    }
    names
}

fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Whether documents name a file, by its path or by its name.
pub(super) fn names_file(documents: &[SpecFile], path: &str) -> bool {
    let name = file_name(path);
    documents.iter().any(|document| document.text.contains(name))
}

/// The heading above each line of the documents, by the line in plain words.
pub(super) struct HeadingTrail {
    of: BTreeMap<String, String>,
}

impl HeadingTrail {
    pub(super) fn of(documents: &[SpecFile]) -> Self {
        let mut of = BTreeMap::new();
        for document in documents {
            let mut heading = String::new();
            for line in document.text.lines() {
                let plain = plain_text(line);
                if line.trim_start().starts_with('#') {
                    heading.clone_from(&plain);
                }
                of.entry(plain).or_insert_with(|| heading.clone());
            }
        }
        Self { of }
    }

    /// The heading above a sentence; `None` if the sentence is not a line.
    fn above(&self, sentence: &str) -> Option<&str> {
        let plain = plain_text(sentence);
        let exact = self.of.get(&plain);
        let found = exact.or_else(|| self.of.iter().find(|(line, _)| line.ends_with(&plain)).map(|(_, h)| h));
        found.map(String::as_str)
    }
}

/// The tasks that serve a criterion.
fn owners(plan: &Plan, id: &str) -> BTreeSet<String> {
    let serves = |t: &&Task| t.criteria.iter().any(|c| c.id == id);
    plan.tasks.iter().filter(serves).map(|t| t.id.clone()).collect()
}

/// Gives a criterion to these tasks and to no others.
fn give(now: &mut Plan, criterion: &Criterion, to: &BTreeSet<String>) {
    let found = now.tasks.iter().flat_map(|t| &t.criteria).find(|c| c.id == criterion.id).cloned();
    let found = found.unwrap_or_else(|| criterion.clone());
    for task in &mut now.tasks {
        task.criteria.retain(|c| c.id != found.id);
        task.traces_to.criteria.retain(|id| *id != found.id);
        if to.contains(&task.id) {
            task.traces_to.criteria.push(found.id.clone());
            task.criteria.push(found.clone());
        }
    }
}

/// A criterion that was added under a heading whose criteria all belong to one task belongs to that task, unless it names
/// a file of the task that it was given to. Where they belong to several, and none of these has it, it goes with the one
/// before it.
pub(super) fn join_siblings(before: &Plan, now: &mut Plan, headings: &HeadingTrail) {
    let is_old = |id: &str| before.criteria.iter().any(|c| c.id == id);
    for criterion in now.criteria.clone().iter().filter(|c| !is_old(&c.id)) {
        let Some(heading) = headings.above(&criterion.text) else { continue };
        let given = owners(now, &criterion.id);
        let names = |path: &str| criterion.text.contains(file_name(path));
        let stated = now.tasks.iter().any(|t| given.contains(&t.id) && t.owned().any(names));
        let beside =
            now.criteria.iter().filter(|c| is_old(&c.id) && headings.above(&c.text) == Some(heading));
        let beside: Vec<(bool, BTreeSet<String>)> =
            beside.map(|c| (c.id == before_it(now, criterion), owners(now, &c.id))).collect();
        let Some((_, first)) = beside.first().filter(|(_, first)| !first.is_empty() && !stated) else {
            continue;
        };
        let together = beside.iter().all(|(_, ids)| ids == first);
        let is_foreign = beside.iter().all(|(_, ids)| ids.is_disjoint(&given));
        let previous = beside.iter().find(|(is_previous, _)| *is_previous).map(|(_, ids)| ids);
        let to = if together { Some(first) } else { previous.filter(|ids| is_foreign && !ids.is_empty()) };
        if let Some(to) = to.filter(|to| **to != given).cloned() {
            give(now, criterion, &to);
        }
    }
}

/// The id of the criterion that stands before another one in the documents.
fn before_it<'p>(plan: &'p Plan, criterion: &Criterion) -> &'p str {
    let at = plan.criteria.iter().position(|c| c.id == criterion.id).unwrap_or_default();
    at.checked_sub(1).and_then(|before| plan.criteria.get(before)).map_or("", |c| c.id.as_str())
}

/// Criteria that say the same under the same heading stay with their tasks, as long as those exist.
pub(super) fn keep_criteria(before: &Plan, now: &mut Plan, old: &HeadingTrail, new: &HeadingTrail) {
    for criterion in now.criteria.clone() {
        let Some(same) = before.criteria.iter().find(|c| c.id == criterion.id) else { continue };
        let (was, is) = (owners(before, &criterion.id), owners(now, &criterion.id));
        if was == is || was.is_empty() || !was.iter().all(|id| now.task(id).is_some()) {
            continue;
        }
        if same.text == criterion.text && old.above(&same.text) == new.above(&criterion.text) {
            give(now, &criterion, &was);
        }
    }
}

/// Criteria that only changed places keep the order that the plan has: the same sentences in another order ask for nothing.
pub(super) fn keep_order(before: &Plan, now: &mut Plan) {
    let places = |list: &[Criterion]| list.iter().map(|c| c.id.clone()).collect::<Vec<_>>();
    in_former_order(&places(&before.criteria), &mut now.criteria, |c| &c.id);
    for task in &mut now.tasks {
        let Some(old) = before.task(&task.id) else { continue };
        in_former_order(&places(&old.criteria), &mut task.criteria, |c| &c.id);
        in_former_order(&old.traces_to.criteria, &mut task.traces_to.criteria, |id| id);
        for (is, was) in [(&mut task.notes, &old.notes), (&mut task.description, &old.description)] {
            if *is != *was && parts_of(is) == parts_of(was) {
                is.clone_from(was);
            }
        }
        // The steps, and the tests they sketch, name the criteria in their order.
        let steps = std::mem::replace(&mut task.steps, old.steps.clone());
        if task != old {
            task.steps = steps;
        }
    }
}

/// The sentences of a text, in an order that says nothing.
fn parts_of(text: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = text
        .split(['\n', ';'])
        .flat_map(|line| line.split(". "))
        .map(|part| part.trim().trim_end_matches('.'))
        .collect();
    parts.sort_unstable();
    parts
}

/// Puts what was there before into its former order, in the places that it takes.
fn in_former_order<T: Clone>(former: &[String], list: &mut [T], id: impl Fn(&T) -> &String) {
    let place = |item: &T| former.iter().position(|old| old == id(item));
    let taken: Vec<usize> = (0..list.len()).filter(|at| place(&list[*at]).is_some()).collect();
    let mut kept: Vec<T> = taken.iter().map(|at| list[*at].clone()).collect();
    kept.sort_by_key(|item| place(item));
    for (at, item) in taken.into_iter().zip(kept) {
        list[at] = item;
    }
}

/// Lines of notes that documents say before and after stay with their tasks: which task a remark fits best by its words may
/// change with any other sentence.
pub(super) fn keep_notes(before: &Plan, now: &mut Plan) {
    let holds = |task: &Task, line: &str| task.notes.lines().any(|own| own == line);
    let owners = |plan: &Plan, line: &str| -> BTreeSet<String> {
        plan.tasks.iter().filter(|t| holds(t, line)).map(|t| t.id.clone()).collect()
    };
    let lines: BTreeSet<&str> = before.tasks.iter().flat_map(|t| t.notes.lines()).collect();
    for line in lines.into_iter().filter(|line| !line.trim().is_empty()) {
        let (was, is) = (owners(before, line), owners(now, line));
        if was == is || is.is_empty() || !was.iter().all(|id| now.task(id).is_some()) {
            continue;
        }
        for task in &mut now.tasks {
            let is_old = before.task(&task.id).is_some();
            match (was.contains(&task.id), holds(task, line)) {
                (true, false) => insert_line(task, line, before),
                // A task that is new may have it as well.
                (false, true) if is_old => remove_line(task, line),
                (true, true) | (false, _) => {}
            }
        }
    }
}

/// Puts a line behind the one that it stood behind before.
fn insert_line(task: &mut Task, line: &str, before: &Plan) {
    let old: Vec<&str> = before.task(&task.id).map(|t| t.notes.lines().collect()).unwrap_or_default();
    let at = old.iter().position(|own| *own == line).unwrap_or(old.len());
    let mut lines: Vec<String> = task.notes.lines().map(str::to_owned).collect();
    let behind = old[..at].iter().rev().find_map(|own| lines.iter().position(|l| l == own));
    lines.insert(behind.map_or(0, |n| n + 1), line.to_owned());
    task.notes = lines.join("\n");
}

fn remove_line(task: &mut Task, line: &str) {
    let lines: Vec<&str> = task.notes.lines().filter(|own| *own != line).collect();
    task.notes = lines.join("\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_in_another_order_change_nothing() {
        let criteria = |ids: &[&str]| -> Vec<Criterion> {
            ids.iter().map(|id| Criterion { id: (*id).into(), ..Criterion::default() }).collect()
        };
        let plan = |ids: &[&str]| {
            let task = Task { id: "T1".into(), criteria: criteria(ids), ..Task::default() };
            Plan { tasks: vec![task], criteria: criteria(ids), ..Plan::default() }
        };
        let before = plan(&["AC-1", "AC-2", "AC-3"]);
        let mut now = plan(&["AC-3", "AC-1", "AC-2"]);
        keep_order(&before, &mut now);
        assert_eq!(now.tasks, before.tasks);
        // What is new stays where it was put.
        let mut more = plan(&["AC-2", "AC-9", "AC-1", "AC-3"]);
        keep_order(&before, &mut more);
        let ids: Vec<&str> = more.tasks[0].criteria.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["AC-1", "AC-9", "AC-2", "AC-3"]);
    }

    #[test]
    fn a_remark_stays_with_its_task() {
        let plan = |notes: [&str; 2]| {
            let task =
                |(id, notes): (&str, &str)| Task { id: id.into(), notes: notes.into(), ..Task::default() };
            Plan { tasks: ["T1", "T2"].into_iter().zip(notes).map(task).collect(), ..Plan::default() }
        };
        let before = plan(["Rule: a\nTest: x\nTest: y", "Rule: a"]);
        let mut now = plan(["Rule: a\nTest: y", "Rule: a\nTest: x\nTest: new"]);
        keep_notes(&before, &mut now);
        assert_eq!(now.tasks[0].notes, before.tasks[0].notes);
        assert_eq!(now.tasks[1].notes, "Rule: a\nTest: new");
    }
}
