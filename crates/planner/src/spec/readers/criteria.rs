//! Acceptance criteria: items and rows under a heading about them, headings with an id, EARS sentences, lines marked `AC:`.

use super::feature_names::item_name;
use super::{scenario_sections, scenarios};
use crate::spec::document::{
    BlockContent, DocumentBlock, DocumentTable, ItemBlock, RunningText, SectionTree, Tick,
};
use crate::spec::model::{CriterionForm, DocumentKind, Remark, SpecCriterion};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{
    ColumnMeaning, TableColumns, Topic, ids, is_blank, is_ears, is_scenario, is_story, is_unfilled,
    marked_criterion, sentences,
};
use windlass_core::diagnostic::Span;

/// Adds every criterion of a document.
pub(in crate::spec) fn collect_criteria(reading: &mut DocumentReading<'_>) {
    requirement_headings(reading);
    let read = scenario_sections::collect_scenarios(reading);
    let is_open = |block: &&DocumentBlock| !(read[block.section] && block.running_text().is_some());
    for block in reading.tree.wanted_blocks().filter(is_open) {
        match &block.content {
            BlockContent::Item(item) => {
                if !scenarios::labelled_lines(reading, block, &item.text) {
                    list_item(reading, block, item);
                }
            }
            BlockContent::Paragraph(text) => {
                if !scenarios::labelled_lines(reading, block, text) {
                    paragraph(reading, block, text);
                }
            }
            BlockContent::Table(table) => rows(reading, block, table),
            BlockContent::Code(code) => scenarios::gherkin(reading, block, code),
        }
    }
}

/// A criterion before it has its final id.
pub(super) struct CriterionDraft {
    pub(super) id: Option<String>,
    pub(super) text: String,
    pub(super) detail: String,
    pub(super) form: CriterionForm,
    pub(super) span: Span,
}

/// Adds a criterion. It belongs to the story and the task whose headings it is under.
pub(super) fn push(reading: &mut DocumentReading<'_>, section: usize, draft: CriterionDraft) {
    let text = without_marks(&draft.text);
    if text.is_empty() || (draft.id.is_none() && is_metadata(&text)) {
        return;
    }
    if is_unfilled(&text) {
        let heading = reading.tree.heading(section).to_owned();
        let text = format!("what belongs into the blanks of `{text}`?");
        reading.spec.questions.push(Remark { text, heading, span: draft.span });
        return;
    }
    let given_id = draft.id.is_some();
    let within = names_around(reading.tree, draft.span.start as usize);
    reading.spec.criteria.push(SpecCriterion {
        id: draft.id.unwrap_or_default(),
        text,
        detail: draft.detail,
        story: reading.tree.enclosing_story(section).map(|story| story.id.clone()),
        task: reading.tree.enclosing_task(section).map(|task| task.id.clone()),
        headings: reading.tree.headings(section),
        within,
        form: draft.form,
        given_id,
        span: draft.span,
    });
}

/// The short names of the items around a place, the nearest first.
fn names_around(tree: &SectionTree, start: usize) -> Vec<String> {
    const LONGEST: usize = 4;
    let at = tree.blocks.partition_point(|block| block.at.end <= start);
    let holder = |block: &DocumentBlock| tree.item(block.index).map_or(block.within, |_| Some(block.index));
    let mut next = tree.blocks.get(at).and_then(holder);
    let mut found = Vec::new();
    while let Some(item) = next.and_then(|index| tree.item(index)) {
        let name = item_name(&item.text);
        if name.split_whitespace().count() <= LONGEST {
            found.push(name.replace(['`', '*'], ""));
        }
        next = item.parent;
    }
    found
}

