//! node's own test runner

use std::fmt::Write as _;

use windlass_core::report::Runner;

use super::RunnerCall;
use super::command_line::{base_name, is_anchored, past_options};
use super::node_build::{build_before, compiled_test};
use super::node_options::{CallOptions, call_options, package_with};
use super::row::{BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::coverage::{CoverageFacts, CoverageFormat};
use crate::detect::{dir_of, from_dir, is_test_path, nearest, relative};
use crate::language::any_depends_on;
use crate::repo::Tree;
use crate::report::{NODE_REPORTER, Need, ReportFormat};
use crate::script::{ScriptEdits, ShellWord, quote};
use crate::survey::Framework;

/// Endings of JavaScript and TypeScript files.
pub(super) const SCRIPT_ENDINGS: &[&str] = &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "node --test",
    find,
    idle: Idle { other: &["--help", "-h", "--version", "-v"], ..BASE.idle },
    selects_by_name: |args| is_anchored(args, &["--test-name-pattern"]),
    // Without `--test`, node runs the first file and gives it the others as arguments.
    many_files: |call| (call.command.words[call.at].text == "--test").then_some(&[]),
    framework: Some(Framework::NodeTest),
    report: Some(ReportFacts {
        runner: Runner::NodeTest,
        format: ReportFormat::NodeEvents,
        instrument,
        behind: Behind::Variable {
            name: "NODE_OPTIONS",
            options: |file| format!("{} {USUAL}", report_options(file).replace('\'', "")),
            // A reporter of its own without a destination would clash with a second one.
            works: |words| {
                words.iter().any(|word| word.text == "--test")
                    && !words.iter().any(|word| word.text.starts_with("--test-reporter"))
            },
        },
        junit: JunitNames::PLAIN,
    }),
    coverage: Some(CoverageFacts {
        tool: "c8",
        format: CoverageFormat::Lcov,
        file: "lcov.info",
        measure: |script, dir, _| {
            let command = format!("c8 --reporter=lcovonly --reports-dir={} bash -e", quote(dir));
            let end = "WINDLASS_COVERAGE";
            Some((format!("npx --no-install {command} <<'{end}'\n{script}\n{end}\n"), Vec::new()))
        },
    }),
    builds_first: false,
    imports: &[("{ describe, it, test }", "node:test"), ("assert", "node:assert/strict")],
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        imports: &["node:test"],
        // Without any other, the runner that node itself brings.
        applies: |tree, file| nearest(tree, file, &["package.json"]).is_some() || tree.has(file),
        command: |tree, file| {
            let typed = matches!(file.rsplit('.').next(), Some("ts" | "mts" | "cts" | "tsx" | "jsx"));
            let package = nearest(tree, file, &["package.json"]).unwrap_or_default();
            let compiled = compiled_test(tree, dir_of(&package), file).is_some();
            let loader = match (typed && !compiled, any_depends_on(tree, file, &["tsx"])) {
                (false, _) => "",
                (true, true) => "--import tsx ",
                (true, false) => "--experimental-strip-types ",
            };
            Some(package_command(tree, file, &format!("node {loader}--test")))
        },
        ..BASE.detect
    },
    ..BASE
};

/// The reporter for people, where none is given.
const USUAL: &str = "--test-reporter=spec --test-reporter-destination=stdout";

/// `node --test`, or a file named like a test, which may or may not use node's test runner.
fn find(words: &[ShellWord], start: usize) -> Option<usize> {
    if !matches!(base_name(&words[start]), "node" | "tsx") {
        return None;
    }
    if let Some(offset) = words[start..].iter().position(|word| word.text == "--test") {
        return Some(start + offset);
    }
    let values = ["--import", "--require", "-r", "--loader", "--experimental-loader"];
    let file = words.get(past_options(words, start + 1, &values))?;
    (file.fixed && is_test_path(&file.text)).then_some(start)
}

fn instrument(edits: &mut ScriptEdits<'_>, call: &RunnerCall<'_>) {
    let is_certain = call.command.words[call.at].text == "--test";
    let file = edits.expect(call.report, if is_certain { Need::Required } else { Need::IfPresent });
    let count = |name: &str| call.command.words.iter().filter(|word| word.text.starts_with(name)).count();
    let destinations = count("--test-reporter-destination");
    let usual = match (count("--test-reporter") - destinations, destinations) {
        (0, _) => USUAL,
        (_, 0) => "--test-reporter-destination=stdout",
        (_, _) => "",
    };
    edits.insert_behind_runner(call, format!(" {} {usual}", report_options(&file)).trim_end());
}

fn report_options(file: &str) -> String {
    format!("--test-reporter='{}' --test-reporter-destination={}", data_url(NODE_REPORTER), quote(file))
}

/// The source as a URL without a character that a shell, `NODE_OPTIONS` or the URL itself would interpret.
pub(super) fn data_url(source: &str) -> String {
    let mut url = String::from("data:text/javascript,");
    for byte in source.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.,:;=/()[]{}*+!|&$<>^".contains(&byte) {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

/// A command as the package calls it that has the runner, with the file, from its directory.
pub(super) fn called_command(tree: &dyn Tree, file: &str, program: &str) -> (String, String) {
    let name = program.split(' ').next().unwrap_or(program);
    called_command_in(tree, package_with(tree, file, name), file, program)
}

/// The same from the directory of this package.
pub(super) fn called_command_in(
    tree: &dyn Tree,
    package: Option<String>,
    file: &str,
    program: &str,
) -> (String, String) {
    let name = program.split(' ').next().unwrap_or(program);
    let dir = package.as_deref().map_or("", dir_of);
    let CallOptions { variables, options } = call_options(tree, dir, name);
    let command = format!("{variables}npx --no-install {program}{options}");
    command_from(tree, package, file, &command)
}

/// A command with the file, from the directory of the nearest `package.json`.
pub(super) fn package_command(tree: &dyn Tree, file: &str, command: &str) -> (String, String) {
    command_from(tree, nearest(tree, file, &["package.json"]), file, command)
}

fn command_from(tree: &dyn Tree, package: Option<String>, file: &str, command: &str) -> (String, String) {
    let dir = package.as_deref().map_or("", dir_of);
    let before = build_before(tree, dir, file);
    let compiled = compiled_test(tree, dir, file);
    let file = quote(compiled.as_deref().unwrap_or_else(|| relative(dir, file)));
    let script = from_dir(dir, &format!("{before}{command} {file}"));
    (script, package.unwrap_or_else(|| "a JavaScript test".to_owned()))
}

#[cfg(test)]
mod tests;
