//! What the place of a text says about it: whether something is built there, whether it only introduces, or whether it gives
//! reasons, history and other people's work.

use crate::spec::document::{DocumentBlock, SectionTree};
use crate::spec::vocabulary::{Topic, introduces_work, names_open_work, without_number};

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
    let is_own = |topic: &Topic| !(ends_list(tree, block) || leads_in(tree, label, *topic));
    let own = block.label_topic().filter(is_own).map(|topic| of_title(label, Some(topic)));
    match (own, section_ground(tree, block.section)) {
        (_, Ground::Aside) => Ground::Aside,
        (Some(own), _) => own,
        (None, around) => around,
    }
}

/// Whether a label leads in to what its thing does, although a word of it is one of background: `Current behavior:`, `Returns metadata
/// for a file or folder:`.
fn leads_in(tree: &SectionTree, label: &str, topic: Topic) -> bool {
    const SENTENCE: usize = 6;
    let says_how_it_is =
        label.trim_start_matches('*').to_lowercase().starts_with("current ") && !reports_fault(tree);
    let lower = label.trim_matches(['*', ':', '：', ' ']).to_lowercase();
    let says_how_it_is = says_how_it_is || lower == "how to use" || lower == "how to use it";
    topic == Topic::Background && (says_how_it_is || label.split_whitespace().count() >= SENTENCE)
}

/// Whether a block is a paragraph behind the list that the label is about.
fn ends_list(tree: &SectionTree, block: &DocumentBlock) -> bool {
    let before = block.index.checked_sub(1).and_then(|at| tree.blocks.get(at));
    let is_item = before.is_some_and(|b| b.section == block.section && tree.item(b.index).is_some());
    is_item && block.within.is_none() && tree.item(block.index).is_none()
}

/// The ground of a section comes from its nearest heading that states one. Sections below a heading of reasons stay reasons, unless
/// their own heading says that something is to be done. A heading with a name of its own below one that introduces or checks the whole names
/// something that is built.
pub(super) fn section_ground(tree: &SectionTree, section: usize) -> Ground {
    let mut nearest = None;
    let mut is_aim = false;
    let is_named = tree.sections[section].is_part() && tree.sections[section].meaning.topic.is_none();
    for (_, around) in tree.chain(section).filter(|(_, s)| s.is_part()) {
        if names_open_work(&around.title.text) {
            return Ground::Built;
        }
        let own = of_title(&around.title.text, around.meaning.topic);
        if own == Ground::Aside {
            return Ground::Aside;
        }
        if around.meaning.topic.is_some() || own == Ground::Ruled {
            nearest.get_or_insert(own);
            is_aim = is_aim || names_aim(&around.title.text);
        }
    }
    match nearest {
        Some(Ground::Built) if is_aim => Ground::Introduced,
        Some(Ground::Introduced) if is_named && !is_aim => Ground::Built,
        Some(Ground::Checked) if is_named && !names_cases(&tree.sections[section].title.text) => {
            Ground::Built
        }
        Some(around) => around,
        None if tree.sections[section].is_part() => Ground::Built,
        None => Ground::Introduced,
    }
}

fn of_title(title: &str, topic: Option<Topic>) -> Ground {
    use Topic::{
        Background, Components, Conventions, Criteria, Decisions, Endpoints, Excluded, Graph, Metrics,
        Models, Ownership, Phases, Requirements, Risks, Stories, Surface, Tests,
    };
    match topic {
        // Notes for those who build bind them, and are no things.
        None if is_for_builders(title) => Ground::Ruled,
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

/// Whether a title is about what is aimed at, whatever parts it has: `User interface design goals`.
fn names_aim(title: &str) -> bool {
    let lower = title.trim().trim_end_matches([':', ' ']).to_lowercase();
    let last = lower.rsplit(' ').next().unwrap_or_default();
    matches!(last, "goals" | "goal" | "objectives" | "aims" | "vision")
}

/// Whether a title is about cases that are tried.
fn names_cases(title: &str) -> bool {
    const LONGEST: usize = 4;
    let lower = title.to_lowercase();
    lower.split_whitespace().count() <= LONGEST
        && ["case", "test", "scenario", "coverage"].iter().any(|word| lower.contains(word))
}

/// Whether a title is one of notes for the people who build.
pub(super) fn is_for_builders(title: &str) -> bool {
    let lower = without_number(title.trim()).to_lowercase();
    let notes = [
        "technical note",
        "technical hint",
        "implementation note",
        "implementation hint",
        "implementation tip",
        "dev note",
        "developer note",
        "notes for developers",
    ];
    notes.iter().any(|words| lower.starts_with(words))
}

/// Whether a title says that something was decided, and not what else there was.
fn decides(title: &str) -> bool {
    let lower = title.to_lowercase();
    let words =
        ["alternative", "considered", "rejected", "log", "record", "open", "pending", "history", "to be"];
    lower.contains("decision") && !words.iter().any(|word| lower.contains(word))
}

/// Whether a document reports a fault: what is said there about the program is how it is, not how it should be.
pub(super) fn reports_fault(tree: &SectionTree) -> bool {
    let is_sign = |title: &str| {
        let lower = title.to_lowercase();
        lower.contains("to reproduce")
            || lower.contains("actual behavio")
            || lower.trim_matches([':', ' ']) == "actual"
    };
    let labels = tree.blocks.iter().filter_map(|block| block.label.as_deref());
    tree.sections.iter().map(|s| s.title.text.as_str()).chain(labels).any(is_sign)
}
