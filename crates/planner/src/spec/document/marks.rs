//! Marks of a state behind items and in the rows of tables: what is done is left out, what is open is wanted without its mark.
//!
//! A mark behind an item says how its thing stands. A tick in front of one is decoration, unless other items of the document begin
//! with a sign of what goes on. A table tells states if one of its columns holds nothing else.

use super::{BlockContent, DocumentTable, RunningText, SectionTree, Topic};
use crate::spec::vocabulary::{ColumnMeaning, TableColumns, WorkState};

/// A row that is left out for its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::spec) struct LeftRow {
    pub(in crate::spec) text: String,
    pub(in crate::spec) at: std::ops::Range<usize>,
}

impl SectionTree {
    /// For each block whether its item is marked as done. Takes the marks off the items and the rows off the tables.
    pub(super) fn read_marks(&mut self) -> Vec<bool> {
        self.leave_out_rows();
        /// A single sign may be what a text is about.
        const FEWEST: usize = 2;
        let text = |at: usize| self.item(at).map(|item| item.text.text.as_str());
        let behind = |at: usize| text(at).and_then(WorkState::behind);
        let before = |at: usize| text(at).and_then(WorkState::before);
        let all = 0..self.blocks.len();
        let goes_on = all.clone().filter_map(before).any(|(state, _)| state == WorkState::Open);
        // What is put off says so itself, and stays as it is written.
        let tells = |(state, _): &(WorkState, &str)| *state != WorkState::PutOff;
        let read = |at: usize| behind(at).filter(tells).or_else(|| before(at).filter(|_| goes_on));
        let marks: Vec<Option<(WorkState, String)>> =
            all.map(|at| read(at).map(|(state, name)| (state, name.to_owned()))).collect();
        if marks.iter().flatten().count() < FEWEST {
            return vec![false; self.blocks.len()];
        }
        // Criteria hold whether they are ticked or not.
        let is_wish = |at: usize| self.topic(&self.blocks[at]) != Some(Topic::Criteria);
        let is_done = |at: usize| is_wish(at) && self.nearest_mark(at, &marks) == Some(WorkState::Done);
        let done = (0..self.blocks.len()).map(is_done).collect();
        for (block, mark) in self.blocks.iter_mut().zip(marks) {
            if let (BlockContent::Item(item), Some((_, name))) = (&mut block.content, mark) {
                item.text.text = name;
                item.text.lines.clear();
            }
        }
        done
    }

    /// The mark of an item or of the nearest item around it that has one.
    fn nearest_mark(&self, index: usize, marks: &[Option<(WorkState, String)>]) -> Option<WorkState> {
        let mut next = self.item(index).map(|_| index).or(self.blocks[index].within);
        while let Some(at) = next {
            if let Some((state, _)) = &marks[at] {
                return Some(*state);
            }
            next = self.item(at).and_then(|item| item.parent);
        }
        None
    }

    /// Takes the rows that are done or put off out of tables that tell the state of each row.
    fn leave_out_rows(&mut self) {
        for block in &mut self.blocks {
            let BlockContent::Table(table) = &mut block.content else { continue };
            let Some((column, states)) = state_column(table) else { continue };
            let mut states = states.into_iter();
            let left = &mut self.left_rows;
            table.rows.retain(|row| {
                let stays = states.next() == Some(WorkState::Open);
                if let (false, Some(first), Some(last)) = (stays, row.first(), row.last()) {
                    let text = row.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" | ");
                    left.push(LeftRow { text, at: first.at.start..last.at.end });
                }
                stays
            });
            table.head.remove(column);
            table.rows.iter_mut().for_each(|row| drop(row.remove(column)));
        }
    }
}

/// The only column of a table that holds nothing but states, and the state of each row, if some are open and some are not. The
/// first column names the rows.
fn state_column(table: &DocumentTable) -> Option<(usize, Vec<WorkState>)> {
    let states = |column: usize| -> Option<Vec<WorkState>> {
        table.rows.iter().map(|row| WorkState::of_whole(&row.get(column)?.text)).collect()
    };
    let mut found = (1..table.head.len()).filter_map(|column| Some((column, states(column)?)));
    let (column, states) = found.next().filter(|_| found.next().is_none())?;
    // `Supported | ✅` says what a thing can do.
    let is_word = |row: &Vec<RunningText>| row[column].text.chars().any(char::is_alphanumeric);
    let is_named = TableColumns::from_table(table).find(ColumnMeaning::Operation) == Some(column);
    let tells = states.contains(&WorkState::Open) && states.iter().any(|state| *state != WorkState::Open);
    (tells && (is_named || table.rows.iter().any(is_word))).then_some((column, states))
}
