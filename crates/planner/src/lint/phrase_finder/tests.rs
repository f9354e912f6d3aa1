//! Phrases as whole words.

use super::*;

#[test]
fn phrases_are_found_as_whole_words() {
    let finder = Finder::new(&["as needed\netc.", "user-friendly", "is"]);
    let of = |text: &str| finder.find(text)[..3].to_vec();
    assert_eq!(of("Retry As  needed, etc"), [Some("as needed"), None, None]);
    assert_eq!(of("it is User Friendly"), [None, Some("user-friendly"), Some("is")]);
    assert_eq!(of("as neededness; this; étc"), [None, None, None]);
    assert_eq!(of(""), [None, None, None]);
}

#[test]
fn the_first_match_of_a_group_is_reported() {
    let finder = Finder::new(&["as needed\nif necessary", "fast"]);
    let table: [(&str, [Option<&str>; 2]); 9] = [
        ("if necessary, as needed", [Some("if necessary"), None]),
        ("as needed, if necessary", [Some("as needed"), None]),
        // Any characters that are no letters or digits stand between words, line ends among them.
        ("AS\r\nNEEDED", [Some("as needed"), None]),
        ("as-needed", [Some("as needed"), None]),
        // The text ends inside a phrase, or the phrase at the end of the text.
        ("as", [None, None]),
        ("do it as needed", [Some("as needed"), None]),
        ("breakfast is not fast", [None, Some("fast")]),
        ("fästfast", [None, None]),
        ("…fast…", [None, None]),
    ];
    for (text, expected) in table {
        assert_eq!(finder.find(text)[..2], expected, "{text}");
    }
}

#[test]
fn long_words_are_told_apart() {
    let finder = Finder::new(&["internationalisation"]);
    assert!(finder.find("INTERNATIONALISATION")[0].is_some());
    assert!(finder.find(&"i".repeat(80))[0].is_none());
    assert!(finder.find(&"i".repeat(100_000))[0].is_none());
}
