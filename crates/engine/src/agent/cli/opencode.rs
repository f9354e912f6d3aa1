//! opencode.

use serde_json::json;

use super::kind::{
    AcpFacts, CliFacts, Login, OwnLimits, PriceSource, SchemaWay, SessionReach, SettingsFacts, UnseenLogin,
};
use super::launch::{Launch, LaunchRequest, Permission};
use super::provider::opencode_hosts;
use super::version::Version;
use crate::agent::Conversation;
use crate::agent::stream;

pub(super) static FACTS: CliFacts = CliFacts {
    title: "opencode",
    program: "opencode",
    package: "opencode-ai",
    tested: Version(1, 18, 33),
    minimum: Version(1, 18, 0),
    login: Login {
        file: ".local/share/opencode/auth.json",
        moved_by: Some(("XDG_DATA_HOME", "opencode/auth.json")),
        keys: &[
            "OPENCODE_API_KEY",
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY",
            "GEMINI_API_KEY",
            "GOOGLE_GENERATIVE_AI_API_KEY",
            "OPENROUTER_API_KEY",
            "GROQ_API_KEY",
            "MISTRAL_API_KEY",
            "XAI_API_KEY",
        ],
        ways: &[],
        env_files: &[],
        how: "run `opencode auth login`, or set the key of your provider, such as `ANTHROPIC_API_KEY`",
    },
    abilities: &["resume", "fork", "tells cost"],
    rules: &["AGENTS.md"],
    variables: &["OPENCODE_CONFIG_CONTENT"],
    hosts: &[],
    endpoints: &[],
    chatter: &["models.dev"],
    conversations: &[(".local/share/opencode", &["opencode.db", "opencode.db-wal", "opencode.db-shm"])],
    telemetry_provider: "opencode",
    price: PriceSource::Reported,
    unseen_login: UnseenLogin::NotNeeded,
    schema: SchemaWay::Words,
    limits: OwnLimits::None,
    resumes: SessionReach::SameDir,
    acp: AcpFacts { resumes: SessionReach::SameDir, forks: SessionReach::SameDir, ..AcpFacts::UNKNOWN },
    side_usage: None,
    settings: SettingsFacts {
        moved_by: Some(("XDG_CONFIG_HOME", "opencode/opencode.json")),
        model: &["model"],
        carried: &["small_model", "provider", "enabled_providers", "disabled_providers"],
        ..SettingsFacts::at(".config/opencode/opencode.json")
    },
    limit_exits: &[],
    hosts_by_settings: Some(opencode_hosts),
    launch,
    begins: stream::opencode::begins,
    entries: stream::opencode::entries,
};

pub(super) fn launch(ask: &LaunchRequest<'_>) -> Launch {
    let spec = ask.spec;
    let mut launch = Launch::default();
    launch.args(["run", "--format", "json"]).option("--dir", Some(ask.dir));
    launch.option("-m", spec.model.as_ref());
    if ask.permission == Permission::Full {
        launch.args(["--auto"]);
    }
    match ask.session {
        Conversation::New => {}
        Conversation::Resume(id) => {
            launch.args(["-s", id]);
        }
        Conversation::Fork(id) => {
            launch.args(["-s", id, "--fork"]);
        }
    }
    launch.args(&spec.args);
    let mut config = json!({
        "autoupdate": false,
        "share": "disabled",
        "snapshot": false,
    });
    ask.carry_into(&mut config);
    launch.files.push((ask.home.below(".config/opencode/opencode.json"), config.to_string()));
    launch.set("OPENCODE_PERMISSION", permission(ask));
    for quiet in ["OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_LSP_DOWNLOAD", "OPENCODE_DISABLE_SHARE"] {
        launch.set(quiet, "true");
    }
    for (name, below) in [
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_STATE_HOME", ".local/state"),
        ("XDG_CACHE_HOME", ".cache"),
    ] {
        launch.set(name, ask.home.below(below));
    }
    launch
}

/// The permissions of its tools. Prompts count as refused.
fn permission(ask: &LaunchRequest<'_>) -> String {
    let answer = format!("{}/*", ask.scratch.display());
    let mut rules = match ask.permission {
        Permission::Read => json!({ "edit": "deny", "bash": "deny", "external_directory": "deny" }),
        Permission::Edit => json!({
            "edit": "allow",
            "bash": "deny",
            "external_directory": { "*": "deny", answer: "allow" },
        }),
        Permission::Full => json!({ "*": "allow" }),
    };
    // No task needs the web, other agents, skills or questions: what is denied is not offered.
    for needless in ["webfetch", "websearch", "task", "skill", "question"] {
        rules[needless] = json!("deny");
    }
    rules.to_string()
}
