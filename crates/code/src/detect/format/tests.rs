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
        rustfmt (rs/rustfmt.toml) in "rs": `rustfmt --edition 2024 --config skip_children=true src/lib.rs src/a.rs`
        gofmt (go/go.mod) in "go": `gofmt -w main.go`
        clang-format (c/.clang-format) in "c": `clang-format -i --style=file x.cc`
        goimports (goi/go.mod) in "goi": `goimports -w main.go`
        google-java-format (java/pom.xml) in "java": `google-java-format --replace src/A.java`
        rubocop (rb/.rubocop.yml) in "rb": `rubocop --autocorrect --fail-level fatal --force-exclusion -- lib/a.rb`
        php-cs-fixer (php/.php-cs-fixer.dist.php) in "php": `php-cs-fixer fix --quiet --path-mode=intersection --config=.php-cs-fixer.dist.php -- src/A.php`
        dotnet format (cs/App/App.csproj) in "cs/App": `dotnet format App.csproj --include Cart.cs`
        "#);
}

/// The formatters for one file in a tree with one configuration.
fn names(config: &str, text: &str, file: &str) -> Vec<String> {
    let tree = MemoryTree::new([(config, text)]);
    formatters(&tree, &[file.to_owned()]).into_iter().map(|plan| plan.name).collect()
}

/// A configuration, a file below it, and the formatter that it asks for.
#[test]
fn configurations_and_the_formatter_they_ask_for() {
    let table: [(&str, &str, &str, &[&str]); 40] = [
        ("ruff.toml", "", "a.py", &["ruff"]),
        (".ruff.toml", "", "a.pyi", &["ruff"]),
        ("pyproject.toml", "[tool.ruff]\n", "a.py", &["ruff"]),
        ("pyproject.toml", "[tool.ruff.lint]\nselect = []\n", "a.py", &["ruff"]),
        ("pyproject.toml", "[tool.black]\n", "a.py", &["black"]),
        ("pyproject.toml", "[tool.isort]\n", "a.py", &["isort"]),
        ("pyproject.toml", "[tool.ruff]\n[tool.black]\n", "a.py", &["ruff", "black"]),
        (".isort.cfg", "", "a.py", &["isort"]),
        ("pyproject.toml", "[project]\nname = 'ruff'\n", "a.py", &[]),
        ("pyproject.toml", "[tool.ruff\n", "a.py", &[]),
        ("ruff.toml", "", "a.txt", &[]),
        (".prettierrc", "", "a.md", &["prettier"]),
        (".prettierrc.toml", "", "a.css", &["prettier"]),
        ("prettier.config.mjs", "", "a.yml", &["prettier"]),
        ("package.json", r#"{"prettier":{}}"#, "a.ts", &["prettier"]),
        ("package.json", r#"{"devDependencies":{"prettier":"3"}}"#, "a.ts", &["prettier"]),
        ("package.json", r#"{"devDependencies":{"eslint":"9"}}"#, "a.ts", &[]),
        ("package.json", r#"{"eslintConfig":{}}"#, "a.vue", &["eslint"]),
        ("package.json", "{", "a.ts", &[]),
        ("eslint.config.mts", "", "a.ts", &["eslint"]),
        (".eslintrc.yaml", "", "a.jsx", &["eslint"]),
        (".eslintrc", "", "a.md", &[]),
        ("biome.json", "{}", "a.ts", &["biome"]),
        ("biome.jsonc", "{}", "a.json", &["biome"]),
        ("biome.json", "{}", "a.md", &[]),
        ("rustfmt.toml", "", "a.rs", &["rustfmt"]),
        (".rustfmt.toml", "", "a.rs", &["rustfmt"]),
        ("Cargo.toml", "[package]\nname = 'a'\n", "src/a.rs", &["rustfmt"]),
        (".clang-format", "", "a.hpp", &["clang-format"]),
        ("_clang-format", "", "a.proto", &["clang-format"]),
        ("go.mod", "", "a.go", &["gofmt"]),
        (".golangci.yml", "goimports", "a.go", &[]),
        ("pom.xml", "google-java-format", "A.java", &["google-java-format"]),
        ("build.gradle.kts", "googleJavaFormat()", "A.java", &["google-java-format"]),
        ("pom.xml", "<project/>", "A.java", &[]),
        (".rubocop.yml", "", "a.rb", &["rubocop"]),
        (".rubocop.yaml", "", "a.gemspec", &["rubocop"]),
        (".php-cs-fixer.php", "", "a.php", &["php-cs-fixer"]),
        (".php_cs.dist", "", "a.php", &["php-cs-fixer"]),
        ("App.csproj", "", "A.cs", &[]),
    ];
    for (config, text, file, expected) in table {
        assert_eq!(names(config, text, file), expected, "{config} {text} {file}");
    }
}

/// Of two configurations the one nearer to the file wins.
#[test]
fn the_nearest_configuration_wins() {
    let tree = MemoryTree::new([
        ("biome.json", "{}"),
        ("near/.prettierrc", ""),
        ("near/deep/biome.json", "{}"),
        ("pyproject.toml", "[tool.black]\n"),
        ("new/ruff.toml", ""),
        ("go.mod", ""),
        ("tools.go", "import _ \"golang.org/x/tools/cmd/goimports\"\n"),
    ]);
    let table: [(&str, &[&str]); 6] = [
        ("a.ts", &["biome biome.json"]),
        ("near/a.ts", &["prettier near/.prettierrc"]),
        ("near/deep/a.ts", &["biome near/deep/biome.json"]),
        ("old/a.py", &["black pyproject.toml"]),
        ("new/a.py", &["ruff new/ruff.toml"]),
        ("a.go", &["goimports go.mod"]),
    ];
    for (file, expected) in table {
        let found: Vec<String> = formatters(&tree, &[file.to_owned()])
            .into_iter()
            .map(|plan| format!("{} {}", plan.name, plan.from))
            .collect();
        assert_eq!(found, expected, "{file}");
    }
}

/// Names reach the command as they are: it is no shell that reads them.
#[test]
fn hostile_names_are_plain_arguments() {
    let tree = MemoryTree::new([("a/ruff.toml", "")]);
    let files = ["a/x y.py".to_owned(), "a/-rf.py".to_owned(), "a/$(x).py".to_owned()];
    let plan = formatters(&tree, &files).remove(0);
    assert_eq!(plan.format, ["ruff", "format", "--", "x y.py", "-rf.py", "$(x).py"]);
    assert_eq!(plan.files, files);
    assert_eq!(plan.dir, "a");
}

#[test]
fn patterns_of_own_formatters_match_names_and_paths() {
    for (pattern, path, expected) in [
        ("*.py", "a/b.py", true),
        ("*.py", "a/b.pyc", false),
        ("src/*.rs", "src/x.rs", true),
        ("b?.c", "a/b1.c", true),
        ("", "x", false),
    ] {
        let own = OwnFormatter { pattern: pattern.into(), command: Vec::new() };
        assert_eq!(own.takes(path), expected, "{pattern} {path}");
    }
}
