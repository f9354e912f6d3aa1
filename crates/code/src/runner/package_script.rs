//! A runner of JavaScript that no row knows, such as nodeunit behind grunt, or jasmine: the package's own test script, judged by its
//! exit code.

use serde_json::Value;

use super::command_line::{base_name, past_wrappers};
use super::node_test::SCRIPT_ENDINGS;
use super::row::{BASE, Detection, RunnerRow};
use crate::detect::{dir_of, from_dir, json, nearest};
use crate::repo::Tree;
use crate::script::ShellScript;

/// What a test script calls besides its tests.
const CHECKERS: [&str; 14] = [
    "eslint",
    "standard",
    "semistandard",
    "xo",
    "tsc",
    "tsd",
    "prettier",
    "biome",
    "jshint",
    "jscs",
    "flow",
    "publint",
    "attw",
    "size-limit",
];

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "npm test",
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        applies: |tree, file| package_of(tree, file).is_some(),
        command: |tree, file| {
            let package = package_of(tree, file)?;
            Some((from_dir(dir_of(&package), "npm test"), package))
        },
        ..BASE.detect
    },
    ..BASE
};

/// The package of a file, if its tests are run by a program that it depends on and that is no checker.
fn package_of(tree: &dyn Tree, file: &str) -> Option<String> {
    let path = nearest(tree, file, &["package.json"])?;
    let package = json(tree, &path)?;
    let script = ShellScript::parse(package.get("scripts")?.get("test")?.as_str()?);
    let mut programs = script
        .commands
        .iter()
        .filter_map(|command| command.words.get(past_wrappers(&command.words, 0)).map(base_name));
    let runs = |program: &str| !CHECKERS.contains(&program) && is_brought(&package, program);
    programs.any(runs).then_some(path)
}

/// Whether a program comes from a dependency: `grunt` from `grunt-cli`, `lab` from `@hapi/lab`.
fn is_brought(package: &Value, program: &str) -> bool {
    let from = |name: &String| {
        name.rsplit('/')
            .next()
            .is_some_and(|name| name == program || name.strip_suffix("-cli") == Some(program))
    };
    ["dependencies", "devDependencies"]
        .iter()
        .filter_map(|key| package.get(key)?.as_object())
        .any(|list| list.keys().any(from))
}

#[cfg(test)]
mod tests {
    use crate::detect::test_command;
    use crate::repo::MemoryTree;

    #[test]
    fn a_runner_that_is_not_known_is_started_by_the_test_script() {
        let table = [
            ("grunt", "grunt-cli", "cd pkg && npm test"),
            ("eslint . && lab -t 100", "@hapi/lab", "cd pkg && npm test"),
            ("c8 jasmine", "jasmine", "cd pkg && npm test"),
            ("standard && node test.js", "standard", "cd pkg && node --test test/a.js"),
            ("xo && tsd", "xo", "cd pkg && node --test test/a.js"),
            ("grunt", "left-pad", "cd pkg && node --test test/a.js"),
            ("mocha", "grunt", "cd pkg && npx --no-install mocha test/a.js"),
        ];
        for (script, dependency, wanted) in table {
            let package = format!(
                r#"{{"scripts": {{"test": "{script}"}}, "devDependencies": {{"{dependency}": "1"}}}}"#
            );
            let tree = MemoryTree::new([("pkg/package.json", package.as_str()), ("pkg/test/b.js", "")]);
            assert_eq!(test_command(&tree, "pkg/test/a.js").unwrap().script, wanted, "{script}");
        }
        let own = [("package.json", r#"{"scripts": {"test": "grunt"}, "devDependencies": {"grunt": "1"}}"#)];
        let imports = own.into_iter().chain([("a.test.js", "import test from 'node:test';\n")]);
        assert_eq!(
            test_command(&MemoryTree::new(imports), "a.test.js").unwrap().script,
            "node --test a.test.js"
        );
    }
}
