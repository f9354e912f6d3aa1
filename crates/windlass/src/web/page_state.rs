//! What the page knows: the folded journal, and what only this machine can tell of the run.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tokio::sync::broadcast;
use windlass_core::event::{Event, RunEvent, Stamped};
use windlass_core::ids::BlobName;
use windlass_core::plan::Plan;
use windlass_core::view::board::{Around, AttentionDoc, ChangeDoc, Doings, SpendingFold, Touched};
use windlass_core::view::{Liveness, View};
use windlass_engine::git::Repo;
use windlass_engine::output::OutputStore;

use super::query::NoAnswer;
use crate::cli::CliError;
use crate::cli::shared::{PlanSelection, PlanState, StateArgs, liveness, plan_of, wishes_left};
use crate::world::World;

/// The longest text of a plan that is read.
const PLAN_BYTES: u64 = 256 << 20;
/// A stream that is so many changes behind is told to ask again for everything.
const BEHIND: usize = 256;

/// What the page knows, shared by all requests.
#[derive(Debug)]
pub(super) struct PageState {
    pub(super) world: World,
    pub(super) state: PlanState,
    known: RwLock<JournalSnapshot>,
    /// The plan as it was last sealed, read once.
    plan: Mutex<Option<(BlobName, Arc<Plan>)>>,
    /// Changes on their way to the browsers.
    pub(super) changes: broadcast::Sender<Arc<SentChange>>,
    /// How many browsers listen.
    pub(super) listeners: AtomicUsize,
}

/// A change in the form in which it is sent.
#[derive(Debug)]
pub(super) struct SentChange {
    /// The number of the last event in it.
    pub(super) seq: u64,
    /// The document.
    pub(super) json: String,
}

/// The folded journal, and what it does not say.
#[derive(Debug)]
pub(super) struct JournalSnapshot {
    pub(super) view: View,
    pub(super) doings: Doings,
    pub(super) spending: SpendingFold,
    /// The kept text of the plan.
    text: Option<BlobName>,
    /// Titles of phases, by id.
    titles: BTreeMap<String, String>,
    /// Wishes not followed yet, in words.
    wishes: Vec<String>,
    coordinator: Liveness,
    /// Why the journal cannot be read.
    pub(super) trouble: Option<String>,
}

impl Default for JournalSnapshot {
    fn default() -> Self {
        Self {
            view: View::default(),
            doings: Doings::default(),
            spending: SpendingFold::default(),
            text: None,
            titles: BTreeMap::new(),
            wishes: Vec::new(),
            coordinator: Liveness::Gone,
            trouble: None,
        }
    }
}

impl JournalSnapshot {
    /// Takes in an event that the view has folded.
    pub(super) fn on_event(&mut self, stamped: &Stamped) {
        self.doings.apply(stamped);
        self.spending.apply(stamped);
        if let Event::Run(RunEvent::PlanSealed { text, .. }) = &stamped.event {
            self.text.clone_from(text);
        }
    }

    /// Looks at what the journal does not say. Whether something is different now.
    pub(super) fn look_around(&mut self, state: &PlanState) -> bool {
        let coordinator = self.view.run.as_ref().map_or(Liveness::Gone, liveness);
        let wishes = wishes_left(state).unwrap_or_default();
        let changed = coordinator != self.coordinator || wishes != self.wishes;
        (self.coordinator, self.wishes) = (coordinator, wishes);
        changed
    }

    /// What a document needs beside the view.
    pub(super) fn around<'a>(&'a self, page: &'a PageState) -> Around<'a> {
        Around {
            plan: page.state.name.as_str(),
            coordinator: self.coordinator,
            now: page.world.now(),
            wishes: &self.wishes,
            titles: &self.titles,
            trouble: self.trouble.as_deref(),
        }
    }
}

