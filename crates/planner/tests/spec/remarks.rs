//! Remarks: risks, tests, metrics, conventions, exclusions.

use crate::facts::{Facts, fixture, read_documents};

#[test]
fn topics_make_remarks() {
    insta::assert_snapshot!(Facts::new(&fixture!("remarks/topics.md")).remarks().text(), @r"
    5: risk (Risks) A paragraph about floods.
    7: risk (Risks) Wars
    11: risk (Risks) Fire | water
    13: risk (Risks) a code block
    19: test (Testing) Unit tests for carts
    23: test (Edge Cases of carts) an empty cart
    29: test (Edge Cases) a full cart
    33: metric (Success Metrics) Sales rise
    37: convention (Constraints) No new dependencies
    45: excluded (Not in scope:) Not in scope:
    47: excluded (Not in scope:) Behind a label
    51: excluded (Out of Scope) Pears
    55: excluded (Out of Scope) Plums
    ");
}

/// Everything in a document of conventions is one; a document of background has no remarks.
#[test]
fn kinds_of_documents_make_remarks() {
    let prd = ("PRD.md", "# PRD\n");
    let text = "# Title\n\nBe kind.\n\n## Risks\n\n- Floods\n\n## Non-Goals\n\n- Wars\n";
    let remarks = |path: &str| Facts::new(&read_documents(&[prd, (path, text)])).remarks().text();
    insta::assert_snapshot!(remarks("CLAUDE.md"), @r"
    3: convention (Title) Be kind.
    7: convention (Risks) Floods
    11: excluded (Non-Goals) Wars
    ");
    assert_eq!(remarks("README.md"), "");
}
