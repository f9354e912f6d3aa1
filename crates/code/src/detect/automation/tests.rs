//! Tests of `automation`.

use super::*;
use crate::repo::MemoryTree;

#[test]
fn what_a_repository_runs() {
    type Files = &'static [(&'static str, &'static str)];
    let cases: [(Files, &str, ProjectUse); 10] = [
        (&[("pyproject.toml", "[tool.mypy]\nstrict = true\n")], "mypy", ProjectUse::Unknown),
        (&[(".github/workflows/ci.yml", "run: mypy src\n")], "mypy", ProjectUse::Runs),
        (&[(".github/workflows/ci.yml", "run: pytest\n")], "mypy", ProjectUse::Never),
        (&[(".pre-commit-config.yaml", "repo: https://x/mirrors-mypy\n")], "mypy", ProjectUse::Runs),
        (&[("tox.ini", "[testenv:typing]\ncommands = pyright\n")], "pyright", ProjectUse::Runs),
        (&[("setup.cfg", "[mypy]\nstrict = true\n")], "mypy", ProjectUse::Unknown),
        (
            &[("pyproject.toml", "[tool.tox.env.style]\ncommands = [['ruff', 'check']]\n")],
            "ruff",
            ProjectUse::Runs,
        ),
        (&[("package.json", r#"{"scripts":{"lint":"eslint ."}}"#)], "eslint", ProjectUse::Runs),
        (
            &[("package.json", r#"{"scripts":{"test":"mocha"},"devDependencies":{"eslint":"1"}}"#)],
            "eslint",
            ProjectUse::Never,
        ),
        (&[("package.json", r#"{"devDependencies":{"eslint":"1"}}"#)], "eslint", ProjectUse::Unknown),
    ];
    for (files, tool, wanted) in cases {
        assert_eq!(project_use(&MemoryTree::new(files.iter().copied()), tool), wanted, "{files:?}");
    }
}
