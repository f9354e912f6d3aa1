//! The default: where something is built, every item, row, sentence and commented listing that no other reader made a
//! criterion of is one, unless its kind says otherwise. Where the whole is only introduced, what says how it behaves counts.
//!
//! Reasons, history and other people's work are left alone (`ground`), and so is what readers before have put elsewhere.

use super::behaviour::{
    add, asks_for_work, introduces, introduces_all, is_name_only, labelled, purpose, says_behaviour, says_why,
};
use super::behavioural_rows::{lists_people, states_model};
use super::criteria::{CriterionDraft, holds_cases, is_boxed, names_value, sentence_places, speaks_alone};
use super::ground::{Ground, ground, reports_fault};
use super::outline;
use super::references::{leads_elsewhere, refers};
use super::story_extents::{StoriesAround, extents};
use super::wish_lists::orders_headings;
use super::{listing_comments, minutes, payloads};
use crate::spec::document::{
    BlockContent, CodeListing, DocumentBlock, DocumentTable, ItemBlock, RunningText,
};
use crate::spec::model::{Component, CriterionForm, Remark};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{
    ColumnMeaning, TableColumns, Topic, asks_labelled, binds, binds_everything, binds_in_foreign_words, ids,
    is_blank, is_errand, is_foreign_statement, is_report, is_story, names_technology, orders_behaviour,
    orders_in_a_clause, paths, states_behaviour, tells_the_past, tells_what, we_want,
};
use windlass_core::diagnostic::Span;

/// An item with fewer words names something; several of them are one statement.
const SPEAKS: usize = 4;

/// The most statements of one listing.
const MOST_COMMENTS: usize = 24;

/// How much of a text counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Share {
    /// Everything that says something.
    All,
    /// What says how the program behaves, or orders it.
    Behaviour,
    /// What binds, or says what the program can do.
    Binding,
    /// What binds.
    Obliging,
}

/// Adds what is left of a document.
pub(in crate::spec) fn collect_remaining(reading: &mut DocumentReading<'_>) {
    // In minutes only what was agreed counts.
    if !asks_for_work(reading) || !minutes::attendees(reading.tree).is_empty() {
        return;
    }
    let extents = extents(reading);
    let is_strict = reports_fault(reading.tree);
    if !is_strict {
        state_responsibilities(reading);
    }
    let is_planned = !reading.spec.tasks.is_empty() || outline::names_parts(reading, 0);
    let known = KnownPlaces::of(reading);
    let is_bare = !reading.spec.criteria.iter().any(|c| c.span.file == reading.file);
    let length = |wanted: Ground| -> usize {
        let there = reading.tree.wanted_blocks().filter(|b| ground(reading.tree, b) == wanted);
        let written = |b: &DocumentBlock| match &b.content {
            BlockContent::Table(_) => b.at.len(),
            BlockContent::Paragraph(_) | BlockContent::Item(_) => {
                b.running_text().map_or(0, |t| t.text.len())
            }
            BlockContent::Code(_) => 0,
        };
        there.map(written).sum()
    };
    let builds = length(Ground::Built) * 2 > length(Ground::Ruled);
    let has_things = !extents.is_empty();
    let setting = DocumentSetting { is_strict, builds, is_planned, is_bare, has_things };
    let mut around = StoriesAround::new(extents);
    let mut short = ShortItems::default();
    let tree = reading.tree;
    for block in tree.wanted_blocks() {
        let story = around.story(block.at.start);
        let Some(share) = setting.share(reading, block, story.is_some()) else { continue };
        if lists_tasks(reading, block, is_bare) || tree.enclosing_task(block.section).is_some() {
            continue;
        }
        // What a reader has made something else of is read; tables of phases and descriptions of files still say what is wanted.
        let is_phase_table = matches!(block.content, BlockContent::Table(_))
            && matches!(tree.topic(block), Some(Topic::Phases | Topic::Background));
        // A model that is a thing of its own is wanted with its fields.
        if let (BlockContent::Table(table), Some(story)) = (&block.content, &story)
            && states_model(reading, block, table, story)
        {
            continue;
        }
        let is_half_read = match &block.content {
            BlockContent::Paragraph(_) => known.are_sentences(block),
            BlockContent::Code(_) => known.inside(block).is_empty(),
            BlockContent::Table(_) => is_phase_table,
            BlockContent::Item(_) => reading.is_description(block),
        };
        if reading.is_claimed(block) && !is_half_read {
            continue;
        }
        let place = RemainingBlock { block, story: story.as_ref(), share };
        match &block.content {
            BlockContent::Item(item) => remaining_item(reading, &place, item, &known, &mut short),
            BlockContent::Paragraph(text) => remaining_sentences(reading, &place, text, &known),
            BlockContent::Table(table) => remaining_rows(reading, &place, table, &known),
            BlockContent::Code(code) => comments(reading, &place, code, &known),
        }
    }
    short.state(reading);
    outline::drop_empty(reading);
}

