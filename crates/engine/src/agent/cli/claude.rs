//! Claude Code.

use super::kind::{
    AMAZON, AMAZON_FILES, AcpFacts, CliFacts, GOOGLE_FILES, GOOGLE_KEY_FILE, Login, LoginWay, OwnLimits,
    PriceSource, SchemaWay, SessionReach, SettingsFacts, UnseenLogin,
};
use super::launch::{Launch, LaunchRequest, Permission};
use super::version::Version;
use crate::agent::Conversation;
use crate::agent::stream;

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
        ways: &[
            LoginWay { name: "Bedrock", when: "CLAUDE_CODE_USE_BEDROCK", with: AMAZON, files: AMAZON_FILES },
            LoginWay {
                name: "Vertex",
                when: "CLAUDE_CODE_USE_VERTEX",
                with: &[
                    "ANTHROPIC_VERTEX_PROJECT_ID",
                    "CLOUD_ML_REGION",
                    "ANTHROPIC_VERTEX_BASE_URL",
                    "CLAUDE_CODE_SKIP_VERTEX_AUTH",
                    GOOGLE_KEY_FILE,
                ],
                files: GOOGLE_FILES,
            },
            LoginWay {
                name: "Foundry",
                when: "CLAUDE_CODE_USE_FOUNDRY",
                with: &[
                    "ANTHROPIC_FOUNDRY_API_KEY",
                    "ANTHROPIC_FOUNDRY_RESOURCE",
                    "ANTHROPIC_FOUNDRY_BASE_URL",
                ],
                files: &[],
            },
        ],
        env_files: &[],
        how: "start `claude` once and log in, or set `ANTHROPIC_API_KEY`",
    },
    abilities: &["resume", "fork", "schema", "turn limit", "money limit", "tells cost"],
    rules: &["CLAUDE.md"],
    variables: &[
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_CUSTOM_HEADERS",
        "ANTHROPIC_SMALL_FAST_MODEL",
        "ANTHROPIC_DEFAULT_OPUS_MODEL",
        "ANTHROPIC_DEFAULT_SONNET_MODEL",
        "ANTHROPIC_DEFAULT_HAIKU_MODEL",
    ],
    hosts: &["api.anthropic.com"],
    endpoints: &["ANTHROPIC_BASE_URL"],
    chatter: &["statsig.anthropic.com", "*.sentry.io", "storage.googleapis.com", "*.datadoghq.com"],
    conversations: &[(".claude/projects", &[".jsonl"])],
    telemetry_provider: "anthropic",
    price: PriceSource::Reported,
    unseen_login: UnseenLogin::Keychain,
    schema: SchemaWay::Option,
    limits: OwnLimits::StepsAndMoney,
    resumes: SessionReach::Anywhere,
    acp: AcpFacts { resumes: SessionReach::Anywhere, forks: SessionReach::Anywhere, ..AcpFacts::UNKNOWN },
    side_usage: None,
    settings: SettingsFacts {
        moved_by: Some(("CLAUDE_CONFIG_DIR", "settings.json")),
        model_variable: Some("ANTHROPIC_MODEL"),
        model: &["model"],
        left: &["apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh"],
        ..SettingsFacts::at(".claude/settings.json")
    },
    limit_exits: &[],
    hosts_by_settings: None,
    launch,
    begins: stream::claude::begins,
    entries: stream::claude::entries,
};

/// The tools a task needs. Others (agents, schedules, the web, skills) cost tokens in every request and reach beyond it.
const TOOLS: &str = "Bash,Edit,Glob,Grep,NotebookEdit,Read,Write";

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
    launch.args(["--tools", TOOLS]).option("--model", spec.model.as_ref());
    launch.option("--max-turns", spec.max_turns.map(|n| n.to_string()));
    launch.option("--max-budget-usd", ask.money.map(|usd| usd.to_string()));
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
