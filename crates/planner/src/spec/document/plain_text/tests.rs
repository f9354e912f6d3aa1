//! What plain texts are read as.

use proptest::prelude::*;

use super::{PlainTextHint, SourceText};

fn markdown(text: &str) -> String {
    let front = SourceText::rewritten(text, PlainTextHint::Plain).map(|f| f.text.into_owned());
    front.unwrap_or_else(|| "nothing".to_owned())
}

#[test]
fn headings_lists_tables_and_drawings_are_told() {
    insta::assert_snapshot!(markdown("TAJ\nRadio\n\nVersion\t1.0\nOwner\tUs\n\nSECTION 1 — SUMMARY\n\n1. Summary\nIt plays.\n\n1.1 Goals\n    • One\n      – deeper\n    • Two\n      goes on\n\n1.2 Tree\nRoot\ntaj/\n├── a.ts\n└── b.ts\n\n2. Features\n2.1 Search (FR-001)\nFinds stations by name, by country and by language.\nLayout Zones\n    • Top\n    • Bottom\nTabs\n    • Browse\n\nModel\nField\tType\nok\t0 | 1\n"), @r"
    # TAJ

    Radio

    | | |
    |---|---|
    | Version | 1.0 |
    | Owner | Us |

    ## SECTION 1 — SUMMARY

    ### 1. Summary

    It plays.

    #### 1.1 Goals

    - One
      - deeper
    - Two
      goes on

    #### 1.2 Tree

    ##### Root

    ~~~~
    taj/
    ├── a.ts
    └── b.ts
    ~~~~

    ### 2. Features

    #### 2.1 Search (FR-001)

    Finds stations by name, by country and by language.

    ##### Layout Zones

    - Top
    - Bottom

    ##### Tabs

    - Browse

    ##### Model

    | Field | Type |
    |---|---|
    | ok | 0 \| 1 |
    ");
}

#[test]
fn lists_stay_lists_and_sentences_stay_prose() {
    insta::assert_snapshot!(markdown("Shop\n\nRequirements:\n1. The system shall sell\n2. The system shall count\n\nSteps\n1) Open\n2) Close\nFR-1: Login is asked for.\nFR-2: Logout is offered.\n\nAs a buyer, I want carts\nso that I keep things.\n\nFeature 1: Carts\nThey hold things.\n\nAcceptance Criteria:\n- A cart is empty at first\n\nFeature 2: Orders\nThey are sent.\n\n*** NOTES ***\nGET /carts lists them.\n\nRisks\n-----\na) Wars\nb) Floods\n"), @r"
    # Shop

    ## Requirements

    - The system shall sell
    - The system shall count

    ## Steps

    - Open
    - Close
    - FR-1: Login is asked for.
    - FR-2: Logout is offered.

    As a buyer, I want carts
    so that I keep things.

    ## Feature 1: Carts

    They hold things.

    ### Acceptance Criteria

    - A cart is empty at first

    ## Feature 2: Orders

    They are sent.

    ## NOTES

    GET /carts lists them.

    ### Risks

    - Wars
    - Floods
    ");
}

#[test]
fn markdown_without_headings_is_only_taken_for_plain_text_where_it_has_its_structure() {
    let prose = "We want a shop.\n\nIt sells things:\n\n- apples\n- pears\n\nSee `README.md`.\n";
    assert!(SourceText::rewritten(prose, PlainTextHint::MaybeMarkdown).is_none());
    let numbered = "A shop.\n\n1. Install it\n2. Run it\n\nDone\n";
    assert!(SourceText::rewritten(numbered, PlainTextHint::MaybeMarkdown).is_none());
    assert!(
        SourceText::rewritten(
            "1. Scope\nA shop.\n\n2. Needs\n2.1 Carts\nThey hold things.\n",
            PlainTextHint::MaybeMarkdown
        )
        .is_some()
    );
}

proptest! {
    #[test]
    fn every_place_is_one_of_the_old_text(pieces in prop::collection::vec(prop_oneof![
        Just("1.1 Ünder\n".to_owned()), Just("• é\n".to_owned()), Just("A\tB\n0 | 1\tß\n".to_owned()),
        Just("├── ä.ts\n└── b.ts\n".to_owned()), Just("ÄRGER\n\n".to_owned()), "[ -~\\n\\té•]{0,40}",
    ], 0..10), from in 0usize..400, length in 0usize..60) {
        let text = pieces.concat();
        if let Some(front) = SourceText::rewritten(&text, PlainTextHint::Plain) {
            let end = front.text.len();
            let place = front.place(&(from.min(end)..(from + length).min(end)));
            prop_assert!(text.get(place.clone()).is_some(), "{place:?}");
        }
    }
}
