//! Task graphs with steps: what is read, kept and refused.

use serde_json::{Value, json};
use windlass_testkit::TestRepo;

use super::plan::zerg;
use crate::frame::{empty, fixture};

/// A graph with one task and this step in place of its second.
fn graph(step: &Value) -> TestRepo {
    let steps = json!([
        { "step": 1, "action": "write_test", "file": "tests/test_a.sh", "code_snippet": "sh a.sh", "run": "", "verify": "none" },
        step,
        { "step": 3, "action": "implement", "file": "a.sh", "code_snippet": "true", "run": "", "verify": "none" },
    ]);
    let text = json!({ "feature": "a", "version": "2.0", "tasks": [{
        "id": "A-L1-001", "title": "Add a", "level": 1, "dependencies": [],
        "files": { "create": ["a.sh", "tests/test_a.sh"], "modify": [], "read": [] },
        "verification": { "command": "sh tests/test_a.sh", "timeout_seconds": 60 }, "steps": steps }] });
    empty().file("task-graph.json", &text.to_string()).committed()
}

/// Asserts that a step breaks the schema of steps, and how.
fn breaks(step: &Value, said: &str) {
    graph(step).windlass(&["check", "task-graph.json"]).ends(1).says("WL0003").says(said);
}

pub(super) fn steps_have_numbers() {
    let with = |number: Value| json!({ "step": number, "action": "verify_fail", "run": "false", "verify": "exit_code_nonzero" });
    for number in [json!(0), json!(-1), json!("two"), json!(1.5), json!(null), json!(true)] {
        breaks(&with(number), "`step` must be a whole number from 1");
    }
    breaks(&with(json!(1)), "numbers must be unique and ascending");
    breaks(&json!({ "action": "verify_fail", "run": "false" }), "this step has no `step`");
    graph(&with(json!(2))).windlass(&["check", "task-graph.json"]).ends(0);
}

pub(super) fn steps_have_commands() {
    breaks(
        &json!({ "step": 2, "action": "verify_fail", "verify": "exit_code_nonzero" }),
        "this step has no `run`",
    );
    breaks(&json!({ "step": 2, "action": "verify_fail", "run": ["false"] }), "a string expected");
}

pub(super) fn actions_are_an_enum() {
    let odd = graph(&json!({ "step": 2, "action": "dance", "run": "true", "verify": "exit_code" }));
    odd.windlass(&["check", "task-graph.json"]).ends(1).says("WL0012").says("`dance`");
    let none = graph(&json!({ "step": 2, "run": "true", "verify": "exit_code" }));
    none.windlass(&["check", "task-graph.json"]).says("WL0003");
}

pub(super) fn verify_is_an_enum_with_a_default() {
    let odd = graph(&json!({ "step": 2, "action": "verify_fail", "run": "false", "verify": "regex:FAILED" }));
    odd.windlass(&["check", "task-graph.json"]).ends(1).says("WL0012").says("regex:FAILED");
    let none = graph(&json!({ "step": 2, "action": "verify_pass", "run": "true" }));
    let out = none.windlass(&["export", "task-graph.json", "--to", "json"]).ends(0);
    let plan: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_ne!(plan["tasks"][0]["steps"][1]["verify"], "none", "{plan:#}");
}

pub(super) fn every_key_of_a_step_is_written_back() {
    let step = json!({ "step": 2, "action": "verify_fail", "file": "tests/test_a.sh", "code_snippet": "x", "run": "false", "verify": "exit_code_nonzero" });
    let repo = graph(&step);
    let out = repo.windlass(&["export", "task-graph.json", "--to", "zerg", "--stdout"]).ends(0);
    let (before, after): (Value, Value) = (
        serde_json::from_str(&repo.read("task-graph.json")).unwrap(),
        serde_json::from_str(&out.stdout).unwrap(),
    );
    assert_eq!(after["tasks"][0]["steps"], before["tasks"][0]["steps"]);
}

/// Siblings that cannot be parsed show nothing, and planning goes on.
pub(super) fn broken_files_show_nothing() {
    let repo = zerg().file("zerg/broken.py", "def (:\n").file("zerg/broken_too.py", "class\n");
    let out = repo
        .windlass(&["plan", "docs/design.md", "--stdout", "--format", "json", "--detail", "high"])
        .ends(0);
    let plan: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(plan["tasks"].as_array().unwrap().len(), 13);
}

pub(super) fn syntax_is_cached() {
    let repo = zerg();
    repo.windlass(&["plan", "docs/design.md", "--stdout", "--format", "json"]).ends(0);
    let cached = std::fs::read_dir(repo.top().join("cache/windlass")).unwrap().flatten().any(|dir| {
        let files = std::fs::read_dir(dir.path()).into_iter().flatten().flatten();
        files.map(|f| f.file_name().to_string_lossy().into_owned()).any(|name| name.starts_with("index-"))
    });
    assert!(cached);
}

pub(super) fn workers_shorten_the_plan() {
    let repo = zerg();
    repo.windlass(&["plan", "docs/design.md", "--yes"]).ends(0);
    let said = |n: &str| repo.windlass(&["graph", "--workers", n]).ends(0).stdout;
    assert_ne!(said("1"), said("3"));
}

/// The document's own design from specification to thirteen commits, with an agent that follows a script.
pub(super) fn the_design_is_carried_out() {
    let repo = zerg()
        .file(
            "pyproject.toml",
            "[project]\nname = \"zerg\"\nversion = \"0.1\"\n\n[tool.pytest.ini_options]\n",
        )
        .file("windlass.toml", "[verify]\ndocs = \"pass\"\n")
        .committed()
        .agent(&fixture("000/agent-script"));
    repo.windlass(&["plan", "docs/design.md", "--yes"]).ends(0);
    let run = repo.start_run(&["--yes"]).wait_long();
    let status = repo.windlass(&["status", "--json", "--all"]).ends(0);
    let status: Value = serde_json::from_str(&status.stdout).unwrap();
    assert_eq!(status["counts"]["completed"], 13, "{run}");
    assert_eq!(run.code, Some(0), "{run}");
}
