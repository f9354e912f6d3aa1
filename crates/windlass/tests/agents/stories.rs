//! The whole program with real agents: a plan carried out, a model that hangs, Windlass killed in the middle.

use windlass_engine::agent::cli::CliKind;
use windlass_testkit::model::{ModelServer, Script, Step};
use windlass_testkit::{Left, Outcome, PlanTask, TestRepo, eventually, left_behind};

use crate::cells::Said;
use crate::programs::{configuration, is_tested, tested, variables};
use crate::upstream::{MODEL, Upstream};

/// A tool call that takes long, in a process that is known by its command line.
pub(crate) const LONG: &str = "python3 -c 'import time; mark = \"windlass-long-tool\"; time.sleep(300)'";

/// Whether that tool is among these processes.
pub(crate) fn at_work(alive: &[Left]) -> bool {
    // Without the quotes it is the tool itself, with them the shell that was asked to start it.
    alive.iter().any(|left| left.command.contains("python3 -c import time; mark = \"windlass-long-tool\""))
}

/// No second chances: what a story wants to see is seen at once.
const STRICT: &str = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n";

/// A repository with a task for each program, which all lead to this model.
fn repo(server: &ModelServer, kinds: &[CliKind], table: impl Fn(CliKind) -> String) -> TestRepo {
    repo_at(&server.url(), kinds, table)
}

/// The same for a model at this address.
fn repo_at(url: &str, kinds: &[CliKind], table: impl Fn(CliKind) -> String) -> TestRepo {
    let tasks: Vec<PlanTask> =
        kinds.iter().map(|k| PlanTask::shell(&task(*k)).front(&format!("agent: {}", k.as_str()))).collect();
    let mut text = STRICT.to_owned();
    let mut repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"));
    for kind in kinds {
        text.push_str(&configuration(*kind, &table(*kind)));
        for (name, value) in variables(*kind, url) {
            repo = repo.env(name, &value);
        }
    }
    repo.file("README.md", "hello\n").file("windlass.toml", &text).plan("demo", &tasks).committed()
}

/// The id of a program's task.
fn task(kind: CliKind) -> String {
    format!("say-{}", kind.as_str())
}

/// The step that does it.
fn works(kind: CliKind) -> Step {
    let id = task(kind);
    Step::write(&format!("{id}.sh"), &format!("echo {id}\n"))
}

fn run(repo: &TestRepo, jobs: &str) -> Outcome {
    repo.start(&["run", "--yes", "--jobs", jobs]).wait_long()
}

/// What the programs said, for the story of a failure.
fn logs(repo: &TestRepo, kinds: &[CliKind]) -> String {
    kinds.iter().map(|kind| repo.windlass(&["logs", &task(*kind)]).to_string()).collect()
}

/// What is alive of anything that was started in a repository's world, in a sandbox or not.
fn left(repo: &TestRepo) -> Vec<Left> {
    let mut all = left_behind(&repo.top().display().to_string());
    all.extend(repo.left_behind());
    all.dedup();
    all
}

#[test]
fn each_program_does_one_task_of_a_plan_and_all_are_merged() {
    let kinds = tested();
    let script =
        kinds.iter().fold(Script::default(), |s, &k| s.turn(&task(k), [works(k), Step::say("It is there.")]));
    let server = ModelServer::start(script).unwrap();
    let repo = repo(&server, &kinds, |_| String::new());
    let outcome = run(&repo, "2");
    assert_eq!(outcome.code, Some(0), "{outcome}{}", logs(&repo, &kinds));
    let mut subjects = repo.subjects("windlass/demo");
    subjects.sort();
    let mut wanted: Vec<String> = kinds.iter().map(|k| format!("{0}: Say {0}", task(*k))).collect();
    wanted.sort();
    assert_eq!(subjects, wanted, "{outcome}");
    repo.windlass(&["audit"]).ends(0);
    assert_eq!(left(&repo), []);
    // Every program said what it used, and the dummy key went nowhere but to the model.
    let history = repo.windlass(&["status", "--json", "--all"]).ends(0).stdout;
    assert!(!history.contains(crate::programs::KEY), "{history}");
    for &kind in &kinds {
        let heard = server.heard_of(&task(kind));
        assert!(heard.iter().all(|h| h.key.as_deref() == Some(crate::programs::KEY)), "{kind:?}");
        let show = repo.windlass(&["show", &task(kind), "--json"]).ends(0).stdout;
        assert!(
            show.contains("\"input_tokens\": 2400") || show.contains("\"input_tokens\":2400"),
            "{kind:?}: {show}"
        );
    }
}

