//! What the place of a text says about it: whether something is built there, whether it only introduces, or whether it gives
//! reasons, history and other people's work.

use super::story_extents::StoryExtent;
use crate::spec::document::{DocumentBlock, SectionTree};
use crate::spec::model::{CriterionForm, SpecCriterion};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, introduces_work, names_open_work};

/// What stands at a place of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    /// Something is built: everything counts unless its kind says otherwise.
    Built,
    /// The whole is introduced: what says how the program behaves counts.
    Introduced,
    /// It is said how the whole is checked, or what was decided: what stands there is wanted where nothing marks what is.
    Checked,
    /// Rules for everything: what binds counts.
    Ruled,
    /// Nothing is asked for.
    Aside,
}

impl Ground {
    /// Whether something is built or introduced here.
    pub(super) fn asks(self) -> bool {
        match self {
            Ground::Built | Ground::Introduced => true,
            Ground::Checked | Ground::Ruled | Ground::Aside => false,
        }
    }
}

/// The ground that a block stands on: its label decides, then its section.
pub(super) fn ground(tree: &SectionTree, block: &DocumentBlock) -> Ground {
    let label = block.label.as_deref().unwrap_or_default();
    let own =
        block.label_topic().filter(|_| !ends_list(tree, block)).map(|topic| of_title(label, Some(topic)));
    match (own, section_ground(tree, block.section)) {
        (_, Ground::Aside) => Ground::Aside,
        (Some(own), _) => own,
        (None, around) => around,
    }
}

/// Whether a block is a paragraph behind the list that the label is about.
fn ends_list(tree: &SectionTree, block: &DocumentBlock) -> bool {
    let before = block.index.checked_sub(1).and_then(|at| tree.blocks.get(at));
    let is_item = before.is_some_and(|b| b.section == block.section && tree.item(b.index).is_some());
    is_item && block.within.is_none() && tree.item(block.index).is_none()
}

/// The ground of a section: the nearest heading that says so decides, but what is below reasons stays there unless its own
/// heading says that it is still to be done.
pub(super) fn section_ground(tree: &SectionTree, section: usize) -> Ground {
    let mut nearest = None;
    for (_, around) in tree.chain(section).filter(|(_, s)| s.is_part()) {
        if names_open_work(&around.title.text) {
            return Ground::Built;
        }
        let own = of_title(&around.title.text, around.meaning.topic);
        if own == Ground::Aside {
            return Ground::Aside;
        }
        if around.meaning.topic.is_some() {
            nearest.get_or_insert(own);
        }
    }
    let is_part = tree.sections[section].is_part();
    nearest.unwrap_or(if is_part { Ground::Built } else { Ground::Introduced })
}

fn of_title(title: &str, topic: Option<Topic>) -> Ground {
    use Topic::{
        Background, Components, Conventions, Criteria, Decisions, Endpoints, Excluded, Graph, Metrics,
        Models, Ownership, Phases, Requirements, Risks, Stories, Surface, Tests,
    };
    match topic {
        None => Ground::Built,
        Some(Components | Criteria | Endpoints | Models | Phases | Requirements | Stories | Surface) => {
            Ground::Built
        }
        Some(Background) if introduces_work(title) => Ground::Introduced,
        Some(Conventions) => Ground::Ruled,
        Some(Tests) => Ground::Checked,
        // What was decided is wanted; what was weighed and left is not.
        Some(Decisions) if decides(title) => Ground::Checked,
        Some(Background | Decisions | Excluded | Graph | Metrics | Ownership | Risks) => Ground::Aside,
    }
}

/// Whether a title says that something was decided, and not what else there was.
fn decides(title: &str) -> bool {
    let lower = title.to_lowercase();
    let words =
        ["alternative", "considered", "rejected", "log", "record", "open", "pending", "history", "to be"];
    lower.contains("decision") && !words.iter().any(|word| lower.contains(word))
}

/// Whether a document marks what it asks for, so that the rest of it is talk: stories, features and marked criteria are a good
/// part of what it says where something is built or introduced.
pub(super) fn is_marked(reading: &DocumentReading<'_>, extents: &[StoryExtent]) -> bool {
    const SHARE: usize = 4;
    let tree = reading.tree;
    if reports_fault(tree) {
        return true;
    }
    let mut marked = 0;
    let mut all = 0;
    let is_story = |at: usize| !*reading.divided && extents.iter().any(|e| e.extent.contains(&at));
    let stated = marked_places(reading);
    for block in tree.wanted_blocks() {
        let Some(text) = block.running_text().filter(|_| ground(tree, block).asks()) else {
            continue;
        };
        let is_stated = stated.iter().any(|at| block.at.contains(at));
        all += text.text.len();
        marked += if is_stated || is_story(block.at.start) { text.text.len() } else { 0 };
    }
    marked > 0 && marked * SHARE >= all
}

/// Whether a document reports a fault: what is said there about the program is how it is, not how it should be.
fn reports_fault(tree: &SectionTree) -> bool {
    let is_sign = |title: &str| {
        let lower = title.to_lowercase();
        lower.contains("to reproduce")
            || lower.contains("actual behavio")
            || lower.trim_matches([':', ' ']) == "actual"
    };
    let labels = tree.blocks.iter().filter_map(|block| block.label.as_deref());
    tree.sections.iter().map(|s| s.title.text.as_str()).chain(labels).any(is_sign)
}

/// Where the criteria of a document begin that have an id, a fixed form or a heading of their own.
fn marked_places(reading: &DocumentReading<'_>) -> Vec<usize> {
    let is_marked = |c: &&SpecCriterion| {
        let headed = c.headings.iter().any(|h| Topic::from_title(h) == Some(Topic::Criteria));
        let formed = matches!(c.form, CriterionForm::Ears | CriterionForm::Scenario);
        c.span.file == reading.file && (headed || c.given_id || formed)
    };
    reading.spec.criteria.iter().filter(is_marked).map(|c| c.span.start as usize).collect()
}
