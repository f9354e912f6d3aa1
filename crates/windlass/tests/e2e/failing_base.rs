//! A base that is not green: tests that fail or flake there are told before an agent is asked, and the work goes on with those
//! that pass.

use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{empty, evidence, state};

const OLD: &str = "def old():\n    return 1\n";
const OLD_TESTS: &str = "import old\n\n\ndef test_fine():\n    assert old.old() == 1\n\n\n\
                         def test_broken():\n    assert old.old() == 2\n";
/// Fails at every second run; what it counts is beside the repository.
const FLAKY: &str = "import pathlib\n\n\ndef test_flaky():\n    seen = pathlib.Path(__file__).parent / 'seen.txt'\n    \
                     if not seen.exists():\n        seen.write_text('x')\n        assert False\n";
const ADD_TESTS: &str =
    "# tests/test_add.py\nfrom add import add\n\n\ndef test_add():\n    assert add(1, 2) == 3";
const GOOD: &str = "[add]\nwrite add.py <<END\ndef add(a, b):\n    return a + b\nEND\n";

fn task(command: &str) -> PlanTask {
    PlanTask::new("add", "Add two numbers")
        .front("test_file: tests/test_add.py")
        .section("Test Specification", "python", ADD_TESTS)
        .section("Output Files", "", "WRITE: add.py\nWRITE: tests/test_add.py")
        .verified_by(command)
}

fn repo(config: &str, command: &str, agent: &str) -> TestRepo {
    empty()
        .file(".gitignore", "__pycache__\n.pytest_cache\nseen.txt\n")
        .file("conftest.py", "")
        .file("old.py", OLD)
        .file("tests/test_old.py", OLD_TESTS)
        .file("windlass.toml", config)
        .plan("demo", &[task(command)])
        .committed()
        .agent(agent)
}

const ALL: &str = "python3 -m pytest -q";

#[test]
fn tests_that_fail_on_the_base_are_told_first_and_may_fail() {
    let suite = format!("[verify]\nsuite = \"{ALL}\"\n");
    for (config, command) in [("", ALL), (suite.as_str(), "python3 -m pytest -q tests/test_add.py")] {
        let repo = repo(config, command, GOOD);
        let ran = repo.run(&[]).ends(0);
        let told = "`python3 -m pytest -q` fails on the base: `tests/test_old.py::test_broken`; these tests may fail";
        let (said, red) = (ran.stdout.find(told), ran.stdout.find("● add"));
        assert!(said.is_some() && said < red, "{ran}");
        assert_eq!(state(&repo, "add"), "completed");
        let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one commit") };
        let before: Vec<&String> = record.green.gates.iter().flat_map(|gate| &gate.failing_before).collect();
        assert_eq!(before, ["tests/test_old.py::test_broken"]);
        repo.windlass(&["audit"]).ends(0);
    }
}

#[test]
fn a_test_that_passed_on_the_base_must_still_pass() {
    let breaks = format!("{GOOD}write old.py <<END\ndef old():\n    return 3\nEND\n");
    let repo = repo("[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n", ALL, &breaks);
    let text =
        repo.read("plans/demo/tasks/add.md").replace("WRITE: add.py\n", "WRITE: add.py\nMODIFY: old.py\n");
    repo.write("plans/demo/tasks/add.md", &text);
    repo.commit("owns old.py");
    let ran = repo.run(&[]).ends(1);
    assert!(ran.stdout.contains("`tests/test_old.py::test_fine` failed"), "{ran}");
}

#[test]
fn a_test_that_is_flaky_on_the_base_is_named_so() {
    let repo = repo("", ALL, GOOD);
    repo.write("tests/test_old.py", FLAKY);
    repo.commit("flaky");
    let ran = repo.run(&[]).ends(0);
    assert!(ran.stdout.contains("is flaky on the base: `tests/test_old.py::test_flaky`"), "{ran}");
}

