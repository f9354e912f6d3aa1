//! Maven

use windlass_core::report::Runner;

use super::RunnerCall;
use super::command_line::base_name;
use super::row::{BASE, Behind, BuildFacts, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::detect::{dir_of, from_dir, in_dir, is_below, nearest, relative, text, upwards};
use crate::repo::Tree;
use crate::report::{Need, ReportFormat};
use crate::script::{ScriptEdits, ShellWord, quote};
use windlass_core::path_text::name_stem;

/// Phases and goals that run tests.
const GOALS: [&str; 6] = ["test", "package", "verify", "install", "integration-test", "surefire:test"];

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "mvn",
    find: |words, start| {
        let is_maven = matches!(base_name(&words[start]), "mvn" | "mvnw" | "mvnd");
        (is_maven && runs_goal(words, start, &GOALS)).then_some(start)
    },
    idle: Idle {
        build: &["-DskipTests", "-DskipTests=true", "-Dmaven.test.skip", "-Dmaven.test.skip=true"],
        ..BASE.idle
    },
    selects_by_name: |args| args.iter().any(|arg| arg.text.starts_with("-Dtest=") && arg.text.contains('#')),
    build: Some(BuildFacts {
        only: |edits, call| replace_goals(edits, call, &GOALS, "test-compile"),
        fails_alike: false,
    }),
    report: Some(COLLECTED),
    detect: Detection {
        endings: &["java", "kt"],
        applies: |tree, file| jvm_manifest(tree, file).is_some_and(|path| path.ends_with("pom.xml")),
        command,
        ..BASE.detect
    },
    ..BASE
};

/// JUnit files of all modules, collected in one.
pub(super) const COLLECTED: ReportFacts = ReportFacts {
    runner: Runner::Junit,
    format: ReportFormat::Junit,
    instrument: collect,
    behind: Behind::Unreachable,
    junit: JunitNames::METHODS,
};

/// Maven and Gradle leave a file per class below every module: old ones are deleted before the call, and the new ones are
/// put into one file after it.
fn collect(edits: &mut ScriptEdits<'_>, call: &RunnerCall<'_>) {
    let file = quote(&edits.expect(call.report, Need::Required));
    let dirs = ["surefire-reports", "failsafe-reports", "test-results"];
    let paths = dirs.map(|dir| format!("-path '*/{dir}/*'")).join(" -o ");
    let find = format!(r"find . -name 'TEST-*.xml' \( {paths} \)");
    let strip = "-exec sed 's/<?xml[^>]*?>//' {} +";
    edits.insert(call.command.words[0].range.start, format!("( {find} -delete; code=0; "));
    let collected = format!("{{ echo '<testsuites>'; {find} {strip}; echo '</testsuites>'; }} >{file}");
    edits.insert(call.command.end, format!(" || code=$?; {collected}; exit $code )"));
}

/// Whether one of these goals is among the arguments, with or without a project in front.
pub(super) fn runs_goal(words: &[ShellWord], start: usize, goals: &[&str]) -> bool {
    words[start + 1..].iter().any(|word| goals.contains(&goal_name(word)))
}

/// The name of a goal without its project.
fn goal_name(word: &ShellWord) -> &str {
    match word.text.strip_prefix(':') {
        Some(path) => path.rsplit(':').next().unwrap_or_default(),
        None => word.text.as_str(),
    }
}

/// Puts another goal in the place of these, each for the same project.
pub(super) fn replace_goals(edits: &mut ScriptEdits<'_>, call: &RunnerCall<'_>, goals: &[&str], by: &str) {
    for word in call.args.iter().filter(|word| goals.contains(&goal_name(word))) {
        let project = word.text.strip_suffix(goal_name(word)).unwrap_or_default();
        edits.replace(word.range.clone(), quote(&format!("{project}{by}")));
    }
}

/// The manifest of a JVM project: Gradle's where its files are nearer, else Maven's.
pub(super) fn jvm_manifest(tree: &dyn Tree, file: &str) -> Option<String> {
    nearest(tree, file, &["build.gradle", "build.gradle.kts", "pom.xml"])
}

fn command(tree: &dyn Tree, file: &str) -> Option<(String, String)> {
    let pom = jvm_manifest(tree, file)?;
    // From the outermost project that lists modules, so that a module finds its neighbours.
    let parents = upwards(&pom)
        .map(|dir| in_dir(dir, "pom.xml"))
        .filter(|path| *path != pom && text(tree, path).is_some_and(|text| text.contains("<modules>")));
    let root = parents.last();
    let dir = dir_of(root.as_deref().unwrap_or(&pom));
    let program = if tree.has(&in_dir(dir, "mvnw")) { "./mvnw" } else { "mvn" };
    // By its path where another module or package has a class of that name.
    let same = |path: &String| {
        path != file && path.ends_with(".java") && name_stem(path) == name_stem(file) && is_below(dir, path)
    };
    let inner = file.split_once("/java/").map_or(file, |(_, inner)| inner);
    let twice = tree.paths().iter().any(same);
    let class = if twice { inner.trim_end_matches(".java") } else { name_stem(file) };
    let test = quote(&format!("-Dtest={class}"));
    let script = match relative(dir, dir_of(&pom)) {
        module if !module.is_empty() && root.is_some() => {
            let quiet = "-Dsurefire.failIfNoSpecifiedTests=false";
            format!("{program} -q -pl {} -am {test} {quiet} test", quote(module))
        }
        _ => format!("{program} -q {test} test"),
    };
    Some((from_dir(dir, &script), pom.clone()))
}

#[cfg(test)]
mod tests;
