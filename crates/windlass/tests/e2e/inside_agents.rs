//! Windlass from inside an agent: the skill and its commands, runs in the background, the tools of the MCP server.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{STRICT, empty, one_task, state, with_plan};

/// An agent with a name, as the MCP server wants it.
const NAMED: &str = "[agents.mine]\ncommand = \"fake-agent\"\n";

#[test]
fn the_skill_is_written_where_agents_look_and_what_others_wrote_stays() {
    let repo = empty().file(".claude/commands/windlass/status.md", "mine\n");
    repo.windlass(&["init", "--skills"])
        .ends(0)
        .says("wrote the skill")
        .says("kept .claude/commands/windlass/status.md");
    let printed = repo.windlass(&["skill"]).ends(0).stdout;
    for place in [".claude/skills/windlass/SKILL.md", ".agents/skills/windlass/SKILL.md"] {
        assert_eq!(repo.read(place), printed);
    }
    assert_eq!(repo.read(".claude/commands/windlass/status.md"), "mine\n");
    for place in [
        ".agents/plugins/windlass/.claude-plugin/plugin.json",
        ".agents/plugins/windlass/.codex-plugin/plugin.json",
        ".agents/plugins/windlass/gemini-extension.json",
        ".agents/plugins/marketplace.json",
        ".claude-plugin/marketplace.json",
        ".opencode/commands/windlass-rush.md",
        ".gemini/commands/windlass/design.toml",
    ] {
        assert!(!repo.read(place).is_empty(), "{place}");
    }
    // An older text of ours is replaced.
    let older = printed.replace("Eight commands", "Some commands");
    repo.write(".agents/skills/windlass/SKILL.md", &older);
    repo.windlass(&["init", "--skills"]).ends(0);
    assert_eq!(repo.read(".agents/skills/windlass/SKILL.md"), printed);
}

