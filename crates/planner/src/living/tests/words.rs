//! Lines by content, and names.

use std::collections::BTreeSet;

use super::edits::{PRD, planned};
use crate::living::pairing::{fresh_id, out_of_order};
use crate::living::{plain_text, source_lines};
use crate::spec::SpecFile;

#[test]
fn lines_are_found_by_what_they_say() {
    let plan = planned(PRD, &[]);
    let file = |text: &str| SpecFile { path: "docs/SPEC.md".into(), text: text.into() };
    let lines = |text: &str| -> Vec<String> {
        let found = source_lines(&plan.tasks, &[file(text)]);
        found[2].iter().map(|line| format!("{}: {}", line.line, line.text)).collect()
    };
    insta::assert_snapshot!(lines(PRD).join("\n"), @r"
    24: ### US-3: Search the catalogue
    25: **As a** reader
    26: **I want** to find books by title
    29: - [ ] The search ignores case
    30: - [ ] At most 20 results are shown
    ");
    let moved = format!("\n\n{PRD}");
    assert_eq!(lines(&moved).len(), lines(PRD).len());
}

#[test]
fn words_are_plain() {
    let table = [
        ("- [ ] The `search` **ignores** case", "the search ignores case"),
        ("| a | b |", "a b"),
        ("## Heading ", "heading"),
        ("   ", ""),
    ];
    for (text, plain) in table {
        assert_eq!(plain_text(text), plain);
    }
}

#[test]
fn new_names_were_never_used() {
    let taken: BTreeSet<String> = ["T001", "T007", "core"].iter().map(|id| (*id).to_owned()).collect();
    assert_eq!(fresh_id("T001", &taken), "T008");
    assert_eq!(fresh_id("T009", &taken), "T009");
    assert_eq!(fresh_id("core", &taken), "core-2");
}

#[test]
fn what_moved_is_the_least_that_explains_the_order() {
    let moved = |order: &[usize]| out_of_order(order).into_iter().collect::<Vec<_>>();
    assert_eq!(moved(&[0, 1, 2, 3]), Vec::<usize>::new());
    assert_eq!(moved(&[3, 0, 1, 2]), [0]);
    assert_eq!(moved(&[1, 0, 2, 3]).len(), 1);
}
