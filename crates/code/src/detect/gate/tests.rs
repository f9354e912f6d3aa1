//! Tests of `gate`.

use super::*;
use crate::repo::MemoryTree;

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
