//! Sessions carried out: the roles of a team, the three phases, and a session's files afterwards.

use serde_json::{Value, json};
use windlass_testkit::{PlanTask, TestRepo};

use super::session::{SESSION, planned, read, session, stories};
use crate::frame::{empty, json as printed, state, write};

const APPROVED: &str = "result {\"verdict\": \"APPROVED\"}\n";
const REJECTED: &str = "result {\"verdict\": \"REJECTED\", \"issues\": [{\"criterion\": \"AC-1\", \"severity\": \"medium\", \"message\": \"docstring missing\"}]}\n";

/// Two tasks that are carried out by a shell script each, with a team.
fn team(roles: &str, script: &str) -> TestRepo {
    empty()
        .file("windlass.toml", &format!("[team]\n{roles}"))
        .plan("demo", &[PlanTask::shell("a"), PlanTask::shell("b")])
        .committed()
        .agent(script)
}

/// The planner is asked, its answer is checked, and one that fits no plan leaves the draft.
pub(super) fn a_planner_decomposes() {
    let repo = session(&stories(2), &json!({}));
    repo.write(
        "planner.py",
        "import json, sys\nbrief = sys.stdin.read()\nassert 'Part 1' in brief or 'part1' in brief\nfile = 'windlass-plan/plan.json'\n\
         plan = json.load(open(file))\nplan['tasks'][0]['notes'] = 'Mind the zero.'\njson.dump(plan, open(file, 'w'))\n",
    );
    repo.commit("a planner");
    let agent = format!("cmd:python3 {}", repo.path("planner.py").display());
    repo.windlass(&["plan", SESSION, "--yes", "--agent", &agent]).ends(0).says("changed 1 task");
    assert!(repo.read(&format!("{SESSION}/.task/IMPL-1.json")).contains("Mind the zero."));
    let talker = session(&stories(2), &json!({}));
    let said = talker.windlass(&["plan", SESSION, "--yes", "--agent", "cmd:echo I would split it"]).ends(0);
    assert!(said.stderr.contains("the derived plan is kept"), "{said}");
    assert!(talker.path(&format!("{SESSION}/.task/IMPL-2.json")).is_file());
}

/// A reviewer before the first task and after each green one; a rejection goes to the bug-hunter in its words.
pub(super) fn reviewers_look_before_and_after() {
    let before = team(
        "plan_reviewer = \"cmd:fake-agent\"\n",
        &format!("[plan.plan-reviewer]\n{REJECTED}[*]\nwrite {{task}}.sh echo {{task}}\n"),
    );
    before.run(&[]).ends(3).says("the plan was rejected");
    assert_eq!(before.subjects("windlass/demo"), [""; 0]);
    let script = format!(
        "[a review 1]\n{REJECTED}[* review]\n{APPROVED}[a fix]\nexpect-brief docstring missing\nwrite a.sh <<END\n# says a\necho a\nEND\n[*]\nwrite {{task}}.sh echo {{task}}\n"
    );
    let after = team("reviewer = \"cmd:fake-agent\"\n", &script);
    after.run(&[]).ends(0);
    assert_eq!(after.git(&["show", "windlass/demo:a.sh"]), "# says a\necho a");
}

pub(super) fn an_integrator_forms_the_queue() {
    let queue = "[plan.integrator]\nexpect-brief ### a: Say a\nresult {\"queue\": [\"b\", \"a\"], \"conflicts\": [{\"tasks\": [\"a\", \"b\"], \
        \"severity\": \"high\", \"reason\": \"one file\", \"order\": [\"b\", \"a\"]}]}\n[*]\nwrite {task}.sh echo {task}\n";
    let repo = team("integrator = \"cmd:fake-agent\"\n", queue);
    repo.run(&[]).ends(0);
    assert_eq!(repo.subjects("windlass/demo"), ["b: Say b", "a: Say a"]);
}

/// The verifier sees what the implementer says it did.
pub(super) fn an_implementer_is_verified() {
    let honest = team("", "[*]\nwrite {task}.sh echo {task}\n");
    honest.run(&[]).ends(0);
    assert_eq!(honest.subjects("windlass/demo").len(), 2);
    let liar = team(
        "",
        "[*]\nwrite {task}.sh echo done\nresult {\"status\": \"done\", \"summary\": \"all tests pass\"}\n",
    );
    liar.run(&[]).ends(1);
    assert_eq!(liar.subjects("windlass/demo"), [""; 0]);
}

/// A reviewer's edit leaves no trace, and words that are no verdict are none.
pub(super) fn roles_have_boundaries() {
    let edits = team(
        "reviewer = \"cmd:fake-agent\"\n",
        &format!(
            "[* review]\nwrite {{task}}.sh echo hacked\n{APPROVED}[*]\nwrite {{task}}.sh echo {{task}}\n"
        ),
    );
    edits.run(&[]).ends(0);
    assert_eq!(edits.git(&["show", "windlass/demo:a.sh"]), "echo a");
    let vague = team(
        "reviewer = \"cmd:fake-agent\"\n",
        "[* review]\nresult {\"summary\": \"looks fine\"}\n[*]\nwrite {task}.sh echo {task}\n",
    );
    vague.run(&[]).ends(3).says("no verdict");
    assert_eq!(vague.subjects("windlass/demo"), [""; 0]);
}

