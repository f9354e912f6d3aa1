//! The merge train: the commit each candidate should be merged onto, and which are merged onto another.

use super::task_record::{Scheduler, TaskPhase};
use crate::ids::Oid;

impl Scheduler {
    /// For each car in order: its task, and the commit it belongs on, if that is known yet.
    pub(super) fn cars(&self) -> Vec<(usize, Option<Oid>)> {
        let mut onto = self.tip.clone();
        let mut cars = Vec::with_capacity(self.train.len());
        for ix in &self.train {
            cars.push((*ix, onto.clone()));
            let phase = &self.tasks[*ix].phase;
            let stands_right = onto.is_some() && phase.onto() == onto.as_ref();
            onto = if stands_right { phase.merge().cloned() } else { None };
        }
        cars
    }

    /// After the head moved: the next car was merged onto the head's provisional commit, whose tree the real one
    /// shares, so it is valid on the real one.
    pub(super) fn couple(&mut self, provisional: &Oid, real: &Oid) {
        let Some(next) = self.train.first().copied() else { return };
        match &mut self.tasks[next].phase {
            TaskPhase::Merging { onto }
            | TaskPhase::Verifying { onto, .. }
            | TaskPhase::Verified { onto, .. }
            | TaskPhase::Moving { onto, .. }
                if onto == provisional =>
            {
                *onto = real.clone();
            }
            TaskPhase::Idle
            | TaskPhase::Working
            | TaskPhase::Queued
            | TaskPhase::Merging { .. }
            | TaskPhase::Verifying { .. }
            | TaskPhase::Verified { .. }
            | TaskPhase::Moving { .. } => {}
        }
    }
}
