//! Positions, lines and the parts of a finding.

use super::*;

#[test]
fn positions_count_characters_from_one() {
    let mut sources = Sources::default();
    let f = sources.add("a.md", "ab\ncé x\r\nlast");
    let at = |start| sources.position(Span { file: f, start, end: start });
    assert_eq!(at(0), Position { line: 1, column: 1 });
    assert_eq!(at(3), Position { line: 2, column: 1 });
    assert_eq!(at(7), Position { line: 2, column: 4 });
    assert_eq!(at(10), Position { line: 3, column: 1 });
    assert_eq!(sources.line(f, 2), "cé x");
    assert_eq!(sources.line(f, 3), "last");
}

#[test]
fn every_offset_of_every_file_has_a_position() {
    type Places = &'static [(u32, u32, u32)];
    let table: [(&str, Places); 7] = [
        // text, then: offset, line, column
        ("", &[(0, 1, 1), (9, 1, 1)]),
        ("a", &[(0, 1, 1), (1, 1, 2), (9, 1, 2)]),
        ("\n\n", &[(0, 1, 1), (1, 2, 1), (2, 3, 1)]),
        ("a\r\nb", &[(1, 1, 2), (2, 1, 3), (3, 2, 1), (4, 2, 2)]),
        ("äö\nü", &[(0, 1, 1), (2, 1, 2), (4, 1, 3), (5, 2, 1), (7, 2, 2)]),
        ("日本 x", &[(3, 1, 2), (6, 1, 3), (7, 1, 4)]),
        ("x\u{feff}y", &[(1, 1, 2), (4, 1, 3)]),
    ];
    for (text, places) in table {
        let mut sources = Sources::default();
        let file = sources.add("f", text);
        for (start, line, column) in places {
            let position = sources.position(Span { file, start: *start, end: *start });
            assert_eq!(position, Position { line: *line, column: *column }, "{text:?} at {start}");
        }
    }
}

#[test]
fn an_offset_inside_a_character_is_survived() {
    let mut sources = Sources::default();
    let file = sources.add("f", "é\né");
    for start in 0..8 {
        let position = sources.position(Span { file, start, end: start });
        assert_eq!(position.line, if start < 3 { 1 } else { 2 }, "{start}");
    }
}

#[test]
fn lines_come_without_their_ends() {
    let mut sources = Sources::default();
    let file = sources.add("f", "one\r\ntwo\n\nlast");
    let table = [(1, "one"), (2, "two"), (3, ""), (4, "last"), (0, "one"), (99, "last")];
    for (line, expected) in table {
        assert_eq!(sources.line(file, line), expected, "{line}");
    }
    let empty = sources.add("g", "");
    assert_eq!(sources.line(empty, 1), "");
}

#[test]
fn files_keep_their_numbers_and_texts() {
    let mut sources = Sources::default();
    assert_eq!(sources.add("a.md", "A"), FileIx(0));
    assert_eq!(sources.add("a.md", "B"), FileIx(1), "the same path twice is two texts");
    let seen: Vec<(&str, &str)> =
        sources.files().iter().map(|f| (f.path.as_str(), f.text.as_str())).collect();
    assert_eq!(seen, [("a.md", "A"), ("a.md", "B")]);
    assert_eq!(sources.file(FileIx(1)).text, "B");
}

#[test]
fn a_finding_is_built_piece_by_piece() {
    let span = Span { file: FileIx(0), start: 3, end: 5 };
    let bare = Diagnostic::new("WL0151", Severity::Error, "no such task");
    assert_eq!(
        (bare.task.as_ref(), bare.span, bare.help.as_ref(), bare.related.len()),
        (None, None, None, 0)
    );
    let full = bare
        .with_task("a")
        .at(Some(span))
        .with_help("take it away")
        .also(Some(span), "the first one")
        .also(None, "a place that is not known is left out");
    assert_eq!(
        (full.task.as_deref(), full.span, full.help.as_deref()),
        (Some("a"), Some(span), Some("take it away"))
    );
    assert_eq!(full.related, [(span, "the first one".to_owned())]);
    assert_eq!(full.at(None).span, None, "the last place counts");
}

#[test]
fn severities_have_an_order_and_names() {
    assert!(Severity::Note < Severity::Warning && Severity::Warning < Severity::Error);
    let names =
        [Severity::Note, Severity::Warning, Severity::Error].map(|s| serde_json::to_value(s).unwrap());
    assert_eq!(names, ["note", "warning", "error"]);
}
