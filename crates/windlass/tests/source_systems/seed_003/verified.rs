//! The loop of work, tests and repairs, on the document's own model of a task.

use serde_json::{Value, json};
use windlass_testkit::{TestRepo, eventually};

use crate::frame::{codes, empty, json as printed, state, write};

/// A project of tasks, as the document models them.
pub(super) fn project(tasks: &[Value]) -> String {
    let named: serde_json::Map<String, Value> =
        tasks.iter().map(|t| (t["id"].as_str().unwrap().to_owned(), t.clone())).collect();
    json!({ "id": "vi", "name": "A vi editor", "tasks": named }).to_string()
}

/// A task of the document's model.
pub(super) fn task(id: &str, after: &[&str], more: &[(&str, Value)]) -> Value {
    let mut task = json!({ "id": id, "description": format!("The {id} of the editor"), "state": "pending", "dependencies": after });
    for (key, value) in more {
        task[*key] = value.clone();
    }
    task
}

/// The test of a module `vi.NAME`, in unittest's form.
fn test_of(name: &str) -> String {
    format!(
        "import unittest\n\nfrom vi.{name} import put\n\n\nclass T(unittest.TestCase):\n    def test_put(self):\n        self.assertEqual(put('ab', 1, 'X'), 'aXb')\n"
    )
}

pub(super) const GOOD: &str = "def put(text, at, what):\n    return text[:at] + what + text[at:]\n";
const BAD: &str = "def put(text, at, what):\n    return text + what\n";

/// Projects within projects: a leaf below so many parents. Their files, the first of which is the top.
pub(super) fn nested(depth: usize) -> Vec<(String, String)> {
    let one = |n: usize| {
        let more = if n == depth {
            vec![
                ("test_command", json!("test -s leaf.txt")),
                ("windlass", json!({ "files": { "create": ["leaf.txt"] } })),
            ]
        } else {
            vec![("is_parent", json!(true)), ("sub_project_id", json!(format!("p{}", n + 1)))]
        };
        let id = format!("t{n}");
        let tasks = json!({ &id: task(&id, &[], &more) });
        (
            format!("projects/p{n}.json"),
            json!({ "id": format!("p{n}"), "name": format!("p{n}"), "tasks": tasks }).to_string(),
        )
    };
    (0..=depth).map(one).collect()
}

/// An editor with tests that wait for their modules, and an agent.
pub(super) fn editor(tasks: &[Value], tests: &[&str], script: &str) -> TestRepo {
    let mut repo = empty()
        .file("vi/__init__.py", "")
        .file("tests/__init__.py", "")
        .file("docs/vi.json", &project(tasks));
    for name in tests {
        repo = repo.file(&format!("tests/test_{name}.py"), &test_of(name));
    }
    repo.agent(script).committed()
}

pub(super) fn buffer(more: &[(&str, Value)]) -> Value {
    task(
        "buffer",
        &[],
        &[&[("test_command", json!("python3 -m unittest tests/test_buffer.py"))], more].concat(),
    )
}

pub(super) fn module(name: &str, code: &str) -> String {
    write(&format!("vi/{name}.py"), code)
}

fn attempts(repo: &TestRepo, id: &str) -> Vec<Value> {
    let told = printed(repo, &["show", id, "--json"]);
    told["history"]["attempts"].as_array().cloned().unwrap_or_default()
}

/// Pending, in progress, testing, completed: each is seen while it is true.
pub(super) fn states_follow_each_other() {
    let slow = json!("sleep 4; python3 -m unittest tests/test_buffer.py");
    let tasks = [
        buffer(&[("test_command", slow)]),
        task("cursor", &["buffer"], &[("test_file", json!("tests/test_cursor.py"))]),
    ];
    let script = format!(
        "[buffer]\nwrite {{home}}/began yes\nwait-for {{home}}/go\n{}[cursor]\n{}",
        module("buffer", GOOD),
        module("cursor", GOOD)
    );
    let repo = editor(&tasks, &["buffer", "cursor"], &script);
    let run = repo.start_run(&["docs/vi.json", "--yes"]);
    let began = repo.home().join("began");
    eventually("the agent is at work", || began.exists());
    assert_eq!(
        (state(&repo, "buffer").as_str(), state(&repo, "cursor").as_str()),
        ("in_progress", "pending")
    );
    std::fs::write(repo.home().join("go"), "").unwrap();
    eventually("its tests run", || state(&repo, "buffer") == "testing");
    run.wait_long().ends(0);
    assert_eq!(
        (state(&repo, "buffer").as_str(), state(&repo, "cursor").as_str()),
        ("completed", "completed")
    );
}

