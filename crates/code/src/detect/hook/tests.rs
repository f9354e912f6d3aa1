//! Tests of `hook`.

use super::*;
use crate::repo::MemoryTree;

fn names(files: &[(&str, &str)]) -> Vec<String> {
    let tree = MemoryTree::new(files.iter().map(|(path, text)| (*path, *text)));
    hooks(&tree).into_iter().map(|plan| format!("{} {}", plan.argv.join(" "), plan.from)).collect()
}

#[test]
fn hook_systems() {
    assert_eq!(names(&[(".pre-commit-config.yaml", "")]), ["pre-commit run --files .pre-commit-config.yaml"]);
    assert_eq!(
        names(&[(".husky/pre-commit", "npx lint-staged\n"), ("package.json", r#"{"lint-staged":{}}"#)]),
        ["sh .husky/pre-commit .husky/pre-commit"]
    );
    assert_eq!(
        names(&[("package.json", r#"{"lint-staged":{}}"#)]),
        ["npx --no-install lint-staged package.json"]
    );
    assert!(names(&[("package.json", "{}"), (".git/hooks/pre-commit", "")]).is_empty());
}
