//! Where formatters, linters and type checkers are configured, for one file. Those of one language stand beside its row.
//!
//! A tool that no file asks for has no configuration, and does not run.

use serde_json::Value;

use super::manifest::{any_depends_on, depends_on, dir_of, first_in, in_dir, json, nearest, upwards};
use crate::repo::Tree;

/// The configuration of a tool for one file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ToolConfig {
    /// The file that asks for the tool.
    pub(crate) from: String,
    /// The directory to run it in.
    pub(crate) dir: String,
    /// A part of the command that depends on the file: an edition, a package, a project.
    pub(crate) detail: String,
}

impl ToolConfig {
    /// The configuration in a file.
    pub(crate) fn new(from: String) -> Self {
        Self { dir: dir_of(&from).to_owned(), from, detail: String::new() }
    }
}

/// The nearest file of one of these names.
pub(crate) fn own_file(tree: &dyn Tree, file: &str, names: &[&str]) -> Option<ToolConfig> {
    nearest(tree, file, names).map(ToolConfig::new)
}

/// Endings of JavaScript, TypeScript and the templates around them.
pub(crate) const SCRIPT: &[&str] = &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"];

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
pub(crate) fn eslint(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    web_tool(tree, file, &ESLINT, |package| package.get("eslintConfig").is_some())
}

/// Whether the nearest `package.json` depends on eslint.
pub(crate) fn eslint_dependency(tree: &dyn Tree, file: &str) -> bool {
    web_tool(tree, file, &[], |package| depends_on(package, "eslint")).is_some()
}

pub(crate) fn biome(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
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

pub(crate) fn biome_format(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    web_formatters(tree, file).0
}

pub(crate) fn prettier(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    web_formatters(tree, file).1
}

pub(crate) fn tsc(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &["tsconfig.json"]).filter(|_| any_depends_on(tree, file, &["typescript"]))
}
