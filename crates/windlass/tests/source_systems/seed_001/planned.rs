//! What planning makes of the specifications: criteria, order, assertions, and the documents' own queries and gates on it.

use serde_json::{Value, json};

use super::session::{HomerunRepo, bash};
use crate::frame::{empty, fixture};

fn planned() -> HomerunRepo {
    let session = HomerunRepo::new();
    session.plan(&[]).ends(0);
    session
}

/// Every task of a file, with its parts.
fn all(tasks: &Value) -> Vec<&Value> {
    let own = tasks["tasks"].as_array().unwrap();
    own.iter()
        .flat_map(|task| std::iter::once(task).chain(task["subtasks"].as_array().into_iter().flatten()))
        .collect()
}

/// The task that owns a file.
fn of_file<'t>(tasks: &'t Value, path: &str) -> &'t Value {
    let owns = |task: &&&Value| {
        task["files"]["create"].as_array().is_some_and(|files| files.iter().any(|f| f == path))
    };
    all(tasks).iter().find(owns).copied().unwrap_or_else(|| panic!("no task makes {path}: {tasks:#}"))
}

fn criteria(task: &Value) -> Vec<&str> {
    task["acceptance_criteria"].as_array().unwrap().iter().map(|c| c["id"].as_str().unwrap()).collect()
}

