//! Hosts by program and by the user's variables.

use super::*;
use crate::proxy::HostFailure;

/// Whether a program with these variables reaches each of these.
fn reaches(kind: CliKind, env: &[(&str, &str)], hosts: &[(&str, u16)]) -> Vec<bool> {
    let env = env.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let rules = super::hosts(&CliSpec { env, ..CliSpec::of(kind) }).unwrap_or_default();
    hosts.iter().map(|(host, port)| rules.iter().any(|rule| rule.allows(host, *port))).collect()
}

#[test]
fn each_program_reaches_its_provider_and_nothing_else() {
    let own = [
        (CliKind::Claude, "api.anthropic.com"),
        (CliKind::Codex, "api.openai.com"),
        (CliKind::Gemini, "generativelanguage.googleapis.com"),
        (CliKind::Qwen, "dashscope.aliyuncs.com"),
    ];
    for (kind, host) in own {
        let asked = [(host, 443), (host, 80), ("pypi.org", 443), ("127.0.0.1", 443)];
        assert_eq!(reaches(kind, &[], &asked), [true, false, false, false], "{kind:?}");
    }
    assert_eq!(super::hosts(&CliSpec::of(CliKind::Opencode)), None, "it may have any provider");
}

#[test]
fn an_endpoint_of_the_users_own_takes_the_providers_place() {
    let local = [("127.0.0.1", 11434), ("api.anthropic.com", 443), ("127.0.0.1", 22)];
    let url = ("ANTHROPIC_BASE_URL", "http://127.0.0.1:11434/v1");
    assert_eq!(reaches(CliKind::Claude, &[url], &local), [true, false, false]);
    let gate = [("gate.corp", 443), ("api.openai.com", 443)];
    assert_eq!(reaches(CliKind::Codex, &[("OPENAI_BASE_URL", "https://gate.corp/x")], &gate), [true, false]);
}

#[test]
fn clouds_are_reached_in_their_region() {
    let bedrock = [("CLAUDE_CODE_USE_BEDROCK", "1"), ("AWS_REGION", "eu-west-1")];
    let asked = [
        ("bedrock-runtime.eu-west-1.amazonaws.com", 443),
        ("sts.amazonaws.com", 443),
        ("bedrock-runtime.us-east-1.amazonaws.com", 443),
        ("s3.eu-west-1.amazonaws.com", 443),
        ("api.anthropic.com", 443),
    ];
    assert_eq!(reaches(CliKind::Claude, &bedrock, &asked), [true, true, false, false, false]);
    let vertex = [
        ("CLAUDE_CODE_USE_VERTEX", "1"),
        ("CLOUD_ML_REGION", "us-east5"),
        ("VERTEX_REGION_CLAUDE_HAIKU", "europe-west1"),
        ("ANTHROPIC_VERTEX_BASE_URL", "https://gate.corp/vertex"),
    ];
    let asked = [
        ("us-east5-aiplatform.googleapis.com", 443),
        ("europe-west1-aiplatform.googleapis.com", 443),
        ("oauth2.googleapis.com", 443),
        ("gate.corp", 443),
        ("storage.googleapis.com", 443),
    ];
    assert_eq!(reaches(CliKind::Claude, &vertex, &asked), [true, true, true, true, false]);
    let gemini = [("GOOGLE_GENAI_USE_VERTEXAI", "true"), ("GOOGLE_CLOUD_LOCATION", "us-east5")];
    assert_eq!(reaches(CliKind::Gemini, &gemini, &asked), [true, false, true, false, false]);
    let foundry = [("CLAUDE_CODE_USE_FOUNDRY", "1"), ("ANTHROPIC_FOUNDRY_RESOURCE", "mine")];
    let asked = [("mine.services.ai.azure.com", 443), ("other.services.ai.azure.com", 443)];
    assert_eq!(reaches(CliKind::Claude, &foundry, &asked), [true, false]);
}

#[test]
fn opencode_reaches_the_providers_it_is_set_up_for() {
    let asked = [("api.groq.com", 443), ("api.openai.com", 443), ("localhost", 8080)];
    let reached = |env: &[(&str, &str)]| reaches(CliKind::Opencode, env, &asked);
    assert_eq!(reached(&[("GROQ_API_KEY", "k")]), [true, false, false]);
    let config = r#"{"provider":{"x":{"options":{"baseURL":"http://localhost:8080/v1"}},"y":{}}}"#;
    assert_eq!(reached(&[("OPENCODE_CONFIG_CONTENT", config)]), [false, false, true]);
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(".local/share/opencode/auth.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, r#"{"openai":{"type":"api","key":"k"}}"#).unwrap();
    let spec = CliSpec {
        model: Some("groq/x".into()),
        home: Some(home.path().to_owned()),
        ..CliSpec::of(CliKind::Opencode)
    };
    let rules = super::hosts(&spec).unwrap();
    let allowed = asked.map(|(host, port)| rules.iter().any(|rule| rule.allows(host, port)));
    assert_eq!(allowed, [true, true, false]);
}

#[test]
fn telemetry_is_refused_without_a_word() {
    let host =
        |host: &str| BlockedHost { host: host.into(), port: 443, why: HostFailure::NotAllowed, times: 1 };
    let blocked = [host("statsig.anthropic.com"), host("o1.ingest.sentry.io"), host("pypi.org")];
    let told = worth_a_word(CliKind::Claude, &blocked);
    assert_eq!(told, [host("pypi.org")]);
}
