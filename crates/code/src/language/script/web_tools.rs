//! Where eslint, biome, prettier and `tsc` are configured, for one file. biome and prettier format other files, too.

use serde_json::Value;

use super::package::{PACKAGE, any_depends_on, depends_on, package};
use crate::detect::tool_config::{ToolConfig, own_file};
use crate::detect::{FormatterRow, first_in, in_dir, upwards};
use crate::repo::Tree;

/// What biome and prettier format.
#[rustfmt::skip]
const WEB: &[&str] = &[
    "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte", "json", "jsonc", "json5", "css", "scss",
    "less", "html", "md", "mdx", "yml", "yaml", "graphql",
];
const BIOME_FIX: &str = "npx --no-install biome check --write";
const BIOME: &str = "npx --no-install biome format --write";
const PRETTIER: &str = "npx --no-install prettier --write --ignore-unknown --";

/// The formatters, in the order in which they run over a file.
pub(super) const FORMATTERS: &[FormatterRow] = &[
    FormatterRow::new("eslint", SCRIPT, eslint, "npx --no-install eslint --fix"),
    FormatterRow::new("biome", WEB, biome_format, BIOME).fixing(BIOME_FIX),
    FormatterRow::new("prettier", WEB, prettier, PRETTIER),
];

/// Endings of JavaScript, TypeScript and the templates around them.
pub(super) const SCRIPT: &[&str] = &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"];

#[rustfmt::skip]
const ESLINT: [&str; 12] = [
    "eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts", "eslint.config.mts",
    ".eslintrc.js", ".eslintrc.cjs", ".eslintrc.mjs", ".eslintrc.json", ".eslintrc.yml", ".eslintrc.yaml",
    ".eslintrc",
];

#[rustfmt::skip]
const PRETTIER_FILES: [&str; 16] = [
    ".prettierrc", ".prettierrc.json", ".prettierrc.yml", ".prettierrc.yaml", ".prettierrc.js", ".prettierrc.cjs",
    ".prettierrc.mjs", ".prettierrc.ts", ".prettierrc.toml", ".prettierrc.json5", "prettier.config.js",
    "prettier.config.cjs", "prettier.config.mjs", "prettier.config.ts", "prettier.config.cts",
    "prettier.config.mts",
];

/// Files that biome does not format.
const NOT_BIOME: [&str; 6] = ["md", "mdx", "yml", "yaml", "scss", "less"];

/// A file of the tool's own, or a `package.json` that asks for it.
fn web_tool(tree: &dyn Tree, file: &str, own: &[&str], asks: fn(&Value) -> bool) -> Option<ToolConfig> {
    let found = upwards(file).find_map(|dir| {
        first_in(tree, dir, own).or_else(|| package(tree, dir).filter(asks).map(|_| in_dir(dir, PACKAGE)))
    });
    found.map(ToolConfig::new)
}

/// Without a configuration eslint refuses to run, so the dependency alone does not ask for it.
pub(super) fn eslint(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    web_tool(tree, file, &ESLINT, |package| package.get("eslintConfig").is_some())
}

/// Whether the nearest `package.json` depends on eslint.
fn eslint_dependency(tree: &dyn Tree, file: &str) -> bool {
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
    let prettier = web_tool(tree, file, &PRETTIER_FILES, |package| {
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

/// Whether a `package.json` names eslint for a file and nothing configures it. It then refuses to run.
pub fn eslint_without_config(tree: &dyn Tree, file: &str) -> bool {
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    SCRIPT.contains(&ending) && eslint(tree, file).is_none() && eslint_dependency(tree, file)
}
