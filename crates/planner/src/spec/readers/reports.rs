//! Reports of faults: the call, the actual and the expected result. The call and the expected value are an example.

use super::criteria::{CriterionDraft, push};
use super::examples;
use crate::spec::document::{BlockContent, DocumentBlock, SectionTree};
use crate::spec::model::CriterionForm;
use crate::spec::reading::DocumentReading;

/// Adds the example of a report: the only call that is shown, and the short value below `Expected`.
pub(in crate::spec) fn collect_reports(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    let Some(expected) = tree.sections.iter().position(|s| is_expected(&s.title.text)) else { return };
    let Some((block, value)) = short_value(tree, expected) else { return };
    let calls: Vec<String> = tree.wanted_blocks().filter_map(code_of).flat_map(examples::calls).collect();
    // Imports and assignments prepare the call.
    let shows =
        |call: &&String| !call.starts_with("import ") && !call.starts_with("from ") && !call.contains(" = ");
    let mut shown = calls.iter().filter(shows);
    let (Some(call), None) = (shown.next(), shown.next()) else { return };
    let verb = if call.contains('(') { "returns" } else { "prints" };
    let text = format!("`{call}` {verb} `{value}`");
    let span = reading.span(&block.at);
    reading.claim(block);
    let (detail, form) = (String::new(), CriterionForm::Example);
    push(reading, expected, CriterionDraft { id: None, text, detail, form, span });
}

fn is_expected(title: &str) -> bool {
    let lower = title.trim().trim_end_matches(':').to_lowercase();
    lower.starts_with("expected") || lower == "what i expected"
}

fn code_of(block: &DocumentBlock) -> Option<&crate::spec::document::CodeListing> {
    match &block.content {
        BlockContent::Code(code) => Some(code),
        BlockContent::Paragraph(_) | BlockContent::Item(_) | BlockContent::Table(_) => None,
    }
}

/// The only block below a heading, if it is a value on one line and no sentence.
fn short_value(tree: &SectionTree, section: usize) -> Option<(&DocumentBlock, String)> {
    let [block] = tree.own_blocks(section) else { return None };
    let text = match &block.content {
        BlockContent::Code(code) => code.text.trim().to_owned(),
        BlockContent::Paragraph(text) => text.plain().trim().to_owned(),
        BlockContent::Item(_) | BlockContent::Table(_) => return None,
    };
    let is_value = text.starts_with(['\'', '"', '[', '{', '(']) || text.split_whitespace().count() == 1;
    (is_value && !text.contains('\n') && text.len() <= 120).then_some((block, text))
}
