//! Packs what the run has written, now and then and beside everything else.

use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use crate::context::Context;
use crate::git::OwnPacks;

/// After so many merges.
const EVERY: usize = 250;

/// Counts merges, and packs after every `EVERY` of them. Only speed and room on the disk depend on it: what fails is tried again
/// the next time.
#[derive(Debug, Default)]
pub(super) struct Packing {
    merged: usize,
    packs: OwnPacks,
    at_work: Option<JoinHandle<OwnPacks>>,
}

impl Packing {
    /// Counts a merge.
    pub(super) fn after_merge(&mut self, ctx: &Arc<Context>) {
        self.merged += 1;
        if self.merged < EVERY || self.at_work.as_ref().is_some_and(|worker| !worker.is_finished()) {
            return;
        }
        self.merged = 0;
        self.join();
        let (ctx, mut packs) = (Arc::clone(ctx), std::mem::take(&mut self.packs));
        let work = move || {
            let own = format!("refs/windlass/{}/", ctx.name);
            let branch = format!("refs/heads/{}", ctx.branch);
            let _ = ctx.repo.pack_loose(&[&own, &branch], &mut packs);
            let _ = ctx.repo.pack_refs(&own);
            packs
        };
        self.at_work = Builder::new().name("packing".into()).spawn(work).ok();
    }

    fn join(&mut self) {
        if let Some(packs) = self.at_work.take().and_then(|worker| worker.join().ok()) {
            self.packs = packs;
        }
    }
}

impl Drop for Packing {
    fn drop(&mut self) {
        self.join();
    }
}
