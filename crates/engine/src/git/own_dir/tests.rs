//! Tests: reading git's version.

use super::*;

#[test]
fn versions_are_read_by_their_first_two_numbers() {
    let cases = [("2.39.5", Some((2, 39))), ("2.38", Some((2, 38))), ("2.9.1.windows.1", Some((2, 9)))];
    for (text, expected) in cases {
        assert_eq!(version_of(text), expected);
    }
    assert_eq!(version_of("two"), None);
}