/// Whether a text is about the document or the order of the work, not about the program: `Priority: must have`,
/// `Document version: 1.3`.
fn is_metadata(text: &str) -> bool {
    let Some((key, value)) = text.split_once([':', '：']) else { return false };
    let key = key.trim_matches(['*', '_', ' ']).to_lowercase();
    let words = value.split_whitespace().count();
    let lower = value.trim().to_lowercase();
    if ["not specified", "n/a", "tbd", "to be determined"].iter().any(|open| lower.starts_with(open)) {
        return true;
    }
    // `Priority rationale`, `Estimated effort`
    let is_weighed = ["priority", "effort", "estimate", "story points"].iter().any(|word| key.contains(word));
    if is_weighed && key.split_whitespace().count() <= 3 {
        return words <= 8;
    }
    match key.as_str() {
        "priority" | "effort" | "owner" | "author" | "assignee" | "estimate" | "estimated effort"
        | "complexity" | "story points" | "sprint" | "reviewer" | "milestone" => words <= 6,
        "version" | "document version" | "last updated" | "last modified" | "date" | "created"
        | "updated" => value.contains(|c: char| c.is_ascii_digit()) && words <= 6,
        _ => false,
    }
}

/// The text without the marks of done and open.
fn without_marks(text: &str) -> String {
    let text = text.trim().trim_start_matches(['✅', '❌', '☐', '☑', '✓', '✗', ' ', '\u{fe0f}']);
    text.trim_end_matches([' ', ';']).to_owned()
}

/// The topic of a block as far as criteria are concerned: `Testing` below `Requirements` still asks for something.
fn effective_topic(tree: &SectionTree, block: &DocumentBlock) -> Option<Topic> {
    let above = |wanted: Topic| tree.is_under(block.section, wanted);
    match tree.topic(block) {
        Some(Topic::Metrics | Topic::Tests) if above(Topic::Criteria) => Some(Topic::Criteria),
        Some(Topic::Metrics | Topic::Tests | Topic::Conventions | Topic::Surface)
            if above(Topic::Requirements) =>
        {
            Some(Topic::Requirements)
        }
        other => other,
    }
}

/// Topics under which an id at the beginning of a text states a criterion; elsewhere it refers to one.
fn states_requirements(topic: Option<Topic>) -> bool {
    matches!(
        topic,
        None | Some(
            Topic::Criteria
                | Topic::Requirements
                | Topic::Stories
                | Topic::Metrics
                | Topic::Background
                // A repeated one is removed once every document is read.
                | Topic::Phases
        )
    )
}

/// Headings that are a requirement themselves: `FR-1: Detail flag`.
fn requirement_headings(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    for (at, section) in tree.sections.iter().enumerate() {
        let Some(named) = &section.meaning.requirement else { continue };
        if tree.is_under(at, Topic::Excluded) || has_own_criteria(tree, at) || lists_requirements(reading, at)
        {
            continue;
        }
        let detail = tree.all_prose(at, 700);
        let text = if named.title.is_empty() { detail.clone() } else { named.title.clone() };
        let span = reading.span(&section.title.at);
        tree.all_blocks(at).iter().for_each(|block| reading.claim(block));
        let id = Some(named.id.clone());
        push(reading, at, CriterionDraft { id, text, detail, form: CriterionForm::Heading, span });
    }
}

/// Whether the heading of a requirement has criteria below it. Then these count, not the heading.
fn has_own_criteria(tree: &SectionTree, section: usize) -> bool {
    let mut inner = tree.sections[section + 1..tree.section_after(section)].iter().map(|s| &s.meaning);
    inner.any(|m| m.topic == Some(Topic::Criteria) || m.requirement.is_some())
        || tree.all_blocks(section).iter().any(|block| {
            block.label_topic() == Some(Topic::Criteria)
                && matches!(block.content, BlockContent::Item(_) | BlockContent::Table(_))
        })
}

/// Whether a block only explains the requirement whose heading it is under.
fn explains_requirement(reading: &DocumentReading<'_>, block: &DocumentBlock) -> bool {
    let tree = reading.tree;
    tree.enclosing_requirement(block.section).is_some()
        && tree.topic(block) != Some(Topic::Criteria)
        && !lists_requirements(reading, block.section)
}

