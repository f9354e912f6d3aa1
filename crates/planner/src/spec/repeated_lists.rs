//! Lists that repeat earlier parts of a document: a plan by releases below the features, a summary behind the parts. An item that is
//! repeated is planned once, from its first place.

use std::collections::HashSet;

use super::model::{Spec, SpecCriterion};
use windlass_core::diagnostic::FileIx;

/// The story and the headings around a criterion.
type StatedPlace = (FileIx, Option<String>, Vec<String>);

/// Removes what lists repeat, and the stories that say nothing else.
pub(super) fn remove_repeated_lists(spec: &mut Spec) {
    /// So many repeated lines are no accident.
    const FEWEST: usize = 3;
    let mut said: HashSet<String> = HashSet::new();
    let mut repeated: HashSet<usize> = HashSet::new();
    let mut from = 0;
    while from < spec.criteria.len() {
        let here = place(&spec.criteria[from]);
        let length = spec.criteria[from..].iter().take_while(|c| place(c) == here).count();
        let list = from..from + length;
        let texts: Vec<String> = spec.criteria[list.clone()].iter().map(|c| flat(&c.text)).collect();
        let again: Vec<usize> = list
            .clone()
            .filter(|at| !spec.criteria[*at].given_id && said.contains(&texts[at - from]))
            .collect();
        if again.len() >= FEWEST && again.len() * 2 >= length {
            repeated.extend(again);
        }
        said.extend(texts.into_iter().filter(|text| !text.is_empty()));
        from += length;
    }
    if repeated.is_empty() {
        return;
    }
    let emptied: HashSet<String> =
        repeated.iter().filter_map(|at| spec.criteria[*at].story.clone()).collect();
    let mut at = 0;
    spec.criteria.retain(|_| {
        at += 1;
        !repeated.contains(&(at - 1))
    });
    let is_left = |id: &String| spec.criteria.iter().any(|c| c.story.as_ref() == Some(id));
    let gone: HashSet<String> = emptied.into_iter().filter(|id| !is_left(id)).collect();
    spec.stories.retain(|story| !gone.contains(&story.id));
}

fn place(criterion: &SpecCriterion) -> StatedPlace {
    (criterion.span.file, criterion.story.clone(), criterion.headings.clone())
}

/// A text without brackets, in its letters and digits alone.
fn flat(text: &str) -> String {
    let text = text.split(" (").next().unwrap_or(text);
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
