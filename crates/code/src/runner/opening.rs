//! How a test file of a runner begins that defines no names of its own in it.
//!
//! Runners of Node differ in this: jest and mocha define `describe` and `it`, the one that node brings defines nothing.

use windlass_core::report::Runner;

use super::row;
use super::row::RunnerRow;
use crate::detect::{dir_of, is_test_path, json, nearest, text};
use crate::repo::Tree;
use crate::script::instrument_in;

/// What is imported, and the module it comes from: `("{ test }", "node:test")`.
pub(crate) type TestImport = (&'static str, &'static str);

/// Names that a test file expects of a runner with globals.
const GLOBALS: [&str; 14] = [
    "describe",
    "it",
    "test",
    "expect",
    "suite",
    "before",
    "after",
    "beforeEach",
    "afterEach",
    "beforeAll",
    "afterAll",
    "assert",
    "vi",
    "jest",
];
/// How many test files tell whether the project writes `import` or `require`.
const LOOKED_AT: usize = 20;

/// How a new test file begins.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct TestOpening {
    /// The runner, as it is called.
    pub runner: &'static str,
    /// The lines with the imports.
    pub lines: Vec<String>,
}

/// How a test file that is not there yet has to begin; `None` where the runner that the script calls defines what tests use.
pub fn test_opening(tree: &dyn Tree, file: &str, script: &str) -> Option<TestOpening> {
    let row = row(instrument_in(tree, script, "/").runner()?);
    if row.imports.is_empty() || tree.has(file) {
        return None;
    }
    let form = if is_module(tree, file, row) { imported } else { required };
    Some(TestOpening { runner: row.name, lines: row.imports.iter().map(form).collect() })
}

/// What to write where a test uses a name that its runner does not define; `None` if that is not the trouble.
pub(crate) fn undefined_global(runner: Runner, error: &str, test: &str) -> Option<String> {
    let row = row(runner);
    let name = error.split_once("ReferenceError: ")?.1.split(' ').next()?;
    if row.imports.is_empty() || !GLOBALS.contains(&name) || !error.contains("is not defined") {
        return None;
    }
    let form = if test.contains("require(") { required } else { imported };
    let lines: Vec<String> = row.imports.iter().map(form).collect();
    Some(format!("`{}` defines no `{name}`: begin the test file with `{}`", row.name, lines.join(" ")))
}

fn imported((what, module): &TestImport) -> String {
    format!("import {what} from '{module}';")
}

fn required((what, module): &TestImport) -> String {
    format!("const {} = require('{module}');", what.trim_start_matches("* as "))
}

/// Whether a file is a module of ECMAScript: by its ending, its package, or what other tests of the project do.
fn is_module(tree: &dyn Tree, file: &str, row: &RunnerRow) -> bool {
    let ending = file.rsplit('.').next().unwrap_or_default();
    if ending.starts_with('c') {
        return false;
    }
    if !matches!(ending, "js" | "jsx") {
        return true;
    }
    let package = nearest(tree, file, &["package.json"]).and_then(|path| json(tree, &path));
    if package.is_some_and(|package| package.get("type").and_then(|kind| kind.as_str()) == Some("module")) {
        return true;
    }
    let alike =
        |path: &&String| is_test_path(path) && path.ends_with(ending) && !path.contains("node_modules/");
    let near = |path: &&String| dir_of(path) == dir_of(file);
    let (beside, others): (Vec<&String>, Vec<&String>) = tree.paths().iter().filter(alike).partition(near);
    let mut texts = beside.into_iter().chain(others).take(LOOKED_AT).filter_map(|path| text(tree, path));
    let known = texts.find_map(|text| {
        let by_import = text.lines().any(|line| line.starts_with("import "));
        (by_import || text.contains("require(")).then_some(by_import)
    });
    known.unwrap_or(row.modules_only)
}

#[cfg(test)]
mod tests {
    use super::{test_opening, undefined_global};
    use crate::detect::test_command;
    use crate::red::{Red, RedInput, RunExit, classify};
    use crate::repo::MemoryTree;
    use windlass_core::event::TestAuthor;
    use windlass_core::report::Runner;

    /// Paths and the text of each.
    type OpeningFiles<'a> = &'a [(&'a str, &'a str)];

