//! The way out for an honest agent: when the tests contradict the task, saying so is a good outcome.

use insta::assert_snapshot;
use windlass_testkit::{PlanTask, TestRepo};

#[test]
fn an_agent_may_say_that_the_tests_are_wrong() {
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file("README.md", "hello\n")
        .plan("demo", &[PlanTask::shell("a")])
        .committed()
        .agent("result {\"status\": \"blocked\", \"reason\": \"the test wants `a`, the description `b`\"}\n");
    repo.run(&[]).ends(3);
    assert_snapshot!(repo.windlass(&["status"]).ends(0).screen(), @r#"
    plan demo · stuck · branch windlass/demo at [oid]
    ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 1 completed · 1 blocked
    [time] · 2 jobs

      ■ a  blocked [time] Say a · [✓✓✗···]
                              the test wants `a`, the description `b`
                              next: `windlass answer a "…"` goes on with your decision; or correct the task or its tests, then `windlass retry a`

    next: `windlass answer a "…"`, or `windlass show a`
    "#);
    repo.windlass(&["show", "a"])
        .ends(0)
        .says("the test wants `a`, the description `b`")
        .says("spec-contradiction");
    assert_eq!(repo.subjects("windlass/demo"), [""; 0]);
}
