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

/// Every file that asks for lint-staged.
#[test]
fn configurations_of_lint_staged() {
    for name in LINT_STAGED {
        assert_eq!(names(&[(name, "")]), [format!("npx --no-install lint-staged {name}")]);
        assert!(names(&[(&format!("web/{name}"), "")]).is_empty(), "only at the root");
    }
    for text in ["{", "{}", "[]", r#"{"devDependencies":{"lint-staged":"15"}}"#] {
        assert!(names(&[("package.json", text)]).is_empty(), "{text}");
    }
}

/// Several systems run one after the other; a husky hook that starts lint-staged itself makes it run once.
#[test]
fn several_hook_systems() {
    let pre_commit = (".pre-commit-config.yml", "");
    let staged = (".lintstagedrc", "{}");
    assert_eq!(
        names(&[pre_commit, staged, (".husky/pre-commit", "npm test\n")]),
        [
            "pre-commit run --files .pre-commit-config.yml",
            "sh .husky/pre-commit .husky/pre-commit",
            "npx --no-install lint-staged .lintstagedrc",
        ]
    );
    assert_eq!(names(&[staged, (".husky/pre-commit", "lint-staged")]).len(), 1);
    assert!(names(&[]).is_empty());
}

#[test]
fn how_hooks_learn_of_their_files() {
    let tree =
        MemoryTree::new([(".pre-commit-config.yaml", ""), (".husky/pre-commit", "x"), (".lintstagedrc", "")]);
    let found: Vec<(String, HookFiles)> =
        hooks(&tree).into_iter().map(|plan| (plan.name, plan.files)).collect();
    let expected = [
        ("pre-commit".to_owned(), HookFiles::AsArguments),
        ("husky".to_owned(), HookFiles::FromIndex),
        ("lint-staged".to_owned(), HookFiles::FromIndex),
    ];
    assert_eq!(found, expected);
}

#[test]
fn hooks_of_other_repositories_are_fetched() {
    let fetches = |config: &str| {
        hooks(&MemoryTree::new([(".pre-commit-config.yaml", config)])).iter().any(|hook| hook.fetches)
    };
    assert!(fetches("repos:\n  - repo: https://example.com/ruff\n    rev: v1\n"));
    assert!(fetches("repos:\n- rev: v1\n  repo: 'https://example.com/ruff'\n"));
    assert!(!fetches("repos:\n  - repo: local # ours\n    hooks: []\n  - repo: \"meta\"\n"));
}
