//! The end of a completed plan: the commands of its tasks on the last tree, here and at the places that are trusted with
//! verifications.
//!
//! What does not pass elsewhere is repeated here, and this machine's word counts.

use std::sync::Arc;

use tokio::task::JoinSet;
use windlass_core::event::{Event, RunEnd, RunEvent};
use windlass_core::ids::Oid;
use windlass_core::schedule::TaskRecord;
use windlass_core::state::TaskState;

use super::ledger::now;
use super::looping::Dispatcher;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::integrate::passed_when_verified;
use crate::place::{ClosingJob, ClosingShare, RemotePlace};
use crate::verify::{closing_scripts, run_closing};

/// A closing run of fewer commands stays here: to send it elsewhere takes longer.
const WORTH_SHARING: usize = 8;

/// The share of one slot of a place: its name, and the commands.
type PlacedShare = (String, Vec<String>);

impl Dispatcher<'_> {
    /// Makes sure that the commands of all completed tasks pass on the last tree of a completed plan.
    pub(super) async fn closing_run(&mut self, end: RunEnd) -> Result<RunEnd, EngineError> {
        if end != RunEnd::Completed {
            return Ok(end);
        }
        let tip = self.tip();
        let done = || self.ledger.scheduler.tasks().iter().filter(|t| t.state() == TaskState::Completed);
        let id = |task: &TaskRecord| task.sealed().id.clone();
        // A commit has the tree that was verified for it, so the last task has nothing to repeat.
        let verified = done().filter(|t| t.merges().last() == Some(&tip)).map(id).collect();
        let tasks = done().map(id).collect();
        let tree = self.ctx.repo.tree_of(&tip)?;
        let passed = passed_when_verified(&self.ctx, &tip)?;
        let job = ClosingJob { tree, tasks, verified, passed };
        let finding = |message: String| RunEvent::Finding { message };
        let (end, event) = match self.close(&tip, job).await {
            Ok((commands, elsewhere)) => {
                let what = if commands == 1 { "1 command".into() } else { format!("{commands} commands") };
                let there = if elsewhere == 0 { String::new() } else { format!(", {elsewhere} at places") };
                (end, finding(format!("closing run: {what} passed on {}{there}", tip.short())))
            }
            Err(EarlyEnd::Failed { failure, .. }) => {
                let (summary, details) = (failure.summary(), failure.details());
                (RunEnd::Stuck, RunEvent::ClosingFailed { tip, summary, details })
            }
            Err(EarlyEnd::Interrupted) => (RunEnd::Interrupted, finding("closing run: interrupted".into())),
            Err(EarlyEnd::Broken(error)) => return Err(error),
        };
        self.record(vec![Event::Run(event)])?;
        Ok(end)
    }

    /// Runs what is left to run; how many commands have passed, and how many of them elsewhere.
    async fn close(&self, tip: &Oid, job: ClosingJob) -> Result<(usize, usize), EarlyEnd> {
        let (passed, scripts) = closing_scripts(&self.ctx, &job)?;
        let slots = self.slots_for_closing();
        if slots.is_empty() || scripts.len() < WORTH_SHARING {
            return Ok((self.place.close(job, &self.stop).await?, 0));
        }
        let count = scripts.len();
        let (mut here, shares) = shared(scripts, &slots);
        let mut running = JoinSet::new();
        for (name, scripts) in shares {
            let Some(place) = self.remote_places.get(&name).cloned() else { continue };
            let share = ClosingShare { commit: tip.clone(), job: job.clone(), scripts };
            running.spawn(close_share(place, share, self.stop.child()));
        }
        let own = run_closing(&self.ctx, &job, &here, &self.stop).await;
        here.clear();
        let mut elsewhere = 0;
        while let Some(ended) = running.join_next().await {
            // A share whose worker died is not known; then everything is repeated here.
            let Ok((share, there)) = ended else { return Ok((self.place.close(job, &self.stop).await?, 0)) };
            match there {
                Ok(()) => elsewhere += share.scripts.len(),
                Err(()) => here.extend(share.scripts),
            }
        }
        own?;
        run_closing(&self.ctx, &job, &here, &self.stop).await?;
        Ok((passed + count, elsewhere))
    }

    /// The names of the trusted places that do not rest, each as often as it has slots.
    fn slots_for_closing(&self) -> Vec<String> {
        let scheduler = &self.ledger.scheduler;
        let resting: Vec<&str> = scheduler.resting_places(now()).map(|(name, _)| name).collect();
        let places = scheduler.settings().places.iter();
        let usable = places.filter(|(name, rules)| rules.verify && !resting.contains(&name.as_str()));
        usable.flat_map(|(name, rules)| (0..rules.slots).map(move |_| name.clone())).collect()
    }
}

async fn close_share(
    place: Arc<dyn RemotePlace>,
    share: ClosingShare,
    cancel: crate::process::CancellationSignal,
) -> (ClosingShare, Result<(), ()>) {
    let end = place.close_there(share.clone(), &cancel).await;
    (share, end.map_err(drop))
}

/// The commands that run here, and those of each slot elsewhere: in turn, one slot after the other.
fn shared(scripts: Vec<String>, slots: &[String]) -> (Vec<String>, Vec<PlacedShare>) {
    let mut here = Vec::new();
    let mut shares: Vec<PlacedShare> = slots.iter().map(|name| (name.clone(), Vec::new())).collect();
    for (at, script) in scripts.into_iter().enumerate() {
        match shares.get_mut(at % (slots.len() + 1)) {
            Some((_, share)) => share.push(script),
            None => here.push(script),
        }
    }
    shares.retain(|(_, scripts)| !scripts.is_empty());
    (here, shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_share() {
        let scripts: Vec<String> = (0..10).map(|n| n.to_string()).collect();
        let slots = ["a", "a", "b"].map(str::to_owned);
        let (here, shares) = shared(scripts.clone(), &slots);
        assert_eq!(here, ["3", "7"]);
        let names: Vec<&str> = shares.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "a", "b"]);
        let mut all: Vec<String> = shares.into_iter().flat_map(|(_, scripts)| scripts).chain(here).collect();
        all.sort();
        assert_eq!(all, scripts);
    }
}
