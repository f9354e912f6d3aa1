//! `decide`: reads, never writes. The same state and the same time always give the same commands.

use super::slate::{Phase, RunPhase, Scheduler, Slate, Upcoming};
use crate::event::{Block, Millis, RunEnd};
use crate::ids::{AttemptNo, Oid, TaskId};
use crate::plan::Tier;
use crate::policy::Rung;
use crate::state::TaskState;

/// What the dispatcher is to do. Each is journaled as an intent before it is acted on, so it is asked for once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Begin an attempt.
    Start {
        /// The task.
        task: TaskId,
        /// Which try it will be.
        attempt: AttemptNo,
        /// Where on the ladder.
        rung: Rung,
        /// Who does it.
        agent: String,
        /// On which tier.
        tier: Tier,
    },
    /// Merge a candidate onto a commit and verify the result.
    Verify {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// The commit to merge onto.
        onto: Oid,
    },
    /// Give up a verification that stands on the wrong commit.
    Abandon {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
    },
    /// Move the branch to the verified head of the train.
    Merge {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
    },
    /// The ladder is used up.
    Fail {
        /// The task.
        task: TaskId,
        /// Why.
        reason: String,
    },
    /// A person is needed.
    Block {
        /// The task.
        task: TaskId,
        /// For what.
        block: Block,
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

    /// The time at which `decide` should be asked again although nothing happened.
    pub fn wake_at(&self) -> Option<Millis> {
        self.resting.values().min().copied()
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
        let mut free = self.settings.jobs.saturating_sub(self.busy);
        self.decide_train(&mut free, &mut commands);
        if !self.paused && !self.budget_spent() {
            self.decide_starts(now, free, &mut commands);
        }
        if commands.is_empty() && self.nothing_left(now) {
            commands.push(Command::Finish(self.how_it_ends()));
        }
        commands
    }

    /// Ends that follow from what happened: used-up ladders, questions, tasks that lost what they need.
    fn decide_endings(&self, commands: &mut Vec<Command>) {
        for ix in &self.endings {
            let slate = &self.tasks[*ix];
            let task = slate.sealed.id.clone();
            match &slate.upcoming {
                Upcoming::Fail(reason) => commands.push(Command::Fail { task, reason: reason.clone() }),
                Upcoming::Block(block) => commands.push(Command::Block { task, block: block.clone() }),
                Upcoming::Try(_) | Upcoming::Nothing => {}
            }
        }
        for ix in &self.doomed {
            let slate = &self.tasks[*ix];
            if let Some(because) = self.doom_of(slate) {
                commands.push(Command::Skip { task: slate.sealed.id.clone(), because });
            }
        }
    }

    /// The dependency that keeps a task from ever starting.
    pub(super) fn doom_of(&self, slate: &Slate) -> Option<TaskId> {
        let dead = |ix: &&usize| matches!(self.tasks[**ix].state, TaskState::Failed | TaskState::Skipped);
        slate.deps.iter().find(dead).map(|ix| self.tasks[*ix].sealed.id.clone())
    }

    fn decide_train(&self, free: &mut u32, commands: &mut Vec<Command>) {
        for (place, (ix, belongs)) in self.cars().into_iter().enumerate() {
            let slate = &self.tasks[ix];
            let (task, attempt) = (slate.sealed.id.clone(), slate.attempt);
            match &slate.phase {
                Phase::Queued => {
                    if let Some(onto) = belongs
                        && *free > 0
                    {
                        *free -= 1;
                        commands.push(Command::Verify { task, attempt, onto });
                    }
                }
                Phase::Merging { onto } | Phase::Verifying { onto, .. } | Phase::Verified { onto, .. }
                    if belongs.as_ref() != Some(onto) =>
                {
                    commands.push(Command::Abandon { task, attempt });
                }
                Phase::Verified { .. } => self.decide_merge(slate, place, commands),
                Phase::Idle
                | Phase::Working
                | Phase::Merging { .. }
                | Phase::Verifying { .. }
                | Phase::Moving { .. } => {}
            }
        }
    }

    fn decide_merge(&self, slate: &Slate, place: usize, commands: &mut Vec<Command>) {
        let task = slate.sealed.id.clone();
        if slate.sealed.needs_approval && !slate.approved {
            commands.push(Command::Block { task, block: Block::AwaitingApproval });
        } else if place == 0 && self.merging_paused.is_none() {
            commands.push(Command::Merge { task, attempt: slate.attempt });
        }
    }

    fn decide_starts(&self, now: Millis, mut free: u32, commands: &mut Vec<Command>) {
        let mut taken = self.pools.clone();
        for (_, ix) in &self.ready {
            if free == 0 {
                break;
            }
            let slate = &self.tasks[*ix];
            let Upcoming::Try(rung) = slate.upcoming else { continue };
            let (tier, agent) = self.settings.route(slate.sealed.tier, slate.sealed.agent.as_deref(), rung);
            let rests = self.resting.get(&agent).is_some_and(|until| *until > now);
            if rests
                || !self.is_wanted(slate)
                || self.is_crowded(slate)
                || !take_places(&mut taken, &slate.pools_on(tier))
            {
                continue;
            }
            free -= 1;
            let attempt = AttemptNo(slate.attempt.0 + 1);
            commands.push(Command::Start { task: slate.sealed.id.clone(), attempt, rung, agent, tier });
        }
    }

    /// Whether a task that is carried out again would share its files with one that was ordered after it and is under
    /// way.
    fn is_crowded(&self, slate: &Slate) -> bool {
        if slate.merges.is_empty() {
            return false;
        }
        let mut pending = slate.dependants.clone();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(ix) = pending.pop() {
            if seen.insert(ix) {
                if self.tasks[ix].phase != Phase::Idle {
                    return true;
                }
                pending.extend(&self.tasks[ix].dependants);
            }
        }
        false
    }

    pub(super) fn is_wanted(&self, slate: &Slate) -> bool {
        self.only.is_empty() || self.only.contains(&slate.sealed.id)
    }

    fn budget_spent(&self) -> bool {
        let money = self.settings.max_cost_usd.is_some_and(|max| self.spent.cost_usd.unwrap_or(0.0) >= max);
        let tokens = self.settings.max_tokens.is_some_and(|max| self.spent.tokens() >= max);
        money || tokens
    }

    /// Whether no event can come any more that would let something begin.
    fn nothing_left(&self, now: Millis) -> bool {
        let waiting = self.ready.iter().any(|(_, ix)| self.is_wanted(&self.tasks[*ix]));
        // A pause holds up what could begin; where nothing could, there is nothing to wait for.
        if self.busy > 0 || (self.paused && waiting) {
            return false;
        }
        if self.budget_spent() {
            return true;
        }
        let resting = self.resting.values().any(|until| *until > now);
        !(waiting && resting)
    }

    fn how_it_ends(&self) -> RunEnd {
        let done = |t: &Slate| t.state == TaskState::Completed || !self.is_wanted(t);
        if self.tasks.iter().all(done) {
            RunEnd::Completed
        } else if self.budget_spent() {
            RunEnd::BudgetSpent
        } else {
            RunEnd::Stuck
        }
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
