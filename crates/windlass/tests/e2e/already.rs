//! Tests that pass before the work: a task that is satisfied already, and everything that only looks like it.

use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{empty, evidence, state};

const CODE: &str =
    "def greet(name):\n    if not name:\n        raise ValueError(name)\n    return f\"Hello, {name}!\"\n";
const TEST: &str =
    "from greet import greet\n\n\ndef test_greets():\n    assert greet(\"Ada\") == \"Hello, Ada!\"\n";
const BLIND: &str = "import greet\n\n\ndef test_greets():\n    assert greet is not None\n";
const COMMAND: &str = "python3 -m pytest -q test_greet.py";

fn task(output: &str) -> PlanTask {
    PlanTask::new("greet", "Greet by name")
        .front("test_file: test_greet.py")
        .raw("Acceptance Criteria", "- AC-1: it greets")
        .section("Output Files", "", output)
        .verified_by(COMMAND)
}

const CREATES: &str = "WRITE: greet.py\nWRITE: test_greet.py";

/// The plan's own tests.
fn with_tests(task: PlanTask, test: &str) -> PlanTask {
    task.section("Test Specification", "python", &format!("# test_greet.py\n{test}"))
}

fn repo(files: &[(&str, &str)], task: PlanTask, agent: &str) -> TestRepo {
    let mut repo = empty().file(".gitignore", "__pycache__\n.pytest_cache\n");
    for (path, text) in files {
        repo = repo.file(path, text);
    }
    repo.plan("demo", &[task]).committed().agent(agent)
}

/// How many turns of agents were paid for.
fn turns(repo: &TestRepo) -> usize {
    let out = repo.windlass(&["status", "--json", "--all"]).ends(0);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    let attempts = json["tasks"][0]["attempts"].as_array().unwrap().clone();
    attempts.iter().map(|a| a["turns"].as_array().unwrap().len()).sum()
}

#[test]
fn a_task_whose_tests_pass_and_bite_is_completed_without_an_agent() {
    // The tests of the plan, and tests that stand in the repository.
    let there = [("greet.py", CODE), ("test_greet.py", TEST)];
    for (files, task) in [(&there[..1], with_tests(task(CREATES), TEST)), (&there[..], task(CREATES))] {
        let repo = repo(files, task, "write greet.py broken\n");
        let did = repo.git(&["log", "-1", "--format=%H", "--", "greet.py"]);
        let ran = repo.run(&[]).ends(0);
        assert!(ran.stdout.contains("satisfied already by"), "{ran}");
        assert_eq!(turns(&repo), 0);
        let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one commit") };
        let held = record.held.as_ref().unwrap();
        assert_eq!(held.by.as_str(), did);
        assert_eq!(held.tests, ["test_greet.py::test_greets"]);
        assert_eq!(held.mutants.last().unwrap().failed, ["test_greet.py::test_greets"]);
        assert!(record.red.is_none());
        assert!(record.changes.iter().all(|c| c.path == "test_greet.py"), "{:?}", record.changes);
        repo.windlass(&["audit"]).ends(0);
        let shown = repo.windlass(&["show", "greet"]).ends(0);
        assert!(shown.stdout.contains("held         1 test passed before it began"), "{shown}");
        let report = repo.windlass(&["report"]).ends(0);
        assert!(report.stdout.contains("0 of 1 criteria are proved"), "{report}");
        assert!(report.stdout.contains("1 held before their task"), "{report}");
    }
}

#[test]
fn passing_tests_of_the_plan_that_show_nothing_are_a_question() {
    let fails_first =
        "1. verify_fail\n   run: `python3 -m pytest -q test_greet.py`\n   expect: exit_code_nonzero";
    let steps = |task: PlanTask| task.raw("Steps", fails_first);
    let table = [
        ("the tests notice nothing", with_tests(task(CREATES), BLIND), "they pass as well on"),
        (
            "the plan says that they fail",
            steps(with_tests(task(CREATES), TEST)),
            "the plan has a `verify_fail` step",
        ),
        (
            "a file is missing",
            with_tests(task("WRITE: greet.py\nWRITE: farewell.py\nWRITE: test_greet.py"), TEST),
            "the tests pass already",
        ),
    ];
    for (what, task, told) in table {
        let repo = repo(&[("greet.py", CODE)], task, "write greet.py broken\n");
        let ran = repo.run(&[]).ends(3);
        assert!(ran.stdout.contains(told), "{what}: {ran}");
        assert!(ran.stdout.contains("if the work is done already, `windlass skip greet`"), "{what}: {ran}");
        assert_eq!((state(&repo, "greet").as_str(), turns(&repo)), ("blocked", 0), "{what}");
    }
}

#[test]
fn passing_tests_that_an_agent_wrote_are_asked_for_once_more_and_never_taken() {
    let cheat =
        format!("[greet write_test]\nwrite test_greet.py <<END\n{TEST}END\n[greet]\nwrite greet.py x = 1\n");
    let repo = repo(&[("greet.py", CODE)], task("MODIFY: greet.py\nWRITE: test_greet.py"), &cheat);
    let ran = repo.run(&[]).ends(3);
    assert!(ran.stdout.contains("the test is not red: the tests pass already"), "{ran}");
    assert_eq!((state(&repo, "greet").as_str(), turns(&repo)), ("blocked", 2));
}

