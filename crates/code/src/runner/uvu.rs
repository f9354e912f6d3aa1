//! uvu

use windlass_core::report::Runner;

use super::RunnerCall;
use super::command_line::past_wrappers;
use super::node_test::{SCRIPT_ENDINGS, data_url};
use super::row::{BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::detect::{dir_of, from_dir, json, nearest, relative};
use crate::repo::Tree;
use crate::report::{Need, ReportFormat, UVU_LISTENER};
use crate::script::{ScriptEdits, ShellScript, quote};

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "uvu",
    programs: &["uvu"],
    idle: Idle { other: &["--help", "-h", "--version", "-v"], ..BASE.idle },
    report: Some(ReportFacts {
        runner: Runner::Uvu,
        format: ReportFormat::UvuEvents,
        instrument,
        behind: Behind::Variable { name: "NODE_OPTIONS", options: listener, works: |_| true },
        junit: JunitNames::PLAIN,
    }),
    builds_first: false,
    imports: &[("{ test }", "uvu"), ("* as assert", "uvu/assert")],
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        imports: &["uvu"],
        dependencies: &["uvu"],
        command: |tree, file| Some(command(tree, file)),
        ..BASE.detect
    },
    ..BASE
};

fn instrument(edits: &mut ScriptEdits<'_>, call: &RunnerCall<'_>) {
    // The call's own options for node would be lost.
    if call.command.words.iter().any(|word| word.text.starts_with("NODE_OPTIONS=")) {
        return;
    }
    let file = edits.expect(call.report, Need::Required);
    let start = call.command.words[0].range.start;
    edits.insert(start, format!("NODE_OPTIONS={} ", quote(&listener(&file))));
}

fn listener(file: &str) -> String {
    format!("--import={}", data_url(&UVU_LISTENER.replace("{file}", file)))
}

/// uvu takes a directory and a pattern of names in it, and the modules that the package's own script loads.
fn command(tree: &dyn Tree, file: &str) -> (String, String) {
    let package = nearest(tree, file, &["package.json"]);
    let dir = package.as_deref().map_or("", dir_of);
    let inner = relative(dir, file);
    let (folder, name) = inner.rsplit_once('/').unwrap_or((".", inner));
    let pattern = format!("^{}$", name.replace('.', "\\."));
    let loads = package.as_deref().map(|path| loaded_modules(tree, path)).unwrap_or_default();
    let script = format!("npx --no-install uvu{loads} {} {}", quote(folder), quote(&pattern));
    (from_dir(dir, &script), package.unwrap_or_else(|| "a test of uvu".to_owned()))
}

/// ` -r esm` where a script of the package calls uvu with it.
fn loaded_modules(tree: &dyn Tree, package: &str) -> String {
    let manifest = json(tree, package).unwrap_or_default();
    let scripts =
        manifest.get("scripts").and_then(|scripts| scripts.as_object()).cloned().unwrap_or_default();
    let texts = scripts.values().filter_map(|script| script.as_str());
    let mut calls = texts.flat_map(|text| ShellScript::parse(text).commands).filter_map(|command| {
        let words = command.words;
        let at = past_wrappers(&words, 0);
        (words.get(at)?.text == "uvu").then(|| words[at + 1..].to_vec())
    });
    let Some(args) = calls.next() else { return String::new() };
    let pairs = args.windows(2).filter(|pair| matches!(pair[0].text.as_str(), "-r" | "--require"));
    pairs.map(|pair| format!(" -r {}", quote(&pair[1].text))).collect()
}

#[cfg(test)]
mod tests;
