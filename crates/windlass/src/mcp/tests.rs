//! The protocol as a client sees it, without a repository.

use serde_json::{Value, json};
use windlass_planner::tokens::estimate;

use super::answer::{cut, whole_characters};
use super::*;

/// What the server answers to these lines.
fn told(lines: &str) -> Vec<Value> {
    let world = World::for_test();
    let mut out = Vec::new();
    Server::new(&world, lines.as_bytes(), &mut out).serve().unwrap();
    String::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn modern(method: &str, mut params: Value) -> String {
    params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {} });
    format!("{}\n", json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
}

#[test]
fn a_handshake_gets_its_version_and_anything_else_the_newest_with_one() {
    for (asked, given) in [
        ("2025-06-18", "2025-06-18"),
        ("2024-11-05", "2024-11-05"),
        ("1999-01-01", LEGACY[0]),
        (MODERN, LEGACY[0]),
    ] {
        let line = json!({ "jsonrpc": "2.0", "id": "a", "method": "initialize", "params": { "protocolVersion": asked,
            "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } });
        let answers =
            told(&format!("{line}\n{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}\n"));
        assert_eq!(answers.len(), 1);
        assert_eq!(
            (&answers[0]["id"], &answers[0]["result"]["protocolVersion"]),
            (&json!("a"), &json!(given))
        );
        assert!(answers[0]["result"].get("resultType").is_none());
    }
}

#[test]
fn a_request_that_names_its_version_needs_no_handshake() {
    let found = &told(&modern("server/discover", json!({})))[0]["result"];
    assert_eq!((&found["supportedVersions"][0], &found["resultType"]), (&json!(MODERN), &json!("complete")));
    let tools = &told(&modern("tools/list", json!({})))[0]["result"];
    assert_eq!(
        (tools["tools"].as_array().map(Vec::len), &tools["resultType"]),
        (Some(8), &json!("complete"))
    );
    let refused = told(&modern("tools/list", json!({})).replace(MODERN, "2031-01-01"));
    assert_eq!(refused[0]["error"]["code"], -32022);
    assert_eq!(refused[0]["error"]["data"]["supported"], json!([MODERN]));
}

#[test]
fn the_list_of_tools_is_cheap_to_read() {
    let text = json!({ "tools": tools::descriptions(), "instructions": INSTRUCTIONS }).to_string();
    assert!(estimate(&text) <= 1500, "{} tokens", estimate(&text));
}

#[test]
fn what_is_no_request_is_refused_and_the_server_goes_on() {
    let garbage =
        format!("nonsense\n[]\n\n{{\"id\":1}}\n{}\n{}", "x".repeat(5 << 20), modern("nothing", json!({})));
    let codes: Vec<i64> = told(&garbage).iter().map(|a| a["error"]["code"].as_i64().unwrap()).collect();
    assert_eq!(codes, [-32700, -32600, -32700, -32601]);
}

#[test]
fn arguments_that_a_tool_does_not_take_are_named() {
    for (name, arguments, said) in [
        ("nothing", json!({}), "there is no tool"),
        ("run", json!({ "sandbox": "off" }), "takes no `sandbox`"),
        ("run", json!({ "until": "T1" }), "`until` of `run`"),
        ("show", json!({}), "needs `task`"),
        ("act", json!({ "action": "complete" }), "`action` of `act`"),
        ("status", json!({ "since": -1 }), "`since` of `status`"),
    ] {
        let answer = &told(&modern("tools/call", json!({ "name": name, "arguments": arguments })))[0];
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(said), "{answer}");
    }
}

#[test]
fn a_command_cannot_be_smuggled_in_as_an_agent() {
    let call = json!({ "name": "run", "arguments": { "agent": "cmd:touch x" } });
    let answer = &told(&modern("tools/call", call))[0]["result"];
    assert_eq!(answer["isError"], true);
    assert!(answer["content"][0]["text"].as_str().unwrap().contains("is a command"), "{answer}");
}

#[test]
fn a_long_text_is_cut_at_a_line_within_what_an_agent_reads() {
    let line = "a line of some words that says nothing at all\n";
    let text = line.repeat(2000);
    let piece = cut(&text);
    assert!(piece.ends_with('\n') && estimate(piece) <= 2000 && piece.len() > 4000, "{}", piece.len());
    assert_eq!(cut("short"), "short");
    let wide = "ä".repeat(40_000);
    assert!(estimate(cut(&wide)) <= 2000);
}

#[test]
fn a_character_that_is_cut_waits_for_the_next_answer() {
    let text = "ab✔".as_bytes();
    assert_eq!(whole_characters(text), text);
    assert_eq!(whole_characters(&text[..4]), b"ab");
    // What is no text at all is not waited for.
    assert_eq!(whole_characters(b"a\xffb"), b"a\xffb");
}
