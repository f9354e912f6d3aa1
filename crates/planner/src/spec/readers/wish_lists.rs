//! Lists of wishes: headings and columns that say how much something is wanted, and tables whose rows name a thing each and say
//! something of it.

use std::ops::Range;

use super::behavioural_rows::{lists_endpoints, lists_people};
use crate::spec::document::{BlockContent, DocumentBlock, DocumentTable, RunningText, SectionTree};
use crate::spec::vocabulary::{ColumnMeaning, TableColumns, Topic, is_blank, without_number};

/// A row that names a thing.
pub(super) struct NamedRow {
    /// What the thing is called.
    pub(super) name: String,
    /// What is said of it, its name included.
    pub(super) text: String,
    pub(super) at: Range<usize>,
}

/// Whether a heading only says how much what is below it is wanted: `P0 — Must have`, `🔴 High priority`.
pub(super) fn is_priority(title: &str) -> bool {
    let lower = title.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let lower = without_number(lower.trim());
    let first = lower.split([' ', ':', '—', '–', '-', '(']).next().unwrap_or_default();
    // `New capabilities`, `Modified features`: what is below them is.
    let mut spoken = lower.split_whitespace();
    let is_group = matches!(spoken.next(), Some("new" | "modified" | "added" | "changed"))
        && matches!(spoken.next(), Some("capabilities" | "features"))
        && spoken.next().is_none();
    let words = [
        "must have",
        "must-have",
        "should have",
        "should-have",
        "high priority",
        "medium priority",
        "low priority",
        "top priority",
    ];
    // `Priority 2`, `Priority: high`
    let ranked = lower.strip_prefix("priority").map(|rest| rest.trim_start_matches([':', ' ', '-', '—']));
    is_class(first)
        || is_group
        || ranked.is_some_and(|rest| is_rank(rest.split(' ').next().unwrap_or_default()))
        || words.iter().any(|word| lower.starts_with(word))
}

/// Whether a word is a class of wishes: `p0`.
fn is_class(word: &str) -> bool {
    word.len() == 2 && word.starts_with('p') && word.ends_with(|c: char| c.is_ascii_digit())
}

/// Whether a cell or word is a step of a scale of wishes.
fn is_rank(cell: &str) -> bool {
    let lower = cell.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    is_class(&lower)
        || matches!(
            lower.as_str(),
            "high" | "medium" | "low" | "critical" | "must" | "should" | "could" | "高" | "中" | "低"
        )
        || (lower.len() == 1 && lower.starts_with(|c: char| c.is_ascii_digit()))
}

/// The blocks of a document that list wishes by how much they are wanted: below headings of a scale, or in tables with a column of
/// one. Headings below such a heading are the things themselves.
pub(super) fn ranked_blocks(tree: &SectionTree) -> Vec<usize> {
    const FEWEST: usize = 2;
    let ranks: Vec<usize> = (0..tree.sections.len())
        .filter(|at| tree.sections[*at].is_part() && is_priority(&tree.sections[*at].title.text))
        .collect();
    let has_parts = |at: &usize| tree.sections.iter().any(|s| s.parent == Some(*at) && s.is_part());
    let is_scale = ranks.len() >= FEWEST && !ranks.iter().any(has_parts);
    // Statements about one thing stay together, however much each is wanted; a list of things names them.
    let tops = || {
        let below = ranks.iter().flat_map(|at| tree.own_blocks(*at)).filter(|b| !tree.is_excluded(b));
        below.filter_map(|b| tree.item(b.index)).filter(|item| item.parent.is_none())
    };
    let nameless = tops().filter(|item| !begins_with_name(&item.text)).count();
    let is_scale = is_scale && nameless * 3 <= tops().count();
    let is_below =
        |block: &DocumentBlock| is_scale && ranks.contains(&block.section) && block.label.is_none();
    let is_wanted = |block: &&DocumentBlock| {
        let is_told = matches!(tree.topic(block), Some(Topic::Risks | Topic::Metrics | Topic::Tests));
        !is_told && (is_below(block) || has_rank_column(block))
    };
    tree.wanted_blocks().filter(is_wanted).map(|block| block.index).collect()
}

