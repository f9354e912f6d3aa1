//! What real agents do besides their work: they run the tests and leave caches, tidy up a neighbour, ask, and read the
//! rules of the repository. None of it costs a try.

use windlass_engine::agent::cli::CliKind;
use windlass_testkit::model::{ModelServer, Script, Step};
use windlass_testkit::{Outcome, PlanTask, TestRepo};

use crate::programs::{KEY, configuration, is_tested, tested, variables};

/// No second chances: a try that is lost is seen at once.
const STRICT: &str = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n";

fn task(kind: CliKind) -> String {
    format!("{}_value", kind.as_str())
}

/// A task that is to write a Python module; its test is in the plan.
fn python(kind: CliKind) -> PlanTask {
    let id = task(kind);
    let test = format!(
        "# tests/test_{id}.py\nfrom {id} import value\n\n\ndef test_value():\n    assert value() == \"{id}\""
    );
    PlanTask::new(&id, &format!("Give the value {id}"))
        .front(&format!("test_file: tests/test_{id}.py\nagent: {}", kind.as_str()))
        .section("Test Specification", "python", &test)
        .section("Output Files", "", &format!("WRITE: {id}.py\nWRITE: tests/test_{id}.py"))
        .verified_by(&format!("python3 -m pytest -q tests/test_{id}.py"))
}

/// A repository of Python files that ignores nothing, with a task for each program.
fn repo(server: &ModelServer, kinds: &[CliKind], more: &str) -> TestRepo {
    let mut text = format!("{STRICT}{more}");
    let mut repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"));
    for kind in kinds {
        text.push_str(&configuration(*kind, "permission = \"full\""));
        for (name, value) in variables(*kind, &server.url()) {
            repo = repo.env(name, &value);
        }
    }
    let tasks: Vec<PlanTask> = kinds.iter().map(|kind| python(*kind)).collect();
    repo.file("conftest.py", "")
        .file("neighbour.py", "def  other( ):\n    return 1\n")
        .file("AGENTS.md", "Rule of agents: sing rule-of-agents.\n")
        .file("CLAUDE.md", "Rule of claude: sing rule-of-claude.\n")
        .file("GEMINI.md", "Rule of gemini: sing rule-of-gemini.\n")
        .file("windlass.toml", &text)
        .plan("demo", &tasks)
        .committed()
}

fn run(repo: &TestRepo) -> Outcome {
    repo.start(&["run", "--yes", "--jobs", "2"]).wait_long()
}

/// The steps of a model that works as real ones do.
fn works(kind: CliKind) -> Vec<Step> {
    let id = task(kind);
    vec![
        Step::Run("python3 -m pytest -q".into()),
        Step::write(&format!("{id}.py"), &format!("def value():\n    return \"{id}\"\n")),
        Step::Run("python3 -m pytest -q".into()),
        Step::Run(
            "printf 'def other():\\n    return 1\\n' > neighbour.py; mkdir -p .ruff_cache htmlcov; touch .coverage .ruff_cache/x htmlcov/index.html"
                .into(),
        ),
        Step::say("The tests pass."),
    ]
}

#[test]
fn no_try_is_lost_to_what_tools_leave_behind() {
    let kinds = tested();
    let script = kinds.iter().fold(Script::default(), |s, &k| s.turn(&task(k), works(k)));
    let server = ModelServer::start(script).unwrap();
    let repo = repo(&server, &kinds, "");
    let outcome = run(&repo);
    let logs: String = kinds.iter().map(|k| repo.windlass(&["logs", &task(*k)]).to_string()).collect();
    assert_eq!(outcome.code, Some(0), "{outcome}{logs}");
    assert_eq!(repo.subjects("windlass/demo").len(), kinds.len(), "{outcome}");
    assert!(!outcome.stdout.contains('✘'), "{outcome}");
    for &kind in &kinds {
        // Every program could run the project's own tests, and the model saw them pass.
        let last = server.heard_of(&task(kind)).last().unwrap().body.to_string();
        assert!(last.contains(" passed"), "{kind:?} did not see its tests pass\n{last}");
        assert!(!last.contains("No module named pytest"), "{kind:?}\n{last}");
    }
    let changed = repo.git(&["diff", "--name-only", "main", "windlass/demo"]);
    assert!(!changed.contains("neighbour") && !changed.contains("cache"), "{changed}");
}

#[test]
fn codex_keeps_the_path_in_its_shell_and_hides_the_keys() {
    let kind = CliKind::Codex;
    if !is_tested(kind) {
        return;
    }
    let id = task(kind);
    let look = Step::Run("command -v fake-agent; env | grep -c _API_KEY; env".into());
    let steps = [look, Step::write(&format!("{id}.py"), &format!("def value():\n    return \"{id}\"\n"))];
    let server = ModelServer::start(Script::default().turn(&id, steps)).unwrap();
    let repo = repo(&server, &[kind], "");
    let outcome = run(&repo).ends(0);
    let heard = server.heard_of(&id);
    let said = heard.last().unwrap().body.to_string();
    assert!(said.contains("/bin/fake-agent"), "the search path is gone\n{outcome}\n{said}");
    assert!(said.contains("WINDLASS_TASK"), "the shell said nothing\n{said}");
    assert!(!said.contains(KEY), "the key is in the shell\n{said}");
    assert!(heard.iter().all(|h| h.key.as_deref() == Some(KEY)), "the model got the key");
}

