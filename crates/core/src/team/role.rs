//! The roles of agents, and what agents report about their turns.

use serde::{Deserialize, Serialize};

worded! {
    /// The role of an agent in a turn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Role {
        /// Makes plans of specifications.
        Planner = "planner",
        /// Looks at the plan before the run: can it be done, what may go wrong.
        PlanReviewer = "plan-reviewer",
        /// Finds conflicts between tasks and the order that resolves them.
        Integrator = "integrator",
        /// Writes the failing test.
        TestWriter = "test-writer",
        /// Writes the code.
        Implementer = "implementer",
        /// Repairs what the verifier refused.
        BugHunter = "bug-hunter",
        /// Looks at a change that every gate let pass.
        Reviewer = "reviewer",
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

worded! {
    /// How a turn ended, as reported by the agent or its adapter.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Claim {
        /// It claims to be done.
        #[default]
        Done = "done",
        /// It says that it cannot go on.
        Blocked = "blocked",
        /// It ended with an error.
        Failed = "failed",
        /// It met a rate limit or a quota.
        Limited = "limited",
        /// It was stopped.
        Stopped = "stopped",
    }
}

impl Claim {
    /// Whether it is the ordinary one.
    pub fn is_done(&self) -> bool {
        *self == Claim::Done
    }
}

#[cfg(test)]
mod tests;
