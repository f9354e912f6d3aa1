//! Claude Code.

use super::kind::{CliFacts, Login};
use super::launch::{Launch, LaunchRequest, Permission};
use super::version::Version;
use crate::agent::Conversation;

pub(super) static FACTS: CliFacts = CliFacts {
    title: "Claude Code",
    program: "claude",
    package: "@anthropic-ai/claude-code",
    tested: Version(2, 1, 325),
    minimum: Version(2, 1, 0),
    login: Login {
        file: ".claude/.credentials.json",
        moved_by: Some(("CLAUDE_CONFIG_DIR", ".credentials.json")),
        keys: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
        how: "start `claude` once and log in, or set `ANTHROPIC_API_KEY`",
    },
    abilities: &["resume", "fork", "schema", "turn limit", "money limit", "tells cost"],
    variables: &["ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_SMALL_FAST_MODEL"],
    conversations: &[(".claude/projects", &[".jsonl"])],
};

/// How often it retries a request. Its default is 10 retries, which take minutes.
const RETRIES: &str = "2";

pub(super) fn launch(ask: &LaunchRequest<'_>) -> Launch {
    let spec = ask.spec;
    let mut launch = Launch::default();
    launch.args(["-p", "--output-format", "stream-json", "--verbose", "--strict-mcp-config"]);
    let mode = match ask.permission {
        Permission::Read => "plan",
        Permission::Edit => "acceptEdits",
        Permission::Full => "bypassPermissions",
    };
    launch.args(["--permission-mode", mode]).option("--add-dir", Some(ask.scratch));
    launch.option("--model", spec.model.as_ref());
    launch.option("--max-turns", spec.max_turns.map(|n| n.to_string()));
    launch.option("--max-budget-usd", spec.max_budget_usd.map(|usd| usd.to_string()));
    launch.option("--json-schema", ask.schema.map(|s| super::schema_forms::nameless(s).to_string()));
    match ask.session {
        Conversation::New => {}
        Conversation::Resume(id) => {
            launch.args(["--resume", id]);
        }
        Conversation::Fork(id) => {
            launch.args(["--resume", id, "--fork-session"]);
        }
    }
    launch.args(&spec.args);
    launch.set("CLAUDE_CONFIG_DIR", ask.home.below(".claude")).set("CLAUDE_CODE_MAX_RETRIES", RETRIES);
    for quiet in [
        "DISABLE_AUTOUPDATER",
        "DISABLE_TELEMETRY",
        "DISABLE_ERROR_REPORTING",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    ] {
        launch.set(quiet, "1");
    }
    if ask.permission == Permission::Full {
        // As root it refuses to run without prompts unless it is told that it is sandboxed.
        launch.set("IS_SANDBOX", "1");
    }
    launch
}