/// Whether a section with the id of a requirement lists what is required, in the only document there is: then each item is a
/// criterion, and the heading is what they are about. Where a design refers to the id, the heading stays the criterion.
pub(super) fn lists_requirements(reading: &DocumentReading<'_>, section: usize) -> bool {
    let tree = reading.tree;
    let said = |b: &DocumentBlock| match &b.content {
        BlockContent::Item(i) => {
            usize::from(i.parent.is_none() && i.text.text.split_whitespace().count() > 2)
        }
        BlockContent::Paragraph(text) if !text.is_label() => sentences(&text.text).len(),
        BlockContent::Paragraph(_) | BlockContent::Table(_) | BlockContent::Code(_) => 0,
    };
    reading.spec.documents.len() == 1
        && tree.sections[section].meaning.requirement.is_some()
        && !has_own_criteria(tree, section)
        && tree.own_blocks(section).iter().map(said).sum::<usize>() > 1
}

fn list_item(reading: &mut DocumentReading<'_>, block: &DocumentBlock, item: &ItemBlock) {
    let tree = reading.tree;
    let text = item.text.text.trim();
    let span = reading.span(&item.text.at);
    if let Some(rest) = marked_criterion(text) {
        reading.claim(block);
        let detail = item.parent.and_then(|p| tree.item(p)).map(|p| p.text.text.clone()).unwrap_or_default();
        let form = CriterionForm::Item;
        push(reading, block.section, CriterionDraft { id: None, text: rest.to_owned(), detail, form, span });
        return;
    }
    let topic = effective_topic(tree, block);
    let stated = ids::requirement(text).filter(|(_, rest)| !rest.is_empty());
    if stated.is_none() && item.parent.is_none() && belongs_to_requirement(reading, block, text) {
        return;
    }
    let wanted = match (&stated, topic) {
        (Some(_), topic) => states_requirements(topic),
        (None, Some(Topic::Criteria)) => true,
        (None, Some(Topic::Requirements)) => !explains_requirement(reading, block),
        (None, topic) => {
            let of_story = topic == Some(Topic::Stories) || tree.enclosing_story(block.section).is_some();
            let asks = of_story || (topic.is_none() && is_testable(text));
            is_ears(text) || (asks && is_box_of_requirements(reading, item))
        }
    };
    // The story of a feature stands among its criteria, and is none.
    if !wanted || text.is_empty() || (item.parent.is_some() && is_story(text)) {
        return;
    }
    let is_nested = item.parent.is_some_and(|p| !introduces_criteria(tree, p));
    // What stands below a requirement and says something alone is read with the rest.
    if is_nested && stated.is_none() && topic == Some(Topic::Requirements) && speaks_alone(text) {
        return;
    }
    reading.claim(block);
    // A label introduces criteria, and a remark below a criterion belongs to that criterion.
    let is_label = tree.children(block.index).next().is_some() && introduces_criteria(tree, block.index);
    let next = tree.blocks.get(block.index + 1).filter(|next| next.section == block.section);
    let leads_in = text.ends_with([':', '：']) && next.is_some();
    if stated.is_none() && (is_label || is_nested || leads_in) {
        return;
    }
    let numbered = || numbered_requirement(reading, block, item).filter(|_| topic == Some(Topic::Criteria));
    let (id, text) = stated.map_or_else(|| (numbered(), text), |(id, rest)| (Some(id), rest));
    let detail: Vec<&str> = tree.children(block.index).map(|c| c.text.text.as_str()).take(8).collect();
    let said = about_code(block, text);
    let draft = CriterionDraft { id, text: said, detail: detail.join("; "), form: form(text), span };
    push(reading, block.section, draft);
}

