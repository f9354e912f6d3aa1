//! Codex.

use super::kind::{
    AcpFacts, AcpSettings, CarriedForm, CliFacts, Login, OwnLimits, PriceSource, SchemaWay, SessionReach,
    SettingsFacts, SettingsForm, SidePlace, UnseenLogin,
};
use super::launch::{Launch, LaunchRequest, Permission};
use super::version::Version;
use crate::agent::Conversation;
use crate::agent::stream;

pub(super) static FACTS: CliFacts = CliFacts {
    title: "Codex",
    program: "codex",
    package: "@openai/codex",
    tested: Version(0, 166, 0),
    minimum: Version(0, 160, 0),
    login: Login {
        file: ".codex/auth.json",
        moved_by: Some(("CODEX_HOME", "auth.json")),
        keys: &["CODEX_API_KEY", "OPENAI_API_KEY"],
        ways: &[],
        env_files: &[],
        how: "run `codex login`, or set `CODEX_API_KEY`",
    },
    abilities: &["resume", "fork", "schema"],
    rules: &["AGENTS.md"],
    variables: &["OPENAI_BASE_URL"],
    hosts: &["api.openai.com", "chatgpt.com"],
    endpoints: &["OPENAI_BASE_URL"],
    chatter: &["ab.chatgpt.com"],
    conversations: &[(".codex/sessions", &[".jsonl"])],
    telemetry_provider: "openai",
    price: PriceSource::ModelSet,
    unseen_login: UnseenLogin::Elsewhere,
    schema: SchemaWay::Option,
    limits: OwnLimits::None,
    resumes: SessionReach::Anywhere,
    acp: AcpFacts {
        resumes: SessionReach::Anywhere,
        settings: AcpSettings::OptionsOfProgram,
        ..AcpFacts::UNKNOWN
    },
    side_usage: Some(SidePlace::Totals(".codex/sessions")),
    settings: SettingsFacts {
        moved_by: Some(("CODEX_HOME", "config.toml")),
        form: SettingsForm::Toml,
        model: &["model"],
        carried: &[
            "model_provider",
            "model_providers",
            "openai_base_url",
            "model_reasoning_effort",
            "model_verbosity",
        ],
        carries: CarriedForm::SingleValues,
        left: &["profile", "profiles"],
        ..SettingsFacts::at(".codex/config.toml")
    },
    limit_exits: &[],
    hosts_by_settings: None,
    launch,
    begins: stream::codex::begins,
    entries: stream::codex::entries,
};

pub(super) fn launch(ask: &LaunchRequest<'_>) -> Launch {
    let spec = ask.spec;
    let mut launch = Launch::default();
    launch.args(["exec", "--json", "--skip-git-repo-check"]);
    // With plugins it asks the network about them at every start; without the other it waits for a network for ever.
    launch.args(["--disable", "plugins", "--disable", "unbounded_connection_retries"]);
    match ask.permission {
        Permission::Read => {
            launch.args(["-s", "read-only"]);
        }
        Permission::Edit => {
            launch.args(["-s", "workspace-write"]).option("--add-dir", Some(ask.scratch));
        }
        Permission::Full => {
            launch.args(["--dangerously-bypass-approvals-and-sandbox"]);
        }
    }
    launch.option("-C", Some(ask.dir)).option("-m", spec.model.as_ref());
    launch.args(["-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false"]);
    // No task needs the web or other agents.
    launch.args(["-c", "web_search=\"disabled\"", "--disable", "multi_agent"]);
    // A login shell resets PATH, and the project's tools are gone; tools need no API key.
    launch.args(["-c", "allow_login_shell=false", "-c", "shell_environment_policy.exclude=[\"*_API_KEY\"]"]);
    provider(ask, &mut launch);
    let own_endpoint = ask.variable("OPENAI_BASE_URL").is_some();
    for (key, value) in &spec.carried {
        // What is set for this run counts more than the user's settings.
        if !(own_endpoint && key.starts_with("model_provider")) {
            launch.args(["-c".to_owned(), format!("{key}={value}")]);
        }
    }
    if let Some(schema) = ask.schema {
        let path = ask.scratch.join("schema.json");
        launch.option("--output-schema", Some(&path));
        // It is passed on as a strict one, and anything else is refused by the provider.
        launch.files.push((path, super::schema_forms::strict(schema).to_string()));
    }
    launch.args(&spec.args);
    // The sandbox and the directory are not inherited by a continued thread: they stand before the word.
    match ask.session {
        Conversation::New => {}
        Conversation::Resume(id) => {
            launch.args(["resume", id]);
        }
        Conversation::Fork(id) => {
            launch.args(["fork", id]);
        }
    }
    launch.args(["-"]);
    launch.set("CODEX_HOME", ask.home.below(".codex"));
    if let (None, Some(key)) = (ask.variable("CODEX_API_KEY"), ask.variable("OPENAI_API_KEY")) {
        launch.set("CODEX_API_KEY", key.clone());
    }
    launch
}

/// An endpoint of the user's own is a provider of its own: the built-in one tries WebSockets first, for 12 seconds, and
/// its retries cannot be set.
fn provider(ask: &LaunchRequest<'_>, launch: &mut Launch) {
    let Some(url) = ask.variable("OPENAI_BASE_URL").and_then(|url| url.to_str()) else { return };
    let set = |key: &str, value: String| format!("model_providers.windlass.{key}={value}");
    let text = |value: &str| serde_json::Value::from(value).to_string();
    let settings = [
        "model_provider=\"windlass\"".to_owned(),
        set("name", text("windlass")),
        set("base_url", text(url)),
        set("env_key", text("CODEX_API_KEY")),
        set("wire_api", text("responses")),
        set("request_max_retries", "1".into()),
        set("stream_max_retries", "1".into()),
    ];
    for setting in settings {
        launch.args(["-c".to_owned(), setting]);
    }
}
