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

/// Agents by the part they play, where that is not the tier's agent.
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
    pub fn tier_of(&self, kind: &str) -> Option<Tier> {
        self.types.get(kind).copied().or_else(|| usual_tier(kind))
    }

    /// The tier of a task: its own, its type's, or the middle.
    pub fn tier(&self, task: &Task) -> Tier {
        let by_type = || task.task_type.as_deref().and_then(|kind| self.tier_of(kind));
        task.tier.or_else(by_type).unwrap_or(Tier::Medium)
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
pub fn method_of(task: &Task) -> Option<Method> {
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

impl Settings {
    /// The agents of an attempt on a rung, for a task of a tier that may ask for an agent.
    pub fn cast(&self, tier: Tier, wanted: Option<&str>, rung: Rung) -> Cast {
        let (tier, role) = match rung {
            Rung::TierUp(_) => (tier.up().unwrap_or(tier), Role::Implementer),
            Rung::BugHunter(_) => (tier, Role::BugHunter),
            Rung::First | Rung::SameAgent(_) | Rung::FreshAgent(_) => (tier, Role::Implementer),
        };
        let own = self.team.get(&role).map(String::as_str);
        // What a task asks for says more than the team's implementer does; other parts are the team's own.
        let chosen = if role == Role::Implementer { wanted.or(own) } else { own.or(wanted) };
        let agent = chosen.or_else(|| self.agents.get(&tier).map(String::as_str)).unwrap_or("mechanical");
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
mod tests {
    use super::*;
    use crate::plan::TddCycle;

    #[test]
    fn a_type_leads_to_a_tier_and_the_user_has_the_last_word() {
        let mut routing = Routing::default();
        let task = |kind: &str, tier| Task { task_type: Some(kind.into()), tier, ..Task::default() };
        let table = [
            ("add_field", None, Tier::Small),
            ("create_service", None, Tier::Medium),
            ("architectural", None, Tier::Large),
            ("never_heard_of", None, Tier::Medium),
            ("add_field", Some(Tier::Large), Tier::Large),
        ];
        for (kind, tier, expected) in table {
            assert_eq!(routing.tier(&task(kind, tier)), expected, "{kind}");
        }
        routing.types.insert("add_field".into(), Tier::Medium);
        assert_eq!(routing.tier(&task("add_field", None)), Tier::Medium);
    }

    #[test]
    fn hybrid_tasks_are_decided_by_their_size() {
        let task = |tests: u32, files: usize| {
            let mut task = Task { method: Some(Method::Hybrid), ..Task::default() };
            task.tdd_cycles = vec![TddCycle { test_count: Some(tests), ..TddCycle::default() }];
            task.files.create = (0..files).map(|n| format!("f{n}")).collect();
            task
        };
        let routing = Routing { cli: Some("codex".into()), ..Routing::default() };
        let table = [(5, 3, None), (6, 3, Some("codex")), (5, 4, Some("codex")), (0, 0, None)];
        for (tests, files, expected) in table {
            assert_eq!(routing.wanted(&task(tests, files)), expected, "{tests} tests, {files} files");
        }
        let named = Task { agent: Some("qwen".into()), ..task(9, 9) };
        assert_eq!(routing.wanted(&named), Some("qwen"));
        let stated = Task { method: Some(Method::Agent), ..named };
        assert_eq!(routing.wanted(&stated), None, "the tier's agent was asked for");
    }

    #[test]
    fn parts_have_agents_of_their_own() {
        let agents = [(Tier::Small, "s".to_owned()), (Tier::Medium, "m".to_owned())].into();
        let mut settings = Settings { agents, ..Settings::default() };
        let who = |settings: &Settings, wanted, rung| {
            let cast = settings.cast(Tier::Small, wanted, rung);
            (cast.agent, cast.test_writer)
        };
        assert_eq!(who(&settings, None, Rung::First), ("s".into(), None));
        assert_eq!(who(&settings, None, Rung::TierUp(1)), ("m".into(), None));
        assert_eq!(who(&settings, Some("x"), Rung::TierUp(1)), ("x".into(), None));
        settings.team.insert(Role::BugHunter, "hunter".into());
        settings.team.insert(Role::TestWriter, "tester".into());
        assert_eq!(who(&settings, Some("x"), Rung::BugHunter(1)), ("hunter".into(), Some("tester".into())));
        assert_eq!(who(&settings, Some("tester"), Rung::First), ("tester".into(), None));
        settings.team.insert(Role::Implementer, "i".into());
        assert_eq!(who(&settings, None, Rung::First).0, "i");
        assert_eq!(who(&settings, Some("x"), Rung::First).0, "x");
    }
}
