//! A model behind a port: one brief, one answer, and the ladder around it.

use windlass_testkit::model::{ModelServer, Script, Step};
use windlass_testkit::{Outcome, PlanTask, TestRepo, eventually};

/// A key that must not be found anywhere afterwards.
const KEY: &str = "sk-a-key-nobody-may-see";

/// No second chances.
const STRICT: &str = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n";

/// The answer that does the task.
const GOOD: &str = "Sure! Here it is:\n\n```sh path=a.sh\necho a\n```\n\nRun it with `sh a.sh`.";

fn server(steps: impl IntoIterator<Item = Step>) -> ModelServer {
    ModelServer::start(Script::default().turn("a", steps)).unwrap()
}

/// A server whose every request is a prompt of its own.
fn answers(all: &[&str]) -> ModelServer {
    ModelServer::start(all.iter().fold(Script::default(), |s, text| s.turn("a", [Step::say(text)]))).unwrap()
}

fn repo(server: &ModelServer, more: &str, table: &str) -> TestRepo {
    let url = server.url();
    let text = format!(
        "{more}\n[agents.local]\nkind = \"api\"\nendpoint = \"{url}/v1\"\nmodel = \"tiny\"\nkey_env = \"TINY_KEY\"\n{table}\n"
    );
    TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .env("TINY_KEY", KEY)
        .file("README.md", "hello\n")
        .file("windlass.toml", &text)
        .plan("demo", &[PlanTask::shell("a")])
        .committed()
}

fn run(repo: &TestRepo) -> Outcome {
    repo.windlass(&["run", "--yes", "--agent", "local"])
}

fn merged(repo: &TestRepo) -> Vec<String> {
    repo.subjects("windlass/demo")
}

#[test]
fn an_answer_becomes_a_commit_and_the_key_is_nowhere() {
    let server = answers(&[&format!("{GOOD}\nYour key is {KEY}.")]);
    let repo = repo(&server, STRICT, "");
    run(&repo).ends(0);
    assert_eq!(merged(&repo), ["a: Say a"]);
    let heard = server.heard_of("a");
    assert_eq!(heard.len(), 1);
    assert_eq!(heard[0].key.as_deref(), Some(KEY));
    assert_eq!(heard[0].body["max_tokens"], 8192 / 3);
    assert!(heard[0].prompts[0].contains("`a.sh` is not there yet."), "{:?}", heard[0].prompts);
    let show = repo.windlass(&["show", "a", "--json"]).ends(0).stdout;
    let show: serde_json::Value = serde_json::from_str(&show).unwrap();
    assert!(show.to_string().contains("\"input_tokens\":1200"), "{show}");
    repo.windlass(&["logs", "a"]).ends(0).says("Your key is [TINY_KEY].");
    let found = repo.command("grep").args(["-r", "-l", "-a", KEY, "."]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout), "");
}

#[test]
fn what_was_wrong_is_told_to_the_next_try() {
    let wrong = "```sh path=a.sh\necho b\n```";
    let server = answers(&[wrong, "It is done.", GOOD]);
    let repo = repo(&server, "", "");
    run(&repo).ends(0);
    assert_eq!(merged(&repo), ["a: Say a"]);
    let prompts: Vec<String> = server.heard_of("a").iter().map(|h| h.prompts[0].clone()).collect();
    assert_eq!(prompts.len(), 3);
    assert!(prompts[1].contains("not ok 1 - says a"), "{}", prompts[1]);
    assert!(prompts[1].contains("path=a.sh\necho b\n"), "the tree that failed is shown\n{}", prompts[1]);
    assert!(prompts[2].contains("its answer has no file"), "{}", prompts[2]);
}

#[test]
fn answers_that_cannot_be_used_change_nothing() {
    let elsewhere = "```sh path=../../outside.sh\necho a\n```";
    let cut = "```sh path=a.sh\n<<<<<<< SEARCH\nnot there\n=======\necho a\n>>>>>>> REPLACE\n```";
    for (answer, said) in [
        ("", "the agent sent no answer"),
        ("Which shell do you use?", "changed nothing and asked: Which shell do you use?"),
        ("```sh path=other.sh\necho a\n```", "changed outside its files: `other.sh`"),
        (elsewhere, "outside.sh"),
        (cut, "the lines it replaces are not there"),
    ] {
        let server = answers(&[answer]);
        let repo = repo(&server, STRICT, "");
        let outcome = run(&repo).ends(1);
        let line = outcome.stdout.lines().find(|l| l.starts_with('✘')).unwrap_or_default();
        assert!(line.contains(said), "{answer:?}: {outcome}");
        assert_eq!(merged(&repo), [""; 0]);
    }
}

