//! Tests of `gate`.

use super::*;
use crate::repo::MemoryTree;

/// Paths and the text of each.
type PathTexts<'a> = &'a [(&'a str, &'a str)];

#[test]
fn gates_follow_the_configuration() {
    let tree = MemoryTree::new([
        ("package.json", r#"{"devDependencies":{"typescript":"5"}}"#),
        ("eslint.config.js", ""),
        ("tsconfig.json", "{}"),
        ("web/tsconfig.json", "{}"),
        ("py/pyproject.toml", "[tool.mypy]\nstrict = true\n[tool.ruff]\n"),
        ("py2/setup.cfg", "[mypy]\n"),
        ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n[workspace.lints.clippy]\nall = \"warn\"\n"),
        ("a/Cargo.toml", "[package]\nname = \"a-crate\"\n"),
        ("plain/Cargo.toml", "[package]\nname = \"plain\"\n"),
        ("go/go.mod", ""),
        ("goi/go.mod", ""),
        ("goi/.golangci.yml", ""),
        ("rb/.rubocop.yml", ""),
        ("php/phpstan.neon", ""),
    ]);
    let files = [
        "src/a.ts",
        "src/b.ts",
        "web/c.ts",
        "py/x.py",
        "py/y.py",
        "py2/z.py",
        "a/src/lib.rs",
        "a/src/b.rs",
        "go/calc/a.go",
        "go/main.go",
        "goi/cart/cart.go",
        "rb/lib/a.rb",
        "php/src/A.php",
    ]
    .map(str::to_owned);
    let shown = |plans: Vec<GatePlan>| -> String {
        plans
            .iter()
            .map(|plan| {
                format!("{} in {:?} ({}) {:?}\n", plan.argv.join(" "), plan.dir, plan.why, plan.covered_by)
            })
            .collect::<Vec<_>>()
            .concat()
    };
    insta::assert_snapshot!(shown(type_check(&tree, &files)), @r#"
        npx --no-install tsc --noEmit -p tsconfig.json in "" (tsconfig.json) []
        npx --no-install tsc --noEmit -p tsconfig.json in "web" (web/tsconfig.json) []
        mypy x.py y.py in "py" (py/pyproject.toml) []
        mypy z.py in "py2" (py2/setup.cfg) []
        cargo check -p a-crate in "" (a/Cargo.toml) [CargoTest, Nextest]
        go build ./calc in "go" (go/go.mod) [GoTest]
        go build . in "go" (go/go.mod) [GoTest]
        go build ./cart in "goi" (goi/go.mod) [GoTest]
        vendor/bin/phpstan analyse --no-progress -- src/A.php in "php" (php/phpstan.neon) []
        "#);
    insta::assert_snapshot!(shown(lint(&tree, &files)), @r#"
        npx --no-install eslint src/a.ts src/b.ts web/c.ts in "" (eslint.config.js) []
        ruff check -- x.py y.py in "py" (py/pyproject.toml) []
        cargo clippy --all-targets -p a-crate in "" (a/Cargo.toml) []
        go vet ./calc in "go" (go/go.mod) []
        go vet . in "go" (go/go.mod) []
        go vet ./cart in "goi" (goi/go.mod) []
        golangci-lint run ./cart in "goi" (goi/go.mod) []
        rubocop --force-exclusion -- lib/a.rb in "rb" (rb/.rubocop.yml) []
        "#);
}

/// The gates for one file in a tree of these files.
fn names(plans: Vec<GatePlan>) -> Vec<String> {
    plans.into_iter().map(|plan| plan.argv.join(" ")).collect()
}

#[test]
fn type_checkers() {
    let table: [(PathTexts<'_>, &str, &[&str]); 14] = [
        (&[("mypy.ini", "")], "a.py", &["mypy a.py"]),
        (&[(".mypy.ini", "")], "a.pyi", &["mypy a.pyi"]),
        (&[("pyproject.toml", "[tool.mypy]\n")], "a.py", &["mypy a.py"]),
        (&[("setup.cfg", "[mypy]\n")], "a.py", &["mypy a.py"]),
        (&[("setup.cfg", "[metadata]\n")], "a.py", &[]),
        (&[("pyrightconfig.json", "{}")], "a.py", &["pyright a.py"]),
        (&[("pyproject.toml", "[tool.pyright]\n[tool.mypy]\n")], "a.py", &["mypy a.py", "pyright a.py"]),
        (&[("tsconfig.json", "{}")], "a.ts", &[]),
        (
            &[("tsconfig.json", "{}"), ("package.json", r#"{"dependencies":{"typescript":"5"}}"#)],
            "a.tsx",
            &["npx --no-install tsc --noEmit -p tsconfig.json"],
        ),
        (&[("tsconfig.json", "{}"), ("package.json", r#"{"dependencies":{"typescript":"5"}}"#)], "a.js", &[]),
        (&[("Cargo.toml", "[package]\nname = 'x'\n")], "src/lib.rs", &["cargo check -p x"]),
        (&[("Cargo.toml", "[workspace]\n")], "src/lib.rs", &[]),
        (&[("go.mod", "")], "a/b.go", &["go build ./a"]),
        (&[("phpstan.dist.neon", "")], "a.php", &["vendor/bin/phpstan analyse --no-progress -- a.php"]),
    ];
    for (files, file, expected) in table {
        let tree = MemoryTree::new(files.iter().copied());
        assert_eq!(names(type_check(&tree, &[file.to_owned()])), expected, "{files:?}");
    }
}

#[test]
fn linters() {
    let package = ("Cargo.toml", "[package]\nname = 'x'\n");
    let clippy = "cargo clippy --all-targets -p x";
    let table: [(PathTexts<'_>, &str, &[&str]); 13] = [
        (&[("ruff.toml", "")], "a.py", &["ruff check -- a.py"]),
        (&[package], "src/lib.rs", &[]),
        (&[package, ("clippy.toml", "")], "src/lib.rs", &[clippy]),
        (&[package, (".clippy.toml", "")], "src/lib.rs", &[clippy]),
        (&[("Cargo.toml", "[package]\nname = 'x'\n[lints.clippy]\nall = 'warn'\n")], "src/lib.rs", &[clippy]),
        (&[("go.mod", "")], "a.go", &["go vet ."]),
        (&[("go.mod", ""), (".golangci.toml", "")], "a.go", &["go vet .", "golangci-lint run ."]),
        (&[(".golangci.yml", "")], "a.go", &[]),
        (&[(".rubocop.yml", "")], "a.rb", &["rubocop --force-exclusion -- a.rb"]),
        (&[("biome.json", "{}")], "a.ts", &["npx --no-install biome lint a.ts"]),
        (&[("eslint.config.js", "")], "a.svelte", &["npx --no-install eslint a.svelte"]),
        (&[("package.json", r#"{"devDependencies":{"eslint":"9"}}"#)], "a.ts", &[]),
        (&[], "a.py", &[]),
    ];
    for (files, file, expected) in table {
        let tree = MemoryTree::new(files.iter().copied());
        assert_eq!(names(lint(&tree, &[file.to_owned()])), expected, "{files:?}");
    }
}

/// One call per configuration for tools that take files, one per project for those that do not.
#[test]
fn files_are_grouped() {
    let tree = MemoryTree::new([("ruff.toml", ""), ("a/ruff.toml", ""), ("go.mod", "")]);
    let files = ["x.py", "a/y.py", "z.py", "p/a.go", "p/b.go", "noending"].map(str::to_owned);
    let found = names(lint(&tree, &files));
    assert_eq!(found, ["ruff check -- x.py z.py", "ruff check -- y.py", "go vet ./p"]);
    assert!(lint(&tree, &[]).is_empty());
}
