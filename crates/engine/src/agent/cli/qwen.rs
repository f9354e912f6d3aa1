//! Qwen Code.

use serde_json::json;

use super::kind::{
    AcpFacts, CliFacts, Login, OwnLimits, PriceSource, SchemaWay, SessionReach, SettingsFacts, UnseenLogin,
};
use super::launch::{Launch, LaunchRequest, Permission};
use super::version::Version;
use crate::agent::Conversation;
use crate::agent::stream;
use crate::agent::stream::Problem;

pub(super) static FACTS: CliFacts = CliFacts {
    title: "Qwen Code",
    program: "qwen",
    package: "@qwen-code/qwen-code",
    tested: Version(0, 24, 4),
    minimum: Version(0, 24, 0),
    login: Login {
        file: ".qwen/oauth_creds.json",
        moved_by: Some(("QWEN_HOME", "oauth_creds.json")),
        keys: &["OPENAI_API_KEY"],
        ways: &[],
        env_files: &[".qwen/.env"],
        how: "start `qwen` once and log in, or set `OPENAI_API_KEY` and `OPENAI_BASE_URL`",
    },
    abilities: &["resume", "fork", "schema", "turn limit"],
    rules: &["AGENTS.md"],
    variables: &["OPENAI_BASE_URL", "OPENAI_MODEL"],
    hosts: &[
        "portal.qwen.ai",
        "chat.qwen.ai",
        "*.dashscope.aliyuncs.com",
        "dashscope.aliyuncs.com",
        "dashscope-intl.aliyuncs.com",
        "api.openai.com",
    ],
    endpoints: &["OPENAI_BASE_URL"],
    chatter: &["*.rum.aliyuncs.com"],
    conversations: &[(".qwen/projects", &[".jsonl"])],
    telemetry_provider: "qwen",
    price: PriceSource::ModelReported,
    unseen_login: UnseenLogin::Elsewhere,
    schema: SchemaWay::Option,
    limits: OwnLimits::Steps,
    resumes: SessionReach::SameDir,
    acp: AcpFacts { resumes: SessionReach::SameDir, ..AcpFacts::UNKNOWN },
    side_usage: None,
    settings: SettingsFacts {
        moved_by: Some(("QWEN_HOME", "settings.json")),
        model_variable: Some("OPENAI_MODEL"),
        model: &["model.name", "model"],
        carried: &["security.auth", "modelProviders"],
        ..SettingsFacts::at(".qwen/settings.json")
    },
    limit_exits: &[(53, Problem::TurnLimit), (55, Problem::TurnLimit)],
    hosts_by_settings: None,
    launch,
    begins: stream::qwen::begins,
    entries: stream::qwen::entries,
};

/// Tools that no task needs: the web, memories, questions, other agents, schedules.
const NEEDLESS: [&str; 13] = [
    "web_fetch",
    "web_search",
    "save_memory",
    "ask_user_question",
    "agent",
    "list_agents",
    "task",
    "skill",
    "cron_create",
    "cron_delete",
    "cron_list",
    "enter_worktree",
    "exit_worktree",
];

pub(super) fn launch(ask: &LaunchRequest<'_>) -> Launch {
    let spec = ask.spec;
    let mut launch = Launch::default();
    let mode = match ask.permission {
        Permission::Read => "plan",
        Permission::Edit => "auto-edit",
        Permission::Full => "yolo",
    };
    launch.args(["-o", "stream-json", "--approval-mode", mode]);
    let carried = spec.carried.iter().any(|(key, _)| key == "security.auth");
    if ask.variable("OPENAI_API_KEY").is_some() {
        launch.args(["--auth-type", "openai"]);
    } else if !carried {
        launch.args(["--auth-type", "qwen-oauth"]);
    }
    launch.option("--include-directories", Some(ask.scratch));
    launch.option("-m", spec.model.as_ref());
    launch.option("--max-session-turns", spec.max_turns.map(|n| n.to_string()));
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
    let mut settings = json!({
        "privacy": { "usageStatisticsEnabled": false },
        "telemetry": { "enabled": false },
        "tools": { "exclude": NEEDLESS },
        "permissions": { "deny": NEEDLESS },
        "general": { "disableAutoUpdate": true, "disableUpdateNag": true, "enableAutoUpdate": false },
        "model": { "generationConfig": { "maxRetries": 1 } },
    });
    ask.carry_into(&mut settings);
    launch.files.push((ask.home.below(".qwen/settings.json"), settings.to_string()));
    launch.set("QWEN_HOME", ask.home.below(".qwen")).set("QWEN_CODE_NO_RELAUNCH", "true");
    launch
}
