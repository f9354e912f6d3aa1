//! Texts that would be code in a careless page: in names, titles, messages, logs and diffs.

use serde_json::json;
use windlass_testkit::{PlanTask, TestRepo};

use crate::browser::Browser;
use crate::journal::{WrittenJournal, id, sealed};
use crate::served::Served;

const CORPUS: [&str; 16] = [
    "<script>window.hacked=1</script>",
    "<img src=x onerror=\"window.hacked=2\">",
    "<svg onload=window.hacked=3>",
    "\"><script>window.hacked=4</script>",
    "'-(window.hacked=5)-'",
    "javascript:window.hacked=6",
    "</title><script>window.hacked=7</script>",
    "</textarea><script>window.hacked=8</script>",
    "<iframe srcdoc=\"<script>parent.hacked=9</script>\"></iframe>",
    "<a href=\"javascript:window.hacked=10\">x</a>",
    "{{constructor.constructor('window.hacked=11')()}}",
    "${window.hacked=12}",
    "<!--<script>window.hacked=13</script>-->",
    "<math><mtext><table><mglyph><style><img src=x onerror=window.hacked=14>",
    "\u{202e}<b onmouseover=window.hacked=15>x</b>",
    "<details open ontoggle=window.hacked=16>",
];

fn unharmed(browser: &Browser, place: &str) {
    let found = browser.js("return [window.hacked ?? null, window.faults ?? [], document.querySelectorAll('#main script, #main iframe, #main style, #main [onerror], #main [onload], #main [ontoggle], #main a[href^=javascript]').length]");
    assert_eq!(found, json!([null, [], 0]), "{place}");
}

fn listen(browser: &Browser) {
    let script = "window.faults = []; addEventListener('securitypolicyviolation', (e) => faults.push(e.violatedDirective + ' ' + e.blockedURI)); addEventListener('error', (e) => faults.push(String(e.message)));";
    browser.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
}

#[test]
fn names_titles_and_messages_are_texts() {
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass")).file("README.md", "x\n").committed();
    let phases: Vec<String> = CORPUS.iter().map(|text| format!("phase {text}")).collect();
    let tasks = CORPUS.iter().enumerate().map(|(n, text)| sealed(&id(n), text, Vec::new(), &[&phases[n]]));
    let mut journal = WrittenJournal::begin(&repo, tasks.collect());
    for (n, text) in CORPUS.iter().enumerate() {
        match n % 3 {
            0 => journal.write(&[WrittenJournal::failed(&id(n), text)]),
            1 => journal.write(&[WrittenJournal::asks(&id(n), text)]),
            _ => {
                let events = journal.started(&id(n), 1);
                journal.write(&events);
            }
        }
    }
    let mut served = Served::start(&repo);
    let browser = Browser::open(1280, 2400);
    listen(&browser);
    served.let_in(&browser);
    for page in [
        "",
        "table",
        "graph",
        "timeline",
        "cost",
        "task/T-00000",
        "task/T-00001",
        "task/%3Cimg%20src=x%20onerror=window.hacked=20%3E",
        "table?find=%3Cimg%20src=x%20onerror=window.hacked=21%3E",
    ] {
        browser.go("about:blank");
        browser.go(&served.page(page));
        browser.until("the page is there", "return document.querySelector('#main h1')?.textContent || document.querySelector('#main .empty')?.textContent");
        std::thread::sleep(std::time::Duration::from_millis(250));
        unharmed(&browser, page);
    }
    browser.go(&served.page(""));
    for text in [CORPUS[0], CORPUS[1], CORPUS[3]] {
        browser.until_read(text);
    }
    browser.click("Answer T-00001");
    browser.until_read("Answer T-00001");
    unharmed(&browser, "the dialog of an answer");
    served.stop();
}

#[test]
fn logs_and_diffs_are_texts() {
    let said: String = CORPUS.iter().map(|text| format!("say {text}\n")).collect();
    let file: String = CORPUS.iter().map(|text| format!("# {text}\n")).collect();
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file("README.md", "x\n")
        .plan("demo", &[PlanTask::shell("a")])
        .committed()
        .agent(&format!("{said}write a.sh <<END\necho a\n{file}END\n"));
    repo.run(&[]).ends(0);
    let mut served = Served::start(&repo);
    let browser = Browser::open(1280, 1600);
    listen(&browser);
    served.let_in(&browser);
    for (page, open) in [
        ("task/a/log", true),
        ("task/a/diff", false),
        ("task/a/evidence", false),
        ("task/a/brief", false),
        ("task/a/attempts", false),
    ] {
        browser.go("about:blank");
        browser.go(&served.page(page));
        browser.until("the part is there", "return document.querySelector('.task-body')?.children.length");
        if open {
            browser.until("the parts are listed", "return document.querySelectorAll('.log-part').length");
            browser.js("document.querySelectorAll('.log-part').forEach((part) => { part.open = true; })");
        }
        if open || page.ends_with("diff") {
            browser.until_read(CORPUS[0]);
            browser.until_read(CORPUS[15]);
        }
        std::thread::sleep(std::time::Duration::from_millis(250));
        unharmed(&browser, page);
    }
    served.stop();
}
