//! Every page after a real run: nothing is broken, everything has a name, and it fits on a phone.

use std::thread;
use std::time::Duration;

use serde_json::json;
use windlass_testkit::{PlanTask, TestRepo};

use crate::browser::Browser;
use crate::served::Served;

const PAGES: [(&str, &str); 14] = [
    ("", "Nothing needs you"),
    ("table", "Say the total"),
    ("graph", "Graph"),
    ("timeline", "attempt"),
    ("criteria", "proved"),
    ("cost", "tokens"),
    ("findings", "read as native"),
    ("review", "tasks"),
    ("task/total", "What it is to achieve"),
    ("task/total/attempts", "Attempt 1"),
    ("task/total/log", "a line of the agent"),
    ("task/total/diff", "def total"),
    ("task/total/evidence", "✓ bites"),
    ("task/total/brief", "tokens"),
];

/// A finished run of two small tasks in Python, with criteria, a review document and an agent that talks.
pub(crate) fn python() -> TestRepo {
    let task = |id: &str, title: &str, body: &str, criterion: &str| {
        let test = format!(
            "# tests/test_{id}.py\nfrom {id} import {id}\n\n\ndef test_{id}():\n    assert {id}(2) == {body}\n"
        );
        PlanTask::new(id, title)
            .front(&format!("test_file: tests/test_{id}.py"))
            .raw("Acceptance Criteria", &format!("- {criterion}"))
            .section("Test Specification", "python", &test)
            .section("Output Files", "", &format!("WRITE: {id}.py\nWRITE: tests/test_{id}.py"))
            .verified_by(&format!("python3 -m pytest -q tests/test_{id}.py"))
    };
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file("README.md", "# Till\n")
        .file("docs/spec.md", "# Till\n\nAC-1: the total of two is four\nAC-2: the tax of two is six\n")
        .plan(
            "demo",
            &[
                task("total", "Say the total", "4", "AC-1: the total of two is four"),
                task("tax", "Say the tax", "6", "AC-2: the tax of two is six"),
            ],
        );
    repo.write("plans/demo/plan.toml", "name = \"demo\"\nspecs = [\"docs/spec.md\"]\n");
    repo.write("conftest.py", "");
    let script = "say a line of the agent\n[total]\nwrite total.py <<END\n# twice\ndef total(n):\n    return n * 2\nEND\n[tax]\nwrite tax.py <<END\ndef tax(n):\n    return n * 3\nEND\n";
    let repo = repo.committed().agent(script);
    repo.run(&[]).ends(0);
    repo
}

/// What the browser complains about while a page is shown.
fn listen(browser: &Browser) {
    let script = "window.faults = []; addEventListener('error', (e) => faults.push(String(e.message))); \
        addEventListener('unhandledrejection', (e) => faults.push(String(e.reason))); \
        addEventListener('securitypolicyviolation', (e) => faults.push('csp ' + e.violatedDirective));";
    browser.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
}

/// Buttons, links and fields without a name for those who hear the page.
fn nameless(browser: &Browser) -> Vec<String> {
    browser.cdp("Accessibility.enable", &json!({}));
    let tree = browser.cdp("Accessibility.getFullAXTree", &json!({}));
    let roles = [
        "button",
        "link",
        "textbox",
        "searchbox",
        "combobox",
        "image",
        "img",
        "table",
        "navigation",
        "dialog",
    ];
    let text =
        |node: &serde_json::Value, key: &str| node[key]["value"].as_str().unwrap_or_default().to_owned();
    let nodes = tree["nodes"].as_array().unwrap().iter();
    nodes
        .filter(|node| node["ignored"] != true && roles.contains(&text(node, "role").as_str()))
        .filter(|node| text(node, "name").trim().is_empty())
        .map(|node| text(node, "role"))
        .collect()
}

#[test]
fn every_page_is_whole_named_and_fits_on_a_desk_and_on_a_phone() {
    let repo = python();
    let mut served = Served::start(&repo);
    for (width, height) in [(1280, 800), (390, 844)] {
        let browser = Browser::open(width, height);
        listen(&browser);
        served.let_in(&browser);
        for (path, says) in PAGES {
            browser.go("about:blank");
            browser.go(&served.page(path));
            browser.until_read(says);
            assert_eq!(browser.js("return faults"), json!([]), "{path} at {width}");
            let wide =
                browser.js("return document.documentElement.scrollWidth - innerWidth").as_i64().unwrap();
            assert!(wide <= 0, "{path} at {width}: {wide} pixels too wide");
            assert_eq!(
                browser.js("return document.querySelectorAll('h1').length"),
                1,
                "{path}: one heading says what it is"
            );
            assert_eq!(nameless(&browser), [""; 0], "{path} at {width}");
        }
    }
    served.stop();
}

/// The stream of changes begins with what is known already, which is no reason to ask again.
#[test]
fn a_page_asks_once_for_what_it_shows() {
    let repo = python();
    let mut served = Served::start(&repo);
    let browser = served.browser(1280, 800);
    for (page, document) in
        [("timeline", "timeline"), ("cost", "cost"), ("criteria", "criteria"), ("graph", "map")]
    {
        browser.go("about:blank");
        browser.go(&served.page(page));
        browser.until_read("live");
        // The longest that a page waits before it asks again.
        thread::sleep(Duration::from_millis(1500));
        let asked = format!(
            "return performance.getEntriesByType('resource').filter((r) => r.name.includes('/api/{document}')).length"
        );
        assert_eq!(browser.js(&asked), 1, "{page}");
    }
    served.stop();
}

#[test]
fn the_page_is_used_with_keys_alone() {
    let repo = python();
    let mut served = Served::start(&repo);
    let browser = served.browser(1280, 800);
    let press = |key: &str| {
        for kind in ["keyDown", "keyUp"] {
            let text = if key.len() == 1 && kind == "keyDown" { key } else { "" };
            browser.cdp("Input.dispatchKeyEvent", &json!({ "type": kind, "key": key, "text": text, "code": key, "windowsVirtualKeyCode": if key == "Enter" { 13 } else { 0 } }));
        }
    };
    press("2");
    browser.until_read("Say the total");
    press("j");
    assert_eq!(browser.js("return document.activeElement.dataset.id"), "tax");
    press("j");
    assert_eq!(browser.js("return document.activeElement.dataset.id"), "total");
    browser.js("document.activeElement.click()");
    browser.until_read("What it is to achieve");
    press("?");
    browser.until_read("this list");
    browser.click("Close");
    press("/");
    browser.until("the search has the focus", "return document.activeElement.type === 'search'");
    browser
        .js("document.activeElement.value = 'tax'; document.activeElement.dispatchEvent(new Event('input'))");
    browser.until_read("1 of 2");
    served.stop();
}
