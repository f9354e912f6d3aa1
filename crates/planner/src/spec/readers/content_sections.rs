//! Sections that say what is built under headings of their own: the parts of a document without stories, and, beside stories and
//! features, what none of them holds.

use super::features::is_aside;
use super::story_extents::extents;
use crate::file_kind::FileKind;
use crate::spec::document::{BlockContent, DocumentBlock, SectionTree};
use crate::spec::model::{FileRow, SpecCriterion};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{
    Topic, is_errand, orders_behaviour, sentences, states_behaviour, tells_what, without_number,
};
use crate::words::is_listed;

/// Headings of documents about one thing.
const SIDES: [&str; 41] = [
    "usage",
    "output",
    "input",
    "errors",
    "error handling",
    "options",
    "flags",
    "examples",
    "behaviour",
    "behavior",
    "format",
    "rules",
    "description",
    "configuration",
    "exit status",
    "exit code",
    "exit codes",
    "how it works",
    "synopsis",
    "arguments",
    "parameters",
    "return value",
    "returns",
    "limitations",
    "notes",
    "details",
    "objective",
    "objectives",
    "the task",
    "your task",
    "task",
    "challenge",
    "the challenge",
    "instructions",
    "considerations",
    "result",
    "results",
    "deliverables",
    "entregáveis",
    "input file",
    "output file",
];

/// Words of headings about all that is built, and not about a part of it.
const OF_ALL: &str = include_str!("../../words/qualities_of_all.txt");

/// The parts of a document that speaks of behaviour under headings of its own: the topmost sections without a topic
/// that say what the program does. They count if no document has stories, criteria or files.
pub(super) fn of_whole(reading: &DocumentReading<'_>) -> Vec<usize> {
    if names_parts(reading) {
        return Vec::new();
    }
    let tree = reading.tree;
    let told = topmost(tree, |at| is_content(tree, at), |at| says_something(tree, at));
    // Where nothing is said in sentences, lists and tables say what is built.
    let tops = if told.len() > 1 {
        told
    } else {
        topmost(tree, |at| is_content(tree, at), |at| says_something(tree, at) || lists_something(tree, at))
    };
    // Phases that only list their work: each item is something to build.
    if tops.iter().all(|at| is_list_of_work(tree, *at)) {
        return Vec::new();
    }
    // `Usage`, `Output` and `Errors` are sides of one thing.
    let (sides, parts): (Vec<usize>, Vec<usize>) = tops.into_iter().partition(|at| is_side(tree, *at));
    // Criteria of the whole, such as measures of success, do not divide the work; those inside a part are about the part.
    let is_of_part = |start: usize| {
        let holds = |at: &usize| {
            let section = &tree.sections[*at];
            section.meaning.topic.is_none()
                && (section.title.at.start..tree.section_end(*at)).contains(&start)
        };
        parts.iter().any(holds)
    };
    let is_marked = |c: &SpecCriterion| {
        c.span.file == reading.file
            && !c.headings.first().is_some_and(|heading| is_aside(heading))
            && !is_of_part(c.span.start as usize)
    };
    if reading.spec.criteria.iter().any(is_marked) {
        return Vec::new();
    }
    if parts.len() < 2 || sides.len() * 2 > parts.len() { Vec::new() } else { parts }
}

/// The sections beside the stories and features of a document that say something no story holds. What stands under such a
/// heading belongs together, whatever words it shares with the stories.
pub(super) fn beside_features(reading: &DocumentReading<'_>) -> Vec<usize> {
    const FEWEST: usize = 2;
    let tree = reading.tree;
    let extents = extents(reading);
    if extents.is_empty() || names_parts(reading) {
        return Vec::new();
    }
    let is_free = |at: usize| {
        let own = tree.sections[at].title.at.start..tree.section_end(at);
        !extents.iter().any(|e| e.extent.contains(&own.start) || own.contains(&e.extent.start))
    };
    let is_part = |at: usize| {
        let section = &tree.sections[at];
        let named = section.meaning.topic.is_none_or(|topic| topic == Topic::Surface)
            && section.meaning.phase.is_none()
            && section.meaning.requirement.is_none()
            && section.meaning.task.is_none();
        named && is_content(tree, at) && is_free(at) && !is_side(tree, at) && !is_of_all(tree, at)
    };
    let says_enough = |at: &usize| {
        let wanted = tree.all_blocks(*at).iter().filter(|block| !tree.is_excluded(block));
        let stated = wanted.filter_map(|block| {
            let text = block.running_text()?;
            let is_item = tree.item(block.index).is_some();
            let stated = sentences(&text.text).into_iter().filter(|s| states_behaviour(s) && !is_errand(s));
            Some(usize::from(is_item && text.text.split_whitespace().count() > 2).max(stated.count()))
        });
        stated.sum::<usize>() >= FEWEST
    };
    topmost(tree, is_part, |at| says_something(tree, at) || lists_something(tree, at))
        .into_iter()
        .filter(says_enough)
        .collect()
}

