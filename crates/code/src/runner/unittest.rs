//! Python's unittest

use windlass_core::report::Runner;

use super::RunnerCall;
use super::command_line::has_any;
use super::python::{python_command, python_module, stand_ins};
use super::row::{BASE, Behind, Detection, JunitNames, ReportFacts, RunnerRow};
use crate::detect::{dir_of, in_dir, is_test_path, text, upwards};
use crate::language::django_settings;
use crate::repo::Tree;
use crate::report::ReportFormat;
use crate::script::{ScriptEdits, ShellWord, join};

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "unittest",
    find: |words, start| python_module(words, start, "unittest"),
    selects_by_name: |args| has_any(args, &["-k"]),
    report: Some(ReportFacts {
        runner: Runner::Unittest,
        format: ReportFormat::Unittest,
        instrument: |edits, call| {
            if !edits.copy_output(call) {
                return;
            }
            // A subcommand has to stay the first word. Only `-v` prints names, and `-b` keeps the output of tests out of them.
            let discover = call.args.first().filter(|word| word.text == "discover");
            let at = discover.unwrap_or(&call.command.words[call.at]).range.end;
            let buffers = !replaces_output(edits, call);
            // A quiet run prints no names, and one that stops early leaves tests without a result.
            let against =
                |word: &&ShellWord| ["-q", "--quiet", "-f", "--failfast"].contains(&word.text.as_str());
            call.args
                .iter()
                .filter(against)
                .for_each(|word| edits.replace(word.range.clone(), String::new()));
            for (long, short) in [("--verbose", "-v"), ("--buffer", "-b")] {
                if !call.has(long) && !call.has(short) && (short != "-b" || buffers) {
                    edits.insert(at, format!(" {short}"));
                }
            }
        },
        behind: Behind::Unreachable,
        junit: JunitNames::PLAIN,
    }),
    builds_first: false,
    stand_ins: Some(stand_ins),
    detect: Detection {
        endings: &["py"],
        applies: no_pytest,
        command: |tree, file| {
            let (script, _) = python_command(tree, file, "unittest -v");
            Some((script, "its tests use unittest, and nothing mentions pytest".to_owned()))
        },
        ..BASE.detect
    },
    ..BASE
};

/// Whether a test file puts its own streams in place of the standard ones, which `-b` does not survive.
fn replaces_output(edits: &ScriptEdits<'_>, call: &RunnerCall<'_>) -> bool {
    let (Some(tree), Some(dir)) = (edits.tree(), call.command.dir.as_deref()) else { return false };
    let mut texts = call.args.iter().filter_map(|arg| text(tree, &join(dir, &arg.text)?));
    let assigns = |text: &str| ["sys.stdout =", "sys.stderr ="].iter().any(|sign| text.contains(sign));
    texts.any(|text| assigns(&text))
}

/// Whether a file uses unittest and nothing mentions pytest, which runs unittest's cases too.
fn no_pytest(tree: &dyn Tree, file: &str) -> bool {
    const MANIFESTS: [&str; 7] =
        ["pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "pytest.ini", "Pipfile", "requirements.txt"];
    // A test that is still to be written follows the ones beside it.
    let beside = || {
        let is_test =
            |path: &&String| dir_of(path) == dir_of(file) && path.ends_with(".py") && is_test_path(path);
        let mut texts = tree.paths().iter().filter(is_test).filter_map(|path| text(tree, path));
        texts.find(|text| text.contains("TestCase"))
    };
    let Some(own) = text(tree, file).or_else(beside) else { return false };
    if !own.contains("unittest") || own.contains("pytest") || !own.contains("TestCase") {
        return false;
    }
    // Django's own cases need what only its runner, or the plug-in of pytest, sets up.
    if own.contains("django") && upwards(file).any(|dir| django_settings(tree, dir).is_some()) {
        return false;
    }
    let lists =
        tree.paths().iter().filter(|path| path.contains("requirements") || path.ends_with("conftest.py"));
    let manifests = upwards(file).flat_map(|dir| MANIFESTS.iter().map(move |name| in_dir(dir, name)));
    let mentions = |path: String| {
        path.ends_with("conftest.py") || text(tree, &path).is_some_and(|text| text.contains("pytest"))
    };
    !manifests.chain(lists.cloned()).any(mentions)
}

#[cfg(test)]
mod tests;
