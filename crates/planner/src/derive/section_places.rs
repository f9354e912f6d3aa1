//! Where the criteria of one section belong: what stands below one heading goes together unless a text names something else.

use std::collections::HashMap;

use super::note::CriterionPlacement;
use super::suitability::{CriterionNature, UnitNature};
use super::words::{Corpus, words};
use crate::spec::{Spec, SpecCriterion, names_thing};
use windlass_core::diagnostic::FileIx;

/// How much the words of a whole section count beside those of one criterion of it.
const WHOLE: f64 = 1.0;
/// How much the words of its heading count.
const HEADED: f64 = 0.4;
/// How much it counts that other criteria of the section name a unit.
const NAMED: f64 = 0.3;

/// The document and the headings around a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct SectionKey<'s>(FileIx, &'s [String]);

impl<'s> SectionKey<'s> {
    fn of(criterion: &'s SpecCriterion) -> Option<SectionKey<'s>> {
        // A story goes through the layers of a design: its table, its service and its route have criteria each. Below `Requirements`
        // or `Acceptance criteria` each line may be about something else, too.
        let is_named = criterion.headings.first().is_some_and(|heading| names_thing(heading));
        (criterion.story.is_none() && is_named)
            .then_some(SectionKey(criterion.span.file, &criterion.headings))
    }
}

/// What a section says, and which units its criteria name.
#[derive(Default)]
struct SaidSection {
    heading: String,
    said: String,
    /// How many of its criteria have to be placed by words.
    open: usize,
    named: Vec<usize>,
}

impl SaidSection {
    /// Whether those of its criteria that name a unit name mostly the same one.
    fn is_about_one(&self) -> bool {
        let times = |unit: usize| self.named.iter().filter(|other| **other == unit).count();
        let most = self.named.iter().map(|unit| times(*unit)).max().unwrap_or(0);
        most * 3 >= self.named.len() * 2
    }
}

/// For each section the evidence for each unit.
pub(super) struct PlacesOfSections<'s>(HashMap<SectionKey<'s>, Vec<f64>>);

impl<'s> PlacesOfSections<'s> {
    /// Of the sections of which several criteria have to be placed by words.
    pub(super) fn of(
        spec: &'s Spec,
        stated: &[Option<CriterionPlacement>],
        natures: &[UnitNature],
        corpus: &Corpus,
    ) -> PlacesOfSections<'s> {
        let mut sections: HashMap<SectionKey<'_>, SaidSection> = HashMap::new();
        for (criterion, stated) in spec.criteria.iter().zip(stated) {
            let Some(key) = SectionKey::of(criterion) else { continue };
            let section = sections.entry(key).or_insert_with(|| SaidSection {
                heading: criterion.headings.first().cloned().unwrap_or_default(),
                ..SaidSection::default()
            });
            section.said.push_str(&format!(" {} {}", criterion.text, criterion.detail));
            match stated {
                Some(link) => section.named.push(link.unit),
                None => section.open += 1,
            }
        }
        sections.retain(|_, section| section.open + section.named.len() > 1 && section.is_about_one());
        let scores = |section: &SaidSection| -> Vec<f64> {
            let nature = CriterionNature::of(&section.said);
            let alike = corpus.fairly_alike(&words(&section.said));
            let headed = corpus.fairly_alike(&words(&section.heading));
            let named = |at: usize| section.named.iter().filter(|unit| **unit == at).count();
            let score = |at: usize| {
                let words = WHOLE * alike[at] + HEADED * headed[at];
                words * nature.weight(&natures[at]) + NAMED * share(named(at), section.named.len())
            };
            (0..natures.len()).map(score).collect()
        };
        PlacesOfSections(sections.iter().map(|(key, section)| (*key, scores(section))).collect())
    }

    /// The evidence of the section around a criterion.
    pub(super) fn around(&self, criterion: &'s SpecCriterion) -> Option<&[f64]> {
        self.0.get(&SectionKey::of(criterion)?).map(Vec::as_slice)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of criteria are small")]
fn share(part: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}