/// Seconds in which it has surely started and asked, on a machine with better things to do.
pub(crate) fn patience(kind: CliKind) -> u32 {
    match kind {
        CliKind::Claude | CliKind::Codex | CliKind::Gemini | CliKind::Qwen => 30,
        CliKind::Opencode | CliKind::Other => 60,
    }
}

#[test]
fn an_agent_that_asks_for_another_host_is_refused_and_the_run_says_so() {
    let kind = CliKind::Codex;
    if !is_tested(kind) {
        return;
    }
    let fetch = "python3 -c 'import urllib.request as u; u.urlopen(\"http://pypi.invalid/simple/\", timeout=20)' 2>&1 | tail -1";
    let steps = [Step::Run(fetch.into()), works(kind), Step::say("It is there.")];
    let server = ModelServer::start(Script::default().turn(&task(kind), steps)).unwrap();
    let repo = repo(&server, &[kind], |_| String::new());
    let outcome = run(&repo, "1");
    assert_eq!(outcome.code, Some(0), "{outcome}{}", logs(&repo, &[kind]));
    let show = repo.windlass(&["show", &task(kind)]).ends(0);
    assert!(show.stdout.contains("network: refused `pypi.invalid:80`"), "{show}");
    assert!(show.stdout.contains("[sandbox] allow"), "{show}");
    let told: String = server.heard().iter().map(|heard| heard.body.to_string()).collect();
    assert!(told.contains("HTTP Error 403"), "the tool was told, and the model of it: {told}");
}

#[test]
fn a_model_that_hangs_costs_every_program_its_time_and_nothing_is_left() {
    let kinds = tested();
    let hang = || Step::Hang { times: None };
    let script = kinds.iter().fold(Script::default(), |s, &k| s.turn(&task(k), [hang(), works(k)]));
    let server = ModelServer::start(script).unwrap();
    let repo = repo(&server, &kinds, |kind| format!("timeout = \"{}s\"", patience(kind)));
    let outcome = run(&repo, "5");
    assert_eq!(outcome.code, Some(1), "{outcome}");
    for &kind in &kinds {
        assert!(!server.heard_of(&task(kind)).is_empty(), "{kind:?} did not ask in time\n{outcome}");
    }
    for &kind in &kinds {
        let wanted = format!("✘ {}  the attempt ran longer than {} s", task(kind), patience(kind));
        assert!(outcome.stdout.lines().any(|l| l == wanted), "{wanted}\n{outcome}");
    }
    assert_eq!(repo.subjects("windlass/demo"), [""; 0]);
    assert_eq!(left(&repo), []);
}

/// The cell `write`: a plan of one task, verified and merged.
pub(crate) fn write(kind: CliKind) -> Said {
    let server =
        ModelServer::start(Script::default().turn(&task(kind), [works(kind), Step::say("It is there.")]))
            .unwrap();
    let repo = repo(&server, &[kind], |_| String::new());
    let outcome = run(&repo, "1");
    if outcome.code != Some(0) || repo.subjects("windlass/demo").len() != 1 {
        return Said::No(format!("{outcome}{}", logs(&repo, &[kind])));
    }
    match left(&repo) {
        left if left.is_empty() => Said::Yes("verified, merged".into()),
        left => Said::No(format!("left behind: {left:?}")),
    }
}