/// Adds an item to the requirement whose paragraph introduces its list: `FR-2: The reader extracts these fields:`. Returns whether
/// there is such a paragraph.
fn belongs_to_requirement(reading: &mut DocumentReading<'_>, block: &DocumentBlock, text: &str) -> bool {
    let tree = reading.tree;
    let before = tree.own_blocks(block.section).iter().rev().filter(|b| b.index < block.index);
    let lead = before.filter_map(|b| match &b.content {
        BlockContent::Item(_) => None,
        BlockContent::Paragraph(text) => Some(text.text.trim()),
        BlockContent::Table(_) | BlockContent::Code(_) => Some(""),
    });
    let lead = lead.take(1).find(|lead| lead.ends_with([':', '：']));
    let Some((id, _)) = lead.and_then(ids::requirement) else { return false };
    let file = reading.file;
    let is_own = |c: &&mut SpecCriterion| c.given_id && c.id == id && c.span.file == file;
    let Some(requirement) = reading.spec.criteria.iter_mut().rev().find(is_own) else { return false };
    let sep = if requirement.detail.is_empty() { "" } else { "; " };
    requirement.detail.push_str(&format!("{sep}{text}"));
    reading.claim(block);
    true
}

/// Whether an item below another one says enough to stand alone.
pub(super) fn speaks_alone(text: &str) -> bool {
    const FEWEST: usize = 5;
    text.split_whitespace().count() >= FEWEST || names_value(text)
}

/// Whether a text gives a name a value in code: ``Required option: `--id <id>` ``.
pub(super) fn names_value(text: &str) -> bool {
    const LONGEST: usize = 3;
    text.split_once(": ").is_some_and(|(name, value)| {
        name.split_whitespace().count() <= LONGEST && value.trim_start().starts_with('`')
    })
}

/// Whether what is below an item says when its code comes, as below `1` of an exit status: the past reports nothing there.
pub(super) fn holds_cases(item: &ItemBlock) -> bool {
    let text = item.text.text.trim_start_matches('*');
    text.starts_with('`') && text.trim_end_matches(['*', ' ']).ends_with([':', '：'])
}

/// What is said below a line that only names code is about that code: `` `cart.apply(code)`: a code that is unknown … ``.
pub(super) fn about_code(block: &DocumentBlock, text: &str) -> String {
    let label = block.label.as_deref().unwrap_or_default().trim().trim_end_matches([':', '：', ' ']);
    let inner = label.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    let is_code = inner.is_some_and(|code| !code.contains('`') && code.contains(['(', '.', '_', ':', '/']));
    if is_code && !text.contains(label) { format!("{label}: {text}") } else { text.to_owned() }
}

/// The id of a numbered criterion below a numbered requirement: `R1.2` is the second one of `Requirement 1`.
fn numbered_requirement(
    reading: &DocumentReading<'_>,
    block: &DocumentBlock,
    item: &ItemBlock,
) -> Option<String> {
    let digits = |text: &str| -> String { text.chars().take_while(char::is_ascii_digit).collect() };
    let number = reading.tree.chain(block.section).find_map(|(_, section)| {
        let rest = section.title.text.strip_prefix("Requirement ")?;
        Some(digits(rest)).filter(|number| !number.is_empty())
    })?;
    let source = &reading.spec.sources.file(reading.file).text;
    let written = source.get(item.text.at.clone())?.trim_start();
    let own = digits(written);
    let is_counted = !own.is_empty() && written[own.len()..].starts_with(['.', ')']) && item.depth == 0;
    is_counted.then(|| format!("R{number}.{own}"))
}

/// Whether an item is a box to tick in a document of requirements: `- [ ] Balance > 0`.
fn is_box_of_requirements(reading: &DocumentReading<'_>, item: &ItemBlock) -> bool {
    reading.kind == DocumentKind::Requirements && is_boxed(reading, item)
}

/// Whether an item has a box to tick.
pub(super) fn is_boxed(reading: &DocumentReading<'_>, item: &ItemBlock) -> bool {
    Tick::of(&reading.spec.sources.file(reading.file).text, item).is_some()
}

/// Whether an item has a box that is not ticked: it tells nothing of the past, however its words are read.
pub(super) fn is_open_box(reading: &DocumentReading<'_>, item: &ItemBlock) -> bool {
    Tick::of(&reading.spec.sources.file(reading.file).text, item) == Some(Tick::Open)
}

