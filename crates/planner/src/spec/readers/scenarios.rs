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
    let mut found: Vec<(usize, String)> = Vec::new();
    for (at, line) in
        text.lines.iter().enumerate().skip(label + 1).take_while(|(_, line)| !line.ends_with(':'))
    {
        // `Given: an account`
        let said = ["Given", "When", "Then", "And", "But"].iter().find_map(|step| {
            line.strip_prefix(step)
                .and_then(|rest| rest.strip_prefix(':'))
                .map(|rest| format!("{step}{rest}"))
        });
        let line = said.as_ref().unwrap_or(line);
        match found.last_mut() {
            Some((_, last)) if is_scenario_step(line) => *last = format!("{last} {line}"),
            Some(_) | None if opens(line) || is_scenario_step(line) => found.push((at, line.clone())),
            // A step may continue on the next line.
            Some((_, last)) if line.starts_with(char::is_lowercase) => *last = format!("{last} {line}"),
            Some(_) | None => break,
        }
    }
    for (at, scenario) in &found {
        reading.claim(block);
        let span = reading.span(&(line_start(reading, text, *at)..text.at.end));
        let (text, detail) = (scenario.clone(), text.lines[0].clone());
        let form = CriterionForm::Scenario;
        push(reading, block.section, CriterionDraft { id: None, text, detail, form, span });
    }
    !found.is_empty()
}

/// Where a line of a text begins in the document.
fn line_start(reading: &DocumentReading<'_>, text: &RunningText, line: usize) -> usize {
    let source = &reading.spec.sources.file(reading.file).text;
    let written = source.get(text.at.clone()).unwrap_or_default();
    let mut starts = Vec::new();
    let mut at = text.at.start;
    for own in written.split_inclusive('\n') {
        if !own.trim().is_empty() {
            starts.push(at);
        }
        at += own.len();
    }
    starts.get(line).copied().unwrap_or(text.at.start)
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