impl PageState {
    /// Reads the journal, if there is one.
    pub(super) fn open(world: World, state: PlanState) -> Result<Self, CliError> {
        let page = Self {
            world,
            state,
            known: RwLock::default(),
            plan: Mutex::new(None),
            changes: broadcast::Sender::new(BEHIND),
            listeners: AtomicUsize::new(0),
        };
        if let Some(chronicle) = page.state.chronicle()? {
            let mut known = page.learn();
            let JournalSnapshot { view, .. } = &mut *known;
            let mut folded = std::mem::take(view);
            chronicle.follow(&mut folded, |stamped| known.on_event(stamped))?;
            known.view = folded;
        }
        page.resealed();
        page.learn().look_around(&page.state);
        Ok(page)
    }

    /// What is known.
    pub(super) fn known(&self) -> RwLockReadGuard<'_, JournalSnapshot> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known, to be changed.
    pub(super) fn learn(&self) -> RwLockWriteGuard<'_, JournalSnapshot> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The plan as it was last sealed; `None` before the first run.
    pub(super) fn plan(&self) -> Option<Arc<Plan>> {
        let name = self.known().text.clone()?;
        let mut kept = self.kept_plan();
        if let Some((_, plan)) = kept.as_ref().filter(|(known, _)| *known == name) {
            return Some(Arc::clone(plan));
        }
        let store = OutputStore::open(&self.state.paths.out()).ok()?;
        let plan: Plan = serde_json::from_slice(&store.read(&name, PLAN_BYTES).ok()?).ok()?;
        let plan = Arc::new(plan);
        *kept = Some((name, Arc::clone(&plan)));
        Some(plan)
    }

    fn kept_plan(&self) -> MutexGuard<'_, Option<(BlobName, Arc<Plan>)>> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes over the titles of a plan that was sealed again.
    pub(super) fn resealed(&self) {
        let Some(plan) = self.plan() else { return };
        let titled = plan.tasks.iter().filter(|t| !t.headline().is_empty());
        self.learn().titles = titled.map(|t| (t.id.clone(), t.headline().to_owned())).collect();
    }

    /// The plan to read again from where the last run read it.
    pub(super) fn selection(&self) -> PlanSelection {
        let args = StateArgs { plan: Some(self.state.name.to_string()) };
        plan_of(&self.world, &args, &self.state, self.known().view.run.as_ref())
    }

    /// The repository.
    pub(super) fn repo(&self) -> Result<Repo, NoAnswer> {
        Ok(Repo::discover(self.world.git_env(), &self.world.cwd)?)
    }

    /// Sends what changed after event `since` to every browser. `told` is what they know of what needs a person.
    pub(super) fn publish(&self, since: u64, touched: &Touched, told: &mut Option<AttentionDoc>) {
        let known = self.known();
        let mut change = ChangeDoc::new(&known.view, since, touched, known.around(self), &known.doings);
        drop(known);
        if change.attention == *told {
            change.attention = None;
        } else {
            told.clone_from(&change.attention);
        }
        if let Ok(json) = serde_json::to_string(&change) {
            // No browser may be listening.
            let _ = self.changes.send(Arc::new(SentChange { seq: change.head.seq, json }));
        }
    }

    /// Where things stand now, with what changed after event `seq` for a browser that comes back.
    pub(super) fn since(&self, seq: Option<u64>) -> Result<SentChange, NoAnswer> {
        let mut touched = Touched::default();
        match (seq, self.state.chronicle()?) {
            (None, _) => {}
            (Some(seq), Some(chronicle)) if seq <= self.known().view.seq => {
                chronicle.since(seq, |stamped| touched.apply(stamped))?;
            }
            // A journal that is shorter than what the browser knows is another one.
            (Some(_), _) => touched = Touched::everything(),
        }
        let known = self.known();
        let since = seq.unwrap_or(known.view.seq);
        let change = ChangeDoc::new(&known.view, since, &touched, known.around(self), &known.doings);
        Ok(SentChange { seq: known.view.seq, json: serde_json::to_string(&change)? })
    }
}
