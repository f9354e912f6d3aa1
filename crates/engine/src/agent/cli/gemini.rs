//! Gemini CLI.

use serde_json::json;

use super::kind::{
    AcpFacts, AcpFiles, CliFacts, GOOGLE_FILES, GOOGLE_KEY_FILE, Login, LoginWay, OwnLimits, PriceSource,
    SchemaWay, SessionFileNames, SessionReach, SettingsFacts, SidePlace, UnseenLogin,
};
use super::launch::{Launch, LaunchRequest, Permission};
use super::version::Version;
use crate::agent::Conversation;
use crate::agent::stream;
use crate::agent::stream::Problem;

pub(super) static FACTS: CliFacts = CliFacts {
    title: "Gemini CLI",
    program: "gemini",
    package: "@google/gemini-cli",
    tested: Version(0, 61, 0),
    minimum: Version(0, 58, 0),
    login: Login {
        file: ".gemini/oauth_creds.json",
        moved_by: None,
        keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        ways: &[
            LoginWay {
                name: "Vertex",
                when: "GOOGLE_GENAI_USE_VERTEXAI",
                with: &["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", GOOGLE_KEY_FILE],
                files: GOOGLE_FILES,
            },
            LoginWay {
                name: "Google account",
                when: "GOOGLE_GENAI_USE_GCA",
                with: &["GOOGLE_CLOUD_PROJECT", GOOGLE_KEY_FILE],
                files: GOOGLE_FILES,
            },
        ],
        env_files: &[".gemini/.env"],
        how: "start `gemini` once and log in, or set `GEMINI_API_KEY`",
    },
    abilities: &["resume", "fork", "turn limit"],
    rules: &["GEMINI.md"],
    variables: &["GOOGLE_GEMINI_BASE_URL", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
    hosts: &["generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com"],
    endpoints: &["GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL"],
    chatter: &["play.googleapis.com"],
    conversations: &[(".gemini", &[".jsonl", "projects.json", ".project_root"])],
    telemetry_provider: "gcp.gemini",
    price: PriceSource::ModelReported,
    unseen_login: UnseenLogin::Elsewhere,
    schema: SchemaWay::Words,
    limits: OwnLimits::Steps,
    resumes: SessionReach::SameDirOrFork,
    acp: AcpFacts {
        resumes: SessionReach::SameDir, // Version 0.61 takes a file that is not there for an error when its client reads for it, and so writes no new file.
        files: AcpFiles::ByAgent,
        session_files: SessionFileNames::ByMinute,
        ..AcpFacts::UNKNOWN
    },
    side_usage: Some(SidePlace::Answers(".gemini/tmp")),
    settings: SettingsFacts {
        model_variable: Some("GEMINI_MODEL"),
        model: &["model.name", "model"],
        carried: &["security.auth"],
        ..SettingsFacts::at(".gemini/settings.json")
    },
    limit_exits: &[(41, Problem::Login), (53, Problem::TurnLimit)],
    hosts_by_settings: None,
    launch,
    begins: stream::gemini::begins,
    entries: stream::gemini::entries,
};

/// Tools that no task needs: the web, memories, questions, other agents.
const NEEDLESS: [&str; 9] = [
    "google_web_search",
    "web_fetch",
    "save_memory",
    "ask_user",
    "activate_skill",
    "codebase_investigator",
    "cli_help",
    "generalist_agent",
    "invoke_agent",
];

pub(super) fn launch(ask: &LaunchRequest<'_>) -> Launch {
    let spec = ask.spec;
    let mut launch = Launch::default();
    let mode = match ask.permission {
        Permission::Read => "default",
        Permission::Edit => "auto_edit",
        Permission::Full => "yolo",
    };
    launch.args(["-o", "stream-json", "--skip-trust", "--approval-mode", mode]);
    launch.option("--include-directories", Some(ask.scratch)).option("-m", spec.model.as_ref());
    match ask.session {
        Conversation::New => {}
        Conversation::Resume(id) => {
            launch.args(["--resume", id]);
        }
        // There is no fork; a file of the old conversation begins a new one with what it says.
        Conversation::Fork(id) => {
            launch.option("--session-file", ask.home.conversation(id));
        }
    }
    launch.args(&spec.args);
    launch.files.push((ask.home.below(".gemini/settings.json"), settings(ask)));
    // The launcher starts itself again as a child, and does not pass signals on.
    launch.set("GEMINI_CLI_NO_RELAUNCH", "true");
    launch
}

fn settings(ask: &LaunchRequest<'_>) -> String {
    let vertex = ask.variable("GOOGLE_GENAI_USE_VERTEXAI").is_some();
    let auth = match ask.variable("GEMINI_API_KEY") {
        Some(_) => "gemini-api-key",
        None if vertex || ask.variable("GOOGLE_API_KEY").is_some() => "vertex-ai",
        None => "oauth-personal",
    };
    let mut settings = json!({
        // Tools need no key: variables that look like one are taken out of the environment of what they start.
        "security": { "auth": { "selectedType": auth }, "environmentVariableRedaction": { "enabled": true } },
        "privacy": { "usageStatisticsEnabled": false },
        "telemetry": { "enabled": false },
        "tools": { "exclude": NEEDLESS },
        "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false, "maxAttempts": 2 },
    });
    if let Some(turns) = ask.spec.max_turns {
        settings["model"] = json!({ "maxSessionTurns": turns });
    }
    ask.carry_into(&mut settings);
    settings.to_string()
}
