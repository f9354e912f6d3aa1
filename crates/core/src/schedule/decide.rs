//! `decide`: reads, never writes. The same state and the same time always give the same commands.

use std::collections::BTreeMap;

use super::placement::{ChosenPlace, FreeSlots};
use super::task_record::{RunPhase, Scheduler, TaskPhase, TaskRecord, Upcoming};
use crate::event::{BlockReason, Millis, Role, RunEnd};
use crate::ids::{AttemptNo, Oid, TaskId};
use crate::plan::{Mode, Tier};
use crate::policy::Rung;
use crate::state::TaskState;

/// What the dispatcher is to do. Each is journaled as an intent before it is acted on, so it is asked for once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Begin an attempt.
    Start {
        /// The task.
        task: TaskId,
        /// Which attempt it will be.
        attempt: AttemptNo,
        /// Where on the ladder.
        rung: Rung,
        /// The agent.
        agent: String,
        /// On which tier.
        tier: Tier,
        /// The agent that writes its tests, if it is another one and they are still to be written.
        test_writer: Option<String>,
        /// At which place; none for this machine.
        place: Option<String>,
    },
    /// Merge a candidate onto a commit and verify the result.
    Verify {
        /// The task.
        task: TaskId,
        /// Which attempt.
        attempt: AttemptNo,
        /// The commit to merge onto.
        onto: Oid,
        /// The trusted place that verifies it; none for this machine.
        place: Option<String>,
    },
    /// Give up a verification on the wrong commit.
    Abandon {
        /// The task.
        task: TaskId,
        /// Which attempt.
        attempt: AttemptNo,
    },
    /// Have a change looked at that every gate let pass.
    Review {
        /// The task.
        task: TaskId,
        /// Which attempt.
        attempt: AttemptNo,
        /// By whom.
        agent: String,
    },
    /// Move the branch to the verified head of the train.
    Merge {
        /// The task.
        task: TaskId,
        /// Which attempt.
        attempt: AttemptNo,
    },
    /// The ladder is used up.
    Fail {
        /// The task.
        task: TaskId,
        /// The reason, for people.
        reason: String,
    },
    /// A person is needed.
    Block {
        /// The task.
        task: TaskId,
        /// For what.
        block: BlockReason,
    },
    /// It cannot be carried out any more.
    Skip {
        /// The task.
        task: TaskId,
        /// The task whose end caused it.
        because: TaskId,
    },
    /// Nothing is left to do.
    Finish(RunEnd),
}

impl Scheduler {
    /// What to do next. Empty means: wait for an event, or until [`Scheduler::wake_at`].
    pub fn decide(&self, now: Millis) -> Vec<Command> {
        match self.run {
            RunPhase::Off => Vec::new(),
            RunPhase::Stopping { cancel } => self.decide_stopping(cancel),
            RunPhase::On => self.decide_running(now),
        }
    }

    /// The next time at which `decide` should be asked again although nothing happened. A rest that ended since the latest
    /// event does not hide a longer one.
    pub fn wake_at(&self, now: Millis) -> Option<Millis> {
        let places = self.resting_places(now).map(|(_, until)| until);
        self.governors.values().filter_map(|g| g.resting(now)).chain(places).min()
    }

    fn decide_stopping(&self, cancel: bool) -> Vec<Command> {
        if self.busy > 0 {
            return Vec::new();
        }
        let end = if cancel { RunEnd::Cancelled } else { RunEnd::Interrupted };
        vec![Command::Finish(end)]
    }

    fn decide_running(&self, now: Millis) -> Vec<Command> {
        let mut commands = Vec::new();
        self.decide_endings(&mut commands);
        let here = self.busy.saturating_sub(self.away());
        let slots = FreeSlots::of(self, self.settings.jobs.saturating_sub(here), now);
        let mut free = Free { slots, rooms: BTreeMap::new(), now };
        self.decide_train(&mut free, &mut commands);
        if self.may_start_turns() && self.grave.is_empty() {
            self.decide_starts(free, &mut commands);
        }
        if commands.is_empty() && self.nothing_left(now) {
            commands.push(Command::Finish(self.run_end()));
        }
        commands
    }

    /// Ends that follow from what happened: used-up ladders, questions, tasks that lost what they need.
    fn decide_endings(&self, commands: &mut Vec<Command>) {
        for ix in &self.endings {
            let record = &self.tasks[*ix];
            let task = record.sealed.id.clone();
            match &record.upcoming {
                Upcoming::Fail(reason) => commands.push(Command::Fail { task, reason: reason.clone() }),
                Upcoming::Block(block) => commands.push(Command::Block { task, block: block.clone() }),
                Upcoming::Try(_) | Upcoming::Nothing => {}
            }
        }
        for ix in &self.doomed {
            let record = &self.tasks[*ix];
            if let Some(because) = self.dead_dependency(record) {
                commands.push(Command::Skip { task: record.sealed.id.clone(), because });
            }
        }
    }

