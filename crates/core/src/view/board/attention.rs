//! What waits for a person, as a page gets it: the first of a long list, and how many there are.

use serde::Serialize;

use crate::view::{Attention, View};

/// A list longer than this is only counted.
const LISTED: usize = 200;

/// Everything that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttentionDoc {
    /// How many things wait for a person, listed or not.
    pub total: usize,
    /// The first of them.
    pub items: Vec<Attention>,
}

/// Everything that waits for a person; a journal that cannot be read comes first.
pub fn attention(view: &View, trouble: Option<&str>) -> AttentionDoc {
    let mut items: Vec<Attention> =
        trouble.iter().map(|why| Attention::of_run(*why, "`windlass audit` checks the journal")).collect();
    items.extend(view.waits_for_person());
    let total = items.len();
    items.truncate(LISTED);
    AttentionDoc { total, items }
}
