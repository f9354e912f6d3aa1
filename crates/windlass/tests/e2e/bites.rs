//! Tests that prove nothing, written by the agent whose code they are to prove; and refactorings of one's own tests.

use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{empty, evidence, state};

const COMMAND: &str = "python3 -m pytest -q test_calc.py";
const RIGHT: &str = "def add(a, b):\n    return a + b\n";
const WRONG: &str = "def add(a, b):\n    return 0\n";

fn calc(files: &str) -> PlanTask {
    PlanTask::new("calc", "Calculate")
        .front("test_file: test_calc.py")
        .raw("Acceptance Criteria", "- AC-1: it adds")
        .section("Output Files", "", files)
        .verified_by(COMMAND)
}

fn repo(task: PlanTask, files: &[(&str, &str)], test: &str, code: &str) -> TestRepo {
    let agent = format!(
        "[calc write_test]\nwrite test_calc.py <<END\n{test}END\n[calc]\nwrite calc.py <<END\n{code}END\n"
    );
    let mut repo = empty().file(".gitignore", "__pycache__\n.pytest_cache\n");
    for (path, text) in files {
        repo = repo.file(path, text);
    }
    repo.plan("demo", &[task]).committed().agent(&agent)
}

/// One attempt.
const ONCE: &str = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n";
const CREATES: &str = "WRITE: calc.py\nWRITE: test_calc.py";

/// Each with the honest test it looks like.
const CHEATS: [(&str, &str, &str); 8] = [
    (
        "it can be called",
        "def test_adds():\n    from calc import add\n\n    assert callable(add)\n",
        "def test_adds():\n    from calc import add\n\n    assert callable(add) and add(1, 2) == 3\n",
    ),
    (
        "its file exists",
        "import os\n\n\ndef test_adds():\n    assert os.path.exists(\"calc.py\")\n",
        "import os\n\n\ndef test_adds():\n    assert os.path.exists(\"calc.py\")\n    from calc import add\n\n    assert add(1, 2) == 3\n",
    ),
    (
        "the assertion is caught",
        "def test_adds():\n    from calc import add\n\n    try:\n        assert add(1, 2) == 3\n    except AssertionError:\n        pass\n",
        "def test_adds():\n    from calc import add\n\n    try:\n        assert add(1, 2) == 3\n    except OverflowError:\n        pass\n",
    ),
    (
        "its answer has the right type",
        "from calc import add\n\n\ndef test_adds():\n    assert isinstance(add(1, 2), int)\n",
        "from calc import add\n\n\ndef test_adds():\n    assert isinstance(add(1, 2), int) and add(1, 2) == 3\n",
    ),
    (
        "it is compared with itself",
        "from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) is not None\n    assert add(1, 2) == add(1, 2)\n",
        "from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == add(2, 1) == 3\n",
    ),
    (
        "everything is mocked",
        "from unittest.mock import Mock\n\nimport calc\n\n\ndef test_adds():\n    calc.add = Mock(return_value=3)\n    assert calc.add(1, 2) == 3\n",
        "from unittest.mock import Mock\n\nimport calc\n\n\ndef test_adds():\n    one = Mock(return_value=1)\n    assert calc.add(one(), 2) == 3\n",
    ),
    (
        "it looks at the text of the code",
        "import inspect\n\nimport calc\n\n\ndef test_adds():\n    assert \"return 0\" in inspect.getsource(calc.add)\n",
        "import inspect\n\nimport calc\n\n\ndef test_adds():\n    assert inspect.isfunction(calc.add) and calc.add(1, 2) == 3\n",
    ),
    (
        "its snapshot is written if there is none",
        "import pathlib\n\nfrom calc import add\n\n\ndef test_adds():\n    snapshot = pathlib.Path(\"sum.txt\")\n    if not snapshot.exists():\n        snapshot.write_text(str(add(1, 2)))\n    assert str(add(1, 2)) == snapshot.read_text()\n",
        "from calc import add\n\n\ndef test_adds(tmp_path):\n    snapshot = tmp_path / \"sum.txt\"\n    snapshot.write_text(str(add(1, 2)))\n    assert snapshot.read_text() == \"3\"\n",
    ),
];

#[test]
fn tests_of_an_agent_that_prove_nothing_are_refused_and_honest_twins_are_not() {
    for (what, cheat, honest) in CHEATS {
        let refused = repo(calc(CREATES), &[], cheat, WRONG);
        let ran = refused.run(&[]).ends(3);
        assert!(ran.stdout.contains("the tests pass on every one of"), "{what}: {ran}");
        assert_eq!(state(&refused, "calc"), "blocked", "{what}: {ran}");
        let twin = repo(calc(CREATES), &[], honest, RIGHT);
        let ran = twin.run(&[]).ends(0);
        let [record] = &evidence(&twin, "windlass/demo")[..] else { panic!("{what}: {ran}") };
        assert!(
            record.mutants.iter().any(|m| m.whole && !m.failed.is_empty()),
            "{what}: {:?}",
            record.mutants
        );
        assert_eq!(record.criteria[0].standing.as_str(), "proved", "{what}");
        twin.windlass(&["audit"]).ends(0);
    }
}

