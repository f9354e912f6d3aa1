//! The tools around JavaScript and TypeScript: package managers, `tsc`, eslint and biome.

use serde_json::Value;
use windlass_core::path_text::file_name;

use super::package::MANIFESTS;
use super::setup;
use super::web_tools::{FORMATTERS, SCRIPT, biome, eslint, tsc};
use crate::checker::CheckerFormat;
use crate::detect::{CheckerRow, CheckerTool, json};
use crate::language::{LikelyProject, Tooling};
use crate::runner::packages_of_runners;
use crate::syntax::tricks::package_names;

const TYPED: &[&str] = &["ts", "tsx", "mts", "cts"];
const TSC: &str = "npx --no-install tsc --noEmit -p tsconfig.json";
const TSC_PLAIN: &str = "npx --no-install tsc --noEmit --pretty false -p tsconfig.json";

pub(super) const TOOLING: Tooling = Tooling {
    programs: &["node", "npm"],
    homes: &[("NVM_DIR", ".nvm")],
    caches: &[("npm_config_cache", ".npm")],
    registries: &["npm_config_registry", "NPM_CONFIG_REGISTRY", "NPM_TOKEN", "NODE_AUTH_TOKEN"],
    build_files: BUILD_FILES,
    manifests: MANIFESTS,
    lock_files: &[
        (
            "package.json",
            &[
                "package-lock.json",
                "npm-shrinkwrap.json",
                "pnpm-lock.yaml",
                "yarn.lock",
                "bun.lock",
                "bun.lockb",
            ],
        ),
        ("deno.json", &["deno.lock"]),
        ("deno.jsonc", &["deno.lock"]),
    ],
    managers: setup::MANAGERS,
    further_endings: &["vue", "svelte"],
    formatters: FORMATTERS,
    format_files: &[".prettierrc*", "prettier.config.*", "eslint.config.*", ".eslintrc*", "biome.json*"],
    type_checkers: &[CheckerRow::of_projects("tsc", TYPED, tsc, TSC)
        .known_as(CheckerTool::Tsc)
        .with_report(TSC_PLAIN, CheckerFormat::Tsc)],
    linters: &[
        CheckerRow::of_files("biome", SCRIPT, biome, "npx --no-install biome lint"),
        CheckerRow::of_files("eslint", SCRIPT, eslint, "npx --no-install eslint")
            .with_report("npx --no-install eslint -f json", CheckerFormat::Eslint),
    ],
    project_name: |tree, path| Some(json(tree, path)?.get("name")?.as_str()?.to_owned()),
    packages: |name, text| {
        let manifest: Value = if name == "package.json" {
            serde_json::from_str(text).unwrap_or(Value::Null)
        } else {
            Value::Null
        };
        let tables = [
            "dependencies",
            "devDependencies",
            "peerDependencies",
            "optionalDependencies",
            "bundledDependencies",
        ];
        tables.iter().flat_map(|table| package_names(manifest.get(*table))).collect()
    },
    likely_manifest: |_, project| Some(likely_package(project)),
    ..Tooling::NONE
};

#[rustfmt::skip]
const BUILD_FILES: &[&str] = &[
    "package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "pnpm-workspace.yaml", "lerna.json",
    "nx.json", "turbo.json", ".babelrc", ".babelrc.json", ".swcrc", "bunfig.toml", "deno.json", "deno.jsonc",
    ".nycrc", ".c8rc.json", ".node-version", ".nvmrc", "karma.conf.js", "angular.json", "vitest.config.*",
    "vitest.workspace.*", "vite.config.*", "vitest.setup.*", "jest.config.*", "jest.setup.*", "babel.config.*",
    ".mocharc.*", "ava.config.*", "playwright.config.*", "cypress.config.*", "tsconfig.*", "tsconfig*.json",
    "webpack.config.*", "rollup.config.*",
];

fn likely_package(project: &LikelyProject<'_>) -> String {
    let runner = packages_of_runners().find(|package| project.speaks_of(package));
    // Nothing is said: what needs no package, unless types have to be stripped.
    let is_typed = project.made.iter().any(|path| file_name(path) == "tsconfig.json");
    let (listed, script) = match runner.or(is_typed.then_some("vitest")) {
        Some(runner) => (format!("\"{runner}\":\"*\""), ""),
        None => (String::new(), "\"test\":\"node --test\""),
    };
    let name = project.name;
    format!("{{\"name\":\"{name}\",\"scripts\":{{{script}}},\"devDependencies\":{{{listed}}}}}")
}
