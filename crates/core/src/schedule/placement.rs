//! Where an attempt or a verification runs: on this machine, or at one of the other places of the run. Pure, like the rest
//! of the scheduler.
//!
//! A task runs only where everything is that it needs. Of the places that are free it goes to the one of its last attempt,
//! which has its files and the agent's session; else to this machine, if no other has more free slots; else to the one of
//! the others that is nearest, and of those to the one with the most free slots. Ready tasks are placed in the order of
//! their longest path, so the place that is free first gets the task that holds up most.
//!
//! Only a place that the user trusts verifies. A verification goes to the place of its attempt if that is such a one, else
//! to the nearest trusted place, else it runs here.

use std::collections::BTreeMap;

use super::task_record::{Scheduler, TaskPhase, TaskRecord};
use crate::event::{AttemptEnd, Millis};
use crate::failure::Failure;
use crate::ids::Oid;

/// After so many losses in a row a place rests.
const LOSSES: u32 = 3;

/// What the scheduler remembers of a place besides this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PlaceRecord {
    /// Attempts and verifications under way there.
    pub(super) used: u32,
    /// Attempts and verifications lost in a row.
    pub(super) losses: u32,
    /// The end of its rest.
    pub(super) rests_until: Option<Millis>,
    /// The commit that had the files of the last work it brought to its end. None once it was lost: what leads there may
    /// lead to another machine now.
    pub(super) has: Option<Oid>,
}

/// What a place has already of what an attempt from the tip needs: the repository's files and the layers of its environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// Nothing that is known of.
    Strange,
    /// Those of an earlier commit: a difference has to be sent.
    Met,
    /// Those of the tip.
    AtTip,
}

/// The place that was chosen for an attempt or a verification; none is this machine.
pub(super) struct ChosenPlace(pub(super) Option<String>);

/// The free slots of one look: those of this machine, and those of each place that has one, with how near it is.
pub(super) struct FreeSlots {
    home: u32,
    away: BTreeMap<String, (Nearness, u32)>,
}

impl FreeSlots {
    /// The slots that are free now; `home` of them on this machine.
    pub(super) fn of(scheduler: &Scheduler, home: u32, now: Millis) -> Self {
        let free = |name: &String, most: u32| {
            let Some(record) = scheduler.places.get(name) else { return (Nearness::Strange, most) };
            let rests = record.rests_until.is_some_and(|until| until > now);
            // After a rest a single attempt probes the place.
            let most = if record.losses >= LOSSES { most.min(1) } else { most };
            let near = match &record.has {
                None => Nearness::Strange,
                Some(commit) if Some(commit) == scheduler.tip.as_ref() => Nearness::AtTip,
                Some(_) => Nearness::Met,
            };
            (near, if rests { 0 } else { most.saturating_sub(record.used) })
        };
        let places = scheduler.settings.places.iter();
        let away = places.map(|(name, rules)| (name.clone(), free(name, rules.slots))).collect();
        Self { home, away }
    }

    pub(super) fn are_taken(&self) -> bool {
        self.home == 0 && self.away.values().all(|(_, free)| *free == 0)
    }

    /// The place for a task among those with a free slot.
    pub(super) fn choose(&self, scheduler: &Scheduler, record: &TaskRecord) -> Option<ChosenPlace> {
        let needs = &record.sealed.needs;
        let fits = |name: &str| scheduler.settings.places.get(name).is_some_and(|rules| rules.has(needs));
        let home = if scheduler.settings.has_here(needs) { self.home } else { 0 };
        let away = self.nearest(record.place.as_deref(), fits);
        let was_there = record.attempt.0 > 0 && away == record.place;
        let most = self.away.iter().filter(|(name, _)| fits(name)).map(|(_, (_, free))| *free).max();
        // Of equals this machine is taken.
        let emptiest = home > 0 && home >= most.unwrap_or_default();
        let was_here = home > 0 && record.attempt.0 > 0 && record.place.is_none();
        if was_here || (emptiest && !was_there) {
            return Some(ChosenPlace(None));
        }
        away.map(|name| ChosenPlace(Some(name)))
    }

    /// The place for the verification of a task among those with a free slot.
    pub(super) fn verifier(&self, scheduler: &Scheduler, record: &TaskRecord) -> Option<ChosenPlace> {
        if let Some(name) = self.nearest(record.place.as_deref(), |name| scheduler.may_verify(record, name)) {
            return Some(ChosenPlace(Some(name)));
        }
        (self.home > 0 && scheduler.verifies_here(record)).then_some(ChosenPlace(None))
    }

    /// Of the places with a free slot that fit: this one, or else the nearest, or else the emptiest, or else the first.
    fn nearest(&self, first: Option<&str>, fits: impl Fn(&str) -> bool) -> Option<String> {
        let fitting = self.away.iter().filter(|(name, (_, free))| *free > 0 && fits(name));
        let rank = |(name, slots): &(&String, &(Nearness, u32))| (first == Some(name.as_str()), **slots);
        fitting.rev().max_by_key(rank).map(|(name, _)| name.clone())
    }