#[test]
fn tests_that_stood_there_before_do_not_satisfy_a_task_that_changes_code() {
    let more = format!("{TEST}\n\ndef test_greets_nobody():\n    assert greet(\"\") == \"Hello!\"\n");
    let agent = format!(
        "[greet write_test]\nwrite test_greet.py <<END\n{more}END\n[greet]\nwrite greet.py <<END\n\
         def greet(name):\n    return f\"Hello, {{name}}!\" if name else \"Hello!\"\nEND\n"
    );
    let files = [("greet.py", CODE), ("test_greet.py", TEST)];
    let repo = repo(&files, task("MODIFY: greet.py\nMODIFY: test_greet.py"), &agent);
    repo.run(&[]).ends(0);
    let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one commit") };
    assert!(record.held.is_none() && record.red.is_some());
    assert_eq!(turns(&repo), 2);
}

#[test]
fn an_existing_test_that_cannot_run_is_told_before_anybody_is_asked() {
    let table = [
        ("python3 -m no_such_runner test_greet.py", "No module named no_such_runner", "make it part"),
        (
            "no-such-program test_greet.py",
            "exit code 127",
            "install `no-such-program` where `PATH` finds it, or make it part",
        ),
    ];
    for (command, told, next) in table {
        let task = PlanTask::new("greet", "Greet by name")
            .front("test_file: test_greet.py")
            .section("Output Files", "", "MODIFY: greet.py\nMODIFY: test_greet.py")
            .verified_by(command);
        let repo = repo(&[("greet.py", CODE), ("test_greet.py", TEST)], task, "write greet.py x = 1\n");
        let ran = repo.run(&[]).ends(3);
        for shown in [ran, repo.windlass(&["status"]), repo.windlass(&["show", "greet"])] {
            // Where a line breaks depends on the path of the interpreter.
            let text = shown.unwrapped();
            assert!(text.contains(told), "{text}");
            let next = format!("next: {next} of the set-up (`[setup] command` in windlass.toml");
            assert!(text.contains(&next), "{text}");
        }
        assert_eq!(turns(&repo), 0);
    }
}

#[test]
fn a_foreign_import_in_the_tests_of_an_agent_blocks_at_the_second_time() {
    let foreign = "[greet write_test]\nwrite test_greet.py import no_such_package\n";
    let repo = repo(&[("greet.py", CODE)], task("MODIFY: greet.py\nWRITE: test_greet.py"), foreign);
    let ran = repo.run(&[]).ends(3);
    assert!(ran.stdout.contains("No module named 'no_such_package'"), "{ran}");
    assert_eq!((state(&repo, "greet").as_str(), turns(&repo)), ("blocked", 2));
}

/// A clone knows nothing of the run that did the work: only the branch holds it, in commits that name their tasks.
#[test]
fn work_that_landed_before_is_done_in_a_clone() {
    let fails_first = format!("1. verify_fail\n   run: `{COMMAND}`\n   expect: exit_code_nonzero");
    let settings = PlanTask::new("settings", "Write the settings")
        .front("no_test_reason: config_static")
        .section("Output Files", "", "WRITE: settings.json");
    let tested = with_tests(task(CREATES), TEST).raw("Steps", &fails_first);
    let repo = empty().file(".gitignore", "__pycache__\n.pytest_cache\n");
    let repo = repo.plan("demo", &[tested, settings]).committed();
    let writes_settings = "[settings]\nwrite settings.json {\"name\": \"Ada\"}\n";
    let repo = repo.agent(&format!("[greet]\nwrite greet.py <<END\n{CODE}END\n{writes_settings}"));
    repo.run(&[]).ends(0);
    repo.windlass(&["land"]).ends(0);
    let forget = |repo: &TestRepo| {
        repo.git(&["branch", "-D", "windlass/demo"]);
        std::fs::remove_dir_all(repo.path(".git/windlass")).unwrap();
        let refs = repo.git(&["for-each-ref", "--format=%(refname)", "refs/windlass"]);
        refs.lines().for_each(|name| drop(repo.git(&["update-ref", "-d", name])));
    };
    forget(&repo);
    repo.script("exit 1\n");
    let ran = repo.run(&[]).ends(0);
    assert!(ran.stdout.contains("satisfied already by"), "{ran}");
    assert_eq!(state(&repo, "greet"), "completed");
    assert_eq!(state(&repo, "settings"), "completed");
    // The records of the first run are where it was; those of this one hold.
    let audited = repo.windlass(&["audit"]).ends(1);
    assert_eq!(audited.stdout.matches('✔').count(), 2, "{audited}");
    // What is not there any more is done again, whatever an old commit says.
    repo.git(&["rm", "-q", "settings.json"]);
    repo.git(&["commit", "-q", "-m", "the settings are gone"]);
    forget(&repo);
    repo.script(writes_settings);
    repo.run(&[]).ends(0);
    assert!(repo.git(&["show", "windlass/demo:settings.json"]).contains("Ada"), "written again");
}
