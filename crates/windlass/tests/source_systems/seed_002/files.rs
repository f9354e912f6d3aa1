//! The files of a session, as planning writes them: their names, keys and texts.

use serde_json::{Value, json};
use windlass_testkit::{PlanTask, TestRepo};

use super::session::{SESSION, as_ccw_writes, planned, read, session, stories, tasks, text};
use crate::frame::{codes, empty, json as printed, typed};

pub(super) fn a_file_per_feature() {
    let repo = planned(&stories(5), &json!({}));
    for n in 1..=5 {
        assert_eq!(read(&repo, &format!(".task/IMPL-{n}.json"))["id"], format!("IMPL-{n}"));
    }
    assert!(!repo.path(&format!("{SESSION}/.task/IMPL-6.json")).exists());
}

pub(super) fn the_outline_is_a_tdd_plan() {
    let repo = planned(&stories(2), &json!({}));
    let outline = read(&repo, "plan.json");
    assert_eq!(outline["_metadata"]["plan_type"], "tdd");
    assert_eq!((&outline["task_ids"], &outline["task_count"]), (&json!(["IMPL-1", "IMPL-2"]), &json!(2)));
}

fn document(count: usize) -> String {
    planned(&stories(count), &json!({})).read(&format!("{SESSION}/IMPL_PLAN.md"))
}

pub(super) fn the_document_has_its_front_matter() {
    let text = document(3);
    let front = text.split("---").nth(1).unwrap();
    for line in ["workflow_type: \"tdd\"", "tdd_workflow: true", "feature_count: 3", "task_breakdown:"] {
        assert!(front.contains(line), "{line}: {front}");
    }
    assert!(document(1).contains("feature_count: 1"));
}

pub(super) fn the_document_has_its_section() {
    let text = document(2);
    let (_, tasks) = text.split_once("\n## TDD Implementation Tasks\n").unwrap();
    for word in [
        "### IMPL-1: ",
        "### IMPL-2: ",
        "- **Red**: Write 2 test cases: [",
        "- **Green**: ",
        "- **Refactor**: ",
    ] {
        assert!(tasks.contains(word), "{word}: {tasks}");
    }
}

/// A container with two parts, as CCW writes it.
fn container() -> TestRepo {
    let repo = planned(&stories(3), &json!({}));
    let mut task = read(&repo, ".task/IMPL-3.json");
    task.as_object_mut().unwrap().remove("windlass");
    for (id, after) in [("IMPL-3.1", json!(["IMPL-1"])), ("IMPL-3.2", json!(["IMPL-3.1"]))] {
        (task["id"], task["depends_on"]) = (id.into(), after);
        task["cli_execution"] = json!({ "id": format!("WFS-shop-{id}"), "strategy": "new" });
        repo.write(&format!("{SESSION}/.task/{id}.json"), &task.to_string());
    }
    let mut outline = read(&repo, "plan.json");
    outline["task_ids"] = json!(["IMPL-1", "IMPL-2", "IMPL-3", "IMPL-3.1", "IMPL-3.2"]);
    repo.write(&format!("{SESSION}/plan.json"), &outline.to_string());
    repo
}

pub(super) fn containers_are_read() {
    let plan = printed(&container(), &["export", SESSION, "--to", "json", "--stdout"]);
    let task = |id: &str| plan["tasks"].as_array().unwrap().iter().find(|t| t["id"] == id).unwrap().clone();
    assert_eq!(
        (task("IMPL-3.1")["parent"].as_str(), task("IMPL-3.2")["parent"].as_str()),
        (Some("IMPL-3"), Some("IMPL-3"))
    );
    assert_eq!(task("IMPL-3.2")["depends_on"], json!(["IMPL-3.1"]));
    let drawn = container().windlass(&["graph", SESSION]).ends(0).stdout;
    let at = |id: &str| drawn.find(id).unwrap_or(usize::MAX);
    assert!(at("IMPL-3.1") < at("IMPL-3.2"), "{drawn}");
}

