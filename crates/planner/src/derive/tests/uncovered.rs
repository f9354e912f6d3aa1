//! What no story covers is a task of its own, and what names a command goes to the story that shows it.

use super::{cases, document, options};
use crate::lint::Profile;

#[test]
fn what_no_story_covers_is_a_task_of_its_own() {
    let case = &cases(document!("uncovered"))[0];
    let plan = case.derived(&options(Profile::Default)).plan;
    let tasks: Vec<(&str, Vec<&str>)> = plan
        .tasks
        .iter()
        .map(|t| (t.title.as_str(), t.criteria.iter().map(|c| c.id.as_str()).collect()))
        .collect();
    let of =
        |title: &str| tasks.iter().find(|(t, _)| *t == title).map(|(_, ids)| ids.clone()).unwrap_or_default();
    assert_eq!(of("Add a book"), ["AC-001", "AC-002", "FR-1"], "{tasks:?}");
    assert_eq!(of("Lend a book"), ["AC-003", "AC-004", "FR-2"], "{tasks:?}");
    assert_eq!(of("Common behaviour of Shelf console"), ["FR-3", "FR-4", "FR-5", "FR-6"], "{tasks:?}");
}
