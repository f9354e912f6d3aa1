//! What a planner is told: the draft, the documents, the shape of a plan, and what was wrong with its last answer.

use serde::Serialize;

use super::{BriefError, Manner, PlannedTask, write};

const TEMPLATE: &str = include_str!("planner.md.j2");

/// A document the plan is made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanDocument {
    /// Its name, or where it lies in the planner's directory.
    pub path: String,
    /// What it says; empty where the planner opens it itself.
    pub text: String,
}

/// A draft to be improved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannerBrief {
    /// How the planner works: with files in a directory, or with one answer.
    pub manner: Manner,
    /// The plan's name.
    pub name: String,
    /// The rules it must pass.
    pub profile: String,
    /// The tasks of the draft in a few lines each.
    pub tasks: Vec<PlannedTask>,
    /// The documents.
    pub documents: Vec<PlanDocument>,
    /// The draft as JSON: where it lies, or all of it.
    pub draft: String,
    /// The JSON Schema: where it lies, or all of it.
    pub schema: String,
    /// What the draft itself leaves open.
    pub open: Vec<String>,
    /// What was wrong with the last answer.
    pub findings: Vec<String>,
}

/// Writes the brief.
pub fn render_planner(brief: &PlannerBrief) -> Result<String, BriefError> {
    write(TEMPLATE, brief)
}

/// What a planner is told that goes on with its own conversation: only what was wrong.
pub fn render_planner_again(manner: Manner, draft: &str, findings: &[String]) -> String {
    let mut text = "The plan cannot be taken as it is:\n\n".to_owned();
    for finding in findings {
        text.push_str(&format!("- {finding}\n"));
    }
    text.push_str(match manner {
        Manner::Hands => "\nMend it in ",
        Manner::Answer => "\nAnswer with the whole plan again, mended, as one JSON object with `tasks`.\n",
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
