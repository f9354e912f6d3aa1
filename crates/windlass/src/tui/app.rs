//! The state of the interface: what is known of the run, what is selected, what was typed.

use std::collections::{BTreeMap, BTreeSet};

use windlass_core::event::Millis;
use windlass_core::event::Usage;
use windlass_core::ids::TaskId;
use windlass_core::view::{Activities, Attention, Counts, RunState, TaskView, View};

use super::pane::Pane;
use super::prompt::PromptBox;
use super::tree::{TaskFilter, TreeItem, TreeRow, rows};

/// Where keys go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Focus {
    /// The tree.
    #[default]
    Tree,
    /// The text beside it.
    Pane,
}

/// The state of the interface.
pub(super) struct App {
    /// The plan's name.
    pub(super) plan: String,
    /// Whether colours are shown.
    pub(super) colour: bool,
    /// Whether the plan was run at all.
    pub(super) was_run: bool,
    /// Where everything stands.
    pub(super) view: View,
    /// What agents are doing.
    pub(super) activities: Activities,
    /// The titles of phases.
    pub(super) titles: BTreeMap<String, String>,
    /// How the run stands.
    pub(super) state: RunState,
    /// The time.
    pub(super) now: Millis,
    /// Wishes that were not followed yet, in words.
    pub(super) requested: Vec<String>,
    /// What waits for a person.
    pub(super) attention: Vec<Attention>,
    /// The number of tasks in each state.
    pub(super) counts: Counts,
    /// What was used so far, turns under way included.
    pub(super) usage: Usage,
    /// The rows of the tree.
    pub(super) rows: Vec<TreeRow>,
    /// The selected row.
    pub(super) selected: usize,
    /// The first row shown.
    pub(super) top: usize,
    /// How many rows the tree had when it was drawn last, and where it begins.
    pub(super) tree_area: (u16, u16),
    /// Which tasks are listed.
    pub(super) filter: TaskFilter,
    /// Phases that are folded, by id.
    pub(super) folded: BTreeSet<String>,
    /// Where keys go.
    pub(super) focus: Focus,
    /// The text beside the tree.
    pub(super) pane: Pane,
    /// What the bottom line asks.
    pub(super) prompt: Option<PromptBox>,
    /// What was looked for last.
    pub(super) sought: String,
    /// What the bottom line says until the next key.
    pub(super) message: String,
    /// Whether something changed since it was drawn.
    pub(super) dirty: bool,
}

impl App {
    pub(super) fn new(plan: &str, colour: bool) -> Self {
        Self {
            plan: plan.to_owned(),
            colour,
            was_run: false,
            view: View::default(),
            activities: Activities::default(),
            titles: BTreeMap::new(),
            state: RunState::New,
            now: 0,
            requested: Vec::new(),
            attention: Vec::new(),
            counts: Counts::default(),
            usage: Usage::default(),
            rows: Vec::new(),
            selected: 0,
            top: 0,
            tree_area: (0, 0),
            filter: TaskFilter::All,
            folded: BTreeSet::new(),
            focus: Focus::Tree,
            pane: Pane::default(),
            prompt: None,
            sought: String::new(),
            message: String::new(),
            dirty: true,
        }
    }

    /// Takes over what follows from a view that changed. The selection stays on its task.
    pub(super) fn settle(&mut self) {
        let before = self.selected_item();
        self.attention = self.view.waits_for_person();
        self.counts = self.view.counts();
        self.usage = self.view.progress().usage;
        self.usage.add(&self.activities.usage());
        self.list_again(before);
    }

    /// Lists the rows again, for another filter or another fold.
    pub(super) fn list_again(&mut self, keep: Option<TreeItem>) {
        self.rows = rows(&self.view, self.filter, &self.folded);
        let place = keep.and_then(|item| self.rows.iter().position(|row| row.item == item));
        self.selected = place.unwrap_or(self.selected).min(self.rows.len().saturating_sub(1));
    }

    /// What is selected.
    pub(super) fn selected_item(&self) -> Option<TreeItem> {
        self.rows.get(self.selected).map(|row| row.item)
    }

    /// The selected task; none on a phase.
    pub(super) fn task(&self) -> Option<&TaskView> {
        match self.selected_item()? {
            TreeItem::Task(at) => self.view.tasks.get(at),
            TreeItem::Phase(_) => None,
        }
    }

    /// Selects a task, and shows it even if it is folded or filtered away.
    pub(super) fn select(&mut self, id: &TaskId) {
        let Some(at) = self.view.tasks.iter().position(|task| task.id == *id) else { return };
        let item = TreeItem::Task(at);
        if !self.rows.iter().any(|row| row.item == item) {
            self.filter = TaskFilter::All;
            let above: Vec<String> =
                self.view.parents_of(&self.view.tasks[at]).map(|parent| parent.id.clone()).collect();
            self.folded.retain(|folded| !above.contains(folded));
        }
        self.list_again(Some(item));
    }

    /// Selects the next thing that waits for a person.
    pub(super) fn next_attention(&mut self) {
        let waiting: Vec<TaskId> = self.attention.iter().filter_map(|one| one.task.clone()).collect();
        let here = self.task().and_then(|task| waiting.iter().position(|id| *id == task.id));
        let next = here.map_or(0, |at| at + 1);
        match waiting.get(next % waiting.len().max(1)) {
            Some(id) => self.select(&id.clone()),
            None => self.message = "nothing waits for you".into(),
        }
    }

    /// Selects the next task whose id or title has the text that was looked for.
    pub(super) fn find_task(&mut self) {
        let wanted = self.sought.to_lowercase();
        let n = self.view.tasks.len();
        let has = |task: &TaskView| {
            task.id.as_str().to_lowercase().contains(&wanted) || task.title.to_lowercase().contains(&wanted)
        };
        let here = self.task().and_then(|own| self.view.tasks.iter().position(|task| task.id == own.id));
        let first = here.map_or(0, |at| at + 1);
        let found = (0..n).map(|step| (first + step) % n).find(|at| has(&self.view.tasks[*at]));
        match found.map(|at| self.view.tasks[at].id.clone()) {
            Some(id) => self.select(&id),
            None => self.message = format!("no task has `{}`", self.sought),
        }
    }

    /// Whether a coordinator is at work.
    pub(super) fn is_live(&self) -> bool {
        matches!(self.state, RunState::Running | RunState::Paused)
    }
}
