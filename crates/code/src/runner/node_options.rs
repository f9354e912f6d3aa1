//! What the test script of a package gives to its runner besides files: modules that translate the sources, a configuration,
//! variables. Without them the runner starts and cannot read the tests.

use serde_json::Value;
use windlass_core::path_text::file_name;

use crate::detect::{dir_of, first_in, in_dir, json, upwards};
use crate::language::depends_on;
use crate::repo::Tree;
use crate::script::quote;

/// Options with a value that decide how tests are read.
const WITH_VALUE: [&str; 15] = [
    "--require",
    "-r",
    "--import",
    "--loader",
    "--experimental-loader",
    "--ui",
    "-u",
    "--file",
    "--timeout",
    "-t",
    "--extension",
    "--config",
    "-c",
    "--env",
    "--conditions",
];
/// Options without one.
const FLAGS: [&str; 3] = ["--exit", "--runInBand", "-i"];

/// What vitest and ava are given: `-r` and `-t` mean something else there.
const VITEST: [&str; 7] = ["--config", "-c", "--root", "-r", "--environment", "--mode", "--pool"];
const AVA: [&str; 2] = ["--config", "--node-arguments"];

/// The options of a runner that decide how tests are read, those with a value and those without.
fn known(program: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match program {
        "vitest" => (&VITEST, &["--globals", "--dom"]),
        "ava" => (&AVA, &["--serial", "-s"]),
        _ => (&WITH_VALUE, &FLAGS),
    }
}

/// Endings of the configuration files of runners.
const CONFIG_ENDINGS: [&str; 6] = ["js", "ts", "mjs", "mts", "cjs", "json"];

/// How a package calls its runner.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CallOptions {
    /// Variables before the command, each followed by a space.
    pub(super) variables: String,
    /// Options behind it, each after a space.
    pub(super) options: String,
}

/// The nearest `package.json` that has something to do with a runner: it depends on it, calls it, or configures it. In a
/// workspace that may be the one at the root, and its configuration is about paths from there.
pub(super) fn package_with(tree: &dyn Tree, file: &str, runner: &str) -> Option<String> {
    let uses = |path: &String| {
        let package = json(tree, path).unwrap_or_default();
        let scripts = package.get("scripts").and_then(Value::as_object);
        let mut scripts = scripts.into_iter().flatten().filter_map(|(_, script)| script.as_str());
        let is_config = |kind: &str| tree.has(&in_dir(dir_of(path), &format!("{runner}.{kind}")));
        depends_on(&package, runner)
            || package.get(runner).is_some()
            || scripts.any(|script| script.split_whitespace().any(|word| word == runner))
            || CONFIG_ENDINGS.iter().any(|ending| is_config(&format!("config.{ending}")))
            || tree.has(&in_dir(dir_of(path), &format!(".{runner}rc")))
    };
    let all: Vec<String> = upwards(file).filter_map(|dir| first_in(tree, dir, &["package.json"])).collect();
    all.iter().find(|path| uses(path)).or(all.first()).cloned()
}

/// What the scripts of the package in a directory give to a runner.
pub(super) fn call_options(tree: &dyn Tree, dir: &str, program: &str) -> CallOptions {
    let package = json(tree, &in_dir(dir, "package.json")).unwrap_or_default();
    let Some(scripts) = package.get("scripts").and_then(Value::as_object) else {
        return CallOptions::default();
    };
    let usual = ["test", "test:unit", "unit"].into_iter().filter_map(|name| scripts.get(name));
    let others = scripts.iter().filter(|(name, _)| name.contains("test")).map(|(_, script)| script);
    let mut texts = usual.chain(others).filter_map(Value::as_str);
    texts.find_map(|script| script.split("&&").find_map(|part| read(part, program))).unwrap_or_default()
}

