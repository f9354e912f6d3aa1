//! The invariants about places: where attempts and verifications run, by the naive account.

use windlass_core::event::AttemptStarted;
use windlass_core::ids::TaskId;
use windlass_core::policy::{HERE, PlaceRules};

use super::checks::{Account, Known};

impl Account {
    /// I9: an attempt runs where everything is that it needs, at a place that does not rest; after a loss on the same rung.
    pub(super) fn on_placed(&mut self, task: &TaskId, started: &AttemptStarted, now: i64) {
        let need = self.needs.get(task.as_str()).map(String::as_str);
        match &started.place {
            None => {
                assert!(need.is_none_or(|need| self.is_here(need)), "`{task}` started here without {need:?}");
            }
            Some(place) => {
                let has = |need: &str| self.places[place].labels.iter().any(|label| label == need);
                assert!(need.is_none_or(has), "`{task}` started at {place} without {need:?}");
                let rests = self.resting_places.get(place).is_some_and(|until| *until > now);
                assert!(!rests, "`{task}` started at {place}, which rests");
            }
        }
        let again = &self.tasks[task.as_str()];
        let last = again.attempt.and(again.place.clone());
        self.check_near(task, last.as_ref(), started.place.as_ref(), |_| true, now);
        let known = self.tasks.get_mut(task.as_str()).expect("a known task");
        known.files = Some(started.base.clone());
        if let Some(rung) = known.again.take() {
            assert_eq!(rung, started.rung, "the loss of `{task}` used up an attempt");
        }
        (known.tier, known.place) = (Some(started.tier), started.place.clone());
        if let Some(free) = started.place.as_ref().and_then(|place| self.free.get_mut(place)) {
            *free = free.saturating_sub(1);
        }
        known.attempt = Some(started.attempt);
        known.rung = Some(started.rung);
    }

    /// I9: a verification runs at a place that is trusted with it, has what the task needs and does not rest; or here, unless
    /// only such a place has what it needs.
    pub(super) fn on_verifier(&mut self, task: &TaskId, place: Option<&String>, now: i64) {
        let need = self.needs.get(task.as_str()).map(String::as_str);
        let fits = |name: &String| {
            let rules = &self.places[name];
            rules.verify && need.is_none_or(|need| rules.labels.iter().any(|label| label == need))
        };
        match place {
            None => {
                let only_there = need.is_some_and(|need| !self.is_here(need)) && self.places.keys().any(fits);
                assert!(!only_there, "`{task}` is verified here without {need:?}");
            }
            Some(place) => {
                assert!(fits(place), "`{task}` is verified at {place}, which must not");
                let rests = self.resting_places.get(place).is_some_and(|until| *until > now);
                assert!(!rests, "`{task}` is verified at {place}, which rests");
            }
        }
        let own = self.tasks[task.as_str()].place.clone();
        self.check_near(task, own.as_ref(), place, |name| self.places[name].verify, now);
        let known = self.tasks.get_mut(task.as_str()).expect("a known task");
        known.verifier = place.cloned();
        if let Some(free) = place.and_then(|place| self.free.get_mut(place)) {
            *free = free.saturating_sub(1);
        }
    }

    /// Whether this machine has what a task needs.
    pub(super) fn is_here(&self, need: &str) -> bool {
        need == HERE || self.here.iter().any(|label| label == need)
    }

    /// The scheduler has looked at what is free.
    pub(crate) fn look(&mut self) {
        let used = |name: &String| {
            let there = |known: &&Known| known.works_at() == Some(name);
            self.tasks.values().filter(there).count()
        };
        let free = |(name, rules): (&String, &PlaceRules)| {
            (name.clone(), (rules.slots as usize).saturating_sub(used(name)))
        };
        self.free = self.places.iter().map(free).collect();
    }

    /// I9: work that goes to a place goes to `first` if a slot is free there, else to one that is at least as near as any other
    /// with a free slot. A place that was lost and has not answered since may have fewer slots than it says; it has nothing.
    fn check_near(
        &self,
        task: &TaskId,
        first: Option<&String>,
        chosen: Option<&String>,
        allowed: impl Fn(&String) -> bool,
        now: i64,
    ) {
        let need = self.needs.get(task.as_str());
        let near = |name: &String| self.has.get(name).map(|commit| *commit == self.tip);
        let could = |name: &&String| {
            let rests = self.resting_places.get(*name).is_some_and(|until| *until > now);
            let fits = need.is_none_or(|need| self.places[*name].labels.contains(need));
            near(name).is_some() && !rests && fits && allowed(name) && self.free[*name] > 0
        };
        if chosen == first {
            return;
        }
        if let Some(first) = first.filter(could) {
            panic!("`{task}` goes to {chosen:?}, and {first} has its files");
        }
        let Some(chosen) = chosen else { return };
        let nearer = self.places.keys().filter(could).find(|name| near(name) > near(chosen));
        assert!(nearer.is_none(), "`{task}` goes to {chosen}, and {nearer:?} is nearer");
    }
}
