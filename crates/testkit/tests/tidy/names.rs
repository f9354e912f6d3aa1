//! A type name exists once in the workspace: a reader who searches for it finds one thing.

use std::collections::BTreeMap;

use crate::tree::{code, none, without_tests};

/// The type names of a source file.
fn types(text: &str) -> Vec<&str> {
    without_tests(text).lines().filter_map(type_name).collect()
}

/// The name of the type that a line declares.
fn type_name(line: &str) -> Option<&str> {
    let start = line.trim_start();
    let inner = start.len() < line.len();
    let line = match start.strip_prefix("pub") {
        Some(rest) => rest.split_once(' ')?.1,
        None => start,
    };
    // An indented `type` is one of a trait's, or of one function.
    let kinds: &[&str] =
        if inner { &["struct ", "enum ", "trait "] } else { &["struct ", "enum ", "trait ", "type "] };
    let name = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    name[..end].starts_with(|c: char| c.is_ascii_uppercase()).then(|| &name[..end])
}

fn places() -> BTreeMap<String, Vec<String>> {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in code() {
        for name in types(&text) {
            places.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    places
}

#[test]
fn every_type_name_exists_once() {
    let repeated = places().into_iter().filter(|(_, at)| at.len() > 1);
    none(
        "type names that exist more than once",
        repeated.map(|(name, at)| format!("{name}: {}", at.join(", "))),
    );
}

#[test]
fn declarations_are_found() {
    let text = "pub(crate) struct A<'a>(u8);\n    enum B {\npub trait C: Sized {\n// struct D\nlet enum_e = 1;\npub type E<T> = Vec<T>;\n    type Err = u8;\n";
    assert_eq!(types(text), ["A", "B", "C", "E"]);
}
