//! Manifests that turn tests off. A manifest that was there at red is compared key by key elsewhere; this is for new ones.

use super::{Rule, Trick};

pub(super) fn look(path: &str, bytes: &[u8], out: &mut Vec<Trick>) {
    if path.rsplit('/').next() != Some("Cargo.toml") {
        return;
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(table) = text.parse::<toml::Table>() else { return };
    let mut add = |code: &str| {
        let line = 1 + text.lines().position(|l| l.contains(code)).unwrap_or(0);
        out.push(Trick { rule: Rule::TestsOff, path: path.to_owned(), line, code: code.to_owned() });
    };
    let off = |table: Option<&toml::Value>, key: &str| {
        table.and_then(|t| t.get(key)).and_then(toml::Value::as_bool) == Some(false)
    };
    if off(table.get("package"), "autotests") {
        add("autotests");
    }
    for key in ["test", "harness", "doctest"] {
        // A library without documentation tests is ordinary; one without tests is not.
        if key != "doctest" && off(table.get("lib"), key) {
            add(key);
        }
    }
    let tests = table.get("test").and_then(toml::Value::as_array);
    for test in tests.into_iter().flatten() {
        for key in ["test", "harness"] {
            if off(Some(test), key) {
                add(key);
            }
        }
        if test.get("required-features").is_some() {
            add("required-features");
        }
    }
    let profiles = table.get("profile").and_then(toml::Value::as_table);
    for profile in profiles.into_iter().flatten().filter(|(name, _)| matches!(name.as_str(), "test" | "dev"))
    {
        if off(Some(profile.1), "debug-assertions") {
            add("debug-assertions");
        }
    }
}
