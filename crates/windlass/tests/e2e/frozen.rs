//! What is frozen keeps its meaning: its form may follow the code, and a test that is wrong in itself goes back to its
//! writer.

use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{empty, evidence, state};

const CODE: &str = "def load(text):\n    return {\"text\": text}\n";
const RIGHT: &str = "import json\n\nfrom load import load\n\n\ndef test_loads():\n    assert load(\"a\") == json.loads('{\"text\": \"a\"}')\n";
/// `json` is not imported, which nothing shows before the code is there.
const WRONG: &str = "from load import load\n\n\ndef test_loads():\n    assert load(\"a\") == json.loads('{\"text\": \"a\"}')\n";
const COMMAND: &str = "python3 -m pytest -q test_load.py";
/// For a runner that every Python has.
const UNITTEST: &str = "import unittest\nimport json\n\nfrom load import load\n\n\nclass Load(unittest.TestCase):\n    def test_loads(self):\n        self.assertEqual(load(\"a\"), json.loads('{\"text\": \"a\"}'))\n";

fn task() -> PlanTask {
    PlanTask::new("load", "Load a text")
        .front("test_file: test_load.py")
        .section("Output Files", "", "WRITE: load.py\nWRITE: test_load.py")
        .verified_by(COMMAND)
}

fn repo(task: PlanTask, agent: &str) -> TestRepo {
    let repo = empty().file(".gitignore", "__pycache__\n.pytest_cache\n");
    repo.plan("demo", &[task]).committed().agent(agent)
}

/// The roles of the turns that were paid for.
fn turns(repo: &TestRepo) -> Vec<String> {
    let out = repo.windlass(&["status", "--json", "--all"]).ends(0);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    let attempts = json["tasks"][0]["attempts"].as_array().unwrap().clone();
    let steps = |a: &serde_json::Value| a["turns"].as_array().unwrap().clone();
    attempts.iter().flat_map(steps).map(|turn| turn["role"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_test_that_is_wrong_in_itself_goes_back_to_its_writer_with_the_proof() {
    let agent = format!(
        "[load write_test 1]\nwrite test_load.py <<END\n{WRONG}END\n\
         [load write_test 2]\nexpect-brief neither defines nor imports\n\
         shell grep -q 'json.loads' test_load.py || exit 1\n\
         write test_load.py <<END\n{RIGHT}END\n[load]\nwrite load.py <<END\n{CODE}END\n"
    );
    let repo = repo(task(), &agent);
    let ran = repo.run(&[]).ends(0);
    assert!(ran.stdout.contains("a frozen test is wrong in itself: `test_load.py` uses `json`"), "{ran}");
    assert_eq!(turns(&repo), ["test-writer", "implementer", "test-writer", "implementer"]);
    let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one commit") };
    assert_eq!(record.red.as_ref().unwrap().tests, ["test_load.py::test_loads"]);
    assert_eq!(repo.git(&["show", "windlass/demo:test_load.py"]), RIGHT.trim_end());
    repo.windlass(&["audit"]).ends(0);
}

#[test]
fn a_test_that_stays_wrong_is_a_question_for_a_person() {
    let writes = |text: &str| {
        let test = format!("[load write_test]\nwrite test_load.py <<END\n{text}END\n");
        format!("{test}[load]\nwrite load.py <<END\n{CODE}END\n")
    };
    let still = repo(task(), &writes(WRONG).replace("[load]", "append test_load.py # once more\n[load]"));
    still.run(&[]).ends(3).says("`test_load.py` uses `json`, which it neither defines nor imports");
    assert_eq!(turns(&still), ["test-writer", "implementer", "test-writer", "test-writer", "implementer"]);
    // No agent may change the plan's own tests: one turn shows that they are wrong.
    let planned = task().section("Test Specification", "python", &format!("# test_load.py\n{WRONG}"));
    let planned = repo(planned, &writes(RIGHT));
    planned.run(&[]).ends(3).says("next: correct the test");
    assert_eq!((state(&planned, "load").as_str(), turns(&planned).len()), ("blocked", 1));
}

/// A linter that wants the modules of the project apart from foreign ones, and tells them by `test FLAG load.py`.
fn sorts_imports(flag: &str) -> String {
    format!(
        r#"#!/bin/sh
if [ {flag} load.py ]; then want='json\n\nfrom load'; else want='json\nfrom load'; fi
case " $* " in
*" --fix "* | " format "*)
    for file; do case $file in *test*.py) sed -i -z "s/json\n*from load/$want/" "$file" ;; esac done ;;
*" json "*) exit 2 ;;
*)
    for file; do case $file in *test*.py) sed -n -z "/$want/q1" "$file" && echo "$file:1:1: imports" && exit 1 ;; esac done ;;
esac
exit 0
"#
    )
}

fn with_ruff(flag: &str) -> TestRepo {
    let repo =
        empty().file(".gitignore", "__pycache__\n.pytest_cache\n").file("pyproject.toml", "[tool.ruff]\n");
    let bin = repo.top().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(bin.join("ruff"), sorts_imports(flag)).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(bin.join("ruff"), mode).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let task = PlanTask::new("load", "Load a text")
        .front("test_file: test_load.py")
        .section("Output Files", "", "WRITE: load.py\nWRITE: test_load.py")
        .section("Test Specification", "python", &format!("# test_load.py\n{UNITTEST}"))
        .verified_by("python3 -m unittest -v test_load.py");
    let agent = format!("[load]\nwrite load.py <<END\n{CODE}END\n");
    repo.env("PATH", &path).plan("demo", &[task]).agent(&agent).committed()
}

#[test]
fn a_test_is_formatted_as_if_the_code_were_there() {
    let repo = with_ruff("-e");
    repo.run(&[]).ends(0);
    let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one commit") };
    assert_eq!((record.attempt.0, record.green.reformatted.len()), (1, 0));
    assert_eq!(
        repo.git(&["show", "windlass/demo:test_load.py"]),
        format!("# test_load.py\n{}", UNITTEST.trim_end())
    );
}

#[test]
fn a_frozen_test_gets_the_form_that_the_linter_wants_once_the_code_is_there() {
    let repo = with_ruff("-s");
    let ran = repo.run(&[]).ends(0);
    assert!(ran.stdout.contains("`test_load.py` has a new form; its meaning is as frozen"), "{ran}");
    let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one commit") };
    let [new] = &record.green.reformatted[..] else { panic!("{:?}", record.green.reformatted) };
    let frozen = record.red.as_ref().unwrap().files.iter().find(|f| f.path == "test_load.py").unwrap();
    assert_eq!((record.attempt.0, &new.from), (1, &frozen.blob));
    assert_eq!(repo.git(&["rev-parse", "windlass/demo:test_load.py"]), new.to.as_str());
    assert_eq!(
        repo.git(&["show", "windlass/demo:test_load.py"]),
        format!("# test_load.py\n{}", UNITTEST.trim_end())
    );
    repo.windlass(&["audit"]).ends(0);
}
