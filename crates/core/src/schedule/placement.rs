//! Where an attempt runs: on this machine, or at one of the other places of the run. Pure, like the rest of the scheduler.
//!
//! A task runs only where everything is that it needs. Of the places that are free it goes to the one of its last attempt,
//! which has its files and the agent's session; else to the one with the most free slots, this machine first. Ready tasks
//! are placed in the order of their longest path, so the place that is free first gets the task that holds up most.

use std::collections::BTreeMap;

use super::task_record::{Scheduler, TaskPhase, TaskRecord};
use crate::event::Millis;

/// What a task needs that must not leave this machine. Only this machine has it.
pub const HERE: &str = "here";
/// After so many losses in a row a place rests.
const LOSSES: u32 = 3;

/// What the scheduler remembers of a place besides this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PlaceRecord {
    /// Attempts under way there.
    pub(super) used: u32,
    /// Attempts lost in a row.
    pub(super) losses: u32,
    /// The end of its rest.
    pub(super) rests_until: Option<Millis>,
}

/// The place that was chosen for an attempt; none is this machine.
pub(super) struct ChosenPlace(pub(super) Option<String>);

/// The free slots of one look: the name of a place, none for this machine.
pub(super) struct FreeSlots {
    slots: BTreeMap<Option<String>, u32>,
}

impl FreeSlots {
    /// The slots that are free now; `home` of them on this machine.
    pub(super) fn of(scheduler: &Scheduler, home: u32, now: Millis) -> Self {
        let mut slots = BTreeMap::from([(None, home)]);
        for (name, rules) in &scheduler.settings.places {
            let record = scheduler.places.get(name).cloned().unwrap_or_default();
            let rests = record.rests_until.is_some_and(|until| until > now);
            // After a rest a single attempt probes the place.
            let most = if record.losses >= LOSSES { rules.slots.min(1) } else { rules.slots };
            let free = if rests { 0 } else { most.saturating_sub(record.used) };
            slots.insert(Some(name.clone()), free);
        }
        Self { slots }
    }

    pub(super) fn are_taken(&self) -> bool {
        self.slots.values().all(|free| *free == 0)
    }

    /// The place for a task among those with a free slot.
    pub(super) fn choose(&self, scheduler: &Scheduler, record: &TaskRecord) -> Option<ChosenPlace> {
        let fits = |(name, free): &(&Option<String>, &u32)| {
            **free > 0 && scheduler.has_what_it_needs(record, name.as_deref())
        };
        let fitting: Vec<(&Option<String>, &u32)> = self.slots.iter().filter(fits).collect();
        let last = fitting.iter().find(|(name, _)| record.attempt.0 > 0 && **name == record.place);
        // Of equals the first is taken, and this machine is the first.
        let most = || fitting.iter().rev().max_by_key(|(_, free)| **free);
        last.or_else(most).map(|(name, _)| ChosenPlace((*name).clone()))
    }

    pub(super) fn take(&mut self, place: &ChosenPlace) {
        if let Some(free) = self.slots.get_mut(&place.0) {
            *free = free.saturating_sub(1);
        }
    }
}

impl Scheduler {
    /// Whether a place has everything that a task asks for.
    fn has_what_it_needs(&self, record: &TaskRecord, place: Option<&str>) -> bool {
        let needs = &record.sealed.needs;
        match place {
            None => needs.iter().all(|need| need == HERE),
            Some(name) => self.settings.places.get(name).is_some_and(|rules| rules.has(needs)),
        }
    }

    /// Whether a place that a task could run at rests.
    pub(super) fn waits_for_place(&self, record: &TaskRecord, now: Millis) -> bool {
        let rests = |(name, place): (&String, &PlaceRecord)| {
            place.rests_until.is_some_and(|until| until > now)
                && self.has_what_it_needs(record, Some(name.as_str()))
        };
        self.places.iter().any(rests)
    }

    /// How many losses in a row a place has.
    pub fn losses_in_a_row(&self, place: &str) -> u32 {
        self.places.get(place).map_or(0, |record| record.losses)
    }

    /// The end of the rest that one more loss leads to, if it leads to one. The rest grows with every further loss.
    pub fn rest_of_place(&self, place: &str, now: Millis) -> Option<Millis> {
        let losses = self.losses_in_a_row(place) + 1;
        let rules = &self.settings.governor;
        let doublings = losses.checked_sub(LOSSES)?.min(20);
        let seconds =
            rules.rest_seconds.max(1).saturating_mul(1 << doublings).min(rules.longest_rest_seconds);
        Some(now + i64::try_from(seconds).unwrap_or(i64::MAX / 2000) * 1000)
    }

    /// The places that rest now, each with the end of its rest.
    pub fn resting_places(&self, now: Millis) -> impl Iterator<Item = (&str, Millis)> {
        let until = move |place: &PlaceRecord| place.rests_until.filter(|until| *until > now);
        self.places.iter().filter_map(move |(name, place)| Some((name.as_str(), until(place)?)))
    }

    /// A place did not bring an attempt to its end.
    pub(super) fn on_place_lost(&mut self, place: &str, until: Option<Millis>) {
        let record = self.places.entry(place.to_owned()).or_default();
        record.losses = record.losses.saturating_add(1);
        record.rests_until = until;
    }

    /// A place brought an attempt to its end, whatever it was.
    pub(super) fn on_place_answered(&mut self, ix: usize) {
        let place = self.tasks[ix].place.as_ref().and_then(|name| self.places.get_mut(name));
        if let Some(record) = place {
            (record.losses, record.rests_until) = (0, None);
        }
    }

    /// The attempts under way at places besides this machine.
    pub(super) fn away(&self) -> u32 {
        self.places.values().map(|place| place.used).sum()
    }

    pub(super) fn shift_place(&mut self, before: Option<String>, after: Option<String>) {
        if before == after {
            return;
        }
        if let Some(record) = before.and_then(|name| self.places.get_mut(&name)) {
            record.used = record.used.saturating_sub(1);
        }
        if let Some(name) = after {
            self.places.entry(name).or_default().used += 1;
        }
    }
}

impl TaskRecord {
    /// The place besides this machine that works on it now.
    pub(super) fn works_at(&self) -> Option<String> {
        self.place.clone().filter(|_| self.phase == TaskPhase::Working)
    }

    /// The place of its latest attempt; none for this machine.
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }
}
