//! Behaviour in prose: what is said below a story or feature, and, in documents without criteria, every sentence, item
//! or row that says what the program does. Each becomes a criterion; an example of input and output becomes one, too.

use std::collections::HashSet;
use windlass_core::path_text::file_name;

use super::behavioural_lists::{BehaviouralLists, NounList};
use super::behavioural_rows::{lists_endpoints, row_behaviour};
use super::criteria::{CriterionDraft, about_code, holds_cases, push, sentence_places, speaks_alone};
use super::features::is_aside;
use super::ground::{Ground, reports_fault, section_ground};
use super::interfaces::method_and_route;
use super::references::{leads_elsewhere, refers};
use super::story_extents::{StoriesAround, StoryExtent, extents};
use super::{examples, minutes};
use crate::spec::document::{
    BlockContent, DocumentBlock, DocumentSection, ItemBlock, RunningText, SectionTree,
};
use crate::spec::model::{CriterionForm, DocumentKind, Remark, SpecCriterion};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{
    Topic, binds, binds_everything, binds_in_foreign_words, forbids_means, is_deferred, is_errand,
    is_foreign_statement, is_regression, is_story, labels_reason, names_technology, orders_behaviour, paths,
    puts_off, sentences, states_behaviour, tells_the_past, we_want,
};

/// The longest code block that goes with a sentence, in bytes.
const SHOWN: usize = 800;

/// How a text may say what is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StatementManner {
    /// In any words: below a story, or in a document that states nothing otherwise.
    Told,
    /// Beside stories or criteria: of running text only what binds counts.
    Beside,
}

/// Whether a block beside stories and criteria stands where behaviour is described, and not where parts and reasons are.
fn stands_beside(tree: &SectionTree, block: &DocumentBlock, of_file: bool) -> bool {
    use Topic::{Components, Endpoints, Requirements, Stories, Surface};
    let heading = tree.heading(block.section);
    let builds = match tree.topic(block) {
        None | Some(Endpoints | Requirements | Stories | Surface) => true,
        Some(Components) => of_file,
        Some(_) => is_part_of_model(tree, block),
    };
    let is_told = builds && !is_aside(heading) && section_ground(tree, block.section) != Ground::Ruled;
    let says_itself = is_expected(tree, block) || is_route_item(tree, block);
    tree.sections[block.section].is_part() && (is_told || says_itself)
}

/// Whether a block stands below a heading of its own in a section about data: how long it is kept, what it may hold.
fn is_part_of_model(tree: &SectionTree, block: &DocumentBlock) -> bool {
    tree.topic(block) == Some(Topic::Models) && tree.sections[block.section].meaning.topic.is_none()
}