#[test]
fn the_rules_of_the_repository_reach_every_program_once_and_needless_tools_are_off() {
    let kinds = tested();
    let script = kinds.iter().fold(Script::default(), |s, &k| {
        let id = task(k);
        s.turn(&id, [Step::write(&format!("{id}.py"), &format!("def value():\n    return \"{id}\"\n"))])
    });
    let server = ModelServer::start(script).unwrap();
    let repo = repo(&server, &kinds, "");
    let outcome = run(&repo).ends(0);
    let mut wrong = Vec::new();
    for &kind in &kinds {
        let first = server.heard_of(&task(kind)).first().cloned().unwrap();
        let body = first.body.to_string();
        for word in ["rule-of-agents", "rule-of-claude", "rule-of-gemini"] {
            let times = body.matches(word).count();
            if times != 1 {
                wrong.push(format!("{kind:?}: {word} {times} times"));
            }
        }
        let needless: Vec<&String> = first.tools.iter().filter(|tool| is_needless(tool)).collect();
        if !needless.is_empty() {
            wrong.push(format!("{kind:?} offers {needless:?}"));
        }
    }
    assert_eq!(wrong, [""; 0], "{outcome}");
}

#[test]
fn a_limit_of_tokens_ends_every_program_while_it_works() {
    let kinds = tested();
    // An answer has 1,250 tokens, and a tool after it gives time to hear of it.
    const ANSWER: u64 = 1250;
    for &kind in &kinds {
        let id = task(kind);
        let steps: Vec<Step> = (0..9).map(|_| Step::Run("sleep 2; echo again".into())).collect();
        let server = ModelServer::start(Script::default().turn(&id, steps)).unwrap();
        let repo = repo(&server, &[kind], "");
        let outcome = repo.start(&["run", "--yes", "--max-tokens", "4000"]).wait_long();
        assert_eq!(outcome.code, Some(3), "{kind:?}: {outcome}");
        assert!(outcome.stdout.contains("of 4000 tokens are spent"), "{kind:?}: {outcome}");
        let answers = server.heard_of(&id).iter().filter(|h| h.delivered).count() as u64;
        assert!(answers * ANSWER <= 4000 + ANSWER, "{kind:?}: {answers} answers\n{outcome}");
        let status = repo.windlass(&["status", "--json"]).ends(0).stdout;
        let status: serde_json::Value = serde_json::from_str(&status).unwrap();
        let tokens = status["tokens"].as_u64().unwrap_or(0);
        assert!(tokens >= 4000 - ANSWER, "{kind:?}: only {tokens} are counted\n{outcome}");
        assert!(!outcome.stdout.contains('✘'), "no attempt is used up\n{kind:?}: {outcome}");
    }
}

/// Tools that reach beyond the task: the web, other agents, schedules, memories, questions.
fn is_needless(tool: &str) -> bool {
    let small = tool.to_lowercase();
    ["web", "cron", "agent", "memory", "skill", "schedule", "worktree", "workflow", "ask_user", "question"]
        .iter()
        .any(|word| small.contains(word))
        || small == "task"
}

#[test]
fn a_question_and_a_refusal_of_every_program_are_quoted_to_the_next_try() {
    let kinds = tested();
    let question = "Before I begin: should the value be upper case? I will wait.";
    let script = kinds.iter().fold(Script::default(), |s, &k| {
        let id = task(k);
        let file = Step::write(&format!("{id}.py"), &format!("def value():\n    return \"{id}\"\n"));
        s.turn(&id, [Step::say(question)]).turn(&id, [file, Step::say("Done.")])
    });
    let server = ModelServer::start(script).unwrap();
    let ladder = "[ladder]\nbug_hunter = 0\nsame_agent = 1\nfresh_agent = 0\ntier_up = 0\n";
    let repo = repo(&server, &kinds, "");
    repo.write("windlass.toml", &repo.read("windlass.toml").replace(STRICT, ladder));
    let outcome = run(&repo).ends(0);
    assert_eq!(outcome.stdout.matches("changed nothing and asked:").count(), kinds.len(), "{outcome}");
    for &kind in &kinds {
        let last = server.heard_of(&task(kind)).last().unwrap().body.to_string();
        assert!(last.contains("should the value be upper case?"), "{kind:?}: {last}");
        assert!(last.contains("Nobody answers questions during a task"), "{kind:?}: {last}");
    }
}
