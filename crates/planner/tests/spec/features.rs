//! Features as stories, in documents that tell none.

use crate::facts::{Facts, fixture, read_documents};

#[test]
fn headings_below_features() {
    insta::assert_snapshot!(Facts::new(&fixture!("features/headings.md")).stories().criteria().text(), @r#"
    5: US-1 Semantic Search | Finds by meaning.
    13: US-2 Export | To CSV.
    7: AC-001 Finds by meaning. (Sentence) | story US-1
    11: AC-002 Results are ordered by score (Item) | story US-1
    19: AC-003 A file is offered (Item) | story US-2
    "#);
}

#[test]
fn headings_that_call_themselves_features() {
    insta::assert_snapshot!(Facts::new(&fixture!("features/named.md")).stories().text(), @r#"
    3: US-1 Billing | Money.
    7: US-2 Stock | Things.
    "#);
}

#[test]
fn items_below_features() {
    insta::assert_snapshot!(Facts::new(&fixture!("features/items.md")).stories().criteria().text(), @"
    7: US-1 Chat | Chat (Agent) / What: answers questions.
    14: US-2 Summary | Summary. A short text.
    17: US-3 A title that is much longer than the seventy-two characters that fit into | A title that is much longer than the seventy-two characters that fit into the title of a story
    10: AC-001 Given a session When the user asks Then an answer is shown. (Scenario) | detail Chat (Agent) | story US-1
    15: AC-002 Summary. A short text.: a detail of it (Item) | story US-2
    17: AC-003 A title that is much longer than the seventy-two characters that fit into the title of a story (Item) | story US-3
    ");
}

#[test]
fn items_behind_a_label() {
    insta::assert_snapshot!(Facts::new(&fixture!("features/labels.md")).stories().text(), @r#"
    7: US-1 Carts | Carts: hold things
    8: US-2 Orders | Orders (fast): are sent
    "#);
}

/// The features of a design count if no document states stories or tasks, and none asks for anything beside files and
/// components.
#[test]
fn features_of_a_design() {
    let design = ("design.md", include_str!("features/design.md"));
    let stories = |documents: &[(&str, &str)]| Facts::new(&read_documents(documents)).stories().text();
    assert_eq!(stories(&[design]), "5: US-1 Search | Search\n6: US-2 Export | Export\n");
    assert_eq!(
        stories(&[design, ("PRD.md", "# PRD\n\n### US-1: Carts\n\nAs a b, I want c.\n")]).lines().count(),
        1
    );
    assert_eq!(stories(&[design, ("design-2.md", "# D\n\n### TASK-001: Schema\n\nFirst.\n")]), "");
    let with_component = ("design-2.md", "# D\n\n### `src/a.py`\n\nA component.\n");
    assert_eq!(stories(&[design, with_component]).lines().count(), 2);
    let asked = ("PRD.md", "# PRD\n\n## Acceptance Criteria\n\n- It works\n");
    assert_eq!(stories(&[design, with_component, asked]), "");
}
