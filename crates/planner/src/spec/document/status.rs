//! What a section says of its own state: `Status: Future`, `Phase 0 (Completed)`.
//!
//! What is put off is left out. What is done is left out where others are not: a document in which everything is done describes
//! what is wanted.

use super::{DocumentBlock, SectionTree, Topic};

/// The state of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SectionState {
    Done,
    PutOff,
    Wanted,
}

impl SectionState {
    /// The state that the words behind `Status:` or in brackets say.
    fn of(words: &str) -> SectionState {
        const DONE: [&str; 9] = [
            "completed",
            "complete",
            "done",
            "shipped",
            "implemented",
            "released",
            "finished",
            "delivered",
            "merged",
        ];
        const PUT_OFF: [&str; 15] = [
            "future",
            "long-term",
            "long term",
            "later",
            "deferred",
            "postponed",
            "backlog",
            "on hold",
            "rejected",
            "dropped",
            "cancelled",
            "canceled",
            "out of scope",
            "someday",
            "not planned",
        ];
        let lower = words.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let opens = |word: &str| {
            lower.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        };
        if DONE.iter().any(|word| opens(word)) {
            SectionState::Done
        } else if PUT_OFF.iter().any(|word| opens(word)) {
            SectionState::PutOff
        } else {
            SectionState::Wanted
        }
    }
}

impl SectionTree {
    /// Leaves out the sections that say of themselves that they are put off, or done where others are not.
    pub(super) fn leave_out_by_status(&mut self) {
        let states: Vec<Option<SectionState>> =
            (0..self.sections.len()).map(|at| self.stated_status(at)).collect();
        // What is done tells apart beside a phase or a section with another state.
        let is_open = |at: usize| match states[at] {
            Some(state) => state != SectionState::Done,
            None => self.sections[at].meaning.phase.is_some(),
        };
        let place = |at: usize| (self.sections[at].parent, self.sections[at].level);
        let tells_apart = |at: usize| (0..states.len()).any(|n| is_open(n) && place(n) == place(at));
        let is_left = |at: &usize| match states[*at] {
            Some(SectionState::PutOff) => true,
            Some(SectionState::Done) => tells_apart(*at),
            Some(SectionState::Wanted) | None => false,
        };
        let left: Vec<usize> = (0..states.len()).filter(is_left).collect();
        for at in left {
            self.sections[at].meaning.topic = Some(Topic::Excluded);
        }
    }

    /// What the first lines of a section, or else the brackets in its heading, say of its state.
    fn stated_status(&self, at: usize) -> Option<SectionState> {
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
        let title = &self.sections[at].title.text;
        let bracketed =
            || title.trim_end().strip_suffix(')')?.rsplit_once('(').map(|(_, inner)| inner.to_owned());
        let line = line.map(|words| SectionState::of(words.trim_matches(['*', ' '])));
        line.or_else(|| {
            bracketed().map(|words| SectionState::of(&words)).filter(|s| *s == SectionState::Done)
        })
    }
}
