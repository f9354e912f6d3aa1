//! Tests of `ini`.

use super::*;

#[test]
fn sections_keys_and_lines() {
    let text = "[testenv]\nextras = tests\n# no\ndeps =\n    a>=1\n    b  # why\n\n    c\ncommands = x\n\n[other]\ndeps = d\n";
    assert_eq!(ini_lines(text, "testenv", "deps"), ["a>=1", "b", "c"]);
    assert_eq!(ini_lines(text, "testenv", "extras"), ["tests"]);
    assert_eq!(ini_lines(text, "other", "deps"), ["d"]);
    assert_eq!(ini_lines(text, "none", "deps"), [""; 0]);
    let names: Vec<String> = ini_section(text, "testenv").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["extras", "deps", "commands"]);
}
