//! The ids of the tasks that are known while orders are read, and the titles found on the way.

use crate::spec::model::Spec;
use crate::spec::vocabulary::{dependency_phrase, ids};

/// The tasks' ids and titles.
#[derive(Debug, Default)]
pub(super) struct TaskNames {
    known: Vec<String>,
    /// The shapes of the known ids; an unknown id of the same shape is a task too.
    shapes: Vec<(String, usize)>,
    pub(super) titles: Vec<(String, String)>,
    /// Tasks that wait for nothing.
    pub(super) free: Vec<String>,
}

impl TaskNames {
    /// The ids that tables, headings and lists of files give.
    pub(super) fn from_spec(spec: &Spec) -> TaskNames {
        let by_task = spec.tasks.iter().map(|t| &t.id);
        TaskNames::from_ids(by_task.chain(spec.files.iter().flat_map(|f| &f.tasks)))
    }

    pub(super) fn from_ids<'i>(ids: impl Iterator<Item = &'i String>) -> TaskNames {
        let mut names = TaskNames::default();
        for id in ids {
            if !names.known.contains(id) {
                names.known.push(id.clone());
            }
        }
        names.shapes = names.known.iter().map(|id| ids::shape(id)).collect();
        names
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The id that a word stands for: a known one, its short form, or a new one of the same shape.
    pub(super) fn id(&mut self, word: &str) -> Option<String> {
        if let Some(known) = ids::resolve(word, &self.known) {
            return Some(known.clone());
        }
        let alike = ids::is_task_id(word) && word.contains('-') && self.shapes.contains(&ids::shape(word));
        alike.then(|| {
            self.known.push(word.to_owned());
            word.to_owned()
        })
    }

    /// Every id in a text, each once.
    pub(super) fn ids(&mut self, text: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for id in ids::task_ids(&ids::without_ranges(text)).into_iter().filter_map(|word| self.id(word)) {
            if !found.contains(&id) {
                found.push(id);
            }
        }
        found
    }

    /// The known id that a word stands for.
    pub(super) fn known_id(&self, word: &str) -> Option<String> {
        ids::resolve(word, &self.known).cloned()
    }

    /// The ids in a text that are known already.
    pub(super) fn known_ids(&self, text: &str) -> Vec<String> {
        let text = ids::without_ranges(text);
        ids::task_ids(&text).into_iter().filter_map(|word| ids::resolve(word, &self.known).cloned()).collect()
    }

    pub(super) fn set_free(&mut self, id: &str) {
        if !self.free.iter().any(|f| f == id) {
            self.free.push(id.to_owned());
        }
    }

    /// Notes the first title that is found for a task.
    pub(super) fn set_title(&mut self, id: &str, title: &str) {
        // `Create the store [depends: T1]`: what it waits for is no part of its title.
        let end = dependency_phrase(title).map_or(title.len(), |(start, _)| start);
        let bracket = title[..end].trim_end().ends_with(['[', '(']);
        let title = if bracket { title[..end].trim_end().trim_end_matches(['[', '(']) } else { title };
        let title = title.trim().trim_matches(['"', '(', ')', ':', ' ', '-', '—']);
        let known = self.titles.iter().any(|(k, _)| k == id);
        if !known && title.chars().any(char::is_alphabetic) {
            self.titles.push((id.to_owned(), title.to_owned()));
        }
    }
}
