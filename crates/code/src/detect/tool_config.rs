//! Where formatters, linters and type checkers are configured, for one file.
//!
//! A tool that no file asks for has no configuration, and does not run.

use serde_json::Value;

use super::manifest::{
    any_depends_on, cargo_package, cargo_root, csharp_project, depends_on, dir_of, first_in, has_key, in_dir,
    json, nearest, relative, text, toml, upwards,
};
use crate::repo::Tree;

/// The configuration of a tool for one file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ToolConfig {
    /// The file that asks for the tool.
    pub(super) from: String,
    /// The directory to run it in.
    pub(super) dir: String,
    /// A part of the command that depends on the file: an edition, a package, a project.
    pub(super) detail: String,
}

impl ToolConfig {
    fn new(from: String) -> Self {
        Self { dir: dir_of(&from).to_owned(), from, detail: String::new() }
    }
}

/// The nearest file of one of these names.
pub(super) fn own_file(tree: &dyn Tree, file: &str, names: &[&str]) -> Option<ToolConfig> {
    nearest(tree, file, names).map(ToolConfig::new)
}

/// The nearest `pyproject.toml` with this tool in it, or a file of the tool's own.
fn python_tool(tree: &dyn Tree, file: &str, tool: &str, own: &[&str]) -> Option<ToolConfig> {
    let found = upwards(file).find_map(|dir| {
        first_in(tree, dir, own).or_else(|| {
            let path = in_dir(dir, "pyproject.toml");
            toml(tree, &path).filter(|table| has_key(table, &["tool", tool])).map(|_| path)
        })
    });
    found.map(ToolConfig::new)
}

pub(super) fn ruff(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    python_tool(tree, file, "ruff", &["ruff.toml", ".ruff.toml"])
}

/// ruff fixes and formats.
pub(super) fn ruff_without_black(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    ruff(tree, file).filter(|_| black(tree, file).is_none())
}

/// ruff only fixes, because black formats.
pub(super) fn ruff_with_black(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    ruff(tree, file).filter(|_| black(tree, file).is_some())
}

/// Where ruff is configured nearer to the file, the other formatters of the directories above do not apply.
fn unless_ruff_is_nearer(tree: &dyn Tree, file: &str, other: ToolConfig) -> Option<ToolConfig> {
    let applies = ruff(tree, file).is_none_or(|ruff| other.dir.len() >= ruff.dir.len());
    applies.then_some(other)
}

pub(super) fn black(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    unless_ruff_is_nearer(tree, file, python_tool(tree, file, "black", &[])?)
}

pub(super) fn isort(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    unless_ruff_is_nearer(tree, file, python_tool(tree, file, "isort", &[".isort.cfg"])?)
}

pub(super) fn mypy(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    python_tool(tree, file, "mypy", &["mypy.ini", ".mypy.ini"]).or_else(|| {
        let config = nearest(tree, file, &["setup.cfg"])?;
        text(tree, &config)?.contains("[mypy]").then(|| ToolConfig::new(config))
    })
}

pub(super) fn pyright(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    python_tool(tree, file, "pyright", &["pyrightconfig.json"])
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

/// Files that biome does not format.
const NOT_BIOME: [&str; 6] = ["md", "mdx", "yml", "yaml", "scss", "less"];

/// A file of the tool's own, or a `package.json` that asks for it.
fn web_tool(tree: &dyn Tree, file: &str, own: &[&str], asks: fn(&Value) -> bool) -> Option<ToolConfig> {
    let found = upwards(file).find_map(|dir| {
        first_in(tree, dir, own).or_else(|| {
            let path = in_dir(dir, "package.json");
            json(tree, &path).filter(asks).map(|_| path)
        })
    });
    found.map(ToolConfig::new)
}

/// Without a configuration eslint refuses to run, so the dependency alone does not ask for it.
pub(super) fn eslint(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    web_tool(tree, file, &ESLINT, |package| package.get("eslintConfig").is_some())
}

/// Whether the nearest `package.json` depends on eslint.
pub(super) fn eslint_dependency(tree: &dyn Tree, file: &str) -> bool {
    web_tool(tree, file, &[], |package| depends_on(package, "eslint")).is_some()
}

pub(super) fn biome(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &["biome.json", "biome.jsonc"])
}