/// A text without anything but its letters and digits, in lower case.
fn flat(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The name of a file without folder and ending, flat: `markdown-preprocessor.ts` is what `Markdown Preprocessor` is about.
fn flat_stem(path: &str) -> String {
    let name = file_name(path);
    flat(name.split('.').next().unwrap_or(name))
}

/// Whether an item of a section about tests says what is to come out: `A second upload → refused`.
fn is_expected(tree: &SectionTree, block: &DocumentBlock) -> bool {
    tree.topic(block) == Some(Topic::Tests)
        && tree
            .item(block.index)
            .is_some_and(|item| ["→", "⇒", "=>"].iter().any(|arrow| item.text.text.contains(arrow)))
}

/// Whether an item names a route and says what it answers with: `` `/api/progress` — goals and their state ``.
fn is_route_item(tree: &SectionTree, block: &DocumentBlock) -> bool {
    let text = tree.item(block.index).map(|item| item.text.text.trim()).unwrap_or_default();
    let route = text.strip_prefix('`').and_then(|rest| rest.split_once('`'));
    route.is_some_and(|(route, rest)| {
        route.starts_with('/')
            && !route.contains('.')
            && rest.trim_start().starts_with(['—', '–', '-', ':'])
            && rest.split_whitespace().count() > 2
    })
}

/// Whether a document says what is wanted: requirements, a decision where nothing else is there, a design on its own.
pub(super) fn asks_for_work(reading: &DocumentReading<'_>) -> bool {
    let is_alone = reading.kind == DocumentKind::Design
        && !reading.spec.documents.iter().any(|d| d.kind == DocumentKind::Requirements);
    reading.decides || is_alone || matches!(reading.kind, DocumentKind::Requirements | DocumentKind::Other)
}

/// Whether a criterion was stated as one. A sentence that happens to be a scenario does not make the rest of a document talk.
fn is_stated(c: &SpecCriterion) -> bool {
    let asks = |heading: &String| {
        let topic = Topic::from_title(heading);
        matches!(topic, Some(Topic::Criteria | Topic::Requirements | Topic::Stories))
    };
    c.form != CriterionForm::Scenario || c.given_id || c.story.is_some() || c.headings.iter().any(asks)
}

/// Adds the behaviour that a document describes.
pub(in crate::spec) fn collect_behaviour(reading: &mut DocumentReading<'_>) {
    let extents = extents(reading);
    let has_criteria = reading.spec.criteria.iter().any(|c| c.span.file == reading.file && is_stated(c));
    let asks = asks_for_work(reading);
    let speaks_plainly = !has_criteria && extents.is_empty() && asks;
    let is_strict = reports_fault(reading.tree);
    let files: HashSet<String> = reading.spec.files.iter().map(|f| flat_stem(&f.path)).collect();
    let manner = |story: Option<&String>, block: &DocumentBlock, tree: &SectionTree| {
        if story.is_some() || speaks_plainly {
            return Some(StatementManner::Told);
        }
        let heading = tree.heading(block.section);
        let of_file = !paths::named_in(heading).is_empty() || files.contains(&flat(heading));
        let beside = asks && stands_beside(tree, block, of_file);
        let manner = if is_strict && !of_file { StatementManner::Beside } else { StatementManner::Told };
        beside.then_some(manner)
    };
    collect_standing(reading);
    let tree = reading.tree;
    let lists = BehaviouralLists::of(reading);
    let mut around = StoriesAround::new(extents.clone());
    let people = minutes::attendees(tree);
    for block in tree.wanted_blocks() {
        if introduces_all(reading, block)
            || (reading.is_claimed(block) && !lists_endpoints(block) && !reading.decides)
            || !(may_state(tree.topic(block))
                || is_part_of_model(tree, block)
                || (reading.decides && decides(tree, block))
                || is_expected(tree, block)
                || is_route_item(tree, block))
        {
            continue;
        }
        let story = around.story(block.at.start);
        if block.running_text().is_some_and(|text| minutes::is_talk(&text.text, &people)) {
            continue;
        }
        let Some(manner) = manner(story.as_ref(), block, tree) else { continue };
        match &block.content {
            BlockContent::Item(item) => {
                item_behaviour(reading, block, item, story.as_ref(), (&lists, manner));
            }
            BlockContent::Paragraph(text) => prose_behaviour(reading, block, text, story.as_ref(), manner),
            BlockContent::Table(table) => row_behaviour(reading, block, table, story.as_ref()),
            BlockContent::Code(code) => {
                let drawn = examples::flow_steps(tree, block, code);
                for example in examples::read(code)
                    .into_iter()
                    .chain(examples::shown_result(reading, block))
                    .chain(drawn)
                {
                    let span = reading.span(&code.at);
                    reading.claim(block);
                    let (detail, form) = (example.detail, CriterionForm::Example);
                    add(
                        reading,
                        block,
                        story.as_ref(),
                        CriterionDraft { id: None, text: example.text, detail, form, span },
                    );
                }
            }
        }
    }
    drop_standing_stories(reading, &extents);
}

/// Whether a block stands below the title and introduces the whole.
pub(super) fn introduces_all(reading: &DocumentReading<'_>, block: &DocumentBlock) -> bool {
    let sections = &reading.tree.sections;
    // Parts that only say how it came about, or how to begin, leave the title to ask.
    let asks = |s: &DocumentSection| s.is_part() && s.meaning.topic != Some(Topic::Background);
    let is_of_whole = !sections[block.section].is_part() && sections.iter().any(asks);
    // A sentence above the stories of a part says in short what they say.
    let holds_story = |s: &DocumentSection| s.parent == Some(block.section) && s.meaning.story.is_some();
    let is_of_part = matches!(block.content, BlockContent::Paragraph(_)) && sections.iter().any(holds_story);
    is_of_whole || is_of_part
}

/// Whether a sentence binds everything: one of the introduction, or, where the document is not divided, a paragraph's that says
/// what may not be used.
fn binds_all(reading: &DocumentReading<'_>, block: &DocumentBlock, sentence: &str) -> bool {
    if introduces_all(reading, block) {
        return binds_everything(sentence);
    }
    let undivided = !reading.tree.sections.iter().any(DocumentSection::is_part);
    undivided && matches!(block.content, BlockContent::Paragraph(_)) && forbids_means(sentence)
}

/// Drops stories whose every statement asks to keep what exists: they want nothing new.
fn drop_standing_stories(reading: &mut DocumentReading<'_>, extents: &[StoryExtent]) {
    for StoryExtent { story, extent } in extents {
        let spec = &mut *reading.spec;
        let stays = spec
            .regressions
            .iter()
            .any(|remark| remark.span.file == reading.file && extent.contains(&(remark.span.start as usize)));
        if stays && !spec.criteria.iter().any(|c| c.story.as_ref() == Some(story)) {
            spec.stories.retain(|s| s.id != *story || !(s.text.trim().is_empty() || is_regression(&s.text)));
        }
    }
}

/// Adds what is to stay as it is, wherever it is said, rules for everything in the introduction, and what is wanted of
/// documents such as the README.
fn collect_standing(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    for block in tree.wanted_blocks() {
        let Some(text) = block.running_text().filter(|_| !reading.is_claimed(block)) else { continue };
        let asks = !matches!(tree.topic(block), Some(Topic::Background | Topic::Risks | Topic::Decisions));
        for sentence in sentences(&text.text).into_iter().filter(|_| asks) {
            let span = reading.span(&text.at);
            if names_technology(sentence) && !matches!(tree.topic(block), Some(Topic::Conventions)) {
                let heading = tree.heading(block.section).to_owned();
                let whole = sentences(&text.text).len() == 1;
                reading.spec.conventions.push(Remark { text: sentence.to_owned(), heading, span });
                if whole {
                    reading.claim(block);
                }
            } else if binds_all(reading, block, sentence) {
                let heading = tree.heading(block.section).to_owned();
                reading.spec.conventions.push(Remark { text: sentence.to_owned(), heading, span });
                reading.claim(block);
            } else if is_regression(sentence) {
                reading.claim(block);
                let heading = tree.heading(block.section).to_owned();
                reading.spec.regressions.push(Remark { text: sentence.to_owned(), heading, span });
            } else if wants_document(sentence) {
                reading.claim(block);
                let (text, form) = (sentence.to_owned(), CriterionForm::Sentence);
                push(
                    reading,
                    block.section,
                    CriterionDraft { id: None, text, detail: String::new(), form, span },
                );
            }
        }
    }
}

/// Whether a sentence asks for something in a document of the project: `The README mentions …`.
fn wants_document(sentence: &str) -> bool {
    let plain = sentence.replace('`', "");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let place = words.iter().position(|w| {
        matches!(w.trim_end_matches(['.', ',', ':']), "README" | "README.md" | "CHANGELOG" | "CHANGELOG.md")
    });
    let lower = plain.to_lowercase();
    let says = ["mention", "describe", "document", "list", "explain", "update", "show", "contain", "section"];
    let is_labelled = words.first().is_some_and(|w| w.ends_with(':'));
    let says = place == Some(0) && is_labelled || says.iter().any(|verb| lower.contains(verb));
    place.is_some() && words.len() > 2 && says
}

/// Whether a block of a record says what was decided or what follows from it.
fn decides(tree: &SectionTree, block: &DocumentBlock) -> bool {
    let heading = tree.heading(block.section).trim().to_lowercase();
    matches!(heading.as_str(), "decision" | "consequences" | "decision outcome" | "decision details")
}

/// Topics under which sentences say what is built.
fn may_state(topic: Option<Topic>) -> bool {
    use Topic::{Components, Endpoints, Phases, Requirements, Stories, Surface};
    topic.is_none_or(|topic| {
        matches!(topic, Components | Endpoints | Phases | Requirements | Stories | Surface)
    })
}

fn item_behaviour<'t>(
    reading: &mut DocumentReading<'t>,
    block: &'t DocumentBlock,
    item: &ItemBlock,
    story: Option<&String>,
    (lists, manner): (&BehaviouralLists<'t>, StatementManner),
) {
    let tree = reading.tree;
    if leads_elsewhere(reading, block, item) {
        reading.claim(block);
        return;
    }
    let agreed = minutes::agreed(&item.text.text);
    let text = agreed.unwrap_or(item.text.text.trim());
    let parent = item.parent.and_then(|p| tree.item(p));
    if agreed.is_some_and(binds_everything) {
        let heading = tree.heading(block.section).to_owned();
        let remark = Remark { text: text.to_owned(), heading, span: reading.span(&item.text.at) };
        reading.claim(block);
        reading.spec.conventions.push(remark);
        return;
    }
    // What is below an item that says something itself belongs to that item.
    let explains = parent.is_some_and(|p| !introduces(&p.text) && !is_name_only(&p.text));
    let introduces_others =
        tree.children(block.index).next().is_some() && (introduces(&item.text) || is_name_only(&item.text));
    let stated = says_behaviour(tree, block, text)
        || is_expected(tree, block)
        || is_route_item(tree, block)
        || lists.holds(block, item)
        || ((story.is_some() || !lists_work(tree, block)) && is_told(text, story, manner));
    let is_case = parent.is_some_and(holds_cases);
    let is_talk = says_why(text) || is_errand(text) || (tells_the_past(text) && !is_case);
    if explains || is_talk || (lists.reports(block, item) && !is_case) {
        // What says something alone is not only a detail of what is around it.
        if !(explains && (says_behaviour(tree, block, text) || speaks_alone(text))) {
            reading.claim(block);
        }
        return;
    }
    if let Some(nouns) = lists.nouns(block, item) {
        state_nouns(reading, block, story, nouns);
        return;
    }
    // A command with a paragraph below it is what the paragraph is about.
    let is_explained = is_whole_code(text)
        && tree.blocks.get(block.index + 1).is_some_and(|next| {
            next.within == Some(block.index) && matches!(next.content, BlockContent::Paragraph(_))
        });
    let has_own = is_explained || lists.has_own(reading.span(&item.text.at).start);
    if introduces_others || !stated || has_own || is_story(text) {
        return;
    }
    reading.claim(block);
    let children: Vec<&str> = tree.children(block.index).map(|c| c.text.text.as_str()).take(12).collect();
    let mut detail = children.join("; ");
    if detail.is_empty() {
        detail = shown_below(reading, block);
    }
    let span = reading.span(&item.text.at);
    let text = labelled(text.strip_prefix("What it does: ").unwrap_or(text), parent);
    let text = about_code(block, &text);
    add(reading, block, story, CriterionDraft { id: None, text, detail, form: CriterionForm::Item, span });
}

/// Whether a block stands in a phase: what that lists is its work, a task each.
fn lists_work(tree: &SectionTree, block: &DocumentBlock) -> bool {
    tree.sections[block.section].meaning.phase.is_some()
}

/// Whether an item counts by its place: below a story, or in a document that states nothing otherwise.
fn is_told(text: &str, story: Option<&String>, manner: StatementManner) -> bool {
    let words = text.split_whitespace().count();
    let fewest = if story.is_some() { 3 } else { 4 };
    let is_link = text.starts_with("http") || text.starts_with('@');
    // What is only quoted is an example.
    let is_quoted = text.starts_with(['"', '“']) && text.ends_with(['"', '”']);
    let is_told = manner == StatementManner::Told && !tells_the_past(text);
    !is_quoted && is_told && words >= fewest && !text.ends_with('?') && !is_link
}

/// Adds one criterion for a list of nouns: `Each order has: a date; an owner`.
fn state_nouns(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    story: Option<&String>,
    nouns: &NounList,
) {
    reading.claim(block);
    if nouns.first != block.index {
        return;
    }
    let span = reading.span(&block.at);
    let draft = CriterionDraft {
        id: None,
        text: nouns.text.clone(),
        detail: String::new(),
        form: CriterionForm::Item,
        span,
    };
    add(reading, block, story, draft);
}

/// Whether an item says what the program does, or orders it. Orders of a phase are its work.
pub(super) fn says_behaviour(tree: &SectionTree, block: &DocumentBlock, text: &str) -> bool {
    let is_work = lists_work(tree, block);
    let answers = text.split_whitespace().count() > 3 && method_and_route(&text.replace('`', "")).is_some();
    answers
        || sentences(text)
            .into_iter()
            .any(|sentence| states_behaviour(sentence) || (!is_work && orders_behaviour(sentence)))
}

/// Whether an item says why something is wanted, not what.
pub(super) fn says_why(text: &str) -> bool {
    let lower = text.trim_start_matches(['*', '_', ' ']).to_lowercase();
    let opens = [
        "why",
        "warum",
        "pourquoi",
        "por qué",
        "purpose:",
        "rationale",
        "priority rationale",
        "motivation",
        "justification:",
        "reason:",
    ];
    let label = lower.split_once(':').map(|(label, _)| label);
    opens.iter().any(|w| lower.starts_with(w)) || label.is_some_and(labels_reason)
}

/// The label of a paragraph that says what a thing is for: `Purpose: …`, `Description: …`.
pub(super) fn purpose(words: &RunningText) -> Option<&str> {
    let bold = words.bold.as_deref()?.trim();
    let label = bold.trim_end_matches([':', '：', ' ']);
    let is_told = matches!(
        label.to_lowercase().as_str(),
        "purpose"
            | "description"
            | "responsibility"
            | "responsibilities"
            | "role"
            | "function"
            | "behaviour"
            | "behavior"
            | "action"
            | "output"
            | "returns"
            | "what it does"
    );
    (is_told && words.text.starts_with(label)).then_some(label)
}

/// An item below a name is about that name: `Circle: the constructor prints …`.
pub(super) fn labelled(text: &str, parent: Option<&ItemBlock>) -> String {
    let names =
        |p: &&ItemBlock| is_name_only(&p.text) && Topic::from_title(&p.text.text) != Some(Topic::Criteria);
    let name = parent.filter(names).map(|p| p.text.text.trim_end_matches([':', ' ']));
    name.map_or_else(|| text.to_owned(), |name| format!("{name}: {text}"))
}

/// Whether a text only introduces what is below it.
pub(super) fn introduces(text: &RunningText) -> bool {
    text.text.trim().ends_with([':', '：'])
}

/// Whether a text is a name and says nothing about it.
pub(super) fn is_name_only(text: &RunningText) -> bool {
    text.is_label() || text.text.split_whitespace().count() <= 4 && !states_behaviour(&text.text)
}

fn prose_behaviour(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    words: &RunningText,
    story: Option<&String>,
    manner: StatementManner,
) {
    let is_aside = is_reason(words) || tells_the_test(reading, words, story);
    if is_story(&words.text) || is_aside || refers(reading, block, words) {
        return;
    }
    let shown = shown_below(reading, block);
    let stated = words.statements();
    let code = code_above(reading.tree, block);
    // A paragraph that begins with a name and a colon is about that name.
    let lead = stated.first().filter(|first| first.starts_with('`') && first.contains("`:")).copied();
    let places = sentence_places(reading, words, &stated);
    // Several orders in one paragraph are a list without marks.
    let heading = reading.tree.heading(block.section).to_lowercase();
    // Under requirements a sentence need not say who does what: `Local play only: human against computer.`
    let is_asked = reading.tree.topic(block) == Some(Topic::Requirements);
    let proposes = ["implement", "propos", "change"].iter().any(|word| heading.contains(word));
    let lists = proposes || stated.iter().filter(|sentence| orders_behaviour(sentence)).count() > 1;
    for (sentence, span) in stated.into_iter().zip(places) {
        let sentence = minutes::agreed(sentence).unwrap_or(sentence);
        let opens_example = sentence.ends_with(':') && !shown.is_empty();
        let text = sentence.trim_end_matches([':', ' ']);
        // ``With `--json`:`` and a block of code is an example of that option.
        let shows_option = opens_example
            && (text.starts_with("Example") || (text.starts_with("With ") && text.contains('`')));
        let opens_input = ends_with_input(sentence);
        // Of running text in another language only what binds is told from talk.
        let is_talk = is_foreign_statement(sentence) && !binds_in_foreign_words(sentence) && !is_asked;
        // Where data is kept is a format for all things.
        let is_of_all = story.is_none() && !reading.spec.stories.is_empty() && binds_everything(text);
        if names_technology(sentence)
            || is_of_all
            || is_talk
            || is_errand(sentence)
            || opens_input
            || (manner == StatementManner::Beside
                && !(binds(sentence) || orders_behaviour(sentence) || shows_option))
            || !(states_behaviour(sentence)
                || code.is_some()
                || (reading.decides && we_want(sentence))
                || (is_asked && is_told(sentence, story, StatementManner::Told) && !sentence.ends_with(':'))
                || (opens_example && (states_behaviour(text) || orders_behaviour(text)))
                || shows_option
                || ((lists || manner == StatementManner::Beside) && orders_behaviour(sentence)))
        {
            continue;
        }
        reading.claim(block);
        let about = || lead.filter(|lead| *lead != sentence).unwrap_or_default().to_owned();
        let detail = if sentence.ends_with(':') { shown.clone() } else { about() };
        let text = if let Some(code) = code.filter(|code| !text.contains(*code)) {
            format!("{code}: {text}")
        } else if shows_option && text.starts_with("With ") {
            format!("{text} the output is as in the example")
        } else {
            text.to_owned()
        };
        let draft = CriterionDraft { id: None, text, detail, form: CriterionForm::Sentence, span };
        add(reading, block, story, draft);
    }
}

/// The code that an item above a paragraph consists of: what is said below `` `shelf add TITLE` `` is about that command.
fn code_above<'t>(tree: &'t SectionTree, block: &DocumentBlock) -> Option<&'t str> {
    let text = tree.item(block.within?)?.text.text.trim();
    is_whole_code(text).then_some(text)
}