#[test]
fn a_set_up_that_the_task_does_not_need_is_no_obstacle() {
    let repo = repo("", "python3 -m pytest -q tests/test_add.py", GOOD);
    repo.write("site/package.json", "{\"dependencies\": {\"nothing-of-that-name\": \"1\"}}\n");
    repo.write("site/package-lock.json", "this is no lock file\n");
    repo.commit("a site");
    let ran = repo.run(&[]).ends(0);
    let told = "the set-up command `cd site && npm ci` failed; the files of the task do not need it";
    assert_eq!(ran.stdout.matches(told).count(), 1, "{ran}");
}

/// The set-up is tried before a run, by `doctor` and by `run --dry-run`, with the true reason and an exit code.
#[test]
fn a_set_up_that_fails_is_told_before_the_run() {
    let repo = repo("", "python3 -m pytest -q tests/test_add.py", GOOD);
    repo.write("package.json", "{\"dependencies\": {\"nothing-of-that-name\": \"1\"}}\n");
    repo.write("package-lock.json", "this is no lock file\n");
    repo.commit("a lock file");
    let reason = "`package-lock.json` cannot be read; `npm install` makes it anew";
    let doctor = repo.windlass(&["doctor"]).ends(4);
    assert!(doctor.stdout.contains("`npm ci` failed: ") && doctor.stdout.contains(reason), "{doctor}");
    // The task is in Python and does not need it.
    let dry = repo.windlass(&["run", "--dry-run", "--agent", "cmd:fake-agent"]).ends(0);
    assert!(dry.stdout.contains("set-up `npm ci` failed, and no task needs it: "), "{dry}");
    repo.write("windlass.toml", "[setup]\ncommand = \"echo 'error: no such index' >&2; exit 3\"\n");
    repo.commit("a set-up");
    let dry = repo.windlass(&["run", "--dry-run", "--agent", "cmd:fake-agent"]).ends(4);
    assert!(dry.stdout.contains("failed, so the run would block: "), "{dry}");
    assert!(dry.stdout.contains("\n    error: no such index\n"), "{dry}");
}

/// A package that is in the repository and cannot be imported is not what the task is to write.
#[test]
fn a_package_that_is_there_and_cannot_be_imported_is_not_red() {
    let tests = "# tests/test_add.py\nfrom tests.figures import three\n\nfrom add import add\n\n\n\
                 def test_add():\n    assert add(1, 2) == three";
    let task = PlanTask::new("add", "Add two numbers")
        .front("test_file: tests/test_add.py")
        .section("Test Specification", "python", tests)
        .section("Output Files", "", "WRITE: add.py\nWRITE: tests/test_add.py")
        .verified_by("cd tests && python3 -m pytest -q test_add.py");
    let repo = empty()
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .file("tests/figures.py", "three = 3\n")
        .plan("demo", &[task])
        .committed()
        .agent(GOOD);
    let ran = repo.run(&[]).ends(3);
    assert!(ran.stdout.contains("No module named 'tests'"), "{ran}");
    assert_eq!(state(&repo, "add"), "blocked");
}

/// A test file that cannot be loaded before the task is begun lacks something that no agent brings: asked twice at most, with the
/// words of the exception, whatever it is called.
#[test]
fn a_test_file_that_did_not_load_before_is_the_environment() {
    let tests = "import conf\nfrom add import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n";
    let conf = "class NotConfigured(Exception):\n    pass\n\n\nraise NotConfigured('no settings')\n";
    let task = PlanTask::new("add", "Add three numbers")
        .front("test_file: tests/test_add.py")
        .section("Output Files", "", "MODIFY: add.py\nMODIFY: tests/test_add.py")
        .verified_by("python3 -m pytest -q tests/test_add.py");
    let agent = format!(
        "[add write_test]\nwrite tests/test_add.py <<END\n{tests}\n\n\
                         def test_three():\n    assert add(1, 2, 3) == 6\nEND\n"
    );
    let repo = empty()
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .file("conftest.py", "")
        .file("conf.py", conf)
        .file("add.py", "def add(a, b):\n    return a + b\n")
        .file("tests/test_add.py", tests)
        .plan("demo", &[task])
        .committed()
        .agent(&agent);
    let ran = repo.run(&[]).ends(3);
    assert!(ran.stdout.contains("conf.NotConfigured: no settings"), "{ran}");
    assert!(ran.stdout.matches("tests first").count() <= 2, "{ran}");
    assert_eq!(state(&repo, "add"), "blocked");
}