/// Wrong versions of a benchmark, which no test loads, say nothing about the tests, as long as the tests load other code of the change.
#[test]
fn code_that_no_test_loads_is_no_reason_to_refuse_the_tests() {
    let files = "WRITE: calc.py\nWRITE: bench.py\nWRITE: test_calc.py";
    let code = "import operator\n\nadd = operator.add\nEND\nwrite bench.py <<END\nimport calc\n\n\ndef run(times):\n    return [calc.add(n, n + 1) for n in range(times)]\n";
    let loads = "from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n";
    let honest = repo(calc(files), &[], loads, code);
    honest.run(&[]).ends(0).says("the tests do not load bench.py");
    let loads_nothing = "import os\n\n\ndef test_adds():\n    assert os.path.exists(\"calc.py\")\n";
    let refused = repo(calc(files), &[("windlass.toml", ONCE)], loads_nothing, code);
    let ran = refused.run(&[]);
    assert!(!ran.stdout.contains("do not load"), "{ran}");
    assert_ne!(state(&refused, "calc"), "completed", "{ran}");
}

/// The agent's tests pass on its code, which is not what the criterion says: they expect what it gives, or look at little of it
/// and call it by another name.
#[test]
fn what_a_criterion_states_in_code_must_hold_whatever_the_tests_of_an_agent_expect() {
    let stated = || {
        PlanTask::new("calc", "Calculate")
            .front("test_file: test_calc.py")
            .raw("Acceptance Criteria", "- AC-1: `add(1, 2)` returns `3`")
            .section("Output Files", "", CREATES)
            .verified_by(COMMAND)
    };
    let wrong = "def add(a, b):\n    return a + a + b\n";
    for test in [
        "from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 4\n",
        "import calc\n\n\ndef test_adds():\n    assert calc.add(1, 2) > 0\n",
    ] {
        let refused = repo(stated(), &[("windlass.toml", ONCE)], test, wrong);
        let ran = refused.run(&[]).ends(1);
        assert!(
            ran.stdout.contains("AC-1 says that `add(1, 2)` gives `3`, and it does not"),
            "{test}: {ran}"
        );
        assert_eq!(state(&refused, "calc"), "failed", "{test}: {ran}");
    }
    // Right code whose test looks at something else, under another name.
    let renamed = "from calc import add as plus\n\n\ndef test_adds():\n    assert plus(2, 2) == 4\n";
    repo(stated(), &[("windlass.toml", ONCE)], renamed, RIGHT).run(&[]).ends(0);
}

/// The agent leaves a criterion about an error out and says that another test stands for it.
#[test]
fn an_error_that_a_criterion_states_must_be_raised() {
    let stated = || {
        PlanTask::new("calc", "Calculate")
            .front("test_file: test_calc.py")
            .raw("Acceptance Criteria", "- AC-1: `add(1, None)` raises `TypeError`")
            .section("Output Files", "", CREATES)
            .verified_by(COMMAND)
    };
    let test = "from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n";
    let lenient = "def add(a, b):\n    return (a or 0) + (b or 0)\n";
    let refused = repo(stated(), &[("windlass.toml", ONCE)], test, lenient);
    refused.run(&[]).ends(1).says("AC-1 says that `add(1, None)` raises `TypeError`, and it does not");
    repo(stated(), &[("windlass.toml", ONCE)], test, RIGHT).run(&[]).ends(0);
}

/// The turn for further tests leaves nothing but a stray file: the tests that are there stand, and so does the work.
#[test]
fn a_further_turn_without_tests_costs_no_attempt() {
    let code = "def sign(n):\n    if n < 0:\n        return -1\n    return 1\n";
    let first = "from calc import sign\n\n\ndef test_sign():\n    assert sign(5) == 1\n";
    let agent = format!(
        "[calc write_test 1]\nwrite test_calc.py <<END\n{first}END\n[calc write_test]\nwrite README.md mine\n\
         [calc]\nwrite calc.py <<END\n{code}END\n"
    );
    let repo = repo(calc(CREATES), &[], first, code).agent(&agent);
    let ran = repo.run(&[]).ends(0).says("no further tests: changed outside its files: `README.md`");
    assert_eq!(ran.stdout.matches("▶ calc").count(), 1, "{ran}");
}

