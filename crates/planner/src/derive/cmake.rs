//! C and C++ with CMake: a test runs only if a `CMakeLists.txt` declares it, and a test writer may change test files
//! only. So the task owns the list in the test folder; where there is none, a first task creates one that globs for
//! tests.

use super::unit::{Unit, UnitFile};
use super::verification;
use crate::file_kind::FileKind;
use crate::repository::Repository;
use crate::spec::Operation;
use windlass_code::detect::is_test_path;
use windlass_code::script::quote;
use windlass_code::survey::Language;
use windlass_core::path_text::{dir_of, file_name};

const LIST: &str = "CMakeLists.txt";

/// Gives units the lists that declare their sources and tests.
pub(super) fn declare(units: &mut Vec<Unit>, repository: &Repository<'_>) {
    let survey = repository.survey();
    let known: Vec<String> = survey.paths.iter().filter(|path| file_name(path) == LIST).cloned().collect();
    let stated = |units: &[Unit], path: &str| units.iter().any(|u| u.owns(path));
    let mut missing: Vec<(String, String)> = Vec::new();
    for at in 0..units.len() {
        let sources: Vec<String> = units[at]
            .of_kind(FileKind::Code)
            .filter(|f| is_native(&f.path) && f.operation == Operation::Create)
            .map(|f| f.path.clone())
            .collect();
        let Some(first) = sources.first() else { continue };
        let above =
            |path: &str| upwards(path).into_iter().filter(|list| known.contains(list)).collect::<Vec<_>>();
        let Some(root) = above(first).pop() else { continue };
        for source in sources.iter().filter(|path| Language::is_compiled(path)) {
            if let Some(list) = above(source).into_iter().find(|list| !is_test_path(list)) {
                own(&mut units[at], &list, FileKind::Configuration, &format!("build `{source}`"));
            }
        }
        let planned = |path: &str| stated(units, path);
        let Some((test, false)) = verification::test_file(&units[at], repository, &planned) else { continue };
        let list = beside(&test);
        if !is_test_path(&list) {
            continue;
        }
        if repository.finds_tests(&list) {
            continue;
        }
        if known.contains(&list) {
            own(&mut units[at], &list, FileKind::Test, &format!("declare `{test}`"));
        } else if !stated(units, &list) && !missing.iter().any(|(_, known)| *known == list) {
            missing.push((root, list));
        }
    }
    for (root, list) in missing {
        units.insert(0, finder(&root, &list));
    }
}

/// The unit that creates a list which finds tests.
fn finder(root: &str, list: &str) -> Unit {
    let folder = dir_of(list);
    let file = |path: &str, operation, note: &str| UnitFile {
        path: path.to_owned(),
        operation,
        // Manifests are ordered before code.
        kind: FileKind::Manifest,
        note: note.to_owned(),
        lines: None,
    };
    let check = match root.rsplit_once('/') {
        Some((dir, _)) => format!("cmake -S {} -B {}", quote(dir), quote(&format!("{dir}/build"))),
        None => "cmake -S . -B build".to_owned(),
    };
    let text = format!(
        "CMake runs only the tests that a list declares, and a test writer changes test files only. `{list}` finds \
         every `*_test.c` and `*_test.cpp` in `{folder}` (`file(GLOB … CONFIGURE_DEPENDS …)`), links each with the \
         libraries of the project's tests, and adds it as a test named after the file. `{root}` calls \
         `enable_testing()` and `add_subdirectory`; tests declared there move to `{list}`."
    );
    Unit {
        title: format!("Configure CMake to find the tests in {folder}"),
        text,
        files: vec![
            file(list, Operation::Create, "find, build and add every test"),
            file(root, Operation::Modify, "take in the folder of tests"),
        ],
        check: Some(check),
        ..Unit::default()
    }
}

fn own(unit: &mut Unit, path: &str, kind: FileKind, note: &str) {
    match unit.files.iter_mut().find(|f| f.path == path) {
        Some(file) if file.note.is_empty() => note.clone_into(&mut file.note),
        Some(_) => {}
        None => unit.files.push(UnitFile {
            path: path.to_owned(),
            operation: Operation::Modify,
            kind,
            note: note.to_owned(),
            lines: None,
        }),
    }
}

fn is_native(path: &str) -> bool {
    Language::is_header(path) || Language::is_compiled(path)
}

fn beside(path: &str) -> String {
    path.rsplit_once('/').map_or_else(|| LIST.to_owned(), |(dir, _)| format!("{dir}/{LIST}"))
}

/// The possible lists of a file, the nearest first.
fn upwards(path: &str) -> Vec<String> {
    let mut lists = vec![beside(path)];
    let mut dir = dir_of(path);
    while !dir.is_empty() {
        lists.push(beside(dir));
        dir = dir_of(dir);
    }
    lists
}

#[cfg(test)]
mod tests;
