//! CTest, and the GoogleTest programs behind it

use windlass_core::report::Runner;

use super::row::{BASE, Behind, BuildFacts, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::detect::{dir_of, from_dir, in_dir, is_below, text, upwards};
use crate::repo::Tree;
use crate::report::{Need, ReportFormat};
use crate::script::quote;
use windlass_core::path_text::name_stem;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "ctest",
    programs: &["ctest"],
    idle: Idle {
        list: &["-N", "--show-only", "--show-only=json-v1", "--show-only=human"],
        other: &["-h", "--help", "--print-labels", "--version"],
        ..BASE.idle
    },
    // What it runs is built by the commands before it.
    build: Some(BuildFacts {
        only: |edits, call| {
            let end = call.command.words.last().map_or(call.command.end, |word| word.range.end);
            edits.replace(call.command.words[0].range.start..end, "true".to_owned());
        },
        fails_alike: false,
    }),
    report: Some(ReportFacts {
        runner: Runner::Ctest,
        format: ReportFormat::Junit,
        instrument: |edits, call| {
            // The output of a test program is cut after a kilobyte by default, and the names of its tests stand in it.
            let all = "--test-output-size-passed 4194304 --test-output-size-failed 4194304";
            let file = quote(&edits.expect(call.report, Need::Required));
            edits.append(call, &format!("--output-junit {file} {all}"));
        },
        behind: Behind::Unreachable,
        junit: JunitNames { name: |case| case.name.clone(), cases_are_programs: true, ..JunitNames::PLAIN },
    }),
    detect: Detection {
        endings: &["c", "cc", "cpp", "cxx"],
        applies: |tree, file| cmake_lists(tree, file).is_some(),
        command: |tree, file| {
            let lists = cmake_lists(tree, file)?;
            let only = filter(tree, dir_of(&lists), file);
            let build = "cmake -S . -B build && cmake --build build";
            let script =
                format!("{build} && ctest --test-dir build{only} --no-tests=error --output-on-failure");
            Some((from_dir(dir_of(&lists), &script), lists))
        },
        ..BASE.detect
    },
    ..BASE
};

/// The outermost `CMakeLists.txt` above a file.
fn cmake_lists(tree: &dyn Tree, file: &str) -> Option<String> {
    upwards(file).map(|dir| in_dir(dir, "CMakeLists.txt")).filter(|path| tree.has(path)).last()
}

/// The option that picks the tests of one file: the name that `add_test` gives to it, or its suite where the tests are
/// looked up in the programs. Catch2's tests have free names, so there everything runs.
fn filter(tree: &dyn Tree, root: &str, file: &str) -> String {
    let below = |path: &&String| is_below(root, path) && path.ends_with("CMakeLists.txt");
    let lists: String = tree.paths().iter().filter(below).filter_map(|path| text(tree, path)).collect();
    let own = name_stem(file);
    if ["catch_discover_tests", "doctest_discover_tests"].iter().any(|call| lists.contains(call)) {
        return String::new();
    }
    if lists.contains("gtest_discover_tests") {
        let bare = own.strip_prefix("test_").or_else(|| own.strip_suffix("_test")).unwrap_or(own);
        let suite: String = bare.split(['_', '-']).map(capital).collect();
        return format!(" -R {}", quote(&format!("(^|[./]){suite}(Tests?)?[./]")));
    }
    // As the tests beside it are called.
    let names: Vec<&str> = lists
        .split("add_test(")
        .skip(1)
        .filter_map(|call| call.trim_start().strip_prefix("NAME")?.split_whitespace().next())
        .filter(|name| !name.contains('$'))
        .collect();
    let beside = tree.paths().iter().filter(|path| dir_of(path) == dir_of(file)).map(|path| name_stem(path));
    let shown = beside.filter(|other| !other.is_empty()).find_map(|other| {
        names.iter().find(|name| name.contains(other)).map(|name| name.replace(other, own))
    });
    format!(" -R {}", quote(&format!("^{}$", shown.as_deref().unwrap_or(own))))
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
