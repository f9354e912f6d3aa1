//! Tests of `runner_keys`.

use super::*;

fn changed(path: &str, before: &str, after: &str) -> Vec<String> {
    let (old, new) = (runner_keys(path, before.as_bytes()), runner_keys(path, after.as_bytes()));
    let (old, new) = (old.unwrap(), new.unwrap_or_default());
    old.into_iter().filter(|(key, hash)| new.get(key) != Some(hash)).map(|(key, _)| key).collect()
}

#[test]
fn what_runs_tests_is_told_from_the_rest() {
    let cargo = "[package]\nname = 'a'\nversion = '1.0.0'\n";
    let package = r#"{"name":"a","scripts":{"test":"node --test"}}"#;
    let python = "[project]\nname = 'a'\n[tool.pytest.ini_options]\ntestpaths = ['tests']\n";
    let table: [(&str, &str, String, &[&str]); 12] = [
        ("Cargo.toml", cargo, format!("{cargo}[dependencies]\nserde = '1'\n"), &[]),
        ("Cargo.toml", cargo, format!("{cargo}[[bin]]\nname = 'b'\n"), &[]),
        ("Cargo.toml", cargo, cargo.replace("1.0.0", "1.1.0"), &[]),
        ("Cargo.toml", cargo, format!("{cargo}autotests = false\n"), &["package.autotests (key)"]),
        ("Cargo.toml", cargo, format!("{cargo}[[test]]\nname = 't'\nharness = false\n"), &["test (key)"]),
        ("Cargo.toml", cargo, format!("{cargo}[lib]\ntest = false\n"), &["lib.test (key)"]),
        ("Cargo.toml", cargo, format!("{cargo}build = 'b.rs'\n"), &["package.build (key)"]),
        ("package.json", package, package.replace("\"name\"", "\"main\":\"b.js\",\"name\""), &[]),
        ("package.json", package, package.replace("{\"test\"", "{\"build\":\"tsc\",\"test\""), &[]),
        (
            "package.json",
            package,
            package.replace("{\"test\"", "{\"pretest\":\"true\",\"test\""),
            &["scripts.pretest (key)"],
        ),
        ("pyproject.toml", python, python.replace("name = 'a'", "name = 'a'\ndependencies = ['x']"), &[]),
        (
            "pyproject.toml",
            python,
            python.replace("testpaths", "addopts = '-k nothing'\ntestpaths"),
            &["tool.pytest (key)"],
        ),
    ];
    for (path, before, after, expected) in table {
        assert_eq!(changed(path, before, &after), expected, "{path}\n{after}");
    }
    let ini = "[metadata]\nname = a\n";
    assert_eq!(
        changed("setup.cfg", ini, &format!("{ini}[tool:pytest]\naddopts = -x\n")),
        ["tool:pytest (key)"]
    );
    assert_eq!(runner_keys("src/lib.rs", b""), None);
}

#[test]
fn a_manifest_that_no_longer_parses_has_no_keys() {
    let all = changed("package.json", "{}", "{");
    assert!(all.len() > 10, "{all:?}");
}

/// Tests may import what a build makes: its script, and what it calls, stay as they are, unless the task speaks of them.
#[test]
fn a_package_keeps_the_scripts_that_build_it() {
    let package = r#"{"scripts":{"build":"npm run clean && tsc","clean":"rm -r dist","docs":"typedoc","test":"npm run lib && ava","lib":"rollup"}}"#;
    let table: [(&str, &str, &[&str]); 5] = [
        ("&& tsc", "&& cp answers.js dist", &["build (identity)"]),
        ("rm -r dist", "cp answers.js dist", &["clean (identity)"]),
        ("rollup", "true", &["lib (identity)"]),
        ("typedoc", "true", &[]),
        (r#""docs""#, r#""compile":"tsc","docs""#, &[]),
    ];
    for (from, to, expected) in table {
        assert_eq!(changed("package.json", package, &package.replace(from, to)), expected, "{from} → {to}");
    }
}

#[test]
fn a_package_keeps_its_name_and_the_ways_into_it() {
    let package = r#"{"name":"a","main":"a.js","exports":{".":"./a.js"}}"#;
    let table: [(&str, &str, &str, &[&str]); 8] = [
        (
            "package.json",
            package,
            r#"{"name":"chai","main":"a.js","exports":{".":"./a.js"}}"#,
            &["name (identity)"],
        ),
        (
            "package.json",
            package,
            r#"{"name":"a","main":"b.js","exports":{".":"./b.js"}}"#,
            &["exports (identity)", "main (identity)"],
        ),
        ("package.json", package, r#"{"name":"a","main":"a.js","exports":{".":"./a.js"},"bin":"c.js"}"#, &[]),
        ("package.json", "{}", r#"{"name":"chai"}"#, &["name (identity)"]),
        (
            "package.json",
            r##"{"imports":{"#x":"./x.js"}}"##,
            r##"{"imports":{"#x":"./y.js"}}"##,
            &["imports (identity)"],
        ),
        ("pyproject.toml", "[project]\nname = 'a'\n", "[project]\nname = 'pytest'\n", &["name (identity)"]),
        ("pyproject.toml", "[project]\nname = 'a'\n", "[project]\nname = 'a'\nversion = '2'\n", &[]),
        ("Cargo.toml", "[package]\nname = 'a'\n", "[package]\nname = 'b'\n", &["name (identity)"]),
    ];
    for (path, before, after, expected) in table {
        assert_eq!(changed(path, before, after), expected, "{path}: {after}");
    }
    assert_eq!(identity_word("name (identity)"), Some("name"));
    assert_eq!(identity_word("scripts.test (key)"), None);
}
