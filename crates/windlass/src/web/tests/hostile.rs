//! Every route of the table × every hostile request: all of them are refused.

use super::{OpenPage, request};
use crate::web::door::ENTER;
use crate::web::routes::ROUTES;

const PAUSE: &str = r#"{"wish":"pause"}"#;

/// A hostile request: its name, and how it differs from an honest one.
type Hostile = (&'static str, fn(&OpenPage, &mut Vec<(String, String)>, &mut String, &mut String));

fn set(headers: &mut Vec<(String, String)>, name: &str, value: Option<String>) {
    headers.retain(|(own, _)| own != name);
    headers.extend(value.map(|value| (name.to_owned(), value)));
}

const HOSTILE: [Hostile; 20] = [
    ("no cookie", |_, h, _, _| set(h, "cookie", None)),
    ("an empty cookie", |p, h, _, _| set(h, "cookie", Some(format!("windlass_{}=", p.port)))),
    ("a wrong secret", |p, h, _, _| {
        set(h, "cookie", Some(format!("windlass_{}={}", p.port, "0".repeat(64))));
    }),
    ("the secret in another cookie", |p, h, _, _| {
        set(h, "cookie", Some(format!("windlass={}", p.session.text())));
    }),
    ("the secret cut short", |p, h, _, _| {
        set(h, "cookie", Some(format!("windlass_{}={}", p.port, &p.session.text()[..63])));
    }),
    ("the secret in the address", |p, h, _, target| {
        set(h, "cookie", None);
        target.push_str(&format!("?token={}", p.session.text()));
    }),
    ("the secret as a bearer", |p, h, _, _| {
        set(h, "cookie", None);
        set(h, "authorization", Some(format!("Bearer {}", p.session.text())));
    }),
    ("a foreign host", |_, h, _, _| set(h, "host", Some("evil.example".into()))),
    ("a foreign host with the port", |p, h, _, _| set(h, "host", Some(format!("evil.example:{}", p.port)))),
    ("another port", |p, h, _, _| set(h, "host", Some(format!("127.0.0.1:{}", p.port ^ 1)))),
    ("a host that begins like ours", |p, h, _, _| set(h, "host", Some(format!("{}.evil.example", p.host())))),
    ("no host", |_, h, _, _| set(h, "host", None)),
    ("two hosts", |_, h, _, _| h.push(("host".into(), "evil.example".into()))),
    ("another server's address", |_, _, _, target| *target = format!("http://evil.example{target}")),
    ("a foreign origin", |_, h, _, _| set(h, "origin", Some("http://evil.example".into()))),
    ("no origin at all", |_, h, _, _| set(h, "origin", Some("null".into()))),
    ("our host with another scheme", |p, h, _, _| set(h, "origin", Some(format!("https://{}", p.host())))),
    ("another page of this machine", |_, h, _, _| set(h, "origin", Some("http://127.0.0.1:1".into()))),
    ("a request across sites", |_, h, _, _| set(h, "sec-fetch-site", Some("cross-site".into()))),
    ("another method", |_, _, method, _| *method = "DELETE".into()),
];

#[test]
fn every_route_refuses_every_hostile_request() {
    let page = OpenPage::new();
    assert!(ROUTES.len() > 30, "the table is the router's own");
    let mut kept = Vec::new();
    for route in ROUTES {
        for (name, spoil) in HOSTILE {
            let (mut headers, mut method) = (page.honest(), route.method().to_string());
            let mut target = match route.path {
                ENTER => format!("{ENTER}?token={}", "0".repeat(64)),
                path => path.to_owned(),
            };
            spoil(&page, &mut headers, &mut method, &mut target);
            let status = page.status(&request(&method, &target, &headers, PAUSE));
            if !(400..500).contains(&status) {
                kept.push(format!("{method} {target} with {name}: {status}"));
            }
        }
    }
    assert_eq!(kept, [""; 0], "these were answered");
    assert!(!page.wished(), "no wish was left");
}

#[test]
fn every_route_answers_an_honest_request() {
    let page = OpenPage::new();
    for route in ROUTES.iter().filter(|route| route.path != ENTER) {
        let status = page.status(&request(route.method().as_str(), route.path, &page.honest(), PAUSE));
        // A plan that was never run has no tasks and no findings; it is asked and answered all the same.
        assert!(
            ![0, 401, 403, 404, 405, 421].contains(&status) || route.path.starts_with("/api/"),
            "{}: {status}",
            route.path
        );
        assert!(![0, 401, 403, 405, 421].contains(&status), "{}: {status}", route.path);
    }
}

#[test]
fn what_reads_cannot_be_asked_to_write_nor_the_other_way_round() {
    let page = OpenPage::new();
    for route in ROUTES.iter().filter(|route| route.path != ENTER) {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] {
            if *method == *route.method().as_str() {
                continue;
            }
            let status = page.status(&request(method, route.path, &page.honest(), PAUSE));
            assert_eq!(status, 405, "{method} {}", route.path);
        }
    }
    assert!(!page.wished());
}

