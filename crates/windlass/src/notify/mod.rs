//! `[notify]`: tells a person that a run needs them, or is over. A command, an address, the desktop, a bell.
//!
//! Notices are sent by a thread of their own: a run never waits for one, except for a moment at its end.

mod notice;
mod send;

use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use windlass_core::event::{Stamped, Usage};
use windlass_core::view::View;
use windlass_engine::Sink;

use crate::cli::CliError;
use crate::input::Configuration;
use crate::world::World;

use notice::BudgetWatch;
pub(crate) use notice::{Notice, NoticeKind};
pub(crate) use send::NoticeFormat;
use send::{Channels, deliver};

/// How long the end of a run waits for its last notices.
const PATIENCE: Duration = Duration::from_secs(10);

/// What makes notices of events and hands them over.
pub(crate) struct Notices {
    plan: String,
    wanted: Vec<NoticeKind>,
    budget: BudgetWatch,
    world: World,
    to: Option<Sender<Notice>>,
    sender: Option<JoinHandle<Vec<String>>>,
}

impl Notices {
    /// Those that the configuration asks for. What a repository sets counts only if it is trusted.
    pub(crate) fn new(world: &World, configuration: &Configuration, plan: &str) -> Result<Self, CliError> {
        let config = configuration.trusted(world)?;
        let keys = &config.notify;
        let channels = Channels::of(world, keys);
        let mut notices = Self {
            plan: plan.to_owned(),
            wanted: if keys.events.is_empty() { NoticeKind::ALL.to_vec() } else { keys.events.clone() },
            budget: BudgetWatch::default(),
            world: world.clone(),
            to: None,
            sender: None,
        };
        if !channels.is_empty() {
            let (to, from) = channel::<Notice>();
            let work = move || from.iter().filter_map(|notice| deliver(&channels, &notice).err()).collect();
            notices.sender = std::thread::Builder::new().name("notices".into()).spawn(work).ok();
            notices.to = Some(to);
        }
        Ok(notices)
    }
}

impl Sink for Notices {
    fn on_event(&mut self, stamped: &Stamped, view: &View) {
        let Some(to) = &self.to else { return };
        let budget = self.budget.on_event(stamped);
        for mut notice in notice::notices_of_event(stamped, view).into_iter().chain(budget) {
            if self.wanted.contains(&notice.event) {
                notice.plan.clone_from(&self.plan);
                // The thread is gone only if it panicked; a run goes on without notices.
                let _ = to.send(notice);
            }
        }
    }
}

impl Drop for Notices {
    fn drop(&mut self) {
        drop(self.to.take());
        let Some(sender) = self.sender.take() else { return };
        let begun = Instant::now();
        while !sender.is_finished() && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(20));
        }
        if !sender.is_finished() {
            self.world.tell("note: notices were still being sent when the run ended\n");
            return;
        }
        let failed = sender.join().unwrap_or_default();
        if let Some(first) = failed.first() {
            let n = crate::render::counted(failed.len(), "notice");
            self.world.tell(&format!("note: {n} could not be sent: {first}\n"));
        }
    }
}

/// The share of a budget that is used, in percent.
fn percent(used: &Usage, max_cost: Option<f64>, max_tokens: Option<u64>) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a share in percent")]
    let tokens = max_tokens.map_or(0.0, |max| used.tokens() as f64 / max.max(1) as f64);
    let money = max_cost.filter(|max| *max > 0.0).map_or(0.0, |max| used.cost_usd.unwrap_or_default() / max);
    100.0 * tokens.max(money)
}

#[cfg(test)]
mod tests;
