//! Tests of `cli/agent`.

use super::*;
use crate::agent::cli::CliKind;

/// An agent of this kind with one saved conversation `abc` of the directory `/work`.
fn agent(kind: CliKind) -> (tempfile::TempDir, CliAgent) {
    let temp = tempfile::tempdir().unwrap();
    let agent = CliAgent::new("coder", CliSpec::of(kind), &temp.path().join("kept"));
    let home = temp.path().join("home");
    let (below, endings) = kind.facts().conversations[0];
    std::fs::create_dir_all(home.join(below)).unwrap();
    std::fs::write(home.join(below).join(format!("abc{}", endings[0])), "x").unwrap();
    let info = SessionInfo { dir: "/work".into(), used: Usage::default() };
    agent.sessions.keep("abc", &home, &info).unwrap();
    (temp, agent)
}

#[test]
fn a_conversation_is_continued_where_the_program_can() {
    let (resume, fork) = (Conversation::Resume("abc".into()), Conversation::Fork("abc".into()));
    let table = [
        (CliKind::Claude, "/work", resume.clone()),
        (CliKind::Claude, "/other", resume.clone()),
        (CliKind::Codex, "/other", resume.clone()),
        (CliKind::Gemini, "/work", resume.clone()),
        (CliKind::Gemini, "/other", fork),
        (CliKind::Qwen, "/work", resume.clone()),
        (CliKind::Qwen, "/other", Conversation::New),
    ];
    for (kind, dir, wanted) in table {
        let (_temp, agent) = agent(kind);
        assert_eq!(agent.session(resume.clone(), Path::new(dir)), wanted, "{kind:?} in {dir}");
        let lost = agent.session(Conversation::Resume("lost".into()), Path::new(dir));
        assert_eq!(lost, Conversation::New, "{kind:?}");
        assert_eq!(agent.session(Conversation::New, Path::new(dir)), Conversation::New);
    }
}

#[test]
fn a_turn_used_what_its_conversation_used_since() {
    let usage =
        |input: u64, cost: f64| Usage { input_tokens: input, cost_usd: Some(cost), ..Usage::default() };
    let kept =
        SavedSession { about: SessionInfo { dir: "/work".into(), used: usage(10, 1.0) }, files: Vec::new() };
    let counted = StreamSummary { usage: usage(3, 0.25), ..StreamSummary::default() };
    assert_eq!(used(&counted, Some(&kept)), usage(3, 0.25), "the stream counts this turn");
    let total =
        |input, cost| StreamSummary { conversation: Some(usage(input, cost)), ..StreamSummary::default() };
    assert_eq!(used(&total(14, 1.5), Some(&kept)), usage(4, 0.5));
    assert_eq!(used(&total(14, 1.5), None), usage(14, 1.5));
    assert_eq!(used(&total(4, 0.5), Some(&kept)), usage(0, 0.0), "never below zero");
}
