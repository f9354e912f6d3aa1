//! PHPUnit, and Pest

use windlass_core::report::Runner;

use super::command_line::{base_name, is_anchored, past_options};
use super::row::{BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::detect::{dir_of, from_dir, in_dir, json, nearest, relative};
use crate::repo::Tree;
use crate::report::{Need, ReportFormat};
use crate::script::quote;

const PROGRAMS: &[&str] = &["phpunit", "phpunit.phar", "simple-phpunit", "pest"];

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "phpunit",
    programs: PROGRAMS,
    find: |words, start| {
        let at = past_options(words, start + 1, &["-d", "-c"]);
        let is_php = base_name(&words[start]) == "php";
        (is_php && PROGRAMS.contains(&base_name(words.get(at)?))).then_some(at)
    },
    idle: Idle {
        list: &["--list-tests", "--list-suites"],
        other: &["-h", "--help", "--version", "--check-version"],
        ..BASE.idle
    },
    selects_by_name: |args| is_anchored(args, &["--filter"]),
    report: Some(ReportFacts {
        runner: Runner::Phpunit,
        format: ReportFormat::Junit,
        instrument: |edits, call| {
            let file = quote(&edits.expect(call.report, Need::Required));
            edits.append(call, &format!("--log-junit {file}"));
        },
        behind: Behind::Unreachable,
        junit: JunitNames::METHODS,
    }),
    builds_first: false,
    detect: Detection {
        endings: &["php"],
        applies: |_, _| true,
        command: |tree, file| Some(command(tree, file)),
        ..BASE.detect
    },
    ..BASE
};

/// PHPUnit, or Pest where it is required, from the directory that installs it.
fn command(tree: &dyn Tree, file: &str) -> (String, String) {
    let from = nearest(tree, file, &["composer.json", "phpunit.xml", "phpunit.xml.dist"]);
    let dir = from.as_deref().map_or("", dir_of);
    let composer = json(tree, &in_dir(dir, "composer.json"));
    let requires = |name: &str| {
        composer.as_ref().is_some_and(|composer| {
            ["require-dev", "require"]
                .iter()
                .any(|kind| composer.get(kind).is_some_and(|l| l.get(name).is_some()))
        })
    };
    let own = ["tools/phpunit", "tools/phpunit.phar", "phpunit.phar"];
    let program = if requires("pestphp/pest") {
        "vendor/bin/pest"
    } else if requires("symfony/phpunit-bridge") && !requires("phpunit/phpunit") {
        "vendor/bin/simple-phpunit"
    } else if let Some(own) = own.into_iter().find(|name| tree.has(&in_dir(dir, name))) {
        own
    } else if composer.is_some() {
        "vendor/bin/phpunit"
    } else {
        "phpunit"
    };
    let php = if program.ends_with(".phar") { "php " } else { "" };
    let script = from_dir(dir, &format!("{php}{program} {}", quote(relative(dir, file))));
    (script, from.unwrap_or_else(|| "a PHP test".to_owned()))
}

#[cfg(test)]
mod tests;
