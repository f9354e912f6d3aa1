//! The default: where something is built, every item, row, sentence and commented listing that no other reader made a
//! criterion of is one, unless its kind says otherwise. Where the whole is only introduced, what says how it behaves counts.
//!
//! Reasons, history and other people's work are left alone (`ground`), and so is what readers before have put elsewhere.

use super::behaviour::{
    add, asks_for_work, introduces, introduces_all, is_name_only, labelled, purpose, says_behaviour, says_why,
};
use super::behavioural_rows::{lists_people, states_model};
use super::criteria::{
    CriterionDraft, holds_cases, is_boxed, is_open_box, names_value, sentence_places, speaks_alone,
};
use super::ground::{Ground, ground, reports_fault};
use super::known_places::KnownPlaces;
use super::outline;
use super::references::{leads_elsewhere, refers};
use super::short_items::{SAYS, ShortItems, is_name, is_wide};
use super::story_extents::{StoriesAround, extents};
use super::wish_lists::orders_headings;
use super::{listing_comments, minutes, payloads};
use crate::spec::document::{
    BlockContent, CodeListing, DocumentBlock, DocumentTable, ItemBlock, RunningText, SectionTree,
};
use crate::spec::model::{Component, CriterionForm, Remark};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{
    ColumnMeaning, TableColumns, Topic, asks_labelled, binds, binds_everything, binds_in_foreign_words, ids,
    is_blank, is_errand, is_foreign_statement, is_report, is_story, names_technology, orders_behaviour,
    orders_in_a_clause, paths, sentences, states_behaviour, tells_the_past, tells_what, we_want,
};

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
        let is_whole = !setting.has_things;
        let place = RemainingBlock { block, story: story.as_ref(), share, is_whole };
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
            Ground::Built | Ground::Introduced if is_ordered_list(tree, block) => Share::All,
            Ground::Built if introduces_all(reading, block) => Share::Obliging,
            // Where nothing but rules is there, they are what is wanted.
            Ground::Ruled if !self.builds && !self.is_planned => Share::All,
            Ground::Ruled => Share::Binding,
            // Where something else is stated, tests are a part of it.
            Ground::Checked if self.is_strict || self.is_planned || !self.is_bare => return None,
            Ground::Checked => Share::All,
            Ground::Built | Ground::Introduced if is_owned => Share::All,
            // Milestones repeat what other sections state.
            Ground::Built
                if self.has_things
                    && tree.topic(block) == Some(Topic::Phases)
                    && !is_inside_phase(tree, block.section) =>
            {
                Share::Binding
            }
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

/// Whether a section that lists steps is a part of a phase: they are its work, and no plan of the whole.
fn is_inside_phase(tree: &SectionTree, section: usize) -> bool {
    let parent = tree.sections[section].parent.map(|parent| &tree.sections[parent]);
    parent.is_some_and(|parent| parent.meaning.phase.is_some())
        && tree.sections[section].meaning.phase.is_none()
}

/// Whether a block is an item behind a line that orders or binds: `The tool must:`, `Build a library with:`.
fn is_ordered_list(tree: &SectionTree, block: &DocumentBlock) -> bool {
    if !matches!(block.content, BlockContent::Item(_)) {
        return false;
    }
    // A long sentence that ends in a colon introduces its list, too.
    let own = tree.own_blocks(block.section).iter().rev();
    let before = own.filter(|b| b.index < block.index).find(|b| tree.item(b.index).is_none());
    let lead = before.and_then(DocumentBlock::running_text).map(|text| text.text.trim());
    let lead =
        lead.filter(|text| text.ends_with([':', '：'])).and_then(|text| sentences(text).last().copied());
    let label = block.label.as_deref().or(lead).unwrap_or_default().trim_end_matches([':', '：', ' ']);
    let is_said = label.split_whitespace().count() > 1 && !is_errand(label);
    let obliges = label
        .split_whitespace()
        .any(|w| matches!(w.trim_matches('*'), "must" | "shall" | "should" | "MUST" | "SHALL"));
    is_said && (obliges || orders_behaviour(label))
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
pub(super) struct RemainingBlock<'b> {
    pub(super) block: &'b DocumentBlock,
    pub(super) story: Option<&'b String>,
    share: Share,
    /// The document is about one thing.
    is_whole: bool,
}

