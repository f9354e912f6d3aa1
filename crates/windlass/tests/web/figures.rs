//! Figures of the page for docs/benchmarks.md: `cargo nextest run -p windlass --test web --run-ignored only figures --no-capture`.

use std::io::Write as _;
use std::thread;
use std::time::Duration;

use serde_json::json;
use windlass_core::event::Event;
use windlass_testkit::TestRepo;

use crate::browser::Browser;
use crate::journal::{WrittenJournal, id};
use crate::large::watch_busy;
use crate::served::Served;

const TASKS: usize = 10_000;

#[test]
#[ignore = "a measurement, not a test: it asserts nothing"]
fn figures_of_ten_thousand_tasks() {
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass")).file("README.md", "x\n").committed();
    for phases in [false, true] {
        let dir = repo.path(".git/windlass/plans/big");
        let _ = std::fs::remove_dir_all(dir);
        let mut journal = WrittenJournal::large(&repo, TASKS, phases);
        let mut served = Served::start(&repo);
        let browser = Browser::open(1280, 800);
        watch_busy(&browser);
        served.let_in(&browser);
        thread::sleep(Duration::from_secs(1));
        let bytes = "return performance.getEntriesByType('resource').filter((r) => r.name.includes('/api/')).map((r) => [r.name.split('/api/')[1], r.decodedBodySize, Math.round(r.duration)])";
        tell(&format!("{TASKS} tasks, phases: {phases}"));
        tell(&format!("  first data: {}", browser.js(bytes)));
        for page in ["", "table", "graph", "timeline", "cost", "criteria"] {
            // Another program may take the processor in the middle of a task: the best of five rounds is the page's own.
            let mut longest = Vec::new();
            for _ in 0..5 {
                browser.go("about:blank");
                browser.go(&served.page(page));
                thread::sleep(Duration::from_secs(2));
                longest.push(browser.js("return Math.max(0, ...busy)").as_u64().unwrap());
            }
            longest.sort_unstable();
            let name = if page.is_empty() { "attention" } else { page };
            tell(&format!("  {name:9} longest task (ms): {longest:?} data: {}", browser.js(bytes)));
        }
        let load = std::fs::read_to_string("/proc/loadavg").unwrap();
        tell(&format!("  load: {}", load.trim()));
        browser.go("about:blank");
        browser.go(&served.page(""));
        browser.until_read("live");
        thread::sleep(Duration::from_secs(1));
        latency(&browser, &mut journal);
        served.stop();
    }
}

/// The time from writing an event to seeing it on the page: the page notes when the number of the event was drawn.
fn latency(browser: &Browser, journal: &mut WrittenJournal) {
    browser.js("window.seen = []; new MutationObserver(() => { const n = document.querySelector('#head .facts span').textContent; if (seen.at(-1)?.[0] !== n) seen.push([n, performance.timeOrigin + performance.now()]); }).observe(document.getElementById('head'), { childList: true, subtree: true, characterData: true })");
    let mut written = Vec::new();
    for n in 0..41 {
        let task = id(TASKS / 2 + 10 + n);
        let events: Vec<Event> = journal.merged(&task);
        journal.write(&events);
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        written.push(now.as_secs_f64() * 1000.0);
        thread::sleep(Duration::from_millis(211));
    }
    thread::sleep(Duration::from_millis(500));
    let seen = browser.js("return seen");
    let at: Vec<f64> = seen.as_array().unwrap().iter().filter_map(|s| s[1].as_f64()).collect();
    let mut late: Vec<f64> =
        written.iter().filter_map(|w| at.iter().find(|s| **s >= *w - 1.0).map(|s| s - w)).collect();
    late.sort_by(f64::total_cmp);
    tell(&format!(
        "  an event is on the page after (ms): {}",
        json!({
            "events": late.len(), "median": late[late.len() / 2].round(), "worst": late[late.len() - 1].round(),
        })
    ));
}

/// Figures are for people, whatever becomes of the output of tests.
fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
