//! Tests of `src/config`.

use super::*;

#[test]
fn an_agent_is_named_by_its_kind_and_its_argument() {
    let command = |text: &str| match AgentSpec::parse(text) {
        Some(AgentSpec::Command { command, .. }) => command,
        other => panic!("{other:?}"),
    };
    assert_eq!(AgentSpec::parse("mechanical"), Some(AgentSpec::Mechanical));
    assert_eq!(AgentSpec::parse("replay:runs/1"), Some(AgentSpec::Replay { dir: "runs/1".into() }));
    assert_eq!(command("cmd: ./agent.sh --fast "), "./agent.sh --fast");
    for bad in ["", "replay:", "cmd:", "cmd:  ", "claude", "Mechanical"] {
        assert_eq!(AgentSpec::parse(bad), None, "{bad}");
    }
}

#[test]
fn what_an_agent_needs_follows_from_its_kind() {
    let cli = AgentSpec::Cli(Box::new(CliSpec::of(CliKind::Claude)));
    let command = AgentSpec::parse("cmd:x").unwrap();
    let replay = AgentSpec::parse("replay:d").unwrap();
    for (spec, real, reads) in [
        (&cli, true, true),
        (&command, true, true),
        (&replay, false, false),
        (&AgentSpec::Mechanical, false, false),
    ] {
        assert_eq!((spec.is_real(), spec.reads_briefs()), (real, reads), "{spec:?}");
        assert_eq!(spec.manner(), Manner::Hands);
        assert!(spec.env().is_empty());
    }
}

#[test]
fn a_login_is_a_variable_or_a_file() {
    let home = tempfile::tempdir().unwrap();
    let spec =
        |env: Vec<EnvVar>| CliSpec { env, home: Some(home.path().into()), ..CliSpec::of(CliKind::Codex) };
    assert_eq!(spec(Vec::new()).login(), LoginSeen::No);
    assert!(matches!(spec(vec![("CODEX_API_KEY".into(), "k".into())]).login(), LoginSeen::Yes(_)));
    assert_eq!(spec(vec![("CODEX_API_KEY".into(), "".into())]).login(), LoginSeen::No);
    assert_eq!(spec(vec![("OTHER".into(), "k".into())]).login(), LoginSeen::No);
    std::fs::create_dir(home.path().join(".codex")).unwrap();
    std::fs::write(home.path().join(".codex/auth.json"), "{}").unwrap();
    assert!(matches!(spec(Vec::new()).login(), LoginSeen::Yes(_)));
    assert_eq!(
        CliSpec::of(CliKind::Codex).login(),
        LoginSeen::Unknown,
        "without a home nothing is known against it"
    );
}

#[test]
fn other_services_and_gateways_count_as_a_login() {
    let home = tempfile::tempdir().unwrap();
    let login = |kind: CliKind, name: &str| {
        let env = vec![(name.into(), "1".into())];
        CliSpec { home: Some(home.path().into()), env, ..CliSpec::of(kind) }.login()
    };
    for (kind, name) in [
        (CliKind::Claude, "CLAUDE_CODE_USE_BEDROCK"),
        (CliKind::Claude, "CLAUDE_CODE_USE_VERTEX"),
        (CliKind::Claude, "CLAUDE_CODE_USE_FOUNDRY"),
        (CliKind::Claude, "ANTHROPIC_AUTH_TOKEN"),
        (CliKind::Gemini, "GOOGLE_GENAI_USE_VERTEXAI"),
    ] {
        assert!(matches!(login(kind, name), LoginSeen::Yes(_)), "{kind:?} {name}");
    }
    assert_eq!(login(CliKind::Claude, "ANTHROPIC_BASE_URL"), LoginSeen::Unknown, "a gateway may need no key");
    assert_eq!(login(CliKind::Opencode, "X"), LoginSeen::Unknown, "it has free models");
}