/// Makes the other sections features, too, where sections divide the work: whatever stands under a heading belongs to it. Where
/// stories or features divide it, only sections with a name of their own are.
pub(super) fn divide_rest(reading: &mut DocumentReading<'_>) {
    if !*reading.divided && names_parts(reading) {
        return;
    }
    /// With more features than these, a section with a single statement is none.
    const MANY: usize = 24;
    let tree = reading.tree;
    let level = |at: usize| tree.sections[at].level;
    let stories: Vec<usize> = extents(reading).iter().map(|e| e.extent.start).collect();
    let is_story = |at: usize| stories.contains(&tree.sections[at].title.at.start);
    if stories.is_empty() {
        return;
    }
    // Where items are the stories, the nearest heading holds what stands beside them.
    let top = (0..tree.sections.len()).filter(|at| is_story(*at)).map(level).min().unwrap_or(usize::MAX);
    let mut found: Vec<(usize, usize)> = Vec::new();
    let free = reading.spec.criteria.iter().filter(|c| c.span.file == reading.file && c.story.is_none());
    for criterion in free {
        let start = criterion.span.start as usize;
        let next = tree.blocks.partition_point(|block| block.at.start <= start);
        let Some(block) = next.checked_sub(1).and_then(|n| tree.blocks.get(n)) else { continue };
        let around = tree.chain(block.section).find(|(_, s)| s.is_part() && s.level <= top);
        let Some((at, _)) = around.filter(|(at, _)| !is_side(tree, *at) && !is_of_all(tree, *at)) else {
            continue;
        };
        match found.iter_mut().find(|(known, _)| *known == at) {
            Some((_, count)) => *count += 1,
            None => found.push((at, 1)),
        }
    }
    let fewest = if found.len() + stories.len() > MANY || !*reading.divided { 2 } else { 1 };
    let is_whole = *reading.divided;
    let wanted = |at: usize| if is_whole { is_content(tree, at) } else { is_asked_for(tree, at) };
    for (at, _) in found.into_iter().filter(|(at, count)| *count >= fewest && wanted(*at)) {
        super::features::push_section(reading, at);
    }
}

/// Whether a section with a name of its own stands where something is asked for: below `Functional requirements`, below `User
/// stories`, or among the features.
fn is_asked_for(tree: &SectionTree, at: usize) -> bool {
    use Topic::{Components, Criteria, Endpoints, Phases, Requirements, Stories, Surface};
    let section = &tree.sections[at];
    let is_named =
        section.meaning.phase.is_some() || section.meaning.topic.is_none_or(|topic| topic == Surface);
    let asks = tree.section_topic(at).is_none_or(|topic| {
        matches!(topic, Components | Criteria | Endpoints | Phases | Requirements | Stories | Surface)
    });
    section.is_part()
        && is_named
        && asks
        && (section.meaning.phase.is_some() || !is_aside(&section.title.text))
        && !tree.is_under(at, Topic::Excluded)
}

/// Whether the documents name files of code or components: these divide the work.
pub(super) fn names_parts(reading: &DocumentReading<'_>) -> bool {
    let is_code = |row: &FileRow| FileKind::of(&row.path) == FileKind::Code;
    reading.spec.files.iter().any(is_code) || !reading.spec.components.is_empty()
}

/// Whether a section stands where something is built.
fn is_content(tree: &SectionTree, at: usize) -> bool {
    let section = &tree.sections[at];
    let builds = section.meaning.phase.is_some()
        || tree.section_topic(at).is_none_or(|topic| {
            matches!(topic, Topic::Endpoints | Topic::Components | Topic::Surface | Topic::Requirements)
        });
    section.is_part()
        && builds
        && (section.meaning.phase.is_some() || !is_aside(&section.title.text))
        && !tree.is_under(at, Topic::Excluded)
}

/// Whether a section is a phase that only lists what is to be done.
fn is_list_of_work(tree: &SectionTree, at: usize) -> bool {
    let is_leaf = !tree.sections.iter().any(|section| section.parent == Some(at));
    let is_order = |block: &DocumentBlock| match &block.content {
        BlockContent::Item(item) => !sentences(&item.text.text).into_iter().any(states_behaviour),
        BlockContent::Paragraph(_) | BlockContent::Table(_) | BlockContent::Code(_) => false,
    };
    tree.sections[at].meaning.phase.is_some() && is_leaf && tree.own_blocks(at).iter().all(is_order)
}