    /// The dependency that keeps a task from ever starting.
    pub(super) fn dead_dependency(&self, record: &TaskRecord) -> Option<TaskId> {
        let dead = |ix: &&usize| matches!(self.tasks[**ix].state, TaskState::Failed | TaskState::Skipped);
        record.deps.iter().find(dead).map(|ix| self.tasks[*ix].sealed.id.clone())
    }

    /// Whether agents may be given turns at all.
    fn may_start_turns(&self) -> bool {
        !self.paused && !self.budget_spent()
    }

    fn decide_train(&self, free: &mut Free, commands: &mut Vec<Command>) {
        for (place, (ix, belongs)) in self.cars().into_iter().enumerate() {
            let record = &self.tasks[ix];
            let (task, attempt) = (record.sealed.id.clone(), record.attempt);
            match &record.phase {
                TaskPhase::Queued => {
                    if let Some(onto) = belongs
                        && let Some(verifier) = free.slots.verifier(self, record)
                    {
                        free.slots.take(&verifier);
                        commands.push(Command::Verify { task, attempt, onto, place: verifier.0 });
                    }
                }
                TaskPhase::Merging { onto }
                | TaskPhase::Verifying { onto, .. }
                | TaskPhase::Verified { onto, .. }
                    if belongs.as_ref() != Some(onto) =>
                {
                    commands.push(Command::Abandon { task, attempt });
                }
                TaskPhase::Verified { .. } if self.wants_review(ix) => {
                    self.decide_review(record, free, commands);
                }
                TaskPhase::Verified { .. } => self.decide_merge(record, place, commands),
                TaskPhase::Idle
                | TaskPhase::Working
                | TaskPhase::Merging { .. }
                | TaskPhase::Verifying { .. }
                | TaskPhase::Moving { .. } => {}
            }
        }
    }

    fn decide_merge(&self, record: &TaskRecord, place: usize, commands: &mut Vec<Command>) {
        let task = record.sealed.id.clone();
        if record.sealed.needs_approval && !record.approved {
            commands.push(Command::Block { task, block: BlockReason::AwaitingApproval });
        } else if place == 0 && self.merging_paused.is_none() {
            commands.push(Command::Merge { task, attempt: record.attempt });
        }
    }

    /// A change that every gate let pass is looked at; one that gets no verdict is a question.
    fn decide_review(&self, record: &TaskRecord, free: &mut Free, commands: &mut Vec<Command>) {
        let (task, attempt) = (record.sealed.id.clone(), record.attempt);
        let Some(agent) = self.settings.player(Role::Reviewer) else { return };
        if record.is_reviewed() {
            return;
        }
        let (unread, reason) = &record.unread;
        if *unread > self.settings.unread_reviews {
            commands.push(Command::Block { task, block: BlockReason::NoVerdict { reason: reason.clone() } });
        } else if self.may_start_turns() && free.take(self, &[self.settings.provider(agent)]) {
            commands.push(Command::Review { task, attempt, agent: agent.to_owned() });
        }
    }

    fn decide_starts(&self, mut free: Free, commands: &mut Vec<Command>) {
        let mut taken = self.pools.clone();
        for (_, _, ix) in &self.ready {
            if free.slots.are_taken() {
                break;
            }
            let record = &self.tasks[*ix];
            let Upcoming::Try(rung) = record.upcoming else { continue };
            if self.is_crowded(*ix) {
                continue;
            }
            let cast = self.settings.cast(record.sealed.tier, record.sealed.agent.as_deref(), rung);
            let writes_tests = matches!(record.sealed.mode, Mode::Tdd | Mode::TestsOnly);
            let test_writer = cast.test_writer.filter(|_| writes_tests && record.work.frozen.is_none());
            let both = [Some(&cast.agent), test_writer.as_ref()];
            let mut providers: Vec<&str> =
                both.into_iter().flatten().map(|a| self.settings.provider(a)).collect();
            providers.dedup();
            let Some(place) = free.slots.choose(self, record) else { continue };
            // A full pool or a resting provider holds up its own tasks and no others.
            if !free.has_turns(self, &providers) || !take_places(&mut taken, &record.pools_on(cast.tier)) {
                continue;
            }
            free.take_turns(self, &providers);
            free.slots.take(&place);
            commands.push(Command::Start {
                task: record.sealed.id.clone(),
                attempt: AttemptNo(record.attempt.0 + 1),
                rung,
                agent: cast.agent,
                tier: cast.tier,
                test_writer,
                place: place.0,
            });
        }
    }

