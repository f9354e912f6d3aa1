//! A plan after its documents changed: what the change of the documents comes to, laid onto the plan as people left it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::change::{PlanChangeKind, Revision, SentenceChange, TaskChange};
use super::edit::ThreeWay;
use super::lines::plain_text;
use super::pairing::{fresh_id, out_of_order, pair_criteria, pair_tasks};
use super::place::{
    HeadingTrail, assumed_files, join_siblings, keep_criteria, keep_notes, keep_order, names_file,
};
use super::record::Derivation;
use super::renaming::Renaming;
use crate::spec::SpecFile;
use windlass_core::plan::{Plan, Task};
use windlass_formats::{Dialect, Input};

/// The same documents before and after, derived alike.
pub struct Drafts<'a> {
    /// From the documents as the plan remembers them.
    pub before: &'a Plan,
    /// From the documents as they are.
    pub now: &'a Plan,
    /// The documents as they are.
    pub documents: &'a [SpecFile],
}

/// What is known of the plan's runs.
pub struct Standings<'a> {
    /// Whether a task is completed, by its id.
    pub completed: &'a dyn Fn(&str) -> bool,
    /// Ids that tasks had in earlier runs. They are not given again.
    pub taken: &'a BTreeSet<String>,
}

/// Fields that say what a task is. The others follow from them, from other tasks or from the repository.
const OWN: [&str; 13] = [
    "title",
    "objective",
    "description",
    "criteria",
    "mode",
    "test",
    "files",
    "changes",
    "contract",
    "done_when",
    "risks",
    "notes",
    "sections",
];
/// Fields of the plan itself that documents decide about.
const OF_PLAN: [&str; 5] = ["title", "objective", "specs", "phases", "criteria"];

/// Carries a change of documents over to a plan.
pub fn revise(record: &Derivation, drafts: &Drafts<'_>, ours: &Plan, standings: &Standings<'_>) -> Revision {
    let old_documents = record.files();
    let mut taken: BTreeSet<String> = standings.taken.iter().chain(&record.retired).cloned().collect();
    taken.extend(record.plan.tasks.iter().chain(&ours.tasks).map(|t| t.id.clone()));
    let given = |id: &str| drafts.documents.iter().any(|d| d.text.contains(id));
    let before = settle_names(&record.plan, drafts.before, &mut taken, &given, &|_| true).plan;
    let said = |path: &str| names_file(&old_documents, path) || names_file(drafts.documents, path);
    let Settled { plan: mut now, pairs } = settle_names(&before, drafts.now, &mut taken, &given, &said);
    let headings = HeadingTrail::of(drafts.documents);
    keep_criteria(&before, &mut now, &HeadingTrail::of(&old_documents), &headings);
    join_siblings(&before, &mut now, &headings);
    keep_notes(&before, &mut now);
    keep_order(&before, &mut now);
    let base = written(&record.plan);
    let drafts = SettledDrafts { base: &base, before: &before, now: &now, pairs: &pairs };
    // The same change on the plan without edits is what the next change is compared with.
    let unedited = Revising::new(&drafts, standings, &base).run(&base);
    let mut revision = Revising::new(&drafts, standings, ours).run(ours);
    revision.unedited = unedited.plan;
    revision
}

/// Three stages of a plan under one set of names.
struct SettledDrafts<'a> {
    base: &'a Plan,
    before: &'a Plan,
    now: &'a Plan,
    pairs: &'a [Option<usize>],
}

/// A derivation with the plan's names, and the place of each of its tasks in the plan it was compared with.
struct Settled {
    plan: Plan,
    pairs: Vec<Option<usize>>,
}