/// A text without anything but its letters and digits, in lower case.
pub(super) fn flat(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a block stands in a phase whose items are tasks.
fn lists_tasks(reading: &DocumentReading<'_>, block: &DocumentBlock, is_bare: bool) -> bool {
    let is_phase = reading.tree.topic(block) == Some(Topic::Phases)
        || reading.tree.sections[block.section].meaning.phase.is_some();
    let is_part = is_inside_phase(reading.tree, block.section) && !is_bare;
    is_phase && !is_part && (is_bare || !reading.spec.tasks.is_empty())
}

fn remaining_item(
    reading: &mut DocumentReading<'_>,
    place: &RemainingBlock<'_>,
    item: &ItemBlock,
    known: &KnownPlaces,
    short: &mut ShortItems,
) {
    let tree = reading.tree;
    let RemainingBlock { block, story, share, .. } = place;
    let text = item.text.text.trim();
    let has_children = tree.children(block.index).next().is_some();
    let names_others = has_children && (introduces(&item.text) || is_name_only(&item.text));
    let parent = item.parent.and_then(|parent| tree.item(parent));
    // `Required option: …` begins like a report, too.
    let is_no_report = parent.is_some_and(holds_cases)
        || (parent.is_some() && names_value(text))
        || is_open_box(reading, item);
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
    if is_name(text) && !says {
        // What has text below it is what that text is about.
        let is_explained = tree.blocks.get(block.index + 1).is_some_and(|b| b.within == Some(block.index));
        if is_edge || is_explained {
            return;
        }
        if short.lists_words(reading, place, item) {
            short.take(reading, place, item);
            return;
        }
    }
    reading.claim(block);
    let span = reading.span(&item.text.at);
    let text = behind_its_label(&labelled(text, parent), block);
    let children: Vec<&str> = tree.children(block.index).map(|c| c.text.text.as_str()).take(12).collect();
    let draft =
        CriterionDraft { id: None, text, detail: children.join("; "), form: CriterionForm::Item, span };
    add(reading, block, *story, draft);
}

/// A name behind the line that introduces it: `Errors: No network`.
fn behind_its_label(text: &str, block: &DocumentBlock) -> String {
    const LONGEST: usize = 5;
    let label = block.label.as_deref().unwrap_or_default().trim_matches(['*', ':', '：', ' ']);
    let is_name = text.split_whitespace().count() < SAYS && !text.contains(": ");
    let labels = !label.is_empty() && label.split_whitespace().count() <= LONGEST;
    if is_name && labels { format!("{label}: {text}") } else { text.to_owned() }
}

/// An order that ends in a list of names is one statement with them: `Work in two modes: by day; by night`.
fn whole_list(reading: &mut DocumentReading<'_>, place: &RemainingBlock<'_>, item: &ItemBlock) {
    let tree = reading.tree;
    let block = place.block;
    let text = item.text.text.trim().trim_end_matches([':', '：', ' ']);
    let is_few = |c: &&ItemBlock| c.text.text.split_whitespace().count() < SAYS;
    let names: Vec<&str> =
        tree.children(block.index).map(|c| c.text.text.trim_end_matches([',', ';', '.'])).collect();
    let asks =
        !matches!(place.share, Share::Binding | Share::Obliging) && (orders_in_a_clause(text) || binds(text));
    if !asks || !introduces(&item.text) || names.is_empty() || !tree.children(block.index).all(|c| is_few(&c))
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

/// Whether a line gives a name a value with a number: `Read timeout: 30 seconds`.
fn is_labelled_value(text: &str) -> bool {
    const LONGEST: usize = 4;
    text.split_once(": ").is_some_and(|(label, value)| {
        label.split_whitespace().count() <= LONGEST && value.contains(|c: char| c.is_ascii_digit())
    })
}

/// Whether a line begins with a label below which nothing is asked for: `Problem: pages are lost`.
fn is_labelled_aside(text: &str) -> bool {
    use Topic::{Background, Excluded, Metrics, Risks};
    let label = text.split_once([':', '：']).map(|(label, _)| label);
    label.and_then(Topic::from_title).is_some_and(|t| matches!(t, Background | Excluded | Metrics | Risks))
}

/// Whether a line that ends in a colon orders what the listing behind it shows: `Run the statements of a file:`.
fn orders_what_is_shown(reading: &DocumentReading<'_>, block: &DocumentBlock, words: &RunningText) -> bool {
    let next = reading.tree.blocks.get(block.index + 1).filter(|next| next.section == block.section);
    let is_shown = next.is_some_and(|next| matches!(next.content, BlockContent::Code(_)));
    is_shown && orders_behaviour(words.text.trim_end_matches([':', '：', ' ']))
}

fn remaining_sentences(
    reading: &mut DocumentReading<'_>,
    place: &RemainingBlock<'_>,
    words: &RunningText,
    known: &KnownPlaces,
) {
    let RemainingBlock { block, story, share, is_whole } = place;
    let is_talk = says_why(&words.text) && purpose(words).is_none();
    let is_label = words.is_label() && !orders_what_is_shown(reading, block, words);
    if is_label || is_story(&words.text) || is_talk || refers(reading, block, words) {
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
        // Below a thing its place says that a sentence is about it, in any language; so does the place in a document about one thing.
        let is_placed = is_built && (story.is_some() || *is_whole);
        // What stands below the name of a function is about it: `Stake a token.`
        let is_of_code = is_built && story.is_some() && reading.tree.heading(block.section).starts_with('`');
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
                    || (is_placed && stated.len() > 1 && is_labelled_value(text))
                    || (is_of_code && text.split_whitespace().count() > 1)
            }
            Share::Binding => binds(text) || says_can(text),
            Share::Obliging => binds(text),
        };
        let is_aside = reading.tree.is_of_form(block.section) && is_labelled_aside(text);
        if !counts
            || is_talk
            || is_aside
            || !may_count(text)
            || names_technology(text)
            || known.says(block, text)
        {
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
    let RemainingBlock { block, story, share, .. } = place;
    let topic = reading.tree.topic(block);
    let is_open = matches!(topic, Some(Topic::Phases | Topic::Background))
        || (*share == Share::All && states_things(table, story.is_some()));
    let is_known = !known.inside(block).is_empty() || orders_headings(reading.tree, block);
    if !is_open || is_known || table.head.len() < 2 {
        return;
    }
    let own = reading.tree.sections[block.section].meaning.topic;
    let is_plain = *share == Share::All && !matches!(own, Some(Topic::Phases | Topic::Background));
    let is_long = |text: &str| text.split_whitespace().count() >= SAYS || is_wide(text);
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
fn states_things(table: &DocumentTable, is_owned: bool) -> bool {
    use ColumnMeaning::{Choice, Decision, Mitigation, Phase, Risk};
    // A phase behind a thing says when it is wanted; rows that begin with one are the phases.
    let lists_phases = |columns: &TableColumns| columns.find(Phase) == Some(0);
    const WIDEST: usize = 5;
    let columns = TableColumns::from_table(table);
    let first = table.head.first().map(|head| head.text.trim().to_lowercase()).unwrap_or_default();
    let is_other =
        [Choice, Decision, Mitigation, Risk].into_iter().any(|c| columns.has(c)) || lists_phases(&columns);
    // The layout of a thing that is built is wanted of it.
    let is_layout = matches!(first.as_str(), "" | "step")
        || (!is_owned && matches!(first.as_str(), "offset" | "byte" | "bytes" | "bit" | "bits" | "position"));
    table.head.len() <= WIDEST && !(columns.names_files() || is_other || is_layout || lists_people(table))
}

/// Adds what a listing says in words.
fn comments(
    reading: &mut DocumentReading<'_>,
    place: &RemainingBlock<'_>,
    code: &CodeListing,
    known: &KnownPlaces,
) {
    let RemainingBlock { block, story, share, .. } = place;
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
    if said.is_empty() {
        state_drawing(reading, place, code);
        return;
    }
    let source = &reading.spec.sources.file(reading.file).text;
    let places = listing_places(source.get(code.at.clone()).unwrap_or_default(), &said);
    for (text, place) in said.into_iter().zip(places).take(MOST_COMMENTS) {
        reading.claim(block);
        let span = reading.span(&(code.at.start + place..code.at.end));
        let form = CriterionForm::Item;
        add(reading, block, *story, CriterionDraft { id: None, text, detail: String::new(), form, span });
    }
}

/// Where in a listing each statement begins: at the next line whose words it holds, else where the one before begins.
fn listing_places(listing: &str, said: &[String]) -> Vec<usize> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    for line in listing.split_inclusive('\n') {
        lines.push((at, flat(line)));
        at += line.len();
    }
    let mut next = 0;
    let mut place = 0;
    let mut found = Vec::with_capacity(said.len());
    for text in said {
        let wanted = flat(text);
        let holds = |(_, line): &&(usize, String)| {
            line.len() > 2 && (wanted.contains(line.as_str()) || line.contains(&wanted))
        };
        if let Some(offset) = lines[next..].iter().position(|line| holds(&line)) {
            place = lines[next + offset].0;
            next += offset + 1;
        }
        found.push(place);
    }
    found
}

/// A drawing behind a name shows what the name stands for: `Match token:` with its bytes in boxes.
fn state_drawing(reading: &mut DocumentReading<'_>, place: &RemainingBlock<'_>, code: &CodeListing) {
    const LONGEST: usize = 4;
    const SHOWN: usize = 800;
    let block = place.block;
    let label = block.label.as_deref().unwrap_or_default().trim_matches(['*', ':', '：', ' ']);
    let words = label.split_whitespace().count();
    let is_drawn = code.info.is_empty() && code.text.contains(['│', '┌', '+']) && code.text.len() <= SHOWN;
    let before = block.index.checked_sub(1).and_then(|at| reading.tree.blocks.get(at));
    let is_next = before.and_then(DocumentBlock::running_text).is_some_and(|text| text.text.contains(label));
    if place.story.is_none() || !is_drawn || !(2..=LONGEST).contains(&words) || !is_next {
        return;
    }
    reading.claim(block);
    let (span, form) = (reading.span(&code.at), CriterionForm::Example);
    let (text, detail) = (label.to_owned(), code.text.trim_end().to_owned());
    add(reading, block, place.story, CriterionDraft { id: None, text, detail, form, span });
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
