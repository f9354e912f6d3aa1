//! What no reader has claimed.

use crate::facts::{Facts, fixture, read_documents};

#[test]
fn requests_that_no_reader_claimed() {
    insta::assert_snapshot!(Facts::new(&fixture!("leftovers/unplaced.md")).unplaced().text(), @"27: unplaced (Why) The old shop MUST go.");
}

#[test]
fn sections_without_a_topic_that_hold_only_tables() {
    let text = "# Spec\n\n## Weather\n\n| a | b |\n|---|---|\n| c | d |\n\n| e | f |\n|---|---|\n| g | h |\n\n## Overview\n\n| a | b |\n|---|---|\n| c | d |\n";
    let unplaced =
        |path: &str| Facts::new(&read_documents(&[("PRD.md", "# PRD\n"), (path, text)])).unplaced().text();
    assert_eq!(unplaced("design.md"), "5: unplaced (Weather) a table (and 1 more)\n");
    assert_eq!(unplaced("README.md"), "");
    assert_eq!(unplaced("CLAUDE.md"), "");
}

#[test]
fn a_code_block_that_is_never_closed() {
    let spec = read_documents(&[("PRD.md", "# PRD\n\n```\nx\n\n## Acceptance Criteria\n\n- it holds\n")]);
    insta::assert_snapshot!(Facts::new(&spec).unplaced().criteria().text(), @r"
    3: unplaced () code block is never closed; the text after it is read as prose
    8: AC-001 it holds (Item)
    ");
}

/// A list below a heading of background is not planned, and that is said; its prose and a table of contents are not.
#[test]
fn lists_in_sections_of_background_are_listed() {
    let text = "# Shop\n\n## Overview\n\nA shop for books.\n\n## Cart\n\n- A book can be put into the cart\n- The cart shows the sum\n\n\
                ## Current implementation\n\n- **Limit** of ten books in each cart\n- **Window** in which orders are taken\n\n\
                ## References\n\n- [Cart](#cart)\n";
    let spec = read_documents(&[("PRD.md", text)]);
    assert_eq!(
        Facts::new(&spec).unplaced().text(),
        "14: unplaced (Current implementation) Limit of ten books in each cart (and 1 more)\n"
    );
}
