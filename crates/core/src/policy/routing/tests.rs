//! From task to tier, agent and provider.

use super::*;
use crate::plan::TddCycle;

#[test]
fn a_type_leads_to_a_tier_and_the_user_has_the_last_word() {
    let mut routing = Routing::default();
    let task = |kind: &str, tier| Task { task_type: Some(kind.into()), tier, ..Task::default() };
    let table = [
        ("add_field", None, Tier::Small),
        ("create_service", None, Tier::Medium),
        ("architectural", None, Tier::Large),
        ("never_heard_of", None, Tier::Medium),
        ("add_field", Some(Tier::Large), Tier::Large),
    ];
    for (kind, tier, expected) in table {
        assert_eq!(routing.tier(&task(kind, tier)), expected, "{kind}");
    }
    routing.types.insert("add_field".into(), Tier::Medium);
    assert_eq!(routing.tier(&task("add_field", None)), Tier::Medium);
}

#[test]
fn hybrid_tasks_are_decided_by_their_size() {
    let task = |tests: u32, files: usize| {
        let mut task = Task { method: Some(Method::Hybrid), ..Task::default() };
        task.tdd_cycles = vec![TddCycle { test_count: Some(tests), ..TddCycle::default() }];
        task.files.create = (0..files).map(|n| format!("f{n}")).collect();
        task
    };
    let routing = Routing { cli: Some("codex".into()), ..Routing::default() };
    let table = [(5, 3, None), (6, 3, Some("codex")), (5, 4, Some("codex")), (0, 0, None)];
    for (tests, files, expected) in table {
        assert_eq!(routing.wanted(&task(tests, files)), expected, "{tests} tests, {files} files");
    }
    let named = Task { agent: Some("qwen".into()), ..task(9, 9) };
    assert_eq!(routing.wanted(&named), Some("qwen"));
    let stated = Task { method: Some(Method::Agent), ..named };
    assert_eq!(routing.wanted(&stated), None, "the tier's agent was asked for");
}

#[test]
fn parts_have_agents_of_their_own() {
    let agents = [(Tier::Small, "s".to_owned()), (Tier::Medium, "m".to_owned())].into();
    let mut settings = Settings { agents, ..Settings::default() };
    let who = |settings: &Settings, wanted, rung| {
        let cast = settings.cast(Tier::Small, wanted, rung);
        (cast.agent, cast.test_writer)
    };
    assert_eq!(who(&settings, None, Rung::First), ("s".into(), None));
    assert_eq!(who(&settings, None, Rung::TierUp(1)), ("m".into(), None));
    assert_eq!(who(&settings, Some("x"), Rung::TierUp(1)), ("x".into(), None));
    settings.team.insert(Role::BugHunter, "hunter".into());
    settings.team.insert(Role::TestWriter, "tester".into());
    assert_eq!(who(&settings, Some("x"), Rung::BugHunter(1)), ("hunter".into(), Some("tester".into())));
    assert_eq!(who(&settings, Some("tester"), Rung::First), ("tester".into(), None));
    settings.team.insert(Role::Implementer, "i".into());
    assert_eq!(who(&settings, None, Rung::First).0, "i");
    assert_eq!(who(&settings, Some("x"), Rung::First).0, "x");
}

#[test]
fn every_known_type_has_a_usual_tier() {
    for kind in MECHANICAL {
        assert_eq!(usual_tier(kind), Some(Tier::Small), "{kind}");
    }
    for kind in DIVISIBLE {
        assert_eq!(usual_tier(kind), Some(Tier::Medium), "{kind}");
    }
    assert_eq!(usual_tier("architectural"), Some(Tier::Large));
    for kind in ["", "Add_Field", "add-field", " add_field", "refactor"] {
        assert_eq!(usual_tier(kind), None, "{kind}");
    }
}

#[test]
fn a_task_asks_for_an_agent_by_name_or_by_method() {
    let routing = Routing { cli: Some("codex".into()), ..Routing::default() };
    let table = [
        // method, agent, the agent asked for
        (None, None, None),
        (None, Some("qwen"), Some("qwen")),
        (Some(Method::Agent), None, None),
        (Some(Method::Agent), Some("qwen"), None),
        (Some(Method::Cli), None, Some("codex")),
        (Some(Method::Cli), Some("qwen"), Some("qwen")),
    ];
    for (method, agent, expected) in table {
        let task = Task { method, agent: agent.map(str::to_owned), ..Task::default() };
        assert_eq!(routing.wanted(&task), expected, "{method:?} {agent:?}");
    }
    let cli = Task { method: Some(Method::Cli), ..Task::default() };
    assert_eq!(Routing::default().wanted(&cli), None, "no command-line tool is configured");
}

#[test]
fn test_cases_are_counted_by_number_or_by_name() {
    let cycle = |test_count, cases: &[&str]| TddCycle {
        test_count,
        test_cases: cases.iter().map(|c| (*c).to_owned()).collect(),
        ..TddCycle::default()
    };
    let table = [
        (vec![], 0),
        (vec![cycle(None, &["a", "b"])], 2),
        // A stated number overrides the names.
        (vec![cycle(Some(7), &["a"])], 7),
        (vec![cycle(Some(0), &["a"])], 0),
        (vec![cycle(Some(2), &[]), cycle(None, &["a"])], 3),
    ];
    for (tdd_cycles, expected) in table {
        assert_eq!(test_cases(&Task { tdd_cycles, ..Task::default() }), expected);
    }
}

#[test]
fn the_cast_of_an_attempt_by_rung() {
    let agents = [(Tier::Small, "s"), (Tier::Medium, "m"), (Tier::Large, "l")];
    let settings = Settings { agents: agents.map(|(t, a)| (t, a.to_owned())).into(), ..Settings::default() };
    let table = [
        // tier of the task, rung, tier and agent of the attempt
        (Tier::Small, Rung::First, Tier::Small, "s"),
        (Tier::Small, Rung::BugHunter(1), Tier::Small, "s"),
        (Tier::Small, Rung::SameAgent(2), Tier::Small, "s"),
        (Tier::Medium, Rung::FreshAgent(1), Tier::Medium, "m"),
        (Tier::Small, Rung::TierUp(1), Tier::Medium, "m"),
        (Tier::Medium, Rung::TierUp(1), Tier::Large, "l"),
        (Tier::Large, Rung::TierUp(1), Tier::Large, "l"),
    ];
    for (tier, rung, expected, agent) in table {
        let cast = settings.cast(tier, None, rung);
        assert_eq!(
            (cast.tier, cast.agent.as_str(), cast.test_writer),
            (expected, agent, None),
            "{tier:?} {rung:?}"
        );
    }
    assert_eq!(
        Settings::default().cast(Tier::Small, None, Rung::First).agent,
        "mechanical",
        "no agent is configured"
    );
}

#[test]
fn agents_of_one_provider_share_it() {
    let mut settings = Settings::default();
    settings.providers.insert("claude-fast".into(), "anthropic".into());
    settings.team.insert(Role::Reviewer, "claude-fast".into());
    assert_eq!((settings.provider("claude-fast"), settings.provider("codex")), ("anthropic", "codex"));
    assert_eq!(
        (settings.player(Role::Reviewer), settings.player(Role::Planner)),
        (Some("claude-fast"), None)
    );
}
