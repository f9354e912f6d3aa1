//! Routing: from a task's type to a tier, from a tier and a role to an agent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ladder::Rung;
use super::settings::Settings;
use crate::event::Role;
use crate::plan::{Method, Task, Tier};

/// Types of mechanical work along a pattern.
pub const MECHANICAL: [&str; 7] = [
    "add_field",
    "add_method",
    "add_validation",
    "rename_refactor",
    "add_test",
    "add_config",
    "add_endpoint",
];

/// Types that need decisions, and are usually divided.
pub const DIVISIBLE: [&str; 6] = [
    "create_model",
    "create_service",
    "add_endpoint_complex",
    "create_middleware",
    "bug_fix",
    "integration_test",
];

/// Agents by role, where it is not the tier's agent.
pub type Team = BTreeMap<Role, String>;

/// How tasks find their tier and their agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Routing {
    /// Tiers by type of task, over the usual ones.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub types: BTreeMap<String, Tier>,
    /// The agent of tasks for a command-line tool that name none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cli: Option<String>,
}

impl Routing {
    /// The smallest tier a type of task needs; `None` for unknown types.
    pub(crate) fn tier_of(&self, kind: &str) -> Option<Tier> {
        self.types.get(kind).copied().or_else(|| usual_tier(kind))
    }

    /// The tier of a task: its own, its type's, the smallest for a contract task, or the middle.
    pub fn tier(&self, task: &Task) -> Tier {
        let by_type = || task.task_type.as_deref().and_then(|kind| self.tier_of(kind));
        let by_form = || task.is_contract_task().then_some(Tier::Small);
        task.tier.or_else(by_type).or_else(by_form).unwrap_or(Tier::Medium)
    }

    /// The agent a task asks for, if it does: by name, or as one for a command-line tool.
    pub fn wanted<'a>(&'a self, task: &'a Task) -> Option<&'a str> {
        match method_of(task) {
            Some(Method::Agent) => None,
            Some(Method::Cli | Method::Hybrid) => task.agent.as_deref().or(self.cli.as_deref()),
            None => task.agent.as_deref(),
        }
    }
}

/// The usual tier of a type of task.
pub fn usual_tier(kind: &str) -> Option<Tier> {
    if MECHANICAL.contains(&kind) {
        Some(Tier::Small)
    } else if DIVISIBLE.contains(&kind) {
        Some(Tier::Medium)
    } else if kind == "architectural" {
        Some(Tier::Large)
    } else {
        None
    }
}

/// More test cases than this, or more files, make a task one for a command-line tool.
const FEW_TESTS: usize = 5;
const FEW_FILES: usize = 3;

/// How a task is carried out; a hybrid one is decided by its size.
pub(crate) fn method_of(task: &Task) -> Option<Method> {
    match task.method {
        Some(Method::Hybrid) => {
            let (tests, files) = (test_cases(task), task.owned().count());
            Some(if tests <= FEW_TESTS && files <= FEW_FILES { Method::Agent } else { Method::Cli })
        }
        stated => stated,
    }
}

/// How many test cases a task has, where it counts them.
pub fn test_cases(task: &Task) -> usize {
    let cases = |c: &crate::plan::TddCycle| c.test_count.map_or(c.test_cases.len(), |n| n as usize);
    task.tdd_cycles.iter().map(cases).sum()
}

/// The agents of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cast {
    /// The tier.
    pub tier: Tier,
    /// The agent that writes or repairs the code.
    pub agent: String,
    /// The agent that writes the tests, if it is another one.
    pub test_writer: Option<String>,
}

/// The agent that writes what a plan contains: no program, no model. It is taken where nothing else is set.
pub const MECHANICAL_AGENT: &str = "mechanical";

impl Settings {
    /// The agents of an attempt on a rung, for a task of a tier that may ask for an agent.
    pub fn cast(&self, tier: Tier, wanted: Option<&str>, rung: Rung) -> Cast {
        let (tier, role) = match rung {
            Rung::TierUp(_) => (tier.up().unwrap_or(tier), Role::Implementer),
            Rung::BugHunter(_) => (tier, Role::BugHunter),
            Rung::First | Rung::SameAgent(_) | Rung::FreshAgent(_) => (tier, Role::Implementer),
        };
        let own = self.team.get(&role).map(String::as_str);
        // A task's own agent overrides the team's implementer, but not the team's other roles.
        let chosen = if role == Role::Implementer { wanted.or(own) } else { own.or(wanted) };
        let agent = chosen.or_else(|| self.agents.get(&tier).map(String::as_str)).unwrap_or(MECHANICAL_AGENT);
        let test_writer = self.team.get(&Role::TestWriter).filter(|t| *t != agent).cloned();
        Cast { tier, agent: agent.to_owned(), test_writer }
    }

    /// The agent of a role outside attempts.
    pub fn player(&self, role: Role) -> Option<&str> {
        self.team.get(&role).map(String::as_str)
    }

    /// The provider behind an agent: agents of one provider share its limits.
    pub fn provider<'a>(&'a self, agent: &'a str) -> &'a str {
        self.providers.get(agent).map_or(agent, String::as_str)
    }
}

#[cfg(test)]
mod tests;
