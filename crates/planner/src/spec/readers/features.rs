//! Features of documents without user stories: headings or items below `Features`, `Epics` and the like.
//!
//! They become stories, because a user gets them; a criterion inside one belongs to it.

use std::collections::HashMap;
use std::ops::Range;

use super::criteria::{self, CriterionDraft};
use super::feature_names::{
    is_generic, item_name, short_title, without_code, without_letter, without_remark,
};
use super::ground::{is_for_builders, section_ground};
use super::line_heads;
use super::outline::{self, OutlinePart};
use super::stories::{unused_id, wanted_title};
use super::wish_lists::{is_priority, named_rows, names_headings, ranked_blocks};
use crate::spec::document::{
    BlockContent, DocumentBlock, DocumentForm, DocumentSection, RunningText, SectionTree, joined,
};
use crate::spec::model::{CriterionForm, SpecCriterion, Story};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, is_release, opens_story, states_behaviour, without_number};
use windlass_core::diagnostic::Span;

/// Words of headings above features. Earlier rows are preferred.
const HEADINGS: [&[&str]; 3] = [
    &["features", "epic", "capabilities", "capability", "functionality", "feature list", "feature set"],
    &["functional requirement"],
    &["in scope", "in-scope", "mvp scope", "scope"],
];

/// A feature and the part of the text that is about it.
struct Feature {
    title: String,
    text: String,
    at: Range<usize>,
    extent: Range<usize>,
    origin: FeatureOrigin,
}

/// Where a feature was found: the index of its item, the index of the table of its row with what the row says, or a section.
enum FeatureOrigin {
    Item(usize),
    Row(usize, String),
    Section,
}

/// Adds the features of a document. Stories whose headings give them an id own what is below them already; other
/// stories become part of the feature they are in.
pub(in crate::spec) fn collect_features(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    if tree.sections.iter().any(|section| section.meaning.story.is_some()) {
        beside_stories(reading);
        return;
    }
    let stories = stories_of(reading);
    let by_words = std::iter::once_with(|| task_sections(reading))
        .chain(std::iter::once_with(|| named_features(tree)))
        .chain(std::iter::once_with(|| features_below(tree, HEADINGS[0])))
        .chain(std::iter::once_with(|| ranked_features(tree)))
        .chain(HEADINGS[1..].iter().map(|words| features_below(tree, words)))
        // A single feature says nothing about how to divide the work, unless it is a whole document.
        .filter(|found| found.len() > 1 || (!found.is_empty() && is_of_features(tree)));
    let mut candidates = by_words.chain(std::iter::once_with(|| story_sections(tree, &stories)));
    let owns_stories = |found: &Vec<Feature>| {
        let is_section = |f: &Feature| matches!(f.origin, FeatureOrigin::Section);
        let inside = |at: &usize| found.iter().any(|f| is_section(f) && f.extent.contains(at));
        !found.is_empty() && stories.iter().all(inside)
    };
    // What is in scope is listed before the parts that say it; where there are such parts, they are the things.
    let is_listed = |found: &Vec<Feature>| found.iter().all(|f| !matches!(f.origin, FeatureOrigin::Section));
    let found = candidates.find(owns_stories).filter(|found| {
        let is_told_below = found.first().is_some_and(|f| is_scope(tree, f)) || {
            let names = found.iter().map(|f| f.title.as_str());
            names_headings(tree, &names.collect::<Vec<_>>())
        };
        !(is_told_below && is_listed(found) && outline::has_parts(reading))
    });
    let other = || Some(requirement_labels(tree)).filter(|found| found.len() > 1);
    let listed = || {
        let at = (0..tree.sections.len()).filter(|at| criteria::lists_requirements(reading, *at));
        Some(at.map(|at| titled_feature(tree, at)).collect::<Vec<Feature>>()).filter(|found| found.len() > 1)
    };
    let found = found.or_else(|| listed().or_else(other).filter(|_| stories.is_empty()));
    if let Some(found) = found {
        let parts = grouped_parts(reading, &found);
        for (feature, parts) in found.into_iter().zip(parts) {
            if parts.is_empty() {
                push(reading, feature);
            }
            for part in parts {
                push(reading, part);
            }
        }
    } else if reading.spec.stories.is_empty() {
        let whole = outline::of_whole(reading);
        if whole.is_empty() {
            for feature in labelled_lists(tree) {
                push_thing(reading, feature);
            }
            return;
        }
        for feature in whole.iter().flat_map(|part| part_features(tree, part)) {
            push_thing(reading, feature);
        }
        return;
    }
    beside_stories(reading);
}

