//! Properties of every document: reading never fails, and every place is in the text. What the readers make of documents
//! is shown in `tests/spec`.

use proptest::prelude::*;

use super::{Remark, Spec, SpecFile, read};

fn spec(text: &str) -> Spec {
    read(&[SpecFile { path: "doc.md".to_owned(), text: text.to_owned() }], &[])
}

/// Pieces that together make every reader do something.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("## Acceptance Criteria\n".to_owned()),
        Just("| File | Task | Op |\n|---|---|---|\n| `a/b.py` | T-1 | create |\n".to_owned()),
        Just("```\nT-1 ──┐\n      ├─▶ T-2\n".to_owned()),
        Just("```mermaid\ngraph TD\n A[T-1] --> B[T-2]\n```\n".to_owned()),
        Just("### US-1: Ä\n**As a** x\n**I want** ü\n".to_owned()),
        Just("- [ ] Given é, when ß, then ñ\n   - AC: x\n".to_owned()),
        Just("1. Scope\nText.\n\n1.1 Needs\n• é\nFR-1: ü must hold\n".to_owned()),
        Just("<table><tr><th>é<th>ID\n<tr><td>ß</table>\n\n<own>\n".to_owned()),
        Just("Level 1 (all):\n T-1: x\nLevel 2 (depends on T-1)\n".to_owned()),
        "[ -~\\n|`#*>\\[\\](){}─▶é]{0,60}",
        ".{0,40}",
    ]
}

proptest! {
    #[test]
    fn any_text_is_read_and_every_place_is_in_it(pieces in prop::collection::vec(piece(), 0..12)) {
        let text = pieces.join("\n");
        let spec = spec(&text);
        let spans = spec.criteria.iter().map(|c| c.span)
            .chain(spec.stories.iter().map(|s| s.span))
            .chain(spec.files.iter().map(|f| f.span))
            .chain(spec.edges.iter().map(|e| e.span))
            .chain(spec.tasks.iter().map(|t| t.span))
            .chain(spec.unplaced.iter().map(|u| u.span));
        for span in spans {
            prop_assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
        }
        let mut ids: Vec<&str> = spec.criteria.iter().map(|c| c.id.as_str()).collect();
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        prop_assert_eq!(ids.len(), count);
    }
}

#[test]
fn the_introduction_binds_everything_and_what_stays_is_no_story() {
    let text = "# Todo service\n\nA small service. All data lives in one JSON file; no dependencies.\n\n\
                ## 1. Due dates\n\nAs a user, I want to give a todo a due date.\n\n- a bad date is answered with 400\n\n\
                ## 2. Keep working like today\n\n- creating a todo without a date keeps working like today\n";
    let spec = spec(text);
    let titles: Vec<&str> = spec.stories.iter().map(|s| s.title.as_str()).collect();
    assert_eq!(titles, ["Due dates"]);
    let rules: Vec<&str> = spec.conventions.iter().map(|r| r.text.as_str()).collect();
    assert_eq!(rules, ["All data lives in one JSON file; no dependencies."]);
    assert_eq!(spec.regressions.len(), 1);
}

/// The template that most trackers offer for a wish: its first heading is the title, its labels say what is wanted.
#[test]
fn the_body_of_an_issue_says_what_is_wanted_under_its_labels() {
    let text = "### Discount codes at checkout\n\n**Is your feature request related to a problem?**\nWe apply codes by hand.\n\n\
                **Describe the solution you'd like**\n`cart.applyCode(code)`:\n- `SAVE10` takes 10 % off the total\n\
                - an unknown code throws an error\n\n**Describe alternatives you've considered**\n- a paid service\n\n\
                **Additional context**\nPrices stay in prices.js.\n";
    let spec = spec(text);
    let criteria: Vec<&str> = spec.criteria.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(criteria, ["`SAVE10` takes 10 % off the total", "an unknown code throws an error"]);
    assert_eq!(spec.title.as_deref(), Some("Discount codes at checkout"));
}

/// A page of notes without headings: what ends it is as binding as what begins it.
#[test]
fn a_page_of_notes_keeps_its_rules_its_questions_and_what_is_put_off() {
    let text = "# Release 0.3\n\nTalked with Mira. The shop floor needs two things:\n\n\
                1. **Removing stock.** `inventory remove NAME COUNT` takes pieces off an item.\n\
                2. **CSV export** - `inventory export FILE.csv` writes a header line.\n\n\
                Must not break: existing files without minimum still load. No new dependencies, please.\n\n\
                Nice to have (not for the audit): import from CSV, colours.\n\n\
                Open: should `remove` of the last piece delete the item? Ask Mira.\n";
    let spec = spec(text);
    assert_eq!(spec.criteria.len(), 2, "{:?}", spec.criteria);
    let said = |remarks: &[Remark]| remarks.iter().map(|r| r.text.clone()).collect::<Vec<_>>();
    assert_eq!(said(&spec.conventions), ["No new dependencies, please."]);
    assert_eq!(said(&spec.regressions), ["Must not break: existing files without minimum still load."]);
    assert_eq!(said(&spec.exclusions), ["Nice to have (not for the audit): import from CSV, colours."]);
    assert_eq!(said(&spec.questions), ["should `remove` of the last piece delete the item? Ask Mira."]);
}
