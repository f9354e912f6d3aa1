//! A plan sealed again: what stays of each task, what is stale, what is archived.

use std::collections::HashMap;

use super::fold::{ParentView, TaskPlaces, View};
use super::task::TaskView;
use crate::event::SealedTask;
use crate::ids::TaskId;
use crate::state::TaskState;

impl View {
    /// Takes over the plan as it is from here on. Tasks it no longer has are archived, never forgotten.
    pub(super) fn reseal(&mut self, hash: &str, sealed: &[SealedTask]) {
        let before = std::mem::take(&mut self.tasks).into_iter().chain(std::mem::take(&mut self.archived));
        let mut known: HashMap<TaskId, TaskView> = before.map(|t| (t.id.clone(), t)).collect();
        let places: HashMap<&TaskId, u32> = (0..).zip(sealed).map(|(at, task)| (&task.id, at)).collect();
        let mut parents = Parents::default();
        self.tasks = sealed
            .iter()
            .map(|task| {
                let mut view =
                    known.remove(&task.id).map_or_else(|| TaskView::new(task), |v| v.resealed(task));
                view.deps = task.deps.iter().filter_map(|dep| places.get(dep).copied()).collect();
                view.parent = parents.place(&task.parents);
                view
            })
            .collect();
        self.parents = parents.all;
        self.archived = known.into_values().collect();
        self.archived.sort_by(|a, b| a.id.cmp(&b.id));
        for task in &mut self.archived {
            task.deps.clear();
            task.parent = None;
        }
        self.plan_hash = hash.into();
        self.index = TaskPlaces::default();
    }
}

impl TaskView {
    /// The same task under a new seal: what happened stays, what is to be done is the plan's.
    fn resealed(mut self, sealed: &SealedTask) -> Self {
        if self.hash != sealed.hash {
            if self.state == TaskState::Completed {
                let proved = self.proved.take().unwrap_or_else(|| std::mem::take(&mut self.hash));
                self.proved = (proved != sealed.hash).then_some(proved);
            } else {
                let fresh = TaskView::new(sealed);
                self.steps = fresh.steps;
                self.frozen = false;
            }
            self.hash.clone_from(&sealed.hash);
        }
        self.reseal_criteria(sealed);
        self.title.clone_from(&sealed.title);
        self.mode = sealed.mode;
        self.priority = sealed.priority;
        if self.attempt.0 == 0 {
            self.tier = sealed.tier;
        }
        self
    }
}

/// Parents in the order they are met, each once per place in the tree.
#[derive(Default)]
struct Parents {
    all: Vec<ParentView>,
    places: HashMap<ParentView, u32>,
}

impl Parents {
    /// The place of the nearest of `chain`, which is given nearest first.
    fn place(&mut self, chain: &[String]) -> Option<u32> {
        let mut up = None;
        for id in chain.iter().rev() {
            let parent = ParentView { id: id.clone(), up };
            let next = u32::try_from(self.all.len()).ok()?;
            let at = *self.places.entry(parent).or_insert_with_key(|parent| {
                self.all.push(parent.clone());
                next
            });
            up = Some(at);
        }
        up
    }
}
