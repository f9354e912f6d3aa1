//! The roles of agents, and what agents report about their turns.

use serde::{Deserialize, Serialize};

/// The role of an agent in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Makes plans of specifications.
    Planner,
    /// Looks at the plan before the run: can it be done, what may go wrong.
    PlanReviewer,
    /// Finds conflicts between tasks and the order that resolves them.
    Integrator,
    /// Writes the failing test.
    TestWriter,
    /// Writes the code.
    Implementer,
    /// Repairs what the verifier refused.
    BugHunter,
    /// Looks at a change that every gate let pass.
    Reviewer,
}

impl Role {
    /// Its name for people and in `[team]`.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Planner => "planner",
            Role::PlanReviewer => "plan-reviewer",
            Role::Integrator => "integrator",
            Role::TestWriter => "test-writer",
            Role::Implementer => "implementer",
            Role::BugHunter => "bug-hunter",
            Role::Reviewer => "reviewer",
        }
    }
}

impl Role {
    /// Whether it works on a task itself, and does not only judge it or order it.
    pub fn does_work(self) -> bool {
        match self {
            Role::TestWriter | Role::Implementer | Role::BugHunter => true,
            Role::Planner | Role::PlanReviewer | Role::Integrator | Role::Reviewer => false,
        }
    }
}

/// How a turn ended, as reported by the agent or its adapter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// It claims to be done.
    #[default]
    Done,
    /// It says that it cannot go on.
    Blocked,
    /// It ended with an error.
    Failed,
    /// It met a rate limit or a quota.
    Limited,
    /// It was stopped.
    Stopped,
}

impl Claim {
    /// Its name in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Claim::Done => "done",
            Claim::Blocked => "blocked",
            Claim::Failed => "failed",
            Claim::Limited => "limited",
            Claim::Stopped => "stopped",
        }
    }

    /// Whether it is the ordinary one.
    pub fn is_done(&self) -> bool {
        *self == Claim::Done
    }
}

#[cfg(test)]
mod tests;
