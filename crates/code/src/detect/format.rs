//! Formatters that the repository's configuration asks for.
//!
//! Each gets only the files it was given, grouped by the nearest configuration. A fixing command may leave findings
//! behind and exit non-zero for it; that says nothing about the formatting.

use serde_json::Value;

use super::manifest::{
    any_depends_on, cargo_package, depends_on, dir_of, first_in, has_key, in_dir, json, nearest, relative,
    text, toml, upwards,
};
use crate::repo::Tree;

/// One formatter over some of the given files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatPlan {
    /// The formatter's name.
    pub name: String,
    /// A fixing command to run first, complete with its files.
    pub fix: Option<Vec<String>>,
    /// The formatting command, complete with its files.
    pub format: Vec<String>,
    /// The files it is given, relative to the root of the tree.
    pub files: Vec<String>,
    /// Where to run it, relative to the root of the tree (empty for the root itself).
    pub dir: String,
    /// The configuration file that asked for it.
    pub from: String,
}

/// A formatter for one file, before files are grouped.
struct Choice {
    tool: Tool,
    dir: String,
    from: String,
    /// What else the command depends on: the Rust edition.
    detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tool {
    /// Fixes and formats.
    Ruff,
    /// Fixes only, because black formats.
    RuffFix,
    Isort,
    Black,
    Biome,
    Eslint,
    Prettier,
    Rustfmt,
    ClangFormat,
    Gofmt,
    Goimports,
    GoogleJavaFormat,
    Rubocop,
    PhpCsFixer,
    /// Knows projects, so its files are an option.
    DotnetFormat,
}

/// The formatters for `files`, in the order in which they should run, each with its own share of the files.
pub fn formatters(tree: &dyn Tree, files: &[String]) -> Vec<FormatPlan> {
    let mut groups: Vec<(Choice, Vec<String>)> = Vec::new();
    for file in files {
        for choice in choices(tree, file) {
            let known = groups.iter_mut().find(|(known, _)| {
                known.tool == choice.tool && known.from == choice.from && known.detail == choice.detail
            });
            match known {
                Some((_, files)) => files.push(file.clone()),
                None => groups.push((choice, vec![file.clone()])),
            }
        }
    }
    groups.into_iter().map(|(choice, files)| plan(&choice, files)).collect()
}

fn choices(tree: &dyn Tree, file: &str) -> Vec<Choice> {
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "py" | "pyi" => python(tree, file),
        "rs" => rust(tree, file).into_iter().collect(),
        "go" => go(tree, file).into_iter().collect(),
        "java" => java(tree, file).into_iter().collect(),
        "rb" | "rake" | "gemspec" => nearest(tree, file, &[".rubocop.yml", ".rubocop.yaml"])
            .map(|from| choice(Tool::Rubocop, from))
            .into_iter()
            .collect(),
        "php" => nearest(tree, file, &PHP_CS_FIXER)
            .map(|from| choice(Tool::PhpCsFixer, from))
            .into_iter()
            .collect(),
        "cs" => dotnet(tree, file).into_iter().collect(),
        "c" | "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "m" | "mm" | "proto" => {
            nearest(tree, file, &[".clang-format", "_clang-format"])
                .map(|from| choice(Tool::ClangFormat, from))
                .into_iter()
                .collect()
        }
        _ => web(tree, file, ending),
    }
}

const PHP_CS_FIXER: [&str; 4] = [".php-cs-fixer.php", ".php-cs-fixer.dist.php", ".php_cs", ".php_cs.dist"];

/// goimports where golangci-lint or a tools file asks for it, else gofmt.
fn go(tree: &dyn Tree, file: &str) -> Option<Choice> {
    const ASKING: [&str; 5] =
        [".golangci.yml", ".golangci.yaml", ".golangci.toml", "tools.go", "tools/tools.go"];
    let module = nearest(tree, file, &["go.mod"])?;
    let asks = |path: &String| text(tree, path).is_some_and(|text| text.contains("goimports"));
    let tool = if nearest(tree, file, &ASKING).is_some_and(|path| asks(&path)) {
        Tool::Goimports
    } else {
        Tool::Gofmt
    };
    Some(choice(tool, module))
}

/// Where a build file or a hook names it; there is no configuration file of its own.
fn java(tree: &dyn Tree, file: &str) -> Option<Choice> {
    const ASKING: [&str; 4] = ["pom.xml", "build.gradle", "build.gradle.kts", ".pre-commit-config.yaml"];
    let names =
        |text: &str| ["google-java-format", "googleJavaFormat"].iter().any(|name| text.contains(name));
    upwards(file)
        .flat_map(|dir| ASKING.map(|name| in_dir(dir, name)))
        .find(|path| text(tree, path).is_some_and(|text| names(&text)))
        .map(|from| choice(Tool::GoogleJavaFormat, from))
}

