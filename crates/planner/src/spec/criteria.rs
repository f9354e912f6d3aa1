//! Acceptance criteria in all their forms: lists, checkboxes, tables, headings with ids, EARS, Given/When/Then.

use super::columns::{Column, Columns, is_blank};
use super::ids;
use super::markdown::{Block, Code, Item, Placed, Table, Words};
use super::model::{CriterionForm, SpecCriterion};
use super::reading::Reading;
use super::topic::Topic;
use windlass_core::diagnostic::Span;

/// Reads every criterion of a document.
pub(super) fn read(reading: &mut Reading<'_>) {
    headings(reading);
    for (at, placed) in reading.blocks() {
        if reading.is_excluded(placed) {
            continue;
        }
        match &placed.block {
            Block::Item(item) => list_item(reading, at, placed, item),
            Block::Table(table) => rows(reading, at, placed, table),
            Block::Paragraph(words) => paragraph(reading, at, placed, words),
            Block::Code(code) => scenarios(reading, at, placed, code),
        }
    }
}

/// What a block is about, as far as criteria are concerned: `Testing` below `Requirements` still asks for something.
fn topic(reading: &Reading<'_>, placed: &Placed) -> Option<Topic> {
    let nearest = reading.topic(placed);
    let above = |wanted: Topic| {
        let titles = reading.doc.chain(placed.section).filter(|(_, s)| s.level > 1);
        titles.into_iter().any(|(_, s)| Topic::of(&s.title.text) == Some(wanted))
    };
    match nearest {
        Some(Topic::Metrics | Topic::Tests) if above(Topic::Criteria) => Some(Topic::Criteria),
        Some(Topic::Metrics | Topic::Tests | Topic::Conventions | Topic::Surface)
            if above(Topic::Requirements) =>
        {
            Some(Topic::Requirements)
        }
        other => other,
    }
}

/// A criterion before it has its final id.
struct Draft {
    id: Option<String>,
    text: String,
    detail: String,
    form: CriterionForm,
    span: Span,
}

fn push(reading: &mut Reading<'_>, section: usize, draft: Draft) {
    let text = tidy(&draft.text);
    if text.is_empty() {
        return;
    }
    let story = reading.doc.chain(section).find_map(|(_, s)| story_of(&s.title.text));
    let given_id = draft.id.is_some();
    let task = reading.doc.chain(section).find_map(|(_, s)| super::tasks::heading_task(&s.title.text));
    reading.spec.criteria.push(SpecCriterion {
        id: draft.id.unwrap_or_default(),
        text,
        detail: draft.detail,
        story,
        task: task.map(|(id, _)| id),
        form: draft.form,
        given_id,
        span: draft.span,
    });
}

/// The id of the story a heading names.
fn story_of(title: &str) -> Option<String> {
    ids::story(title).map(|(id, _)| id)
}

/// The text without the marks that say it is done or not.
fn tidy(text: &str) -> String {
    let text = text.trim().trim_start_matches(['✅', '❌', '☐', '☑', '✓', '✗', ' ', '\u{fe0f}']);
    text.trim_end_matches([' ', ';']).to_owned()
}

/// Headings that are a requirement themselves: `FR-1: Detail flag`.
fn headings(reading: &mut Reading<'_>) {
    for (at, section) in reading.doc.sections.iter().enumerate() {
        let Some((id, rest)) = ids::titled(&section.title.text) else { continue };
        let excluded = reading.doc.chain(at).any(|(_, s)| Topic::of(&s.title.text) == Some(Topic::Excluded));
        if excluded || has_own_criteria(reading, at) {
            continue;
        }
        let detail = reading.all_prose(at, 700);
        let text = if rest.is_empty() { detail.clone() } else { rest };
        let span = reading.span(&section.title.at);
        for (block, _) in reading.doc.below(at) {
            reading.using(block);
        }
        push(reading, at, Draft { id: Some(id), text, detail, form: CriterionForm::Heading, span });
    }
}

