//! The programs' own MCP clients carry a plan out by the tools of `windlass mcp`.

use serde_json::{Value, json};
use windlass_engine::agent::cli::CliKind;
use windlass_testkit::TestRepo;
use windlass_testkit::model::{ModelServer, Script, Step};

use crate::cells::Said;
use crate::programs::is_tested;
use crate::skill::{SENTENCE, repo, run, waits};

/// What each program calls a tool of the server `windlass`.
fn tool(kind: CliKind, name: &str) -> String {
    match kind {
        CliKind::Claude | CliKind::Qwen => format!("mcp__windlass__{name}"),
        CliKind::Codex | CliKind::Other => format!("mcp__windlass.{name}"),
        CliKind::Gemini => format!("mcp_windlass_{name}"),
        CliKind::Opencode => format!("windlass_{name}"),
    }
}

/// Tells a program of the server: by arguments, or by its settings.
fn configure(kind: CliKind, repo: &TestRepo) -> Vec<String> {
    let servers =
        json!({ "mcpServers": { "windlass": { "command": "windlass", "args": ["mcp"], "trust": true } } });
    let words: Vec<&str> = match kind {
        CliKind::Claude => vec!["--strict-mcp-config", "--mcp-config"],
        CliKind::Qwen => vec!["--mcp-config"],
        CliKind::Codex | CliKind::Other => {
            return [
                "mcp_servers.windlass.command=\"windlass\"",
                "mcp_servers.windlass.args=[\"mcp\"]",
                // It gives servers a few variables only.
                "mcp_servers.windlass.env_vars=[\"WINDLASS_TRUST\", \"XDG_CACHE_HOME\", \"PATH\"]",
                "mcp_servers.windlass.default_tools_approval_mode=\"approve\"",
            ]
            .iter()
            .flat_map(|setting| ["-c".to_owned(), (*setting).to_owned()])
            .collect();
        }
        CliKind::Gemini => {
            // Servers of a repository wait until its folder is trusted; the user's own do not.
            let path = repo.home().join(".gemini/settings.json");
            let mut settings: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            settings["mcpServers"] = servers["mcpServers"].clone();
            std::fs::write(&path, settings.to_string()).unwrap();
            return Vec::new();
        }
        CliKind::Opencode => {
            let local = json!({ "mcp": { "windlass": { "type": "local", "command": ["windlass", "mcp"], "enabled": true } } });
            repo.write("opencode.json", &local.to_string());
            return Vec::new();
        }
    };
    words.into_iter().map(str::to_owned).chain([servers.to_string()]).collect()
}

/// Lets a program do it.
pub(crate) fn tools(kind: CliKind) -> Said {
    let call = |name: &str, input: Value| Step::Call { tool: tool(kind, name), input };
    let before = [
        call("plan", json!({ "documents": ["docs/specs"], "write": true })),
        // On a busy machine the answer comes before the plan.
        Step::Run("until windlass check plans/till; do sleep 0.5; done".into()),
        call("run", json!({ "plan": "plans/till", "agent": "mine", "accept_warnings": true })),
    ];
    // A model would ask `status` until then.
    let after = [call("status", json!({})), call("land", json!({})), Step::say("It is landed.")];
    let steps: Vec<Step> = before.into_iter().chain(waits(kind)).chain(after).collect();
    let server = ModelServer::start(Script::default().turn("please.", steps)).unwrap();
    let repo = repo();
    let more = configure(kind, &repo);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "--allow-empty", "-m", "settings"]);
    let printed = run(&repo, kind, &server, SENTENCE, &more);
    let landed = repo.git(&["log", "--format=%s", "main"]);
    if landed.matches("T00").count() < 3 {
        let heard: Vec<_> = server.heard().into_iter().map(|heard| heard.body).collect();
        return Said::No(format!("not landed:\n{landed}\n{printed}\n{heard:?}"));
    }
    Said::Yes("landed by 4 tools".into())
}

#[test]
fn codex_carries_a_plan_out_by_tools() {
    if !is_tested(CliKind::Codex) {
        return;
    }
    assert_eq!(tools(CliKind::Codex), Said::Yes("landed by 4 tools".into()));
}