    fn opening(files: OpeningFiles<'_>, test: &str) -> String {
        let tree = MemoryTree::new(files.iter().copied());
        let script = test_command(&tree, test).unwrap().script;
        let found = test_opening(&tree, test, &script);
        found.map(|o| format!("{}: {}", o.runner, o.lines.join(" "))).unwrap_or_default()
    }

    #[test]
    fn a_new_test_file_begins_with_what_its_runner_does_not_define() {
        let node = "node --test: import { describe, it, test } from 'node:test'; import assert from 'node:assert/strict';";
        let plain = "node --test: const { describe, it, test } = require('node:test'); const assert = require('node:assert/strict');";
        let module = r#"{"type": "module"}"#;
        let table: [(OpeningFiles<'_>, &str, &str); 9] = [
            (&[("package.json", module)], "test/a.test.js", node),
            (&[("package.json", "{}")], "test/a.test.js", plain),
            (&[("package.json", "{}")], "test/a.test.mjs", node),
            (&[("package.json", module)], "test/a.test.cjs", plain),
            (
                &[("package.json", "{}"), ("test/b.test.js", "import x from '../x.js';\n")],
                "test/a.test.js",
                node,
            ),
            (
                &[("package.json", r#"{"devDependencies": {"vitest": "3"}}"#)],
                "src/a.test.js",
                "vitest: import { describe, expect, it, test, vi } from 'vitest';",
            ),
            (
                &[("package.json", r#"{"devDependencies": {"tape": "5"}}"#)],
                "test/a.js",
                "tape: const test = require('tape');",
            ),
            (&[("package.json", r#"{"devDependencies": {"jest": "29"}}"#)], "a.test.js", ""),
            // The file is there: its agent sees how it begins.
            (&[("package.json", "{}"), ("test/a.test.js", "")], "test/a.test.js", ""),
        ];
        for (files, test, wanted) in table {
            assert_eq!(opening(files, test), wanted, "{files:?} {test}");
        }
        assert_eq!(opening(&[("pyproject.toml", "")], "tests/test_a.py"), "");
        // What the plan states counts, not what the project looks like.
        let tree = MemoryTree::new([("package.json", r#"{"devDependencies": {"jest": "29"}}"#)]);
        assert!(test_opening(&tree, "a.test.js", "node --test a.test.js").is_some());
        assert!(test_opening(&tree, "a.test.js", "make check").is_none());
    }

    #[test]
    fn a_name_that_the_runner_does_not_define_is_told_with_its_import() {
        let said =
            |runner, error: &str, test: &str| undefined_global(runner, error, test).unwrap_or_default();
        let error = "ReferenceError: describe is not defined";
        assert_eq!(
            said(Runner::NodeTest, error, "describe('a', () => {});"),
            "`node --test` defines no `describe`: begin the test file with `import { describe, it, test } from 'node:test'; import assert from 'node:assert/strict';`"
        );
        assert!(said(Runner::NodeTest, error, "const a = require('./a');").contains("require('node:test')"));
        assert!(said(Runner::Vitest, error, "").contains("from 'vitest'"));
        for (runner, error) in [
            (Runner::Jest, error),
            (Runner::NodeTest, "ReferenceError: total is not defined"),
            (Runner::NodeTest, "TypeError: describe is not a function"),
        ] {
            assert_eq!(said(runner, error, ""), "", "{runner:?} {error}");
        }
    }

    /// The verdict on a test for another runner says which one runs it.
    #[test]
    fn a_test_for_another_runner_is_told_what_to_import() {
        let test_files = [("test/a.test.js".to_owned(), b"describe('a', () => {});\n".to_vec())];
        let red = classify(&RedInput {
            exit: RunExit::Code(1),
            report: None,
            runner: Some(Runner::NodeTest),
            output: b"ReferenceError: describe is not defined\n    at (/w/test/a.test.js:1:1)\n",
            test_files: &test_files,
            author: TestAuthor::Agent,
            owned: &["a.js".to_owned()],
            provides: &[],
            declared: &[],
            present: &[],
        });
        let Red::NotRed(why) = red else { panic!("{red:?}") };
        assert!(why.to_string().contains("`node --test` defines no `describe`"), "{why}");
    }
}