/// dotnet format takes its rules from `.editorconfig`, and works on a project.
fn dotnet(tree: &dyn Tree, file: &str) -> Option<Choice> {
    nearest(tree, file, &[".editorconfig"])?;
    let project = upwards(file).find_map(|dir| {
        tree.paths().iter().find(|path| path.ends_with(".csproj") && dir_of(path) == dir).cloned()
    })?;
    let name = project.rsplit('/').next().unwrap_or_default().to_owned();
    Some(Choice { detail: name, ..choice(Tool::DotnetFormat, project) })
}

fn choice(tool: Tool, from: String) -> Choice {
    Choice { tool, dir: dir_of(&from).to_owned(), from, detail: String::new() }
}

/// Ruff's own configuration files.
pub(super) const RUFF: [&str; 2] = ["ruff.toml", ".ruff.toml"];

/// The nearest `pyproject.toml` with this tool in it, or a file of the tool's own.
pub(super) fn python_config(tree: &dyn Tree, file: &str, tool: &str, own: &[&str]) -> Option<String> {
    upwards(file).find_map(|dir| {
        first_in(tree, dir, own).or_else(|| {
            let path = in_dir(dir, "pyproject.toml");
            toml(tree, &path).filter(|table| has_key(table, &["tool", tool])).map(|_| path)
        })
    })
}

fn python(tree: &dyn Tree, file: &str) -> Vec<Choice> {
    let ruff = python_config(tree, file, "ruff", &RUFF);
    let black = python_config(tree, file, "black", &[]);
    let isort = python_config(tree, file, "isort", &[".isort.cfg"]);
    // Where ruff is set up nearer to the file, what the directories above it use is not for it.
    let depth = |from: &String| dir_of(from).len();
    let nearer = |other: &String| ruff.as_ref().is_none_or(|ruff| depth(other) >= depth(ruff));
    let (black, isort) = (black.filter(nearer), isort.filter(nearer));
    let ruff_tool = if black.is_some() { Tool::RuffFix } else { Tool::Ruff };
    [(ruff_tool, ruff), (Tool::Isort, isort), (Tool::Black, black)]
        .into_iter()
        .filter_map(|(tool, from)| from.map(|from| choice(tool, from)))
        .collect()
}

fn rust(tree: &dyn Tree, file: &str) -> Option<Choice> {
    let from = nearest(tree, file, &["rustfmt.toml", ".rustfmt.toml"])
        .or_else(|| nearest(tree, file, &["Cargo.toml"]))?;
    let edition = cargo_package(tree, file).map_or_else(|| "2021".to_owned(), |package| package.edition);
    Some(Choice { detail: edition, ..choice(Tool::Rustfmt, from) })
}

const ESLINT: [&str; 12] = [
    "eslint.config.js",
    "eslint.config.mjs",
    "eslint.config.cjs",
    "eslint.config.ts",
    "eslint.config.mts",
    ".eslintrc.js",
    ".eslintrc.cjs",
    ".eslintrc.mjs",
    ".eslintrc.json",
    ".eslintrc.yml",
    ".eslintrc.yaml",
    ".eslintrc",
];

const PRETTIER: [&str; 16] = [
    ".prettierrc",
    ".prettierrc.json",
    ".prettierrc.yml",
    ".prettierrc.yaml",
    ".prettierrc.js",
    ".prettierrc.cjs",
    ".prettierrc.mjs",
    ".prettierrc.ts",
    ".prettierrc.toml",
    ".prettierrc.json5",
    "prettier.config.js",
    "prettier.config.cjs",
    "prettier.config.mjs",
    "prettier.config.ts",
    "prettier.config.cts",
    "prettier.config.mts",
];

/// Where eslint is set up for a file, if it is.
pub(super) fn eslint_config(tree: &dyn Tree, file: &str) -> Option<String> {
    // Without a configuration eslint refuses to run, so the dependency alone does not ask for it.
    web_config(tree, file, &ESLINT, |package| package.get("eslintConfig").is_some())
}

/// Where biome is set up for a file, if it is.
pub(super) fn biome_config(tree: &dyn Tree, file: &str) -> Option<String> {
    nearest(tree, file, &["biome.json", "biome.jsonc"])
}

/// A file of the tool's own, or a `package.json` that asks for it.
fn web_config(tree: &dyn Tree, file: &str, own: &[&str], asks: impl Fn(&Value) -> bool) -> Option<String> {
    upwards(file).find_map(|dir| {
        first_in(tree, dir, own).or_else(|| {
            let path = in_dir(dir, "package.json");
            json(tree, &path).filter(|package| asks(package)).map(|_| path)
        })
    })
}

