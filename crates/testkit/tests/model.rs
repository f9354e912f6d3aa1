//! The scripted model, asked over a real connection in all its languages.

#![expect(clippy::unwrap_used, reason = "a test that cannot ask must fail")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use windlass_testkit::model::{Dialect, ModelServer, Script, Step};

/// Head and body of the answer to a request on a connection of its own.
fn ask(server: &ModelServer, path: &str, body: &Value) -> (String, String) {
    try_ask(server, path, body).unwrap()
}

fn try_ask(server: &ModelServer, path: &str, body: &Value) -> std::io::Result<(String, String)> {
    let mut stream = TcpStream::connect(server.url().trim_start_matches("http://"))?;
    let body = body.to_string();
    let length = body.len();
    let head = "HTTP/1.1\r\nConnection: close\r\nx-api-key: k\r\nContent-Length";
    write!(stream, "POST {path} {head}: {length}\r\n\r\n{body}")?;
    let mut all = String::new();
    stream.read_to_string(&mut all)?;
    let (head, body) = all.split_once("\r\n\r\n").unwrap_or((&all, ""));
    Ok((head.to_owned(), body.to_owned()))
}

/// A request in a language: the prompt, so many tool results after it, one tool.
fn request(dialect: Dialect, prompt: &str, results: usize, stream: bool) -> (String, Value) {
    let schema = json!({"type": "object", "properties": {"file_path": {}, "content": {}}});
    match dialect {
        Dialect::Anthropic => {
            let mut messages = vec![json!({"role": "user", "content": prompt})];
            for _ in 0..results {
                messages
                    .push(json!({"role": "user", "content": [{"type": "tool_result", "content": "T-1"}]}));
            }
            let tools = json!([{"name": "Write", "input_schema": schema}]);
            (
                "/v1/messages".into(),
                json!({"model": "m", "stream": stream, "messages": messages, "tools": tools}),
            )
        }
        Dialect::Responses => {
            let part = json!({"type": "input_text", "text": prompt});
            let mut input = vec![json!({"type": "message", "role": "user", "content": [part]})];
            for _ in 0..results {
                input.push(json!({"type": "function_call_output", "output": "T-1"}));
            }
            let tools = json!([{"type": "function", "name": "Write", "parameters": schema}]);
            ("/v1/responses".into(), json!({"model": "m", "stream": stream, "input": input, "tools": tools}))
        }
        Dialect::Chat => {
            let mut messages = vec![json!({"role": "user", "content": prompt})];
            for _ in 0..results {
                messages.push(json!({"role": "tool", "content": "T-1"}));
            }
            let tools = json!([{"type": "function", "function": {"name": "Write", "parameters": schema}}]);
            let body = json!({"model": "m", "stream": stream, "messages": messages, "tools": tools});
            ("/v1/chat/completions".into(), body)
        }
        Dialect::Gemini => {
            let mut contents = vec![json!({"role": "user", "parts": [{"text": prompt}]})];
            for _ in 0..results {
                contents.push(json!({"role": "user", "parts": [{"functionResponse": {"response": "T-1"}}]}));
            }
            let tools = json!([{"functionDeclarations": [{"name": "Write", "parameters": schema}]}]);
            let way = if stream { "streamGenerateContent" } else { "generateContent" };
            (format!("/v1beta/models/m:{way}?alt=sse"), json!({"contents": contents, "tools": tools}))
        }
    }
}

const ALL: [Dialect; 4] = [Dialect::Anthropic, Dialect::Responses, Dialect::Chat, Dialect::Gemini];

fn script() -> Script {
    Script::default().turn("T-1", [Step::write("a.sh", "echo a\n"), Step::say("There it is.")])
}