#[test]
fn the_skill_is_never_written_through_a_link() {
    let repo = empty();
    let outside = repo.top().join("outside");
    fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, repo.path(".claude")).unwrap();
    repo.windlass(&["init", "--skills"]).ends(3).says("leads out of the repository");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn every_command_and_option_that_the_skill_names_exists() {
    let repo = one_task();
    let mut text = repo.windlass(&["skill"]).ends(0).stdout;
    repo.windlass(&["init", "--skills"]).ends(0);
    for name in [
        "design",
        "rush",
        "status",
        "homerun-plan",
        "homerun-conduct",
        "tdd-plan",
        "superplanner",
        "contract",
    ] {
        text.push_str(&repo.read(&format!(".claude/commands/windlass/{name}.md")));
    }
    let mut seen = 0;
    for line in text.split('`').filter(|code| code.starts_with("windlass ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let help = repo.windlass(&[words[1].trim_end_matches(','), "--help"]).ends(0).stdout;
        for option in words.iter().filter(|w| w.starts_with("--")) {
            let name = option.split('=').next().unwrap();
            assert!(help.contains(name), "`{line}`: there is no {name}");
            seen += 1;
        }
    }
    assert!(seen > 15, "{seen}");
}

#[test]
fn a_run_in_the_background_outlives_the_command_and_is_followed_by_events() {
    let repo = one_task();
    repo.start_run(&["--background"]).wait().ends(0).says("goes on by itself as job-");
    let mut since = 0;
    let until = Instant::now() + Duration::from_mins(1);
    loop {
        let told = repo.windlass(&["status", "--json", "--since", &since.to_string()]).ends(0).stdout;
        let change: Value = serde_json::from_str(&told).unwrap();
        if change["schema"] == "windlass.change/1" {
            since = change["head"]["seq"].as_u64().unwrap();
            if change["head"]["state"] == "completed" {
                break;
            }
        }
        assert!(Instant::now() < until, "{told}");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(state(&repo, "a"), "completed");
    let nothing = repo.windlass(&["status", "--json", "--since", &since.to_string()]).ends(0).stdout;
    assert!(!nothing.contains("\"rows\""), "{nothing}");
    // What refuses to start says so at once.
    repo.windlass(&["run", "--agent", "nobody", "--background"]).ends(2).says("there is no agent `nobody`");
}

/// A repository whose task waits for approval.
fn waiting() -> TestRepo {
    let task = PlanTask::shell("a").front("requires_approval: true");
    let repo = with_plan(&[task]).file("windlass.toml", &format!("{STRICT}{NAMED}"));
    repo.run(&[]).ends(3);
    repo
}

#[test]
fn an_agent_cannot_approve_by_its_shell() {
    let repo = waiting();
    for variable in ["CLAUDECODE", "CODEX_THREAD_ID", "GEMINI_CLI", "QWEN_CODE", "OPENCODE"] {
        let tried = repo.start_with(&[(variable, "1")], &["approve", "a"]).wait().ends(3);
        assert!(tried.stderr.contains("approval is the person's"), "{tried}");
    }
    assert_eq!(state(&repo, "a"), "blocked");
    repo.windlass(&["approve", "a"]).ends(0);
}

/// A client of the MCP server.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    nth: u64,
}

impl Client {
    fn of(repo: &TestRepo) -> Self {
        let mut command = repo.command(env!("CARGO_BIN_EXE_windlass"));
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output, nth: 0 }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.nth += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.nth, "method": method, "params": params });
        self.send(&message);
        self.hear()
    }

    /// Calls a tool without a handshake, by a client that can ask its person.
    fn call(&mut self, name: &str, arguments: &Value, more: &Value) -> Value {
        let mut params = json!({ "name": name, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } } } });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        let started = Instant::now();
        let answer = self.ask("tools/call", &params)["result"].clone();
        assert!(started.elapsed() < Duration::from_secs(20), "{answer}");
        answer
    }

    fn text(&mut self, name: &str, arguments: &Value) -> String {
        self.call(name, arguments, &json!({}))["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The same in the end: on a busy machine the first answer is the name of a job.
    fn text_at_last(&mut self, name: &str, arguments: &Value) -> String {
        let mut said = self.text(name, arguments);
        while let Some((job, _)) = said.strip_prefix("[at work as ").and_then(|rest| rest.split_once(',')) {
            std::thread::sleep(Duration::from_millis(200));
            said = self.text("status", &json!({ "job": job }));
        }
        said
    }

    /// Ends as a client does: by closing its end.
    fn end(self) {
        let Self { mut child, input, .. } = self;
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn a_plan_is_carried_out_and_landed_through_tools() {
    let repo = one_task().file("windlass.toml", "[agents.mine]\ncommand = \"echo 'echo a' > a.sh\"\n");
    repo.commit("settings");
    let mut client = Client::of(&repo);
    let checked = client.text_at_last("check", &json!({ "plan": "plans/demo" }));
    assert!(checked.contains("plan `demo` (native, 1 task): 1 note"), "{checked}");
    let started = client.text("run", &json!({ "plan": "plans/demo", "agent": "mine" }));
    // The client goes away; the run does not.
    client.end();
    let mut client = Client::of(&repo);
    let until = Instant::now() + Duration::from_mins(1);
    while !client.text("status", &json!({})).contains("1 of 1") {
        assert!(Instant::now() < until, "{started}\n{}", client.text("status", &json!({})));
        std::thread::sleep(Duration::from_millis(200));
    }
    let status = client.text("status", &json!({}));
    assert!(status.contains("status {\"since\": "), "{status}");
    assert!(client.text_at_last("show", &json!({ "task": "a" })).contains("merged"));
    assert!(client.text_at_last("report", &json!({})).contains("demo"));
    let landed = client.text_at_last("land", &json!({}));
    assert!(landed.contains("main"), "{landed}");
    assert!(repo.path("a.sh").exists());
    client.end();
}

#[test]
fn approval_through_the_server_is_the_persons() {
    let repo = waiting();
    let mut client = Client::of(&repo);
    let approve = json!({ "action": "approve", "task": "a" });
    // A client that cannot ask.
    let refused = client.ask("tools/call", &json!({ "name": "act", "arguments": approve }))["result"].clone();
    assert!(refused["isError"] == true && refused.to_string().contains("terminal"), "{refused}");
    // One that asks and calls again: no, and a yes that belongs to something else.
    let asked = client.call("act", &approve, &json!({}));
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let answer = |state: &Value, yes: bool| json!({ "requestState": state, "inputResponses": { "confirm": { "action": "accept", "content": { "approve": yes } } } });
    let no = client.call("act", &approve, &answer(&asked["requestState"], false));
    assert!(no["isError"] == true, "{no}");
    let used = client.call("act", &approve, &answer(&asked["requestState"], true));
    assert!(used.to_string().contains("belongs to another call"), "{used}");
    assert_eq!(state(&repo, "a"), "blocked");
    let asked = client.call("act", &approve, &json!({}));
    let yes = client.call("act", &approve, &answer(&asked["requestState"], true));
    assert_eq!((&yes["isError"], &yes["resultType"]), (&json!(false), &json!("complete")), "{yes}");
    client.end();
    repo.run(&[]).ends(0);
    assert_eq!(state(&repo, "a"), "completed");
}

#[test]
fn approval_is_asked_for_by_a_request_where_there_was_a_handshake() {
    let repo = waiting();
    let mut client = Client::of(&repo);
    client.ask(
        "initialize",
        &json!({ "protocolVersion": "2025-06-18", "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "t", "version": "1" } }),
    );
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": "act",
        "arguments": { "action": "approve", "task": "a" } } });
    client.send(&call);
    let question = client.hear();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    // Another request meanwhile is answered afterwards.
    client.send(&json!({ "jsonrpc": "2.0", "id": 8, "method": "ping" }));
    client.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "accept", "content": { "approve": true } } }));
    let (answer, ping) = (client.hear(), client.hear());
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(7), &json!(false)), "{answer}");
    assert_eq!(ping["id"], 8);
    client.end();
    repo.run(&[]).ends(0);
}

#[test]
fn no_tool_sets_a_state_or_leaves_the_repository() {
    let repo = one_task();
    let mut client = Client::of(&repo);
    for (name, arguments) in [
        ("status", json!({ "job": "../../../etc" })),
        ("status", json!({ "job": "job-nothing" })),
        ("show", json!({ "task": "--help" })),
        ("plan", json!({ "documents": ["--run"] })),
        ("act", json!({ "action": "answer", "task": "a", "text": "x" })),
        ("land", json!({ "onto": "--force" })),
    ] {
        let answer = client.call(name, &arguments, &json!({}));
        assert_eq!(answer["isError"], true, "{name} {arguments}: {answer}");
    }
    client.end();
    assert!(repo.try_git(&["rev-parse", "--verify", "windlass/demo"]).is_err());
}