pub(super) fn is_script(ending: &str) -> bool {
    matches!(ending, "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte")
}

fn web(tree: &dyn Tree, file: &str, ending: &str) -> Vec<Choice> {
    let styled = matches!(
        ending,
        "json"
            | "jsonc"
            | "json5"
            | "css"
            | "scss"
            | "less"
            | "html"
            | "md"
            | "mdx"
            | "yml"
            | "yaml"
            | "graphql"
    );
    if !is_script(ending) && !styled {
        return Vec::new();
    }
    let mut out = Vec::new();
    let biome = biome_config(tree, file)
        .filter(|_| !matches!(ending, "md" | "mdx" | "yml" | "yaml" | "scss" | "less"));
    if is_script(ending)
        && let Some(from) = eslint_config(tree, file)
    {
        out.push(choice(Tool::Eslint, from));
    }
    let prettier = web_config(tree, file, &PRETTIER, |package| {
        package.get("prettier").is_some() || depends_on(package, "prettier")
    });
    match (biome, prettier) {
        // Two formatters over one file would undo each other: the one that is set up closer to it wins.
        (Some(biome), Some(prettier)) if dir_of(&prettier).len() > dir_of(&biome).len() => {
            out.push(choice(Tool::Prettier, prettier));
        }
        (Some(biome), _) => out.push(choice(Tool::Biome, biome)),
        (None, Some(prettier)) => out.push(choice(Tool::Prettier, prettier)),
        (None, None) => {}
    }
    out
}

fn plan(choice: &Choice, files: Vec<String>) -> FormatPlan {
    let (name, fix, format) = commands(choice);
    let argv = |words: Vec<String>| {
        let relative = files.iter().map(|file| relative(&choice.dir, file).to_owned());
        words.into_iter().chain(relative).collect::<Vec<String>>()
    };
    FormatPlan {
        name: name.to_owned(),
        fix: fix.map(&argv),
        format: argv(format),
        dir: choice.dir.clone(),
        from: choice.from.clone(),
        files,
    }
}

fn commands(choice: &Choice) -> (&'static str, Option<Vec<String>>, Vec<String>) {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
    match choice.tool {
        Tool::Ruff => ("ruff", Some(words("ruff check --fix --exit-zero --")), words("ruff format --")),
        Tool::RuffFix => ("ruff", None, words("ruff check --fix --exit-zero --")),
        Tool::Isort => ("isort", None, words("isort --")),
        Tool::Black => ("black", None, words("black --quiet --")),
        Tool::Biome => (
            "biome",
            Some(words("npx --no-install biome check --write")),
            words("npx --no-install biome format --write"),
        ),
        Tool::Eslint => ("eslint", None, words("npx --no-install eslint --fix")),
        Tool::Prettier => ("prettier", None, words("npx --no-install prettier --write --ignore-unknown --")),
        Tool::Rustfmt => ("rustfmt", None, rustfmt(&choice.detail)),
        Tool::ClangFormat => ("clang-format", None, words("clang-format -i --style=file")),
        Tool::Gofmt => ("gofmt", None, words("gofmt -w")),
        Tool::Goimports => ("goimports", None, words("goimports -w")),
        Tool::GoogleJavaFormat => ("google-java-format", None, words("google-java-format --replace")),
        Tool::Rubocop => {
            ("rubocop", None, words("rubocop --autocorrect --fail-level fatal --force-exclusion --"))
        }
        Tool::PhpCsFixer => {
            let config = format!("--config={}", choice.from.rsplit('/').next().unwrap_or_default());
            let mut argv = words("php-cs-fixer fix --quiet --path-mode=intersection");
            argv.extend([config, "--".to_owned()]);
            ("php-cs-fixer", None, argv)
        }
        Tool::DotnetFormat => {
            let mut argv = words("dotnet format");
            argv.extend([choice.detail.clone(), "--include".to_owned()]);
            ("dotnet format", None, argv)
        }
    }
}

/// Given a path, rustfmt also formats the files of all modules below it; given the text, only the text.
fn rustfmt(edition: &str) -> Vec<String> {
    let script = format!(
        r#"for f do out=$(rustfmt --edition {edition} <"$f") || exit 1; printf '%s\n' "$out" >"$f"; done"#
    );
    ["sh", "-c", &script, "rustfmt"].map(str::to_owned).to_vec()
}

/// Whether the TypeScript compiler is among the dependencies near a file.
pub(super) fn has_typescript(tree: &dyn Tree, file: &str) -> bool {
    any_depends_on(tree, file, &["typescript"])
}

#[cfg(test)]
mod tests {
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
                let fix =
                    plan.fix.as_ref().map(|fix| format!(" fix `{}`", fix.join(" "))).unwrap_or_default();
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
}