/// What is known of a document before the rest of it is read.
struct DocumentSetting {
    /// It reports a fault.
    is_strict: bool,
    /// More of it is about what is built than about rules.
    builds: bool,
    /// It names tasks or parts with files.
    is_planned: bool,
    /// It has no criteria yet.
    is_bare: bool,
    has_things: bool,
}

impl DocumentSetting {
    /// How much of a block counts, by its place. `is_owned`: whether it belongs to a story.
    fn share(&self, reading: &DocumentReading<'_>, block: &DocumentBlock, is_owned: bool) -> Option<Share> {
        let tree = reading.tree;
        Some(match ground(tree, block) {
            Ground::Aside => return None,
            Ground::Built | Ground::Introduced if is_ordered_list(block) => Share::All,
            Ground::Built if introduces_all(reading, block) => Share::Obliging,
            // Where nothing but rules is there, they are what is wanted.
            Ground::Ruled if !self.builds && !self.is_planned => Share::All,
            Ground::Ruled => Share::Binding,
            // Where something else is stated, tests are a part of it.
            Ground::Checked if self.is_strict || self.is_planned || !self.is_bare => return None,
            Ground::Checked => Share::All,
            Ground::Built | Ground::Introduced if is_owned => Share::All,
            // Milestones name what is said elsewhere.
            Ground::Built if self.has_things && tree.topic(block) == Some(Topic::Phases) => Share::Binding,
            Ground::Built if !self.is_strict => Share::All,
            Ground::Introduced if opens_with_boxes(reading, block) => Share::All,
            Ground::Introduced if self.is_bare && !introduces_all(reading, block) => Share::All,
            Ground::Introduced if self.is_strict => return None,
            // What the things say one by one is only told in short there.
            Ground::Introduced if self.has_things => Share::Obliging,
            Ground::Introduced if introduces_all(reading, block) => Share::Binding,
            Ground::Built | Ground::Introduced => Share::Behaviour,
        })
    }
}

/// Whether a block is an item behind a line that orders or binds: `The tool must:`, `Build a library with:`.
fn is_ordered_list(block: &DocumentBlock) -> bool {
    let label = block.label.as_deref().unwrap_or_default().trim_end_matches([':', '：', ' ']);
    let is_said = label.split_whitespace().count() > 1 && !is_errand(label);
    let obliges = label
        .split_whitespace()
        .any(|w| matches!(w.trim_matches('*'), "must" | "shall" | "should" | "MUST" | "SHALL"));
    matches!(block.content, BlockContent::Item(_)) && is_said && (obliges || orders_behaviour(label))
}

/// Whether a block stands before every heading of a document that has no title and begins with boxes to tick: a list of wishes,
/// with other things below it.
fn opens_with_boxes(reading: &DocumentReading<'_>, block: &DocumentBlock) -> bool {
    let tree = reading.tree;
    let is_untitled = tree.sections[block.section].level == 0 && !tree.sections.iter().any(|s| s.is_title);
    let is_box = |b: &DocumentBlock| tree.item(b.index).is_some_and(|item| is_boxed(reading, item));
    is_untitled && tree.own_blocks(block.section).iter().any(is_box)
}

/// A block, the story around it, and how much of it counts.
struct RemainingBlock<'b> {
    block: &'b DocumentBlock,
    story: Option<&'b String>,
    share: Share,
}

/// Where facts of a document begin, with the text of those that are statements.
struct KnownPlaces(Vec<KnownFact>);

struct KnownFact {
    start: usize,
    /// Its text without marks.
    said: String,
    /// Whether it is a sentence of a text that has more of them.
    is_sentence: bool,
}

