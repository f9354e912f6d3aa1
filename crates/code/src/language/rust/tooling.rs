//! The tools around Rust: cargo, rustfmt and clippy.

use serde_json::Value;
use windlass_core::report::Runner;

use super::cargo::{MANIFESTS, cargo_package, cargo_root};
use super::setup;
use crate::checker::CheckerFormat;
use crate::detect::tool_config::{ToolConfig, own_file};
use crate::detect::{CheckerRow, CheckerTool, FormatterRow, has_key, in_dir, nearest, toml, upwards};
use crate::language::Tooling;
use crate::repo::Tree;
use crate::syntax::tricks::package_names;

const CLIPPY: &str = "cargo clippy --all-targets -p {}";
const CLIPPY_JSON: &str = "cargo clippy --all-targets --message-format json -p {}";
const CHECK_JSON: &str = "cargo check --message-format json -p {}";
// Otherwise it formats the modules below a file too, and fails where one is still to be made.
const RUSTFMT: &str = "rustfmt --edition {} --config skip_children=true";

pub(super) const TOOLING: Tooling = Tooling {
    programs: &["cargo"],
    homes: &[("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")],
    build_files: &[
        "Cargo.toml",
        "build.rs",
        "rust-toolchain",
        "rust-toolchain.toml",
        "nextest.toml",
        "clippy.toml",
        ".clippy.toml",
    ],
    manifests: MANIFESTS,
    lock_files: &[("Cargo.toml", &["Cargo.lock"])],
    managers: setup::MANAGERS,
    formatters: &[FormatterRow::new("rustfmt", &["rs"], rustfmt, RUSTFMT)],
    format_files: &["rustfmt.toml", ".rustfmt.toml"],
    type_checkers: &[CheckerRow::of_projects("cargo check", &["rs"], cargo, "cargo check -p {}")
        .known_as(CheckerTool::OfLanguage)
        .with_report(CHECK_JSON, CheckerFormat::Cargo)
        .within(&[Runner::CargoTest, Runner::Nextest])],
    linters: &[CheckerRow::of_projects("clippy", &["rs"], clippy, CLIPPY)
        .known_as(CheckerTool::Clippy)
        .with_report(CLIPPY_JSON, CheckerFormat::Cargo)],
    project_name: |tree, path| Some(toml(tree, path)?.get("package")?.get("name")?.as_str()?.to_owned()),
    packages: |name, text| {
        let table = text.parse::<toml::Table>().ok().filter(|_| name == "Cargo.toml");
        table.and_then(|table| serde_json::to_value(table).ok()).map(|m| in_cargo(&m)).unwrap_or_default()
    },
    likely_manifest: |_, project| {
        Some(format!("[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n", project.name))
    },
    ..Tooling::NONE
};

fn in_cargo(manifest: &Value) -> Vec<String> {
    const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let of =
        |table: &Value| TABLES.iter().flat_map(|name| package_names(table.get(*name))).collect::<Vec<_>>();
    let targets = manifest.get("target").and_then(Value::as_object);
    let targets = targets.into_iter().flat_map(|map| map.values()).flat_map(of);
    of(manifest)
        .into_iter()
        .chain(targets)
        .chain(package_names(manifest.pointer("/workspace/dependencies")))
        .collect()
}

/// With the edition of the package.
fn rustfmt(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    let config = own_file(tree, file, &["rustfmt.toml", ".rustfmt.toml"])
        .or_else(|| own_file(tree, file, &["Cargo.toml"]))?;
    let edition = cargo_package(tree, file).map_or_else(|| "2021".to_owned(), |package| package.edition);
    Some(ToolConfig { detail: edition, ..config })
}

/// With the name of the package, from the root of its workspace.
fn cargo(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    let package = cargo_package(tree, file)?;
    let from = in_dir(&package.dir, "Cargo.toml");
    Some(ToolConfig { from, dir: cargo_root(tree, file)?, detail: package.name })
}

fn clippy(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    let asks = nearest(tree, file, &["clippy.toml", ".clippy.toml"]).is_some()
        || upwards(file).filter_map(|dir| toml(tree, &in_dir(dir, "Cargo.toml"))).any(|table| {
            has_key(&table, &["lints", "clippy"]) || has_key(&table, &["workspace", "lints", "clippy"])
        });
    cargo(tree, file).filter(|_| asks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

    #[test]
    fn a_file_is_formatted_with_its_edition_and_checked_with_its_package() {
        let tree = MemoryTree::new([
            ("Cargo.toml", "[workspace]\nmembers = ['a']\n"),
            ("a/Cargo.toml", "[package]\nname = 'a-crate'\nedition = '2018'\n"),
        ]);
        let found = cargo(&tree, "a/src/x.rs").unwrap();
        let told = (found.from.as_str(), found.dir.as_str(), found.detail.as_str());
        assert_eq!(told, ("a/Cargo.toml", "", "a-crate"));
        assert_eq!(rustfmt(&tree, "a/src/x.rs").unwrap().detail, "2018");
        assert_eq!(rustfmt(&tree, "loose.rs").unwrap().detail, "2021");
    }
}
