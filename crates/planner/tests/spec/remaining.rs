//! The default: where something is built, everything counts unless its kind says otherwise.

use windlass_planner::spec::Spec;

use crate::facts::read_documents;

fn told(name: &str, text: &str) -> Vec<String> {
    let spec = read_documents(&[(name, text)]);
    shown(&spec)
}

fn shown(spec: &Spec) -> Vec<String> {
    let title = |id: &String| spec.stories.iter().find(|s| s.id == *id).map_or("?", |s| s.title.as_str());
    spec.criteria.iter().map(|c| format!("{} | {}", c.story.as_ref().map_or("-", title), c.text)).collect()
}

#[test]
fn whatever_stands_under_a_heading_about_what_is_built_counts() {
    let said = told("NOTES.md", include_str!("manners/default.md"));
    let wanted = [
        "Lending | A tool is lent to one member at a time.",
        "Lending | Store who has it and since when.",
        "Lending | A reminder goes out, and it names the tool",
        "Lending | Skip members who are away",
        "Label printer | Advertise the printer only when paper is in it.",
        "Label printer | Labels: Name; Shelf; Date",
        "Label printer | `width: number`: at most 62 millimetres",
        "Label printer | `stop`: Ends the job at once",
        "Label printer | `label print --all`: every tool of the shed",
    ];
    for text in wanted {
        assert!(said.contains(&text.to_owned()), "{text} in\n{}", said.join("\n"));
    }
    let all = said.join("\n");
    for text in [
        "neighbours",
        "spreadsheet",
        "members are happier",
        "was tried",
        "Maps of the shed",
        "may be considered",
    ] {
        assert!(!all.contains(text), "{text} in\n{all}");
    }
}

#[test]
fn an_introduction_counts_as_far_as_it_says_what_happens() {
    let text = "# Shed\n\nThe shed app can be told to read labels from a scanner. We love tools.\n\n\
                ## Overview\n\nThe list must open within a second. Tools are great.\n\n\
                ## Cross-cutting next steps\n\n1. **Scanner:** helper that feeds `readLabel` into the list\n2. Meet with the board\n\n\
                ## Lending\n\n- Members lend tools by their number\n";
    let said = told("SHED.md", text).join("\n");
    for wanted in
        ["read labels from a scanner", "open within a second", "helper that feeds", "by their number"]
    {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
    for talk in ["We love", "Tools are great", "Meet with"] {
        assert!(!said.contains(talk), "{talk} in\n{said}");
    }
}

#[test]
fn drawings_tables_of_phases_and_components_say_what_is_wanted() {
    let text = "# Shed design\n\n## Modules\n\n| Module | Responsibility |\n|---|---|\n| Store | Keeps every loan on disk |\n\n\
                ## Layers\n\n```\n┌───────────────┐\n│ Gate (door)     │\n│ - opens for members │\n│ - counts who is in  │\n└───────────────┘\n```\n\n\
                ## Roadmap\n\n| Phase | Aim | Outcome |\n|---|---|---|\n| P1 | Core | The gate opens for a known card |\n";
    let said = told("design.md", text).join("\n");
    for wanted in [
        "Store: Keeps every loan on disk",
        "Gate: opens for members",
        "Gate: counts who is in",
        "The gate opens for a known card",
    ] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
}

#[test]
fn a_story_alone_is_its_own_criterion() {
    let text = "# Stories\n\n- As a member, I want to see my loans\n- As a keeper, I want to lend a tool\n";
    assert_eq!(
        told("stories.md", text),
        [
            "see my loans | As a member, I want to see my loans",
            "lend a tool | As a keeper, I want to lend a tool",
        ]
    );
}

#[test]
fn a_record_that_is_only_proposed_is_planned_alone_and_asked_about() {
    let text = "# ADR-4: Gates\n\n**Status**: Proposed\n\n## Context\n\nThe door is open.\n\n## Decision\n\nThe gate opens by card.\n\n\
                ## Consequences\n\n### Negative\n\n- Cards get lost\n";
    let spec = read_documents(&[("docs/adr/ADR-4.md", text)]);
    assert_eq!(shown(&spec), ["- | The gate opens by card."]);
    assert_eq!(spec.questions.len(), 1);
}

#[test]
fn sections_divide_the_work_down_to_a_single_sentence() {
    let text = "# Gate tool\n\n## Opening\n\nThe gate opens when a card is known. It closes after ten seconds.\n\n\
                ## Cards\n\nCards are added by number. A card can be locked.\n\n## Report\n\nThe report must list every opening.\n";
    let spec = read_documents(&[("TOOL.md", text)]);
    assert!(
        shown(&spec).contains(&"Report | The report must list every opening.".to_owned()),
        "{:?}",
        shown(&spec)
    );
}

#[test]
fn a_tree_that_the_program_makes_is_no_project() {
    let text = "# Maker\n\n## Create\n\nThe command creates a project. Default output:\n\n```\nshop/\n├── shop.toml\n└── src/\n    └── main.py\n```\n";
    let spec = read_documents(&[("CLI.md", text)]);
    assert!(spec.files.is_empty(), "{:?}", spec.files);
}

#[test]
fn what_something_is_related_to_or_meant_for_is_no_behaviour() {
    assert_eq!(
        told("PRD.md", include_str!("manners/meant.md")),
        [
            "- | The list opens within a second",
            "- | The list is sorted by name.",
            "- | Labels are masked in the log."
        ]
    );
}

#[test]
fn rows_in_a_script_without_spaces_say_something_by_their_length() {
    assert_eq!(
        told("design.md", include_str!("manners/wide_rows.md")),
        [
            "- | Store: Keeps every loan on disk",
            "- | P1: 基本: 会員証で門が開くようになる",
            "- | P3: Core: The gate opens for a known card"
        ]
    );
}

#[test]
fn a_docstring_belongs_to_the_declaration_above_it_and_not_to_code_between() {
    let said = told("NOTES.md", include_str!("manners/docstrings.md")).join("\n");
    for wanted in ["`stop`: Ends the job at once", "`Roll`: Knows how much paper is left"] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
    assert!(!said.contains("belongs to nothing"), "{said}");
}
