//! The brief of a planner: the draft, the documents, the schema, and the findings about its last answer.

use serde::Serialize;

use super::{BriefError, Manner, PlannedTask, write};

const TEMPLATE: &str = include_str!("planner.md.j2");

/// A document the plan is made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanDocument {
    /// Its name, or its path in the planner's directory.
    pub path: String,
    /// Its text; empty if the planner reads the file itself.
    pub text: String,
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
mod tests {
    use super::*;

    fn brief(manner: Manner) -> PlannerBrief {
        let task = PlannedTask {
            id: "T-1".into(),
            title: "Cart".into(),
            objective: String::new(),
            after: vec!["T-0".into()],
            files: vec!["src/cart.py".into()],
            criteria: vec!["holds 50 lines".into()],
        };
        PlannerBrief {
            manner,
            name: "shop".into(),
            profile: "default".into(),
            tasks: vec![task],
            documents: vec![PlanDocument { path: "docs/PRD.md".into(), text: "# PRD".into() }],
            draft: "windlass-plan/plan.json".into(),
            schema: "{}".into(),
            open: vec!["AC-9 has no task".into()],
            findings: Vec::new(),
        }
    }

    #[test]
    fn whoever_has_hands_is_told_where_things_lie_and_whoever_has_none_gets_them() {
        let hands = render_planner(&brief(Manner::Hands)).unwrap();
        assert!(hands.contains("`docs/PRD.md`") && !hands.contains("# PRD"), "{hands}");
        assert!(hands.contains("### T-1: Cart") && hands.contains("AC-9 has no task"), "{hands}");
        let answer = render_planner(&brief(Manner::Answer)).unwrap();
        assert!(answer.contains("# PRD") && answer.contains("keep_draft"), "{answer}");
        let again =
            render_planner(&PlannerBrief { findings: vec!["no".into()], ..brief(Manner::Hands) }).unwrap();
        assert!(again.contains("What was wrong before") && !hands.contains("What was wrong before"));
    }

    #[test]
    fn a_conversation_is_told_only_what_was_wrong() {
        let findings = ["criterion `AC-1` has no task".to_owned()];
        let said = render_planner_again(Manner::Hands, "p/plan.json", &findings);
        assert!(
            said.contains("- criterion `AC-1`")
                && said.ends_with("`p/plan.json`, and change nothing else.\n"),
            "{said}"
        );
        assert!(render_planner_again(Manner::Answer, "", &findings).contains("one JSON object"));
    }
}