impl KnownPlaces {
    fn of(reading: &DocumentReading<'_>) -> KnownPlaces {
        let spec = &*reading.spec;
        let mut known: Vec<KnownFact> = Vec::new();
        let mut add = |span: Span, text: &str, is_sentence: bool| {
            if span.file == reading.file {
                known.push(KnownFact { start: span.start as usize, said: flat(text), is_sentence });
            }
        };
        for c in &spec.criteria {
            add(c.span, &format!("{} {}", c.text, c.detail), c.form == CriterionForm::Sentence);
        }
        let remarks = [&spec.exclusions, &spec.regressions, &spec.conventions, &spec.questions];
        remarks.into_iter().flatten().for_each(|r| add(r.span, &r.text, true));
        // A paragraph that a story begins with still says more.
        spec.stories.iter().for_each(|s| add(s.span, &s.text, s.text.is_empty()));
        spec.tasks.iter().for_each(|t| add(t.span, "", false));
        spec.files.iter().for_each(|f| add(f.span, "", false));
        spec.decisions.iter().for_each(|d| add(d.span, "", false));
        known.sort_by_key(|fact| fact.start);
        KnownPlaces(known)
    }

    /// The facts that begin inside a block.
    fn inside(&self, block: &DocumentBlock) -> &[KnownFact] {
        let from = self.0.partition_point(|fact| fact.start < block.at.start);
        let to = self.0.partition_point(|fact| fact.start < block.at.end.max(block.at.start + 1));
        &self.0[from..to]
    }

    /// Whether all that is known of a block are sentences of it.
    fn are_sentences(&self, block: &DocumentBlock) -> bool {
        let inside = self.inside(block);
        !inside.is_empty() && inside.iter().all(|fact| fact.is_sentence)
    }

    /// Whether a fact begins in a text.
    fn has(&self, text: &RunningText) -> bool {
        let from = self.0.partition_point(|fact| fact.start < text.at.start);
        self.0.get(from).is_some_and(|fact| fact.start < text.at.end)
    }

    /// Whether a fact of a block says a sentence.
    fn says(&self, block: &DocumentBlock, sentence: &str) -> bool {
        let wanted = flat(sentence);
        self.inside(block).iter().any(|fact| fact.said.contains(&wanted))
    }
}

