//! The things of a document by its headings: whatever says something under a heading of its own is a part of the work, however deep
//! it stands.
//!
//! A heading with headings below it is one thing as long as little is said there; where much is said, or where it only groups
//! (`Requirements`, `Phase 2`), the headings below it are the things. Sides of a thing (`Usage`, `Errors`) stay with it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::behavioural_rows::lists_people;
use super::features::{is_aside, is_aside_section};
use super::ground::{Ground, section_ground};
use super::interfaces::method_and_route;
use super::line_heads;
use super::minutes;
use super::references::{leads_elsewhere, refers};
use super::story_extents::extents;
use super::wish_lists::{is_priority, orders_headings};
use crate::file_kind::FileKind;
use crate::spec::document::{BlockContent, DocumentBlock, SectionTree};
use crate::spec::model::{FileRow, SpecCriterion};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, is_errand, is_release, sentences, states_behaviour, without_number};
use crate::words::is_listed;

/// So many statements are still one thing, whatever headings stand between them.
const MUCH: usize = 12;

/// So many lines of code say something alone.
const LISTING: usize = 4;

/// With more things than these, a section with a single statement is none.
const MANY: usize = 24;

/// Headings of documents about one thing.
const SIDES: &str = include_str!("../../words/sides.txt");

/// Words of headings about what goes into a thing and what comes out of it.
const EXCHANGE: &str = include_str!("../../words/exchange.txt");

/// Words of headings about all that is built, and not about a part of it.
const OF_ALL: &str = include_str!("../../words/qualities_of_all.txt");

/// A part of a document: a section, and the lines of it that divide it like headings.
pub(super) struct OutlinePart<'t> {
    pub(super) section: usize,
    pub(super) heads: Vec<&'t DocumentBlock>,
}

/// The parts of a document that has no stories and names no features. They count if nothing else divides the work.
pub(super) fn of_whole<'t>(reading: &DocumentReading<'t>) -> Vec<OutlinePart<'t>> {
    let outline = SectionOutline::of(reading);
    let things = outline.things();
    let tree = reading.tree;
    // Phases that only list their work: each item is something to build.
    if names_parts(reading, things.len()) || things.iter().all(|at| is_list_of_work(tree, *at)) {
        return Vec::new();
    }
    // `Usage`, `Output` and `Errors` are sides of one thing.
    let (sides, parts): (Vec<usize>, Vec<usize>) =
        things.into_iter().partition(|at| is_side_of_whole(tree, *at));
    // Criteria of the whole, such as measures of success, do not divide the work; those inside a part are about the part.
    let is_of_part = |start: usize| {
        let holds = |at: &usize| (tree.sections[*at].title.at.start..tree.section_end(*at)).contains(&start);
        parts.iter().any(holds)
    };
    let is_of_all = |c: &SpecCriterion| {
        c.span.file == reading.file
            && !c.headings.first().is_some_and(|heading| is_aside(heading))
            && !is_of_part(c.span.start as usize)
    };
    let named = |at: &usize| outline.heads(*at).len().max(1);
    let is_one = parts.iter().map(named).sum::<usize>() < 2 || sides.len() * 2 > parts.len();
    let said: usize = parts.iter().map(|at| outline.said[*at]).sum();
    let of_all = reading.spec.criteria.iter().filter(|c| is_of_all(c)).count();
    if is_one || of_all > said { Vec::new() } else { outline.with_heads(parts) }
}

/// The parts beside the stories and features of a document that say something no story holds. What stands under such a heading
/// belongs together, whatever words it shares with the stories.
pub(super) fn beside_features<'t>(reading: &DocumentReading<'t>) -> Vec<OutlinePart<'t>> {
    const FEWEST: usize = 2;
    let outline = SectionOutline::of(reading);
    let mut things = outline.things();
    let is_talk = !minutes::attendees(reading.tree).is_empty();
    if is_talk || outline.taken.is_empty() || names_parts(reading, things.len()) {
        return Vec::new();
    }
    things.retain(|at| outline.said[*at] >= FEWEST && !is_side_of_whole(reading.tree, *at));
    outline.with_heads(things)
}