/// Whether a section says itself what the program does.
fn says_something(tree: &SectionTree, at: usize) -> bool {
    let own = || tree.own_blocks(at).iter().filter(|block| !tree.is_excluded(block));
    let texts = own().filter_map(DocumentBlock::running_text);
    let orders =
        |b: &&DocumentBlock| tree.item(b.index).is_some_and(|item| orders_behaviour(&item.text.text));
    texts.flat_map(|text| sentences(&text.text)).any(|s| states_behaviour(s) || orders_behaviour(s))
        || own().filter(orders).count() > 1
}

/// Whether a section lists things: in items, in a table, or in paragraphs that name them.
fn lists_something(tree: &SectionTree, at: usize) -> bool {
    let own = || tree.own_blocks(at).iter().filter(|block| !tree.is_excluded(block));
    let is_table = |b: &DocumentBlock| matches!(b.content, BlockContent::Table(_));
    let is_told = |b: &DocumentBlock| {
        b.running_text().is_some_and(|text| sentences(&text.text).into_iter().any(tells_what))
    };
    own().any(is_table) || own().filter(|b| is_told(b)).count() > 1
}

/// The paragraphs of a section that each begin with the name of a thing and say something of it: `**A. Checklist.** A small …`.
pub(super) fn named_paragraphs(tree: &SectionTree, at: usize) -> Vec<&DocumentBlock> {
    const FEWEST_WORDS: usize = 12;
    let is_named = |block: &&DocumentBlock| {
        let BlockContent::Paragraph(text) = &block.content else { return false };
        let bold = text.bold.as_deref().map(|b| b.trim_matches(['*', ' '])).filter(|b| !b.is_empty());
        bold.is_some_and(|bold| {
            let words = bold.split_whitespace().count();
            text.text.starts_with(bold)
                && bold.ends_with(['.', ':'])
                && words <= 8
                && Topic::from_title(bold).is_none()
                && text.text.split_whitespace().count() >= words + FEWEST_WORDS
        })
    };
    let found: Vec<&DocumentBlock> =
        tree.own_blocks(at).iter().filter(|b| !tree.is_excluded(b)).filter(is_named).collect();
    if found.len() > 1 { found } else { Vec::new() }
}

/// The topmost of the sections that say something, and of those beside them that only list things.
fn topmost(
    tree: &SectionTree,
    is_content: impl Fn(usize) -> bool,
    says_something: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut speaking: Vec<usize> =
        (0..tree.sections.len()).filter(|at| is_content(*at) && says_something(*at)).collect();
    let lists = |at: usize| {
        let wanted = || tree.own_blocks(at).iter().filter(|block| !tree.is_excluded(block));
        let items = || wanted().filter_map(|b| tree.item(b.index));
        items().count() > 1 || items().any(|item| is_long(&item.text.text))
    };
    let is_beside = |at: usize| {
        let place = |n: usize| (tree.sections[n].parent, tree.sections[n].level);
        let free = tree.sections[at].meaning.topic.is_none();
        free && lists(at) && speaking.iter().filter(|other| place(**other) == place(at)).count() > 1
    };
    let beside: Vec<usize> = (0..tree.sections.len())
        .filter(|at| is_content(*at) && !speaking.contains(at) && is_beside(*at))
        .collect();
    speaking.extend(beside);
    speaking.sort_unstable();
    let mut tops: Vec<usize> = Vec::new();
    for at in speaking {
        if tops.last().is_none_or(|outer| !tree.is_within(at, *outer)) {
            tops.push(at);
        }
    }
    tops
}

/// Whether an item says something by its length.
fn is_long(text: &str) -> bool {
    text.split_whitespace().count() > 3
}

fn is_side(tree: &SectionTree, at: usize) -> bool {
    let title = tree.sections[at].title.text.to_lowercase();
    let bare = without_number(title.trim().trim_start_matches(|c: char| !c.is_alphanumeric()));
    SIDES.contains(&bare.trim_end_matches([':', ' ']))
}

/// Whether a heading is about a quality of everything: `Security and privacy`.
fn is_of_all(tree: &SectionTree, at: usize) -> bool {
    let title = tree.sections[at].title.text.to_lowercase();
    title.split(|c: char| !c.is_alphanumeric()).any(|word| !word.is_empty() && is_listed(OF_ALL, word))
}
