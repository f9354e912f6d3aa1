//! What honest requests get.

use super::{OpenPage, request};
use crate::web::door::HEADERS;
use crate::web::routes::{Answerer, ROUTES};

#[test]
fn every_answer_has_the_headers_that_keep_others_out() {
    let page = OpenPage::new();
    for target in ["/", "/app.js", "/api/overview", "/nowhere"] {
        let answer = page.send(&request("GET", target, &page.honest(), ""));
        for (name, value) in HEADERS {
            assert!(answer.contains(&format!("{name}: {value}")), "{target}: {name}");
        }
    }
    let refused = page.send("GET / HTTP/1.1\r\nhost: evil\r\n\r\n");
    assert!(refused.contains("content-security-policy: "), "{refused}");
}

#[test]
fn nothing_is_inline_and_nothing_comes_from_elsewhere() {
    for route in ROUTES {
        let Answerer::File(file) = route.answerer else { continue };
        assert!(!file.text.is_empty(), "{}", route.path);
        let text = file.text.to_lowercase();
        let foreign = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!foreign.contains("http://") && !foreign.contains("https://"), "{}", route.path);
        for sink in
            ["innerhtml", "outerhtml", "insertadjacenthtml", "document.write", "eval(", "new function"]
        {
            assert!(!text.contains(sink), "{}: {sink}", route.path);
        }
        if file.kind.starts_with("text/html") {
            assert!(!text.contains("<style") && !text.contains(" style=") && !text.contains(" onclick"));
            assert_eq!(text.matches("<script").count(), text.matches("<script type=\"module\" src=").count());
        }
    }
}

#[test]
fn every_file_that_a_file_names_is_a_route() {
    let known: Vec<&str> = ROUTES.iter().map(|route| route.path).collect();
    for route in ROUTES {
        let Answerer::File(file) = route.answerer else { continue };
        let quoted = file.text.split('"').filter(|part| part.ends_with(".js") || part.ends_with(".css"));
        for name in quoted.filter(|name| name.starts_with('/') || name.starts_with("./")) {
            assert!(known.contains(&name.trim_start_matches('.')), "{} names {name}", route.path);
        }
    }
}

#[test]
fn a_plan_that_was_never_run_says_so() {
    let page = OpenPage::new();
    let answer = page.send(&request("GET", "/api/overview", &page.honest(), ""));
    assert!(answer.contains("\"state\":\"new\""), "{answer}");
    let missing = page.send(&request("GET", "/api/task?id=x", &page.honest(), ""));
    assert!(missing.contains("windlass.error/1"), "{missing}");
}

#[test]
fn a_port_that_is_taken_is_said() {
    let page = OpenPage::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let error = runtime.block_on(crate::web::listen(Some(page.port))).unwrap_err();
    assert_eq!(error.message, format!("port {} is taken", page.port));
    assert!(error.hints[0].contains("--port 0"));
}
