//! What is decided once every document is read: full paths, ids, levels, kinds, title and summary.

use crate::facts::{Facts, fixture, read_documents, read_in_repository};

#[test]
fn short_names_and_patterns_stand_for_files() {
    let known = ["src/cmd/analyze.py", "src/cmd/b.py", "src/x.py", "src/known.py", "known.py"];
    let spec = read_in_repository(&[("design.md", include_str!("finish/paths.md"))], &known);
    insta::assert_snapshot!(Facts::new(&spec).files().components().details().unplaced().text(), @r#"
    7: Modify src/cmd/analyze.py by Ownership for [T-1] | modify
    8: Modify src/cmd/one.py by Ownership for [T-2] | modify
    8: Modify src/cmd/two.py by Ownership for [T-2] | modify
    8: Modify pkg/very/deep.py by Ownership for [T-2] | modify
    9: Delete src/cmd/analyze.py by Ownership for [T-3] | delete
    9: Delete src/cmd/b.py by Ownership for [T-3] | delete
    11: Create src/cart/line.ts by Ownership for [T-5] | create
    12: Modify known.py by Ownership for [T-6] | modify
    13: Modify twice.py by Ownership for [T-7] | modify
    17: Unsaid package.json by Tree for []
    17: Unsaid src/cart/line.ts by Tree for []
    27: Cart ["src/cart/line.ts"] needs [] serves [] | holds lines
    29: Notes on ["line.ts"] needs [] serves [] | See pkg/very/deep.py, a/twice.py and b/twice.py.
    25: aside Components paths ["src/cart/line.ts"] ids [] | Cart (`cart/line.ts`): holds lines
    29: Notes on line.ts about line.ts paths ["line.ts", "pkg/very/deep.py", "a/twice.py", "b/twice.py", "src/cart/line.ts"] ids [] | See pkg/very/deep.py, a/twice.py and b/twice.py.
        code "ts" path src/cart/line.ts label -
    10: unplaced () `lib/*.py` matches no file
    "#);
}

#[test]
fn phases_that_count_their_tasks_set_levels() {
    insta::assert_snapshot!(Facts::new(&fixture!("finish/levels.md")).tasks().text(), @r#"
    12: T-003 C | level 2 | in Phase 2
    13: T-001 A | level 1 | in Phase 1
    14: T-002 B | level 1 | in Phase 1
    "#);
}

#[test]
fn ids_set_levels() {
    insta::assert_snapshot!(Facts::new(&fixture!("finish/level_ids.md")).tasks().text(), @r#"
    5: DF-L1-001 A | level 1
    6: DF-L2-002 B | level 2
    "#);
}

#[test]
fn criteria_have_ids_of_their_own() {
    insta::assert_snapshot!(Facts::new(&fixture!("finish/criteria_ids.md")).criteria().text(), @r#"
    5: AC-001 given (Item)
    6: AC-002 first without an id (Item)
    7: AC-001-2 given twice (Item)
    8: AC-004 second without an id (Item)
    9: AC-003 taken (Item)
    10: AC-005 third without an id (Item)
    "#);
}

/// The same words in two documents are one criterion; a design refers to a requirement by its id.
#[test]
fn repeated_criteria_count_once() {
    let prd = "# PRD\n\n## Acceptance Criteria\n\n- It works\n- FR-1: It sells\n";
    let design =
        "# Design\n\n## Acceptance Criteria\n\n- it works\n- FR-1: Sold by carts\n- FR-2: It counts\n";
    let spec = read_documents(&[("PRD.md", prd), ("design.md", design)]);
    insta::assert_snapshot!(Facts::new(&spec).criteria().text(), @r#"
    5: AC-001 It works (Item)
    6: FR-1 It sells (Item)
    7: FR-2 It counts (Item)
    "#);
}

#[test]
fn kinds_of_documents() {
    let names = [
        "CLAUDE.md",
        "agents.md",
        "GEMINI.md",
        "copilot-instructions.md",
        "conventions.md",
        "CONTRIBUTING.md",
        "my-prd.md",
        "requirements.md",
        "docs/spec.md",
        "adr-1.md",
        "decisions.md",
        "design.md",
        "architecture.md",
        "data-model.md",
        "plan.md",
        "wireframes.md",
        "mockups.md",
        "README.md",
        "research.md",
        "quickstart.md",
        "glossary.md",
        "CHANGELOG.md",
        "notes.md",
        "index.md",
        "other.md",
    ];
    let documents: Vec<(&str, &str)> = names.iter().map(|name| (*name, "# Title\n")).collect();
    insta::assert_snapshot!(Facts::new(&read_documents(&documents)).documents().text(), @r#"
    CLAUDE.md is conventions: Title
    agents.md is conventions: Title
    GEMINI.md is conventions: Title
    copilot-instructions.md is conventions: Title
    conventions.md is conventions: Title
    CONTRIBUTING.md is conventions: Title
    my-prd.md is requirements: Title
    requirements.md is requirements: Title
    docs/spec.md is requirements: Title
    adr-1.md is decisions: Title
    decisions.md is decisions: Title
    design.md is design: Title
    architecture.md is design: Title
    data-model.md is design: Title
    plan.md is design: Title
    wireframes.md is wireframes: Title
    mockups.md is wireframes: Title
    README.md is background: Title
    research.md is background: Title
    quickstart.md is background: Title
    glossary.md is background: Title
    CHANGELOG.md is background: Title
    notes.md is background: Title
    index.md is background: Title
    other.md is other: Title
    "#);
}

/// A name that says nothing leaves it to the headings; background needs a document that asks for something.
#[test]
fn kinds_by_headings() {
    let kind = |text: &str| read_documents(&[("x.md", text)]).documents[0].kind.as_str();
    let table = [
        ("# T\n\n## Components\n", "design"),
        ("# T\n\n## File Ownership\n\n## Dependencies\n\n## User Stories\n", "design"),
        ("# T\n\n## Data Model\n\n## Requirements\n", "requirements"),
        ("# T\n\n## API\n", "design"),
        ("# T\n\n## Acceptance Criteria\n", "requirements"),
        ("# T\n\n## Weather\n", "other"),
    ];
    for (text, expected) in table {
        assert_eq!(kind(text), expected, "{text}");
    }
    assert_eq!(read_documents(&[("README.md", "# T\n")]).documents[0].kind.as_str(), "other");
}

#[test]
fn title_and_summary() {
    let conventions = ("CLAUDE.md", "# Rules\n\n## Overview\n\nThese are the rules of the house.\n");
    let readme = ("README.md", "# Readme\n");
    let design = ("design.md", "# Design\n\n## Summary\n\nShort.\n\nA design of the whole shop.\n");
    let prd = (
        "PRD.md",
        "# Shop\n\n## Goals\n\n- an item is not a summary\n\n## Purpose\n\nPeople can buy apples here.\n",
    );
    type Case<'d> = (&'d [(&'d str, &'d str)], Option<&'d str>, &'d str);
    let table: [Case<'_>; 4] = [
        (&[conventions], None, ""),
        (&[conventions, readme, design], Some("Design"), "A design of the whole shop."),
        (&[readme, design, prd], Some("Shop"), "A design of the whole shop."),
        (&[prd, design], Some("Shop"), "People can buy apples here."),
    ];
    for (documents, title, summary) in table {
        let spec = read_documents(documents);
        assert_eq!((spec.title.as_deref(), spec.summary.as_str()), (title, summary));
    }
}

#[test]
fn the_same_criterion_with_other_numbers_is_a_question() {
    let spec = read_documents(&[
        (
            "docs/PRD.md",
            "# PRD\n\n## Requirements\n\n- FR-1: A cart holds at most 50 lines\n- FR-2: Totals have two places\n",
        ),
        (
            "docs/design.md",
            "# Design\n\n## Requirements\n\n- FR-1: A cart holds at most 20 lines\n- FR-2: Totals have two places\n",
        ),
    ]);
    let asked: Vec<&str> = spec.questions.iter().map(|q| q.text.as_str()).collect();
    let expected = "`FR-1` says \"A cart holds at most 50 lines\" in `docs/PRD.md` and \"A cart holds at most 20 lines\" in \
                    `docs/design.md`: which one holds?";
    assert_eq!(asked, [expected]);
}

/// Two places of one document that say the same with another value are a question; sections side by side speak of different things.
#[test]
fn other_values_in_one_document_are_a_question() {
    let text = "# Desk\n\n## Upload\n\n### Pictures\n\n- Files of at most 5 MB are taken\n- Lists are written as CSV\n\n\
                ### Sounds\n\n- Files of at most 9 MB are taken\n- Lists have a head\n\n## Limits\n\n- Lists are written as JSON\n\
                - Names have at most 80 letters\n";
    let spec = read_documents(&[("SPEC.md", text)]);
    let asked: Vec<&str> = spec.questions.iter().map(|q| q.text.as_str()).collect();
    assert_eq!(
        asked,
        ["`SPEC.md` says \"Lists are written as CSV\" and \"Lists are written as JSON\": which one holds?"]
    );
}