pub(super) fn house_rules_reach_the_briefs() {
    let session = planned();
    let (code, said) = session.windlass(&[
        "run",
        "docs/tasks.json",
        "--agent",
        "cmd:true",
        "--dry-run",
        "--briefs",
        "--yes",
    ]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Always use bcrypt cost 12"), "{said}");
}

pub(super) fn the_coverage_query_finds_no_gap() {
    let session = planned();
    assert_eq!(session.bash(&fixture("001/coverage.sh")), "");
    for task in all(&session.json("docs/tasks.json")) {
        for key in ["user_stories", "acceptance_criteria", "adr_decisions"] {
            assert!(task["traces_to"][key].is_array(), "{} {key}", task["id"]);
        }
    }
    // A part serves the stories of its own criteria, not all of its parent's.
    for task in all(&session.json("docs/tasks.json")) {
        let stories = task["traces_to"]["user_stories"].as_array().unwrap().len();
        assert!(stories <= criteria(task).len().max(1), "{task:#}");
    }
}

pub(super) fn criteria_go_to_the_tasks_they_name() {
    let session = planned();
    let tasks = session.json("docs/tasks.json");
    assert!(criteria(of_file(&tasks, "src/routes/logout.ts")).contains(&"AC-009"), "{tasks:#}");
    assert!(criteria(of_file(&tasks, "src/routes/login.ts")).contains(&"AC-007"), "{tasks:#}");
    assert!(criteria(of_file(&tasks, "src/schema/users.ts")).contains(&"AC-001"), "{tasks:#}");
    assert!(criteria(of_file(&tasks, "src/middleware/auth.ts")).contains(&"AC-010"), "{tasks:#}");
}

pub(super) fn a_gap_is_found_from_either_file() {
    let session = planned();
    let mut state = session.json("state.json");
    state["traceability"]["acceptance_criteria"]["AC-099"] =
        json!({ "description": "Something nobody does" });
    let session = session.file("state.json", &state.to_string());
    for plan in ["docs/tasks.json", "state.json", "."] {
        let (code, said) = session.windlass(&["check", plan]);
        assert!(code == Some(1) && said.contains("no task covers `AC-099`"), "{plan}: {said}");
    }
}

pub(super) fn stated_dependencies_are_kept() {
    let session = planned();
    let tasks = session.json("docs/tasks.json");
    let id = |path: &str| of_file(&tasks, path)["id"].as_str().unwrap()[..3].to_owned();
    for (after, before) in [
        ("routes/logout", "middleware/auth"),
        ("routes/login", "services/auth"),
        ("models/user", "schema/users"),
    ] {
        let (after, before) = (id(&format!("src/{after}.ts")), id(&format!("src/{before}.ts")));
        let task = tasks["tasks"].as_array().unwrap().iter().find(|t| t["id"] == after.as_str()).unwrap();
        let waits = task["depends_on"].as_array().unwrap().iter().any(|d| d == before.as_str());
        assert!(waits, "{after} after {before}: {task:#}");
    }
}

pub(super) fn integration_tests_come_last() {
    let session = planned();
    let tasks = session.json("docs/tasks.json");
    let task = of_file(&tasks, "tests/integration/auth.test.ts");
    let most = tasks["tasks"].as_array().unwrap().iter().map(|t| t["id"].as_str().unwrap()).max().unwrap();
    assert_eq!(task["id"], most, "{tasks:#}");
    assert_eq!(of_file(&tasks, "src/services/auth.ts")["test_file"], "src/services/auth.test.ts");
}

pub(super) fn untestable_criteria_are_said_once_while_planning() {
    let prd = fixture("001/specs/PRD.md");
    let vague = [
        "should be user-friendly",
        "should work correctly",
        "must be fast",
        "Errors are handled",
        "Invalid input is properly handled",
    ];
    let more: String =
        vague.iter().enumerate().map(|(i, text)| format!("- [ ] AC-{}: {text}\n", 20 + i)).collect();
    let session = HomerunRepo::new().file("docs/specs/PRD.md", &format!("{prd}{more}"));
    let said = session.plan(&[]).stderr;
    for i in 0..vague.len() {
        let id = format!("`AC-{}` cannot be tested", 20 + i);
        assert_eq!(said.matches(&id).count(), 1, "{id}: {said}");
    }
    let (_, checked) = session.windlass(&["check", "docs/tasks.json"]);
    assert_eq!(checked.matches("`AC-20` cannot be tested").count(), 1, "{checked}");
}

/// The document's two tables of transformations.
pub(super) fn assertions_follow_the_table() {
    assertions_are_in_the_projects_language();
    let session = planned();
    let tasks = session.json("docs/tasks.json");
    let assertion = |id: &str| {
        let all = all(&tasks);
        let found =
            all.iter().flat_map(|t| t["acceptance_criteria"].as_array().unwrap()).filter(|c| c["id"] == id);
        let said: Vec<&str> = found.map(|c| c["test_assertion"].as_str().unwrap_or("none")).collect();
        assert!(!said.is_empty() && said.iter().all(|s| *s == said[0]), "{id}: {said:?}");
        said[0].to_owned()
    };
    assert_eq!(assertion("AC-004"), "expect(validatePassword('1234567')).toBe(false)");
    assert_eq!(assertion("AC-005"), "expect(screen.getByRole('alert')).toHaveTextContent(/invalid email/i)");
    assert_eq!(assertion("AC-008"), "expect(responseTime).toBeLessThan(200)");
    assert_eq!(assertion("AC-007"), "expect(response.status).toBe(401)");
    assert!(
        assertion("AC-006").starts_with("describe('given a registered user', () => { it('when they log in")
    );
}

/// In a Python project the same criteria become lines of its own tests, a scenario too, and a condition is no assertion.
fn assertions_are_in_the_projects_language() {
    let prd = "# PRD\n\n## US-001: Carts\n\n- [ ] AC-001: Given an empty cart, when an item is added, then the cart contains one item\n\
        - [ ] AC-002: Password must be >= 8 characters\n- [ ] AC-003: A discount of 10% is applied when total > 100\n\
        - [ ] AC-004: API returns {\"ok\": true}\n";
    let design = "# Technical Design\n\n## Components\n\n| Component | Responsibility | File |\n|---|---|---|\n\
        | Cart | Holds items | `src/cart.py` |\n| Cart API | HTTP endpoints | `src/api/cart.py` |\n";
    let session = HomerunRepo::new();
    std::fs::remove_file(session.path("package.json")).unwrap();
    let session = session
        .file("pyproject.toml", "[tool.pytest.ini_options]\n")
        .file("docs/specs/PRD.md", prd)
        .file("docs/specs/TECHNICAL_DESIGN.md", design);
    session.plan(&[]).ends(0);
    let tasks = session.json("docs/tasks.json");
    let all = all(&tasks);
    let of = |id: &str| {
        let found =
            all.iter().flat_map(|t| t["acceptance_criteria"].as_array().unwrap()).find(|c| c["id"] == id);
        found.and_then(|c| c["test_assertion"].as_str()).unwrap_or_default().to_owned()
    };
    assert_eq!(
        of("AC-001"),
        "def test_given_an_empty_cart_when_an_item_is_added_then_the_cart_contains_one_item(): …"
    );
    assert_eq!(of("AC-002"), "assert validate_password(\"1234567\") is False");
    assert_eq!(of("AC-003"), "");
    assert_eq!(of("AC-004"), "assert response.json() == {\"ok\":True}");
    assert!(criteria(of_file(&tasks, "src/api/cart.py")).contains(&"AC-004"), "{tasks:#}");
}

pub(super) fn parts_by_layer_have_their_own_tests_and_types() {
    let design = "# Technical Design\n\n## Tasks\n\n### T-1: Add audit logging\n\n| File | Task | Operation |\n|---|---|---|\n\
        | `src/models/audit_log.ts` | T-1 | create |\n| `src/services/audit.ts` | T-1 | create |\n\
        | `src/middleware/audit.ts` | T-1 | create |\n| `src/routes/audit.ts` | T-1 | create |\n";
    let session = HomerunRepo::new().file("docs/specs/TECHNICAL_DESIGN.md", design);
    session.plan(&[]).ends(0);
    let tasks = session.json("docs/tasks.json");
    let of = |path: &str| {
        let task = of_file(&tasks, path);
        (
            task["test_file"].as_str().unwrap_or_default().to_owned(),
            task["task_type"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let tests = [
        "src/models/audit_log.ts",
        "src/services/audit.ts",
        "src/middleware/audit.ts",
        "src/routes/audit.ts",
    ]
    .map(of);
    let files: std::collections::BTreeSet<&String> = tests.iter().map(|(file, _)| file).collect();
    assert_eq!(files.len(), 4, "{tests:?}");
    assert_eq!((tests[0].1.as_str(), tests[3].1.as_str()), ("add_field", "add_endpoint"), "{tests:?}");
    assert_ne!(tests[1].1, "add_endpoint");
}

/// A specification with five more criteria of the login endpoint.
fn many_criteria() -> HomerunRepo {
    let more = [
        "returns 429 after 5 tries",
        "returns 200 for the right password",
        "returns 400 without an email",
        "returns 400 without a password",
        "returns 403 for a blocked user",
    ];
    let lines: String = more
        .iter()
        .enumerate()
        .map(|(n, text)| format!("- [ ] AC-0{}: Login endpoint {text}\n", 11 + n))
        .collect();
    let session =
        HomerunRepo::new().file("docs/specs/PRD.md", &format!("{}{lines}", fixture("001/specs/PRD.md")));
    session.plan(&[]).ends(0);
    session
}

/// A part for each criterion, one after the other.
pub(super) fn parts_by_criterion() {
    let tasks = many_criteria().json("docs/tasks.json");
    let login = tasks["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|t| t["title"].as_str().unwrap().contains("Login"))
        .unwrap();
    let parts = login["subtasks"].as_array().unwrap();
    assert!(parts.len() >= 5, "{login:#}");
    for (n, part) in parts.iter().enumerate() {
        assert_eq!(criteria(part).len(), 1, "{part:#}");
        if n > 0 {
            assert!(part["depends_on"].as_array().unwrap().contains(&parts[n - 1]["id"]), "{part:#}");
        }
    }
    let covered: std::collections::BTreeSet<&str> = parts.iter().flat_map(criteria).collect();
    assert_eq!(covered.len(), parts.len(), "each criterion once");
}

/// What planning writes fits the schema that the document gives.
pub(super) fn the_file_fits_its_schema() {
    let schema: Value = serde_json::from_str(&fixture("001/tasks.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for session in [planned(), many_criteria()] {
        let tasks = session.json("docs/tasks.json");
        let wrong: Vec<String> =
            schema.iter_errors(&tasks).map(|e| format!("{} {e}", e.instance_path())).collect();
        assert_eq!(wrong, Vec::<String>::new());
    }
    let broken = fixture("001/tasks.json").replace("\"objective\"", "\"aim\"");
    assert!(!schema.is_valid(&serde_json::from_str(&broken).unwrap()), "the schema can fail");
}

pub(super) fn parts_have_the_fields_of_a_subtask() {
    let prd = format!(
        "{}- [ ] AC-011: Login endpoint returns 429 after 5 tries\n- [ ] AC-012: Login endpoint returns 200 for the right password\n- [ ] AC-013: Login endpoint returns 400 without an email\n",
        fixture("001/specs/PRD.md")
    );
    let session = HomerunRepo::new().file("docs/specs/PRD.md", &prd);
    session.plan(&[]).ends(0);
    let tasks = session.json("docs/tasks.json");
    let shown: Value = serde_json::from_str(&fixture("001/subtask.json")).unwrap();
    let parts: Vec<(&Value, &Value)> = tasks["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|t| t["subtasks"].as_array().into_iter().flatten().map(move |p| (t, p)))
        .collect();
    assert!(!parts.is_empty());
    for (parent, part) in parts {
        for key in shown.as_object().unwrap().keys() {
            assert!(part.get(key).is_some(), "{key}: {part:#}");
        }
        assert_eq!(part["parent_id"], parent["id"]);
        assert_eq!(part["blocked_by"], part["depends_on"]);
        assert!(part["id"].as_str().unwrap().starts_with(parent["id"].as_str().unwrap()));
    }
}

/// The document's queries. Two of them use variables that nothing in them sets; they are set from the same files.
pub(super) fn the_queries_work_on_our_files() {
    let session = planned();
    let set = "tasks=$(jq -c .tasks docs/tasks.json); state=$(cat state.json); jq() { command jq --argjson tasks \"$tasks\" \"$@\"; }; ";
    let query = |name: &str| {
        let text = fixture("001/queries.sh");
        let part = text.split("\n# ").find(|p| p.trim_start_matches("# ").starts_with(name)).unwrap();
        part.split_once('\n').unwrap().1.to_owned()
    };
    assert_eq!(session.bash(&format!("{set}{}", query("Get next pending"))).trim(), "001");
    let by_id: Value = serde_json::from_str(&session.bash(&query("Get task by ID"))).unwrap();
    assert_eq!(by_id["id"], "002");
    let input = query("Get task input").replace("$state.", "$state[0].");
    let input: Value = serde_json::from_str(&session.bash(&input)).unwrap();
    assert_eq!(input["task"]["id"], "002");
    assert_eq!(input["spec_paths"]["prd"], "docs/specs/PRD.md");
    assert_eq!(input["worktree_path"], "../myapp-create-user-auth-a1b2c3d4");
    let before: u64 = session.bash(&query("Count pending")).trim().parse().unwrap();
    assert_eq!(session.bash(&query("Update task status")), "");
    assert_eq!(session.json("docs/tasks.json")["tasks"][1]["status"], "completed");
    let after: u64 = session.bash(&query("Count pending")).trim().parse().unwrap();
    assert_eq!(after + 1, before);
    let parts: Value = serde_json::from_str(&session.bash(&query("Get all subtasks"))).unwrap();
    assert!(parts.is_array());
    let counts =
        "jq '.tasks | length' docs/tasks.json; jq '[.tasks[].subtasks // [] | length] | add' docs/tasks.json";
    assert!(session.bash(counts).lines().all(|line| line.parse::<u64>().is_ok()));
}

/// The four gates of the document, on the Markdown files that it asks for.
pub(super) fn the_gates_pass_on_our_task_files() {
    let session = HomerunRepo::new();
    let out = session.plan(&["--task-files"]).ends(0);
    let signal: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(signal["signal"], "PLANNING_COMPLETE");
    assert!(session.path(signal["tasks_file"].as_str().unwrap()).exists(), "{signal:#}");
    let names = session.bash("ls docs/tasks");
    assert!(names.lines().count() > 4 && names.starts_with("001-"), "{names}");
    let slug = |name: &str| {
        name.trim_end_matches(".md").chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    assert!(names.lines().all(slug), "{names}");
    for gate in ["cycle", "test-file", "order", "criteria"] {
        let said = session.bash(&fixture(&format!("001/gate-{gate}.sh")));
        assert!(!said.contains("VALIDATION_") && !said.contains("rror"), "{gate}: {said}");
    }
    let front = session.bash("head -20 docs/tasks/001-*.md");
    for key in ["id: \"001\"", "title:", "status: pending", "depends_on: []", "test_file:"] {
        assert!(front.contains(key), "{key}: {front}");
    }
    let state = session.json("state.json");
    assert_eq!(state["tasks"]["001"]["status"], "pending");
    let (code, said) = session.windlass(&["check", "state.json"]);
    assert!(matches!(code, Some(0 | 1)) && said.contains("user-auth"), "{said}");
}

pub(super) fn criteria_under_from_prd_are_read() {
    let task = "---\nid: \"001\"\ntitle: Add users\nstatus: pending\ndepends_on: []\ntest_file: tests/users.test.ts\n---\n\n\
        ## Objective\n\nKeep users.\n\n## Acceptance Criteria (From PRD)\n\n- [ ] AC-001: Users have a name\n- [ ] AC-002: Users have an email\n";
    let repo = empty().file("docs/tasks/001-users.md", task).committed();
    let out = repo.windlass(&["export", "docs/tasks", "--to", "json"]).ends(0);
    let plan: Value = serde_json::from_str(&out.stdout).unwrap();
    let ids: Vec<&str> =
        plan["tasks"][0]["criteria"].as_array().unwrap().iter().map(|c| c["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["AC-001", "AC-002"], "{plan:#}");
}

/// A script as the document's own validation of criteria would judge them.
pub(super) fn the_testability_script_accepts_the_examples() {
    let session = planned();
    let said = bash(&session.repo, &session.path(""), &fixture("001/testability.sh"));
    assert!(
        said.contains("behavioral:") && said.contains("assertion:") && said.contains("quantitative:"),
        "{said}"
    );
}