/// Whether a text is nothing but one span of code.
fn is_whole_code(text: &str) -> bool {
    let inner = text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    inner.is_some_and(|code| !code.is_empty() && !code.contains('`'))
}

/// Whether a paragraph says why something is wanted, or how much: `**Why this priority**: …`.
fn is_reason(words: &RunningText) -> bool {
    words.bold.as_deref().is_some_and(says_why)
}

/// Whether a paragraph says how a story is tried as a whole; its scenarios say it one by one.
fn tells_the_test(reading: &DocumentReading<'_>, words: &RunningText, story: Option<&String>) -> bool {
    let is_test =
        words.bold.as_deref().is_some_and(|bold| bold.to_lowercase().starts_with("independent test"));
    let is_scenario = |c: &SpecCriterion| c.form == CriterionForm::Scenario && c.story.as_ref() == story;
    is_test && story.is_some() && reading.spec.criteria.iter().any(is_scenario)
}

/// Whether a text opens an example whose code says the rest: `For example, the input`.
fn ends_with_input(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let is_open = !sentence.ends_with(['.', '!', '?', ':']);
    is_open
        && (lower.starts_with("for example") || lower.starts_with("e.g."))
        && lower.split_whitespace().count() < 9
}

/// The code block that a text introduces.
fn shown_below(reading: &DocumentReading<'_>, block: &DocumentBlock) -> String {
    let introduces = block.running_text().is_some_and(|text| text.text.trim().ends_with(':'));
    match reading.tree.blocks.get(block.index + 1).map(|next| &next.content) {
        Some(BlockContent::Code(code)) if introduces && code.text.len() <= SHOWN => {
            code.text.trim_end().to_owned()
        }
        _ => String::new(),
    }
}

/// Adds a criterion; what is to stay as it is, and what is not wanted now, go to lists of their own.
pub(super) fn add(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    story: Option<&String>,
    draft: CriterionDraft,
) {
    let heading = reading.tree.heading(block.section).to_owned();
    let remark = |text: &str| Remark { text: text.to_owned(), heading: heading.clone(), span: draft.span };
    // What an item says behind its first sentence is a part of it.
    let first = sentences(&draft.text).first().copied().unwrap_or_default().to_owned();
    if is_deferred(&draft.text) || puts_off(&first) {
        let remark = Remark { heading: draft.text.clone(), ..remark(&draft.text) };
        reading.spec.exclusions.push(remark);
    } else if is_regression(&first) {
        let remark = remark(&draft.text);
        reading.spec.regressions.push(remark);
    } else {
        push(reading, block.section, draft);
        if let (Some(story), Some(last)) = (story, reading.spec.criteria.last_mut()) {
            last.story.get_or_insert_with(|| story.clone());
        }
    }
}