pub(super) fn the_team_is_a_table() {
    let repo = team("reviewer = \"cmd:fake-agent\"\nplanner = \"cmd:fake-agent\"\n", "say hi\n");
    repo.windlass(&["check", "plans/demo"]).ends(0);
    let unknown = team("jester = \"cmd:fake-agent\"\n", "say hi\n");
    unknown.windlass(&["run", "--dry-run", "--yes"]).ends(2).says("jester");
}

const TESTS: &str = "import pytest\n\nfrom src.part_1 import part1\n\n\ndef test_ac_11_part1_2_returns_1():\n    assert part1(2) == 1\n\n\n\
    def test_ac_12_part1_0_raises_valueerror():\n    with pytest.raises(ValueError):\n        part1(0)\n";
const CODE: &str = "def part1(n):\n    if n == 0:\n        raise ValueError\n    return 1\n";
const TIDIED: &str = "def part1(n):\n    \"\"\"One for every number but zero.\"\"\"\n    if n == 0:\n        raise ValueError(n)\n    return 1\n";

fn script(code: &str, then: &str) -> String {
    format!(
        "[IMPL-1 write_test]\n{}[IMPL-1 implement]\n{}{then}",
        write("tests/test_part_1.py", TESTS),
        write("src/part_1.py", code)
    )
}

/// A planned session with its files committed, and an agent.
fn one_feature(script: &str) -> TestRepo {
    let repo = planned(&stories(1), &json!({}));
    repo.commit("the session");
    repo.script(script);
    repo
}

/// The actions of an attempt, in the order they ended.
fn actions(repo: &TestRepo, attempt: usize) -> Vec<String> {
    let told = printed(repo, &["show", "IMPL-1", "--json"]);
    let steps = told["history"]["attempts"][attempt]["steps"].as_array().cloned().unwrap_or_default();
    steps.iter().map(|step| step["action"].as_str().unwrap_or_default().to_owned()).collect()
}

/// A session from its folder to finished tasks: red, green, refactored, and the session's own lists say so.
pub(super) fn a_session_is_carried_out() {
    super::session::the_list_is_kept_in_step();
    let refactored = format!("[IMPL-1 refactor]\n{}", write("src/part_1.py", TIDIED));
    let repo = one_feature(&script(CODE, &refactored));
    repo.start_run(&[SESSION, "--yes"]).wait_long().ends(0);
    let order = actions(&repo, 0);
    let at = |action: &str| order.iter().position(|a| a == action).unwrap_or(usize::MAX);
    assert!(at("write_test") < at("verify_fail") && at("verify_fail") < at("implement"), "{order:?}");
    assert!(at("implement") < at("refactor") && at("refactor") < at("commit"), "{order:?}");
    assert_eq!(repo.git(&["show", "windlass/shop:src/part_1.py"]), TIDIED.trim_end());
    repo.windlass(&["export", SESSION, "--to", "ccw", "-o", SESSION]).ends(0);
    assert_eq!(read(&repo, ".task/IMPL-1.json")["status"], "completed");
    let todo = repo.read(&format!("{SESSION}/TODO_LIST.md"));
    assert!(
        todo.contains("- [x] **IMPL-1**") && todo.contains("(completed)") && !todo.contains("(pending)"),
        "{todo}"
    );
    assert_eq!(read(&repo, "workflow-session.json")["created_at"], "2025-01-01T00:00:00Z");
}

/// A refactoring that breaks the tests is dropped; the green code is what is merged.
pub(super) fn three_phases_in_order() {
    let broken = format!("[IMPL-1 refactor]\n{}", write("src/part_1.py", "def part1(n):\n    return 2\n"));
    let repo = one_feature(&script(CODE, &broken));
    repo.start_run(&[SESSION, "--yes"]).wait_long().ends(0).says("refactoring discarded");
    assert_eq!(repo.git(&["show", "windlass/shop:src/part_1.py"]), CODE.trim_end());
}

