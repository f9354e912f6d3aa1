//! What a planner answered, wherever it put it, and whether it may take the draft's place.

use std::collections::BTreeSet;

use serde_json::Value;
use windlass_code::detect::is_test_path;
use windlass_core::plan::Plan;
use windlass_core::team::{PlanAnswer, find_plan, losses, overlay, plan_of};
use windlass_planner::derive::refresh;

use super::agent::Improving;
use super::deliver::errors;

/// How many findings are sent back at once: fixing the first ones often fixes the rest.
const SENT: usize = 40;

/// The answer: a structured one, the file with the draft where it was changed, or what stands in its words.
pub(super) fn answer_of(
    answer: Option<Value>,
    file: Option<String>,
    words: &str,
) -> Result<PlanAnswer, Vec<String>> {
    if let Some(found) = answer.and_then(plan_of) {
        return Ok(found);
    }
    let Some(file) = file else { return find_plan(words).map_err(|why| vec![why]) };
    match serde_json::from_str::<Value>(&file) {
        Ok(value) => plan_of(value).ok_or_else(|| vec!["the file has no list `tasks`".to_owned()]),
        Err(error) => Err(vec![format!("the file is not valid JSON: {error}")]),
    }
}

/// What an answer must pass: the draft's own rules, and the draft itself.
pub(super) struct Checks<'a> {
    of: &'a Improving<'a>,
    draft: &'a Plan,
    /// Files that the documents name.
    stated: BTreeSet<String>,
    /// What the draft itself cannot do better.
    known: BTreeSet<String>,
}

impl<'a> Checks<'a> {
    pub(super) fn of(of: &'a Improving<'a>, draft: &'a Plan) -> Self {
        let components = of.spec.components.iter().flat_map(|c| c.files.iter().cloned());
        let stated = of.spec.files.iter().map(|row| row.path.clone()).chain(components).collect();
        let known = errors(draft, of.request, of.configuration).into_iter().map(|d| d.message).collect();
        Self { of, draft, stated, known }
    }

    /// The plan that an answer comes to, or everything that is wrong with it.
    pub(super) fn judge(&self, answer: &Value) -> Result<Plan, Vec<String>> {
        let of = self.of;
        let mut plan = overlay(self.draft, answer)?;
        refresh(&mut plan, self.draft, of.repository, of.options);
        let mut wrong = losses(self.draft, &plan, &self.stated, &is_test_path);
        let found = errors(&plan, of.request, of.configuration);
        for finding in found.into_iter().filter(|d| !self.known.contains(&d.message)) {
            let help = finding.help.map(|h| format!("; {h}")).unwrap_or_default();
            wrong.push(format!("{}: {}{help}", finding.code, finding.message));
        }
        wrong.truncate(SENT);
        if wrong.is_empty() { Ok(plan) } else { Err(wrong) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_most_deliberate_answer_counts() {
        let plan = |id: &str| json!({"tasks": [{"id": id}]});
        let id = |answer: Result<PlanAnswer, Vec<String>>| match answer {
            Ok(PlanAnswer::Plan(value)) => value["tasks"][0]["id"].as_str().unwrap_or("").to_owned(),
            other => format!("{other:?}"),
        };
        let words = plan("words").to_string();
        let file = || Some(plan("file").to_string());
        assert_eq!(id(answer_of(Some(plan("answer")), file(), &words)), "answer");
        assert_eq!(id(answer_of(Some(json!({"note": 1})), file(), &words)), "file");
        assert_eq!(id(answer_of(None, None, &words)), "words");
        assert!(
            answer_of(None, Some("{".into()), &words).is_err(),
            "a file that was spoilt is no reason to look elsewhere"
        );
        assert!(answer_of(None, None, "done!").is_err());
    }
}
