//! How documents are cut up: text → sections and blocks with their places.

use super::{BlockContent, PlainTextHint, SectionTree, masking};

/// A line for each section and block: line number, kind, text, and the label that introduces it.
fn shown(text: &str) -> String {
    let tree = SectionTree::parse(text, PlainTextHint::MaybeMarkdown);
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let mut out: Vec<(usize, String)> = Vec::new();
    for section in tree.sections.iter().skip(1) {
        let parent = section.parent.map_or("", |p| tree.sections[p].title.text.as_str());
        let shown = format!("h{} {} (in {parent:?})", section.level, section.title.text);
        out.push((section.title.at.start, shown));
    }
    for block in &tree.blocks {
        let cells = |row: &Vec<super::RunningText>| {
            row.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join(" | ")
        };
        let shown = match &block.content {
            BlockContent::Paragraph(text) => format!("paragraph {:?}", text.text),
            BlockContent::Item(item) => {
                let parent = item.parent.and_then(|p| tree.item(p)).map(|p| p.text.text.as_str());
                let children = tree.children(block.index).count();
                format!(
                    "item {:?} depth {} parent {parent:?} children {children}",
                    item.text.text, item.depth
                )
            }
            BlockContent::Table(table) => {
                let rows: Vec<String> = table.rows.iter().map(cells).collect();
                format!("table [{}] {rows:?}", cells(&table.head))
            }
            BlockContent::Code(code) => format!("code {:?} {:?}", code.info, code.text),
        };
        let label = block.label.as_ref().map(|l| format!(" <- {l}")).unwrap_or_default();
        out.push((block.at.start, format!("{shown}{label}")));
    }
    for flaw in &tree.flaws {
        out.push((flaw.at.start, format!("flaw {}", flaw.text)));
    }
    out.sort_by_key(|(at, _)| *at);
    out.iter().map(|(at, shown)| format!("{}: {shown}\n", line(*at))).collect()
}