/// Gives a derivation the names of another one; what is new gets names that were never used.
fn settle_names(
    like: &Plan,
    plan: &Plan,
    taken: &mut BTreeSet<String>,
    given: &dyn Fn(&str) -> bool,
    said: &dyn Fn(&str) -> bool,
) -> Settled {
    let pairs = pair_tasks(&like.tasks, &plan.tasks);
    let mut names = Renaming::default();
    for (task, pair) in plan.tasks.iter().zip(&pairs) {
        let id = match pair {
            Some(at) => {
                names.paths.extend(assumed_files(&like.tasks[*at], task, said));
                like.tasks[*at].id.clone()
            }
            None => fresh_id(&task.id, taken),
        };
        taken.insert(id.clone());
        names.tasks.insert(task.id.clone(), id);
    }
    names.stories = story_names(like, plan, &pairs, given);
    let mut known: BTreeSet<String> = like.criteria.iter().map(|c| c.id.clone()).collect();
    let found = pair_criteria(like, plan, &pairs, given);
    for (criterion, pair) in plan.criteria.iter().zip(found) {
        let id = match pair {
            Some(at) => like.criteria[at].id.clone(),
            None => fresh_id(&criterion.id, &known),
        };
        known.insert(id.clone());
        names.criteria.insert(criterion.id.clone(), id);
    }
    Settled { plan: names.apply(plan), pairs }
}

/// The ids that the plan has for stories to which the documents give none: those of the task that stands for them. What is new gets
/// an id that was never used.
fn story_names(
    like: &Plan,
    plan: &Plan,
    pairs: &[Option<usize>],
    given: &dyn Fn(&str) -> bool,
) -> BTreeMap<String, String> {
    let own = |task: &Task| -> Vec<String> {
        task.traces_to.stories.iter().filter(|id| !given(id)).cloned().collect()
    };
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut taken: BTreeSet<String> = like.tasks.iter().flat_map(|t| t.traces_to.stories.clone()).collect();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for (task, pair) in plan.tasks.iter().zip(pairs) {
        let old = pair.map(|at| own(&like.tasks[at])).unwrap_or_default();
        for (now, was) in own(task).into_iter().zip(old) {
            if !names.contains_key(&now) && used.insert(was.clone()) {
                names.insert(now, was);
            }
        }
    }
    for id in plan.tasks.iter().flat_map(own) {
        if let Entry::Vacant(open) = names.entry(id) {
            let fresh = fresh_id(open.key(), &taken);
            taken.insert(fresh.clone());
            open.insert(fresh);
        }
    }
    names
}

/// A plan as it is read again after it was written: what people have not edited is equal to it.
fn written(plan: &Plan) -> Plan {
    let files = windlass_formats::write(Dialect::Native, plan, &|_| None);
    windlass_formats::read(Dialect::Native, &Input { root: String::new(), files }).plan
}

struct Revising<'a> {
    base: &'a Plan,
    before: &'a Plan,
    now: &'a Plan,
    pairs: &'a [Option<usize>],
    standings: &'a Standings<'a>,
    revision: Revision,
}

impl<'a> Revising<'a> {
    fn new(drafts: &SettledDrafts<'a>, standings: &'a Standings<'a>, ours: &Plan) -> Self {
        let SettledDrafts { base, before, now, pairs } = *drafts;
        let revision = Revision { plan: ours.clone(), ..Revision::default() };
        Self { base, before, now, pairs, standings, revision }
    }

    fn run(mut self, ours: &Plan) -> Revision {
        let mut changes: BTreeMap<String, TaskChange> = BTreeMap::new();
        for (at, pair) in self.pairs.iter().copied().enumerate() {
            let change = match pair {
                Some(before) => self.carry_over(before, at),
                None => Some(self.add(at)),
            };
            changes.extend(change.map(|change| (change.id.clone(), change)));
        }
        self.mark_moved(&mut changes);
        let gone = self.retire();
        self.stray_sentences(&mut changes);
        self.revise_plan(ours);
        self.settle_order();
        for task in &self.revision.plan.tasks {
            let change = changes.remove(&task.id).unwrap_or_else(|| untouched(task));
            if !gone.iter().any(|g| g.id == task.id) {
                self.revision.changes.push(change);
            }
        }
        self.revision.changes.extend(gone);
        self.revision
    }