    /// The free jobs of this machine.
    pub(super) fn here(&self) -> u32 {
        self.home
    }

    pub(super) fn take(&mut self, place: &ChosenPlace) {
        let free = place
            .0
            .as_ref()
            .map_or(Some(&mut self.home), |name| self.away.get_mut(name).map(|(_, free)| free));
        if let Some(free) = free {
            *free = free.saturating_sub(1);
        }
    }
}

impl Scheduler {
    /// Whether a place has everything that a task asks for.
    fn has_what_it_needs(&self, record: &TaskRecord, place: Option<&str>) -> bool {
        let needs = &record.sealed.needs;
        match place {
            None => self.settings.has_here(needs),
            Some(name) => self.settings.places.get(name).is_some_and(|rules| rules.has(needs)),
        }
    }

    /// Whether a place is trusted with verifications and has everything that those of a task need.
    fn may_verify(&self, record: &TaskRecord, place: &str) -> bool {
        let trusted = self.settings.places.get(place).is_some_and(|rules| rules.verify);
        trusted && self.has_what_it_needs(record, Some(place))
    }

    /// Whether this machine verifies a task: it has what the task needs, or no trusted place has it either.
    fn verifies_here(&self, record: &TaskRecord) -> bool {
        let elsewhere = || self.settings.places.keys().any(|name| self.may_verify(record, name));
        self.has_what_it_needs(record, None) || !elsewhere()
    }

    /// Whether a verification waits for the end of the rest of every place that could carry it out.
    pub(super) fn waits_for_verifier(&self, record: &TaskRecord, now: Millis) -> bool {
        let rests = |(name, place): (&String, &PlaceRecord)| {
            place.rests_until.is_some_and(|until| until > now) && self.may_verify(record, name)
        };
        record.phase == TaskPhase::Queued && !self.verifies_here(record) && self.places.iter().any(rests)
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
    pub(crate) fn losses_in_a_row(&self, place: &str) -> u32 {
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

    /// A place did not bring an attempt or a verification to its end.
    pub(super) fn on_place_lost(&mut self, place: &str, until: Option<Millis>) {
        let record = self.places.entry(place.to_owned()).or_default();
        record.losses = record.losses.saturating_add(1);
        (record.rests_until, record.has) = (until, None);
    }

    /// Whether the end of an attempt is the answer of the place that works on it. A conflict is found here, before a
    /// verification begins; and a reviewer's rejection ends one that goes on.
    pub(super) fn is_answer(&self, ix: usize, end: &AttemptEnd) -> bool {
        let under_way = matches!(self.tasks[ix].phase, TaskPhase::Working | TaskPhase::Verifying { .. });
        let rejected = matches!(end, AttemptEnd::Failed { failure: Failure::Rejected { .. } });
        under_way && matches!(end, AttemptEnd::Failed { .. }) && !rejected
    }

    /// The place at work on a task brought that to its end, whatever it was.
    pub(super) fn on_place_answered(&mut self, ix: usize) {
        let task = &self.tasks[ix];
        let files = task.files_at_work().cloned();
        if let Some(record) = task.works_at().and_then(|name| self.places.get_mut(&name)) {
            (record.losses, record.rests_until, record.has) = (0, None, files);
        }
    }

    /// The attempts and verifications under way at places besides this machine.
    pub(super) fn away(&self) -> u32 {
        self.places.values().map(|place| place.used).sum()
    }

    /// A new run begins: nothing rests, and places keep what they have.
    pub(super) fn meet_again(&mut self) {
        let known = std::mem::take(&mut self.places).into_iter();
        let kept =
            known.filter(|(name, place)| place.has.is_some() && self.settings.places.contains_key(name));
        self.places =
            kept.map(|(name, place)| (name, PlaceRecord { has: place.has, ..Default::default() })).collect();
    }

    /// A merge is in the branch now, as this commit: both have the same files, so a place that has one has the other.
    pub(super) fn merge_became(&mut self, merge: &Oid, commit: &Oid) {
        for has in self.places.values_mut().filter_map(|place| place.has.as_mut()).filter(|has| *has == merge)
        {
            has.clone_from(commit);
        }
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
    /// The commit whose files the work under way has: the merge that is verified, or the base of the attempt.
    fn files_at_work(&self) -> Option<&Oid> {
        self.phase.merge().or(self.work.base.as_ref())
    }

    /// The place besides this machine that works on it now.
    pub(super) fn works_at(&self) -> Option<String> {
        match self.phase {
            TaskPhase::Working => self.place.clone(),
            TaskPhase::Merging { .. } | TaskPhase::Verifying { .. } => self.verifier.clone(),
            TaskPhase::Idle | TaskPhase::Queued | TaskPhase::Verified { .. } | TaskPhase::Moving { .. } => {
                None
            }
        }
    }

    /// The place of its latest verification; none for this machine.
    pub fn verifier(&self) -> Option<&str> {
        self.verifier.as_deref()
    }

    /// The place of its latest attempt; none for this machine.
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }
}
