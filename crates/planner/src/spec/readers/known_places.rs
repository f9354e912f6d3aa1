//! Which places of a document readers have made facts of, so that nothing is read twice.

use super::remaining::flat;
use crate::spec::document::{DocumentBlock, RunningText};
use crate::spec::model::CriterionForm;
use crate::spec::reading::DocumentReading;
use windlass_core::diagnostic::Span;

/// Where facts of a document begin, with the text of those that are statements.
pub(super) struct KnownPlaces(Vec<KnownFact>);

pub(super) struct KnownFact {
    start: usize,
    /// Its text without marks.
    said: String,
    /// Whether it is a sentence of a text that has more of them.
    is_sentence: bool,
}

impl KnownPlaces {
    pub(super) fn of(reading: &DocumentReading<'_>) -> KnownPlaces {
        let spec = &*reading.spec;
        let mut known: Vec<KnownFact> = Vec::new();
        let mut add = |span: Span, text: &str, is_sentence: bool| {
            if span.file == reading.file {
                known.push(KnownFact { start: span.start as usize, said: flat(text), is_sentence });
            }
        };
        for c in &spec.criteria {
            add(c.span, &format!("{} {}", c.text, c.detail), c.form == CriterionForm::Sentence);
        }
        let remarks = [&spec.exclusions, &spec.regressions, &spec.conventions, &spec.questions];
        remarks.into_iter().flatten().for_each(|r| add(r.span, &r.text, true));
        // A paragraph that a story begins with still says more.
        spec.stories.iter().for_each(|s| add(s.span, &s.text, s.text.is_empty()));
        spec.tasks.iter().for_each(|t| add(t.span, "", false));
        spec.files.iter().for_each(|f| add(f.span, "", false));
        spec.decisions.iter().for_each(|d| add(d.span, "", false));
        known.sort_by_key(|fact| fact.start);
        KnownPlaces(known)
    }

    /// The facts that begin inside a block.
    pub(super) fn inside(&self, block: &DocumentBlock) -> &[KnownFact] {
        let from = self.0.partition_point(|fact| fact.start < block.at.start);
        let to = self.0.partition_point(|fact| fact.start < block.at.end.max(block.at.start + 1));
        &self.0[from..to]
    }

    /// Whether all that is known of a block are sentences of it.
    pub(super) fn are_sentences(&self, block: &DocumentBlock) -> bool {
        let inside = self.inside(block);
        !inside.is_empty() && inside.iter().all(|fact| fact.is_sentence)
    }

    /// Whether a fact begins in a text.
    pub(super) fn has(&self, text: &RunningText) -> bool {
        let from = self.0.partition_point(|fact| fact.start < text.at.start);
        self.0.get(from).is_some_and(|fact| fact.start < text.at.end)
    }

    /// Whether a fact of a block says a sentence.
    pub(super) fn says(&self, block: &DocumentBlock, sentence: &str) -> bool {
        let wanted = flat(sentence);
        self.inside(block).iter().any(|fact| fact.said.contains(&wanted))
    }
}