/// For each of these headings the things below it, if it says nothing itself and only groups them, or if its lines divide it.
pub(super) fn grouped_by<'t>(reading: &DocumentReading<'t>, headings: &[usize]) -> Vec<Vec<OutlinePart<'t>>> {
    let outline = SectionOutline::of(reading);
    let below = |at: &usize| {
        let mut found = Vec::new();
        if outline.own[*at] > 0 {
            let heads = outline.heads_of(*at, false);
            return if heads.is_empty() { Vec::new() } else { vec![OutlinePart { section: *at, heads }] };
        }
        outline.cut(*at, &mut found);
        outline.with_heads(found)
    };
    headings.iter().map(below).collect()
}

/// Whether the headings of a document divide the work.
pub(super) fn has_parts(reading: &DocumentReading<'_>) -> bool {
    const FEWEST: usize = 3;
    SectionOutline::of(reading).things().len() >= FEWEST
}

/// How many headings of a document name things.
pub(super) fn divides_into(reading: &DocumentReading<'_>) -> usize {
    SectionOutline::of(reading).things().len()
}

/// Drops the things of which nothing is wanted after all.
pub(in crate::spec) fn drop_empty(reading: &mut DocumentReading<'_>) {
    let spec = &mut *reading.spec;
    let has_criteria = |id: &String| spec.criteria.iter().any(|c| c.story.as_ref() == Some(id));
    let empty: Vec<String> = reading.things.iter().filter(|id| !has_criteria(id)).cloned().collect();
    spec.stories.retain(|story| !empty.contains(&story.id));
}

/// Whether the documents name files of code or components with files, and not far fewer than there are things: these divide the work.
pub(super) fn names_parts(reading: &DocumentReading<'_>, things: usize) -> bool {
    const FEWER: usize = 3;
    let is_code = |row: &&FileRow| FileKind::of(&row.path) == FileKind::Code;
    let mut files: Vec<&str> =
        reading.spec.files.iter().filter(is_code).map(|row| row.path.as_str()).collect();
    files.extend(reading.spec.components.iter().map(|c| c.name.as_str()));
    files.sort_unstable();
    files.dedup();
    !files.is_empty() && things < FEWER * files.len()
}

/// A document with what its sections say.
struct SectionOutline<'t> {
    tree: &'t SectionTree,
    /// How many statements stand directly below each heading, and how many below it and the headings below it.
    own: Vec<usize>,
    said: Vec<usize>,
    /// The parts of the text that stories own, and what they are called.
    taken: Vec<Range<usize>>,
    known: Vec<String>,
    /// Headings that several parts have below them: sides of each.
    repeated: HashSet<String>,
    /// Lines that several sections have above what they say.
    repeated_lines: HashSet<String>,
}

impl<'t> SectionOutline<'t> {
    fn of(reading: &DocumentReading<'t>) -> SectionOutline<'t> {
        let tree = reading.tree;
        let mut own = vec![0; tree.sections.len()];
        for block in tree.wanted_blocks() {
            own[block.section] += statements(reading, block);
        }
        // A listing says what is built where nothing else does: the routes of a site, the options of a program.
        for block in tree.wanted_blocks() {
            let is_long =
                matches!(&block.content, BlockContent::Code(code) if code.text.lines().count() >= LISTING);
            if own[block.section] == 0 && is_long {
                own[block.section] = LISTING;
            }
        }
        let mut said = own.clone();
        for at in (1..tree.sections.len()).rev() {
            let parent = tree.sections[at].parent.filter(|_| is_built(tree, at));
            if let Some(parent) = parent {
                said[parent] += said[at];
            }
        }
        let taken = extents(reading).into_iter().map(|e| e.extent).collect();
        let stories = reading.spec.stories.iter().filter(|s| s.span.file == reading.file);
        let known = stories.map(|story| story.title.to_lowercase()).collect();
        let (repeated, repeated_lines) = (repeated_titles(tree), line_heads::repeated(tree));
        SectionOutline { tree, own, said, taken, known, repeated, repeated_lines }
    }

    /// The lines of a section that divide it like headings: of one that groups, and of one in which much is said.
    fn heads(&self, at: usize) -> Vec<&'t DocumentBlock> {
        // Beside things, a list of parts says how they are built.
        let groups = self.taken.is_empty() && (is_group(self.tree, at) || names_group(self.tree, at));
        self.heads_of(at, groups)
    }