/// Failed tests are a state of their own for as long as no one works on them: here the run may spend nothing more.
pub(super) fn failed_tests_are_a_state() {
    let usage = "result {\"usage\": {\"input_tokens\": 1000, \"output_tokens\": 10}}\n";
    let repo = editor(&[buffer(&[])], &["buffer"], &format!("[*]\n{}{usage}", module("buffer", BAD)));
    repo.run(&["docs/vi.json", "--yes", "--max-tokens", "100"]);
    assert_eq!(state(&repo, "buffer"), "test_failed");
    repo.windlass(&["export", "docs/vi.json", "--to", "superplanner", "-o", "out"]).ends(0);
    assert!(repo.read("out/vi.json").contains("\"test_failed\""), "{}", repo.read("out/vi.json"));
    // Once no try is left it is failed, which is told from work that goes on.
    repo.write("windlass.toml", "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n");
    repo.run(&["docs/vi.json", "--yes"]).ends(1);
    assert_eq!(state(&repo, "buffer"), "failed");
}

pub(super) fn blocked_means_a_person_is_needed() {
    let repo = editor(
        &[buffer(&[])],
        &["buffer"],
        "[*]\nresult {\"status\": \"blocked\", \"reason\": \"which encoding?\"}\n",
    );
    repo.run(&["docs/vi.json", "--yes"]).ends(3);
    assert_eq!(state(&repo, "buffer"), "blocked");
    repo.windlass(&["status"]).ends(0).says("which encoding?");
}

/// The agent says that it is done; the tests say that it is not.
pub(super) fn tests_run_by_themselves() {
    let said = "result {\"status\": \"done\", \"summary\": \"everything works\"}\n";
    let repo = editor(
        &[buffer(&[])],
        &["buffer"],
        &format!("[* fix]\n{}[*]\n{}{said}", module("buffer", GOOD), module("buffer", BAD)),
    );
    repo.run(&["docs/vi.json", "--yes"]).ends(0);
    let all = attempts(&repo, "buffer");
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all[0]["end"].to_string().contains("test"), "{}", all[0]["end"]);
    assert_eq!(repo.git(&["show", "windlass/vi:vi/buffer.py"]), GOOD.trim_end());
}

/// The bug-hunter's brief: the task, what failed in the tests' own words, and their command.
pub(super) fn the_bug_hunter_is_told() {
    let expected = "expect-brief The buffer of the editor\nexpect-brief 'abX' != 'aXb'\nexpect-brief python3 -m unittest tests/test_buffer.py\n";
    let script = format!("[* fix]\n{expected}{}[*]\n{}", module("buffer", GOOD), module("buffer", BAD));
    let repo = editor(&[buffer(&[])], &["buffer"], &script);
    repo.run(&["docs/vi.json", "--yes"]).ends(0);
    assert_eq!(attempts(&repo, "buffer").len(), 2);
}

/// Three bug-hunters by default, before anything else is tried.
pub(super) fn three_bug_hunters() {
    let wrong = |n: usize| module("buffer", &BAD.replace("text + what", &format!("text + what * {n}")));
    let script = format!(
        "[* fix 1]\n{}[* fix 2]\n{}[* fix 3]\n{}[*]\n{}",
        wrong(2),
        wrong(3),
        module("buffer", GOOD),
        wrong(1)
    );
    let repo = editor(&[buffer(&[])], &["buffer"], &script);
    repo.run(&["docs/vi.json", "--yes"]).ends(0);
    let rungs: Vec<String> = attempts(&repo, "buffer").iter().map(|a| a["rung"].to_string()).collect();
    assert_eq!(rungs, ["\"first\"", "{\"bug-hunter\":1}", "{\"bug-hunter\":2}", "{\"bug-hunter\":3}"]);
    // The same failure every time: still three.
    let same = editor(
        &[buffer(&[])],
        &["buffer"],
        &format!("[*]\n{}append vi/buffer.py # {{step}} {{try}}\n", module("buffer", BAD)),
    );
    same.run(&["docs/vi.json", "--yes"]).ends(1);
    let hunted = attempts(&same, "buffer").iter().filter(|a| a["rung"].get("bug-hunter").is_some()).count();
    assert_eq!(hunted, 3, "{:?}", attempts(&same, "buffer"));
}

pub(super) fn hopeless() -> TestRepo {
    let tasks = [
        buffer(&[]),
        task("cursor", &["buffer"], &[("test_file", json!("tests/test_cursor.py"))]),
        task("keys", &[], &[("test_file", json!("tests/test_keys.py"))]),
    ];
    let script = format!(
        "[buffer]\n{}append vi/buffer.py # {{step}} {{try}}\n[*]\nwrite vi/{{task}}.py <<END\n{GOOD}END\n",
        module("buffer", BAD)
    );
    let repo = editor(&tasks, &["buffer", "cursor", "keys"], &script);
    repo.run(&["docs/vi.json", "--yes"]).ends(1);
    repo
}

