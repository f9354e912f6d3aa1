//! What is known of other machines before a run: how many attempts each carries at once, and what it has.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::settings::Settings;

/// A place besides this machine; journaled with the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlaceRules {
    /// How many attempts and verifications at once.
    pub slots: u32,
    /// What it has, by names that tasks may ask for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Whether the user trusts it with verifications.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub verify: bool,
}

/// Places by name.
pub type PlaceTable = BTreeMap<String, PlaceRules>;

impl PlaceRules {
    /// Whether it has everything that a task asks for.
    pub fn has(&self, needs: &[String]) -> bool {
        needs.iter().all(|need| self.labels.contains(need))
    }
}

impl Settings {
    /// How many attempts run at once, all places together.
    pub fn all_slots(&self) -> u32 {
        self.places.values().fold(self.jobs, |sum, place| sum.saturating_add(place.slots))
    }
}