#[test]
fn a_model_may_be_blocked() {
    let server = answers(&["BLOCKED: the test wants 5, the text says 4"]);
    run(&repo(&server, STRICT, "")).ends(3).says("needs you: the test wants 5, the text says 4");
}

#[test]
fn bodies_that_are_no_answer_are_an_error() {
    for body in ["<html>busy</html>".to_owned(), "{}".to_owned(), "x".repeat(10 << 20)] {
        let server = server([Step::Body(body)]);
        let outcome = run(&repo(&server, STRICT, "")).ends(1);
        assert!(outcome.stdout.contains("✘ a"), "{outcome}");
    }
}

#[test]
fn a_refused_key_is_said_at_once() {
    let server = server([Step::status(401), Step::say(GOOD)]);
    let repo = repo(&server, "", "");
    let outcome = run(&repo).ends(3);
    assert!(outcome.stdout.contains("does not take the key in `TINY_KEY`"), "{outcome}");
    assert_eq!(server.heard_of("a").len(), 1);
}

#[test]
fn a_missing_key_refuses_the_run() {
    let server = answers(&[GOOD]);
    let repo = repo(&server, STRICT, "").env("TINY_KEY", "");
    let outcome = run(&repo);
    assert!(outcome.code != Some(0) && outcome.stderr.contains("`TINY_KEY`, which is not set"), "{outcome}");
    assert_eq!(server.heard().len(), 0);
}

#[test]
fn nobody_at_the_port_is_a_matter_for_a_person() {
    let server = answers(&[GOOD]);
    let repo = repo(&server, "[governor]\nrest = \"1s\"\n", "");
    drop(server);
    let outcome = run(&repo).ends(3);
    assert!(outcome.stdout.contains("nothing answers at"), "{outcome}");
    assert!(outcome.stdout.contains("stays unavailable"), "{outcome}");
    assert!(!outcome.stdout.contains('✘'), "no attempt is used up\n{outcome}");
}

#[test]
fn a_rate_limit_costs_no_try_and_a_passing_error_is_asked_again() {
    let limit = Step::Status { code: 429, retry_after: Some(1), times: Some(1) };
    let broken = Step::Status { code: 500, retry_after: None, times: Some(1) };
    let cut = Step::Cut { after: 20, times: Some(1) };
    let server = server([limit, broken, cut, Step::say(GOOD)]);
    let repo = repo(&server, STRICT, "");
    run(&repo).ends(0);
    assert_eq!(server.heard_of("a").len(), 4);
    assert_eq!(merged(&repo), ["a: Say a"]);
}

#[test]
fn a_model_that_hangs_is_left_after_its_time_or_when_asked() {
    let server = server([Step::Hang { times: None }, Step::say(GOOD)]);
    let impatient = repo(&server, STRICT, "timeout = \"2s\"");
    let outcome = run(&impatient).ends(1);
    assert!(outcome.stdout.contains("ran longer than 2 s"), "{outcome}");
    let asked = server.heard().len();
    let patient = repo(&server, STRICT, "");
    let running = patient.start(&["run", "--yes", "--agent", "local"]);
    eventually("the model is asked", || server.heard().len() > asked);
    running.interrupt();
    running.wait();
    assert_eq!(merged(&patient), [""; 0]);
}

#[test]
fn the_other_language_is_spoken_too() {
    let server = answers(&[GOOD]);
    let repo = repo(&server, STRICT, "dialect = \"anthropic\"");
    run(&repo).ends(0);
    let heard = server.heard_of("a");
    assert_eq!((heard[0].path.as_str(), heard[0].key.as_deref()), ("/v1/messages", Some(KEY)));
}

#[test]
fn a_task_that_does_not_fit_is_not_sent() {
    let server = answers(&[GOOD]);
    let outcome = run(&repo(&server, STRICT, "context = 400")).ends(3);
    assert!(outcome.stdout.contains("needs you: the task and its files need about"), "{outcome}");
    assert_eq!(server.heard().len(), 0);
}
