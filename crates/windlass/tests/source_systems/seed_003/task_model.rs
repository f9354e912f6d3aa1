//! Tasks that name no files: what their tests import is what they are going to make.

use serde_json::{Value, json};
use windlass_testkit::TestRepo;

use crate::frame::{empty, program};

/// The test of a module `vi.NAME`.
fn test_of(name: &str) -> String {
    format!(
        "import unittest\n\nfrom vi.{name} import answer\n\n\nclass T(unittest.TestCase):\n    def test_answer(self):\n        self.assertEqual(answer(2), 4)\n"
    )
}

const AGENT: &str = "[buffer]\nwrite vi/buffer.py <<END\ndef answer(n):\n    return n + n\nEND\n\
    [cursor]\nwrite vi/cursor.py <<END\ndef answer(n):\n    return n * n\nEND\n\
    [alpha]\nwrite vi/alpha.py <<END\ndef answer(n):\n    return 2 + n\nEND\n\
    [gate]\nwrite vi/keys.py <<END\ndef answer(n):\n    return n + 2\nEND\n\
    [notes]\nwrite docs/notes.md <<END\n# Notes\nEND\n";

/// The task model of super-planner as it is: a description and a test file, a test command, a convention, a command without
/// a file, and no testing at all. No task names a file.
fn project() -> TestRepo {
    let tasks = json!([
        {"id": "buffer", "title": "buffer", "description": "A buffer", "test_file": "tests/test_buffer.py", "state": "pending"},
        {"id": "cursor", "title": "cursor", "description": "A cursor", "state": "pending",
         "test_command": "python3 -m unittest tests/test_cursor.py"},
        {"id": "alpha", "title": "alpha", "description": "By its name", "state": "pending"},
        {"id": "gate", "title": "gate", "description": "A command alone", "state": "pending", "test_command": "python3 -m unittest checks.keys"},
        {"id": "notes", "title": "notes", "description": "Write notes", "state": "pending", "requires_testing": false},
    ]);
    let by_id: serde_json::Map<String, Value> =
        tasks.as_array().unwrap().iter().map(|t| (t["id"].as_str().unwrap().to_owned(), t.clone())).collect();
    let project = json!({"id": "vi", "name": "A vi editor", "tasks": by_id});
    let mut repo = empty()
        .file("tests/__init__.py", "")
        .file("checks/__init__.py", "")
        .file("checks/keys.py", &test_of("keys"))
        .file("vi/__init__.py", "")
        .file("docs/vi.json", &project.to_string());
    for name in ["buffer", "cursor", "alpha"] {
        repo = repo.file(&format!("tests/test_{name}.py"), &test_of(name));
    }
    repo.agent(AGENT).committed()
}

pub(super) fn the_task_model_of_super_planner_runs_as_it_is() {
    let repo = project();
    repo.run(&["docs/vi.json", "--yes"]).ends(0);
    let status = repo.windlass(&["status", "--json"]).ends(0);
    let status: Value = serde_json::from_str(&status.stdout).unwrap();
    assert_eq!(status["counts"]["completed"], 5, "{status}");
    let branch = status["branch"].as_str().unwrap();
    for file in ["vi/buffer.py", "vi/cursor.py", "vi/alpha.py", "vi/keys.py", "docs/notes.md"] {
        repo.git(&["show", &format!("{branch}:{file}")]);
    }
    let notes = repo.windlass(&["show", "notes"]).ends(0).stdout;
    assert!(notes.contains("unproved"), "{notes}");
    repo.windlass(&["land"]).ends(0);
    assert!(repo.read("vi/buffer.py").contains("def answer"));
}

/// From a subdirectory, and after a run by path, the plan is found again.
#[test]
fn land_and_retry_find_a_plan_that_was_run_by_its_path() {
    let repo = project();
    repo.run(&["docs/vi.json", "--yes", "--until", "buffer"]);
    let below = |args: &[&str]| {
        let mut command = repo.command(program());
        let out = command.current_dir(repo.path("tests")).args(args).output().unwrap();
        (
            out.status.code(),
            format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr)),
        )
    };
    let (code, said) = below(&["retry", "buffer"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("its text has not changed since"), "{said}");
    let (code, said) = below(&["land"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("partial: 1 of 5 tasks completed"), "{said}");
}
