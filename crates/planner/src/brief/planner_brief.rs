//! The brief of a planner: the draft, the documents, the schema, and the findings about its last answer.

use serde::Serialize;

use super::{BriefError, Manner, PlannedTask, closing_fence, write};

const TEMPLATE: &str = include_str!("planner.md.j2");

/// A document the plan is made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanDocument {
    /// Its name, or its path in the planner's directory.
    pub path: String,
    /// Its text; empty if the planner reads the file itself.
    pub text: String,
    /// A fence that the text cannot close.
    fence: String,
}

impl PlanDocument {
    /// A document with its text, or without where the planner reads the file itself.
    pub fn new(path: String, text: String) -> PlanDocument {
        let fence = closing_fence(&text);
        PlanDocument { path, text, fence }
    }
}

/// The input of a planner's brief.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannerBrief {
    /// Whether the planner works with files or with a single answer.
    pub manner: Manner,
    /// The plan's name.
    pub name: String,
    /// The profile whose rules it must pass.
    pub profile: String,
    /// The tasks of the draft, summarised.
    pub tasks: Vec<PlannedTask>,
    /// The documents.
    pub documents: Vec<PlanDocument>,
    /// The draft as JSON, or its path.
    pub draft: String,
    /// The JSON Schema, or its path.
    pub schema: String,
    /// The open questions of the draft.
    pub open: Vec<String>,
    /// The findings about the last answer.
    pub findings: Vec<String>,
}

/// Renders the brief.
pub fn render_planner(brief: &PlannerBrief) -> Result<String, BriefError> {
    write(TEMPLATE, brief)
}

/// The message to a planner that continues its conversation: only the findings.
pub fn render_planner_again(manner: Manner, draft: &str, findings: &[String]) -> String {
    let mut text = "The plan was rejected:\n\n".to_owned();
    for finding in findings {
        text.push_str(&format!("- {finding}\n"));
    }
    text.push_str(match manner {
        Manner::Hands => "\nFix it in ",
        Manner::Answer => "\nAnswer with the whole plan again, corrected, as one JSON object with `tasks`.\n",
    });
    if manner == Manner::Hands {
        text.push_str(&format!("`{draft}`, and change nothing else.\n"));
    }
    text
}

#[cfg(test)]
mod tests;
