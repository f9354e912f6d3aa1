//! What a changed document does to a plan, in the plan's own terms. Data only.

use windlass_core::plan::Plan;
use windlass_core::worded;

worded! {
    /// What became of a task.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum PlanChangeKind {
        /// The documents ask for it now and did not before.
        New = "new",
        /// They say something else about it.
        Changed = "changed",
        /// Only its heading has another name.
        Renamed = "renamed",
        /// They do not ask for it any more.
        Gone = "gone",
        /// It stands in another place and says the same.
        Moved = "moved",
        /// Nothing about it changed.
        Untouched = "untouched",
    }
}

/// A sentence that a task stands for, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentenceChange {
    /// The criterion, by its id in the plan.
    pub criterion: String,
    /// What the documents said; empty for a new one.
    pub was: String,
    /// What they say now; empty for one that is gone.
    pub now: String,
}

/// One task of the plan, before or after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskChange {
    /// Its id in the plan.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What became of it.
    pub kind: PlanChangeKind,
    /// The criteria that changed.
    pub sentences: Vec<SentenceChange>,
    /// The other fields that changed, by name.
    pub fields: Vec<String>,
    /// Whether it was completed, so that the change makes it stale.
    pub completed: bool,
}

/// A plan after its documents changed.
#[derive(Debug, Clone, Default)]
pub struct Revision {
    /// The plan as it is now.
    pub plan: Plan,
    /// The same without what people edited: what the next change is compared with.
    pub unedited: Plan,
    /// Every task, in the order of the plan; those that are gone come last.
    pub changes: Vec<TaskChange>,
    /// Tasks that the documents do not ask for any more, by id. Completed ones are still part of the plan.
    pub retired: Vec<String>,
    /// Changes of documents that were not taken over, because a person has edited the same place.
    pub kept_edits: Vec<String>,
}

impl Revision {
    /// The changes of one kind.
    pub fn of(&self, kind: PlanChangeKind) -> impl Iterator<Item = &TaskChange> {
        self.changes.iter().filter(move |change| change.kind == kind)
    }

    /// Whether the documents say what they said.
    pub fn is_nothing(&self) -> bool {
        let same =
            |change: &TaskChange| matches!(change.kind, PlanChangeKind::Untouched | PlanChangeKind::Moved);
        self.changes.iter().all(same) && self.kept_edits.is_empty()
    }
}
