//! Test assertions for criteria of a known form, in the project's test framework.

use crate::lint::Profile;
use crate::lint::outcome::{self, ExpectedOutcome};
use crate::repository::Repository;
use crate::snippet::{assertion_line, scenario_line};
use windlass_code::survey::{Framework, Language};
use windlass_core::plan::{Plan, Task};

/// Adds assertions to the criteria of a plan.
pub(super) fn assertions(plan: &mut Plan, repository: &Repository<'_>) {
    // homerun's planner turns every criterion of a known form into an assertion, a description too.
    let literal = plan.profile.as_deref() != Some(Profile::Homerun.as_str());
    let parts: Vec<Task> = plan.tasks.iter().filter(|t| t.parent.is_some()).cloned().collect();
    for task in &mut plan.tasks {
        // A parent is tested as its parts are.
        let part = parts.iter().find(|part| part.parent.as_ref() == Some(&task.id));
        let tested = part.cloned().unwrap_or_else(|| task.clone());
        let Some(language) = language(&tested) else { continue };
        let framework = framework(&tested, repository, language);
        for criterion in task.criteria.iter_mut().filter(|c| c.assertion.is_none()) {
            let outcome = if literal { said(&criterion.text) } else { outcome::outcome(&criterion.text) };
            criterion.assertion = match outcome {
                Some(scenario @ ExpectedOutcome::Scenario { .. }) if !literal => {
                    scenario_line(&scenario, language, framework)
                }
                outcome => outcome.and_then(|outcome| assertion_line(&outcome, language, framework)),
            };
        }
    }
}

/// The outcome that a criterion states literally; a description gives a test nothing to compare with.
fn said(text: &str) -> Option<ExpectedOutcome> {
    // A criterion with a call in code is an assertion already: `slug("A")` returns `"a"`.
    let calls = |code: &str| code.contains('(') && code.ends_with(')');
    if text.split('`').skip(1).step_by(2).any(calls) {
        return None;
    }
    let outcome = outcome::outcome(text)?;
    let shown = match &outcome {
        ExpectedOutcome::Sees { text } | ExpectedOutcome::Shows { text } => text,
        // What raises the error is not said: an assertion would have to make it up.
        ExpectedOutcome::Alerts { .. } | ExpectedOutcome::Rejects { .. } => return None,
        // Words of a sentence are no name of a value or a function.
        ExpectedOutcome::Compares { subject, .. } | ExpectedOutcome::Validates { subject, .. } => {
            let is_named = text.split('`').skip(1).step_by(2).any(|code| code == subject);
            return is_named.then_some(outcome);
        }
        ExpectedOutcome::Scenario { .. }
        | ExpectedOutcome::Status { .. }
        | ExpectedOutcome::Returns { .. }
        | ExpectedOutcome::Answers { .. } => return Some(outcome),
    };
    let at = text.to_lowercase().find(&shown.to_lowercase()).filter(|_| !shown.is_empty())?;
    let as_written = text.get(at..at + shown.len())?;
    let before = text.get(..at)?.chars().next_back();
    let quoted = before.is_some_and(|c| matches!(c, '"' | '`' | '“'));
    // An example need not appear literally.
    let lead = text[..at].trim_end_matches(['"', '`', '“', ' ', ',', ':', '(']).to_lowercase();
    let example = ["e.g.", "e.g", "like", "such as", "for example", "similar to", "for instance"];
    let shown = !example.iter().any(|word| lead.ends_with(word));
    (quoted && shown).then(|| ExpectedOutcome::Sees { text: as_written.to_owned() })
}

/// The language of a task's test file, else of its first file.
fn language(task: &Task) -> Option<Language> {
    let test = task.test.file.as_deref().and_then(Language::of_path);
    test.or_else(|| task.files.owned().find_map(Language::of_path))
}

fn framework(task: &Task, repository: &Repository<'_>, language: Language) -> Option<Framework> {
    let path = task.test.file.as_deref().or_else(|| task.files.owned().next())?;
    let found = repository.survey().conventions_for(path).filter(|c| c.language.same_family(language));
    found.and_then(|c| c.style).map(|s| s.framework)
}