/// Whether criteria of its own stand below a heading: then those count, not the heading.
fn has_own_criteria(reading: &Reading<'_>, section: usize) -> bool {
    let nested = |at: usize, title: &str| {
        at != section
            && reading.doc.is_within(at, section)
            && (Topic::of(title) == Some(Topic::Criteria) || ids::titled(title).is_some())
    };
    let headed = reading.doc.sections.iter().enumerate().any(|(at, s)| nested(at, &s.title.text));
    let labelled = reading.doc.below(section).any(|(_, b)| {
        let by_label = b.label.as_deref().and_then(Topic::of) == Some(Topic::Criteria);
        by_label && matches!(b.block, Block::Item(_) | Block::Table(_))
    });
    headed || labelled
}

/// Whether a block stands below a heading that is a requirement itself.
fn in_requirement(reading: &Reading<'_>, placed: &Placed) -> bool {
    let is = |title: &str| ids::titled(title).is_some();
    let below = reading.doc.chain(placed.section).any(|(_, s)| is(&s.title.text));
    below && reading.topic(placed) != Some(Topic::Criteria)
}

/// Criteria in the lines of one paragraph, below a line that says so: `Acceptance criteria (BDD):`, then steps. Says
/// whether there were any.
fn lines(reading: &mut Reading<'_>, at: usize, placed: &Placed, words: &Words) -> bool {
    let is_label = |line: &str| line.ends_with(':') && Topic::of(line) == Some(Topic::Criteria);
    let Some(label) = words.lines.iter().position(|line| is_label(line)) else { return false };
    let opens = |line: &str| line.starts_with("Given ") || line.starts_with("Scenario");
    let goes_on = |line: &str| ["When ", "Then ", "And ", "But "].iter().any(|w| line.starts_with(w));
    let mut found: Vec<String> = Vec::new();
    for line in words.lines[label + 1..].iter().take_while(|line| !line.ends_with(':')) {
        match found.last_mut() {
            Some(last) if goes_on(line) => *last = format!("{last} {line}"),
            Some(_) | None if opens(line) || goes_on(line) => found.push(line.clone()),
            // A step may go on in the next line.
            Some(last) if line.starts_with(char::is_lowercase) => *last = format!("{last} {line}"),
            Some(_) | None => break,
        }
    }
    let span = reading.span(&words.at);
    let detail = words.lines[0].clone();
    for text in &found {
        reading.using(at);
        let (text, detail) = (text.clone(), detail.clone());
        push(reading, placed.section, Draft { id: None, text, detail, form: CriterionForm::Scenario, span });
    }
    !found.is_empty()
}

fn list_item(reading: &mut Reading<'_>, at: usize, placed: &Placed, item: &Item) {
    if lines(reading, at, placed, &item.words) {
        return;
    }
    let text = item.words.text.trim();
    let span = reading.span(&item.words.at);
    if let Some(rest) = marked(text) {
        reading.using(at);
        let detail = item.parent.and_then(|p| parent_text(reading, p)).unwrap_or_default();
        push(
            reading,
            placed.section,
            Draft { id: None, text: rest.to_owned(), detail, form: CriterionForm::Item, span },
        );
        return;
    }
    let topic = topic(reading, placed);
    if let Some((id, rest)) = ids::requirement(text).filter(|(_, rest)| !rest.is_empty()) {
        if speaks_of_requirements(topic) {
            reading.using(at);
            let draft = Draft {
                id: Some(id),
                text: rest.to_owned(),
                detail: children_text(reading, at),
                form: form(rest),
                span,
            };
            push(reading, placed.section, draft);
        }
        return;
    }
    let wanted = match topic {
        Some(Topic::Criteria) => true,
        Some(Topic::Requirements) => !in_requirement(reading, placed),
        _ => is_ears(text),
    };
    if !wanted || text.is_empty() {
        return;
    }
    let parent_is_criterion = item.parent.is_some_and(|p| is_criterion(reading, p));
    let introduces =
        reading.children(at).next().is_some() && (item.words.is_label() || has_marked_children(reading, at));
    if introduces {
        reading.using(at);
    } else if parent_is_criterion {
        // A remark below a criterion belongs to it.
        reading.using(at);
    } else {
        reading.using(at);
        let detail = children_text(reading, at);
        push(
            reading,
            placed.section,
            Draft { id: None, text: text.to_owned(), detail, form: form(text), span },
        );
    }
}