/// A plug-in of pytest that says something about whole files, such as a linter's, and is not content with the tests.
const STYLE: &str = "import pytest\n\n\nclass Style(pytest.Item):\n    def runtest(self):\n        assert False, 'style'\n\n\n\
                     class StyleFile(pytest.File):\n    def collect(self):\n        yield Style.from_parent(self, name='style')\n\n\n\
                     def pytest_collect_file(file_path, parent):\n    if file_path.name.startswith('test_'):\n        \
                     return StyleFile.from_parent(parent, path=file_path)\n";

#[test]
fn what_a_plug_in_says_about_the_test_file_is_not_held_against_the_work() {
    let tests = "import sys\n\nimport pytest\nfrom add import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\n\
                 @pytest.mark.skipif(sys.maxsize < 0, reason='never')\ndef test_nothing():\n    assert add(0, 0) == 0\n";
    let task = PlanTask::new("add", "Add two numbers")
        .front("test_file: tests/test_add.py")
        .section("Output Files", "", "WRITE: add.py")
        .verified_by("python3 -m pytest -q tests/test_add.py");
    let repo = empty()
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .file("conftest.py", STYLE)
        .file("tests/test_add.py", tests)
        .plan("demo", &[task])
        .committed()
        .agent(GOOD);
    let ran = repo.run(&[]).ends(0);
    assert!(ran.stdout.contains("tests/test_add.py::style"), "{ran}");
    assert_eq!(state(&repo, "add"), "completed");
}

/// The task changes an existing test file, in which a test fails for a reason of its own.
fn with_an_old_failure(agent: &str) -> TestRepo {
    let task = PlanTask::new("old", "Twice as much")
        .front("test_file: tests/test_old.py")
        .section("Output Files", "", "MODIFY: old.py\nMODIFY: tests/test_old.py")
        .verified_by("python3 -m pytest -q tests/test_old.py");
    empty()
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .file("conftest.py", "")
        .file("old.py", OLD)
        .file("tests/test_old.py", OLD_TESTS)
        .file("windlass.toml", "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n")
        .plan("demo", &[task])
        .committed()
        .agent(agent)
}

const TWICE: &str = "write old.py <<END\ndef old(times=1):\n    return times\nEND\n";

#[test]
fn a_test_that_failed_before_in_the_same_file_is_no_part_of_the_task() {
    let more = format!("{OLD_TESTS}\n\ndef test_twice():\n    assert old.old(2) == 2\n");
    let tests = format!("[old write_test]\nwrite tests/test_old.py <<END\n{more}END\n");
    let repo = with_an_old_failure(&format!("{tests}[old]\n{TWICE}"));
    let ran = repo.run(&[]).ends(0);
    assert!(!ran.stdout.contains("the runner does not run it"), "{ran}");
    ran.says("before any test is written, these fail: tests/test_old.py::test_broken");
    let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one commit") };
    let red = record.red.as_ref().unwrap();
    assert_eq!(red.tests, ["tests/test_old.py::test_fine", "tests/test_old.py::test_twice"]);
    let before: Vec<&String> = record.green.gates.iter().flat_map(|gate| &gate.failing_before).collect();
    assert_eq!(before, ["tests/test_old.py::test_broken"]);
    repo.windlass(&["audit"]).ends(0);
    repo.windlass(&["audit", "--rerun"]).ends(0);

    // What it breaks beside that counts.
    let breaks = TWICE.replace("return times", "return times if times > 1 else 3");
    let repo = with_an_old_failure(&format!("{tests}[old]\n{breaks}"));
    repo.run(&[]).ends(1).says("`tests/test_old.py::test_fine` failed");

    // A test that the test-writer changed is the task's.
    let changed = more.replace("old.old() == 2", "old.old(3) == 3");
    let tests = format!("[old write_test]\nwrite tests/test_old.py <<END\n{changed}END\n");
    let wrong = TWICE.replace("return times", "return min(times, 2)");
    let repo = with_an_old_failure(&format!("{tests}[old]\n{wrong}"));
    repo.run(&[]).ends(1).says("`tests/test_old.py::test_broken` failed");
}

