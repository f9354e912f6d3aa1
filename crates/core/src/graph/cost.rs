//! What a task is expected to take, and the pools it draws on.

use std::collections::BTreeMap;

use super::{Pool, PoolIx, SealOptions};
use crate::diagnostic::{Diagnostic, Severity};
use crate::plan::{Complexity, Task, Tier};

/// The longest estimate that is believed: 30 days.
const LONGEST: f64 = 30.0 * 24.0 * 60.0;

/// Seconds a task is expected to take: its estimate, else its size, else a quarter of an hour.
pub(super) fn seconds(task: &Task) -> u64 {
    let by_size = match task.complexity {
        Some(Complexity::Trivial) => 5.0,
        Some(Complexity::Simple) => 10.0,
        Some(Complexity::Medium) => 20.0,
        Some(Complexity::Complex) => 40.0,
        None => 15.0,
    };
    let minutes = task.estimate_minutes.filter(|m| m.is_finite() && *m > 0.0).unwrap_or(by_size);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 30 days")]
    let seconds = (minutes.min(LONGEST) * 60.0).round().max(1.0) as u64;
    seconds
}

/// The pools of a plan, made as tasks ask for them.
#[derive(Debug, Default)]
pub(super) struct Pools {
    pub(super) list: Vec<Pool>,
    pub(super) of_tier: BTreeMap<Tier, PoolIx>,
    named: BTreeMap<String, PoolIx>,
}

impl Pools {
    /// A pool for every limited tier; a tier's pool exists even if no task asks for it, since a task may move up.
    pub(super) fn new(options: &SealOptions<'_>, out: &mut Vec<Diagnostic>) -> Pools {
        let mut pools = Pools::default();
        for (tier, depth) in &options.tier_limits {
            let ix = pools.add(format!("tier:{}", tier.as_str()), *depth, out);
            pools.of_tier.insert(*tier, ix);
        }
        pools
    }

    /// The pools a task draws on.
    pub(super) fn of(
        &mut self,
        task: &Task,
        options: &SealOptions<'_>,
        out: &mut Vec<Diagnostic>,
    ) -> Vec<PoolIx> {
        let mut wants: Vec<PoolIx> =
            task.tier.and_then(|t| self.of_tier.get(&t)).copied().into_iter().collect();
        for name in &task.resources {
            let known = self.named.get(name).copied();
            let ix = known.unwrap_or_else(|| {
                let ix = self.add(name.clone(), options.pools.get(name).copied().unwrap_or(1), out);
                self.named.insert(name.clone(), ix);
                ix
            });
            wants.push(ix);
        }
        wants.sort_unstable();
        wants.dedup();
        wants
    }

    fn add(&mut self, name: String, depth: u32, out: &mut Vec<Diagnostic>) -> PoolIx {
        if depth == 0 {
            let message = format!("the limit of `{name}` is 0: nothing that needs it can ever run");
            out.push(Diagnostic::new("WL0157", Severity::Error, message).with_help("set it to 1 or more"));
        }
        self.list.push(Pool { name, depth });
        PoolIx::new(self.list.len() - 1)
    }
}