/// Topics under which an id at the beginning of an item makes it a criterion, not a reference.
fn speaks_of_requirements(topic: Option<Topic>) -> bool {
    matches!(
        topic,
        None | Some(
            Topic::Criteria | Topic::Requirements | Topic::Stories | Topic::Metrics | Topic::Background
        )
    )
}

/// Whether an item was taken as a criterion: it introduces nothing and no other criterion is above it.
fn is_criterion(reading: &Reading<'_>, block: usize) -> bool {
    let Some(Block::Item(item)) = reading.doc.blocks.get(block).map(|b| &b.block) else { return false };
    !item.words.is_label() && !has_marked_children(reading, block)
}

fn has_marked_children(reading: &Reading<'_>, block: usize) -> bool {
    reading.children(block).any(|(_, child)| marked(&child.words.text).is_some())
}

fn parent_text(reading: &Reading<'_>, block: usize) -> Option<String> {
    match &reading.doc.blocks.get(block)?.block {
        Block::Item(item) => Some(item.words.text.clone()),
        _ => None,
    }
}

fn children_text(reading: &Reading<'_>, block: usize) -> String {
    let texts: Vec<String> = reading.children(block).map(|(_, c)| c.words.text.clone()).take(8).collect();
    texts.join("; ")
}

/// What follows `AC:` or `Acceptance:`.
fn marked(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('*');
    ["AC:", "AC -", "Acceptance:", "Acceptance criteria:", "Acceptance Criteria:"]
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
        .map(str::trim)
        .filter(|rest| !rest.is_empty())
}

fn form(text: &str) -> CriterionForm {
    if is_ears(text) {
        CriterionForm::Ears
    } else if is_scenario(text) {
        CriterionForm::Scenario
    } else {
        CriterionForm::Item
    }
}

/// Whether a sentence follows the EARS pattern: `WHEN … THE SYSTEM SHALL …`.
fn is_ears(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().trim_matches(['*', '`']);
    let opens = matches!(
        first.to_ascii_uppercase().as_str(),
        "WHEN" | "WHILE" | "IF" | "WHERE" | "THE" | "SYSTEM" | "EACH" | "EVERY" | "ALL"
    );
    opens && text.split_whitespace().any(|w| w.trim_matches(['*', ',']) == "SHALL" || w == "shall")
}

fn is_scenario(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let given = lower.starts_with("given ") || lower.starts_with("when ");
    given && (lower.contains(" then ") || lower.contains(", then"))
}

fn paragraph(reading: &mut Reading<'_>, at: usize, placed: &Placed, words: &Words) {
    if lines(reading, at, placed, words) {
        return;
    }
    let text = words.text.trim();
    let topic = topic(reading, placed);
    let wanted = matches!(topic, Some(Topic::Criteria | Topic::Requirements | Topic::Stories) | None);
    let span = reading.span(&words.at);
    if let Some((id, rest)) = ids::requirement(text).filter(|(_, r)| r.split_whitespace().count() > 2)
        && speaks_of_requirements(topic)
        && words.bold.as_deref().is_some_and(|b| ids::requirement(b).is_some())
    {
        reading.using(at);
        push(
            reading,
            placed.section,
            Draft { id: Some(id), text: rest.to_owned(), detail: String::new(), form: form(rest), span },
        );
    } else if wanted && (is_ears(text) || is_scenario(text)) && !in_requirement(reading, placed) {
        reading.using(at);
        push(
            reading,
            placed.section,
            Draft { id: None, text: text.to_owned(), detail: String::new(), form: form(text), span },
        );
    } else if let Some(rest) = marked(text) {
        reading.using(at);
        let draft =
            Draft { id: None, text: rest.to_owned(), detail: String::new(), form: CriterionForm::Item, span };
        push(reading, placed.section, draft);
    }
}

