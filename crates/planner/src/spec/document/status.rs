//! What a section says of its own state: `Status: Future`, `Phase 0 (Completed)`, `Search ✅`.
//!
//! What is put off is left out. What is done is left out where others are not: a document in which everything is done describes
//! what is wanted.

use super::{DocumentBlock, SectionTree, Topic};
use crate::spec::vocabulary::WorkState;

impl SectionTree {
    /// Leaves out the sections that say of themselves that they are put off, or done where others are not.
    pub(super) fn leave_out_by_status(&mut self) {
        let states: Vec<Option<WorkState>> =
            (0..self.sections.len()).map(|at| self.stated_status(at)).collect();
        // What is done tells apart beside a phase, a thing without a mark, or a section with another state.
        let names_thing = |at: usize| {
            let section = &self.sections[at];
            section.meaning.phase.is_some() || (section.is_part() && section.meaning.topic.is_none())
        };
        let is_open =
            |at: usize| states[at].map_or_else(|| names_thing(at), |state| state != WorkState::Done);
        let place = |at: usize| (self.sections[at].parent, self.sections[at].level);
        let tells_apart = |at: usize| (0..states.len()).any(|n| is_open(n) && place(n) == place(at));
        let is_left = |at: &usize| match states[*at] {
            Some(WorkState::PutOff) => true,
            Some(WorkState::Done) => tells_apart(*at),
            Some(WorkState::Open) | None => false,
        };
        let left: Vec<usize> = (0..states.len()).filter(is_left).collect();
        for at in left {
            self.sections[at].meaning.topic = Some(Topic::Excluded);
        }
        self.take_marks_off_headings();
    }

    /// What the first lines of a section, or else what stands behind its heading, say of its state.
    fn stated_status(&self, at: usize) -> Option<WorkState> {
        const FIRST: usize = 3;
        if !self.sections[at].is_part() {
            return None;
        }
        let said = |block: &DocumentBlock| {
            let lines = block.running_text()?.lines();
            lines.iter().find_map(|line| {
                let line = line.trim_matches(['*', '_', '-', ' ']);
                let (label, state) = line.split_once(':')?;
                label.trim_matches(['*', ' ']).eq_ignore_ascii_case("status").then(|| state.to_owned())
            })
        };
        let line = self.own_blocks(at).iter().take(FIRST).find_map(said);
        if let Some(words) = line {
            return Some(WorkState::of_words(words.trim_matches(['*', ' '])).unwrap_or(WorkState::Open));
        }
        let title = self.sections[at].title.text.trim_end();
        let bracketed = title.strip_suffix(')').and_then(|title| title.rsplit_once('('));
        let done = bracketed
            .and_then(|(_, inner)| WorkState::of_words(inner))
            .filter(|state| *state == WorkState::Done);
        done.or_else(|| WorkState::behind(title).map(|(state, _)| state))
    }

    /// Takes the sign of its state off a heading: `Search ✅` is called `Search`.
    fn take_marks_off_headings(&mut self) {
        for section in &mut self.sections {
            let title = section.title.text.trim_end();
            let is_signed = title.ends_with(|c: char| !c.is_ascii() && !c.is_alphanumeric());
            if let Some((_, name)) = WorkState::behind(title).filter(|_| is_signed) {
                let length = name.len();
                section.title.text.truncate(length);
            }
        }
    }
}
