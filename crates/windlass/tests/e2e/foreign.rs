//! Plans of other tools, carried out as they are.

use insta::assert_snapshot;
use windlass_testkit::TestRepo;

use crate::world::{STRICT, empty, evidence, state};

/// A task graph whose task creates its code and its tests, and says only by which command it is checked.
const GRAPH: &str = r#"{"feature": "demo", "version": "2.0", "tasks": [{
    "id": "ADD-L1-001", "title": "Add two numbers", "description": "add prints the sum", "level": 1, "dependencies": [],
    "files": {"create": ["add.sh", "tests/test_add.sh"], "modify": [], "read": []},
    "verification": {"command": "sh tests/test_add.sh", "timeout_seconds": 60},
    "acceptance_criteria": ["`add.sh 2 3` prints 5"]}]}"#;

fn repo(agent: &str) -> TestRepo {
    empty().file("task-graph.json", GRAPH).file("windlass.toml", STRICT).committed().agent(agent)
}

const TESTS: &str = "write tests/test_add.sh <<END\ntest \"$(sh add.sh 2 3)\" = 5\nEND\n";
const CODE: &str = "write add.sh <<END\necho $(($1 + $2))\nEND\n";

#[test]
fn tests_among_the_files_of_a_task_are_written_first_and_frozen() {
    let repo = repo(&format!("[ADD-L1-001 write_test]\n{TESTS}[ADD-L1-001]\n{CODE}"));
    repo.run(&["task-graph.json"]).ends(0);
    let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one task, one commit") };
    let frozen: Vec<&str> = record.red.as_ref().unwrap().files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(frozen, ["tests/test_add.sh"]);
}

#[test]
fn a_command_that_fails_for_want_of_its_tests_is_not_red() {
    // The writer of the code would write a test that passes whatever the code does.
    let both = "write tests/test_add.sh true\nwrite add.sh echo 7\n";
    let repo = repo(both);
    let outcome = repo.run(&["task-graph.json"]).ends(3);
    assert_eq!(state(&repo, "ADD-L1-001"), "blocked");
    assert_snapshot!(outcome.screen(), @r#"
    ⚓ branch windlass/demo at [oid]
    ▶ ADD-L1-001  by cmd:fake-agent from [oid]
    · ADD-L1-001  tests first
    ! ADD-L1-001  left out of the candidate (out-of-scope): `add.sh`
    ✘ ADD-L1-001  the test is not red: the tests pass already
    ? ADD-L1-001  needs you: the test is not red: the tests pass already (`windlass answer ADD-L1-001 "…"` or `windlass retry ADD-L1-001`)

    not everything is done: 0 of 1 completed · 1 blocked
      ADD-L1-001 blocked
        the test is not red: the tests pass already
        next: if the work is done already, `windlass skip ADD-L1-001`; else make a test demand what is missing, then `windlass retry ADD-L1-001`
    next: `windlass status`, then `windlass answer TASK`, `retry` or `skip`
    ── on standard error
    note: the hosts of `cmd:fake-agent` are not known, so it reaches the whole network; `[sandbox] allow` limits it
    "#);
}
