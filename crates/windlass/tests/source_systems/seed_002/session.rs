//! Sessions: what is read from them, what is written into them, and the rules of their tasks.

use serde_json::{Value, json};
use windlass_testkit::TestRepo;

use crate::frame::{empty, typed};

/// The folder of the session.
pub(super) const SESSION: &str = ".workflow/active/WFS-shop";

/// Stories with two criteria each.
pub(super) fn stories(count: usize) -> String {
    let mut text = String::from("# Shop\n\n## User stories\n");
    for n in 1..=count {
        text.push_str(&format!(
            "\n### US-{n}: Part {n}\n\nAs a buyer, I want part{n} so that I can buy.\n\n#### Acceptance criteria\n\n\
             - [ ] AC-{n}1: `part{n}(2)` returns {n}\n- [ ] AC-{n}2: `part{n}(0)` raises ValueError\n"
        ));
    }
    text
}

/// A Python repository with a session.
pub(super) fn session(guidance: &str, package: &Value) -> TestRepo {
    let about = json!({ "session_id": "WFS-shop", "project": "Shop parts", "workflow_type": "tdd",
        "created_at": "2025-01-01T00:00:00Z", "status": "planning" });
    empty()
        .file("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = [\".\"]\n")
        .file("src/__init__.py", "")
        .file("src/store.py", "class Store:\n    def get(self, key):\n        return None\n")
        .file(
            "tests/test_store.py",
            "from src.store import Store\n\n\ndef test_get():\n    assert Store().get(1) is None\n",
        )
        .file(&format!("{SESSION}/workflow-session.json"), &about.to_string())
        .file(&format!("{SESSION}/.process/context-package.json"), &package.to_string())
        .file(&format!("{SESSION}/.process/test-context-package.json"), "{}")
        .file(&format!("{SESSION}/guidance.md"), guidance)
        .committed()
}

pub(super) fn planned(guidance: &str, package: &Value) -> TestRepo {
    let repo = session(guidance, package);
    repo.windlass(&["plan", SESSION, "--yes"]).ends(0);
    repo
}

pub(super) fn read(repo: &TestRepo, path: &str) -> Value {
    serde_json::from_str(&repo.read(&format!("{SESSION}/{path}"))).unwrap()
}

