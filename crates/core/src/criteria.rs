//! Acceptance criteria and the tests that stand for them.
//!
//! A criterion is proved by tests that are linked to it by name, were seen red and are green. Which tests those are is said
//! by the plan, by the test-writer's answer or by the tests' own names; nothing is proved because its task is merged.

use serde::{Deserialize, Serialize};

use crate::plan::{Criterion, Plan, Task};

worded! {
    /// How a criterion stands.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Standing {
        /// Tests that stand for it are green, and one of them was red before and was seen to bite.
        Proved = "proved",
        /// It was true before the task: tests that stand for it passed already, and notice when the code is wrong.
        Held = "held",
        /// Its task is merged, and no test is known to stand for it.
        Merged = "merged",
        /// Its task is not merged, or no task serves it.
        Open = "open",
    }
}

worded! {
    /// What says that a test stands for a criterion.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum LinkSource {
        /// The plan names the test, or the test contains the assertion that the plan gives the criterion.
        Plan = "the plan",
        /// The answer of the agent that wrote the test.
        Answer = "the test-writer's answer",
        /// The name of the test contains the id of the criterion.
        Name = "the test's name",
        /// It is the only criterion of its task.
        OnlyCriterion = "the only criterion of its task",
    }
}

worded! {
    /// Whether a test was seen to fail when it must.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Bite {
        /// It passed although it had to fail.
        No = "no",
        /// It was not tried, or could not be.
        #[default]
        Unknown = "unknown",
        /// It failed when the code or its expectation was made wrong.
        Yes = "yes",
    }
}

impl Bite {
    /// Whether nothing is known.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn is_unknown(&self) -> bool {
        *self == Bite::Unknown
    }
}

/// The tests that stand for one criterion of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriterionLink {
    /// The criterion, by its key in the task.
    pub criterion: String,
    /// The tests, by name.
    pub tests: Vec<String>,
    /// What says so.
    pub by: LinkSource,
}

/// One criterion of a task, how it stands, and by which tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriterionProof {
    /// The criterion, by its key in the task.
    pub criterion: String,
    /// How it stands.
    pub standing: Standing,
    /// The tests that stand for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// What says that they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<LinkSource>,
    /// Whether they bite: the best of them.
    #[serde(default, skip_serializing_if = "Bite::is_unknown")]
    pub bites: Bite,
}

impl CriterionProof {
    /// A criterion of a task that is not merged.
    pub fn open(criterion: String) -> Self {
        Self { criterion, standing: Standing::Open, tests: Vec::new(), by: None, bites: Bite::Unknown }
    }
}

/// What is known of a test on the merged tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestFacts {
    /// Whether it failed before the work.
    pub was_red: bool,
    /// Whether it passes on the merged tree.
    pub is_green: bool,
    /// Whether it bites.
    pub bites: Bite,
}

/// How the criterion of a merged task stands, by the tests that are linked to it. `facts` is `None` for a test that did
/// not run.
pub fn stand(
    criterion: &str,
    link: Option<&CriterionLink>,
    facts: &dyn Fn(&str) -> Option<TestFacts>,
) -> CriterionProof {
    let merged = CriterionProof { standing: Standing::Merged, ..CriterionProof::open(criterion.to_owned()) };
    let Some(link) = link else { return merged };
    let known: Vec<Option<TestFacts>> = link.tests.iter().map(|test| facts(test)).collect();
    if known.is_empty() || !known.iter().all(|facts| facts.is_some_and(|f| f.is_green)) {
        return merged;
    }
    let known: Vec<TestFacts> = known.into_iter().flatten().collect();
    let bites = known.iter().map(|f| f.bites).max().unwrap_or_default();
    let standing = if known.iter().any(|f| f.was_red && f.bites == Bite::Yes) {
        Standing::Proved
    } else if known.iter().any(|f| !f.was_red && f.bites == Bite::Yes) {
        Standing::Held
    } else {
        Standing::Merged
    };
    CriterionProof { standing, tests: link.tests.clone(), by: Some(link.by), bites, ..merged }
}

/// The criteria that a task serves: its own, and those that it only traces to. Each has a key: its id, or `#n`.
pub fn criteria_of(plan: &Plan, task: &Task) -> Vec<Criterion> {
    let mut own = task.criteria.clone();
    let mut traced: Vec<&String> = task.traces_to.criteria.iter().collect();
    if own.len() == traced.len() && own.iter().all(|c| c.id.is_empty()) {
        for (criterion, id) in own.iter_mut().zip(traced.drain(..)) {
            criterion.id.clone_from(id);
        }
    }
    for (n, criterion) in own.iter_mut().enumerate() {
        if criterion.id.is_empty() {
            criterion.id = format!("#{}", n + 1);
        }
    }
    for id in traced {
        if own.iter().all(|c| c.id != *id) {
            own.push(said_of(plan, id));
        }
    }
    own
}

/// A criterion of the specification by its id, with its text if a document or another task gives one.
fn said_of(plan: &Plan, id: &str) -> Criterion {
    let all = plan.criteria.iter().chain(plan.tasks.iter().flat_map(|t| &t.criteria));
    let text = all.filter(|c| c.id == id).map(|c| c.text.clone()).find(|text| !text.is_empty());
    Criterion { id: id.to_owned(), text: text.unwrap_or_default(), ..Criterion::default() }
}

#[cfg(test)]
mod tests;
