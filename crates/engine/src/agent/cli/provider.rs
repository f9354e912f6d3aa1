//! The hosts behind a program: what it must reach to ask its model, from its facts and from the user's variables.

use std::path::PathBuf;

use serde_json::Value;

use super::CliKind;
use crate::config::{CliSpec, EnvVar};
use crate::proxy::{BlockedHost, HostRule};

/// The files with certificates that the user's variables name; programs inside must see them.
const CERTIFICATES: [&str; 3] = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/// The providers that opencode knows by name, with the variable of their key and their host.
const PROVIDERS: [(&str, &str, &str); 12] = [
    ("anthropic", "ANTHROPIC_API_KEY", "api.anthropic.com"),
    ("openai", "OPENAI_API_KEY", "api.openai.com"),
    ("openai", "", "chatgpt.com"),
    ("google", "GEMINI_API_KEY", "generativelanguage.googleapis.com"),
    ("google", "GOOGLE_GENERATIVE_AI_API_KEY", "generativelanguage.googleapis.com"),
    ("openrouter", "OPENROUTER_API_KEY", "openrouter.ai"),
    ("groq", "GROQ_API_KEY", "api.groq.com"),
    ("mistral", "MISTRAL_API_KEY", "api.mistral.ai"),
    ("xai", "XAI_API_KEY", "api.x.ai"),
    ("deepseek", "DEEPSEEK_API_KEY", "api.deepseek.com"),
    ("opencode", "OPENCODE_API_KEY", "opencode.ai"),
    ("github-copilot", "", "api.githubcopilot.com"),
];

/// The hosts that a program must reach; `None` where they are not known.
pub(crate) fn hosts(spec: &CliSpec) -> Option<Vec<HostRule>> {
    let facts = spec.kind.facts();
    let cloud = cloud_hosts(&spec.env);
    let named: Vec<HostRule> =
        facts.endpoints.iter().filter_map(|name| HostRule::of_url(value(&spec.env, name)?)).collect();
    let mut rules = match (cloud, facts.hosts_by_settings) {
        (Some(cloud), _) => cloud,
        (None, _) if !named.is_empty() => named,
        (None, Some(hosts)) => hosts(spec),
        (None, None) => facts.hosts.iter().filter_map(|host| HostRule::secure(host)).collect(),
    };
    // A provider of the user's own settings lies where they say.
    rules.extend(spec.carried.iter().flat_map(|(_, setting)| urls_in(setting)).filter_map(HostRule::of_url));
    rules.sort();
    rules.dedup();
    (!rules.is_empty()).then_some(rules)
}

