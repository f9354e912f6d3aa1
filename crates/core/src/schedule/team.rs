//! The team's part in the scheduler's memory: turns and their providers, reviews, the integrator's queue.

use super::apply::ApplyError;
use super::task_record::{Review, Scheduler, TaskPhase, Upcoming};
use crate::event::{AttemptEnd, AttemptStarted, BlockReason, Claim, LeftOut, Millis, Role, TurnEnded};
use crate::failure::Failure;
use crate::ids::TaskId;
use crate::plan::Mode;
use crate::policy::{Governor, reject_each_other};
use crate::state::TaskState;
use crate::team::{Conflict, IssueSeverity, Verdict};

impl Scheduler {
    pub(super) fn on_attempt_started(&mut self, ix: usize, started: &AttemptStarted) {
        let AttemptStarted { attempt, rung, agent, tier, test_writer, place, base } = started;
        let mut providers = vec![self.settings.provider(agent).to_owned()];
        let second = test_writer.as_ref().map(|t| self.settings.provider(t).to_owned());
        providers.extend(second.filter(|p| !providers.contains(p)));
        let record = &mut self.tasks[ix];
        record.phase = TaskPhase::Working;
        record.attempt = *attempt;
        record.rung = *rung;
        record.tier = *tier;
        record.providers = providers;
        record.place.clone_from(place);
        record.work.base = Some(base.clone());
        // What the attempt before it left out was told to this one when it was started.
        record.work.left_out = LeftOut::default();
        record.work.held = None;
    }

    pub(super) fn on_turn_ended(&mut self, ix: usize, turn: &TurnEnded, at: Millis) {
        let TurnEnded { role, agent, claim, usage, session, summary, .. } = turn;
        self.spent.add(usage);
        match claim {
            Claim::Done | Claim::Blocked => {
                let provider = self.settings.provider(agent).to_owned();
                self.served.insert(provider.clone());
                if let Some(governor) = self.governors.get_mut(&provider) {
                    governor.succeeded(at);
                }
            }
            Claim::Failed | Claim::Limited | Claim::Stopped => {}
        }
        if role.does_work() {
            let work = &mut self.tasks[ix].work;
            if let Some(session) = session {
                work.session = Some((agent.clone(), session.clone()));
            }
            if summary.is_some() {
                work.summary.clone_from(summary);
            }
        }
    }

    /// A provider refused: it rests, and is driven less hard afterwards.
    pub(super) fn on_refused(&mut self, provider: &str, at: Millis, until: Millis) {
        let running = self.turns.get(provider).copied().unwrap_or(0);
        let fresh = self.fresh_governor(provider);
        self.governors.entry(provider.to_owned()).or_insert(fresh).refused(at, until, running);
    }

    fn fresh_governor(&self, provider: &str) -> Governor {
        Governor::new(self.settings.governor.ceiling(provider, self.settings.all_slots()))
    }

    /// How many more turns of a provider may begin now.
    pub(super) fn room(&self, provider: &str, now: Millis) -> u32 {
        if self.stopped.contains_key(provider) {
            return 0;
        }
        let running = self.turns.get(provider).copied().unwrap_or(0);
        match self.governors.get(provider) {
            Some(governor) => governor.room(now, running),
            None => self.fresh_governor(provider).room(now, running),
        }
    }

    /// The provider behind an agent and the end of the rest that a refusal now leads to; `None` if the provider rests
    /// at least as long already.
    pub fn rest(&self, agent: &str, now: Millis, told: Option<u64>) -> Option<(String, Millis)> {
        let provider = self.settings.provider(agent);
        let rules = &self.settings.governor;
        let until = match self.governors.get(provider) {
            Some(governor) => governor.rest_after(rules, now, told),
            None => self.fresh_governor(provider).rest_after(rules, now, told),
        };
        until.map(|until| (provider.to_owned(), until))
    }

    /// The providers that were stopped.
    pub fn stopped(&self) -> impl Iterator<Item = &str> {
        self.stopped.keys().map(String::as_str)
    }

    /// Whether the provider behind an agent was stopped.
    pub fn is_stopped(&self, agent: &str) -> bool {
        self.stopped.contains_key(self.settings.provider(agent))
    }

    /// Whether the provider behind an agent has completed a turn in this run.
    pub fn has_served(&self, agent: &str) -> bool {
        self.served.contains(self.settings.provider(agent))
    }