    /// Lays the change of one task onto the plan's task. `None` for one that the plan does not have.
    fn carry_over(&mut self, before: usize, now: usize) -> Option<TaskChange> {
        let (was, is) = (&self.before.tasks[before], &self.now.tasks[now]);
        let completed = (self.standings.completed)(&is.id);
        let sentences = sentence_changes(was, is);
        let mut fields = changed_fields(was, is);
        if fields.iter().any(|name| name == "notes") && self.is_same_context(was, is) {
            fields.retain(|name| name != "notes");
        }
        let kind = match (sentences.is_empty(), fields.as_slice()) {
            (true, []) => PlanChangeKind::Untouched,
            (true, [only]) if only == "title" => PlanChangeKind::Renamed,
            _ => PlanChangeKind::Changed,
        };
        let Some(place) = self.revision.plan.tasks.iter().position(|t| t.id == is.id) else {
            if kind == PlanChangeKind::Changed && self.base.task(&is.id).is_some() {
                let text = format!("`{}` was removed from the plan by hand and stays out", is.id);
                self.revision.kept_edits.push(text);
            }
            return None;
        };
        // What is done stays done: only what the documents say about it makes it stale.
        if !completed || kind == PlanChangeKind::Changed {
            let base = self.base.task(&is.id).cloned().unwrap_or_default();
            let ours = &self.revision.plan.tasks[place];
            let (task, kept) = laid_onto(was, is, &base, ours);
            self.revision.kept_edits.extend(
                kept.into_iter()
                    .map(|field| format!("`{}`: `{field}` was edited by hand and is kept", is.id)),
            );
            self.revision.plan.tasks[place] = task;
        }
        let title = self.revision.plan.tasks[place].title.clone();
        Some(TaskChange { id: is.id.clone(), title, kind, sentences, fields, completed })
    }

    /// Whether the notes of a task differ only in sentences that are criteria: those are told of the tasks that serve them,
    /// and a section that goes with a task for its context does not change that task.
    fn is_same_context(&self, was: &Task, now: &Task) -> bool {
        let mut notes = [&was.notes, &now.notes].map(|notes| plain_text(notes));
        let criteria = self.before.criteria.iter().chain(&self.now.criteria);
        let mut said: Vec<String> =
            criteria.map(|c| plain_text(&c.text)).filter(|text| !text.is_empty()).collect();
        said.sort_by_key(|text| std::cmp::Reverse(text.len()));
        for text in &said {
            notes = notes.map(|notes| {
                if notes.contains(text.as_str()) { notes.replace(text.as_str(), " ") } else { notes }
            });
        }
        let [was, now] = notes.map(|notes| {
            let words = notes.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(str::to_owned).collect::<Vec<_>>()
        });
        was == now
    }

    fn add(&mut self, at: usize) -> TaskChange {
        let task = self.now.tasks[at].clone();
        let sentences = task.criteria.iter().map(|c| SentenceChange {
            criterion: c.id.clone(),
            was: String::new(),
            now: c.text.clone(),
        });
        let change = TaskChange {
            id: task.id.clone(),
            title: task.title.clone(),
            kind: PlanChangeKind::New,
            sentences: sentences.collect(),
            fields: Vec::new(),
            completed: false,
        };
        self.revision.plan.tasks.push(task);
        change
    }

    /// Tasks that say the same in another order.
    fn mark_moved(&self, changes: &mut BTreeMap<String, TaskChange>) {
        let paired: Vec<(usize, usize)> =
            self.pairs.iter().enumerate().filter_map(|(at, pair)| Some((at, (*pair)?))).collect();
        let order: Vec<usize> = paired.iter().map(|(_, before)| *before).collect();
        for place in out_of_order(&order) {
            let id = &self.now.tasks[paired[place].0].id;
            if let Some(change) = changes.get_mut(id).filter(|c| c.kind == PlanChangeKind::Untouched) {
                change.kind = PlanChangeKind::Moved;
            }
        }
    }

