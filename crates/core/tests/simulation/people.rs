//! What people do to a run: pause it, stop it, commit beside it, retry and skip and approve, pull the plug.

use windlass_core::event::{AttemptEnd, BlockReason, Event, RunEvent, TaskEvent};
use windlass_core::ids::TaskId;
use windlass_core::state::TaskState;

use super::world::{Job, World};

impl World {
    pub(crate) fn make_mischief(&mut self) {
        match self.dice.below(10) {
            0 => self.tell(Event::Run(RunEvent::Paused)),
            1 => self.tell(Event::Run(RunEvent::Resumed)),
            2 => self.tell(Event::Run(RunEvent::MergingPaused { reason: "checked out".into() })),
            3 => self.tell(Event::Run(RunEvent::MergingResumed)),
            4 => self.somebody_commits(),
            5 => self.stop(),
            6 => self.wish(),
            7 => self.set_clock(),
            _ => self.crash(),
        }
    }

    fn somebody_commits(&mut self) {
        let tip = self.oid();
        let mut tree = self.account.trees[&self.account.tip].clone();
        tree.insert(tip.to_string());
        self.account.trees.insert(tip.clone(), tree);
        self.tell(Event::Run(RunEvent::TipMoved { tip }));
    }

    /// A person stops the run: attempts are interrupted, verifications given up, a move of the branch is let be.
    fn stop(&mut self) {
        let cancel = self.dice.percent(50);
        self.tell(Event::Run(RunEvent::StopRequested { cancel }));
        let open: Vec<_> = self.agenda.values().cloned().collect();
        self.agenda.retain(|_, (_, _, job)| matches!(job, Job::Move { .. }));
        for (task, attempt, job) in open {
            match job {
                Job::Attempt => {
                    let end = AttemptEnd::Interrupted;
                    self.tell(TaskEvent::AttemptEnded { attempt, end, output: None }.of(task));
                }
                Job::Merge { .. } | Job::Verify { .. } => {
                    self.tell(TaskEvent::VerifyAbandoned { attempt }.of(task));
                }
                Job::Review => self.tell(TaskEvent::ReviewAbandoned { attempt }.of(task)),
                Job::Move { .. } | Job::LateAnswer | Job::LateVerdict { .. } => {}
            }
        }
    }

    /// A person retries, skips or approves something that can be.
    fn wish(&mut self) {
        let ids: Vec<TaskId> = self.graph.nodes().iter().map(|n| n.id.clone()).collect();
        let Some(task) = self.dice.pick(&ids).cloned() else { return };
        let state = self.account.state(&task);
        let retry = self.dice.percent(60);
        match state {
            TaskState::Blocked if self.may_approve(&task) && retry => {
                self.tell(TaskEvent::Approved.of(task));
            }
            TaskState::Failed | TaskState::Blocked | TaskState::Skipped if retry => {
                self.reset(&task);
            }
            TaskState::Pending | TaskState::TestFailed | TaskState::Failed | TaskState::Blocked => {
                self.tell(TaskEvent::TaskSkipped { because: None }.of(task));
            }
            TaskState::Skipped | TaskState::InProgress | TaskState::Testing | TaskState::Completed => {}
        }
    }

    fn may_approve(&self, task: &TaskId) -> bool {
        let waits = matches!(
            self.blocks.get(task),
            Some(
                BlockReason::AwaitingApproval | BlockReason::NoVerdict { .. } | BlockReason::Escalated { .. }
            )
        );
        let slate = self.scheduler.task(task).expect("a known task");
        assert!(!slate.can_be_approved() || waits, "`{task}` could be approved");
        slate.can_be_approved()
    }

    /// A retry brings back what was skipped because of it, and so on.
    fn reset(&mut self, task: &TaskId) {
        for task in self.scheduler.brought_back_by(task) {
            self.tell(TaskEvent::TaskReset.of(task));
        }
    }

    /// Between two runs: a few wishes, and now and then a completed task is to be done again.
    pub(crate) fn between_runs(&mut self) {
        for _ in 0..self.dice.below(4) {
            self.wish();
        }
        let done: Vec<TaskId> = self.graph.nodes().iter().map(|n| n.id.clone()).collect();
        if let Some(task) = self.dice.pick(&done).cloned()
            && self.dice.percent(10)
            && self.account.state(&task) == TaskState::Completed
        {
            self.reset(&task);
        }
    }
}
