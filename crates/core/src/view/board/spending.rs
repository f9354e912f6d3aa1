//! Cost over time: a fold over the turns of agents.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::event::{Millis, Stamped, Usage};

/// The most points of a curve; two neighbours become one when there are more.
const POINTS: usize = 512;

/// Cost over time, folded event by event.
#[derive(Debug, Default)]
pub struct SpendingFold {
    seq: u64,
    points: Vec<CostPoint>,
    /// Every so many turns make a point.
    stride: u32,
    pending: u32,
    sum: Usage,
    unpriced: u32,
    by_agent: BTreeMap<String, (u32, Usage)>,
    by_role: BTreeMap<&'static str, (u32, Usage)>,
}

/// What everything had cost at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CostPoint {
    /// When.
    pub at: Millis,
    /// Money so far, where known.
    pub cost_usd: f64,
    /// Tokens so far.
    pub tokens: u64,
}

/// Cost over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CostDoc {
    /// `windlass.cost/1`.
    pub schema: &'static str,
    /// The number of the last event.
    pub seq: u64,
    /// What everything cost.
    pub total: Usage,
    /// Turns of unknown price.
    pub unpriced_turns: u32,
    /// What everything had cost, moment by moment.
    pub points: Vec<CostPoint>,
    /// Turns and usage by agent.
    pub by_agent: Vec<(String, u32, Usage)>,
    /// Turns and usage by the part that was played.
    pub by_role: Vec<(String, u32, Usage)>,
}

impl SpendingFold {
    /// The number of the last event that was taken in.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Takes in an event.
    pub fn apply(&mut self, stamped: &Stamped) {
        self.seq = stamped.seq;
        if let Some(turn) = stamped.event.paid_turn() {
            self.turn(stamped.at, turn.agent, turn.role.as_str(), turn.usage);
        }
    }

    fn turn(&mut self, at: Millis, agent: &str, role: &'static str, usage: &Usage) {
        self.sum.add(usage);
        self.unpriced += u32::from(usage.is_unpriced());
        let add = |(turns, sum): &mut (u32, Usage)| {
            *turns += 1;
            sum.add(usage);
        };
        add(self.by_agent.entry(agent.to_owned()).or_default());
        add(self.by_role.entry(role).or_default());
        self.pending += 1;
        if self.pending >= self.stride.max(1) {
            self.pending = 0;
            self.points.push(self.point(at));
        }
        if self.points.len() > POINTS {
            let mut n = 0;
            self.points.retain(|_| {
                n += 1;
                n % 2 == 0
            });
            self.stride = self.stride.max(1) * 2;
        }
    }

    fn point(&self, at: Millis) -> CostPoint {
        CostPoint { at, cost_usd: self.sum.cost_usd.unwrap_or(0.0), tokens: self.sum.tokens() }
    }

    /// The curve until a moment.
    pub fn doc(&self, until: Millis) -> CostDoc {
        let mut points = self.points.clone();
        if !points.is_empty() {
            points.push(self.point(until));
        }
        let named = |(name, (turns, usage)): (String, (u32, Usage))| (name, turns, usage);
        let roles = self.by_role.iter().map(|(role, spent)| ((*role).to_owned(), *spent));
        CostDoc {
            schema: "windlass.cost/1",
            seq: self.seq,
            total: self.sum,
            unpriced_turns: self.unpriced,
            points,
            by_agent: self.by_agent.clone().into_iter().map(named).collect(),
            by_role: roles.map(named).collect(),
        }
    }
}
