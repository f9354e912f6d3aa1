//! go test

use windlass_core::report::Runner;

use super::RunnerCall;
use super::command_line::{base_name, is_anchored, text};
use super::row::{BASE, Behind, BuildFacts, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::coverage::{CoverageFacts, CoverageFormat};
use crate::detect::{dir_of, from_dir, nearest, relative};
use crate::report::ReportFormat;
use crate::script::{ScriptEdits, join, quote};

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "go test",
    find: |words, start| {
        let at = if text(words, start + 1) == "-C" { start + 3 } else { start + 1 };
        (base_name(&words[start]) == "go" && text(words, at) == "test").then_some(at)
    },
    idle: Idle { list: &["-list"], build: &["-c"], other: &["-h", "-n", "-help"], ..BASE.idle },
    starts_by: &[("GOFLAGS", "-exec={}")],
    selects_by_name: |args| is_anchored(args, &["-run", "--run"]),
    build: Some(BuildFacts { only: build_only, fails_alike: false }),
    report: Some(ReportFacts {
        runner: Runner::GoTest,
        format: ReportFormat::GoJson,
        instrument: |edits, call| {
            // A filter behind a pipe expects go's own text.
            if !call.command.is_piped() && edits.copy_output(call) {
                let stop =
                    call.args.iter().filter(|arg| matches!(arg.text.as_str(), "-failfast" | "--failfast"));
                stop.for_each(|arg| edits.replace(arg.range.clone(), String::new()));
                let note = module_note(edits, call).unwrap_or_default();
                let json = if call.has("-json") { "" } else { " -json" };
                // `go vet` is a gate of its own, which is compared with the base.
                let vet = if call.has("-vet") { "" } else { " -vet=off" };
                edits.insert_behind_runner(call, &format!("{json}{vet}{note}"));
            }
        },
        behind: Behind::Unreachable,
        junit: JunitNames::PLAIN,
    }),
    is_assertion: |message| !message.contains("panic:"),
    coverage: Some(CoverageFacts {
        tool: "go test -cover",
        format: CoverageFormat::GoProfile,
        file: "cover.out",
        measure: |script, _, report| {
            let option = format!("-coverprofile={report}");
            // Go splits `GOFLAGS` at white space and knows no quotes in it.
            if option.contains(char::is_whitespace) {
                let (before, after) = script.split_once("go test")?;
                return Some((format!("{before}go test {}{after}", quote(&option)), Vec::new()));
            }
            Some((script.to_owned(), vec![("GOFLAGS".to_owned(), option)]))
        },
    }),
    detect: Detection {
        endings: &["go"],
        applies: |_, _| true,
        command: |tree, file| {
            let module = nearest(tree, file, &["go.mod"])?;
            let dir = dir_of(&module);
            let package = match dir_of(relative(dir, file)) {
                "" => ".".to_owned(),
                inner => quote(&format!("./{inner}")),
            };
            Some((from_dir(dir, &format!("go test {package}")), module))
        },
        ..BASE.detect
    },
    ..BASE
};

/// Options of `go test` that `go list` knows as well, because they say how to build: those that stand alone, and those with a
/// value.
const BUILD_ALONE: [&str; 7] = ["a", "race", "msan", "asan", "linkshared", "modcacherw", "trimpath"];
const BUILD_VALUES: [&str; 15] = [
    "p",
    "asmflags",
    "buildmode",
    "buildvcs",
    "compiler",
    "gccgoflags",
    "gcflags",
    "installsuffix",
    "ldflags",
    "mod",
    "modfile",
    "overlay",
    "pgo",
    "tags",
    "toolexec",
];
/// Options about running tests that stand alone; all others have a value.
const RUN_ALONE: [&str; 11] =
    ["v", "short", "json", "failfast", "c", "i", "n", "x", "work", "cover", "benchmem"];

/// `go list -export -test -deps` compiles the packages and their tests into the cache, and links and starts nothing.
fn build_only(edits: &mut ScriptEdits<'_>, call: &RunnerCall<'_>) {
    edits.replace(call.command.words[call.at].range.clone(), "list -export -test -deps".to_owned());
    let mut value_is_kept: Option<bool> = None;
    let mut over = false;
    for word in &call.args {
        if let Some(kept) = value_is_kept.take() {
            if !kept {
                edits.replace(word.range.clone(), String::new());
            }
            continue;
        }
        let Some(option) = word.text.strip_prefix('-').filter(|_| !over) else {
            if over {
                edits.replace(word.range.clone(), String::new());
            }
            continue;
        };
        let option = option.strip_prefix('-').unwrap_or(option);
        let (name, has_value) = option.split_once('=').map_or((option, false), |(name, _)| (name, true));
        let kept = BUILD_ALONE.contains(&name) || BUILD_VALUES.contains(&name);
        over |= name == "args";
        if !kept {
            edits.replace(word.range.clone(), String::new());
        }
        let alone = BUILD_ALONE.contains(&name) || RUN_ALONE.contains(&name) || over;
        value_is_kept = (!has_value && !alone).then_some(kept);
    }
}

/// A note beside the report with a module whose name ends otherwise than its directory: its tests are found by both.
fn module_note(edits: &ScriptEdits<'_>, call: &RunnerCall<'_>) -> Option<String> {
    let words = &call.command.words;
    let moved = words.iter().position(|word| word.text == "-C").filter(|at| *at < call.at);
    let dir = join(call.command.dir.as_deref()?, moved.map_or("", |at| text(words, at + 1)))?;
    if dir.is_empty() {
        return None;
    }
    let bytes = edits.tree()?.read(&format!("{dir}/go.mod"))?;
    let text = String::from_utf8_lossy(&bytes);
    let module = text.lines().find_map(|line| line.strip_prefix("module "))?.trim();
    let file = edits.last_file()?;
    let last = |path: &str| path.rsplit('/').next().map(str::to_owned);
    let note = quote(&format!("{module} {dir}"));
    (last(module) != last(&dir)).then(|| format!("$(echo {note} >{})", quote(&format!("{file}.root"))))
}

#[cfg(test)]
mod tests;
