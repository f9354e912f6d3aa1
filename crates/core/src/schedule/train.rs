//! The merge train: where each car should stand, and which cars stand wrong.

use super::slate::{Phase, Scheduler};
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
    /// shares, so it stands right on the real one.
    pub(super) fn couple(&mut self, provisional: &Oid, real: &Oid) {
        let Some(next) = self.train.first().copied() else { return };
        match &mut self.tasks[next].phase {
            Phase::Merging { onto }
            | Phase::Verifying { onto, .. }
            | Phase::Verified { onto, .. }
            | Phase::Moving { onto, .. }
                if onto == provisional =>
            {
                *onto = real.clone();
            }
            Phase::Idle
            | Phase::Working
            | Phase::Queued
            | Phase::Merging { .. }
            | Phase::Verifying { .. }
            | Phase::Verified { .. }
            | Phase::Moving { .. } => {}
        }
    }
}