pub(super) fn tasks(repo: &TestRepo) -> Vec<Value> {
    let outline = read(repo, "plan.json");
    let ids = outline["task_ids"].as_array().unwrap().clone();
    ids.iter().map(|id| read(repo, &format!(".task/{}.json", id.as_str().unwrap()))).collect()
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(super) fn outputs_go_into_the_session() {
    let repo = planned(&stories(2), &json!({}));
    let about = read(&repo, "workflow-session.json");
    assert_eq!(about["created_at"], "2025-01-01T00:00:00Z");
    assert_eq!(about["workflow_type"], "tdd");
    assert_eq!(about["status"], "planning", "what is there stays");
    for name in
        ["plan.json", "IMPL_PLAN.md", "TODO_LIST.md", ".task/IMPL-1.json", ".process/tdd-warnings.log"]
    {
        assert!(repo.path(&format!("{SESSION}/{name}")).is_file(), "{name}");
    }
    assert!(!repo.path("plans").exists());
    let again = session(&stories(2), &json!({}));
    again.windlass(&["plan", SESSION, "--yes", "--format", "ccw", "-o", SESSION]).ends(0);
    assert!(again.path(&format!("{SESSION}/plan.json")).is_file());
    assert!(!again.path(&format!("{SESSION}/.workflow")).exists());
}

pub(super) fn the_log_of_warnings_is_written() {
    a_removal_is_a_feature();
    let repo = planned(&stories(22), &json!({}));
    let log = repo.read(&format!("{SESSION}/.process/tdd-warnings.log"));
    assert!(log.contains("WL0113"), "{log}");
    let few = planned(&stories(1), &json!({}));
    assert!(few.path(&format!("{SESSION}/.process/tdd-warnings.log")).is_file());
}

/// To remove something is a feature like any other: it has its cycle, and nothing warns about what planning wrote itself.
fn a_removal_is_a_feature() {
    let guidance = "# Inventory\n\n## User stories\n\n### US-1: Remove items\n\n#### Acceptance criteria\n\n\
        - [ ] AC-1: `Store.remove(\"a\")` removes the item\n- [ ] AC-2: `Store.remove(\"x\")` raises KeyError\n";
    let repo = planned(guidance, &json!({}));
    let task = &tasks(&repo)[0];
    assert_eq!(task["tdd_cycles"][0]["test_count"], 2, "{task:#}");
    assert!(text(&task["implementation"][0]["description"]).starts_with("Write 2 test cases: ["), "{task:#}");
    let log = repo.read(&format!("{SESSION}/.process/tdd-warnings.log"));
    assert!(!log.contains("WL04"), "{log}");
}

pub(super) fn more_than_eighteen_tasks_are_said_while_planning() {
    let repo = session(&stories(22), &json!({}));
    let said = repo.windlass(&["plan", SESSION, "--yes"]).ends(0);
    assert!(said.screen().contains("WL0113"), "{}", said.screen());
}

pub(super) fn six_tasks_have_two_levels() {
    let flat = planned(&stories(5), &json!({}));
    assert!(tasks(&flat).iter().all(|t| !text(&t["id"]).contains('.')));
    let nested = planned(&stories(7), &json!({}));
    let ids: Vec<String> = tasks(&nested).iter().map(|t| text(&t["id"]).to_owned()).collect();
    assert!(ids.iter().any(|id| id == "IMPL-1") && ids.iter().any(|id| id == "IMPL-1.1"), "{ids:?}");
    assert_eq!(ids.iter().filter(|id| id.contains('.')).count(), 7, "{ids:?}");
}

/// A story whose design has eight files.
fn large() -> String {
    let mut text = stories(1).replace("Part 1", "Keep a shop");
    text.push_str("\n## Technical design\n\n| File | Operation | Lines |\n|---|---|---|\n");
    for n in 1..=8 {
        text.push_str(&format!("| src/area{n}.py | create | 40 |\n"));
    }
    text
}

pub(super) fn a_complex_feature_is_a_container() {
    let repo = planned(&large(), &json!({}));
    let all = tasks(&repo);
    let ids: Vec<&str> = all.iter().map(|t| text(&t["id"])).collect();
    assert_eq!(ids.iter().filter(|id| !id.contains('.')).count(), 1, "one feature is one task: {ids:?}");
    assert!(ids.contains(&"IMPL-1.1") && ids.contains(&"IMPL-1.2"), "{ids:?}");
    for part in all.iter().filter(|t| text(&t["id"]).contains('.')) {
        assert!(part["files"].as_array().unwrap().len() <= 6, "{part}");
    }
}

pub(super) fn a_feature_is_one_task() {
    let design = large()
        .lines()
        .filter(|l| !l.contains("area4") && !l.contains("area5"))
        .collect::<Vec<_>>()
        .join("\n");
    let small = design
        .replace("| src/area6.py | create | 40 |\n", "")
        .replace("| src/area7.py | create | 40 |\n", "");
    let repo = planned(&format!("{small}\n"), &json!({}));
    let all = tasks(&repo);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(!text(&all[0]["title"]).starts_with("Create src/"), "{}", all[0]["title"]);
}

/// Lines, files and languages of one task that should be several.
pub(super) fn large_features_are_found() {
    lines_in_a_scope_count();
    let files = |paths: &[&str], code: &str| {
        let paths: Vec<Value> =
            paths.iter().map(|path| json!({ "path": path, "action": "create" })).collect();
        check_says(|t| t["files"] = paths.clone().into(), code);
    };
    let seven: Vec<String> = (1..=7).map(|n| format!("src/area{n}.py")).collect();
    files(&seven.iter().map(String::as_str).collect::<Vec<_>>(), "WL0427");
    files(&["src/area.py", "web/area.ts", "web/area.css"], "WL0429");
}

fn lines_in_a_scope_count() {
    let repo = planned(&stories(1), &json!({}));
    let path = format!("{SESSION}/.task/IMPL-1.json");
    let mut task = read(&repo, ".task/IMPL-1.json");
    task["tdd_cycles"][0]["implementation_scope"] = json!("4 modules, about 2,600 lines");
    repo.write(&path, &task.to_string());
    let said = repo.windlass(&["check", SESSION]);
    assert!(said.screen().contains("WL0428"), "{}", said.screen());
}

pub(super) fn the_list_is_kept_in_step() {
    let repo = planned(&stories(1), &json!({}));
    let todo = repo.read(&format!("{SESSION}/TODO_LIST.md"));
    assert!(todo.contains("Red → Green → Refactor") && todo.contains("(pending)"), "{todo}");
    std::fs::remove_file(repo.path(&format!("{SESSION}/TODO_LIST.md"))).unwrap();
    repo.windlass(&["export", SESSION, "--to", "ccw", "-o", "out"]).ends(0);
    assert!(repo.read("out/TODO_LIST.md").contains("IMPL-1"));
}

pub(super) fn the_tool_is_written_and_read() {
    let repo = session(&stories(1), &json!({}));
    repo.windlass(&["plan", SESSION, "--yes", "--method", "cli", "--tool", "codex"]).ends(0);
    let config = &read(&repo, ".task/IMPL-1.json")["meta"]["execution_config"];
    assert_eq!(*config, json!({ "method": "cli", "cli_tool": "codex", "enable_resume": true }));
    let agent = planned(&stories(1), &json!({}));
    let config = &read(&agent, ".task/IMPL-1.json")["meta"]["execution_config"];
    assert_eq!(*config, json!({ "method": "agent", "cli_tool": null, "enable_resume": false }));
    let said = repo.windlass(&["check", SESSION]);
    assert!(!said.screen().contains("WL0710"), "{}", said.screen());
    let plan = repo.windlass(&["export", SESSION, "--to", "json", "--stdout"]).ends(0);
    let plan: Value = serde_json::from_str(&plan.stdout).unwrap();
    assert_eq!(plan["tasks"][0]["agent"], "codex");
}

pub(super) fn materials_are_paths_or_text() {
    let repo = session(&stories(1), &json!({}));
    repo.write("guide.md", "# Guide\n\n## Acceptance criteria\n\n- [ ] AC-80: `part1(9)` returns 9\n");
    repo.write("g2.md", "# More\n\n## Acceptance criteria\n\n- [ ] AC-90: `part1(8)` returns 8\n");
    repo.windlass(&["plan", SESSION, "--yes", "--material", "guide.md, g2.md"]).ends(0);
    let all = format!("{:?}", tasks(&repo));
    assert!(all.contains("returns 9") && all.contains("returns 8"), "{all}");
}

pub(super) fn a_wrong_answer_is_asked_again() {
    let repo = session(&stories(1), &json!({}));
    let said = typed(&repo, &["plan", SESSION], "\nbogus\ncli\ncodex\n");
    assert!(said.contains("`bogus` is not one of agent, hybrid, cli"), "{said}");
    let config = &read(&repo, ".task/IMPL-1.json")["meta"]["execution_config"];
    assert_eq!(config["method"], "cli", "{said}");
    assert_eq!(config["cli_tool"], "codex", "{said}");
}

pub(super) fn unreadable_packages_are_reported() {
    let repo = session(&stories(1), &json!({}));
    repo.write(&format!("{SESSION}/.process/context-package.json"), "{ broken");
    std::fs::remove_file(repo.path(&format!("{SESSION}/.process/test-context-package.json"))).unwrap();
    let said = repo.windlass(&["plan", SESSION, "--yes"]).ends(0).screen();
    assert!(said.contains("context-package.json` is not JSON"), "{said}");
    assert!(said.contains("test-context-package.json` does not exist"), "{said}");
}

pub(super) fn a_missing_synthesis_hides_nothing() {
    let package = json!({ "brainstorm_artifacts": {
        "synthesis_output": { "path": "synthesis.md", "exists": false },
        "guidance_specification": { "path": ".brainstorming/guidance.md", "exists": true },
        "role_analyses": [
            { "role": "system-architect", "files": [{ "path": ".brainstorming/architect.md" }] },
            { "role": "ux-expert", "files": [{ "path": ".brainstorming/ux.md" }] },
        ] } });
    let repo = session("# Nothing here\n", &package);
    let dir = format!("{SESSION}/.brainstorming");
    repo.write(&format!("{dir}/guidance.md"), &stories(1));
    repo.write(
        &format!("{dir}/architect.md"),
        "# Shop parts\n\n## Acceptance criteria\n\n- [ ] AC-70: `part1(7)` returns 7\n",
    );
    repo.write(
        &format!("{dir}/ux.md"),
        "# Colours\n\n## Acceptance criteria\n\n- [ ] AC-71: buttons are blue\n",
    );
    let said = repo.windlass(&["plan", SESSION, "--yes"]).ends(0).screen();
    let all = format!("{:?}", tasks(&repo));
    assert!(all.contains("part1(0)") && all.contains("returns 7"), "{all}");
    assert!(said.contains("ux-expert"), "{said}");
}

/// What the session's tools found out.
fn findings() -> Value {
    json!({
        "conflict_detection": { "risk_level": "medium" },
        "exploration_results": { "aggregated_insights": {
            "critical_files": ["src/store.py"],
            "constraints": ["no new third party dependency"],
            "all_patterns": ["small classes"],
            "all_integration_points": [{ "location": "src/store.py:2", "description": "add after get()" }],
        } },
    })
}

fn store_stories() -> String {
    "# Shop\n\n## User stories\n\n### US-1: List\n\nAs a buyer, I want `Store.list()`.\n\n#### Acceptance criteria\n\n\
     - [ ] AC-1: `Store.list()` returns every key\n\n### US-2: Count\n\nAs a buyer, I want `Store.count()`.\n\n\
     #### Acceptance criteria\n\n- [ ] AC-2: `Store.count()` returns 0 for an empty store\n"
        .to_owned()
}

pub(super) fn critical_files_are_the_focus() {
    let repo = planned(&store_stories(), &findings());
    for task in tasks(&repo) {
        assert!(task["focus_paths"].to_string().contains("src/store.py"), "{task}");
        assert!(!task["files"].to_string().contains("src/f_"), "{}", task["files"]);
    }
}

pub(super) fn constraints_hold_for_every_task() {
    let repo = planned(&store_stories(), &findings());
    for task in tasks(&repo) {
        assert!(task["convergence"]["criteria"].to_string().contains("no new third party"), "{task}");
        assert!(!task["tdd_cycles"].to_string().contains("third_party"), "no test case is made of it");
    }
}

pub(super) fn integration_points_reach_the_agent() {
    let repo = planned(&store_stories(), &findings());
    for task in tasks(&repo) {
        assert!(task["pre_analysis"].to_string().contains("add after get()"), "{task}");
    }
    let brief = repo.windlass(&["show", "IMPL-1", "--brief", "--plan", SESSION]).ends(0);
    assert!(brief.screen().contains("add after get()"), "{}", brief.screen());
}

pub(super) fn conflicts_order_their_tasks() {
    let mut package = findings();
    package["conflict_detection"]["resolution_file"] = json!(".process/conflict-resolution.json");
    let repo = session(&store_stories(), &package);
    let resolution = json!({ "resolved_conflicts": [{ "conflict_id": "C1", "brief": "list vs all",
        "affected_files": ["src/store.py"], "strategy_name": "keep list" }],
        "custom_conflicts": [{ "id": "C2", "brief": "two clocks", "suggestions": ["ask the author"] }] });
    repo.write(&format!("{SESSION}/.process/conflict-resolution.json"), &resolution.to_string());
    repo.windlass(&["plan", SESSION, "--yes"]).ends(0);
    let plan = repo.windlass(&["export", SESSION, "--to", "json", "--stdout"]).ends(0);
    let plan: Value = serde_json::from_str(&plan.stdout).unwrap();
    let all = plan["tasks"].as_array().unwrap();
    assert!(all.iter().any(|t| t["depends_on"].as_array().is_some_and(|d| !d.is_empty())), "{all:?}");
    let notes: Vec<&str> = all.iter().map(|t| text(&t["notes"])).collect();
    assert!(notes.iter().any(|n| n.contains("list vs all; resolved: keep list")), "{notes:?}");
    assert!(
        notes.iter().any(|n| n.contains("two clocks; not decided, suggested: ask the author")),
        "{notes:?}"
    );
}

pub(super) fn gaps_are_counted() {
    let repo = session(&store_stories(), &findings());
    let gaps = json!({ "coverage_gaps": [{ "file": "src/store.py", "missing": "empty store" }] });
    repo.write(&format!("{SESSION}/.process/test-context-package.json"), &gaps.to_string());
    repo.windlass(&["plan", SESSION, "--yes"]).ends(0);
    for task in tasks(&repo) {
        let cycle = &task["tdd_cycles"][0];
        let count = cycle["test_count"].as_u64().unwrap();
        assert_eq!(usize::try_from(count).unwrap(), cycle["test_cases"].as_array().unwrap().len());
        let red = text(&task["implementation"][0]["description"]);
        assert!(red.starts_with(&format!("Write {count} test case")), "{red} / {count}");
    }
    // Several cases of one file, in the other form; each is written once.
    let more = json!({ "coverage_analysis": { "gaps": [{ "file": "src/store.py", "missing": ["get of nothing", "a full store"] }] } });
    let repo = session(&store_stories(), &findings());
    repo.write(&format!("{SESSION}/.process/test-context-package.json"), &more.to_string());
    repo.windlass(&["plan", SESSION, "--yes"]).ends(0);
    let all: String = tasks(&repo).iter().map(|task| task["tdd_cycles"].to_string()).collect();
    for case in ["get_of_nothing", "a_full_store"] {
        assert_eq!(all.matches(&format!("\"{case}\"")).count(), 1, "{case}: {all}");
    }
}

pub(super) fn briefs_enumerate() {
    let repo = planned(&stories(1), &json!({}));
    let brief = |role: &str| {
        let role = format!("--brief={role}");
        repo.windlass(&["show", "IMPL-1", &role, "--plan", SESSION]).ends(0).screen()
    };
    assert!(brief("test-writer").contains("Write 2 test cases: ["), "{}", brief("test-writer"));
    assert!(brief("refactor").contains("refactoring"), "{}", brief("refactor"));
    assert!(brief("refactor").contains("Apply "), "{}", brief("refactor"));
    let task = read(&repo, ".task/IMPL-1.json");
    let refactor = text(&task["implementation"][2]["description"]);
    assert!(refactor.contains("part1") || refactor.contains("src/"), "specific: {refactor}");
}

/// The first task as CCW writes it: with its own keys only, and with the file that the work goes to.
pub(super) fn as_ccw_writes(task: &mut Value) {
    task.as_object_mut().unwrap().remove("windlass");
    task["files"] = json!([{ "path": "src/part1.py", "action": "create" }]);
}

/// A finding of `check` after a change to the first task.
fn check_says(change: impl Fn(&mut Value), code: &str) {
    let repo = planned(&stories(1), &json!({}));
    let clean = repo.windlass(&["check", SESSION]).screen();
    assert!(!clean.contains(code), "{clean}");
    let mut task = read(&repo, ".task/IMPL-1.json");
    as_ccw_writes(&mut task);
    change(&mut task);
    repo.write(&format!("{SESSION}/.task/IMPL-1.json"), &task.to_string());
    let said = repo.windlass(&["check", SESSION]).screen();
    assert!(said.contains(code), "{code}: {said}");
}

pub(super) fn uncounted_phases_are_found() {
    check_says(|t| t["implementation"][0]["description"] = json!("write some tests"), "WL0448");
    check_says(|t| t["implementation"][0]["description"] = json!("Write 9 test cases: [one]"), "WL0448");
    check_says(|t| t["implementation"][1]["description"] = json!("make it work"), "WL0449");
}

pub(super) fn green_places_are_real() {
    let design = "\n## Technical design\n\n| File | Operation |\n|---|---|\n| src/store.py | modify |\n";
    let repo = planned(&format!("{}{design}", store_stories()), &json!({}));
    let all = tasks(&repo);
    let green = text(&all.last().unwrap()["implementation"][1]["description"]).to_owned();
    assert!(green.contains("src/store.py lines 4-"), "behind the three lines that are there: {green}");
}

pub(super) fn missing_fields_are_red_flags() {
    check_says(|t| t["focus_paths"] = json!([]), "WL0446");
    check_says(|t| t["meta"]["tdd_workflow"] = Value::Null, "WL0450");
    check_says(|t| t["pre_analysis"] = json!([]), "WL0451");
}

pub(super) fn titles_are_not_paths() {
    let repo = planned(&large(), &json!({}));
    for task in tasks(&repo) {
        assert!(!text(&task["title"]).is_empty());
    }
    assert!(!text(&tasks(&repo)[0]["title"]).starts_with("Create src/"));
}