    fn heads_of(&self, at: usize, groups: bool) -> Vec<&'t DocumentBlock> {
        // What a group says in paragraphs introduces its parts.
        let named =
            if is_group(self.tree, at) { Vec::new() } else { line_heads::named_paragraphs(self.tree, at) };
        let is_model = self.tree.sections[at].meaning.topic == Some(Topic::Models);
        if !named.is_empty() || is_model || !(groups || self.own[at] > MUCH) {
            return named;
        }
        let fewest = if groups { 2 } else { 3 };
        let found = line_heads::above_lists(self.tree, at);
        let is_side = |block: &&DocumentBlock| {
            let name = line_heads::bare_name(block);
            self.repeated_lines.contains(&name) || is_listed(SIDES, &name)
        };
        if found.len() < fewest || found.iter().any(is_side) { Vec::new() } else { found }
    }

    fn with_heads(&self, sections: Vec<usize>) -> Vec<OutlinePart<'t>> {
        sections.into_iter().map(|section| OutlinePart { section, heads: self.heads(section) }).collect()
    }

    /// Whether a heading stands below several others, and so names a side of each of them: `Inputs`, `Screens`.
    fn is_repeated(&self, at: usize) -> bool {
        self.repeated.contains(&bare_title(self.tree, at))
    }

    /// Whether a section about data is one thing, however many tables it has.
    fn is_model(&self, at: usize) -> bool {
        const FEWEST: usize = 2;
        let is_told = self.tree.own_blocks(at).iter().any(|block| block.running_text().is_some());
        // Where nothing else divides the work, each model does.
        self.tree.sections[at].meaning.topic == Some(Topic::Models)
            && self.said[at] >= FEWEST
            && (is_told || !self.taken.is_empty())
    }

    fn is_side(&self, at: usize) -> bool {
        self.is_repeated(at) || is_side(self.tree, at)
    }

    fn things(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let tops = (0..self.tree.sections.len()).filter(|at| {
            let section = &self.tree.sections[*at];
            section.is_part() && section.parent.is_none_or(|parent| !self.tree.sections[parent].is_part())
        });
        for at in tops {
            self.cut(at, &mut found);
        }
        if found.len() > MANY {
            found.retain(|at| self.said[*at] > 1);
        }
        found
    }

    /// Adds a section, or the sections below it.
    fn cut(&self, at: usize, found: &mut Vec<usize>) {
        let tree = self.tree;
        let section = &tree.sections[at];
        let start = section.title.at.start;
        if tree.is_under(at, Topic::Excluded) || self.taken.iter().any(|e| e.contains(&start)) {
            return;
        }
        let children = || (at + 1..tree.section_after(at)).filter(|n| tree.sections[*n].parent == Some(at));
        if !is_built(tree, at) || is_of_all(tree, at) {
            // Beside things criteria are about all of them, however they are sorted.
            let is_of_things = section.meaning.topic == Some(Topic::Criteria) && !self.taken.is_empty();
            if section_ground(tree, at) != Ground::Aside && !is_of_things {
                children().for_each(|child| self.cut(child, found));
            }
            return;
        }
        let (mut sides, mut parts): (Vec<usize>, Vec<usize>) =
            children().filter(|n| self.said[*n] > 0 && is_built(tree, *n)).partition(|n| self.is_side(*n));
        // Where nothing else divides what says much, its sides do.
        if parts.is_empty() && !sides.iter().any(|side| self.is_repeated(*side)) {
            std::mem::swap(&mut sides, &mut parts);
        }
        let holds_story = self.taken.iter().any(|e| (start..tree.section_end(at)).contains(&e.start));
        if !holds_story && (self.is_model(at) || !self.is_divided(at, &parts)) {
            let is_thing = !is_group(tree, at)
                || is_one_component(tree, at)
                || self.is_model(at)
                || !self.heads(at).is_empty();
            if self.said[at] > 0 && is_thing {
                found.push(at);
            }
            return;
        }
        let groups = is_group(tree, at) || is_release(&tree.sections[at].title.text);
        let is_thing = !holds_story && self.own[at] > usize::from(groups) * 2;
        let mut below = Vec::new();
        parts.iter().chain(sides.iter().filter(|_| !is_thing)).for_each(|part| self.cut(*part, &mut below));
        // Headings that mostly only group do not divide what has a name of its own.
        let grouping = parts.iter().filter(|part| is_group(tree, **part)).count();
        let is_named = !holds_story && !groups && section.meaning.phase.is_none() && self.said[at] > 0;
        let is_one = is_named && below.len() < 2 && grouping * 2 > parts.len();
        if is_thing || is_one {
            found.push(at);
        }
        if !is_one {
            found.extend(below);
        }
    }

    /// Whether the sections below a heading are things of their own.
    fn is_divided(&self, at: usize, parts: &[usize]) -> bool {
        let tree = self.tree;
        let names = |part: &usize| &tree.sections[*part].meaning;
        let is_counted = |part: &&usize| {
            names(part).task.is_some() || names(part).requirement.is_some() || names(part).phase.is_some()
        };
        let is_route = |part: &usize| {
            method_and_route(&tree.sections[*part].title.text.replace(['`', '*'], "")).is_some()
        };
        let has_of_all = parts.iter().any(|part| is_of_all(tree, *part));
        // A page that is called like a feature belongs to it.
        let is_known = |part: &usize| {
            let title = tree.sections[*part].title.text.to_lowercase();
            self.known.iter().any(|name| *name == without_number(title.trim()))
        };
        if has_of_all || parts.iter().any(is_known) || parts.iter().filter(is_counted).count() > 1 {
            return true;
        }
        // What tells of itself as its siblings do is one of several.
        if parts.iter().filter(|part| tree.is_of_form(**part)).count() > 2 {
            return true;
        }
        let is_much = self.said[at] > MUCH && parts.len() > 1 && !parts.iter().all(is_route);
        let groups = is_group(tree, at) || is_release(&tree.sections[at].title.text);
        // A phase only says when its parts come.
        let is_time = tree.sections[at].meaning.phase.is_some() && self.own[at] == 0 && parts.len() > 1;
        is_much || is_time || (!parts.is_empty() && groups)
    }
}

