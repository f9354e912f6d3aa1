//! What waits for a person: questions and their answers, approvals, notices; and `windlass ui` on a real terminal.

use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{HONEST, one_task, state, with_plan};

/// An agent that asks until it is answered.
const ASKS: &str = "if grep -q 'Answers of a person' \"$WINDLASS_BRIEF\" && grep -q 'as it is' \"$WINDLASS_BRIEF\"; then \
                    echo echo a > a.sh; else echo '{\\\"status\\\":\\\"blocked\\\",\\\"reason\\\":\\\"which case?\\\"}' > \
                    \"$WINDLASS_RESULT\"; fi";

fn asking() -> TestRepo {
    let repo = one_task();
    let agent = format!(
        "[agents]\nsmall = \"mine\"\nmedium = \"mine\"\nlarge = \"mine\"\n[agents.mine]\ncommand = '''{}'''\n",
        ASKS.replace("\\\"", "\"")
    );
    repo.write("windlass.toml", &agent);
    repo
}

#[test]
fn an_answer_lets_a_task_go_on_with_its_frozen_tests() {
    let repo = asking();
    repo.windlass(&["run"]).ends(3).says("which case?").says("windlass answer a");
    repo.windlass(&["explain", "a"]).ends(0).says("next: `windlass answer a");
    repo.windlass(&["answer", "a", "  "]).ends(2);
    repo.windlass(&["answer", "a", "as it is"]).ends(0);
    let status = repo.windlass(&["status"]).ends(0).says("requested: answer a");
    assert!(status.stdout.contains("next: `windlass run` does what was requested"), "{status}");
    let json = repo.windlass(&["status", "--json"]).ends(0).stdout;
    assert!(json.contains(r#""need":"question""#) && json.contains(r#""wish":"answer""#), "{json}");
    repo.windlass(&["run"]).ends(0);
    assert_eq!(state(&repo, "a"), "completed");
    repo.windlass(&["show", "a"]).ends(0).says("answered: which case? → as it is");
    let shown = repo.windlass(&["show", "a", "--json"]).ends(0).stdout;
    assert_eq!(shown.matches(r#""action": "write_test""#).count(), 2, "tests were written once: {shown}");
    repo.windlass(&["answer", "a", "again"]).ends(2).says("asks nothing");
}

#[test]
fn an_answer_after_a_retry_begins_again_with_the_answer() {
    for retry in [&["retry", "a"][..], &["retry", "--blocked"]] {
        let repo = asking();
        repo.windlass(&["run"]).ends(3).says("which case?");
        repo.windlass(retry).ends(0);
        repo.windlass(&["answer", "a", "as it is"]).ends(0);
        let run = repo.windlass(&["run"]).ends(0);
        assert!(!format!("{}{}", run.stdout, run.stderr).contains("ignored"), "{run}");
        repo.windlass(&["show", "a"]).ends(0).says("answered: which case? → as it is");
        let shown = repo.windlass(&["show", "a", "--json"]).ends(0).stdout;
        assert!(shown.matches(r#""action": "write_test""#).count() > 2, "it began from the start: {shown}");
    }
}

#[test]
fn a_task_that_asks_for_approval_waits_and_its_diff_can_be_read() {
    let repo = with_plan(&[PlanTask::shell("a").front("requires_approval: true")]).agent(HONEST);
    repo.run(&[]).ends(3).says("windlass approve a");
    let diff = repo.windlass(&["diff", "a"]).ends(0);
    assert!(diff.stdout.contains("+echo a") && diff.stderr.contains("not merged"), "{diff}");
    repo.windlass(&["answer", "a", "x"]).ends(2).says("asks nothing");
    repo.windlass(&["approve", "a"]).ends(0);
    repo.run(&[]).ends(0);
    repo.windlass(&["diff", "a", "--stat"]).ends(0).says("a.sh");
    repo.windlass(&["diff", "a"]).ends(0).says("merged as");
    repo.windlass(&["report", "-o", "r.pdf"]).ends(2).says("`.pdf`");
    let junit = repo.windlass(&["report", "--format", "junit"]).ends(0).stdout;
    assert!(junit.contains("<testsuite name=\"demo\" tests=\"1\" failures=\"0\""), "{junit}");
}

#[test]
fn a_command_is_told_of_a_question_and_of_the_end() {
    let repo = asking();
    let told = repo.home().join("told");
    let text = repo.read("windlass.toml");
    let notify = format!("[notify]\ncommand = \"cat >> {0}; echo >> {0}\"\n", told.display());
    repo.write("windlass.toml", &format!("{text}{notify}"));
    repo.start_with(&[("WINDLASS_TRUST", "")], &["run"]).wait().ends(3).says("notify.command");
    assert!(!told.exists(), "nothing is told before the command is trusted");
    repo.windlass(&["run"]).ends(3);
    let told = std::fs::read_to_string(&told).unwrap();
    let events: Vec<&str> =
        told.lines().filter_map(|line| line.split(r#""event":""#).nth(1)?.split('"').next()).collect();
    assert_eq!(events, ["question", "finished"], "{told}");
}

#[test]
fn the_interface_says_when_there_is_no_terminal_for_it() {
    let repo = one_task().agent(HONEST);
    repo.windlass(&["ui"]).ends(4).says("needs a terminal").says("status --watch");
}