    /// Whether a task would work beside another one on the same files: one that is carried out again, and those that
    /// were ordered after it.
    fn is_crowded(&self, ix: usize) -> bool {
        if self.again.is_empty() {
            return false;
        }
        let again = |above: usize| above != ix && self.again.contains(&above);
        let busy = |below: usize| below != ix && self.tasks[below].phase != TaskPhase::Idle;
        self.reaches(ix, |record| &record.deps, again)
            || (self.again.contains(&ix) && self.reaches(ix, |record| &record.dependants, busy))
    }

    /// Whether a task waits for another, directly or through others.
    pub fn is_after(&self, task: &TaskId, before: &TaskId) -> bool {
        let (Some(task), Some(before)) = (self.index.get(task), self.index.get(before)) else { return false };
        task != before && self.reaches(*task, |record| &record.deps, |at| at == *before)
    }

    /// Whether `holds` is true for a task or for any task that can be reached from it over these links.
    fn reaches(
        &self,
        from: usize,
        links: fn(&TaskRecord) -> &Vec<usize>,
        holds: impl Fn(usize) -> bool,
    ) -> bool {
        let mut pending = vec![from];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(ix) = pending.pop() {
            if holds(ix) {
                return true;
            }
            pending.extend(links(&self.tasks[ix]).iter().filter(|next| seen.insert(**next)));
        }
        false
    }

    pub(super) fn is_wanted(&self, record: &TaskRecord) -> bool {
        self.only.is_empty() || self.only.contains(&record.sealed.id)
    }

    fn budget_spent(&self) -> bool {
        self.spent_up || self.settings.is_spent(&self.spent)
    }

    /// Whether no event can come any more that would let something begin.
    fn nothing_left(&self, now: Millis) -> bool {
        let held = !self.grave.is_empty();
        let wanted = || self.ready.iter().map(|(_, _, ix)| &self.tasks[*ix]);
        let could_start = !held && wanted().next().is_some();
        let waiting = could_start || self.train.iter().any(|ix| self.wants_review(*ix));
        // A pause holds up what could begin; where nothing could, there is nothing to wait for.
        if self.busy > 0 || (self.paused && waiting) {
            return false;
        }
        if self.budget_spent() {
            return true;
        }
        let verifier = || self.train.iter().any(|ix| self.waits_for_verifier(&self.tasks[*ix], now));
        let starts =
            waiting && (self.any_provider_rests(now) || wanted().any(|t| self.waits_for_place(t, now)));
        !starts && !verifier()
    }

    fn run_end(&self) -> RunEnd {
        let done = |t: &TaskRecord| t.state == TaskState::Completed || !self.is_wanted(t);
        if self.tasks.iter().all(done) {
            RunEnd::Completed
        } else if self.budget_spent() {
            RunEnd::BudgetSpent
        } else {
            RunEnd::Stuck
        }
    }
}

/// What is left to give away in one look: jobs and slots, and turns of each provider.
struct Free {
    slots: FreeSlots,
    rooms: BTreeMap<String, u32>,
    now: Millis,
}

impl Free {
    fn room(&mut self, scheduler: &Scheduler, provider: &str) -> &mut u32 {
        let now = self.now;
        self.rooms.entry(provider.to_owned()).or_insert_with(|| scheduler.room(provider, now))
    }

    fn has_turns(&mut self, scheduler: &Scheduler, providers: &[&str]) -> bool {
        providers.iter().all(|p| *self.room(scheduler, p) > 0)
    }

    fn take_turns(&mut self, scheduler: &Scheduler, providers: &[&str]) {
        for provider in providers {
            *self.room(scheduler, provider) -= 1;
        }
    }

    /// Takes a job and a turn of each provider, or nothing.
    fn take(&mut self, scheduler: &Scheduler, providers: &[&str]) -> bool {
        let has = self.slots.here() > 0 && self.has_turns(scheduler, providers);
        if has {
            self.slots.take(&ChosenPlace(None));
            self.take_turns(scheduler, providers);
        }
        has
    }
}

/// Takes a place in each pool, or in none.
fn take_places(pools: &mut std::collections::BTreeMap<String, (u32, u32)>, wanted: &[String]) -> bool {
    let fits = wanted.iter().all(|name| pools.get(name).is_none_or(|(depth, used)| used < depth));
    if fits {
        for name in wanted {
            if let Some((_, used)) = pools.get_mut(name) {
                *used += 1;
            }
        }
    }
    fits
}
