//! The limits of a run; journaled at its start, so that a replay decides the same.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::governor::GovernorRules;
use super::ladder::Ladder;
use super::places::PlaceTable;
use super::routing::Team;
use crate::plan::Tier;
use crate::usage::Usage;

/// The limits of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// How many attempts and verifications at once.
    pub jobs: u32,
    /// The ladder.
    pub ladder: Ladder,
    /// The agent of each tier.
    pub agents: BTreeMap<Tier, String>,
    /// Agents by role.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub team: Team,
    /// The provider behind an agent, if its name differs from the agent's.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub providers: BTreeMap<String, String>,
    /// The limits of providers.
    pub governor: GovernorRules,
    /// How often a reviewer without a verdict is asked again.
    pub unread_reviews: u32,
    /// What this machine has, by names that tasks may ask for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub here: Vec<String>,
    /// Other machines that carry attempts out, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub places: PlaceTable,
    /// The most money to spend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost_usd: Option<f64>,
    /// The most tokens to spend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            jobs: 2,
            ladder: Ladder::default(),
            agents: BTreeMap::new(),
            team: Team::new(),
            providers: BTreeMap::new(),
            governor: GovernorRules::default(),
            unread_reviews: 1,
            here: Vec::new(),
            places: PlaceTable::new(),
            max_cost_usd: None,
            max_tokens: None,
        }
    }
}

impl Settings {
    /// Whether the money or the tokens are used up.
    pub(crate) fn is_spent(&self, spent: &Usage) -> bool {
        let money = self.max_cost_usd.is_some_and(|max| spent.cost_usd.unwrap_or(0.0) >= max);
        let tokens = self.max_tokens.is_some_and(|max| spent.tokens() >= max);
        money || tokens
    }
}

#[cfg(test)]
mod tests;
