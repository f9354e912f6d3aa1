//! The files of the repository, read for the rules.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every file that git tracks or would track.
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
pub(crate) fn texts() -> Vec<(String, String)> {
    files()
        .into_iter()
        .filter_map(|name| Some((name.clone(), fs::read_to_string(root().join(&name)).ok()?)))
        .collect()
}

pub(crate) fn sources() -> Vec<(String, String)> {
    texts().into_iter().filter(|(name, _)| name.ends_with(".rs")).collect()
}

/// Fails with every place that breaks a rule.
#[track_caller]
pub(crate) fn none(what: &str, found: impl IntoIterator<Item = String>) {
    let found: Vec<String> = found.into_iter().collect();
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

/// Every source file that is part of a crate, without its tests: tests stand in `tests/` and in `tests.rs` files.
pub(crate) fn code() -> Vec<(String, String)> {
    let is_code = |name: &str| {
        let in_src = name.starts_with("crates/") && name.contains("/src/") && !name.contains("/tests/");
        in_src && !name.ends_with("tests.rs") && !name.starts_with("crates/testkit/")
    };
    sources().into_iter().filter(|(name, _)| is_code(name)).collect()
}

/// A source file up to the tests at its end. `#[cfg(test)] mod tests;` is only a declaration.
pub(crate) fn without_tests(text: &str) -> &str {
    const MARK: &str = "\n#[cfg(test)]\n";
    let is_body =
        |at: &usize| !text[at + MARK.len()..].lines().next().is_some_and(|line| line.ends_with(';'));
    let end = text.match_indices(MARK).map(|(at, _)| at).find(is_body);
    end.map_or(text, |end| &text[..end])
}