#[test]
fn every_language_calls_the_tool_then_speaks() {
    for dialect in ALL {
        for stream in [false, true] {
            let server = ModelServer::start(script()).unwrap();
            for (results, wanted) in [(0, "echo a"), (1, "There it is."), (2, "Done.")] {
                let (path, body) = request(dialect, "# T-1: say a", results, stream);
                let (head, body) = ask(&server, &path, &body);
                assert!(head.starts_with("HTTP/1.1 200"), "{head}");
                assert!(body.contains(wanted), "{dialect:?} {stream}: {body}");
                assert_eq!(body.starts_with('{'), !stream, "{body}");
                assert!(body.contains("50"), "{dialect:?} {stream} tells no cost: {body}");
            }
            let heard = server.heard_of("T-1");
            let steps: Vec<(usize, bool)> = heard.iter().map(|h| (h.step, h.delivered)).collect();
            assert_eq!(steps, [(0, true), (1, true), (2, true)]);
            assert_eq!((heard[0].dialect, heard[0].key.as_deref()), (Some(dialect), Some("k")));
            assert_eq!(heard[0].tools, ["Write"]);
        }
    }
}

#[test]
fn every_line_of_a_stream_is_json() {
    for dialect in ALL {
        let server = ModelServer::start(script()).unwrap();
        let (path, body) = request(dialect, "T-1", 0, true);
        let (_, body) = ask(&server, &path, &body);
        let data: Vec<&str> = body.lines().filter_map(|l| l.strip_prefix("data: ")).collect();
        assert!(!data.is_empty());
        for line in data.iter().filter(|l| **l != "[DONE]") {
            assert!(serde_json::from_str::<Value>(line).unwrap().is_object());
        }
    }
}

#[test]
fn faults_come_as_often_as_the_script_says() {
    for dialect in ALL {
        let limit = Step::Status { code: 429, retry_after: Some(7), times: Some(2) };
        let cut = Step::Cut { after: 10, times: Some(1) };
        let server =
            ModelServer::start(Script::default().turn("T-1", [limit, cut, Step::say("at last")])).unwrap();
        let (path, body) = request(dialect, "T-1", 0, true);
        for _ in 0..2 {
            let (head, said) = ask(&server, &path, &body);
            assert!(head.starts_with("HTTP/1.1 429") && head.contains("retry-after: 7"), "{head}");
            assert!(said.contains("scripted status 429"), "{said}");
        }
        assert_eq!(ask(&server, &path, &body).1.len(), 10);
        assert!(ask(&server, &path, &body).1.contains("at last"));
        let delivered: Vec<bool> = server.heard().iter().map(|h| h.delivered).collect();
        assert_eq!(delivered, [true, true, false, true]);
    }
}

#[test]
fn a_server_that_hangs_ends_with_its_owner() {
    let server = ModelServer::start(Script::default().turn("T-1", [Step::Hang { times: None }])).unwrap();
    let (path, body) = request(Dialect::Anthropic, "T-1", 0, false);
    let address = server.url();
    let asking = std::thread::spawn(move || {
        let mut stream = TcpStream::connect(address.trim_start_matches("http://")).unwrap();
        let body = body.to_string();
        write!(stream, "POST {path} HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        all
    });
    let since = Instant::now();
    while server.heard().is_empty() && since.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(server.heard().len(), 1);
    drop(server);
    assert_eq!(asking.join().unwrap(), b"");
}

#[test]
fn an_aside_does_not_use_up_the_conversation() {
    let server = ModelServer::start(script()).unwrap();
    let title = json!({"model": "m", "messages": [{"role": "user", "content": "a title for: T-1"}]});
    assert!(ask(&server, "/v1/chat/completions", &title).1.contains("A scripted session"));
    let (path, body) = request(Dialect::Chat, "T-1", 0, false);
    assert!(ask(&server, &path, &body).1.contains("echo a"));
    assert_eq!(server.heard_of("T-1").len(), 1);
    let (head, _) = ask(&server, "/v1/embeddings", &json!({}));
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}

#[test]
fn more_connections_than_it_has_room_for_are_closed_and_the_rest_is_served() {
    let server = ModelServer::start(script()).unwrap();
    let address = server.url();
    let idle: Vec<TcpStream> =
        (0..80).map(|_| TcpStream::connect(address.trim_start_matches("http://")).unwrap()).collect();
    drop(idle);
    let (path, body) = request(Dialect::Chat, "T-1", 0, false);
    let since = Instant::now();
    while !try_ask(&server, &path, &body).is_ok_and(|(head, _)| head.starts_with("HTTP/1.1 200")) {
        assert!(since.elapsed() < Duration::from_secs(30), "it is not served");
    }
}