/// Whether a text begins with the name of a thing: in bold, or before a dash or colon.
fn begins_with_name(text: &RunningText) -> bool {
    const LONGEST: usize = 6;
    let opens_bold = text.bold.as_deref().is_some_and(|bold| {
        let bold = bold.trim_matches(['*', ' ']);
        !bold.is_empty() && text.text.trim_start_matches('*').starts_with(bold)
    });
    let head = [" — ", " – ", ": "].iter().find_map(|mark| text.text.split_once(mark)).map(|(head, _)| head);
    opens_bold || head.is_some_and(|head| head.split_whitespace().count() <= LONGEST)
}

/// Whether a table has a column that says how much each row is wanted.
fn has_rank_column(block: &DocumentBlock) -> bool {
    let BlockContent::Table(table) = &block.content else { return false };
    let at = TableColumns::from_table(table).find(ColumnMeaning::Priority);
    at.is_some_and(|at| table.rows.iter().all(|row| row.get(at).is_some_and(|cell| is_rank(&cell.text))))
}

/// The rows of a table that each begin with the name of a thing, beside numbers and ranks, and say something of it.
pub(super) fn named_rows(block: &DocumentBlock) -> Vec<NamedRow> {
    const FEWEST: usize = 2;
    let BlockContent::Table(table) = &block.content else { return Vec::new() };
    let columns = TableColumns::from_table(table);
    use ColumnMeaning::{Choice, Decision, Depends, Field, Method, Phase, Risk};
    let others = [Risk, Decision, Choice, Phase, Field, Method, Depends];
    let holds_else = columns.names_files() || others.into_iter().any(|meaning| columns.has(meaning));
    if holds_else || lists_people(table) || lists_endpoints(block) {
        return Vec::new();
    }
    let found: Vec<NamedRow> = table.rows.iter().filter_map(|row| named_row(table, &columns, row)).collect();
    let mut names: Vec<&str> = found.iter().map(|row| row.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let is_whole = names.len() == table.rows.len() && names.len() >= FEWEST;
    if is_whole { found } else { Vec::new() }
}

/// Whether most names of a list are headings of the document: the list only puts in order what these say.
pub(super) fn names_headings(tree: &SectionTree, names: &[&str]) -> bool {
    let words = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
        words.map(|word| word.trim_end_matches('s').to_owned()).collect()
    };
    let parts = tree.sections.iter().filter(|s| s.is_part());
    let headings: Vec<Vec<String>> = parts.map(|s| words(&s.title.text)).collect();
    let is_heading = |name: &&&str| {
        let name = words(name);
        !name.is_empty() && headings.iter().any(|heading| name.iter().all(|word| heading.contains(word)))
    };
    names.iter().filter(is_heading).count() * 2 > names.len()
}

/// Whether a table ranks what headings name, and says no more than a few words of it.
pub(super) fn orders_headings(tree: &SectionTree, block: &DocumentBlock) -> bool {
    const FEW: usize = 6;
    let BlockContent::Table(table) = &block.content else { return false };
    let rows = named_rows(block);
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let is_short =
        |row: &NamedRow| row.text.split_whitespace().count() <= row.name.split_whitespace().count() + FEW;
    let is_ranked = TableColumns::from_table(table).has(ColumnMeaning::Priority);
    is_ranked && rows.len() > 1 && rows.iter().all(is_short) && names_headings(tree, &names)
}

fn named_row(table: &DocumentTable, columns: &TableColumns, row: &[RunningText]) -> Option<NamedRow> {
    const LONGEST_NAME: usize = 10;
    let rank = columns.find(ColumnMeaning::Priority);
    let is_number = |text: &str| text.trim().trim_start_matches('#').chars().all(|c| c.is_ascii_digit());
    let said = row.iter().enumerate().filter(|(at, cell)| {
        Some(*at) != rank && *at < table.head.len() && !is_blank(&cell.text) && !is_number(&cell.text)
    });
    let said: Vec<&RunningText> = said.map(|(_, cell)| cell).collect();
    let [name, rest @ ..] = said.as_slice() else { return None };
    let plain = name.text.replace(['*', '`'], "");
    let words = plain.split_whitespace().count();
    // A cell with an id or a sentence is no name.
    let is_id = words == 1 && plain.contains(|c: char| c.is_ascii_digit());
    let is_name = words <= LONGEST_NAME && !plain.trim_end().ends_with(['.', '。', '?']) && !is_id;
    let text = said.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(": ");
    let (first, last) = (row.first()?, row.last()?);
    (is_name && !rest.is_empty()).then_some(NamedRow { name: plain, text, at: first.at.start..last.at.end })
}
