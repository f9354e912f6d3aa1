//! Bad input: every field of every schema missing, mistyped and repeated; broken files; paths that lead nowhere.

use serde_json::{Value, json};
use windlass_testkit::TestRepo;

use crate::frame::{empty, fixture};

/// A plan in one of the documents' formats that has no mistake, and one of its tasks.
pub(crate) struct Sample {
    /// The file that holds the task.
    pub(crate) path: &'static str,
    /// What `check` is given.
    pub(crate) plan: &'static str,
    pub(crate) document: Value,
    /// Where the task is in the document.
    pub(crate) task: &'static str,
    /// The fields that its schema requires.
    required: &'static [&'static str],
}

pub(crate) fn samples() -> Vec<Sample> {
    let homerun: Value = serde_json::from_str(&fixture("001/tasks.json")).unwrap();
    let zerg = json!({ "feature": "a", "version": "2.0", "tasks": [{
        "id": "A-L1-001", "title": "Add a", "description": "Add a.", "phase": "foundation", "level": 1, "dependencies": [],
        "files": { "create": ["a.sh", "tests/test_a.sh"], "modify": [], "read": [] },
        "verification": { "command": "sh tests/test_a.sh", "timeout_seconds": 60 }, "steps": [
            { "step": 1, "action": "write_test", "file": "tests/test_a.sh", "run": "", "verify": "none" },
            { "step": 2, "action": "verify_fail", "run": "sh tests/test_a.sh", "verify": "exit_code_nonzero" },
            { "step": 3, "action": "implement", "file": "a.sh", "run": "", "verify": "none" },
            { "step": 4, "action": "verify_pass", "run": "sh tests/test_a.sh", "verify": "exit_code" } ] }] });
    let superplanner = json!({ "id": "vi", "name": "vi", "tasks": { "buffer": {
        "id": "buffer", "description": "A buffer", "state": "pending", "dependencies": [], "test_command": "sh tests/test_buffer.sh",
        "test_file": "tests/test_buffer.sh", "requires_testing": true, "is_parent": false } } });
    let ccw = json!({
        "id": "IMPL-1", "title": "Add doubling", "description": "Double a number.", "focus_paths": ["double.py", "test_double.py"],
        "depends_on": [], "convergence": { "criteria": ["double(2) returns 4"], "verification": "pytest test_double.py", "definition_of_done": "All 1 tests pass with >=85% coverage: verify by pytest" },
        "files": [{ "path": "double.py", "action": "create" }],
        "implementation": [
            { "step": 1, "title": "Red", "description": "Write 1 test case: [double_2]", "tdd_phase": "red" },
            { "step": 2, "title": "Green", "description": "Implement 1 function in double.py lines 1-2: [double() 1-2]", "tdd_phase": "green", "test_fix_cycle": { "max_iterations": 3 } },
            { "step": 3, "title": "Refactor", "description": "Apply 1 refactoring: [shorter names (double.py)]", "tdd_phase": "refactor" } ],
        "meta": { "tdd_workflow": true, "max_iterations": 3, "execution_config": { "method": "agent", "cli_tool": null, "enable_resume": false } },
        "cli_execution": { "id": "WFS-x-IMPL-1", "strategy": "new" },
        "tdd_cycles": [{ "test_count": 1, "test_cases": ["double_2"], "implementation_scope": "1 function in double.py", "expected_coverage": ">=85%" }],
        "pre_analysis": [{ "step": "integration_points", "action": "read double.py" }], "status": "pending" });
    vec![
        Sample {
            path: "docs/tasks.json",
            plan: "docs/tasks.json",
            document: homerun,
            task: "/tasks/0",
            required: &[
                "id",
                "title",
                "objective",
                "acceptance_criteria",
                "status",
                "depends_on",
                "task_type",
                "traces_to",
                "test_file",
            ],
        },
        Sample {
            path: "task-graph.json",
            plan: "task-graph.json",
            document: zerg,
            task: "/tasks/0",
            required: &["id", "title", "level", "files"],
        },
        Sample {
            path: "docs/vi.json",
            plan: "docs/vi.json",
            document: superplanner,
            task: "/tasks/buffer",
            required: &["description", "state", "dependencies"],
        },
        Sample {
            path: ".workflow/active/WFS-x/.task/IMPL-1.json",
            plan: ".workflow/active/WFS-x",
            document: ccw,
            task: "",
            required: &["id", "title", "focus_paths", "convergence", "cli_execution", "meta", "pre_analysis"],
        },
    ]
}