/// Whether a text has one of the forms of a criterion: a scenario, an obligation, a comparison with a number.
fn is_testable(text: &str) -> bool {
    let lower = text.to_lowercase();
    let obliges = lower.split_whitespace().any(|word| matches!(word, "should" | "must" | "can" | "will"));
    let compares = text
        .split(['<', '>', '=', '≤', '≥'])
        .skip(1)
        .any(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    obliges || compares || is_scenario(text)
}

/// Whether an item is not a criterion itself but introduces those below it.
fn introduces_criteria(tree: &SectionTree, block: usize) -> bool {
    tree.item(block).is_none_or(|item| item.text.is_label())
        || tree.children(block).any(|child| marked_criterion(&child.text.text).is_some())
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

/// Where each sentence of a text begins. Marks and line breaks are not in the sentences, so only their first words are
/// looked for, each behind the one before.
pub(super) fn sentence_places(
    reading: &DocumentReading<'_>,
    words: &RunningText,
    stated: &[&str],
) -> Vec<Span> {
    let source = &reading.spec.sources.file(reading.file).text;
    let mut at = words.at.start;
    let mut place = |sentence: &&str| {
        let first = sentence.split([' ', '\n']).next().unwrap_or_default();
        let found = source.get(at..words.at.end).and_then(|rest| rest.find(first)).map(|n| at + n);
        let start = found.unwrap_or(at);
        at = source.ceil_char_boundary((start + sentence.len() * 3 / 4).min(words.at.end));
        reading.span(&(start..words.at.end.max(start)))
    };
    stated.iter().map(&mut place).collect()
}

/// The sentences under a heading about criteria that lists none.
fn prose(reading: &mut DocumentReading<'_>, block: &DocumentBlock, words: &RunningText) {
    let lists = |b: &DocumentBlock| matches!(b.content, BlockContent::Item(_) | BlockContent::Table(_));
    if reading.tree.own_blocks(block.section).iter().any(lists) {
        return;
    }
    let stated = sentences(&words.text);
    for (sentence, span) in stated.iter().zip(sentence_places(reading, words, &stated)) {
        if sentence.split_whitespace().count() > 2 && !sentence.ends_with([':', '?']) {
            reading.claim(block);
            let (text, form) = ((*sentence).to_owned(), CriterionForm::Sentence);
            push(
                reading,
                block.section,
                CriterionDraft { id: None, text, detail: String::new(), form, span },
            );
        }
    }
}

/// Whether a paragraph is an item of a list without marks: under a heading about requirements, every paragraph is a line or two.
fn is_unmarked_item(reading: &DocumentReading<'_>, block: &DocumentBlock, topic: Option<Topic>) -> bool {
    const FEWEST: usize = 3;
    const LONGEST: usize = 240;
    let tree = reading.tree;
    let own = tree.own_blocks(block.section);
    let is_short = |b: &DocumentBlock| {
        let text = match &b.content {
            BlockContent::Paragraph(text) => text,
            BlockContent::Item(_) | BlockContent::Table(_) | BlockContent::Code(_) => return false,
        };
        let words = text.text.split_whitespace().count();
        let is_quoted = text.text.starts_with(['"', '“']);
        words > 2
            && text.text.len() <= LONGEST
            && sentences(&text.text).len() <= 2
            && !text.is_label()
            && !is_quoted
    };
    topic == Some(Topic::Requirements)
        && !explains_requirement(reading, block)
        && own.len() >= FEWEST
        && own.iter().all(is_short)
}

fn paragraph(reading: &mut DocumentReading<'_>, block: &DocumentBlock, words: &RunningText) {
    let text = words.text.trim();
    let topic = effective_topic(reading.tree, block);
    if states_requirements(topic) && requirement_lines(reading, block, words) {
        return;
    }
    let asks = matches!(topic, Some(Topic::Criteria | Topic::Requirements | Topic::Stories) | None);
    let in_bold = || words.bold.as_deref().is_some_and(|b| ids::requirement(b).is_some());
    let stated = ids::requirement(text)
        .filter(|(_, rest)| rest.split_whitespace().count() > 2 && states_requirements(topic) && in_bold());
    let (id, text, form) = if let Some((id, rest)) = stated {
        (Some(id), rest, form(rest))
    } else if asks && (is_ears(text) || is_scenario(text)) && !explains_requirement(reading, block) {
        (None, text, form(text))
    } else if let Some(rest) = marked_criterion(text) {
        (None, rest, CriterionForm::Item)
    } else if is_unmarked_item(reading, block, topic) {
        (None, text, form(text))
    } else {
        if topic == Some(Topic::Criteria) {
            prose(reading, block, words);
        }
        return;
    };
    reading.claim(block);
    let span = reading.span(&words.at);
    let draft = CriterionDraft { id, text: text.to_owned(), detail: String::new(), form, span };
    push(reading, block.section, draft);
}

/// Lines of one paragraph that begin with ids of their own, each with the lines that go on after it. Returns whether there are
/// several.
fn requirement_lines(reading: &mut DocumentReading<'_>, block: &DocumentBlock, words: &RunningText) -> bool {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in words.lines() {
        match ids::requirement(line).filter(|(_, rest)| rest.split_whitespace().count() > 2) {
            Some((id, rest)) => found.push((id, rest.to_owned())),
            None => match found.last_mut() {
                Some((_, text)) => text.push_str(&format!(" {}", line.trim())),
                None => return false,
            },
        }
    }
    if found.len() < 2 {
        return false;
    }
    reading.claim(block);
    let source = &reading.spec.sources.file(reading.file).text;
    let mut starts: Vec<usize> = Vec::new();
    for (id, _) in &found {
        let from = starts.last().map_or(words.at.start, |last| last + 1);
        let rest = source.get(from..words.at.end).unwrap_or_default();
        starts.push(from + rest.find(id.as_str()).unwrap_or(0));
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([words.at.end]).collect();
    for (((id, text), start), end) in found.into_iter().zip(starts).zip(ends) {
        let (form, span) = (form(&text), reading.span(&(start..end)));
        let draft = CriterionDraft { id: Some(id), text, detail: String::new(), form, span };
        push(reading, block.section, draft);
    }
    true
}

fn rows(reading: &mut DocumentReading<'_>, block: &DocumentBlock, table: &DocumentTable) {
    let columns = TableColumns::from_table(table);
    let topic = effective_topic(reading.tree, block);
    let is_other =
        columns.names_files() || columns.has(ColumnMeaning::Risk) || columns.has(ColumnMeaning::Task);
    let wanted = matches!(topic, Some(Topic::Criteria | Topic::Requirements))
        && !is_other
        && !explains_requirement(reading, block);
    for row in &table.rows {
        let Some(first) = row.first() else { continue };
        let id = ids::only_requirement(&first.text);
        if !(wanted || (id.is_some() && states_requirements(topic) && !columns.names_files())) {
            continue;
        }
        let text = row_text(&columns, row, id.is_some());
        if text.is_empty() {
            continue;
        }
        let end = row.last().map_or(first.at.end, |c| c.at.end);
        let span = reading.span(&(first.at.start..end.max(first.at.end)));
        reading.claim(block);
        let (detail, form) = (String::new(), CriterionForm::Row);
        push(reading, block.section, CriterionDraft { id, text, detail, form, span });
    }
}

/// What a row requires: the requirement and the target beside it, else all its cells.
fn row_text(columns: &TableColumns, row: &[RunningText], has_id: bool) -> String {
    let skip = |c: usize| (has_id && c == 0) || columns.find(ColumnMeaning::Priority) == Some(c);
    let asked = columns.first(row, &[ColumnMeaning::Requirement, ColumnMeaning::Title]);
    let target = columns.first(row, &[ColumnMeaning::Target]);
    match (asked, target) {
        (Some(asked), Some(target)) => format!("{}: {}", asked.text, target.text),
        (Some(asked), None) if row.len() > 2 => asked.text.clone(),
        _ => {
            let cells = row.iter().enumerate().filter(|(c, _)| !skip(*c)).map(|(_, cell)| cell.text.as_str());
            cells.filter(|t| !is_blank(t)).collect::<Vec<_>>().join(": ")
        }
    }
}
