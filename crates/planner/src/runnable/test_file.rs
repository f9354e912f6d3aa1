//! Which of its files proves a task, if the plan does not say.
//!
//! Plans of most other tools list tests among the files that a task creates, and name no test file. Once the test file
//! is known, the tests are written first, in a turn of their own, and seen red.

use windlass_code::detect::is_test_path;
use windlass_code::survey::Language;
use windlass_core::path_text::{file_name, file_stem};
use windlass_core::plan::{Action, Mode, Plan, Task, infer_mode};

/// The test file of every task that has to be seen red and owns tests without naming one, by its place in the plan.
pub(super) fn unstated(plan: &Plan) -> Vec<(usize, String)> {
    let tasks = plan.tasks.iter().enumerate();
    tasks.filter_map(|(at, task)| Some((at, test_file_of(task)?))).collect()
}

/// The test among a task's own files that proves it: one that its command names, else one that is named like a test.
pub(crate) fn test_file_of(task: &Task) -> Option<String> {
    let stated = task.test.inline || !task.test_files().is_empty();
    if stated || infer_mode(task, &is_test_path) != Mode::Tdd {
        return None;
    }
    let mut written =
        task.steps.iter().filter(|s| s.action == Action::WriteTest).filter_map(|s| s.file.as_deref());
    if let Some(path) = written.find(|path| is_test_path(path)) {
        return Some(path.to_owned());
    }
    let changed = task.files.create.iter().chain(&task.files.modify).map(String::as_str);
    let tests: Vec<&str> = changed.filter(|path| is_test_path(path)).collect();
    let script = task.verification.as_ref().map_or("", |v| v.script.as_str());
    let command = task.test.command.as_deref().unwrap_or("");
    let run = tests.iter().find(|path| is_run_by(script, path) || is_run_by(command, path));
    run.or_else(|| tests.iter().find(|path| is_named_like_a_test(path)))
        .or_else(|| tests.iter().find(|path| is_run_for_its_place(path)))
        .map(|path| (*path).to_owned())
}

/// Whether a command names the file, or the test target that cargo makes of it (`--test roman`).
fn is_run_by(command: &str, path: &str) -> bool {
    let option = (Language::row_of(path).test_option)(path);
    let has = |wanted: &str| command.split_whitespace().any(|word| word == wanted);
    command.contains(path) || option.is_some_and(|option| option.split(' ').all(has))
}

/// Whether runners take the file for a test because of where it is: `tests/roman.rs` of a Rust package, a script right
/// inside `test`. What tests share is told by its name.
fn is_run_for_its_place(path: &str) -> bool {
    const SHARED: [&str; 9] =
        ["mod", "common", "helper", "helpers", "util", "utils", "setup", "index", "fixtures"];
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
    (Language::row_of(name).test_by_place)(file_name(dir)) && !SHARED.contains(&file_stem(name))
}

/// Whether a file is a test itself by its name, and not only something that tests use.
fn is_named_like_a_test(path: &str) -> bool {
    let name = file_name(path).to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    let said = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| matches!(word, "test" | "tests" | "spec"));
    said || stem != "conftest" && ["test", "tests", "spec"].iter().any(|word| stem.ends_with(word))
}