/// Scenarios in a block of Gherkin.
fn scenarios(reading: &mut Reading<'_>, at: usize, placed: &Placed, code: &Code) {
    let gherkin = matches!(code.info.trim(), "gherkin" | "cucumber" | "feature");
    let looks =
        code.text.lines().any(|l| l.trim_start().starts_with("Given ")) && code.text.contains("Then ");
    if !(gherkin || looks) {
        return;
    }
    let mut title = String::new();
    let mut steps: Vec<&str> = Vec::new();
    let mut found: Vec<(String, String)> = Vec::new();
    for line in code.text.lines().map(str::trim).chain(["Scenario:"]) {
        let next = ["Scenario:", "Scenario Outline:", "Example:"].iter().find_map(|m| line.strip_prefix(m));
        if let Some(next) = next {
            if !steps.is_empty() {
                found.push((std::mem::take(&mut title), steps.join(" ")));
                steps.clear();
            }
            next.trim().clone_into(&mut title);
        } else if ["Given ", "When ", "Then ", "And ", "But "].iter().any(|w| line.starts_with(w)) {
            steps.push(line);
        }
    }
    let span = reading.span(&code.at);
    for (title, steps) in found {
        reading.using(at);
        let draft = Draft { id: None, text: steps, detail: title, form: CriterionForm::Scenario, span };
        push(reading, placed.section, draft);
    }
}

fn rows(reading: &mut Reading<'_>, at: usize, placed: &Placed, table: &Table) {
    let columns = Columns::of(table);
    let topic = topic(reading, placed);
    let other = columns.names_files() || columns.has(Column::Risk) || columns.has(Column::Task);
    let by_topic = matches!(topic, Some(Topic::Criteria | Topic::Requirements)) && !other;
    let wanted = by_topic && !in_requirement(reading, placed);
    for row in &table.rows {
        let first = row.first().map(|w| w.text.as_str()).unwrap_or_default();
        let id = ids::only_requirement(first);
        if !(wanted || (id.is_some() && speaks_of_requirements(topic) && !columns.names_files())) {
            continue;
        }
        let text = row_text(&columns, row, id.is_some());
        let Some(cell) = row.first().filter(|_| !text.is_empty()) else { continue };
        let end = row.last().map_or(cell.at.end, |c| c.at.end);
        let span = reading.span(&(cell.at.start..end.max(cell.at.end)));
        reading.using(at);
        push(
            reading,
            placed.section,
            Draft { id, text, detail: String::new(), form: CriterionForm::Row, span },
        );
    }
}

/// What a row says: the requirement, and the target beside it.
fn row_text(columns: &Columns, row: &[Words], has_id: bool) -> String {
    let skip = |c: &usize| (has_id && *c == 0) || columns.find(Column::Priority) == Some(*c);
    let asked = columns.first(row, &[Column::Requirement, Column::Title]);
    let target = columns.first(row, &[Column::Target]);
    match (asked, target) {
        (Some(asked), Some(target)) => format!("{}: {}", asked.text, target.text),
        (Some(asked), None) if row.len() > 2 => asked.text.clone(),
        _ => {
            let cells = (0..row.len()).filter(|c| !skip(c)).map(|c| row[c].text.as_str());
            cells.filter(|t| !is_blank(t)).collect::<Vec<_>>().join(": ")
        }
    }
}