/// How many statements a block makes.
fn statements(reading: &DocumentReading<'_>, block: &DocumentBlock) -> usize {
    let tree = reading.tree;
    match &block.content {
        BlockContent::Item(item) if leads_elsewhere(reading, block, item) => 0,
        BlockContent::Item(item) => {
            let introduces = item.text.is_label() && tree.children(block.index).next().is_some();
            usize::from(!introduces && !is_errand(&item.text.text))
        }
        BlockContent::Paragraph(text) if text.is_label() || refers(reading, block, text) => 0,
        BlockContent::Paragraph(text) => {
            let said = sentences(&text.text);
            said.into_iter().filter(|s| !is_errand(s) && !s.ends_with([':', '：', '?', '？'])).count()
        }
        BlockContent::Table(table) if lists_people(table) || orders_headings(tree, block) => 0,
        BlockContent::Table(table) => table.rows.len(),
        BlockContent::Code(_) => 0,
    }
}

/// Whether something is built below a heading.
fn is_built(tree: &SectionTree, at: usize) -> bool {
    let section = &tree.sections[at];
    section.is_part()
        && section_ground(tree, at) == Ground::Built
        && !matches!(section.meaning.topic, Some(Topic::Criteria | Topic::Stories))
        && (section.meaning.phase.is_some() || tree.is_of_form(at) || !is_aside_section(section))
        && !tree.is_under(at, Topic::Excluded)
}