/// The cell `proxy`: the model has a name that only the user's proxy knows, so a program that does not use the proxy it
/// is given reaches nothing.
pub(crate) fn proxy(kind: CliKind) -> Said {
    let script = Script::default().turn(&task(kind), [works(kind), Step::say("It is there.")]);
    let server = ModelServer::start(script).unwrap();
    let upstream = Upstream::before(&server.url());
    let behind = |url: String| {
        repo_at(&url, &[kind], |_| String::new())
            .env("HTTPS_PROXY", &upstream.url())
            .env("http_proxy", &upstream.url())
    };
    let plain = behind(format!("http://{MODEL}"));
    let outcome = run(&plain, "1");
    if outcome.code != Some(0) {
        return Said::No(format!("{outcome}{}", logs(&plain, &[kind])));
    }
    let secure = behind(format!("https://{MODEL}"));
    let running = secure.start(&["run", "--yes", "--jobs", "1"]);
    eventually("the program asks for a tunnel", || upstream.was_asked(&format!("CONNECT {MODEL}:443 ")));
    running.interrupt();
    running.wait();
    match left(&plain).into_iter().chain(left(&secure)).collect::<Vec<_>>() {
        left if left.is_empty() => Said::Yes("http, https".into()),
        left => Said::No(format!("left behind: {left:?}")),
    }
}

/// The cell `keys`: whether a tool of the agent sees the key of its provider.
pub(crate) fn keys(kind: CliKind) -> Said {
    let look = "env | grep -c dummy-key | sed 's/^/keys-seen:/'; python3 --version | sed 's/^/tools-work:/'";
    let steps = [Step::Run(look.into()), works(kind), Step::say("It is there.")];
    let server = ModelServer::start(Script::default().turn(&task(kind), steps)).unwrap();
    let repo = repo(&server, &[kind], |_| String::new());
    let outcome = run(&repo, "1");
    let told: String = server.heard().iter().map(|heard| heard.body.to_string()).collect();
    if outcome.code != Some(0) || !told.contains("tools-work:Python") {
        return Said::No(format!("{outcome}{}", logs(&repo, &[kind])));
    }
    if told.contains("keys-seen:0") {
        Said::Yes("hidden from tools".into())
    } else {
        Said::Unsupported("tools see the key")
    }
}

/// The cell `kill of Windlass`: `kill -9` while a tool of the agent runs, then the next start.
pub(crate) fn killed(kind: CliKind) -> Said {
    let script = Script::default()
        .turn(&task(kind), [Step::Run(LONG.into())])
        .turn(&task(kind), [works(kind), Step::say("It is there.")]);
    let server = ModelServer::start(script).unwrap();
    let repo = repo(&server, &[kind], |_| "permission = \"full\"".into());
    let running = repo.start(&["run", "--yes", "--jobs", "1"]);
    eventually("the tool is at work", || at_work(&left(&repo)));
    running.kill();
    running.wait();
    std::thread::sleep(std::time::Duration::from_secs(1));
    let at_once = left(&repo).len();
    let outcome = run(&repo, "1");
    if outcome.code != Some(0) || !left(&repo).is_empty() {
        return Said::No(format!("left: {:?}\n{outcome}", left(&repo)));
    }
    let word = if at_once == 0 { "0 left at once" } else { "0 left at the next start" };
    Said::Yes(format!("{word}, then done"))
}

#[test]
fn turns_go_on_with_another_account_when_one_is_limited() {
    let kind = CliKind::Claude;
    if !is_tested(kind) {
        return;
    }
    let limited = Step::Status { code: 429, retry_after: Some(600), times: Some(1) };
    let steps = [limited, works(kind), Step::say("It is there.")];
    let server = ModelServer::start(Script::default().turn(&task(kind), steps)).unwrap();
    let repo = repo(&server, &[kind], |_| String::new()).env("KEY_A", "key-a").env("KEY_B", "key-b");
    let own = repo.home().join(".config/windlass");
    std::fs::create_dir_all(&own).unwrap();
    let accounts = "[[accounts.claude]]\nkey_env = \"KEY_A\"\n[[accounts.claude]]\nkey_env = \"KEY_B\"\n";
    std::fs::write(own.join("config.toml"), accounts).unwrap();
    let outcome = run(&repo, "1");
    assert_eq!(outcome.code, Some(0), "{outcome}{}", logs(&repo, &[kind]));
    let keys: Vec<Option<String>> = server.heard_of(&task(kind)).into_iter().map(|heard| heard.key).collect();
    assert_eq!(keys.first(), Some(&Some("key-a".into())), "{keys:?}");
    assert_eq!(keys.last(), Some(&Some("key-b".into())), "{keys:?}");
}