/// biome or prettier: two formatters over one file would undo each other, so the one that is configured closer to it
/// wins.
fn web_formatters(tree: &dyn Tree, file: &str) -> (Option<ToolConfig>, Option<ToolConfig>) {
    let ending = file.rsplit('.').next().unwrap_or_default();
    let biome = biome(tree, file).filter(|_| !NOT_BIOME.contains(&ending));
    let prettier = web_tool(tree, file, &PRETTIER, |package| {
        package.get("prettier").is_some() || depends_on(package, "prettier")
    });
    match (biome, prettier) {
        (Some(biome), Some(prettier)) if prettier.dir.len() > biome.dir.len() => (None, Some(prettier)),
        (Some(biome), _) => (Some(biome), None),
        (None, prettier) => (None, prettier),
    }
}

pub(super) fn biome_format(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    web_formatters(tree, file).0
}

pub(super) fn prettier(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    web_formatters(tree, file).1
}

pub(super) fn tsc(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &["tsconfig.json"]).filter(|_| any_depends_on(tree, file, &["typescript"]))
}

/// With the edition of the package.
pub(super) fn rustfmt(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    let config = own_file(tree, file, &["rustfmt.toml", ".rustfmt.toml"])
        .or_else(|| own_file(tree, file, &["Cargo.toml"]))?;
    let edition = cargo_package(tree, file).map_or_else(|| "2021".to_owned(), |package| package.edition);
    Some(ToolConfig { detail: edition, ..config })
}

/// With the name of the package, from the root of its workspace.
pub(super) fn cargo(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    let package = cargo_package(tree, file)?;
    let from = in_dir(&package.dir, "Cargo.toml");
    Some(ToolConfig { from, dir: cargo_root(tree, file)?, detail: package.name })
}

pub(super) fn clippy(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    let asks = nearest(tree, file, &["clippy.toml", ".clippy.toml"]).is_some()
        || upwards(file).filter_map(|dir| toml(tree, &in_dir(dir, "Cargo.toml"))).any(|table| {
            has_key(&table, &["lints", "clippy"]) || has_key(&table, &["workspace", "lints", "clippy"])
        });
    cargo(tree, file).filter(|_| asks)
}

/// With the package of the file.
pub(super) fn go(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    let config = own_file(tree, file, &["go.mod"])?;
    let package = match dir_of(relative(&config.dir, file)) {
        "" => ".".to_owned(),
        dir => format!("./{dir}"),
    };
    Some(ToolConfig { detail: package, ..config })
}

const GOLANGCI: [&str; 3] = [".golangci.yml", ".golangci.yaml", ".golangci.toml"];

pub(super) fn golangci(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    go(tree, file).filter(|_| nearest(tree, file, &GOLANGCI).is_some())
}

fn wants_goimports(tree: &dyn Tree, file: &str) -> bool {
    let asking = [&GOLANGCI[..], &["tools.go", "tools/tools.go"]].concat();
    let config = nearest(tree, file, &asking).and_then(|path| text(tree, &path));
    config.is_some_and(|text| text.contains("goimports"))
}

/// Where golangci-lint or a tools file asks for it.
pub(super) fn goimports(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &["go.mod"]).filter(|_| wants_goimports(tree, file))
}

pub(super) fn gofmt(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &["go.mod"]).filter(|_| !wants_goimports(tree, file))
}

/// Where a build file or a hook names it; it has no configuration file of its own.
pub(super) fn google_java_format(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    const ASKING: [&str; 4] = ["pom.xml", "build.gradle", "build.gradle.kts", ".pre-commit-config.yaml"];
    let names =
        |text: &str| ["google-java-format", "googleJavaFormat"].iter().any(|name| text.contains(name));
    upwards(file)
        .flat_map(|dir| ASKING.map(|name| in_dir(dir, name)))
        .find(|path| text(tree, path).is_some_and(|text| names(&text)))
        .map(ToolConfig::new)
}

pub(super) fn rubocop(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &[".rubocop.yml", ".rubocop.yaml"])
}

/// With the name of its configuration file.
pub(super) fn php_cs_fixer(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    const NAMES: [&str; 4] = [".php-cs-fixer.php", ".php-cs-fixer.dist.php", ".php_cs", ".php_cs.dist"];
    let config = own_file(tree, file, &NAMES)?;
    let detail = relative(&config.dir, &config.from).to_owned();
    Some(ToolConfig { detail, ..config })
}

pub(super) fn phpstan(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"])
}

/// `dotnet format` takes its rules from `.editorconfig`, and works on a project.
pub(super) fn dotnet_format(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    nearest(tree, file, &[".editorconfig"])?;
    let config = ToolConfig::new(csharp_project(tree, file)?);
    let detail = relative(&config.dir, &config.from).to_owned();
    Some(ToolConfig { detail, ..config })
}

pub(super) fn clang_format(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &[".clang-format", "_clang-format"])
}

#[cfg(test)]
mod tests;
