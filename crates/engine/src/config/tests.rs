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
    assert!(!spec(Vec::new()).logged_in());
    assert!(spec(vec![("CODEX_API_KEY".into(), "k".into())]).logged_in());
    assert!(!spec(vec![("CODEX_API_KEY".into(), "".into())]).logged_in());
    assert!(!spec(vec![("OTHER".into(), "k".into())]).logged_in());
    std::fs::create_dir(home.path().join(".codex")).unwrap();
    std::fs::write(home.path().join(".codex/auth.json"), "{}").unwrap();
    assert!(spec(Vec::new()).logged_in());
    assert!(CliSpec::of(CliKind::Codex).logged_in(), "without a home nothing is known against it");
}
