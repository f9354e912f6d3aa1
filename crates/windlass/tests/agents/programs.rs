//! The five programs as `scripts/agents` installed them, and how each is told where the model is.

use std::path::{Path, PathBuf};

use windlass_engine::agent::cli::CliKind;

/// The key every program is given. Nothing accepts it.
pub(crate) const KEY: &str = "dummy-key-of-a-test";

/// Whether the programs are spoken to by the Agent Client Protocol instead of their own interface.
pub(crate) fn by_acp() -> bool {
    std::env::var_os("WINDLASS_CONFORMANCE_ACP").is_some()
}

/// The command line of an agent that speaks the Agent Client Protocol.
pub(crate) fn acp_command(kind: CliKind) -> String {
    let program = |name: &str| named(name).display().to_string();
    match kind {
        CliKind::Claude => program("claude-agent-acp"),
        CliKind::Codex => program("codex-acp"),
        CliKind::Gemini => format!("{} --acp --skip-trust", program("gemini")),
        CliKind::Qwen => format!("{} --acp --auth-type openai", program("qwen")),
        CliKind::Opencode => format!("{} acp", program("opencode")),
        CliKind::Other => unreachable!("no program is behind it"),
    }
}

/// The programs that are tested: all but those that `scripts/test` could not download, and named.
pub(crate) fn tested() -> Vec<CliKind> {
    CliKind::ALL.into_iter().filter(|kind| is_tested(*kind)).collect()
}

/// Whether a program could be downloaded. Tests of one program begin with it.
pub(crate) fn is_tested(kind: CliKind) -> bool {
    let absent = std::env::var("WINDLASS_AGENTS_ABSENT").unwrap_or_default();
    !absent.split_whitespace().any(|name| name == kind.as_str())
}

/// Where the programs are; a machine without them must say so, not pass.
pub(crate) fn program(kind: CliKind) -> PathBuf {
    named(kind.as_str())
}

/// One entry of the cache.
pub(crate) fn named(name: &str) -> PathBuf {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/agents");
    let cache = std::env::var_os("WINDLASS_AGENTS_CACHE").map_or(default, PathBuf::from);
    let path = cache.join("bin").join(name);
    assert!(path.exists(), "`{}` is not there: run scripts/agents", path.display());
    path
}

/// The model each is asked for. The scripted one takes any name; the programs do not.
pub(crate) fn model(kind: CliKind) -> &'static str {
    match kind {
        CliKind::Claude => "claude-sonnet-4-5",
        CliKind::Codex => "gpt-5",
        CliKind::Gemini => "gemini-2.5-pro",
        CliKind::Qwen => "qwen3-coder-plus",
        CliKind::Opencode => "scripted/scripted",
        CliKind::Other => "any",
    }
}

/// The variables that lead it to a server and nowhere else.
pub(crate) fn variables(kind: CliKind, url: &str) -> Vec<(&'static str, String)> {
    let key = || KEY.to_owned();
    match kind {
        CliKind::Claude => vec![("ANTHROPIC_BASE_URL", url.to_owned()), ("ANTHROPIC_API_KEY", key())],
        CliKind::Codex => vec![("OPENAI_BASE_URL", format!("{url}/v1")), ("CODEX_API_KEY", key())],
        CliKind::Gemini => vec![("GOOGLE_GEMINI_BASE_URL", url.to_owned()), ("GEMINI_API_KEY", key())],
        CliKind::Qwen => vec![("OPENAI_BASE_URL", format!("{url}/v1")), ("OPENAI_API_KEY", key())],
        CliKind::Opencode => vec![("OPENCODE_CONFIG_CONTENT", opencode(url))],
        CliKind::Other => Vec::new(),
    }
}

fn opencode(url: &str) -> String {
    let cost = serde_json::json!({"input": 3, "output": 15, "cache_read": 0.3});
    let limit = serde_json::json!({"context": 200_000, "output": 8192});
    serde_json::json!({
        "model": "scripted/scripted", "small_model": "scripted/scripted", "enabled_providers": ["scripted"],
        "provider": {"scripted": {
            "npm": "@ai-sdk/openai-compatible", "name": "Scripted",
            "options": {"baseURL": format!("{url}/v1"), "apiKey": KEY},
            "models": {"scripted": {"name": "scripted", "cost": cost, "limit": limit}},
        }},
    })
    .to_string()
}

/// The table of `windlass.toml` for it.
pub(crate) fn configuration(kind: CliKind, more: &str) -> String {
    if by_acp() {
        let (name, command) = (kind.as_str(), acp_command(kind));
        return format!(
            "[agents.{name}]\nkind = \"acp\"\ncommand = {command:?}\nmodel = {:?}\n{more}\n",
            model(kind)
        );
    }
    let (name, path) = (kind.as_str(), program(kind));
    format!(
        "[agents.{name}]\nprogram = {:?}\nmodel = {:?}\n{more}\n",
        path.display().to_string(),
        model(kind)
    )
}
