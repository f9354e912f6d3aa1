//! Plain text → the Markdown it is rewritten as. Each fixture shows the rules of one part.

use proptest::prelude::*;

use super::lines::{NumberStyle, text_lines};
use super::{PlainTextHint, rewritten};

fn markdown(text: &str) -> String {
    let source = rewritten(text, PlainTextHint::Plain).map(|source| source.text.into_owned());
    source.unwrap_or_else(|| "no structure".to_owned())
}

#[test]
fn a_document_with_chapters_lists_tables_and_drawings() {
    insta::assert_snapshot!(markdown(include_str!("../../../../tests/spec/documents/plain_sections.txt")), @r#"
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
    "#);
}

#[test]
fn lists_stay_lists_and_sentences_stay_prose() {
    insta::assert_snapshot!(markdown(include_str!("../../../../tests/spec/documents/plain_lists.txt")), @r#"
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

    - US-3: Orders are sent.

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
    "#);
}

#[test]
fn lines_that_are_headings_and_lines_that_are_not() {
    insta::assert_snapshot!(markdown(include_str!("../../../../tests/spec/documents/plain_headings.txt")), @r#"
    # The Shop

    ## Underlined chapter

    Text of the chapter.

    ### Underlined part

    Text of the part.

    ## Framed

    Text behind a frame.

    - a bullet is not underlined

    ### Roman chapter

    Text.

    ### Later roman

    Text.

    #### Lettered chapter

    Text.

    - a small letter is an item

    ##### (1) Bracketed chapter

    Text of it.

    ##### 3.1 Decimal with a chapter

    Text of it.

    ##### 3. Chapter with decimals

    Text.

    - A numbered line that must be a sentence

    Text.

    - last of one
    - last of two

    - Open doors
    - Close doors

    ##### 20. Number without a successor

    ##### 22. Another number

    Text.

    NOT_A_HEADING = {CODE}

    GET /CARTS

    CAPITALS END IN A DOT.

    ##### CAPITALS

    Text below capitals.

    ###### Module: Search

    Text below a named line.

    Module: Alone

    Module: Followed by text

    Text apart from it.

    ###### Overview

    Text of a topic.

    ###### Colours Of Things

    This prose is longer than forty characters, so the line above is a heading.

    Colours Again
    Short prose.

    ###### 3D Printers

    - above a list

    a lowercase line

    - above a list

    Ends with a colon:

    - above a list

      Indented too far
      - above a list

    Question?

    - above a list

    Sentence has ended.

    ###### Within

    - below a sentence

    - Last line
    "#);
}

#[test]
fn bullets_numbers_regions_and_rows() {
    insta::assert_snapshot!(markdown(include_str!("../../../../tests/spec/documents/plain_marks.txt")), @r#"
    # Marks

    ## Bullets

    - bullet
    - circle
    - square
    - dot
    - dash
    - star
    - minus
    - plus
    - check
    - box

    ·

    - Letter with a capital
      - letter o that is indented
        o small letter

    ## Numbers

    - one
    - two
    - three

    1.5 seconds

    - Seconds are an item
    - letter

    1000. too large
    1.2.3.4.5.6.7 too deep
    iv. small roman
    1.no space

    ## Nested

    - one
      - two
        - three
          goes on
      - back to two
    - one again
      continues in lowercase

    Ends the list

    Fenced
    ```
    # verbatim
      - verbatim
    ```

    ## Data

    ~~~~
    {
      "a": 1
    }
    ~~~~

    Open brace
    {
    never closed

    ## Drawn

    ~~~~
    │ a box
    └ its end
    ~~~~

    ## Rows

    | Name | Age | Town |
    |---|---|---|
    | Ann | 3 |
    | Bob | 4 | Rome |

    ## Pairs

    | | |
    |---|---|
    | Version | 1.0 |
    | Owner | Us |

    ## Heads

    | Field | Type |
    |---|---|
    | id | int |

    One row
    Only	one

    Paragraphs

    Given a cart
    When it is empty

    Scenario: another

    Label:

    Text after the label.
    A line of more than eighty characters is not a label, whatever it ends with, not even with a colon:
    Text after it.
    "#);
}

#[test]
fn lines_begin_with_numbers() {
    use NumberStyle::{Bracketed, Decimal, Digits, Letter, Roman};
    type ExpectedNumber = Option<(NumberStyle, &'static [u32])>;
    let table: [(&str, ExpectedNumber); 27] = [
        ("1. One", Some((Digits, &[1]))),
        ("999. Large", Some((Digits, &[999]))),
        ("1000. Too large", None),
        ("1 Without a dot", None),
        ("1.Without a space", None),
        ("1.", None),
        ("1) One", Some((Bracketed, &[1]))),
        ("(1) One", Some((Bracketed, &[1]))),
        ("(1 One", None),
        ("3.1 One", Some((Decimal, &[3, 1]))),
        ("3.1. One", Some((Decimal, &[3, 1]))),
        ("1.2.3.4.5.6 Six", Some((Decimal, &[1, 2, 3, 4, 5, 6]))),
        ("1.2.3.4.5.6.7 Seven", None),
        ("I. One", Some((Roman, &[1]))),
        ("IV. Four", Some((Roman, &[4]))),
        ("V. Five", Some((Roman, &[5]))),
        ("IX. Nine", Some((Roman, &[9]))),
        ("X. Ten", Some((Roman, &[10]))),
        ("XL. Forty", Some((Roman, &[40]))),
        ("LX. Sixty is too many", None),
        ("L. Letter", Some((Letter, &[12]))),
        ("B. Letter", Some((Letter, &[2]))),
        ("b) Letter", Some((Letter, &[2]))),
        ("(c) Letter", Some((Letter, &[3]))),
        ("B Letter", None),
        ("AB. Word", None),
        ("(a.b) Word", None),
    ];
    for (text, expected) in table {
        let number = text_lines(text)[0].number().map(|(number, _)| number);
        let expected = expected.map(|(style, parts)| (style, parts.to_vec()));
        assert_eq!(number.map(|n| (n.style, n.parts)), expected, "{text}");
    }
}

#[test]
fn numbers_follow_each_other() {
    let number = |text: &str| text_lines(text)[0].number().map(|(number, _)| number).unwrap();
    let table = [
        ("1. a", "2. b", true),
        ("1. a", "3. b", false),
        ("1. a", "2) b", false),
        ("3.1 a", "3.2 b", true),
        ("3.1 a", "4.2 b", false),
        ("I. a", "II. b", true),
        ("a) a", "b) b", true),
    ];
    for (first, second, expected) in table {
        assert_eq!(number(second).follows(&number(first)), expected, "{first} / {second}");
    }
}

#[test]
fn lines_have_marks() {
    let bullets = [
        ("• one", Some("one")),
        ("-\ttabbed", Some("tabbed")),
        ("*\u{a0}one", Some("one")),
        ("- ", None),
        ("-one", None),
        ("o One", Some("One")),
        ("o one", None),
        ("  o one", Some("one")),
        ("x one", None),
    ];
    for (text, expected) in bullets {
        assert_eq!(text_lines(text)[0].bullet(), expected, "{text}");
    }
    for (text, expected) in
        [("---", Some('-')), ("══════", Some('═')), ("--", None), ("-=-", None), ("aaa", None)]
    {
        assert_eq!(text_lines(text)[0].rule(), expected, "{text}");
    }
    for (text, expected) in [("├── a", true), ("│", true), ("|-- a", true), ("| a |", false), ("+--+", true)]
    {
        assert_eq!(text_lines(text)[0].is_drawn(), expected, "{text}");
    }
    let cells = [("a\tb", 2), ("a\t\tb\tc", 3), ("a", 0), ("- a\tb", 0), ("1. a\tb", 0)];
    for (text, expected) in cells {
        assert_eq!(text_lines(text)[0].cells().unwrap_or_default().len(), expected, "{text}");
    }
    assert_eq!(text_lines("\u{feff}\t a\u{200b} \n")[0].body, "a");
    assert_eq!(text_lines("\t a")[0].indent, 5);
}

/// Markdown without headings is read as plain text only if it has at least two certain headings.
#[test]
fn structure_that_makes_a_text_plain() {
    let table = [
        ("We want a shop.\n\nIt sells things:\n\n- apples\n- pears\n\nSee `README.md`.\n", false),
        ("A shop.\n\n1. Install it\n2. Run it\n\nDone\n", false),
        ("1. Scope\nA shop.\n\nWords.\n", false),
        ("1. Scope\nA shop.\n\n2. Needs\n2.1 Carts\nThey hold things.\n", true),
        ("Shop\n\nSCOPE\nA shop.\n\nNEEDS\nCarts.\n", true),
    ];
    for (text, expected) in table {
        assert_eq!(rewritten(text, PlainTextHint::MaybeMarkdown).is_some(), expected, "{text}");
    }
    assert!(rewritten("we want a shop.\n", PlainTextHint::Plain).is_none());
}

#[test]
fn places_lead_back_to_the_original() {
    let text = "SCOPE\n\n   • é apples\nA\tB\nc\tdé\n";
    let source = rewritten(text, PlainTextHint::Plain).unwrap();
    for words in ["SCOPE", "é apples", "dé"] {
        let at = source.text.find(words).unwrap();
        let place = source.place(&(at..at + words.len()));
        assert_eq!(&text[place], words);
    }
}

proptest! {
    #[test]
    fn every_place_is_in_the_original(pieces in prop::collection::vec(prop_oneof![
        Just("1.1 Ünder\n".to_owned()), Just("• é\n".to_owned()), Just("A\tB\n0 | 1\tß\n".to_owned()),
        Just("├── ä.ts\n└── b.ts\n".to_owned()), Just("ÄRGER\n\n".to_owned()), "[ -~\\n\\té•]{0,40}",
    ], 0..10), from in 0usize..400, length in 0usize..60) {
        let text = pieces.concat();
        if let Some(source) = rewritten(&text, PlainTextHint::Plain) {
            let end = source.text.len();
            let place = source.place(&(from.min(end)..(from + length).min(end)));
            prop_assert!(text.get(place.clone()).is_some(), "{place:?}");
        }
    }
}
