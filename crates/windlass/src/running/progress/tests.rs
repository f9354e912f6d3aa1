//! Tests of `running/progress`.

use super::first_of;

#[test]
fn a_line_names_the_first_tests_and_counts_the_rest() {
    let names: Vec<String> = (0..300).map(|n| format!("test_{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(first_of(&[]), "");
    assert_eq!(first_of(&names[..4]), "test_0, test_1, test_2, test_3");
    assert_eq!(first_of(&names), "test_0, test_1, test_2, test_3 and 296 more");
}