#[test]
fn versions_that_no_test_notices_go_back_to_the_test_writer_once() {
    let code = "def sign(n):\n    if n < 0:\n        return -1\n    return 1\n";
    let first = "from calc import sign\n\n\ndef test_sign():\n    assert sign(5) == 1\n";
    let more = "\n\ndef test_ac_1_negative():\n    assert sign(-5) == -1\n\n\ndef test_ac_1_zero():\n    assert sign(0) == 1\n";
    let agent = format!(
        "[calc write_test 1]\nwrite test_calc.py <<END\n{first}END\n\
         [calc write_test]\nexpect-brief They also pass on these wrong versions\nappend test_calc.py <<END\n{more}END\n\
         [calc]\nwrite calc.py <<END\n{code}END\n"
    );
    let repo = repo(calc(CREATES), &[], first, code).agent(&agent);
    repo.run(&[]).ends(0);
    let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one commit") };
    let red = &record.red.as_ref().unwrap().tests;
    assert_eq!(red.len(), 3, "the further tests were seen red and are frozen: {red:?}");
    assert!(record.mutants.iter().all(|m| !m.failed.is_empty()), "{:?}", record.mutants);
}

#[test]
fn tests_for_code_that_exists_must_notice_when_it_is_wrong() {
    let only = || {
        PlanTask::new("calc", "Test the calculator")
            .front("test_file: test_calc.py")
            .front("mode: tests-only")
            .section("Output Files", "", "WRITE: test_calc.py\nREAD: calc.py")
            .verified_by(COMMAND)
    };
    let blind = "import calc\n\n\ndef test_adds():\n    assert calc.add is not None\n";
    let refused = repo(only(), &[("calc.py", RIGHT)], blind, RIGHT);
    let ran = refused.run(&[]).ends(3);
    assert!(ran.stdout.contains("the tests pass on every one of"), "{ran}");
    let honest = "from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n";
    repo(only(), &[("calc.py", RIGHT)], honest, RIGHT).run(&[]).ends(0);
}

#[test]
fn a_refactoring_cannot_change_its_own_tests() {
    let honest = "from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n";
    let empty_test = "def test_adds():\n    pass\n";
    let task = || calc("MODIFY: calc.py\nMODIFY: test_calc.py").front("mode: refactor");
    let files = [("calc.py", RIGHT), ("test_calc.py", honest)];
    let agent = |test: &str, code: &str| {
        format!("[calc]\nwrite test_calc.py <<END\n{test}END\nwrite calc.py <<END\n{code}END\n")
    };
    let broken =
        repo(task(), &files, honest, WRONG).file("windlass.toml", ONCE).agent(&agent(empty_test, WRONG));
    broken.run(&[]).ends(1);
    assert_eq!(state(&broken, "calc"), "failed");
    assert!(broken.subjects("windlass/demo").is_empty(), "nothing was merged");
    let better = "def add(a, b):\n    total = a\n    total += b\n    return total\n";
    let fine = repo(task(), &files, honest, better).agent(&agent(honest, better));
    fine.run(&[]).ends(0);
    let [record] = &evidence(&fine, "windlass/demo")[..] else { panic!("one commit") };
    assert_eq!(record.red.as_ref().unwrap().tests, ["test_calc.py::test_adds"]);
    fine.windlass(&["audit"]).ends(0);
}

#[test]
fn an_audit_tries_the_wrong_versions_again() {
    let honest = "from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n";
    let settings = ("windlass.toml", "[verify]\nexpectations = \"off\"\ncanaries = \"off\"\n");
    let twin = repo(calc(CREATES), &[settings], honest, RIGHT);
    twin.run(&[]).ends(0);
    let again = twin.windlass(&["audit", "--rerun"]).ends(0);
    assert!(
        again.stdout.contains("checked again: rules, tests, purity, wrong versions of the code"),
        "{again}"
    );
}

/// Such a test may come from a plan: it shows that the code can be called, and no more.
#[test]
fn a_test_in_which_nothing_can_be_changed_is_weak_and_proves_nothing() {
    let test = "from calc import add\n\n\ndef test_adds():\n    add(1, 2)\n";
    let task = || calc(CREATES).section("Test Specification", "python", &format!("# test_calc.py\n{test}"));
    let weak = repo(task(), &[], test, WRONG);
    weak.run(&[]).ends(0);
    let status: serde_json::Value =
        serde_json::from_str(&weak.windlass(&["status", "--json"]).ends(0).stdout).unwrap();
    assert_eq!(status["tasks"][0]["weak_tests"][0], "test_calc.py::test_adds", "{status}");
    let report = weak.windlass(&["report"]).ends(0);
    assert!(report.stdout.contains("0 of 1 criteria are proved"), "{report}");
    let strict = format!("{ONCE}[verify]\nexpectations = \"on\"\n");
    let refused = repo(task(), &[("windlass.toml", &strict)], test, WRONG);
    refused.run(&[]).ends(1);
    let shown = refused.windlass(&["show", "calc"]).ends(0);
    assert!(shown.stdout.contains("nothing that it expects could be changed"), "{shown}");
}
