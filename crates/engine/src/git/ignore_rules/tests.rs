//! Tests: the ignore rules of a tree.

use super::*;

#[test]
fn the_nearest_rule_decides() {
    let top = parse("*.log\n/build/\n!keep.log\n# c\n\\#odd\n");
    let sub = parse("!wanted.log\n*.tmp\n");
    let rules = IgnoreRules { files: HashMap::from([(String::new(), top), ("sub".to_owned(), sub)]) };
    let cases = [
        ("a.log", false, true),
        ("keep.log", false, false),
        ("build", true, true),
        ("build", false, false),
        ("x/build", true, false),
        ("x/y/b.log", false, true),
        ("sub/wanted.log", false, false),
        ("sub/deep/wanted.log", false, false),
        ("sub/x.tmp", false, true),
        ("x.tmp", false, false),
        ("#odd", false, true),
    ];
    for (path, is_dir, expected) in cases {
        assert_eq!(rules.ignores(Path::new(path), is_dir), expected, "{path}");
    }
}