#[test]
fn markdown_is_cut_into_sections_and_blocks() {
    insta::assert_snapshot!(shown(include_str!("../../../tests/spec/documents/markdown.md")), @r#"
    4: paragraph "Text before the first heading."
    6: h1 Shop (in "")
    8: paragraph "Words with `code`, emphasis and a second line."
    11: h2 Needs (in "Shop")
    13: paragraph "Criteria:"
    15: item "one goes on" depth 0 parent None children 2 <- Criteria:
    17: item "two" depth 1 parent Some("one goes on") children 0 <- Criteria:
    19: paragraph "A second paragraph of two." <- Criteria:
    20: item "three" depth 1 parent Some("one goes on") children 0 <- Criteria:
    21: item "four" depth 0 parent None children 0 <- Criteria:
    23: paragraph "Short line that introduces:" <- Criteria:
    25: table [A | B] ["`x` | y z", "one two | "] <- Short line that introduces:
    30: paragraph "A sentence ends the label." <- Short line that introduces:
    32: item "Numbered" depth 0 parent None children 0
    34: code "sh" "ls -l\n"
    38: paragraph "Text between."
    40: code "" "indented code\n"
    42: h3 Deeper (in "Needs")
    44: h4 Deepest (in "Deeper")
    46: paragraph "Bold words begin this line."
    48: h2 Back again (in "Shop")
    50: h2 Setext (in "Shop")
    53: paragraph "Done."
    "#);
}

#[test]
fn html_is_cut_into_the_same_blocks() {
    insta::assert_snapshot!(shown(include_str!("../../../tests/spec/documents/html.md")), @r#"
    1: h1 HTML (in "")
    4: paragraph "a b"
    7: h2 Shop (in "HTML")
    8: paragraph "A & B <C> \"D\" 'E' F G"
    10: item "one" depth 0 parent None children 0
    10: item "two" depth 1 parent None children 0
    10: item "three" depth 0 parent None children 0
    12: paragraph "Introduced:"
    14: table [File | Task] ["a.py | T-1", "b.py | T-2"] <- Introduced:
    23: item "item" depth 0 parent None children 0 <- Introduced:
    25: item "inside an item" depth 0 parent Some("item") children 0 <- Introduced:
    27: paragraph "1 < 2" <- Introduced:
    29: table [never closed] []
    31: paragraph "before"
    "#);
}

#[test]
fn fences_inside_fences_and_custom_tags_do_not_mislead() {
    insta::assert_snapshot!(shown(include_str!("../../../tests/spec/documents/nested_fences.md")), @r##"
    3: h1 Skill (in "")
    7: code "markdown" "# Not a heading\n- not an item\n'''bash\nls\n'''\nstill inside\n"
    16: paragraph "After the block."
    18: item "An item with code:" depth 0 parent None children 0
    19: code "" "outer\n  '''sh\n  inner\n  '''\n"
    26: paragraph "'''python never = \"closed\""
    26: flaw code block is never closed; the text after it is read as prose
    29: h2 Still a heading (in "Skill")
    31: paragraph "Text."
    "##);
}

#[test]
fn headings_and_labels_say_what_a_block_is_about() {
    let text = include_str!("../../../tests/spec/documents/topics.md");
    let tree = SectionTree::parse(text, PlainTextHint::MaybeMarkdown);
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let about = |block: &super::DocumentBlock| {
        let text = block.running_text().map(|t| t.text.as_str()).unwrap_or_default();
        let topic = tree.topic(block).map_or("none".to_owned(), |topic| format!("{topic:?}"));
        let named = [
            tree.enclosing_task(block.section).map(|t| t.id.as_str()),
            tree.enclosing_story(block.section).map(|t| t.id.as_str()),
            tree.enclosing_requirement(block.section).map(|t| t.id.as_str()),
            tree.enclosing_phase(block.section),
        ];
        let named: Vec<&str> = named.into_iter().flatten().collect();
        let excluded = tree.excluded_by(block).map(|by| format!(" excluded by {by:?}")).unwrap_or_default();
        format!("{}: {text} -> {topic} {named:?}{excluded}\n", line(block.at.start))
    };
    insta::assert_snapshot!(tree.blocks.iter().map(about).collect::<String>(), @r#"
    3: The title says too little. -> Criteria []
    7: Inherits nothing but this. -> Requirements []
    11: A requirement. -> Requirements ["FR-1"]
    15: Nearest heading. -> Tests ["FR-1"]
    17: Acceptance Criteria: -> Tests ["FR-1"]
    19: by label -> Criteria ["FR-1"]
    23: Inherited. -> Requirements []
    29: Excluded by the outer heading. -> Excluded ["TASK-001"] excluded by "Out of Scope"
    35: In a phase. -> Phases ["TASK-002", "Phase 2: Core"]
    37: Not in scope: -> Phases ["TASK-002", "Phase 2: Core"] excluded by "Not in scope:"
    39: excluded by label -> Excluded ["TASK-002", "Phase 2: Core"] excluded by "Not in scope:"
    43: A story. -> none ["US-3"]
    "#);
}

#[test]
fn prose_below_a_heading_is_joined_up_to_a_limit() {
    let text = "# A\n\nOne.\n\n- two\n- three\n\n```\ncode\n```\n\n## B\n\nFour?\n";
    let tree = SectionTree::parse(text, PlainTextHint::MaybeMarkdown);
    let table = [
        (tree.prose(1, 100), "One. two; three"),
        (tree.prose(1, 8), "One. two"),
        (tree.prose(1, 1), "One."),
        (tree.all_prose(1, 100), "One. two; three; Four?"),
        (tree.prose(2, 100), "Four?"),
    ];
    for (prose, expected) in table {
        assert_eq!(prose, expected);
    }
}

#[test]
fn byte_order_marks_and_front_matter_are_skipped() {
    let table = [
        ("\u{feff}# A\n", "1: h1 A (in \"\")\n"),
        ("---\ntitle: x\n---\n# A\n", "4: h1 A (in \"\")\n"),
        ("---\r\ntitle: x\r\n...\r\n# A\r\n", "4: h1 A (in \"\")\n"),
        ("---\n# A\n", "2: h1 A (in \"\")\n"),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text:?}");
    }
}

#[test]
fn invisible_characters_are_removed() {
    assert_eq!(shown("# A\u{200b}\u{202e}b\u{7}\n"), "1: h1 Ab (in \"\")\n");
}

#[test]
fn very_long_tables_and_documents_are_cut() {
    let table = format!("| A |\n|---|\n{}", "| b |\n".repeat(5_001));
    let tree = SectionTree::parse(&table, PlainTextHint::MaybeMarkdown);
    assert_eq!(tree.flaws[0].text, "table has 5001 rows; only the first 5000 are read");
    let BlockContent::Table(table) = &tree.blocks[0].content else { panic!("no table") };
    assert_eq!(table.rows.len(), 5_000);
    let items = SectionTree::parse(&"- a\n".repeat(20_001), PlainTextHint::MaybeMarkdown);
    assert_eq!(items.blocks.len(), 20_000);
    assert_eq!(items.flaws[0].text, "the document has more than 20000 blocks; the rest is ignored");
}

#[test]
fn masked_texts_keep_their_length() {
    let fences = [
        (
            "```markdown\n# A\n```bash\nls\n```\nend\n```\n# B\n",
            "```markdown\n# A\n'''bash\nls\n'''\nend\n```\n# B\n",
        ),
        ("```\n  ```sh\n  ls\n  ```\n```\n", "```\n  '''sh\n  ls\n  '''\n```\n"),
        ("```\na\n```\n\n```sh\nb\n```\n", "```\na\n```\n\n```sh\nb\n```\n"),
        ("```\n~~~sh\n```\n", "```\n~~~sh\n```\n"),
        ("```a`b\n", "```a`b\n"),
        ("a\n```py\nx = 1\n\n## B\n", "a\n'''py\nx = 1\n\n## B\n"),
        ("```py\nx = 1\n", "```py\nx = 1\n"),
    ];
    for (text, expected) in fences {
        assert_eq!(masking::without_nested_fences(text).text, expected, "{text:?}");
    }
    let tags = [
        ("<context>\n# A\n</PRD>\n<own/>\n", "         \n# A\n      \n      \n"),
        ("```xml\n<own>\n```\n<own>\n", "```xml\n<own>\n```\n     \n"),
        ("~~~\n```\n<own>\n~~~\n", "~~~\n```\n<own>\n~~~\n"),
        ("<details>\n<br/>\n<TABLE>\n", "<details>\n<br/>\n<TABLE>\n"),
        ("<a href=\"x\">\n<own attr>\n<1>\n", "<a href=\"x\">\n<own attr>\n<1>\n"),
        ("text <own>\n", "text <own>\n"),
    ];
    for (text, expected) in tags {
        assert_eq!(masking::without_custom_tags(text), expected, "{text:?}");
    }
}

#[test]
fn escapes_in_front_of_marks_are_blanked_where_an_export_put_them() {
    let table = [
        ("\\# A\n\\- b\n\\- c\n", " # A\n - b\n - c\n"),
        ("\\# A\n\\- b\n", "\\# A\n\\- b\n"),
        ("\\# A\n\\- b\n\\-c\n\\---\n", " # A\n - b\n\\-c\n ---\n"),
        ("```\n\\# A\n\\- b\n\\- c\n```\n", "```\n\\# A\n\\- b\n\\- c\n```\n"),
    ];
    for (text, expected) in table {
        assert_eq!(masking::without_escapes(text), expected, "{text:?}");
    }
}