/// A repository with an empty session.
pub(crate) fn a_repo() -> TestRepo {
    let session = json!({ "session_id": "WFS-x", "project": "x" }).to_string();
    empty()
        .file(".workflow/active/WFS-x/workflow-session.json", &session)
        .file("docs/other.md", "# Other\n")
        .committed()
}

impl Sample {
    /// What `check` finds in a text, and whether it leaves the file as it is.
    fn found(&self, repo: &TestRepo, text: &str) -> Vec<String> {
        repo.write(self.path, text);
        let out = repo.windlass(&["check", "--format", "json", "--all", self.plan]);
        assert_eq!(repo.read(self.path), text, "the file is left alone");
        let findings: Value = serde_json::from_str(&out.stdout).unwrap_or_default();
        let all = findings["diagnostics"].as_array().cloned().unwrap_or_default();
        let mut found: Vec<String> = all.iter().map(|d| format!("{} {}", d["code"], d["message"])).collect();
        if found.is_empty() && out.code != Some(0) {
            found.push(out.screen());
        }
        found
    }

    /// The document with a change of its task.
    fn with(&self, change: impl FnOnce(&mut serde_json::Map<String, Value>)) -> String {
        let mut document = self.document.clone();
        change(document.pointer_mut(self.task).unwrap().as_object_mut().unwrap());
        document.to_string()
    }

    fn keys(&self) -> Vec<(String, Value)> {
        let task = self.document.pointer(self.task).unwrap().as_object().unwrap();
        task.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }
}

/// A required field that is missing is found; so is a field of another type, and one that is given twice.
#[test]
fn every_field_is_checked() {
    for sample in samples() {
        let repo = a_repo();
        let clean = sample.found(&repo, &sample.document.to_string());
        let is_new = |found: &[String]| found.iter().any(|f| !clean.contains(f));
        for (key, value) in sample.keys() {
            if sample.required.contains(&key.as_str()) {
                let found = sample.found(&repo, &sample.with(|task| drop(task.shift_remove(&key))));
                assert!(is_new(&found), "{} without `{key}`: {found:?}", sample.path);
            }
            for odd in [json!(7), json!([]), json!({}), json!(true)] {
                let same = std::mem::discriminant(&odd) == std::mem::discriminant(&value);
                if same || (odd.is_array() && value.is_null()) {
                    continue;
                }
                let found = sample.found(&repo, &sample.with(|task| task[&key] = odd.clone()));
                assert!(is_new(&found), "{} with `{key}: {odd}`: {found:?}", sample.path);
            }
        }
        let title = if sample.task == "/tasks/buffer" { "description" } else { "title" };
        let named = format!("\"{title}\":");
        let twice = sample.document.to_string().replacen(&named, &format!("{named}\"other\",{named}"), 1);
        let found = sample.found(&repo, &twice);
        assert!(found.iter().any(|f| f.contains("WL0005")), "{}: {found:?}", sample.path);
    }
}

/// Nothing in the place of an item is a mistake, and so are numbers and lists in the place of texts inside the parts of a task.
#[test]
fn items_of_lists_are_checked() {
    let places: [(usize, &[&str]); 4] = [
        (
            0,
            &["/tasks/0/acceptance_criteria/0", "/tasks/0/traces_to/user_stories/0", "/tasks/0/depends_on/-"],
        ),
        (
            1,
            &[
                "/tasks/0/steps/0",
                "/tasks/0/steps/1/action",
                "/tasks/0/steps/1/run",
                "/tasks/0/files/create/0",
            ],
        ),
        (2, &["/tasks/buffer/dependencies/-"]),
        (
            3,
            &[
                "/focus_paths/0",
                "/tdd_cycles/0/test_cases/0",
                "/cli_execution/strategy",
                "/meta/max_iterations",
            ],
        ),
    ];
    for (sample, pointers) in places {
        let sample = samples().swap_remove(sample);
        let repo = a_repo();
        let clean = sample.found(&repo, &sample.document.to_string());
        for pointer in pointers {
            for odd in [Value::Null, json!([]), json!(true)] {
                if odd.is_null() && *pointer == "/meta/max_iterations" {
                    continue; // Without it, the limit of the green step counts.
                }
                let mut document = sample.document.clone();
                if let Some(list) = pointer.strip_suffix("/-") {
                    document.pointer_mut(list).unwrap().as_array_mut().unwrap().push(odd.clone());
                } else {
                    *document.pointer_mut(pointer).unwrap() = odd.clone();
                }
                let found = sample.found(&repo, &document.to_string());
                assert!(found.iter().any(|f| !clean.contains(f)), "{pointer}: {odd}: {found:?}");
            }
        }
    }
}