/// For each feature those below its heading, if that only groups them: `### Search` with `#### Ranking` and `#### Filters`, of which
/// much is said.
fn grouped_parts(reading: &DocumentReading<'_>, found: &[Feature]) -> Vec<Vec<Feature>> {
    let tree = reading.tree;
    // A document that is one feature is cut by nothing inside it.
    if is_of_features(tree) {
        return found.iter().map(|_| Vec::new()).collect();
    }
    let parts_begin: HashMap<usize, usize> =
        (1..tree.sections.len()).map(|at| (tree.sections[at].title.at.start, at)).collect();
    let heading = |feature: &Feature| match feature.origin {
        FeatureOrigin::Section => parts_begin.get(&feature.at.start).copied(),
        FeatureOrigin::Item(_) | FeatureOrigin::Row(..) => None,
    };
    let headings: Vec<usize> = found.iter().filter_map(heading).collect();
    let mut grouped = outline::grouped_by(reading, &headings).into_iter();
    let parts = |feature: &Feature| {
        let below = heading(feature).and_then(|_| grouped.next());
        let below = below.filter(|below| below.len() > 1 || below.iter().any(|part| !part.heads.is_empty()));
        below.unwrap_or_default().iter().flat_map(|part| part_features(tree, part)).collect()
    };
    found.iter().map(parts).collect()
}

/// Adds the sections beside stories and features that say something of their own.
fn beside_stories(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    for feature in outline::beside_features(reading).iter().flat_map(|part| part_features(tree, part)) {
        push_thing(reading, feature);
    }
}

/// Adds a feature that is only a section with something to say.
fn push_thing(reading: &mut DocumentReading<'_>, feature: Feature) {
    let is_named = !feature.title.is_empty();
    push(reading, feature);
    let last = reading.spec.stories.last().filter(|_| is_named);
    reading.things.extend(last.map(|story| story.id.clone()));
}

/// Whether an item stands below a heading about what is in scope.
fn is_scope(tree: &SectionTree, feature: &Feature) -> bool {
    let (FeatureOrigin::Item(block) | FeatureOrigin::Row(block, _)) = feature.origin else { return false };
    let heading = tree.heading(tree.blocks[block].section).to_lowercase();
    heading.contains("scope") && !heading.contains("feature")
}

/// Whether a document is one feature by the form it is written in, or states requirements one by one.
fn is_of_features(tree: &SectionTree) -> bool {
    let states = |section: &DocumentSection| section.title.text.starts_with("Requirement: ");
    matches!(tree.form, DocumentForm::Gherkin | DocumentForm::OpenApi) || tree.sections.iter().any(states)
}

/// Items under a heading about requirements that are only a name, with what is asked nested below each of them.
fn requirement_labels(tree: &SectionTree) -> Vec<Feature> {
    let asks = |block: &DocumentBlock| tree.topic(block) == Some(Topic::Requirements);
    let tops =
        || tree.wanted_blocks().filter(|b| asks(b) && tree.item(b.index).is_some_and(|i| i.parent.is_none()));
    let is_label = |block: &DocumentBlock| {
        let named = |text: &RunningText| {
            text.text.split_whitespace().count() <= 6
                || (text.bold.is_some() && text.text.trim().ends_with(':'))
        };
        block.running_text().is_some_and(named) && line_heads::holds_items(tree, block)
    };
    if tops().any(|block| !is_label(block)) { Vec::new() } else { item_features(tree, asks) }
}

