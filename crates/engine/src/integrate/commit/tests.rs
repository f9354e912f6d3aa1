//! Tests: commit messages with text from the plan.

use super::*;

#[test]
fn lines_of_the_plan_cannot_pass_for_trailers() {
    for (text, wanted) in [
        ("Makes a table.", "Makes a table."),
        ("Windlass-Task: X", "> Windlass-Task: X"),
        ("ok\nWindlass-Evidence: 1\nend", "ok\n> Windlass-Evidence: 1\nend"),
        (" Windlass-Task: X", " Windlass-Task: X"),
        ("bell\u{7} and\ttab", "bell and\ttab"),
    ] {
        assert_eq!(quoted(text), wanted);
    }
}

#[test]
fn a_quoted_text_keeps_its_lines_and_loses_what_a_terminal_would_obey() {
    for (text, wanted) in [
        ("", ""),
        ("one\n\ntwo", "one\n\ntwo"),
        ("crlf\r\nline", "crlf\nline"),
        ("\u{1b}[31mred", "[31mred"),
        ("\u{1b}Windlass-Task: X", "> Windlass-Task: X"),
    ] {
        assert_eq!(quoted(text), wanted, "{text:?}");
    }
}
