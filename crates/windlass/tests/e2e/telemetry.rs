//! Telemetry: what a collector gets of a run, of a run that died, and that no collector holds a run up.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use windlass_testkit::TestRepo;

use crate::world::two_tasks;

/// A collector on loopback that keeps what it gets.
struct TestCollector {
    url: String,
    got: Arc<Mutex<Vec<(String, Value)>>>,
}

impl TestCollector {
    fn start(status: &'static str) -> Self {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", server.local_addr().unwrap());
        let got = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&got);
        std::thread::spawn(move || {
            for stream in server.incoming().flatten() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || serve(stream, status, &kept));
            }
        });
        Self { url, got }
    }

    /// Every span so far, in the order of arrival.
    fn spans(&self) -> Vec<Value> {
        let got = self.got.lock().unwrap();
        let bodies = got.iter().filter(|(request, _)| request.starts_with("POST /v1/traces "));
        let lists =
            bodies.filter_map(|(_, body)| body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array());
        lists.flatten().cloned().collect()
    }

    /// The newest figures.
    fn metrics(&self) -> Value {
        let got = self.got.lock().unwrap();
        let mut bodies = got.iter().filter(|(request, _)| request.starts_with("POST /v1/metrics "));
        bodies.next_back().unwrap().1["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].clone()
    }
}

fn serve(stream: TcpStream, status: &str, kept: &Mutex<Vec<(String, Value)>>) {
    let mut lines = BufReader::new(stream);
    loop {
        let (mut request, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if lines.read_line(&mut line).unwrap_or_default() == 0 {
                return;
            }
            let lower = line.to_ascii_lowercase();
            if let Some(n) = lower.strip_prefix("content-length:") {
                length = n.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
            request.push_str(&line);
        }
        let mut body = vec![0; length];
        lines.read_exact(&mut body).unwrap();
        kept.lock().unwrap().push((request, serde_json::from_slice(&body).unwrap()));
        let answer =
            format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}");
        lines.get_mut().write_all(answer.as_bytes()).unwrap();
    }
}

/// The user's own file names the collector.
fn told_to(repo: &TestRepo, endpoint: &str) {
    let dir = repo.home().join(".config/windlass");
    std::fs::create_dir_all(&dir).unwrap();
    let text = format!("[telemetry]\nendpoint = \"{endpoint}\"\nheaders_env = \"OTLP_HEADERS\"\n");
    std::fs::write(dir.join("config.toml"), text).unwrap();
}

fn attribute(span: &Value, key: &str) -> String {
    let found = span["attributes"].as_array().unwrap().iter().find(|a| a["key"] == key);
    let value = found.map(|a| &a["value"]).and_then(|v| v.as_object()?.values().next());
    value.map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned)).unwrap_or_default()
}

fn named<'s>(spans: &'s [Value], name: &str) -> Vec<&'s Value> {
    spans.iter().filter(|span| span["name"].as_str().unwrap().starts_with(name)).collect()
}

#[test]
fn a_collector_gets_a_run_as_a_tree_of_spans_with_its_figures() {
    let collector = TestCollector::start("200 OK");
    let repo = two_tasks();
    told_to(&repo, &collector.url);
    repo.start_with(&[("OTLP_HEADERS", "x-team=a%20b")], &["run", "--agent", "cmd:fake-agent"])
        .wait()
        .ends(0);
    let spans = collector.spans();
    let run = named(&spans, "invoke_workflow demo");
    assert_eq!((run.len(), attribute(run[0], "windlass.run.end").as_str()), (1, "completed"), "{spans:?}");
    assert_eq!(named(&spans, "task ").len(), 2, "{spans:?}");
    let by_id = |id: &Value| spans.iter().find(|span| span["spanId"] == *id).unwrap();
    for verify in named(&spans, "verify a") {
        let above: Vec<String> =
            std::iter::successors(Some(verify), |span| span.get("parentSpanId").map(by_id))
                .map(|span| span["name"].as_str().unwrap().to_owned())
                .collect();
        assert_eq!(above, ["verify a", "attempt a 1", "task a", "invoke_workflow demo"]);
    }
    let turn = named(&spans, "invoke_agent cmd:fake-agent")[0];
    assert_eq!(attribute(turn, "gen_ai.operation.name"), "invoke_agent");
    assert_eq!(attribute(turn, "gen_ai.provider.name"), "cmd:fake-agent");
    assert!(spans.iter().all(|span| span["traceId"] == run[0]["traceId"]), "{spans:?}");
    let tasks =
        collector.metrics().as_array().unwrap().iter().find(|m| m["name"] == "windlass.tasks").cloned();
    assert_eq!(tasks.unwrap()["sum"]["dataPoints"][0]["asDouble"], 2.0);
    let requests = collector.got.lock().unwrap();
    assert!(requests.iter().all(|(request, _)| request.contains("x-team: a b")), "{requests:?}");
}

