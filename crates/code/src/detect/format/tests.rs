//! Tests of `format`.

use super::*;
use crate::repo::MemoryTree;

#[test]
fn every_formatter_gets_its_own_files() {
    let tree = MemoryTree::new([
        ("pyproject.toml", "[tool.ruff]\nline-length = 100\n"),
        ("old/pyproject.toml", "[tool.black]\n[tool.isort]\n"),
        ("package.json", r#"{"devDependencies":{"prettier":"3"},"eslintConfig":{}}"#),
        ("web/biome.json", "{}"),
        ("web/.prettierrc", ""),
        ("web/deep/.prettierrc.json", "{}"),
        ("rs/Cargo.toml", "[package]\nname = \"a\"\nedition = \"2024\"\n"),
        ("rs/rustfmt.toml", ""),
        ("go/go.mod", ""),
        ("c/.clang-format", ""),
        ("plain/x.txt", ""),
        ("goi/go.mod", ""),
        ("goi/.golangci.yml", "linters:\n  enable: [goimports]\n"),
        ("java/pom.xml", "<plugin>google-java-format</plugin>"),
        ("rb/.rubocop.yml", ""),
        ("php/.php-cs-fixer.dist.php", ""),
        ("cs/.editorconfig", ""),
        ("cs/App/App.csproj", ""),
    ]);
    let files = [
        "a.py",
        "b/c.py",
        "old/x.py",
        "src/a.ts",
        "README.md",
        "web/a.tsx",
        "web/deep/b.ts",
        "rs/src/lib.rs",
        "rs/src/a.rs",
        "go/main.go",
        "c/x.cc",
        "plain/x.txt",
        "goi/main.go",
        "java/src/A.java",
        "java2/src/A.java",
        "rb/lib/a.rb",
        "php/src/A.php",
        "cs/App/Cart.cs",
    ]
    .map(str::to_owned);
    let all: String = formatters(&tree, &files)
        .iter()
        .map(|plan| {
            let fix = plan.fix.as_ref().map(|fix| format!(" fix `{}`", fix.join(" "))).unwrap_or_default();
            format!("{} ({}) in {:?}:{fix} `{}`\n", plan.name, plan.from, plan.dir, plan.format.join(" "))
        })
        .collect::<Vec<_>>()
        .concat();
    insta::assert_snapshot!(all, @r#"
        ruff (pyproject.toml) in "": fix `ruff check --fix --exit-zero -- a.py b/c.py` `ruff format -- a.py b/c.py`
        ruff (pyproject.toml) in "": `ruff check --fix --exit-zero -- old/x.py`
        isort (old/pyproject.toml) in "old": `isort -- x.py`
        black (old/pyproject.toml) in "old": `black --quiet -- x.py`
        eslint (package.json) in "": `npx --no-install eslint --fix src/a.ts web/a.tsx web/deep/b.ts`
        prettier (package.json) in "": `npx --no-install prettier --write --ignore-unknown -- src/a.ts README.md`
        biome (web/biome.json) in "web": fix `npx --no-install biome check --write a.tsx` `npx --no-install biome format --write a.tsx`
        prettier (web/deep/.prettierrc.json) in "web/deep": `npx --no-install prettier --write --ignore-unknown -- b.ts`
        rustfmt (rs/rustfmt.toml) in "rs": `sh -c for f do out=$(rustfmt --edition 2024 <"$f") || exit 1; printf '%s\n' "$out" >"$f"; done rustfmt src/lib.rs src/a.rs`
        gofmt (go/go.mod) in "go": `gofmt -w main.go`
        clang-format (c/.clang-format) in "c": `clang-format -i --style=file x.cc`
        goimports (goi/go.mod) in "goi": `goimports -w main.go`
        google-java-format (java/pom.xml) in "java": `google-java-format --replace src/A.java`
        rubocop (rb/.rubocop.yml) in "rb": `rubocop --autocorrect --fail-level fatal --force-exclusion -- lib/a.rb`
        php-cs-fixer (php/.php-cs-fixer.dist.php) in "php": `php-cs-fixer fix --quiet --path-mode=intersection --config=.php-cs-fixer.dist.php -- src/A.php`
        dotnet format (cs/App/App.csproj) in "cs/App": `dotnet format App.csproj --include Cart.cs`
        "#);
}
