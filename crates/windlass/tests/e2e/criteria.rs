//! Criteria and the tests that stand for them: proved, merged, open, and the test-writer asked once more.

use serde_json::Value;
use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{empty, evidence};

const CODE: &str = "def add(a, b):\n    return a + b\n\n\ndef neg(a):\n    return -a\n";

const ADDS: &str = "def test_adds():\n    from calc import add\n\n    assert add(1, 2) == 3\n";
const NEGATES: &str = "\n\ndef test_ac_2_negates():\n    from calc import neg\n\n    assert neg(4) == -4\n";

fn repo(criteria: &str, agent: &str) -> TestRepo {
    let task = PlanTask::new("calc", "Calculate")
        .front("test_file: test_calc.py")
        .raw("Acceptance Criteria", criteria)
        .section("Output Files", "", "WRITE: calc.py\nWRITE: test_calc.py")
        .verified_by("python3 -m pytest -q test_calc.py");
    empty().file(".gitignore", "__pycache__\n.pytest_cache\n").plan("demo", &[task]).committed().agent(agent)
}

fn json(repo: &TestRepo, args: &[&str]) -> Value {
    serde_json::from_str(&repo.windlass(args).ends(0).stdout).unwrap()
}

/// `AC-1 proved by test_adds`, for every criterion of the report.
fn standings(repo: &TestRepo) -> Vec<String> {
    let doc = json(repo, &["report", "--format", "json"]);
    let row = |c: &Value| {
        let tests: Vec<&str> = c["tests"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
        let word = |key: &str| c[key].as_str().unwrap().to_owned();
        format!(
            "{} {} by [{}]",
            word("criterion"),
            word("standing"),
            tests.join(" ").replace("test_calc.py::", "")
        )
    };
    doc["coverage"].as_array().unwrap().iter().map(row).collect()
}

fn turns(repo: &TestRepo) -> usize {
    let doc = json(repo, &["status", "--json", "--all"]);
    let attempts = doc["tasks"][0]["attempts"].as_array().unwrap().clone();
    attempts.iter().map(|a| a["turns"].as_array().unwrap().len()).sum()
}

#[test]
fn two_tests_do_not_prove_fifteen_criteria() {
    let many: Vec<String> = (1..=15).map(|n| format!("- AC-{n}: what {n} asks for")).collect();
    let agent = format!(
        "[calc write_test]\nwrite test_calc.py <<END\n{ADDS}{NEGATES}END\n[calc]\nwrite calc.py <<END\n{CODE}END\n"
    );
    let repo = repo(&many.join("\n"), &agent);
    let planned = json(&repo, &["run", "--dry-run", "--json", "--agent", "cmd:fake-agent"]);
    // Eight of the ladder; for tests one, one if criteria have none, one if wrong code passes; the tests written anew once.
    assert_eq!(planned["worst"]["turns"], 8 + 2 * 3, "{planned}");
    let ran = repo.run(&["--yes"]).ends(0);
    assert!(ran.stdout.contains("no test is known to stand for AC-1, AC-3, AC-4"), "{ran}");
    assert_eq!(turns(&repo), 3, "tests, tests asked for again, code");
    let told = standings(&repo);
    assert_eq!(told.len(), 15);
    assert_eq!(told[0], "AC-1 merged by []");
    assert_eq!(told[1], "AC-2 proved by [test_ac_2_negates]");
    let report = repo.windlass(&["report"]).ends(0);
    assert!(report.stdout.contains("1 of 15 criteria are proved"), "{report}");
    assert!(report.stdout.contains("14 merged without proof"), "{report}");
    let shown = repo.windlass(&["show", "calc"]).ends(0);
    assert!(shown.stdout.contains("criteria  1 proved · 14 merged"), "{shown}");
    let status = json(&repo, &["status", "--json"]);
    assert_eq!(status["tasks"][0]["criteria"][1]["standing"], "proved", "{status}");
    let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one commit") };
    assert_eq!(record.criteria[1].tests, ["test_calc.py::test_ac_2_negates"]);
    repo.windlass(&["audit"]).ends(0);
}

#[test]
fn a_criterion_without_a_test_sends_the_test_writer_back_once() {
    let agent = format!(
        "[calc write_test 1]\nwrite test_calc.py <<END\n{ADDS}END\nresult {{\"criteria\": {{\"AC-1\": [\"test_adds\"]}}}}\n\
         [calc write_test 2]\nexpect-brief No test is known to stand for AC-2\nappend test_calc.py <<END\n{NEGATES}END\n\
         [calc]\nwrite calc.py <<END\n{CODE}END\n"
    );
    let repo = repo("- AC-1: it adds\n- AC-2: it negates", &agent);
    repo.run(&[]).ends(0);
    assert_eq!(standings(&repo), ["AC-1 proved by [test_adds]", "AC-2 proved by [test_ac_2_negates]"]);
    assert_eq!(turns(&repo), 3);
}

#[test]
fn a_merged_task_that_is_wrong_is_reopened_with_a_reason_and_a_test_that_shows_it() {
    let wrong = "def add(a, b):\n    return 3\n";
    let shows = "\n\ndef test_adds_others():\n    from calc import add\n\n    assert add(2, 5) == 7\n";
    let first = format!(
        "[calc write_test]\nwrite test_calc.py <<END\n{ADDS}END\n[calc]\nwrite calc.py <<END\n{wrong}END\n"
    );
    let repo = repo("- AC-1: it adds", &first);
    repo.run(&[]).ends(0);
    let early = repo.windlass(&["reopen", "calc", "--because", " "]).ends(2);
    assert!(early.stderr.contains("`--because` is empty"), "{early}");
    repo.windlass(&["reopen", "calc", "--because", "it answers 3 to everything"]).ends(0);
    repo.script(&format!(
        "[calc write_test]\nexpect-brief it answers 3 to everything\nappend test_calc.py <<END\n{shows}END\n\
         [calc]\nexpect-brief it answers 3 to everything\nwrite calc.py <<END\n{CODE}END\n"
    ));
    let ran = repo.run(&[]).ends(0);
    let records = evidence(&repo, "windlass/demo");
    assert_eq!(records.iter().map(|r| r.revision).max(), Some(2), "{ran}");
    let newest = records.iter().max_by_key(|r| r.revision).unwrap();
    assert!(newest.red.as_ref().unwrap().tests.iter().any(|t| t.ends_with("test_adds_others")), "{ran}");
    let shown = repo.windlass(&["show", "calc"]).ends(0);
    assert!(shown.stdout.contains("reopened: it answers 3 to everything"), "{shown}");
    repo.windlass(&["audit"]).ends(0);
}

#[test]
fn a_person_says_in_the_plan_which_tests_stand_for_a_criterion_and_names_are_checked() {
    let agent = format!(
        "[calc write_test]\nwrite test_calc.py <<END\n{ADDS}{NEGATES}END\n[calc]\nwrite calc.py <<END\n{CODE}END\n"
    );
    let criteria = "- AC-1: it adds\n  - tests: `test_adds`\n- AC-2: it negates\n  - tests: `test_gone`";
    let repo = repo(criteria, &agent);
    let ran = repo.run(&[]).ends(0);
    assert!(ran.stdout.contains("`test_gone` is said to stand for AC-2, and there is no such test"), "{ran}");
    assert_eq!(standings(&repo), ["AC-1 proved by [test_adds]", "AC-2 proved by [test_ac_2_negates]"]);
    assert_eq!(turns(&repo), 2, "every criterion has a test");
}
