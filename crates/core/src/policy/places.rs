//! What is known of machines before a run: how many attempts each carries at once, and what it has.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::settings::Settings;

/// What a task needs that must not leave this machine. Only this machine has it.
pub const HERE: &str = "here";

/// Processors by the names that a task may need one by; the first of a row is what a machine calls itself.
const ARCHITECTURES: &[&[&str]] = &[
    &["x86_64", "amd64", "x86-64", "x64"],
    &["aarch64", "arm64"],
    &["arm"],
    &["x86", "i686", "i386"],
    &["riscv64", "riscv64gc"],
    &["powerpc64", "ppc64le"],
    &["s390x"],
    &["loongarch64"],
];

/// Whether a word that a task needs names a processor.
pub fn is_architecture(need: &str) -> bool {
    ARCHITECTURES.iter().any(|names| names.contains(&need))
}

/// What a machine with this processor has, by names that tasks may need.
pub fn architecture_labels(arch: &str) -> Vec<String> {
    let known = ARCHITECTURES.iter().find(|names| names.contains(&arch));
    known.map_or_else(|| vec![arch.to_owned()], |names| names.iter().map(|&name| name.to_owned()).collect())
}

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
    /// Whether this machine has everything that a task asks for.
    pub fn has_here(&self, needs: &[String]) -> bool {
        needs.iter().all(|need| need == HERE || self.here.contains(need))
    }

    /// How many attempts run at once, all places together.
    pub fn all_slots(&self) -> u32 {
        self.places.values().fold(self.jobs, |sum, place| sum.saturating_add(place.slots))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_processor_leads_to_the_same_machines() {
        assert!(is_architecture("arm64") && is_architecture("aarch64") && !is_architecture("gpu"));
        assert!(!is_architecture(HERE));
        assert_eq!(architecture_labels("arm64"), architecture_labels("aarch64"));
        // What this program calls its own processor is known, or stands for itself.
        assert!(
            architecture_labels(std::env::consts::ARCH).iter().any(|name| name == std::env::consts::ARCH)
        );
        assert_eq!(architecture_labels("vax"), ["vax"]);
    }

    #[test]
    fn this_machine_has_what_is_said_of_it_and_what_must_stay_here() {
        let here = Settings { here: architecture_labels("x86_64"), ..Settings::default() };
        let needs = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        for (words, has) in [
            (&[][..], true),
            (&["here"], true),
            (&["amd64", "here"], true),
            (&["gpu"], false),
            (&["here", "arm64"], false),
        ] {
            assert_eq!(here.has_here(&needs(words)), has, "{words:?}");
        }
    }
}
