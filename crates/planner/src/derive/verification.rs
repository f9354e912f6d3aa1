//! How a unit is verified: its test file, and the command that runs exactly that file.

use super::note::{Note, NoteKind};
use super::unit::Unit;
use super::{module_declarations, name, searched_tests};
use crate::file_kind::FileKind;
use crate::repository::Repository;
use windlass_code::detect::TestCommand;
use windlass_code::detect::is_test_path;
use windlass_code::survey::{Language, subject_stem};
use windlass_core::plan::{TestPlan, Verification};

/// The test file of a unit that changes code, and whether the tests are inside the source file.
pub(super) fn test_file(
    unit: &Unit,
    repository: &Repository<'_>,
    planned: &dyn Fn(&str) -> bool,
) -> Option<(String, bool)> {
    let tests: Vec<&str> = unit.of_kind(FileKind::Test).map(|f| f.path.as_str()).collect();
    let source = unit.of_kind(FileKind::Code).next().map(|f| f.path.as_str());
    let about = |t: &&&str| subject_stem(t).is_some_and(|s| source.is_some_and(|p| name::stem(p) == s));
    let runs = || tests.iter().find(|t| is_run(t));
    // Test lists and fixtures test nothing, but a unit may consist of nothing else.
    let only = || tests.first().filter(|_| source.is_none());
    if let Some(own) = tests.iter().find(about).or_else(runs).or_else(only) {
        return Some(((*own).to_owned(), false));
    }
    if let Some(path) = &unit.open_test {
        return Some((path.clone(), false));
    }
    test_of(source?, repository, planned)
}

/// The test file that a source file would have which the documents do not name, unless its tests would be inside of it.
pub(super) fn test_apart(source: &str, repository: &Repository<'_>) -> Option<String> {
    test_of(source, repository, &|_| false).filter(|(_, inline)| !inline).map(|(path, _)| path)
}

/// The test file of a source file, and whether its tests are inside of it.
fn test_of(
    source: &str,
    repository: &Repository<'_>,
    planned: &dyn Fn(&str) -> bool,
) -> Option<(String, bool)> {
    let found = repository.survey().test_file_for(source).map(|t| (t.path, t.inline));
    let found = match found {
        Some((path, true)) => Some(
            module_declarations::apart(&path, repository, planned)
                .map_or((path, true), |apart| (apart, false)),
        ),
        other => other,
    };
    let found = found.or_else(|| {
        let (stem, ending) = (name::stem(source), source.rsplit_once('.').map_or("sh", |(_, e)| e));
        Some((format!("tests/{stem}_test.{ending}"), false))
    });
    found.map(|(path, inline)| {
        let is_new = !inline && !repository.survey().has(&path);
        (if is_new { searched_tests::searched(path, repository) } else { path }, inline)
    })
}

/// The test plan of a unit and the script that verifies it.
pub(super) fn proof(
    unit: &Unit,
    test: Option<(String, bool)>,
    ancestors: &[&Unit],
    repository: &Repository<'_>,
    planned: &dyn Fn(&str) -> bool,
) -> (TestPlan, Option<Verification>) {
    let mut files: Vec<String> = Vec::new();
    let mut plan = TestPlan::default();
    if let Some((file, inline)) = test {
        files.push(file.clone());
        plan.file = Some(file);
        plan.inline = inline;
    }
    for file in unit.of_kind(FileKind::Test) {
        if !files.contains(&file.path) && is_test_path(&file.path) && is_run(&file.path) {
            files.push(file.path.clone());
        }
    }
    if unit.owned().next().is_none() && unit.open_test.is_none() {
        let stated = ancestors.iter().flat_map(|u| u.of_kind(FileKind::Test)).map(|f| f.path.clone());
        let mut before: Vec<String> = stated.filter(|path| is_run(path)).collect();
        // Where no task before it is about tests, the gate runs those that come with the code.
        if before.is_empty() {
            let own = ancestors.iter().filter(|u| u.makes_code());
            before = own.filter_map(|u| Some(test_file(u, repository, planned)?.0)).collect();
        }
        for path in before {
            if !files.contains(&path) {
                files.push(path);
            }
        }
    }
    (plan, verification(&files, repository))
}

/// The verification that runs exactly these test files.
pub(super) fn verification(files: &[String], repository: &Repository<'_>) -> Option<Verification> {
    let run: Vec<String> = files.iter().filter(|f| is_run(f)).cloned().collect();
    script(&run, repository).map(|script| Verification { script, timeout_seconds: None })
}

/// Whether a runner collects a file of a test folder as a test.
pub(super) fn is_run(path: &str) -> bool {
    Language::of_path(path).map_or_else(
        || path.ends_with(".bats") || path.ends_with(".sh"),
        |language| (language.row().is_collected)(path),
    )
}

/// One script for several test files: a runner that takes them all gets one call, other commands get a line each.
fn script(files: &[String], repository: &Repository<'_>) -> Option<String> {
    let found: Vec<TestCommand> = files.iter().filter_map(|f| repository.test_command(f)).collect();
    let takes_several = found.iter().all(|command| command.ends_with_files);
    let calls: Vec<String> = found.into_iter().map(|command| command.script).collect();
    let first = calls.first()?;
    let head = |call: &str| call.rsplit_once(' ').map(|(head, _)| head.to_owned());
    let alike = calls.iter().all(|c| head(c) == head(first)) && takes_several;
    if alike && calls.len() > 1 {
        let last: Vec<&str> = calls.iter().filter_map(|c| c.rsplit_once(' ')).map(|(_, last)| last).collect();
        return Some(format!("{} {}", head(first)?, last.join(" ")));
    }
    let mut lines: Vec<String> = Vec::new();
    for call in &calls {
        let line =
            if calls.len() > 1 && call.starts_with("cd ") { format!("({call})") } else { call.clone() };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    Some(lines.join("\n"))
}

/// Notes the tasks whose tests no command runs.
pub(super) fn no_runner(ids: &[String], notes: &mut Vec<Note>) {
    if ids.is_empty() {
        return;
    }
    let named = ids.iter().take(6).map(|i| format!("`{i}`")).collect::<Vec<_>>().join(", ");
    let more = if ids.len() > 6 { format!(" and {} more", ids.len() - 6) } else { String::new() };
    let text = format!("no known command runs the tests of {named}{more}");
    let help = "add the test runner to the project's manifest, or set `test.command` in the task";
    notes.push(Note::new(NoteKind::NoRunner, text).help(help));
}
