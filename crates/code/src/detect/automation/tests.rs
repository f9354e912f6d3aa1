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

/// Paths and their texts.
type RepositoryFiles<'a> = &'a [(&'a str, &'a str)];

/// A tool that is given files wherever it is run holds the others to nothing.
#[test]
fn what_a_repository_gives_to_a_tool() {
    let only = "repos:\n- hooks:\n  - id: mypy\n    args: [--strict, shop]\n    pass_filenames: false\n";
    let every = "repos:\n- hooks:\n  - id: mypy\n    files: x\n";
    let ci = "steps:\n- name: Install mypy dependencies\n  run: pip install mypy\n- run: |\n    mypy --strict ./shop/ && pytest\n";
    let package = r#"{"scripts":{"lint":"mypy 'src/**/*.py' tests"}}"#;
    let workflow = ".github/workflows/ci.yml";
    let cases: [(RepositoryFiles<'_>, Option<&[&str]>); 7] = [
        (&[(workflow, ci)], Some(&["shop"])),
        (&[(workflow, ci), (HOOKS, only)], Some(&["shop"])),
        (&[(workflow, ci), (HOOKS, every)], None),
        (&[(workflow, ci), ("Makefile", "check:\n\tmypy .\n")], None),
        (&[(workflow, "run: mypy\n")], None),
        (&[("web/package.json", package)], Some(&["web/src", "web/tests"])),
        (&[("web/pyproject.toml", "[tool.poe.tasks]\ncheck = 'mypy src'\n")], Some(&["web/src"])),
    ];
    for (files, wanted) in cases {
        let sources =
            [("shop/a.py", ""), ("tests/test_a.py", ""), ("web/src/a.py", ""), ("web/tests/a.py", "")];
        let tree = MemoryTree::new(files.iter().copied().chain(sources));
        let wanted = wanted.map(|paths| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>());
        assert_eq!(reach(&tree, "mypy"), wanted, "{files:?}");
    }
}
