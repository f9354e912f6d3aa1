//! Which changes touch the frozen tests of a file.

use super::*;

const CODE: &str = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    fn two() -> i32 { 2 }\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(two(), 2), 4);\n    }\n}\n";

fn changed(after: &str) -> Vec<String> {
    let before = frozen_items("src/lib.rs", CODE.as_bytes());
    let after = frozen_items("src/lib.rs", after.as_bytes());
    before
        .iter()
        .filter(|(name, hash)| after.get(*name) != Some(hash))
        .map(|(name, _)| name.clone())
        .collect()
}

#[test]
fn code_may_change_and_tests_may_not() {
    let table: [(&str, String, &[&str]); 8] = [
        ("nothing", CODE.to_owned(), &[]),
        ("the code", CODE.replace("a + b", "b + a"), &[]),
        ("an assertion", CODE.replace("4);", "5);"), &["tests::adds"]),
        ("a helper", CODE.replace("{ 2 }", "{ 3 }"), &["tests (rest)"]),
        ("an ignore mark", CODE.replace("#[test]", "#[test]\n    #[ignore]"), &["tests::adds"]),
        (
            "compiled out",
            CODE.replace("#[cfg(test)]", "#[cfg(all(test, feature = \"x\"))]"),
            &["tests (rest)"],
        ),
        ("renamed", CODE.replace("fn adds", "fn adds2"), &["tests::adds"]),
        (
            "a test more",
            CODE.replace(
                "    #[test]\n    fn adds",
                "    #[test]\n    fn more() {}\n\n    #[test]\n    fn adds",
            ),
            &[],
        ),
    ];
    for (what, after, expected) in table {
        assert_eq!(changed(&after), expected, "{what}");
    }
    let twice = CODE.replace("    #[test]\n", "    #[test]\n    fn adds() {}\n    #[test]\n");
    assert_eq!(changed(&twice), ["tests::adds"]);
    assert_eq!(changed("pub fn add() {}\n"), ["tests (rest)", "tests::adds"]);
}

#[test]
fn regions_cover_the_tests() {
    let regions = test_region("src/lib.rs", CODE.as_bytes());
    assert_eq!(regions.len(), 1);
    assert!(CODE[regions[0].clone()].starts_with("#[cfg(test)]"));
    let script = "export const a = 1;\nif (import.meta.vitest) {\n  const { it } = import.meta.vitest;\n  it('x', () => {});\n}\n";
    assert_eq!(test_region("src/a.ts", script.as_bytes()).len(), 1);
    assert_eq!(
        frozen_items("src/a.ts", script.as_bytes()).keys().collect::<Vec<_>>(),
        ["import.meta.vitest (rest)", "x"]
    );
}