#[test]
fn no_path_leads_anywhere_else() {
    let page = OpenPage::new();
    for path in [
        "/../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/x",
        "//evil.example/",
        "/page/app.js",
        "/api",
        "/api/",
        "/api/wish/",
        "/app.js/",
        "/.git/config",
        "/api/state",
        "/api/verdict",
        "*",
    ] {
        let status = page.status(&request("GET", path, &page.honest(), ""));
        assert!((400..500).contains(&status), "{path}: {status}");
    }
}

#[test]
fn an_address_lets_in_once_and_only_over_our_host() {
    let page = OpenPage::new();
    let address = page.door.address();
    let target = address.split_once(&page.host()).unwrap().1.to_owned();
    let enter = |headers: &[(&str, String)]| {
        let headers: Vec<(String, String)> =
            headers.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect();
        page.send(&request("GET", &target, &headers, ""))
    };
    for spoiled in [
        vec![("host", "evil.example".to_owned())],
        vec![("host", page.host()), ("origin", "http://evil.example".to_owned())],
    ] {
        assert!(!enter(&spoiled).contains("set-cookie"), "{spoiled:?}");
    }
    let answer = enter(&[("host", page.host()), ("sec-fetch-site", "cross-site".to_owned())]);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.starts_with(&page.cookie()), "{cookie}");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(enter(&[("host", page.host())]).starts_with("HTTP/1.1 401"), "it worked twice");
    assert_ne!(page.door.address(), address, "there is a next one");
}

#[test]
fn a_wish_is_a_wish_and_nothing_else() {
    let page = OpenPage::new();
    let post = |body: &str| page.status(&request("POST", "/api/wish", &page.honest(), body));
    for body in [
        "",
        "{",
        "null",
        "[]",
        r#"{"wish":"complete","task":"a"}"#,
        r#"{"wish":"pause","task":"a"}"#,
        r#"{"kind":"merged","task":"a"}"#,
        r#"{"wish":"retry","task":"../x"}"#,
        r#"{"state":"completed"}"#,
    ] {
        assert_eq!(post(body), 400, "{body}");
    }
    assert_eq!(post(&format!(r#"{{"wish":"reopen","task":"a","because":"{}"}}"#, "x".repeat(70_000))), 413);
    let mut plain = page.honest();
    plain.push(("content-type".into(), "text/plain".into()));
    let text = request("POST", "/api/wish", &plain, PAUSE).replace("content-type: application/json\r\n", "");
    assert_eq!(page.status(&text), 415, "a form of another page cannot send JSON");
    let without = page.honest().into_iter().filter(|(name, _)| name != "origin").collect::<Vec<_>>();
    assert_eq!(page.status(&request("POST", "/api/wish", &without, PAUSE)), 403);
    assert!(!page.wished());
}