    /// Takes tasks that the documents do not ask for any more out of the plan; completed ones stay in it.
    fn retire(&mut self) -> Vec<TaskChange> {
        let kept: BTreeSet<usize> = self.pairs.iter().flatten().copied().collect();
        let mut gone = Vec::new();
        for (at, was) in self.before.tasks.iter().enumerate() {
            let Some(task) = self.revision.plan.task(&was.id).cloned() else { continue };
            if kept.contains(&at) || self.base.task(&was.id).is_none() {
                continue;
            }
            let completed = (self.standings.completed)(&was.id);
            if !completed {
                take_out(&mut self.revision.plan, &task);
            }
            self.revision.retired.push(was.id.clone());
            let sentences = was.criteria.iter().map(|c| SentenceChange {
                criterion: c.id.clone(),
                was: c.text.clone(),
                now: String::new(),
            });
            gone.push(TaskChange {
                id: was.id.clone(),
                title: task.title,
                kind: PlanChangeKind::Gone,
                sentences: sentences.collect(),
                fields: Vec::new(),
                completed,
            });
        }
        gone
    }

    /// Sentences of tasks that the plan cuts in another way than the documents: they are changed where they stand.
    fn stray_sentences(&mut self, changes: &mut BTreeMap<String, TaskChange>) {
        let mut known: BTreeMap<&str, (&str, Option<&str>)> = BTreeMap::new();
        for old in &self.before.criteria {
            let now = self.now.criteria.iter().find(|c| c.id == old.id);
            known.insert(&old.id, (&old.text, now.map(|c| c.text.as_str())));
        }
        let derived: BTreeSet<&str> = self.now.tasks.iter().map(|t| t.id.as_str()).collect();
        for task in self.revision.plan.tasks.iter_mut().filter(|t| !derived.contains(t.id.as_str())) {
            if self.revision.retired.contains(&task.id) {
                continue;
            }
            let mut sentences = Vec::new();
            task.criteria.retain_mut(|criterion| {
                let Some((was, now)) = known.get(criterion.id.as_str()) else { return true };
                if criterion.text != *was || *now == Some(*was) {
                    return true;
                }
                let change = |now: &str| SentenceChange {
                    criterion: criterion.id.clone(),
                    was: (*was).to_owned(),
                    now: now.to_owned(),
                };
                sentences.push(change(now.unwrap_or_default()));
                if let Some(now) = now {
                    (*now).clone_into(&mut criterion.text);
                    criterion.assertion = None;
                }
                now.is_some()
            });
            if sentences.is_empty() {
                continue;
            }
            let own: BTreeSet<&str> = task.criteria.iter().map(|c| c.id.as_str()).collect();
            task.traces_to
                .criteria
                .retain(|id| own.contains(id.as_str()) || !known.contains_key(id.as_str()));
            let completed = (self.standings.completed)(&task.id);
            let change =
                TaskChange { kind: PlanChangeKind::Changed, sentences, completed, ..untouched(task) };
            changes.insert(task.id.clone(), change);
        }
    }

    /// What documents say of the plan as a whole.
    fn revise_plan(&mut self, ours: &Plan) {
        let [was, now, base, ours] = [self.before, self.now, self.base, ours].map(|plan| {
            let mut fields = object(plan);
            fields.retain(|name, _| OF_PLAN.contains(&name.as_str()));
            Value::Object(fields)
        });
        let mut kept = Vec::new();
        let whole = ThreeWay { was: &was, now: &now, base: &base }.onto(&ours, "", &mut kept);
        self.revision.kept_edits.extend(
            kept.into_iter().map(|field| format!("`{field}` of the plan was edited by hand and is kept")),
        );
        let Ok(revised) = serde_json::from_value::<Plan>(whole) else { return };
        let plan = &mut self.revision.plan;
        plan.title = revised.title;
        plan.objective = revised.objective;
        plan.specs = revised.specs;
        plan.phases = revised.phases;
        plan.criteria = revised.criteria;
    }

    /// Nothing waits for a task that is not there, and nothing waits for itself.
    fn settle_order(&mut self) {
        let plan = &mut self.revision.plan;
        let ids: BTreeSet<String> = plan.tasks.iter().map(|t| t.id.clone()).collect();
        let derived: BTreeSet<&str> = self.now.tasks.iter().map(|t| t.id.as_str()).collect();
        let known: BTreeMap<String, Vec<String>> =
            self.base.tasks.iter().map(|t| (t.id.clone(), t.depends_on.clone())).collect();
        for at in 0..plan.tasks.len() {
            let task = &plan.tasks[at];
            if !derived.contains(task.id.as_str()) {
                continue;
            }
            let old = known.get(&task.id);
            let (id, wanted) = (task.id.clone(), task.depends_on.clone());
            plan.tasks[at].depends_on = wanted
                .into_iter()
                .filter(|dep| {
                    let is_old = old.is_some_and(|old| old.contains(dep));
                    ids.contains(dep) && (is_old || !waits_for(plan, dep, &id))
                })
                .collect();
        }
    }
}

