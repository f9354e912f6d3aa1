//! Pages that list things: the rooms of the house, and the design pages.

use std::collections::BTreeSet;
use std::fs;

use crate::tree::{none, root, texts};

/// The folders and files at the top of a crate's sources.
fn rooms() -> Vec<String> {
    let mut rooms = Vec::new();
    for crate_name in ["core", "formats", "grammars", "code", "planner", "engine", "fleet", "windlass"] {
        for entry in fs::read_dir(root().join("crates").join(crate_name).join("src")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let is_test = name == "tests" || name.ends_with("tests.rs") || name == "fixtures.rs";
            if !is_test && name != "lib.rs" && name != "main.rs" {
                rooms.push(format!("{crate_name}/{name}"));
            }
        }
    }
    // A folder beside a file of its name is that file's: `state.rs` and `state/tests.rs`.
    let files: Vec<String> = rooms.iter().filter_map(|r| r.strip_suffix(".rs")).map(str::to_owned).collect();
    rooms.retain(|room| !files.contains(room));
    rooms.sort();
    rooms
}

/// Whether the page names a room: `plan/`, `run.rs`.
fn is_named(page: &str, room: &str) -> bool {
    let name = room.rsplit('/').next().unwrap_or(room);
    let words = if name.ends_with(".rs") {
        [format!("`{name}`"), format!("/{name}`")]
    } else {
        [format!("`{name}/`"), format!("/{name}/`")]
    };
    words.iter().any(|word| page.contains(word))
}

#[test]
fn every_room_is_in_the_architecture() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    none(
        "rooms that ARCHITECTURE.md does not name",
        rooms().into_iter().filter(|room| !is_named(&page, room)),
    );
}

#[test]
fn everything_at_the_top_is_in_the_architecture() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let top = |path: String| path.split_once('/').map_or(path.clone(), |(folder, _)| format!("{folder}/"));
    let names = texts().into_iter().map(|(path, _)| top(path));
    let names: BTreeSet<String> = names.filter(|name| name != "crates/").collect();
    assert!(names.contains("docs/") && names.contains("Cargo.toml"), "{names:?}");
    let missing = names.into_iter().filter(|name| !page.contains(&format!("`{name}`")));
    none("folders and files that ARCHITECTURE.md does not name", missing);
}

#[test]
fn every_design_page_is_listed() {
    let folder = root().join("docs/design");
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    let pages = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let missing = pages.filter(|page| page != "README.md" && !index.contains(&format!("({page})")));
    none("pages that docs/design/README.md does not list", missing);
}
