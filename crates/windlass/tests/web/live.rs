//! A real run with the fake agent, looked at while it goes on: live states, two tabs, a server that is started again.

use std::fs;

use windlass_testkit::{PlanTask, TestRepo, eventually};

use crate::served::Served;

/// Says something, writes when it begins and goes on when it may.
pub(crate) const PATIENT: &str = "say working on {task}\nwrite {home}/{task}-began yes\nwait-for {home}/{task}-go\nwrite {task}.sh echo {task}\n";

pub(crate) fn shop(agent: &str) -> TestRepo {
    let tasks = [
        PlanTask::shell("a").front("parent: basket"),
        PlanTask::shell("b").after(&["a"]).front("parent: basket"),
        PlanTask::shell("c").after(&["a"]).front("parent: till"),
        PlanTask::new("basket", "The basket"),
        PlanTask::new("till", "The till"),
    ];
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"));
    repo.file("README.md", "hello\n").plan("demo", &tasks).committed().agent(agent)
}

pub(crate) fn go(repo: &TestRepo, task: &str) {
    fs::write(repo.home().join(format!("{task}-go")), "").unwrap();
}

pub(crate) fn began(repo: &TestRepo, task: &str) {
    let path = repo.home().join(format!("{task}-began"));
    eventually(&format!("{task} has begun"), || path.exists());
}

#[test]
fn states_change_live_in_two_tabs_and_after_the_server_was_started_again() {
    let repo = shop(PATIENT);
    let mut served = Served::start(&repo);
    let browser = served.browser(1280, 800);
    browser.until_read("was never run");
    browser.until_read("windlass run");
    let first = browser.here();

    let run = repo.start_run(&["--jobs", "2"]);
    began(&repo, "a");
    browser.until_read("At work (1)");
    let second = browser.tab();
    browser.go(&served.page("table"));
    browser.until_read("at work");
    browser.go(&served.page("task/a/log"));
    browser.until_read("working on a");
    assert_eq!(browser.js("return performance.getEntriesByType('resource').filter((r) => r.name.includes('/api/changes')).length"), 0, "the stream is the worker's, not the tab's");

    go(&repo, "a");
    browser.until(
        "the task is completed in the second tab",
        "return document.querySelector('.task-head .badge').innerText.includes('completed')",
    );
    browser.switch(&first);
    browser.until_read("Merged last");
    browser.until_read("1 of 3 tasks");

    let port = served.port;
    served.stop();
    for tab in [&second, &first] {
        browser.switch(tab);
        browser.until_read("lost the server");
    }
    go(&repo, "b");
    go(&repo, "c");
    run.wait().ends(0);
    let served = Served::on(&repo, port);
    browser.until_read("3 of 3 tasks");
    browser.until_read("Nothing needs you");
    browser.switch(&second);
    browser.until_read("3 of 3 tasks");
    browser.until_read("live");
    served.stop();
}

#[test]
fn one_tab_tells_the_others_where_there_is_no_shared_worker() {
    let repo = shop(PATIENT);
    let mut served = Served::start(&repo);
    let browser = served.browser(1280, 800);
    let at = |way: &str| format!("http://127.0.0.1:{}/?stream={way}#/", served.port);
    browser.go(&at("elected"));
    browser.until_read("live");
    let first = browser.here();
    let second = browser.tab();
    browser.go(&at("elected"));
    let third = browser.tab();
    browser.go(&at("direct"));
    browser.until_read("live");
    let run = repo.start_run(&["--jobs", "2"]);
    began(&repo, "a");
    for tab in [&second, &first, &third] {
        browser.switch(tab);
        browser.until_read("At work (1)");
    }
    let asked = "return performance.getEntriesByType('resource').filter((r) => r.name.includes('/api/changes')).length";
    browser.switch(&second);
    assert_eq!(browser.js(asked), 0, "the second tab is told by the first");
    for task in ["a", "b", "c"] {
        go(&repo, task);
    }
    run.wait().ends(0);
    browser.until_read("3 of 3 tasks");
    served.stop();
}
