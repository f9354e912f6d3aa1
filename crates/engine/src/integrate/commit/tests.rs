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
