//! Sections of one form: siblings that tell of themselves under the same labels. Each is a thing of the document, whatever the words of
//! its heading mean elsewhere, and what stands under a label is a side of it.

use std::collections::{HashMap, HashSet};

use super::{BlockContent, RunningText, SectionTree, Topic};
use crate::spec::vocabulary::HeadingMeaning;

/// So many sections, and so many labels that they share, make a form.
const FEWEST_SECTIONS: usize = 3;
const FEWEST_LABELS: usize = 2;

impl SectionTree {
    /// Marks the sections of one form, and takes the topic from their headings.
    pub(super) fn read_repeated_forms(&mut self) {
        let mut families: HashMap<(Option<usize>, usize), Vec<usize>> = HashMap::new();
        for (at, section) in self.sections.iter().enumerate().filter(|(_, s)| s.is_part()) {
            families.entry((section.parent, section.level)).or_default().push(at);
        }
        self.of_form = vec![false; self.sections.len()];
        for family in families.into_values().filter(|family| family.len() >= FEWEST_SECTIONS) {
            for at in self.of_one_form(&family) {
                self.of_form[at] = true;
                let meaning = &self.sections[at].meaning;
                if meaning.topic != Some(Topic::Excluded) {
                    self.sections[at].meaning = HeadingMeaning { topic: None, ..meaning.clone() };
                }
            }
        }
    }

    /// Whether a section has the form of its siblings.
    pub(in crate::spec) fn is_of_form(&self, section: usize) -> bool {
        self.of_form.get(section) == Some(&true)
    }

    /// Those of some siblings that share labels with most of them.
    fn of_one_form(&self, family: &[usize]) -> Vec<usize> {
        let labels: Vec<HashSet<String>> = family.iter().map(|at| self.labels_in(*at)).collect();
        let mut homes: HashMap<&str, usize> = HashMap::new();
        for label in labels.iter().flatten() {
            *homes.entry(label).or_default() += 1;
        }
        let is_shared = |label: &String| {
            homes[label.as_str()] >= FEWEST_SECTIONS && homes[label.as_str()] * 4 >= family.len() * 3
        };
        let has_form =
            |own: &HashSet<String>| own.iter().filter(|label| is_shared(label)).count() >= FEWEST_LABELS;
        family.iter().zip(&labels).filter(|(_, own)| has_form(own)).map(|(at, _)| *at).collect()
    }

    /// The labels that lines of a section begin with.
    fn labels_in(&self, section: usize) -> HashSet<String> {
        let own = self.own_blocks(section).iter();
        let written = own.filter_map(|block| match &block.content {
            BlockContent::Paragraph(text) => Some(text),
            BlockContent::Item(_) | BlockContent::Table(_) | BlockContent::Code(_) => None,
        });
        written.flat_map(RunningText::lines).filter_map(|line| label_of(line)).collect()
    }
}

/// The label in front of the colon of a line, in lower case.
fn label_of(line: &str) -> Option<String> {
    const MOST_WORDS: usize = 3;
    const MOST_LETTERS: usize = 30;
    let (label, _) = line.split_once([':', '：'])?;
    let label = label.trim_matches(['*', '_', '-', ' ']).to_lowercase();
    let is_label = !label.is_empty()
        && label.split_whitespace().count() <= MOST_WORDS
        && label.chars().count() <= MOST_LETTERS
        && label.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '/');
    is_label.then_some(label)
}
