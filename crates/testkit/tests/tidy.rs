//! What the tree must look like, whoever edits it.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the tree must fail")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The only dependencies between crates of this workspace.
const EDGES: [(&str, &str); 13] = [
    ("windlass", "windlass-engine"),
    ("windlass", "windlass-planner"),
    ("windlass", "windlass-formats"),
    ("windlass", "windlass-code"),
    ("windlass", "windlass-core"),
    ("windlass-engine", "windlass-planner"),
    ("windlass-engine", "windlass-code"),
    ("windlass-engine", "windlass-core"),
    ("windlass-planner", "windlass-code"),
    ("windlass-planner", "windlass-formats"),
    ("windlass-planner", "windlass-core"),
    ("windlass-code", "windlass-core"),
    ("windlass-formats", "windlass-core"),
];

/// Crates that tests of a crate may use besides.
const DEV_EDGES: [(&str, &str); 2] =
    [("windlass", "windlass-testkit"), ("windlass-engine", "windlass-testkit")];

/// The longest a source file may be.
const LINES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every file git tracks, and those it would.
fn files() -> Vec<String> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root());
    let out = git.output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let names = String::from_utf8(out.stdout).unwrap();
    let present = |name: &&str| !name.is_empty() && root().join(name).is_file();
    names.split('\0').filter(present).map(str::to_owned).collect()
}

/// Every file of text, with its name.
fn texts() -> Vec<(String, String)> {
    files()
        .into_iter()
        .filter_map(|name| Some((name.clone(), fs::read_to_string(root().join(&name)).ok()?)))
        .collect()
}

fn sources() -> Vec<(String, String)> {
    texts().into_iter().filter(|(name, _)| name.ends_with(".rs")).collect()
}

/// Names the places where something is amiss, all at once.
#[track_caller]
fn none(what: &str, found: impl IntoIterator<Item = String>) {
    let found: Vec<String> = found.into_iter().collect();
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

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

#[test]
fn every_source_file_says_what_it_is() {
    let mute = sources().into_iter().filter(|(_, text)| !text.starts_with("//!")).map(|(name, _)| name);
    none("files that do not start with `//!`", mute);
}

#[test]
fn no_source_file_is_too_long() {
    let long =
        sources().into_iter().map(|(name, text)| (name, text.lines().count())).filter(|(_, n)| *n > LINES);
    none(&format!("files above {LINES} lines"), long.map(|(name, n)| format!("{name}: {n}")));
}

#[test]
fn nothing_is_left_for_later() {
    // Put together here, so that this file does not find itself.
    let marks = [["to", "do!("], ["unimple", "mented!("], ["// FIX", "ME"], ["// TO", "DO"], ["dbg", "!("]]
        .map(|m| m.concat());
    let mut found = Vec::new();
    for (name, text) in sources() {
        for (n, line) in text.lines().enumerate() {
            if marks.iter().any(|mark| line.contains(mark)) {
                found.push(format!("{name}:{}: {}", n + 1, line.trim()));
            }
        }
    }
    none("things left for later", found);
}

#[test]
fn nothing_names_a_machine() {
    let places =
        [["/wo", "rk/"], ["/tmp", "/wl"], ["/ro", "ot/"], ["../sha", "red"], ["index.cra", "tes.io"]]
            .map(|p| p.concat());
    let mut found = Vec::new();
    for (name, text) in texts() {
        // The lock file names where crates come from by its format.
        if name == "Cargo.lock" {
            continue;
        }
        for (n, line) in text.lines().enumerate() {
            // The one place of this name that is the same on every machine: inside the sandbox.
            let line = line.replace("/windlass/work", "");
            if places.iter().any(|place| line.contains(place)) {
                found.push(format!("{name}:{}: {}", n + 1, line.trim()));
            }
        }
    }
    none("paths of one machine", found);
}

#[test]
fn pure_crates_stand_behind_a_wall() {
    for crate_name in ["core", "formats", "code", "planner"] {
        let path = root().join("crates").join(crate_name).join("clippy.toml");
        let wall = fs::read_to_string(&path).unwrap_or_default();
        for forbidden in
            ["std::process::Command", "std::fs::File", "std::env::var", "std::time::SystemTime::now"]
        {
            assert!(
                wall.contains(&format!("\"{forbidden}\"")),
                "{} lets `{forbidden}` through",
                path.display()
            );
        }
    }
}