pub(super) fn the_end_has_the_details() {
    let repo = hopeless();
    assert_eq!(state(&repo, "buffer"), "failed");
    let status = repo.windlass(&["status"]).ends(0).screen();
    assert!(status.contains("buffer") && status.contains("failed"), "{status}");
    let story = repo.windlass(&["show", "buffer"]).ends(0).screen();
    assert!(story.contains("test_put") && story.contains("'abX' != 'aXb'"), "{story}");
}

pub(super) fn nothing_is_completed_with_failing_tests() {
    let repo = hopeless();
    assert_eq!(repo.subjects("windlass/vi"), ["keys: The keys of the editor"]);
    repo.windlass(&["audit"]).ends(0);
    let report = repo.windlass(&["report"]).ends(0).stdout;
    assert!(report.contains("tasks completed with failing tests | 0 | 0 | reached"), "{report}");
}

pub(super) fn dependants_do_not_run() {
    let repo = hopeless();
    assert_eq!(state(&repo, "cursor"), "skipped");
    assert!(attempts(&repo, "cursor").is_empty());
    repo.windlass(&["status"]).ends(0).says("needs `buffer`, which did not complete");
}

pub(super) fn independent_tasks_go_on() {
    let repo = hopeless();
    assert_eq!(state(&repo, "keys"), "completed");
}

pub(super) fn a_test_file_is_enough() {
    let tasks = [task(
        "cursor",
        &[],
        &[
            ("test_file", json!("tests/test_cursor.py")),
            ("windlass", json!({ "files": { "create": ["vi/cursor.py"] } })),
        ],
    )];
    let repo = editor(&tasks, &["cursor"], &format!("[*]\n{}", module("cursor", GOOD)));
    repo.run(&["docs/vi.json", "--yes"]).ends(0);
    repo.windlass(&["show", "cursor"]).ends(0).says("tests/test_cursor.py");
}

pub(super) fn a_test_command_is_enough() {
    let files = json!({ "files": { "create": ["vi/buffer.py"] } });
    let repo =
        editor(&[buffer(&[("windlass", files)])], &["buffer"], &format!("[*]\n{}", module("buffer", GOOD)));
    repo.run(&["docs/vi.json", "--yes"]).ends(0);
    repo.windlass(&["show", "buffer"]).ends(0).says("python3 -m unittest tests/test_buffer.py");
}

/// A project whose one task has nothing but its id, with these files: it runs, and this is what proved it.
fn by_convention(id: &str, files: &[(&str, &str)], proof: &str) {
    let mut repo = empty()
        .file("vi/__init__.py", "")
        .file("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = [\".\"]\n")
        .file("docs/vi.json", &project(&[task(id, &[], &[])]));
    for (path, text) in files {
        repo = repo.file(path, text);
    }
    let repo = repo.agent(&format!("[*]\n{}", module(id, GOOD))).committed();
    let (code, found) = codes(&repo, "docs/vi.json");
    assert_eq!(code, Some(0), "{id}: {found:?}");
    repo.run(&["docs/vi.json", "--yes"]).ends(0);
    let story = repo.windlass(&["show", id]).ends(0).screen();
    assert!(story.contains(proof), "{id}: {proof} is not in {story}");
}

pub(super) fn the_first_convention() {
    let test = test_of("alpha");
    by_convention("alpha", &[("tests/test_alpha.py", &test)], "tests/test_alpha.py");
    // It comes before the others.
    let make = "test-alpha:\n\ttrue\n";
    by_convention(
        "alpha",
        &[("tests/test_alpha.py", &test), ("Makefile", make), ("alpha_test.py", &test)],
        "tests/test_alpha.py",
    );
}

pub(super) fn the_second_convention() {
    let make = "test-beta:\n\tpython3 -m unittest checks/beta.py\n";
    by_convention(
        "beta",
        &[("Makefile", make), ("checks/__init__.py", ""), ("checks/beta.py", &test_of("beta"))],
        "make test-beta",
    );
}

pub(super) fn the_third_convention() {
    by_convention("gamma", &[("gamma_test.py", &test_of("gamma"))], "gamma_test.py");
    by_convention("delta", &[("vi/test_delta.py", &test_of("delta"))], "test_delta.py");
}

/// A task that nothing can show to be done is an error before the run, never a pass.
pub(super) fn without_a_test_nothing_runs() {
    let repo = editor(&[task("omega", &[], &[])], &[], "[*]\nwrite vi/omega.py x = 1\n");
    let (code, found) = codes(&repo, "docs/vi.json");
    assert!(code == Some(1) && found.iter().any(|c| c == "WL0301"), "{found:?}");
    repo.run(&["docs/vi.json", "--yes"]).ends(1).says("the run does not start");
}