/// The items of a document that is one list of names, each with what is wanted nested below it.
fn labelled_lists(tree: &SectionTree) -> Vec<Feature> {
    const LONGEST: usize = 8;
    let is_top = |b: &&DocumentBlock| tree.item(b.index).is_some_and(|item| item.parent.is_none());
    let names = |b: &DocumentBlock| {
        let text = b.running_text().map(|text| text.text.trim()).unwrap_or_default();
        text.split_whitespace().count() <= LONGEST
            && !text.ends_with(['.', '。'])
            && tree.children(b.index).next().is_some()
    };
    let asks = |b: &&DocumentBlock| section_ground(tree, b.section).asks();
    let speaks = |b: &DocumentBlock| match &b.content {
        BlockContent::Paragraph(text) => !text.is_label(),
        BlockContent::Item(item) => item.parent.is_none() && !names(b),
        BlockContent::Table(_) | BlockContent::Code(_) => true,
    };
    if tree.wanted_blocks().filter(asks).any(speaks) {
        return Vec::new();
    }
    let found = item_features(tree, |b| is_top(&b) && asks(&b));
    if found.len() > 1 { found } else { Vec::new() }
}

/// Where the stories of a document begin.
fn stories_of(reading: &DocumentReading<'_>) -> Vec<usize> {
    let own = reading.spec.stories.iter().filter(|s| s.span.file == reading.file);
    own.map(|s| s.span.start as usize).collect()
}

/// Sections with one story each, and those beside them.
fn story_sections(tree: &SectionTree, stories: &[usize]) -> Vec<Feature> {
    let holds = |at: usize| {
        let own = tree.own_blocks(at);
        let (Some(first), Some(last)) = (own.first(), own.last()) else { return 0 };
        stories.iter().filter(|start| (first.at.start..=last.at.end).contains(start)).count()
    };
    let is_part = |at: &usize| tree.sections[*at].is_part();
    let with_story: Vec<usize> =
        (0..tree.sections.len()).filter(is_part).filter(|at| holds(*at) > 0).collect();
    if with_story.iter().any(|at| holds(*at) > 1) {
        return Vec::new();
    }
    let is_beside = |at: usize| {
        let place = |n: usize| (tree.sections[n].parent, tree.sections[n].level);
        let free = tree.sections[at].meaning.topic.is_none()
            && !is_aside(&tree.sections[at].title.text)
            && !outline::is_of_all(tree, at);
        with_story.contains(&at) || (free && with_story.iter().any(|other| place(*other) == place(at)))
    };
    let chosen = (0..tree.sections.len()).filter(is_part).filter(|at| is_beside(*at));
    chosen.map(|at| titled_feature(tree, at)).collect()
}

/// The sections of tasks that the document states by their headings, where no table or list gives them files.
fn task_sections(reading: &DocumentReading<'_>) -> Vec<Feature> {
    let tree = reading.tree;
    if reading.spec.files.iter().any(|row| !row.tasks.is_empty()) {
        return Vec::new();
    }
    let is_task = |at: &usize| tree.sections[*at].meaning.task.is_some() && tree.sections[*at].is_part();
    let is_wanted = |at: &usize| tree.own_blocks(*at).iter().any(|block| !tree.is_excluded(block));
    let found = (0..tree.sections.len()).filter(is_task).filter(is_wanted);
    found.map(|at| titled_feature(tree, at)).collect()
}

fn titled_feature(tree: &SectionTree, at: usize) -> Feature {
    let section = &tree.sections[at];
    let title = without_code(without_number(section.title.text.trim()));
    let title = without_remark(title);
    // `Phase 1: Core` is about the core; `As a cook` is about what the cook wants.
    let named = section.meaning.phase.as_ref().and_then(|_| title.split_once(": ")).map(|(_, rest)| rest);
    let wanted = (opens_story(title) || is_generic(title)).then(|| wanted_title(&paragraphs(tree, at)));
    let wanted = wanted.filter(|wanted| !wanted.is_empty());
    section_feature(tree, at, section, wanted.as_deref().or(named).unwrap_or(title))
}

/// Sections that call themselves a feature: `Feature 2: Search`, `Epic: Billing`.
fn named_features(tree: &SectionTree) -> Vec<Feature> {
    let name = |title: &str| {
        let title = without_number(title.trim());
        let rest = ["Feature", "Epic", "FEATURE", "EPIC", "Requirement"]
            .iter()
            .find_map(|word| title.strip_prefix(word))?;
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || " .-#".contains(c));
        let name = rest.strip_prefix([':', '—', '–'])?.trim();
        (!name.is_empty()).then(|| name.to_owned())
    };
    // What is below a feature with ids of its own is cut finer by them.
    let is_cut = |at: usize| {
        let inner = tree.sections[at + 1..tree.section_after(at)].iter().map(|s| &s.meaning);
        inner.filter(|m| m.task.is_some() || m.requirement.is_some()).count() > 1
    };
    let wanted = tree.sections.iter().enumerate();
    let wanted = wanted.filter(|(at, _)| !tree.is_under(*at, Topic::Excluded) && !is_cut(*at));
    let named = wanted.filter_map(|(at, s)| Some((at, s, name(&s.title.text)?)));
    named.map(|(at, section, name)| section_feature(tree, at, section, &name)).collect()
}

