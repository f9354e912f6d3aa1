//! Plans of two thousand and of ten thousand tasks on the page.

use serde_json::json;
use windlass_testkit::TestRepo;

use crate::browser::Browser;
use crate::journal::{WrittenJournal, id};
use crate::served::Served;

fn repository() -> TestRepo {
    TestRepo::new(env!("CARGO_BIN_EXE_windlass")).file("README.md", "hello\n").committed()
}

/// Notes every time the page was busy for long, from its first moment on.
pub(crate) fn watch_busy(browser: &Browser) {
    let script = "window.busy = []; new PerformanceObserver((list) => { for (const e of list.getEntries()) busy.push(Math.round(e.duration)); }).observe({ type: 'longtask', buffered: true });";
    browser.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
}

fn used(count: usize, phases: bool) {
    let repo = repository();
    let mut journal = WrittenJournal::large(&repo, count, phases);
    let mut served = Served::start(&repo);
    let browser = Browser::open(1280, 800);
    watch_busy(&browser);
    served.let_in(&browser);
    browser.until_read("2 things need you");
    let first = browser.js("return performance.getEntriesByType('resource').filter((r) => r.name.includes('/api/')).reduce((n, r) => n + r.decodedBodySize, 0)");
    assert!(first.as_u64().unwrap() <= 300_000, "the first data has {first} bytes");

    browser.go(&served.page("table"));
    browser.until_read(&format!("{} of", thousands(count)));
    browser.js("const s = document.querySelector('.scroller'); s.scrollTop = s.scrollHeight");
    browser.until_read(id(count - 1).as_str());
    let rows = browser.js("return document.querySelectorAll('.trow').length").as_u64().unwrap();
    assert!(rows < 100, "only what is on the screen exists: {rows} rows");
    browser.js("const f = document.querySelector('input[type=search]'); f.value = 'number 1234 '; f.dispatchEvent(new Event('input'))");
    browser.until_read("1 of");
    browser.until_read("T-01234");

    browser.go(&served.page("graph"));
    browser.until("the graph is drawn", "return document.querySelector('canvas')?.width > 300 && performance.getEntriesByType('resource').some((r) => r.name.includes('/api/map'))");
    if phases {
        browser.until_read("phase-01");
        browser.js("document.querySelector('[data-phase=\"0\"]').click()");
        browser.until(
            "the phase is open",
            "return document.querySelector('[data-phase=\"0\"]').getAttribute('aria-expanded') === 'true'",
        );
    }
    let events = journal.merged(&id(count - 3));
    journal.write(&events);
    browser.until_read(&format!("{} of {} tasks", thousands(count / 2 + 1), thousands(count)));
    browser.go(&served.page("timeline"));
    browser.until_read("attempts in");
    served.stop();
}

pub(crate) fn thousands(n: usize) -> String {
    if n < 1000 { n.to_string() } else { format!("{},{:03}", n / 1000, n % 1000) }
}

#[test]
fn two_thousand_tasks_in_phases() {
    used(2_000, true);
}

#[test]
fn ten_thousand_tasks_without_phases() {
    used(10_000, false);
}
