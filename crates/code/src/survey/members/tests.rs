//! Manifests and the members that they make.

use super::*;
use crate::repo::MemoryTree;

fn named(files: &[(&str, &str)]) -> Vec<String> {
    let tree = MemoryTree::new(files.iter().copied());
    let shown = |m: WorkspaceMember| format!("{} by {} as {}", m.dir, m.manifest, m.name.unwrap_or_default());
    members(&tree).into_iter().map(shown).collect()
}

#[test]
fn each_manifest_names_its_member() {
    let table: [(&str, &str, &str); 9] = [
        ("Cargo.toml", "[package]\nname = \"shop\"\n", "shop"),
        ("Cargo.toml", "[workspace]\n", ""),
        ("package.json", "{\"name\": \"@shop/core\"}", "@shop/core"),
        ("package.json", "{ broken", ""),
        ("pyproject.toml", "[project]\nname = \"shop\"\n", "shop"),
        ("pyproject.toml", "[tool.poetry]\nname = \"shop\"\n", "shop"),
        ("go.mod", "module example.com/shop\n\ngo 1.22\n", "example.com/shop"),
        ("pom.xml", "<project/>", ""),
        ("Shop.csproj", "<Project/>", ""),
    ];
    for (manifest, text, name) in table {
        assert_eq!(named(&[(manifest, text)]), [format!(" by {manifest} as {name}")], "{manifest}");
    }
}

#[test]
fn directories_with_and_without_a_manifest() {
    let files = [
        ("web/package.json", "{}"),
        ("web/pyproject.toml", "[project]\nname = \"web-tools\"\n"),
        ("core/Cargo.toml", "[package]\nname = \"core\"\n"),
        ("node_modules/a/package.json", "{\"name\": \"a\"}"),
        ("tests/fixtures/x/Cargo.toml", "[package]\nname = \"x\"\n"),
        ("docs/index.md", ""),
        ("gem/a.gemspec", ""),
        ("gem/Gemfile", ""),
    ];
    // A second manifest only adds the name that the first did not give.
    let found =
        ["core by core/Cargo.toml as core", "gem by gem/Gemfile as ", "web by web/package.json as web-tools"];
    assert_eq!(named(&files), found);
}