/// The features below the first heading, or behind labels, with one of these words.
fn features_below(tree: &SectionTree, words: &[&str]) -> Vec<Feature> {
    let fits = |title: &str| {
        let lower = title.trim_end_matches([':', ' ']).to_lowercase();
        // `IN` beside `OUT`.
        let is_in = lower == "in" && words.contains(&"in scope");
        // `Part A — Feature: Planning` is one feature, and not a list of them.
        let is_one = lower.contains("feature: ") || lower.contains("epic: ");
        (is_in || words.iter().any(|word| lower.contains(word))) && !is_aside(title) && !is_one
    };
    let sections = || tree.sections.iter().enumerate();
    let is_told = |at: usize| !section_ground(tree, at).asks();
    // What several parts have below them is a side of each, and no list of features.
    let times = |title: &str| tree.sections.iter().filter(|s| s.is_part() && s.title.text == title).count();
    let fitting = || {
        let found = sections().filter(|(at, s)| fits(&s.title.text) && !is_told(*at));
        found.filter(|(_, s)| times(&s.title.text) < 2).map(|(at, _)| at)
    };
    let below = |at: usize| -> Vec<Feature> {
        let is_told = |s: &DocumentSection| s.meaning.topic == Some(Topic::Background);
        let is_feature =
            |s: &DocumentSection| s.meaning.requirement.is_some() || !(is_aside_section(s) || is_told(s));
        let children: Vec<(usize, &DocumentSection)> = sections()
            .filter(|(n, s)| s.parent == Some(at) && is_feature(s) && !tree.is_under(*n, Topic::Excluded))
            .collect();
        // `P0 — must have` says how much something is wanted: its items are the features.
        if !children.is_empty() && children.iter().all(|(_, s)| is_priority(&s.title.text)) {
            let listed =
                |n: usize| listed_features(tree, |block| block.section == n && block.label.is_none());
            return children.into_iter().flat_map(|(n, _)| listed(n)).collect();
        }
        let titled = |(n, s): (usize, &DocumentSection)| {
            section_feature(tree, n, s, without_number(s.title.text.trim()))
        };
        children.into_iter().map(titled).collect()
    };
    // Features with a heading of their own say more than a list under another heading with the same word.
    if let Some(children) = fitting().map(below).find(|children| children.len() > 1) {
        return children;
    }
    let items = |at: usize| listed_features(tree, |block| block.section == at && block.label.is_none());
    let listed = fitting().map(items).find(|items| items.len() > 1);
    listed.unwrap_or_else(|| item_features(tree, |block| block.label.as_deref().is_some_and(fits)))
}

/// The same for a section: a heading that stands among names is one, whatever its words are.
pub(super) fn is_aside_section(section: &DocumentSection) -> bool {
    let is_name = section.meaning.topic.is_none() && Topic::from_title(&section.title.text).is_some();
    !is_name && is_aside(&section.title.text)
}

/// Whether a heading is about something else than what is to be built.
pub(super) fn is_aside(title: &str) -> bool {
    use Topic::{Criteria, Decisions, Excluded, Graph, Metrics, Phases, Risks, Tests};
    let lower = title.to_lowercase();
    lower.contains("non-functional")
        || lower.contains("future")
        || lower.starts_with("schema ")
        || is_for_builders(title)
        || Topic::from_title(title).is_some_and(|topic| {
            matches!(topic, Excluded | Criteria | Metrics | Risks | Tests | Decisions | Graph | Phases)
        })
}

fn section_feature(tree: &SectionTree, at: usize, section: &DocumentSection, name: &str) -> Feature {
    let end = tree.section_end(at);
    // `Task 3: Send mails` is called by what is to be done.
    let task = section.meaning.task.as_ref().map(|task| task.title.as_str());
    let name = task.filter(|title| !title.is_empty()).unwrap_or(name);
    Feature {
        title: short_title(name),
        text: paragraphs(tree, at),
        at: section.title.at.clone(),
        extent: section.title.at.start..end,
        origin: FeatureOrigin::Section,
    }
}

