//! The detail of steps, and less detail for familiar code.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use windlass_core::path_text::dir_of;
use windlass_core::plan::Task;
use windlass_core::worded;

worded! {
    /// How detailed the steps of a task are.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum StepDetail {
        /// No steps: the mode's template applies. ZERG calls it `standard`.
        Low = "low",
        /// Steps with files and commands.
        #[default]
        Medium = "medium",
        /// Steps with files, commands and snippets.
        High = "high",
    }
}

impl StepDetail {
    /// The level with this name.
    pub fn parse(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "low" | "standard" => Some(Self::Low),
            "medium" => Some(Self::Medium),
            "high" => Some(Self::High),
            _ => None,
        }
    }

    /// One level less; the lowest stays.
    pub fn down(self) -> Self {
        match self {
            Self::High => Self::Medium,
            Self::Medium | Self::Low => Self::Low,
        }
    }
}

/// Results of earlier runs by file and directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// The number of merged tasks per file.
    touched: BTreeMap<String, u32>,
    /// Per directory, the number of merged and of finished tasks.
    areas: BTreeMap<String, (u32, u32)>,
}

impl History {
    /// Adds a finished task.
    pub fn add<'a>(&mut self, files: impl IntoIterator<Item = &'a str>, end: TaskEnd) {
        let mut areas: Vec<&str> = Vec::new();
        for file in files {
            if end == TaskEnd::Merged {
                *self.touched.entry(file.to_owned()).or_default() += 1;
            }
            let area = area_of(file);
            if !areas.contains(&area) {
                areas.push(area);
            }
        }
        for area in areas {
            let counts = self.areas.entry(area.to_owned()).or_default();
            counts.0 += u32::from(end == TaskEnd::Merged);
            counts.1 += 1;
        }
    }

    /// Whether no task was added.
    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }
}

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskEnd {
    /// Merged into the branch.
    Merged,
    /// Failed or blocked.
    Failed,
}

/// When code counts as familiar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adaptive {
    /// The number of merged tasks that makes a file familiar.
    pub familiar: u32,
    /// The share of merged tasks, from 0 to 1, that makes a directory familiar.
    pub success: f64,
}

impl Default for Adaptive {
    fn default() -> Self {
        Self { familiar: 3, success: 0.8 }
    }
}

/// The detail for a task: one level less if one of its files or their directories is familiar.
pub(crate) fn adapted(wanted: StepDetail, task: &Task, history: &History, rule: Adaptive) -> StepDetail {
    let familiar = |file: &str| {
        let touched = history.touched.get(file).copied().unwrap_or_default() >= rule.familiar;
        let area = history.areas.get(area_of(file));
        touched || area.is_some_and(|(merged, all)| f64::from(*merged) >= rule.success * f64::from(*all))
    };
    if task.owned().any(familiar) { wanted.down() } else { wanted }
}

fn area_of(file: &str) -> &str {
    dir_of(file)
}

#[cfg(test)]
mod tests;