/// Green fails, the bug-hunter gets the tree as it is, at most as often as the cycle says; then back to red.
pub(super) fn the_green_phase_has_a_cycle() {
    let wrong = "def part1(n):\n    return 3\n";
    let fixed = format!(
        "[IMPL-1 fix 2]\n{}[IMPL-1 fix]\n{}[IMPL-1 refactor]\nsay no\n",
        write("src/part_1.py", CODE),
        write("src/part_1.py", "def part1(n):\n    return 4\n")
    );
    let repo = one_feature(&script(wrong, &fixed));
    repo.start_run(&[SESSION, "--yes"]).wait_long().ends(0);
    let told = printed(&repo, &["show", "IMPL-1", "--json"]);
    let rungs: Vec<String> =
        told["history"]["attempts"].as_array().unwrap().iter().map(|a| a["rung"].to_string()).collect();
    assert_eq!(rungs, ["\"first\"", "{\"bug-hunter\":1}", "{\"bug-hunter\":2}"]);
    let hopeless = one_feature(&script(
        wrong,
        &format!("[IMPL-1 fix]\n{}[IMPL-1 refactor]\nsay no\n", write("src/part_1.py", wrong)),
    ));
    hopeless.write("windlass.toml", "[ladder]\nsame_agent = 1\nfresh_agent = 0\ntier_up = 0\n");
    hopeless.commit("short");
    hopeless.start_run(&[SESSION, "--yes"]).wait_long().ends(1);
    assert_eq!(state(&hopeless, "IMPL-1"), "failed");
    let told = printed(&hopeless, &["show", "IMPL-1", "--json"]);
    let hunted = told["history"]["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|a| a["rung"].get("bug-hunter").is_some())
        .count();
    assert!((1..=3).contains(&hunted), "{told}");
    let last = told["history"]["attempts"].as_array().unwrap().last().cloned().unwrap_or(Value::Null);
    assert!(last["rung"].get("bug-hunter").is_none(), "then from red again: {last}");
}

/// `expected_coverage` of a cycle is a gate: code that the tests do not reach is refused. Go measures by itself.
#[expect(clippy::print_stdout, reason = "a tool that is missing is named in the output of the tests")]
pub(super) fn coverage_is_enforced() {
    if std::process::Command::new("go").arg("version").output().is_err() {
        println!("SKIPPED: no go");
        return;
    }
    let task = json!({
        "id": "IMPL-1", "title": "Add doubling", "description": "Double a number.", "focus_paths": ["double.go", "double_test.go"],
        "depends_on": [], "convergence": { "criteria": ["Double(2) returns 4"], "verification": "go test ./...",
            "definition_of_done": "All 1 tests pass with >=85% coverage: verify by go test ./..." },
        "files": [{ "path": "double.go", "action": "create" }, { "path": "double_test.go", "action": "create" }],
        "implementation": [
            { "step": 1, "title": "Red", "description": "Write 1 test case: [double_2]", "tdd_phase": "red" },
            { "step": 2, "title": "Green", "description": "Implement 1 function in double.go lines 1-10: [Double() 3-5]", "tdd_phase": "green", "test_fix_cycle": { "max_iterations": 3 } },
            { "step": 3, "title": "Refactor", "description": "Apply 1 refactoring: [shorter names (double.go)]", "tdd_phase": "refactor" } ],
        "meta": { "tdd_workflow": true, "max_iterations": 3, "execution_config": { "method": "agent", "cli_tool": null, "enable_resume": false } },
        "cli_execution": { "id": "WFS-go-IMPL-1", "strategy": "new" },
        "tdd_cycles": [{ "test_count": 1, "test_cases": ["double_2"], "implementation_scope": "1 function in double.go", "expected_coverage": ">=85%" }],
        "pre_analysis": [{ "step": "integration_points", "action": "read go.mod" }], "status": "pending" });
    let folder = ".workflow/active/WFS-go";
    let test = "package shop\n\nimport \"testing\"\n\nfunc TestDouble2(t *testing.T) {\n\tif Double(2) != 4 {\n\t\tt.Fatal(Double(2))\n\t}\n}\n";
    let good = "package shop\n\nfunc Double(n int) int {\n\treturn n + n\n}\n";
    let idle: String = (0..30).map(|n| format!("\tn += {n}\n")).collect();
    let wide = format!("{good}\nfunc Unused(n int) int {{\n{idle}\treturn n\n}}\n");
    let repo = empty()
        .file("go.mod", "module shop\n\ngo 1.19\n")
        .file(
            &format!("{folder}/workflow-session.json"),
            &json!({ "session_id": "WFS-go", "project": "go" }).to_string(),
        )
        .file(
            &format!("{folder}/plan.json"),
            &json!({ "task_ids": ["IMPL-1"], "task_count": 1, "_metadata": { "plan_type": "tdd" } })
                .to_string(),
        )
        .file(&format!("{folder}/.task/IMPL-1.json"), &task.to_string())
        .committed()
        .agent(&format!(
            "[* write_test]\n{}[* implement]\n{}[* fix]\nexpect-brief coverage\n{}[*]\nsay no\n",
            write("double_test.go", test),
            write("double.go", &wide),
            write("double.go", good)
        ));
    repo.start_run(&[folder, "--yes"]).wait_long().ends(0);
    let story = repo.windlass(&["show", "IMPL-1"]).ends(0).screen();
    assert!(story.contains("coverage") && story.contains("85"), "{story}");
    let told = printed(&repo, &["show", "IMPL-1", "--json"]);
    assert!(told["history"]["attempts"].as_array().unwrap().len() > 1, "refused once: {story}");
}