/// The paragraphs directly below a heading. Items that say something are criteria.
fn paragraphs(tree: &SectionTree, at: usize) -> String {
    // An item of a word or two is no criterion.
    let is_word = |block: &&DocumentBlock| {
        tree.item(block.index).is_none_or(|item| item.text.text.split_whitespace().count() <= 2)
    };
    let own = tree.own_blocks(at).iter().filter(is_word);
    joined(&own.collect::<Vec<_>>(), 800)
}

/// Items at the top of their lists; each extends up to the next one.
fn item_features(tree: &SectionTree, wanted: impl Fn(&DocumentBlock) -> bool) -> Vec<Feature> {
    let mut found: Vec<Feature> = Vec::new();
    for block in &tree.blocks {
        let BlockContent::Item(item) = &block.content else { continue };
        // `In: …` and `Out: …` below `Scope` are no features.
        let is_side = matches!(
            item_name(&item.text).to_lowercase().trim_end_matches('.'),
            "in" | "out" | "in scope" | "out of scope" | "none" | "n/a"
        );
        if item.parent.is_some()
            || !wanted(block)
            || tree.is_excluded(block)
            || is_side
            || is_release(&item.text.text)
        {
            continue;
        }
        if let Some(last) = found.last_mut() {
            last.extent.end = last.extent.end.min(block.at.start);
        }
        let next_section = tree.own_blocks(block.section).last().and_then(|b| tree.blocks.get(b.index + 1));
        found.push(Feature {
            title: short_title(&item_name(&item.text)),
            text: text_before_criteria(&item.text),
            at: item.text.at.clone(),
            extent: block.at.start..next_section.map_or(usize::MAX, |other| other.at.start),
            origin: FeatureOrigin::Item(block.index),
        });
    }
    found
}

/// What is listed by how much it is wanted: `P1 — next up`, a column `Priority`.
fn ranked_features(tree: &SectionTree) -> Vec<Feature> {
    let blocks = ranked_blocks(tree);
    listed_features(tree, |block| blocks.binary_search(&block.index).is_ok())
}

/// Items, and rows of tables that name a thing each.
fn listed_features(tree: &SectionTree, wanted: impl Fn(&DocumentBlock) -> bool) -> Vec<Feature> {
    let tables: Vec<&DocumentBlock> = tree.wanted_blocks().filter(|block| wanted(block)).collect();
    let mut found = item_features(tree, wanted);
    for block in tables {
        found.extend(named_rows(block).into_iter().map(|row| Feature {
            title: short_title(&row.name),
            text: String::new(),
            extent: row.at.clone(),
            at: row.at,
            origin: FeatureOrigin::Row(block.index, row.text),
        }));
    }
    found.sort_by_key(|feature| feature.at.start);
    let starts: Vec<usize> = found.iter().skip(1).map(|feature| feature.at.start).collect();
    for (feature, next) in found.iter_mut().zip(starts) {
        feature.extent.end = feature.extent.end.min(next);
    }
    found
}

/// The features of a part of the outline: one for each line that divides it, else the section.
fn part_features(tree: &SectionTree, part: &OutlinePart<'_>) -> Vec<Feature> {
    if part.heads.is_empty() {
        return vec![titled_feature(tree, part.section)];
    }
    let feature = |(at, block): (usize, &&DocumentBlock)| {
        let text = block.running_text()?;
        let last = tree.own_blocks(part.section).last().map_or(block.at.end, |b| b.at.end);
        let end = part.heads.get(at + 1).map_or(last, |next| next.at.start);
        let is_item = tree.item(block.index).is_some();
        Some(Feature {
            title: short_title(without_letter(&item_name(text))),
            // The sentences of a paragraph are criteria.
            text: if is_item { text_before_criteria(text) } else { String::new() },
            at: if is_item { text.at.clone() } else { block.at.clone() },
            extent: block.at.start..end,
            origin: if is_item { FeatureOrigin::Item(block.index) } else { FeatureOrigin::Section },
        })
    };
    part.heads.iter().enumerate().filter_map(feature).collect()
}