    /// How often the agent's provider has refused in a row, rests between.
    pub fn refusals_in_a_row(&self, agent: &str) -> u32 {
        self.governors.get(self.settings.provider(agent)).map_or(0, Governor::strikes)
    }

    /// The end of the rest of an agent's provider, if it rests.
    pub fn rests_until(&self, agent: &str, now: Millis) -> Option<Millis> {
        self.governors.get(self.settings.provider(agent))?.resting(now)
    }

    /// Whether any provider rests.
    pub(super) fn any_provider_rests(&self, now: Millis) -> bool {
        self.governors.values().any(|g| g.resting(now).is_some())
    }

    pub(super) fn shift_turns(&mut self, before: &[String], after: &[String]) {
        for provider in after {
            *self.turns.entry(provider.clone()).or_default() += 1;
        }
        for provider in before {
            if let Some(n) = self.turns.get_mut(provider) {
                *n = n.saturating_sub(1);
            }
        }
        self.turns.retain(|_, n| *n > 0);
    }

    /// Whether a change must be looked at before it is merged.
    pub(super) fn wants_review(&self, ix: usize) -> bool {
        let record = &self.tasks[ix];
        let reviewer = self.settings.player(Role::Reviewer).is_some();
        reviewer && record.sealed.mode != Mode::Gate && !record.approved && record.review != Review::Approved
    }

    pub(super) fn on_review_started(&mut self, ix: usize, agent: &str) -> Result<(), ApplyError> {
        let verified = matches!(self.tasks[ix].phase, TaskPhase::Verified { .. });
        if !verified || self.tasks[ix].review != Review::Open {
            return Err(self.out_of_turn(ix, "review_started"));
        }
        let provider = self.settings.provider(agent).to_owned();
        self.tasks[ix].review = Review::Running { provider };
        Ok(())
    }

    pub(super) fn on_reviewed(&mut self, ix: usize, verdict: &Verdict) -> Result<(), ApplyError> {
        if !self.tasks[ix].is_reviewed() {
            return Err(self.out_of_turn(ix, "reviewed"));
        }
        let record = &mut self.tasks[ix];
        record.review = match verdict {
            Verdict::Approved { .. } => Review::Approved,
            // The end of the attempt follows and says what comes of it.
            Verdict::Rejected { .. } => Review::Open,
            Verdict::Unknown { reason } => {
                record.unread = (record.unread.0 + 1, reason.clone());
                Review::Open
            }
        };
        Ok(())
    }

    /// The integrator's answer. A grave conflict without an order is a question, unless all but one of its tasks are
    /// through.
    pub(super) fn on_queue_formed(
        &mut self,
        queue: &[TaskId],
        edges: &[(TaskId, TaskId)],
        conflicts: &[Conflict],
    ) {
        self.queue = (0..).zip(queue).map(|(place, id)| (id.clone(), place)).collect();
        self.edges = edges.to_vec();
        for conflict in conflicts.iter().filter(|c| c.severity == IssueSeverity::High && c.order.is_empty()) {
            let open: Vec<usize> = conflict
                .tasks
                .iter()
                .filter_map(|t| self.index.get(t.as_str()).copied())
                .filter(|ix| matches!(self.tasks[*ix].state, TaskState::Pending | TaskState::TestFailed))
                .filter(|ix| self.tasks[*ix].phase == TaskPhase::Idle)
                .collect();
            if open.len() < 2 {
                continue;
            }
            for ix in &open {
                let others = open.iter().filter(|o| *o != ix).map(|o| self.tasks[*o].sealed.id.clone());
                let block =
                    BlockReason::Unordered { with: others.collect(), reason: conflict.reason.clone() };
                self.tasks[*ix].upcoming = Upcoming::Block(block);
            }
        }
        self.link();
        self.recount();
    }

    /// Why the ladder of a task ends that was rejected because of another that is rejected because of it.
    pub(super) fn mutual_rejection(&self, ix: usize, end: &AttemptEnd) -> Option<String> {
        let AttemptEnd::Failed { failure: Failure::Rejected { issues } } = end else { return None };
        let record = &self.tasks[ix];
        let (id, history) = (record.sealed.id.as_str(), record.history.as_slice());
        let others = issues.iter().filter_map(|i| self.index.get(i.against.as_deref()?));
        let mut others = others.map(|other| &self.tasks[*other]);
        let other = others.find(|o| {
            reject_each_other(&self.settings.ladder, (id, history), (o.sealed.id.as_str(), &o.history))
        })?;
        Some(format!("`{id}` and `{}` were rejected because of each other again and again", other.sealed.id))
    }
}