/// Whether a task waits for another one, directly or not.
fn waits_for(plan: &Plan, task: &str, other: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![task.to_owned()];
    while let Some(id) = open.pop() {
        if id == other {
            return true;
        }
        if seen.insert(id.clone()) {
            open.extend(plan.task(&id).into_iter().flat_map(|t| t.depends_on.iter().cloned()));
        }
    }
    false
}

/// Removes a task; what waited for it waits for what it waited for.
fn take_out(plan: &mut Plan, gone: &Task) {
    plan.tasks.retain(|t| t.id != gone.id);
    for task in &mut plan.tasks {
        if let Some(at) = task.depends_on.iter().position(|id| *id == gone.id) {
            task.depends_on.remove(at);
            let more: Vec<String> =
                gone.depends_on.iter().filter(|id| !task.depends_on.contains(id)).cloned().collect();
            task.depends_on.extend(more);
        }
        task.consumers.retain(|id| *id != gone.id);
    }
}

/// The plan's task after the change, and the fields whose change was not taken over.
fn laid_onto(was: &Task, now: &Task, base: &Task, ours: &Task) -> (Task, Vec<String>) {
    let [was, now, base, own] = [was, now, base, ours].map(|task| Value::Object(object(task)));
    let mut kept = Vec::new();
    let changed = ThreeWay { was: &was, now: &now, base: &base }.onto(&own, "", &mut kept);
    let mut task: Task = serde_json::from_value(changed).unwrap_or_else(|_| ours.clone());
    task.places = ours.places.clone();
    (task, kept)
}

fn untouched(task: &Task) -> TaskChange {
    TaskChange {
        id: task.id.clone(),
        title: task.title.clone(),
        kind: PlanChangeKind::Untouched,
        sentences: Vec::new(),
        fields: Vec::new(),
        completed: false,
    }
}

/// The criteria of a task that say something else, are new or are gone.
fn sentence_changes(was: &Task, now: &Task) -> Vec<SentenceChange> {
    let mut all = Vec::new();
    let mut push = |criterion: &str, was: &str, now: &str| {
        let text = |said: &str| said.to_owned();
        all.push(SentenceChange { criterion: text(criterion), was: text(was), now: text(now) });
    };
    for criterion in &now.criteria {
        match was.criteria.iter().find(|c| c.id == criterion.id) {
            Some(old) if old.text == criterion.text => {}
            Some(old) => push(&criterion.id, &old.text, &criterion.text),
            None => push(&criterion.id, "", &criterion.text),
        }
    }
    for old in was.criteria.iter().filter(|old| now.criteria.iter().all(|c| c.id != old.id)) {
        push(&old.id, &old.text, "");
    }
    all
}

/// The fields of its own, apart from criteria, in which two tasks differ.
fn changed_fields(was: &Task, now: &Task) -> Vec<String> {
    let (was, now) = (object(was), object(now));
    let differs = |name: &&&str| comparable(was.get(**name)) != comparable(now.get(**name));
    OWN.iter().filter(|name| **name != "criteria").filter(differs).map(|name| (*name).to_owned()).collect()
}

/// A value whose lists have no order.
fn comparable(value: Option<&Value>) -> Option<Value> {
    let value = value?;
    Some(match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().filter_map(|item| comparable(Some(item))).collect();
            items.sort_by_key(Value::to_string);
            Value::Array(items)
        }
        Value::Object(map) => {
            let fields =
                map.iter().filter_map(|(name, value)| Some((name.clone(), comparable(Some(value))?)));
            Value::Object(fields.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    })
}

fn object(value: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => map,
        Ok(_) | Err(_) => Map::new(),
    }
}