/// The lines of an item up to its criteria.
fn text_before_criteria(text: &RunningText) -> String {
    let is_before = |line: &&String| !line.trim_start_matches(['*', ' ']).starts_with("Acceptance");
    text.lines().iter().take_while(is_before).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Adds a feature as a story. The criteria inside it that have no story get this one.
fn push(reading: &mut DocumentReading<'_>, feature: Feature) {
    if feature.title.is_empty() {
        return;
    }
    match feature.origin {
        FeatureOrigin::Item(block) => {
            // What an item says besides its name is a criterion, too.
            let block = &reading.tree.blocks[block];
            let says_more = block.running_text().is_some_and(|text| states_behaviour(&text.text));
            if !says_more {
                reading.claim(block);
                state_alone(reading, block);
            }
        }
        FeatureOrigin::Row(block, ref said) => state_row(reading, block, &feature.at, said),
        FeatureOrigin::Section => take_stories(reading, &feature.extent),
    }
    let id = unused_id(reading);
    for criterion in &mut reading.spec.criteria {
        let is_inside =
            criterion.span.file == reading.file && feature.extent.contains(&(criterion.span.start as usize));
        if is_inside && criterion.story.is_none() {
            criterion.story = Some(id.clone());
        }
    }
    let span = reading.span(&feature.at);
    reading.spec.stories.push(Story { id, title: feature.title, text: feature.text, span });
}

/// What a row says is the criterion of its thing.
fn state_row(reading: &mut DocumentReading<'_>, block: usize, at: &Range<usize>, said: &str) {
    let tree = reading.tree;
    let span = reading.span(at);
    let is_known = reading
        .spec
        .criteria
        .iter()
        .any(|c| c.span.file == reading.file && at.contains(&(c.span.start as usize)));
    reading.claim(&tree.blocks[block]);
    if !is_known {
        let draft = CriterionDraft {
            id: None,
            text: said.to_owned(),
            detail: String::new(),
            form: CriterionForm::Row,
            span,
        };
        criteria::push(reading, tree.blocks[block].section, draft);
    }
}

/// A feature without criteria is its own criterion.
fn state_alone(reading: &mut DocumentReading<'_>, block: &DocumentBlock) {
    let has_more = reading.tree.children(block.index).next().is_some();
    let start = u32::try_from(block.at.start).unwrap_or(u32::MAX);
    let end = u32::try_from(block.at.end).unwrap_or(u32::MAX);
    let stated = |c: &SpecCriterion| c.span.file == reading.file && (start..end).contains(&c.span.start);
    let Some(text) = block.running_text().filter(|_| !has_more) else { return };
    if !reading.spec.criteria.iter().any(stated) {
        let span = reading.span(&text.at);
        let draft = CriterionDraft {
            id: None,
            text: text.plain(),
            detail: String::new(),
            form: CriterionForm::Item,
            span,
        };
        criteria::push(reading, block.section, draft);
    }
}

/// Removes the stories inside a part of the text; their criteria get the story of that part.
fn take_stories(reading: &mut DocumentReading<'_>, extent: &Range<usize>) {
    let file = reading.file;
    let inside = |s: &Story| s.span.file == file && extent.contains(&(s.span.start as usize));
    let taken: Vec<String> =
        reading.spec.stories.iter().filter(|s| inside(s)).map(|s| s.id.clone()).collect();
    // An item that is a story without criteria is its own criterion.
    let has_criteria = |id: &String| reading.spec.criteria.iter().any(|c| c.story.as_ref() == Some(id));
    let alone: Vec<Span> =
        reading.spec.stories.iter().filter(|s| inside(s) && !has_criteria(&s.id)).map(|s| s.span).collect();
    reading.spec.stories.retain(|s| !inside(s));
    let tree = reading.tree;
    for span in alone {
        let item = tree
            .blocks
            .iter()
            .find(|b| reading.span(&b.at).start <= span.start && span.start < reading.span(&b.at).end);
        if let Some(block) = item.filter(|b| tree.item(b.index).is_some()) {
            state_alone(reading, block);
        }
    }
    for criterion in &mut reading.spec.criteria {
        if criterion.story.as_ref().is_some_and(|id| taken.contains(id)) {
            criterion.story = None;
        }
    }
}