/// Whether a heading only says of what kind the things below it are, or how much they are wanted: `Requirements`, `Must have`.
fn is_group(tree: &SectionTree, at: usize) -> bool {
    let section = &tree.sections[at];
    section.meaning.topic.is_some_and(|topic| topic != Topic::Surface) && section.meaning.phase.is_none()
        || is_priority(&section.title.text)
}

/// Whether a heading says that what is below it are parts of the work, whatever its topic: `Deliverables`, `MVP scope`.
fn names_group(tree: &SectionTree, at: usize) -> bool {
    const GROUPS: [&str; 9] = [
        "feature",
        "scope",
        "mvp",
        "requirement",
        "deliverable",
        "module",
        "function",
        "capabilit",
        "to build",
    ];
    let title = tree.sections[at].title.text.to_lowercase();
    GROUPS.iter().any(|word| title.contains(word))
}

/// Whether a heading is the name of one component, and not a heading above several: `Switch module`.
fn is_one_component(tree: &SectionTree, at: usize) -> bool {
    let section = &tree.sections[at];
    let lower = section.title.text.to_lowercase();
    let words: Vec<&str> = without_number(lower.trim()).split_whitespace().collect();
    section.meaning.topic == Some(Topic::Components)
        && words.len() > 1
        && words.last().is_some_and(|last| matches!(*last, "module" | "component"))
}

/// Whether a section is a phase that only lists what is to be done.
fn is_list_of_work(tree: &SectionTree, at: usize) -> bool {
    let is_leaf = !tree.sections.iter().any(|section| section.parent == Some(at));
    let is_order = |block: &DocumentBlock| match &block.content {
        BlockContent::Item(item) => !sentences(&item.text.text).into_iter().any(states_behaviour),
        BlockContent::Paragraph(_) | BlockContent::Table(_) | BlockContent::Code(_) => false,
    };
    let has_criteria = tree.own_blocks(at).iter().any(|block| block.label_topic() == Some(Topic::Criteria));
    tree.sections[at].meaning.phase.is_some()
        && is_leaf
        && !has_criteria
        && tree.own_blocks(at).iter().all(is_order)
}

/// Whether a section is a side of all that the document is about.
fn is_side_of_whole(tree: &SectionTree, at: usize) -> bool {
    let is_inner = tree.sections[at].parent.is_some_and(|parent| tree.sections[parent].is_part());
    is_side(tree, at) && !is_inner
}

fn is_side(tree: &SectionTree, at: usize) -> bool {
    let title = bare_title(tree, at);
    is_listed(SIDES, &title) || is_of_exchange(&title)
}

/// Whether every word of a heading is one of what goes in and comes out: `Success response payload (200 OK)`.
fn is_of_exchange(title: &str) -> bool {
    const FEWEST: usize = 2;
    let name = title.split('(').next().unwrap_or(title);
    let words = || name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words().count() >= FEWEST
        && words().all(|word| is_listed(EXCHANGE, word) || word.chars().all(|c| c.is_ascii_digit()))
}

/// A heading in lower case, without its number, signs and colon.
fn bare_title(tree: &SectionTree, at: usize) -> String {
    let title = tree.sections[at].title.text.to_lowercase();
    let bare = without_number(title.trim().trim_start_matches(|c: char| !c.is_alphanumeric()));
    bare.trim_end_matches([':', ' ']).to_owned()
}

/// The headings that stand below several others.
fn repeated_titles(tree: &SectionTree) -> HashSet<String> {
    const SEVERAL: usize = 3;
    let mut homes: HashMap<String, HashSet<usize>> = HashMap::new();
    for at in (0..tree.sections.len()).filter(|at| tree.sections[*at].is_part()) {
        homes.entry(bare_title(tree, at)).or_default().extend(tree.sections[at].parent);
    }
    homes.into_iter().filter(|(_, homes)| homes.len() >= SEVERAL).map(|(title, _)| title).collect()
}

/// Whether a heading is about everything and no part of it: `Security and privacy`, `Notes`.
pub(super) fn is_of_all(tree: &SectionTree, at: usize) -> bool {
    let title = tree.sections[at].title.text.to_lowercase();
    let mut words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    !tree.is_of_form(at) && words.any(|word| is_listed(OF_ALL, word))
}
