//! Rules about the source tree: crates, files, functions, names and pages.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the tree must fail")]

mod matches;
mod names;
mod pages;
mod rows;
mod shape;
mod tree;

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;
use tree::{none, root};

/// The only dependencies between crates of this workspace.
const EDGES: [(&str, &str); 17] = [
    ("windlass", "windlass-engine"),
    ("windlass", "windlass-fleet"),
    ("windlass-fleet", "windlass-engine"),
    ("windlass", "windlass-planner"),
    ("windlass", "windlass-formats"),
    ("windlass", "windlass-code"),
    ("windlass", "windlass-core"),
    ("windlass-engine", "windlass-planner"),
    ("windlass-engine", "windlass-code"),
    ("windlass-engine", "windlass-formats"),
    ("windlass-engine", "windlass-core"),
    ("windlass-planner", "windlass-code"),
    ("windlass-planner", "windlass-formats"),
    ("windlass-planner", "windlass-core"),
    ("windlass-code", "windlass-core"),
    ("windlass-code", "windlass-grammars"),
    ("windlass-formats", "windlass-core"),
];

/// The additional crates that tests of a crate may use.
const DEV_EDGES: [(&str, &str); 2] =
    [("windlass", "windlass-testkit"), ("windlass-fleet", "windlass-testkit")];

#[test]
fn crates_depend_on_each_other_in_one_direction() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root());
    let out = cargo.output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let metadata: Value = serde_json::from_slice(&out.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let own: BTreeSet<&str> = packages.iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert!(own.contains("windlass") && own.contains("windlass-testkit"), "{own:?}");
    let mut odd = Vec::new();
    for package in packages {
        let from = package["name"].as_str().unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            let to = dependency["name"].as_str().unwrap();
            let kind = dependency["kind"].as_str().unwrap_or("normal");
            let allowed = match kind {
                "dev" => DEV_EDGES.contains(&(from, to)),
                _ => EDGES.contains(&(from, to)),
            };
            if own.contains(to) && !allowed {
                odd.push(format!("{from} → {to} ({kind})"));
            }
        }
    }
    none("dependencies that go the wrong way", odd);
}