/// A text without anything but its letters and digits, in lower case.
pub(super) fn flat(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a block stands in a phase whose items are tasks.
fn lists_tasks(reading: &DocumentReading<'_>, block: &DocumentBlock, is_bare: bool) -> bool {
    let is_phase = reading.tree.topic(block) == Some(Topic::Phases)
        || reading.tree.sections[block.section].meaning.phase.is_some();
    is_phase && (is_bare || !reading.spec.tasks.is_empty())
}

fn remaining_item(
    reading: &mut DocumentReading<'_>,
    place: &RemainingBlock<'_>,
    item: &ItemBlock,
    known: &KnownPlaces,
    short: &mut ShortItems,
) {
    let tree = reading.tree;
    let RemainingBlock { block, story, share } = place;
    let text = item.text.text.trim();
    let has_children = tree.children(block.index).next().is_some();
    let names_others = has_children && (introduces(&item.text) || is_name_only(&item.text));
    let parent = item.parent.and_then(|parent| tree.item(parent));
    // `Required option: …` begins like a report, too.
    let is_no_report = parent.is_some_and(holds_cases) || (parent.is_some() && names_value(text));
    let may = may_count(text) || (is_no_report && (tells_the_past(text) || is_report(text)));
    if known.has(&item.text) || !may || leads_elsewhere(reading, block, item) {
        return;
    }
    if names_others {
        whole_list(reading, place, item);
        return;
    }
    let says = says_behaviour(tree, block, text) || is_foreign_statement(text) || orders_in_a_clause(text);
    // What is below an item that says something itself is a detail of it, unless it says something alone.
    let explains = parent.is_some_and(|p| !introduces(&p.text) && !is_name_only(&p.text));
    let counts = match share {
        Share::All => says || !explains || speaks_alone(text),
        // What names code in an introduction is about what is built.
        Share::Behaviour => says || (ground(tree, block) == Ground::Introduced && text.contains('`')),
        Share::Binding | Share::Obliging => binds(text),
    };
    if !counts || (reading.is_description(block) && !says) {
        return;
    }
    let is_edge = tree.heading(block.section).to_lowercase().contains("edge case");
    // What names a file is about that file alone.
    let is_short = text.split_whitespace().count() < SPEAKS && paths::mentions(text).is_empty();
    if is_short && !says && !is_wide(text) {
        // What has text below it is what that text is about.
        let is_explained = tree.blocks.get(block.index + 1).is_some_and(|b| b.within == Some(block.index));
        if is_edge || is_explained {
            return;
        }
        short.take(reading, place, item);
        return;
    }
    reading.claim(block);
    let span = reading.span(&item.text.at);
    let text = labelled(text, parent);
    let children: Vec<&str> = tree.children(block.index).map(|c| c.text.text.as_str()).take(12).collect();
    let draft =
        CriterionDraft { id: None, text, detail: children.join("; "), form: CriterionForm::Item, span };
    add(reading, block, *story, draft);
}

/// An order that ends in a list of names is one statement with them: `Work in two modes: by day; by night`.
fn whole_list(reading: &mut DocumentReading<'_>, place: &RemainingBlock<'_>, item: &ItemBlock) {
    let tree = reading.tree;
    let block = place.block;
    let text = item.text.text.trim().trim_end_matches([':', '：', ' ']);
    let is_name = |c: &&ItemBlock| c.text.text.split_whitespace().count() < SPEAKS;
    let names: Vec<&str> =
        tree.children(block.index).map(|c| c.text.text.trim_end_matches([',', ';', '.'])).collect();
    let asks =
        !matches!(place.share, Share::Binding | Share::Obliging) && (orders_in_a_clause(text) || binds(text));
    if !asks
        || !introduces(&item.text)
        || names.is_empty()
        || !tree.children(block.index).all(|c| is_name(&c))
    {
        return;
    }
    reading.claim(block);
    for at in block.index + 1..tree.blocks.len() {
        match tree.item(at) {
            Some(child) if child.parent == Some(block.index) => reading.claim(&tree.blocks[at]),
            Some(_) | None => break,
        }
    }
    let (span, form) = (reading.span(&item.text.at), CriterionForm::Item);
    let text = format!("{text}: {}", names.join("; "));
    add(reading, block, place.story, CriterionDraft { id: None, text, detail: String::new(), form, span });
}

/// Whether an item may be a statement at all: neither a reason nor an errand, a link, a quotation, a question or a path.
fn may_count(text: &str) -> bool {
    let is_link = text.starts_with("http") || text.starts_with('@') || text.starts_with("See ");
    let is_quoted = text.starts_with(['"', '“']) && text.ends_with(['"', '”']);
    let bare = text.trim_matches(['`', '*', ' ']);
    let is_path = !bare.contains(' ') && paths::clean(bare).is_some();
    // `In: …` and `Out: …` draw a line.
    let draws_line =
        ["in:", "out:", "in scope:", "out of scope:"].iter().any(|w| text.to_lowercase().starts_with(w));
    let is_done = text.starts_with(['✅', '✔', '☑']) || tells_the_past(text);
    !(text.is_empty() || is_blank(text) || is_link || is_quoted || is_path || is_done || draws_line)
        && (!text.ends_with(['?', '？']) || asks_labelled(text))
        && !(says_why(text) || is_errand(text) || is_report(text) || is_story(text) || names_nothing(text))
}

/// Whether a text says that there is nothing: `None.`, `N/A`.
fn names_nothing(text: &str) -> bool {
    let lower = text.trim_end_matches('.').to_lowercase();
    matches!(lower.as_str(), "none" | "n/a" | "nothing" | "tbd" | "todo")
}

/// Whether a sentence says what the program can do: `The node can be told to …`.
fn says_can(text: &str) -> bool {
    states_behaviour(text) && text.split_whitespace().any(|word| matches!(word, "can" | "may" | "will"))
}

/// Whether a text in a script without spaces is long enough to say something.
fn is_wide(text: &str) -> bool {
    text.chars().filter(|c| *c >= '\u{3000}' && c.is_alphabetic()).count() >= 5
}

/// Items of a word or three: those of one list are one statement.
#[derive(Default)]
struct ShortItems(Vec<ShortList>);

struct ShortList {
    key: (usize, Option<String>, Option<usize>),
    block: usize,
    story: Option<String>,
    span: Span,
    texts: Vec<String>,
}

impl ShortItems {
    fn take(&mut self, reading: &mut DocumentReading<'_>, place: &RemainingBlock<'_>, item: &ItemBlock) {
        let block = place.block;
        let text = item.text.text.trim().trim_end_matches([',', ';', '.']).to_owned();
        reading.claim(block);
        let key = (block.section, block.label.clone(), item.parent);
        match self.0.iter_mut().find(|list| list.key == key) {
            Some(list) => list.texts.push(text),
            None => self.0.push(ShortList {
                key,
                block: block.index,
                story: place.story.cloned(),
                span: reading.span(&item.text.at),
                texts: vec![text],
            }),
        }
    }

    /// Adds a criterion for each list, behind what it is a list of.
    fn state(self, reading: &mut DocumentReading<'_>) {
        let tree = reading.tree;
        for list in self.0 {
            let (section, label, parent) = &list.key;
            let above = parent.and_then(|p| tree.item(p)).map(|p| p.text.text.as_str());
            let name = above.or(label.as_deref()).unwrap_or_else(|| tree.heading(*section));
            let name = name.trim_matches(['*', ':', '：', ' ']);
            if name.is_empty() {
                continue;
            }
            let text = format!("{name}: {}", list.texts.join("; "));
            let draft = CriterionDraft {
                id: None,
                text,
                detail: String::new(),
                form: CriterionForm::Item,
                span: list.span,
            };
            add(reading, &tree.blocks[list.block], list.story.as_ref(), draft);
        }
    }
}

fn remaining_sentences(
    reading: &mut DocumentReading<'_>,
    place: &RemainingBlock<'_>,
    words: &RunningText,
    known: &KnownPlaces,
) {
    let RemainingBlock { block, story, share } = place;
    let is_talk = says_why(&words.text) && purpose(words).is_none();
    if words.is_label() || is_story(&words.text) || is_talk || refers(reading, block, words) {
        return;
    }
    let stated = words.statements();
    let places = sentence_places(reading, words, &stated);
    let described = purpose(words);
    let is_built = match ground(reading.tree, block) {
        // Below the first heading the whole is introduced, whatever its level.
        Ground::Built | Ground::Checked => {
            block.section > 1 || reading.tree.sections[block.section].level > 1
        }
        Ground::Introduced => opens_with_boxes(reading, block),
        Ground::Ruled | Ground::Aside => false,
    };
    for (at, (sentence, span)) in stated.iter().zip(places).enumerate() {
        // `Purpose: Read the shelf`
        let told =
            described.filter(|_| at == 0).map(|label| sentence[label.len()..].trim_start_matches([':', ' ']));
        let text = told.unwrap_or(sentence).trim_end_matches([':', ' ']);
        // A box whose mark is not told from its text.
        let text = text.strip_prefix("-[ ]").map_or(text, str::trim_start);
        // Below a thing its place says that a sentence is about it, in any language.
        let is_placed = is_built && story.is_some();
        let is_foreign = is_foreign_statement(text);
        let is_talk = is_foreign && !is_placed && !binds_in_foreign_words(text);
        let counts = match share {
            Share::All | Share::Behaviour => {
                told.is_some_and(|told| told.split_whitespace().count() > 2)
                    || binds(text)
                    || orders_in_a_clause(text)
                    || we_want(text)
                    || (*share == Share::All && (states_behaviour(text) || (is_built && tells_what(text))))
                    || (is_placed && is_foreign)
            }
            Share::Binding => binds(text) || says_can(text),
            Share::Obliging => binds(text),
        };
        if !counts || is_talk || !may_count(text) || names_technology(text) || known.says(block, text) {
            continue;
        }
        reading.claim(block);
        if story.is_none() && binds_everything(text) {
            let heading = reading.tree.heading(block.section).to_owned();
            reading.spec.conventions.push(Remark { text: text.to_owned(), heading, span });
            continue;
        }
        let (text, form) = (text.to_owned(), CriterionForm::Sentence);
        let draft = CriterionDraft { id: None, text, detail: String::new(), form, span };
        add(reading, block, *story, draft);
    }
}

fn remaining_rows(
    reading: &mut DocumentReading<'_>,
    place: &RemainingBlock<'_>,
    table: &DocumentTable,
    known: &KnownPlaces,
) {
    let RemainingBlock { block, story, share } = place;
    let topic = reading.tree.topic(block);
    let is_open = matches!(topic, Some(Topic::Phases | Topic::Background))
        || (*share == Share::All && states_things(table));
    let is_known = !known.inside(block).is_empty() || orders_headings(reading.tree, block);
    if !is_open || is_known || table.head.len() < 2 {
        return;
    }
    let own = reading.tree.sections[block.section].meaning.topic;
    let is_plain = *share == Share::All && !matches!(own, Some(Topic::Phases | Topic::Background));
    let is_long = |text: &str| text.split_whitespace().count() >= SPEAKS || is_wide(text);
    let speaks = |text: &str| is_plain || states_behaviour(text) || (*share == Share::All && is_long(text));
    for row in &table.rows {
        let cells: Vec<&str> = row.iter().map(|c| c.text.as_str()).filter(|t| !is_blank(t)).collect();
        // An id refers to what is stated elsewhere.
        let is_model = |first: &RunningText| reading.spec.models.iter().any(|m| m.name == first.plain());
        let is_known = |first: &RunningText| ids::only_requirement(&first.text).is_some() || is_model(first);
        let Some(first) = row.first().filter(|first| !is_known(first)) else { continue };
        if cells.len() < 2
            || !cells.iter().any(|cell| speaks(cell))
            || cells.iter().any(|cell| !may_count(cell) && cell.contains('✅'))
        {
            continue;
        }
        reading.claim(block);
        let span = reading.span(&first.at);
        let (text, form) = (cells.join(": "), CriterionForm::Row);
        add(reading, block, *story, CriterionDraft { id: None, text, detail: String::new(), form, span });
    }
}

/// Whether the rows of a table say what is built: no files, risks, choices or addresses of bytes, and not a catalogue of data.
fn states_things(table: &DocumentTable) -> bool {
    use ColumnMeaning::{Choice, Decision, Mitigation, Phase, Risk};
    // A phase behind a thing says when it is wanted; rows that begin with one are the phases.
    let lists_phases = |columns: &TableColumns| columns.find(Phase) == Some(0);
    const WIDEST: usize = 5;
    let columns = TableColumns::from_table(table);
    let first = table.head.first().map(|head| head.text.trim().to_lowercase()).unwrap_or_default();
    let is_other =
        [Choice, Decision, Mitigation, Risk].into_iter().any(|c| columns.has(c)) || lists_phases(&columns);
    let is_layout =
        matches!(first.as_str(), "" | "step" | "offset" | "byte" | "bytes" | "bit" | "bits" | "position");
    table.head.len() <= WIDEST && !(columns.names_files() || is_other || is_layout || lists_people(table))
}

/// Adds what a listing says in words.
fn comments(
    reading: &mut DocumentReading<'_>,
    place: &RemainingBlock<'_>,
    code: &CodeListing,
    known: &KnownPlaces,
) {
    let RemainingBlock { block, story, share } = place;
    let heading = reading.tree.heading(block.section).to_lowercase();
    let label = block.label.as_deref().unwrap_or_default().to_lowercase();
    let is_example = [heading, label].iter().any(|text| text.contains("example"));
    // Beside things a listing shows a format for all of them.
    let is_beside = story.is_none() && !reading.spec.stories.is_empty();
    if is_example || is_beside || *share != Share::All || !known.inside(block).is_empty() {
        return;
    }
    let shown = payloads::statements(reading.tree, block, code);
    let said = if shown.is_empty() { listing_comments::statements(code) } else { shown };
    for text in said.into_iter().take(MOST_COMMENTS) {
        reading.claim(block);
        let span = reading.span(&code.at);
        let form = CriterionForm::Item;
        add(reading, block, *story, CriterionDraft { id: None, text, detail: String::new(), form, span });
    }
}

/// What a component is responsible for is wanted of it, where a table of components is all that says so.
fn state_responsibilities(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    let is_told = |c: &&Component| {
        let is_row = !tree.sections.iter().any(|s| reading.span(&s.title.at).start == c.span.start);
        c.span.file == reading.file
            && is_row
            && c.serves.is_empty()
            && c.responsibility.split_whitespace().count() > 2
            && !c.responsibility.contains(['✅', '⚠', '❌'])
    };
    let own: Vec<Component> = reading.spec.components.iter().filter(is_told).cloned().collect();
    for component in own {
        let at = component.span.start as usize;
        let next = tree.blocks.partition_point(|block| block.at.start <= at);
        let Some(block) = next.checked_sub(1).and_then(|n| tree.blocks.get(n)) else { continue };
        if !ground(tree, block).asks() {
            continue;
        }
        let text = format!("{}: {}", component.name, component.responsibility);
        let (form, span) = (CriterionForm::Row, component.span);
        add(reading, block, None, CriterionDraft { id: None, text, detail: String::new(), form, span });
    }
}
