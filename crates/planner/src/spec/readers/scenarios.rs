//! Criteria as scenarios: Given/When/Then in Gherkin blocks and in the lines of a paragraph.

use super::criteria::{CriterionDraft, push};
use crate::spec::document::{CodeListing, DocumentBlock, RunningText};
use crate::spec::model::CriterionForm;
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, is_scenario_start, is_scenario_step};

/// Adds the scenarios in the lines of one paragraph below a line such as `Acceptance criteria (BDD):`. Returns whether
/// there were any.
pub(super) fn labelled_lines(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    text: &RunningText,
) -> bool {
    let is_label = |line: &str| line.ends_with(':') && Topic::from_title(line) == Some(Topic::Criteria);
    let Some(label) = text.lines.iter().position(|line| is_label(line)) else { return false };
    let opens = |line: &str| is_scenario_start(line) || line.starts_with("Scenario");
    let mut found: Vec<String> = Vec::new();
    for line in text.lines[label + 1..].iter().take_while(|line| !line.ends_with(':')) {
        match found.last_mut() {
            Some(last) if is_scenario_step(line) => *last = format!("{last} {line}"),
            Some(_) | None if opens(line) || is_scenario_step(line) => found.push(line.clone()),
            // A step may continue on the next line.
            Some(last) if line.starts_with(char::is_lowercase) => *last = format!("{last} {line}"),
            Some(_) | None => break,
        }
    }
    let span = reading.span(&text.at);
    for scenario in &found {
        reading.claim(block);
        let (text, detail) = (scenario.clone(), text.lines[0].clone());
        let form = CriterionForm::Scenario;
        push(reading, block.section, CriterionDraft { id: None, text, detail, form, span });
    }
    !found.is_empty()
}

/// Adds the scenarios of a Gherkin block. The language of the fence says so, or the steps do.
pub(super) fn gherkin(reading: &mut DocumentReading<'_>, block: &DocumentBlock, code: &CodeListing) {
    let by_info = matches!(code.info.trim(), "gherkin" | "cucumber" | "feature");
    let by_steps =
        || code.text.lines().any(|l| is_scenario_start(l.trim_start())) && code.text.contains("Then ");
    if !(by_info || by_steps()) {
        return;
    }
    let mut title = "";
    let mut steps: Vec<&str> = Vec::new();
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in code.text.lines().map(str::trim).chain(["Scenario:"]) {
        let next = ["Scenario:", "Scenario Outline:", "Example:"].iter().find_map(|m| line.strip_prefix(m));
        if let Some(next) = next {
            if !steps.is_empty() {
                found.push((title, steps.join(" ")));
                steps.clear();
            }
            title = next.trim();
        } else if is_scenario_start(line) || is_scenario_step(line) {
            steps.push(line);
        }
    }
    let span = reading.span(&code.at);
    for (title, text) in found {
        reading.claim(block);
        let (detail, form) = (title.to_owned(), CriterionForm::Scenario);
        push(reading, block.section, CriterionDraft { id: None, text, detail, form, span });
    }
}
