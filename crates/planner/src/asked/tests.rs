//! Tests of the page.

use super::*;
use crate::derive::Note;
use windlass_core::plan::Criterion;

#[test]
fn what_no_document_covers_is_not_counted_as_covered() {
    let criterion =
        |id: &str| Criterion { id: id.into(), text: format!("{id} holds"), ..Criterion::default() };
    let criteria = vec![criterion("AC-1"), criterion("AC-2"), criterion("AC-3")];
    let task = Task { id: "T1".into(), criteria: criteria.clone(), ..Task::default() };
    let plan = Plan { tasks: vec![task], criteria, ..Plan::default() };
    let note = |kind: NoteKind, criterion: Option<&str>| Note {
        kind,
        text: "said".into(),
        span: None,
        help: None,
        criterion: criterion.map(str::to_owned),
    };
    let notes = [
        note(NoteKind::CoverageGap, Some("AC-2")),
        note(NoteKind::Unsure, Some("AC-3")),
        note(NoteKind::LeftOut, None),
    ];
    let page = PlanPage::new(&plan, &[], &notes);
    assert_eq!(page.covered, (2, 3));
    let said: Vec<&str> = page.tasks[0].criteria.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(
        said,
        ["AC-1 holds", "AC-2 holds (no document says where it belongs)", "AC-3 holds (a guess by its words)"]
    );
    // A remark about a criterion is shown once.
    assert_eq!(page.open, [(NoteKind::LeftOut, "said".to_owned())]);
}