/// The web addresses in a setting.
fn urls_in(setting: &Value) -> Vec<&str> {
    match setting {
        Value::String(text) if text.starts_with("http://") || text.starts_with("https://") => vec![text],
        Value::Array(items) => items.iter().flat_map(urls_in).collect(),
        Value::Object(table) => table.values().flat_map(urls_in).collect(),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// The hosts of a cloud that serves the model, where the user's variables choose one.
fn cloud_hosts(env: &[EnvVar]) -> Option<Vec<HostRule>> {
    let first = |names: &[&str], default: &str| {
        names.iter().find_map(|name| value(env, name)).unwrap_or(default).to_owned()
    };
    let (endpoint, hosts) = if value(env, "CLAUDE_CODE_USE_BEDROCK").is_some() {
        let region = first(&["AWS_REGION", "AWS_DEFAULT_REGION"], "us-east-1");
        let mut hosts: Vec<String> =
            ["bedrock-runtime", "bedrock", "sts", "portal.sso", "oidc"].map(|s| amazon(s, &region)).into();
        hosts.push("sts.amazonaws.com".into());
        let other = value(env, "ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION");
        hosts.extend(other.map(|region| amazon("bedrock-runtime", region)));
        ("ANTHROPIC_BEDROCK_BASE_URL", hosts)
    } else if ["CLAUDE_CODE_USE_VERTEX", "GOOGLE_GENAI_USE_VERTEXAI"].iter().any(|n| value(env, n).is_some())
    {
        let own = |(name, _): &&EnvVar| name.to_str().is_some_and(|name| name.starts_with("VERTEX_REGION_"));
        let mut regions = vec![first(&["CLOUD_ML_REGION", "GOOGLE_CLOUD_LOCATION"], "us-central1")];
        regions.extend(env.iter().filter(own).filter_map(|(_, region)| region.to_str().map(str::to_owned)));
        let mut hosts: Vec<String> =
            regions.iter().map(|region| format!("{region}-aiplatform.googleapis.com")).collect();
        let shared = ["aiplatform", "oauth2", "sts", "iamcredentials"];
        hosts.extend(shared.map(|service| format!("{service}.googleapis.com")));
        ("ANTHROPIC_VERTEX_BASE_URL", hosts)
    } else if value(env, "CLAUDE_CODE_USE_FOUNDRY").is_some() {
        let resource = value(env, "ANTHROPIC_FOUNDRY_RESOURCE").unwrap_or("*");
        let hosts = vec![format!("{resource}.services.ai.azure.com"), "login.microsoftonline.com".into()];
        ("ANTHROPIC_FOUNDRY_BASE_URL", hosts)
    } else {
        return None;
    };
    let mut rules: Vec<HostRule> = hosts.iter().filter_map(|host| HostRule::secure(host)).collect();
    rules.extend(value(env, endpoint).and_then(HostRule::of_url));
    Some(rules)
}

fn amazon(service: &str, region: &str) -> String {
    format!("{service}.{region}.amazonaws.com")
}

/// The providers that opencode is set up for: by keys, by its model, by its login and by its configuration.
/// The hosts of opencode's providers: those with a login, those that the model names, and those of the settings.
pub(super) fn opencode_hosts(spec: &CliSpec) -> Vec<HostRule> {
    let model = spec.model.as_deref().and_then(|model| model.split_once('/')).map(|(provider, _)| provider);
    let login = spec.home.as_ref().map(|home| spec.kind.facts().login.path(home, &spec.env));
    let login = login.and_then(|path| std::fs::read(path).ok());
    let login: Option<Value> = login.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let known = |(name, key, _): &&(&str, &str, &str)| {
        let logged_in = login.as_ref().is_some_and(|login| login.get(name).is_some());
        value(&spec.env, key).is_some() || model == Some(*name) || logged_in
    };
    let mut rules: Vec<HostRule> =
        PROVIDERS.iter().filter(known).filter_map(|(_, _, host)| HostRule::secure(host)).collect();
    let config = value(&spec.env, "OPENCODE_CONFIG_CONTENT");
    let config: Option<Value> = config.and_then(|text| serde_json::from_str(text).ok());
    let providers = config.as_ref().and_then(|config| config["provider"].as_object());
    let urls = providers.into_iter().flat_map(|all| all.values()).map(|one| &one["options"]["baseURL"]);
    rules.extend(urls.filter_map(Value::as_str).filter_map(HostRule::of_url));
    rules
}

/// The files with certificates that it must see.
pub(super) fn certificates(env: &[EnvVar]) -> Vec<PathBuf> {
    CERTIFICATES.iter().filter_map(|name| value(env, name)).map(PathBuf::from).collect()
}

/// The hosts that are worth a word: not those it asks for by itself and that no task needs.
pub(super) fn worth_a_word(kind: CliKind, blocked: &[BlockedHost]) -> Vec<BlockedHost> {
    let chatter: Vec<HostRule> =
        kind.facts().chatter.iter().filter_map(|host| HostRule::parse(host).ok()).collect();
    let told = |host: &&BlockedHost| !chatter.iter().any(|rule| rule.allows(&host.host, host.port));
    blocked.iter().filter(told).cloned().collect()
}

fn value<'a>(env: &'a [EnvVar], name: &str) -> Option<&'a str> {
    let found = env.iter().rev().find(|(n, v)| n == name && !v.is_empty());
    found.and_then(|(_, value)| value.to_str())
}

#[cfg(test)]
mod tests;
