//! String literals and the rules that they break.

use super::*;

#[test]
fn texts_and_what_they_give_away() {
    let golden = ["tests/golden/invoice.txt".to_owned()];
    let golden = GoldenFiles::among(&golden, |_| true);
    let table = [
        ("PYTEST_CURRENT_TEST", Some(Rule::SniffsTest)),
        ("CI", Some(Rule::SniffsPlace)),
        ("CIRCLE", None),
        ("test result: ok. 3 passed", Some(Rule::ForgesReport)),
        ("test adds ... ok\\n", Some(Rule::ForgesReport)),
        ("running\\ntest adds ... ok", Some(Rule::ForgesReport)),
        (" ... ok", Some(Rule::ForgesReport)),
        ("{} ... ok", Some(Rule::ForgesReport)),
        ("adds ... ok", Some(Rule::ForgesReport)),
        ("reading the index ... ok", None),
        ("3 passed in 0.12s", Some(Rule::ForgesReport)),
        ("===== {n} passed in {t:.2f}s =====", Some(Rule::ForgesReport)),
        ("%d passed in %.2fs", Some(Rule::ForgesReport)),
        (" passed in ", Some(Rule::ForgesReport)),
        ("no port was passed in sys.argv", None),
        ("the object you have passed in ({!r}) is too large", None),
        ("../tests/golden/invoice.txt", Some(Rule::ReadsGolden)),
        ("invoice.txt", Some(Rule::ReadsGolden)),
        ("receipt.txt", None),
        ("tests/", None),
        ("the tests/unit.py file is read", None),
        ("https://example.org/latest/index.html", None),
        ("", None),
    ];
    for (text, expected) in table {
        assert_eq!(rule_of(text, &golden), expected, "{text}");
    }
}

#[test]
fn golden_files_are_looked_for_when_a_name_is_met_and_once() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let paths = ["tests/golden/invoice.txt", "src/receipt.txt", "a.md"].map(str::to_owned);
    let golden = GoldenFiles::among(&paths, |path| {
        ASKED.fetch_add(1, Ordering::Relaxed);
        path.contains("golden")
    });
    assert_eq!(rule_of("a text without a name", &golden), None);
    assert_eq!(rule_of("word", &golden), None);
    assert_eq!(ASKED.load(Ordering::Relaxed), 0, "nothing looked like the name of a file");
    assert_eq!(rule_of("receipt.txt", &golden), None);
    assert_eq!(rule_of("invoice.txt", &golden), Some(Rule::ReadsGolden));
    assert_eq!(ASKED.load(Ordering::Relaxed), paths.len());
}
