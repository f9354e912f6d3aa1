//! How much a task's steps say, and when less is enough.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use windlass_core::plan::Task;

/// How much the steps of a task say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepDetail {
    /// No steps: the mode's template is used as it is. ZERG calls it `standard`.
    Low,
    /// Steps with files and commands.
    #[default]
    Medium,
    /// Snippets too.
    High,
}

impl StepDetail {
    /// Reads a name.
    pub fn parse(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "low" | "standard" => Some(Self::Low),
            "medium" => Some(Self::Medium),
            "high" => Some(Self::High),
            _ => None,
        }
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
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

/// What earlier runs tell about files and areas.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// How many merged tasks touched a file.
    touched: BTreeMap<String, u32>,
    /// Per directory: tasks that were merged, and tasks that ended at all.
    areas: BTreeMap<String, (u32, u32)>,
}

impl History {
    /// Adds a task that ended: its files, and whether it was merged or failed.
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

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }
}

/// How a task ended, as far as familiarity is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskEnd {
    /// It is in the branch.
    Merged,
    /// It failed, or waits for a person.
    Failed,
}

/// When less detail is enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adaptive {
    /// A file touched so often is familiar.
    pub familiar: u32,
    /// An area with this share of success, from 0 to 1, is familiar.
    pub success: f64,
}

impl Default for Adaptive {
    fn default() -> Self {
        Self { familiar: 3, success: 0.8 }
    }
}

/// The detail for a task: one level less where one of its files, or the directory of one, is familiar.
pub fn adapted(wanted: StepDetail, task: &Task, history: &History, rule: Adaptive) -> StepDetail {
    let familiar = |file: &str| {
        let touched = history.touched.get(file).copied().unwrap_or_default() >= rule.familiar;
        let area = history.areas.get(area_of(file));
        touched || area.is_some_and(|(merged, all)| f64::from(*merged) >= rule.success * f64::from(*all))
    };
    if task.owned().any(familiar) { wanted.down() } else { wanted }
}

fn area_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(dir, _)| dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(file: &str) -> Task {
        let mut task = Task::default();
        task.files.create.push(file.to_owned());
        task
    }

    #[test]
    fn familiarity_takes_one_level_off() {
        let mut history = History::default();
        for _ in 0..3 {
            history.add(["src/a/x.rs"], TaskEnd::Merged);
        }
        history.add(["src/a/y.rs", "src/a/z.rs"], TaskEnd::Failed);
        for _ in 0..4 {
            history.add(["src/b/x.rs"], TaskEnd::Failed);
        }
        history.add(["src/c/x.rs"], TaskEnd::Merged);
        let rule = Adaptive::default();
        let table = [
            ("src/a/x.rs", StepDetail::High, StepDetail::Medium),
            ("src/a/new.rs", StepDetail::High, StepDetail::High),
            ("src/b/new.rs", StepDetail::Medium, StepDetail::Medium),
            ("src/c/new.rs", StepDetail::Medium, StepDetail::Low),
            ("src/c/new.rs", StepDetail::Low, StepDetail::Low),
            ("elsewhere.rs", StepDetail::High, StepDetail::High),
        ];
        for (file, wanted, expected) in table {
            assert_eq!(adapted(wanted, &task(file), &history, rule), expected, "{file}");
        }
    }
}