/// The options of one command, if it calls the program.
fn read(command: &str, program: &str) -> Option<CallOptions> {
    let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
    let is_program = |word: &&str| {
        let name = file_name(word);
        name.trim_start_matches('_').trim_end_matches(".js") == program
    };
    let at = words.iter().position(is_program)?;
    let mut found = CallOptions::default();
    let mut node_options: Vec<&str> = Vec::new();
    for word in &words[..at] {
        match word.split_once('=') {
            Some((name, value)) if is_variable(name) => {
                found.variables.push_str(&format!("{name}={} ", quote(value)));
            }
            _ if word.starts_with("--") && words[..at].contains(&"node") => node_options.push(word),
            Some(_) | None => {}
        }
    }
    if !node_options.is_empty() {
        found.variables.push_str(&format!("NODE_OPTIONS={} ", quote(&node_options.join(" "))));
    }
    let (with_value, flags) = known(program);
    let mut rest = words[at + 1..].iter();
    while let Some(word) = rest.next() {
        let (name, value) = word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
        if flags.contains(word) {
            found.options.push_str(&format!(" {word}"));
        } else if with_value.contains(&name) {
            let Some(value) = value.or_else(|| rest.next().copied()) else { break };
            found.options.push_str(&format!(" {name} {}", quote(value)));
        } else if word.starts_with(['|', ';', '>']) {
            break;
        }
    }
    Some(found)
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::{CallOptions, call_options, package_with};
    use crate::repo::MemoryTree;

    /// In a workspace the runner may be at the root: its configuration is about paths from there.
    #[test]
    fn a_runner_is_started_by_the_nearest_package_that_has_it() {
        let root = r#"{"workspaces": ["packages/*"], "devDependencies": {"jest": "29"}}"#;
        let plain = r#"{"name": "a"}"#;
        let calls = r#"{"name": "a", "scripts": {"test": "jest --ci"}}"#;
        let table: [(&[(&str, &str)], &str); 6] = [
            (&[("package.json", root), ("packages/a/package.json", plain)], "package.json"),
            (&[("package.json", root), ("packages/a/package.json", calls)], "packages/a/package.json"),
            (
                &[
                    ("package.json", root),
                    ("packages/a/package.json", plain),
                    ("packages/a/jest.config.mjs", ""),
                ],
                "packages/a/package.json",
            ),
            (&[("package.json", plain), ("packages/a/package.json", plain)], "packages/a/package.json"),
            (&[("package.json", r#"{"jest": {}}"#), ("packages/a/package.json", plain)], "package.json"),
            (&[("package.json", calls)], "package.json"),
        ];
        for (files, wanted) in table {
            let tree = MemoryTree::new(files.iter().copied());
            let found = package_with(&tree, "packages/a/lib/x.test.ts", "jest");
            assert_eq!(found.as_deref(), Some(wanted), "{files:?}");
        }
        assert_eq!(package_with(&MemoryTree::new([("a.js", "")]), "a.js", "jest"), None);
    }

    #[test]
    fn what_a_script_gives_to_its_runner() {
        let table = [
            (
                "nyc mocha --require @babel/register --reporter dot --recursive",
                "mocha",
                "",
                " --require @babel/register",
            ),
            (
                "tsc && mocha -r ts-node/register 'test/**/*.ts' --exit",
                "mocha",
                "",
                " -r ts-node/register --exit",
            ),
            (
                "cross-env NODE_OPTIONS=--experimental-vm-modules TZ=UTC jest --coverage --config=a.js",
                "jest",
                "NODE_OPTIONS=--experimental-vm-modules TZ=UTC ",
                " --config a.js",
            ),
            (
                "node --experimental-vm-modules node_modules/jest/bin/jest.js -i",
                "jest",
                "NODE_OPTIONS=--experimental-vm-modules ",
                " -i",
            ),
            (
                "vitest --config ../../.config/vitest.config.mts run -t 'one case' --coverage",
                "vitest",
                "",
                " --config ../../.config/vitest.config.mts",
            ),
            (
                "TZ=UTC ava --config ./ava.config.mjs --serial",
                "ava",
                "TZ=UTC ",
                " --config ./ava.config.mjs --serial",
            ),
            ("mocha | tee -r out", "mocha", "", ""),
            ("xo && ava", "mocha", "", ""),
        ];
        for (script, program, variables, options) in table {
            let package = serde_json::json!({"scripts": {"test": script}}).to_string();
            let found = call_options(&MemoryTree::new([("a/package.json", package.as_str())]), "a", program);
            let wanted = CallOptions { variables: variables.to_owned(), options: options.to_owned() };
            assert_eq!(found, wanted, "{script}");
        }
    }
}
