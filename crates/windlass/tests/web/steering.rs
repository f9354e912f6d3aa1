//! What a person asks for on the page reaches the run as the command line's wishes do.

use windlass_engine::journal::JournalReader;
use windlass_testkit::{PlanTask, TestRepo, eventually};

use crate::live::{PATIENT, began, go, shop};
use crate::served::Served;

pub(crate) fn heard(repo: &TestRepo, kind: &str) -> usize {
    let reader = JournalReader::open(&repo.path(".git/windlass/plans/demo/journal.db")).unwrap();
    let records = reader.map(|r| r.read_after(0, 100_000).unwrap()).unwrap_or_default();
    records.iter().filter(|r| r.kind == kind).count()
}

#[test]
fn a_run_is_paused_resumed_and_cancelled() {
    let repo = shop(PATIENT);
    let mut served = Served::start(&repo);
    let browser = served.browser(1280, 800);
    let run = repo.start_run(&["--jobs", "2"]);
    began(&repo, "a");
    browser.click("Pause");
    browser.until_read("was told");
    eventually("the pause was heard", || heard(&repo, "paused") == 1);
    browser.until_read("paused");
    browser.click("Resume");
    eventually("the run was resumed", || heard(&repo, "resumed") == 1);
    browser.click("Cancel…");
    browser.until_read("Cancel the run?");
    browser.click("Leave it");
    browser.click("Cancel…");
    browser.click("Cancel the run");
    run.wait().ends(130);
    browser.until_read("cancelled");
    served.stop();
}

#[test]
fn a_failed_task_is_tried_again_and_another_is_skipped() {
    let tasks = [PlanTask::shell("a"), PlanTask::shell("b")];
    let strict = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n";
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file("README.md", "hello\n")
        .file("windlass.toml", strict)
        .plan("demo", &tasks)
        .committed()
        .agent(&format!("[a]\nexit 1\n[b]\n{PATIENT}"));
    let mut served = Served::start(&repo);
    let browser = served.browser(1280, 800);
    let run = repo.start_run(&["--jobs", "2"]);
    began(&repo, "b");
    browser.until_read("1 thing needs you");
    repo.script("write {task}.sh echo {task}\n");
    browser.click("Retry a");
    eventually("a is merged", || heard(&repo, "merged") == 1);
    browser.until_read("Nothing needs you");
    browser.go(&served.page("task/b"));
    browser.click("Skip b");
    browser.until_read("Skip b?");
    browser.click("Skip");
    eventually("b is skipped", || heard(&repo, "task_skipped") == 1);
    go(&repo, "b");
    run.wait().ends(3);
    browser.until_read("skipped");
    browser.click("Retry b");
    browser.until_read("applied by the next");
    browser.until_read("not followed yet: retry b");
    served.stop();
}