/// A test of the same file that failed on the base, passed when the new tests were seen red, and fails afterwards: chance, as far
/// as anybody can tell. (Here it is made of what the files say, so that the runs are the same every time.)
#[test]
fn a_test_of_the_same_file_that_comes_and_goes_is_no_part_of_the_task() {
    let flaky = "import old\nimport pathlib\n\n\ndef test_fine():\n    assert old.old() == 1\n\n\ndef test_flaky():\n    \
                 here, code = pathlib.Path(__file__).read_text(), pathlib.Path(old.__file__).read_text()\n    \
                 assert here.count('def ') == 4 and code.count('times') == 0\n";
    let more = format!("{flaky}\n\ndef test_twice():\n    assert old.old(2) == 2\n");
    let repo = with_an_old_failure(&format!(
        "[old write_test]\nwrite tests/test_old.py <<END\n{more}END\n[old]\n{TWICE}"
    ));
    repo.write("tests/test_old.py", flaky);
    repo.commit("flaky");
    repo.run(&[]).ends(0).says("before any test is written, these fail: tests/test_old.py::test_flaky");
    let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one commit") };
    let red = record.red.as_ref().unwrap();
    assert_eq!(red.tests, ["tests/test_old.py::test_fine", "tests/test_old.py::test_twice"]);
}

/// A new test that passes is none that was red, also where an old one beside it makes the command fail.
#[test]
fn a_new_test_that_passes_beside_an_old_failure_passes_already() {
    let more = format!("{OLD_TESTS}\n\ndef test_more():\n    assert old.old() == 1\n");
    let tests = format!("[old write_test]\nwrite tests/test_old.py <<END\n{more}END\n");
    let ran = with_an_old_failure(&format!("{tests}[old]\n{TWICE}")).run(&[]);
    assert!(ran.stdout.contains("the test is not red: the tests pass already"), "{ran}");
}

/// A test-writer that adds nothing to tests that fail says that they are the task's. Tests that pass already are no task.
#[test]
fn tests_that_fail_before_are_the_task_where_nothing_is_added_to_them() {
    let repo = with_an_old_failure(
        "[old write_test]\n[old]\nwrite old.py <<END\ndef old():\n    return 1\n\n\nX = 1\nEND\n",
    );
    repo.run(&[]).ends(1).says("● old  red").says("`tests/test_old.py::test_broken` failed");
    let passing = format!("{OLD_TESTS}\n\ndef test_again():\n    assert old.old() == 1\n");
    let tests = format!("[old write_test]\nwrite tests/test_old.py <<END\n{passing}END\n");
    let repo = with_an_old_failure(&format!("{tests}[old]\n{TWICE}"));
    let ran = repo.run(&[]);
    assert_ne!(state(&repo, "old"), "completed", "{ran}");
    ran.says("not red");
}

/// Tests that all fail by a refused connection need a server, and no further attempt brings one.
#[test]
fn tests_without_their_server_are_a_question_at_the_second_attempt() {
    let task = PlanTask::new("net", "Ask the server")
        .front("test_file: tests/test_net.py")
        .section(
            "Test Specification",
            "python",
            "# tests/test_net.py\nfrom net import ask\n\n\ndef test_ask():\n    assert ask() == 1",
        )
        .section("Output Files", "", "WRITE: net.py\nWRITE: tests/test_net.py")
        .verified_by("python3 -m pytest -q tests/test_net.py");
    let code =
        "import socket\n\n\ndef ask():\n    socket.create_connection((\"127.0.0.1\", 9))\n    return 1\n";
    let agent = format!(
        "[net fix]\nwrite net.py <<END\n{code}\n\nAGAIN = 1\nEND\n[net]\nwrite net.py <<END\n{code}END\n"
    );
    let repo = empty().file("conftest.py", "").plan("demo", &[task]).committed().agent(&agent);
    let ran = repo.run(&[]).ends(3);
    assert_eq!(ran.stdout.matches("▶ net").count(), 2, "{ran}");
    ran.says("the tests have no server to connect to").says("[[verify.services]]");
}