/// What a state file says in another type is found; a mark at its beginning is none.
#[test]
fn state_files_are_checked() {
    let state: Value = serde_json::from_str(&fixture("001/state.json")).unwrap();
    let repo = empty().file("docs/tasks.json", &fixture("001/tasks.json")).committed();
    let check = |text: &str| {
        repo.write("state.json", text);
        let out = repo.windlass(&["check", "state.json"]);
        (out.code, out.screen())
    };
    let clean = check(&state.to_string());
    assert_eq!(clean.0, Some(0), "{}", clean.1);
    assert_eq!(check(&format!("\u{feff}{state}")), clean);
    for (pointer, odd) in [
        ("/config/auto_mode", json!("yes")),
        ("/config/timeout_minutes", json!("30")),
        ("/config/retries/same_agent", json!(-1)),
        ("/config/retries/fresh_agent", json!([2])),
        ("/config/max_identical_rejections", json!(true)),
        ("/config", json!("auto")),
    ] {
        let mut wrong = state.clone();
        *wrong.pointer_mut(pointer).unwrap() = odd;
        let (code, said) = check(&wrong.to_string());
        assert!(code == Some(1) && said.contains("WL0003"), "{pointer}: {said}");
    }
    for (pointer, odd) in [("/spec_paths/prd", json!(7)), ("/spec_paths", json!([])), ("/phase", json!({}))] {
        let mut wrong = state.clone();
        *wrong.pointer_mut(pointer).unwrap() = odd;
        assert!(check(&wrong.to_string()).1.contains("WL0003"), "{pointer}");
    }
}

/// Every mistake is said in one go, and a run does not start.
#[test]
fn all_mistakes_are_said_at_once() {
    for sample in samples() {
        let repo = a_repo();
        let broken = sample.with(|task| {
            for (key, value) in task.iter_mut().filter(|(key, _)| *key != "id") {
                *value = if value.is_object() || key == "test_file" { json!([]) } else { json!({}) };
            }
        });
        let found = sample.found(&repo, &broken);
        let mistyped = found.iter().filter(|f| f.contains("WL0003")).count();
        assert!(
            mistyped + 3 >= sample.keys().len(),
            "{}: {mistyped} of {}: {found:?}",
            sample.path,
            sample.keys().len()
        );
        repo.commit("broken");
        let out = repo.windlass(&["run", sample.plan, "--agent", "cmd:true", "--yes"]);
        assert!(matches!(out.code, Some(1 | 2)), "{}: {out}", sample.path);
        assert!(repo.try_git(&["rev-parse", "--verify", "-q", "windlass/x"]).is_err());
    }
}

/// Files that are no JSON, or end too early, are named, and left as they are.
#[test]
fn broken_files_are_named() {
    for sample in samples() {
        let repo = a_repo();
        let whole = sample.document.to_string();
        for text in ["{ broken", &whole[..whole.len() / 2], "", "[]", "\u{feff}{\"tasks\": 7}"] {
            repo.write(sample.path, text);
            let out = repo.windlass(&["check", sample.plan]);
            assert!(matches!(out.code, Some(1 | 2)), "{} {text}: {out}", sample.path);
            assert_eq!(repo.read(sample.path), text);
        }
    }
}

/// Paths that lead nowhere end with exit code 2, and make nothing.
#[test]
fn paths_must_lead_somewhere() {
    let repo = empty().file("a.md", "# A\n").committed();
    for args in [
        &["check", "nowhere.json"][..],
        &["run", "nowhere", "--agent", "cmd:true", "--yes"],
        &["plan", "nowhere.md"],
        &["plan", "--input", "nowhere.json"],
        &["export", "nowhere", "--to", "ccw", "-o", "out"],
        &["graph", "docs/tasks.json"],
        &["next", "docs/tasks.json"],
    ] {
        repo.windlass(args).ends(2);
    }
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}