#[test]
fn a_run_that_died_is_told_by_the_next_one_and_no_span_twice() {
    for point in [3, 8, 14, 20, 26] {
        let collector = TestCollector::start("200 OK");
        let repo = two_tasks();
        told_to(&repo, &collector.url);
        let crash = [("WINDLASS_TEST_CRASH_AFTER", &*point.to_string())];
        let died = repo.start_with(&crash, &["run", "--agent", "cmd:fake-agent"]).wait();
        assert_eq!(died.code, None, "{point}: {died}");
        repo.run(&[]).ends(0);
        let spans = collector.spans();
        let ids: BTreeSet<String> = spans.iter().map(|span| span["spanId"].to_string()).collect();
        assert_eq!(ids.len(), spans.len(), "{point}: a span came twice: {spans:?}");
        let ends: Vec<String> =
            named(&spans, "invoke_workflow").iter().map(|run| attribute(run, "windlass.run.end")).collect();
        assert_eq!(ends, ["lost", "completed"], "{point}");
        let runs = named(&spans, "invoke_workflow");
        assert_eq!(runs[1]["links"][0]["spanId"], runs[0]["spanId"], "{point}");
        // What ended in the last moments before the crash is lost with it: on a slow machine a parent of what was sent, too.
        let known = |span: &&Value| span.get("parentSpanId").is_none_or(|id| ids.contains(&id.to_string()));
        let mut later = spans.iter().filter(|span| span["traceId"] == runs[1]["traceId"]);
        assert!(later.all(|span| known(&span)), "{point}: a parent is missing: {spans:?}");
    }
}

#[test]
fn no_collector_holds_a_run_up() {
    // One that is not there, one that refuses, one that accepts and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let gone = TcpListener::bind("127.0.0.1:0").unwrap();
    let gone_url = format!("http://{}", gone.local_addr().unwrap());
    drop(gone);
    let refusing = TestCollector::start("400 Bad Request");
    let silent_url = format!("http://{}", silent.local_addr().unwrap());
    for (url, said) in [
        (&gone_url, "did not reach the collector"),
        (&refusing.url, "answered 400"),
        (&silent_url, "telemetry.endpoint"),
    ] {
        let repo = two_tasks();
        told_to(&repo, url);
        let run = repo.run(&[]).ends(0);
        let told = run.stderr.contains(said) || run.stderr.contains("telemetry was still being sent");
        assert!(told && !run.stderr.contains(url.as_str()), "{url}: {run}");
    }
}

#[test]
fn an_endpoint_of_a_repository_needs_trust() {
    let collector = TestCollector::start("200 OK");
    let repo = two_tasks();
    repo.write("windlass.toml", &format!("[telemetry]\nendpoint = \"{}\"\n", collector.url));
    let run = repo.start_with(&[("WINDLASS_TRUST", "")], &["run", "--agent", "cmd:fake-agent"]).wait();
    run.ends(3).says("telemetry.endpoint");
    assert!(collector.got.lock().unwrap().is_empty());
}
