//! Scenarios that are sections of their own: the heading `Scenario: …` with the steps as items or paragraphs below it.
//! All steps together are one criterion. What is said above several scenarios belongs to each of them. Of steps that are the items of
//! a list, the first outcome is one criterion with its conditions, and each further outcome one of its own.

use super::criteria::{CriterionDraft, push};
use crate::spec::document::{BlockContent, DocumentBlock, DocumentForm, DocumentTable, SectionTree};
use crate::spec::model::CriterionForm;
use crate::spec::reading::DocumentReading;

/// The longest text that goes with a scenario, in bytes.
const SAID: usize = 400;

/// Adds the scenarios of a document. Returns which sections were read so, or state what their scenarios show.
pub(super) fn collect_scenarios(reading: &mut DocumentReading<'_>) -> Vec<bool> {
    let tree = reading.tree;
    let mut read = vec![false; tree.sections.len()];
    for at in 1..tree.sections.len() {
        let Some(title) = scenario_title(&tree.sections[at].title.text) else { continue };
        let own = tree.own_blocks(at);
        let steps: Vec<&DocumentBlock> = own.iter().filter(|b| is_step(tree, b)).collect();
        if steps.is_empty() || own.iter().any(|b| tree.is_excluded(b)) {
            continue;
        }
        let words =
            steps.iter().filter_map(|b| b.running_text()).map(|t| t.text.trim_end_matches(['.', ',']));
        let mut text = words.collect::<Vec<_>>().join(" ");
        for block in own {
            if let BlockContent::Table(table) = &block.content {
                text.push_str(&format!(" ({})", rows(table)));
            }
        }
        let statement = statement(tree, at);
        let shown = own.iter().filter_map(|block| match &block.content {
            BlockContent::Code(code) => Some(code.text.trim_end()),
            BlockContent::Paragraph(_) | BlockContent::Item(_) | BlockContent::Table(_) => None,
        });
        let said = [title, statement.as_str()].into_iter().chain(shown).filter(|part| !part.is_empty());
        let detail = said.collect::<Vec<_>>().join("\n");
        let span = reading.span(&tree.sections[at].title.at);
        for block in own {
            reading.claim(block);
        }
        read[at] = true;
        if let Some(above) = tree.sections[at].parent.filter(|above| tree.sections[*above].is_part()) {
            read[above] = true;
            let above = tree.own_blocks(above).iter().filter(|b| b.running_text().is_some());
            above.for_each(|block| reading.claim(block));
        }
        push(reading, at, CriterionDraft { id: None, text, detail, form: CriterionForm::Scenario, span });
    }
    for at in (0..tree.sections.len()).filter(|at| !read[*at]) {
        step_lists(reading, at);
    }
    read
}

/// Adds the outcomes of the steps that stand in lists of a section, an item each.
fn step_lists(reading: &mut DocumentReading<'_>, at: usize) {
    let tree = reading.tree;
    let step = |block: &DocumentBlock| {
        let is_top = tree.item(block.index).is_some() && !tree.is_excluded(block);
        step_word(block).filter(|_| is_top)
    };
    let own = tree.own_blocks(at);
    for run in own.chunk_by(|one, next| step(one).is_some() && step(next).is_some_and(|word| word != "GIVEN"))
    {
        let words: Vec<String> = run.iter().filter_map(step).collect();
        let Some(first) = words.iter().position(|word| word == "THEN") else { continue };
        if first == 0 || words.len() < run.len() {
            continue;
        }
        let said: Vec<&str> =
            run.iter().filter_map(|b| b.running_text()).map(|text| text.text.trim()).collect();
        let conditions = said[..first].join(" ");
        for (n, block) in run.iter().enumerate() {
            reading.claim(block);
            if n < first {
                continue;
            }
            let (text, detail) = if n == first {
                (format!("{conditions} {}", said[n]), String::new())
            } else {
                (said[n].to_owned(), conditions.clone())
            };
            let span = reading.span(&block.at);
            push(reading, at, CriterionDraft { id: None, text, detail, form: CriterionForm::Scenario, span });
        }
    }
}

/// What is said of a scenario that its heading names: `Scenario: Sixth failure`, `Scenario 2 - Empty list`.
fn scenario_title(title: &str) -> Option<&str> {
    let rest =
        ["Scenario Outline", "Scenario", "SCENARIO"].iter().find_map(|word| title.strip_prefix(word))?;
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ' || c == '#');
    rest.strip_prefix([':', '-', '—', '–']).map(str::trim)
}

/// Whether a block is a step. In a feature file everything below a scenario is one.
fn is_step(tree: &SectionTree, block: &DocumentBlock) -> bool {
    step_word(block).is_some()
        || (block.running_text().is_some()
            && tree.form == DocumentForm::Gherkin
            && tree.item(block.index).is_some())
}

/// The word that a step begins with, in capitals.
fn step_word(block: &DocumentBlock) -> Option<String> {
    let first = block.running_text()?.text.split_whitespace().next()?;
    let first = first.trim_matches(['*', ':', ',']).to_ascii_uppercase();
    matches!(first.as_str(), "GIVEN" | "WHEN" | "THEN" | "AND" | "BUT").then_some(first)
}

/// What the section around a scenario says before its scenarios.
fn statement(tree: &SectionTree, at: usize) -> String {
    let above = tree.sections[at].parent.filter(|above| tree.sections[*above].is_part());
    above.map(|above| tree.prose(above, SAID)).unwrap_or_default()
}

/// The rows of a table of examples, with the names of its columns: `total, result: 10, 9; 5, 5`.
fn rows(table: &DocumentTable) -> String {
    let line = |cells: &Vec<crate::spec::document::RunningText>| {
        cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(", ")
    };
    let rows: Vec<String> = table.rows.iter().map(line).collect();
    format!("{}: {}", line(&table.head), rows.join("; "))
}
