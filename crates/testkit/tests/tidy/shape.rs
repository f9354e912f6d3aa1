//! The shape of files and functions, and what must not stand in them.

use std::fs;

use crate::tree::{code, none, root, sources, texts, without_tests};

/// The most lines of a source file.
const FILE_LINES: usize = 600;

/// The most lines of a function, except tests: those are long where a screen is shown in full.
const FUNCTION_LINES: usize = 80;

#[test]
fn every_source_file_says_what_it_is() {
    let mute = sources().into_iter().filter(|(_, text)| !text.starts_with("//!")).map(|(name, _)| name);
    none("files that do not start with `//!`", mute);
}

#[test]
fn no_source_file_is_too_long() {
    let lengths = sources().into_iter().map(|(name, text)| (name, text.lines().count()));
    let long = lengths.filter(|(_, n)| *n > FILE_LINES).map(|(name, n)| format!("{name}: {n}"));
    none(&format!("files above {FILE_LINES} lines"), long);
}

#[test]
fn no_function_is_too_long() {
    let long = code().into_iter().flat_map(|(name, text)| {
        let too_long = functions(without_tests(&text)).into_iter().filter(|(_, _, n)| *n > FUNCTION_LINES);
        too_long.map(|(at, head, n)| format!("{name}:{at}: {head}: {n}")).collect::<Vec<_>>()
    });
    none(&format!("functions above {FUNCTION_LINES} lines"), long);
}

/// The functions of a file as rustfmt writes them: line, head, number of lines.
fn functions(text: &str) -> Vec<(usize, String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let head = line.trim_start();
        let is_function = head.starts_with("fn ") || head.contains(" fn ") && head.starts_with("pub");
        let is_function = is_function || head.starts_with("async fn ") || head.starts_with("const fn ");
        if !is_function || head.ends_with(';') || head.ends_with('}') {
            continue;
        }
        let end = format!("{}}}", &line[..line.len() - head.len()]);
        if let Some(length) = lines[at..].iter().position(|l| **l == end) {
            found.push((at + 1, head.to_owned(), length + 1));
        }
    }
    found
}

#[test]
fn functions_are_measured() {
    let text =
        "fn short() {}\nimpl X {\n    pub(crate) fn long(\n        a: u8,\n    ) {\n        a;\n    }\n}\n";
    assert_eq!(functions(text), [(3, "pub(crate) fn long(".to_owned(), 5)]);
}

#[test]
fn nothing_is_left_for_later() {
    // Put together here, so that this file does not find itself.
    let marks = [["to", "do!("], ["unimple", "mented!("], ["// FIX", "ME"], ["// TO", "DO"], ["dbg", "!("]]
        .map(|m| m.concat());
    let mut found = Vec::new();
    for (name, text) in sources() {
        for (n, line) in text.lines().enumerate() {
            // A macro that is named in a comment or a text is not called.
            let code = line.split("//").next().unwrap_or_default().split('"').next().unwrap_or_default();
            let comment = line.find("//").map_or("", |at| &line[at..]);
            if marks.iter().any(|mark| if mark.starts_with("//") { comment } else { code }.contains(mark)) {
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