/// Three questions on a terminal; the tool is asked for only where it matters.
pub(super) fn a_terminal_is_asked_three_things() {
    let repo = session(&stories(1), &json!({}));
    let said = typed(&repo, &["plan", SESSION], "\nhybrid\ngemini\n");
    for word in ["more to go by?", "agent, hybrid, cli", "codex"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let repo = session(&stories(1), &json!({}));
    let said = typed(&repo, &["plan", SESSION], "\nagent\n");
    assert!(!said.contains("qwen"), "an agent needs no tool: {said}");
}

pub(super) fn yes_asks_nothing() {
    let repo = session(&stories(1), &json!({}));
    let said = typed(&repo, &["plan", SESSION, "--yes"], "");
    assert!(!said.contains('?'), "{said}");
    assert_eq!(execution(&repo)["method"], "agent");
}

fn execution(repo: &TestRepo) -> Value {
    read(repo, ".task/IMPL-1.json")["meta"]["execution_config"].take()
}

fn with_method(guidance: &str, more: &[&str]) -> TestRepo {
    let repo = session(guidance, &json!({}));
    repo.windlass(&[&["plan", SESSION, "--yes"], more].concat()).ends(0);
    repo
}

pub(super) fn flags_choose_method_and_tool() {
    for (method, tool) in [("cli", "codex"), ("cli", "gemini"), ("cli", "qwen")] {
        let found = execution(&with_method(&stories(1), &["--method", method, "--tool", tool]));
        assert_eq!((found["method"].as_str(), found["cli_tool"].as_str()), (Some(method), Some(tool)));
    }
    assert_eq!(execution(&with_method(&stories(1), &["--method", "agent"]))["method"], "agent");
    session(&stories(1), &json!({})).windlass(&["plan", SESSION, "--method", "magic"]).ends(2).says("hybrid");
}

pub(super) fn resuming_is_for_tools() {
    let flag = |more: &[&str]| execution(&with_method(&stories(1), more))["enable_resume"].take();
    assert_eq!(flag(&["--method", "agent"]), json!(false));
    assert_eq!(flag(&["--method", "cli", "--tool", "codex"]), json!(true));
}

/// Hybrid: five cases are simple, six are not; three files are simple, four are not.
pub(super) fn hybrid_goes_by_size() {
    let story = |criteria: usize, files: usize| {
        let cases: String =
            (1..=criteria).map(|n| format!("- [ ] AC-{n}: `part({n})` returns {n}\n")).collect();
        let rows: String = (1..=files).map(|n| format!("| src/area{n}.py | create |\n")).collect();
        format!(
            "# Shop\n\n## User stories\n\n### US-1: Keep a shop\n\nAs a buyer, I want a shop.\n\n#### Acceptance criteria\n\n{cases}\n\
             ## Technical design\n\n| File | Operation |\n|---|---|\n{rows}"
        )
    };
    let method = |criteria, files| {
        let repo = with_method(&story(criteria, files), &["--method", "hybrid", "--tool", "codex"]);
        text(&execution(&repo)["method"]).to_owned()
    };
    assert_eq!(method(5, 1), "agent");
    assert_eq!(method(6, 1), "cli");
    assert_eq!(method(2, 3), "agent");
    assert_eq!(method(2, 5), "cli");
}

pub(super) fn steps_have_no_command() {
    for repo in
        [planned(&stories(2), &json!({})), with_method(&stories(2), &["--method", "cli", "--tool", "codex"])]
    {
        for task in tasks(&repo) {
            for step in task["implementation"].as_array().unwrap() {
                assert!(step.get("command").is_none(), "{step}");
            }
            assert!(task["meta"]["execution_config"]["method"].is_string());
        }
    }
}

/// The words of the session choose the tool.
pub(super) fn words_choose_the_tool() {
    for (words, tool) in
        [("Shop parts, use Codex", "codex"), ("Shop parts; please use Gemini for it", "gemini")]
    {
        let repo = session(&stories(1), &json!({}));
        let mut about = read(&repo, "workflow-session.json");
        about["project"] = words.into();
        repo.write(&format!("{SESSION}/workflow-session.json"), &about.to_string());
        repo.windlass(&["plan", SESSION, "--yes"]).ends(0);
        let found = execution(&repo);
        assert_eq!(
            (found["method"].as_str(), found["cli_tool"].as_str()),
            (Some("cli"), Some(tool)),
            "{words}"
        );
    }
    assert_eq!(execution(&planned(&stories(1), &json!({})))["cli_tool"], Value::Null);
}

/// A resolution counts from risk medium on.
pub(super) fn conflicts_are_read_on_demand() {
    let notes = |risk: &str| {
        let package = json!({ "conflict_detection": { "risk_level": risk, "resolution_file": ".process/conflict-resolution.json" } });
        let repo = session(&stories(1), &package);
        let resolution = json!({ "planning_constraints": ["keep the old names"] });
        repo.write(&format!("{SESSION}/.process/conflict-resolution.json"), &resolution.to_string());
        repo.windlass(&["plan", SESSION, "--yes"]).ends(0);
        repo.read(&format!("{SESSION}/.task/IMPL-1.json"))
    };
    assert!(notes("medium").contains("keep the old names"));
    assert!(notes("high").contains("keep the old names"));
    assert!(!notes("low").contains("keep the old names"));
}

pub(super) fn patterns_reach_the_tasks() {
    let package = json!({ "exploration_results": { "aggregated_insights": { "all_patterns": ["repositories return copies"] } } });
    let repo = planned(&stories(2), &package);
    for n in 1..=2 {
        let brief =
            repo.windlass(&["show", &format!("IMPL-{n}"), "--brief", "--plan", SESSION]).ends(0).screen();
        assert!(brief.contains("repositories return copies"), "{brief}");
    }
}

pub(super) fn the_metadata_is_there() {
    let repo = planned(&stories(3), &json!({}));
    for task in tasks(&repo) {
        assert_eq!(
            (&task["meta"]["tdd_workflow"], &task["meta"]["max_iterations"]),
            (&json!(true), &json!(3)),
            "{task}"
        );
        assert_eq!(task["implementation"][1]["test_fix_cycle"]["max_iterations"], 3);
    }
}

pub(super) fn every_task_has_an_execution() {
    let repo = planned(&stories(3), &json!({}));
    for task in tasks(&repo) {
        assert_eq!(task["cli_execution"]["id"], format!("WFS-shop-{}", text(&task["id"])));
    }
}

/// The executions of tasks with these dependencies, in a session that is written for them.
fn strategies(depends: &[(&str, &[&str])]) -> Vec<Value> {
    let tasks: Vec<PlanTask> = depends.iter().map(|(id, after)| PlanTask::shell(id).after(after)).collect();
    let repo = empty().plan("demo", &tasks).committed();
    repo.windlass(&["export", "plans/demo", "--to", "ccw", "-o", "out"]).ends(0);
    let outline: Value = serde_json::from_str(&repo.read("out/.workflow/active/WFS-demo/plan.json")).unwrap();
    let ids = outline["task_ids"].as_array().unwrap().clone();
    let task = |id: &Value| {
        serde_json::from_str(&repo.read(&format!("out/.workflow/active/WFS-demo/.task/{}.json", text(id))))
            .unwrap()
    };
    ids.iter().map(task).map(|task: Value| task["cli_execution"].clone()).collect()
}

/// The sessions that a run of such a session tells its agents: each has one of its own, `s-TASK`.
fn told(depends: &[(&str, &[&str])]) -> String {
    let tasks: Vec<PlanTask> = depends.iter().map(|(id, after)| PlanTask::shell(id).after(after)).collect();
    let repo = empty().plan("demo", &tasks).committed();
    repo.windlass(&["export", "plans/demo", "--to", "ccw", "-o", "."]).ends(0);
    repo.commit("a session");
    let home = repo.home();
    let agent = "cmd:echo \"$WINDLASS_TASK $WINDLASS_SESSION\" >> \"$HOME/sessions\"; \
        echo \"{\\\"session\\\": \\\"s-$WINDLASS_TASK\\\"}\" > \"$WINDLASS_RESULT\"; \
        echo \"echo $WINDLASS_TASK\" > $WINDLASS_TASK.sh";
    let session = ".workflow/active/WFS-demo";
    repo.windlass(&["run", session, "--yes", "--agent", agent, "--share", home.to_str().unwrap()]).ends(0);
    std::fs::read_to_string(home.join("sessions")).unwrap()
}

/// The name of the execution that another goes on with.
fn resumed(execution: &Value) -> &str {
    text(&execution["resume_from"])
}

pub(super) fn without_dependencies_a_session_is_new() {
    for execution in strategies(&[("a", &[]), ("b", &[])]) {
        assert_eq!(execution["strategy"], "new");
        assert!(execution.get("resume_from").is_none(), "{execution}");
    }
}

pub(super) fn an_only_child_resumes() {
    let all = strategies(&[("a", &[]), ("b", &["a"])]);
    assert_eq!(
        (all[1]["strategy"].as_str(), resumed(&all[1])),
        (Some("resume"), text(&all[0]["id"])),
        "{all:?}"
    );
    assert_eq!(told(&[("a", &[]), ("b", &["a"])]), "a new\nb resume s-a\n");
}

pub(super) fn several_children_fork() {
    let all = strategies(&[("a", &[]), ("b", &["a"]), ("c", &["a"])]);
    for at in [1, 2] {
        assert_eq!(
            (all[at]["strategy"].as_str(), resumed(&all[at])),
            (Some("fork"), text(&all[0]["id"])),
            "{all:?}"
        );
    }
    let told = told(&[("a", &[]), ("b", &["a"]), ("c", &["a"])]);
    assert!(told.contains("b fork s-a") && told.contains("c fork s-a"), "{told}");
}

pub(super) fn several_parents_are_merged() {
    let all = strategies(&[("a", &[]), ("b", &[]), ("c", &["a", "b"])]);
    assert_eq!(all[2]["strategy"], "merge_fork", "{all:?}");
    assert_eq!(all[2]["resume_from"], json!([all[0]["id"], all[1]["id"]]));
    let told = told(&[("a", &[]), ("b", &[]), ("c", &["a", "b"])]);
    assert!(told.contains("c fork s-a") || told.contains("c fork s-b"), "{told}");
}

/// What a person changes in a task that planning wrote is what counts.
#[test]
fn edits_of_a_task_count() {
    let repo = planned(&stories(1), &json!({}));
    let mut task = read(&repo, ".task/IMPL-1.json");
    task["implementation"][0]["description"] = "Write 2 test cases: [one_and_two, nothing_is_wrong]".into();
    task["convergence"]["criteria"][0] = "`part1(2)` returns 7".into();
    task["focus_paths"] = json!(["src/shop.py"]);
    repo.write(&format!("{SESSION}/.task/IMPL-1.json"), &task.to_string());
    let brief = repo.windlass(&["show", "IMPL-1", "--brief=test-writer", "--plan", SESSION]).ends(0).screen();
    assert!(brief.contains("one_and_two") && brief.contains("returns 7"), "{brief}");
    let plan = printed(&repo, &["export", SESSION, "--to", "json", "--stdout"]);
    assert_eq!(plan["tasks"][0]["criteria"][0]["id"], "AC-11", "what the file has no key for stays");
    assert_eq!(plan["tasks"][0]["focus_paths"], json!(["src/shop.py"]));
}

fn red_flag(change: impl Fn(&mut Value), code: &str) {
    let repo = planned(&stories(1), &json!({}));
    let mut task = read(&repo, ".task/IMPL-1.json");
    as_ccw_writes(&mut task);
    change(&mut task);
    repo.write(&format!("{SESSION}/.task/IMPL-1.json"), &task.to_string());
    let (_, found) = codes(&repo, SESSION);
    assert!(found.iter().any(|c| c == code), "{code}: {found:?}");
    repo.windlass(&["export", SESSION, "--to", "ccw", "-o", SESSION]).ends(0);
    let log = repo.read(&format!("{SESSION}/.process/tdd-warnings.log"));
    assert!(log.contains(code), "{code}: {log}");
}

pub(super) fn too_many_tasks_are_a_red_flag() {
    let repo = planned(&stories(19), &json!({}));
    assert!(repo.read(&format!("{SESSION}/.process/tdd-warnings.log")).contains("WL0113"));
    assert!(codes(&repo, SESSION).1.iter().any(|c| c == "WL0113"));
}

pub(super) fn a_missing_execution_is_a_red_flag() {
    red_flag(|t| t["cli_execution"] = json!({ "strategy": "new" }), "WL0704");
}

pub(super) fn a_missing_cycle_is_a_red_flag() {
    red_flag(
        |t| {
            t["implementation"][1].as_object_mut().unwrap().remove("test_fix_cycle");
            t["meta"].as_object_mut().unwrap().remove("max_iterations");
        },
        "WL0445",
    );
}

pub(super) fn circles_are_errors() {
    let repo = planned(&stories(2), &json!({}));
    let mut first = read(&repo, ".task/IMPL-1.json");
    first["depends_on"] = json!(["IMPL-2"]);
    repo.write(&format!("{SESSION}/.task/IMPL-1.json"), &first.to_string());
    let mut second = read(&repo, ".task/IMPL-2.json");
    second["depends_on"] = json!(["IMPL-1"]);
    repo.write(&format!("{SESSION}/.task/IMPL-2.json"), &second.to_string());
    let (code, found) = codes(&repo, SESSION);
    assert!(code == Some(1) && found.iter().any(|c| c == "WL0150"), "{found:?}");
}

pub(super) fn planning_says_where_it_is() {
    let said = session(&stories(2), &json!({})).windlass(&["plan", SESSION, "--yes"]).ends(0).screen();
    let at: Vec<usize> = ["✓ documents", "✓ code", "✓ specification", "✓ plan: 2 tasks"]
        .iter()
        .map(|w| said.find(w).unwrap_or(0))
        .collect();
    assert!(at.windows(2).all(|pair| pair[0] < pair[1]), "{said}");
}

pub(super) fn the_result_is_validated() {
    let repo = planned(&stories(3), &json!({}));
    let (code, found) = codes(&repo, SESSION);
    assert_eq!(code, Some(0), "{found:?}");
    std::fs::remove_file(repo.path(&format!("{SESSION}/.task/IMPL-2.json"))).unwrap();
    let said = repo.windlass(&["check", SESSION]);
    assert!(said.code == Some(1) && said.screen().contains("IMPL-2"), "{said}");
}
