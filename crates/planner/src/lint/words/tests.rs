//! Names inside other text.

use super::has_phrase;

#[test]
fn names_are_found_whole() {
    let table = [
        ("expect(total()).toBe(1)", "total", true),
        ("totals() + subtotal()", "total", false),
        // The second occurrence counts where the first is part of a word.
        ("subtotal; total", "total", true),
        ("total", "total", true),
        ("étotal", "total", false),
        ("Total", "total", false),
        ("", "total", false),
        ("total", "", false),
    ];
    for (text, name, expected) in table {
        assert_eq!(has_phrase(text, name), expected, "{name} in {text}");
    }
}
