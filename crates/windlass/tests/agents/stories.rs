//! The whole program with real agents: a plan carried out, a model that hangs, Windlass killed in the middle.

use windlass_engine::agent::cli::CliKind;
use windlass_testkit::model::{ModelServer, Script, Step};
use windlass_testkit::{PlanTask, TestRepo, eventually, left_behind};

use crate::cells::Said;
use crate::programs::{configuration, variables};

/// A tool call that takes long, in a process that is known by its command line.
pub(crate) const LONG: &str = "python3 -c 'import time; mark = \"windlass-long-tool\"; time.sleep(300)'";

/// Whether that tool is running among the processes with this mark.
pub(crate) fn at_work(mark: &str) -> bool {
    left_behind(mark)
        .iter()
        .any(|left| left.command.starts_with("python3") && left.command.contains("windlass-long-tool"))
}

/// No second chances: what a story wants to see is seen at once.
const STRICT: &str = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n";

/// A repository with a task for each program, which all lead to this model.
fn repo(server: &ModelServer, kinds: &[CliKind], more: &str, table: &str) -> TestRepo {
    let tasks: Vec<PlanTask> =
        kinds.iter().map(|k| PlanTask::shell(&task(*k)).front(&format!("agent: {}", k.as_str()))).collect();
    let mut text = format!("{STRICT}{more}\n");
    let mut repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"));
    for kind in kinds {
        text.push_str(&configuration(*kind, table));
        for (name, value) in variables(*kind, &server.url()) {
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

fn run(repo: &TestRepo, jobs: &str) -> windlass_testkit::Outcome {
    repo.start(&["run", "--yes", "--jobs", jobs]).wait_long()
}

/// What is alive of anything that was started in a repository's world.
fn left(repo: &TestRepo) -> Vec<windlass_testkit::Left> {
    left_behind(&repo.top().display().to_string())
}

#[test]
fn each_program_does_one_task_of_a_plan_and_all_are_merged() {
    let script = CliKind::ALL
        .into_iter()
        .fold(Script::default(), |s, k| s.turn(&task(k), [works(k), Step::say("It is there.")]));
    let server = ModelServer::start(script).unwrap();
    let repo = repo(&server, &CliKind::ALL, "", "");
    let outcome = run(&repo, "2");
    assert_eq!(outcome.code, Some(0), "{outcome}");
    let mut subjects = repo.subjects("windlass/demo");
    subjects.sort();
    let mut wanted: Vec<String> = CliKind::ALL.iter().map(|k| format!("{0}: Say {0}", task(*k))).collect();
    wanted.sort();
    assert_eq!(subjects, wanted, "{outcome}");
    repo.windlass(&["audit"]).ends(0);
    assert_eq!(left(&repo), []);
    // Every program said what it used, and the dummy key went nowhere but to the model.
    let history = repo.windlass(&["status", "--json", "--all"]).ends(0).stdout;
    assert!(!history.contains(crate::programs::KEY), "{history}");
    for kind in CliKind::ALL {
        let heard = server.heard_of(&task(kind));
        assert!(heard.iter().all(|h| h.key.as_deref() == Some(crate::programs::KEY)), "{kind:?}");
        let show = repo.windlass(&["show", &task(kind), "--json"]).ends(0).stdout;
        assert!(
            show.contains("\"input_tokens\": 2400") || show.contains("\"input_tokens\":2400"),
            "{kind:?}: {show}"
        );
    }
}

#[test]
fn a_model_that_hangs_costs_every_program_its_time_and_nothing_is_left() {
    let hang = || Step::Hang { times: None };
    let script =
        CliKind::ALL.into_iter().fold(Script::default(), |s, k| s.turn(&task(k), [hang(), works(k)]));
    let server = ModelServer::start(script).unwrap();
    let repo = repo(&server, &CliKind::ALL, "[limits]\nattempt = \"40s\"\n", "");
    let outcome = run(&repo, "5");
    assert_eq!(outcome.code, Some(1), "{outcome}");
    for kind in CliKind::ALL {
        assert!(!server.heard_of(&task(kind)).is_empty(), "{kind:?} did not ask in time\n{outcome}");
    }
    let timeouts =
        outcome.stdout.lines().filter(|l| l.starts_with('✘') && l.contains("longer than 40 s")).count();
    assert_eq!(timeouts, CliKind::ALL.len(), "{outcome}");
    assert_eq!(repo.subjects("windlass/demo"), [""; 0]);
    assert_eq!(left(&repo), []);
}

/// The cell `write`: a plan of one task, verified and merged.
pub(crate) fn write(kind: CliKind) -> Said {
    let server =
        ModelServer::start(Script::default().turn(&task(kind), [works(kind), Step::say("It is there.")]))
            .unwrap();
    let repo = repo(&server, &[kind], "", "");
    let outcome = run(&repo, "1");
    if outcome.code != Some(0) || repo.subjects("windlass/demo").len() != 1 {
        return Said::No(outcome.to_string());
    }
    match left(&repo) {
        left if left.is_empty() => Said::Yes("verified, merged".into()),
        left => Said::No(format!("left behind: {left:?}")),
    }
}

/// The cell `kill of Windlass`: `kill -9` while a tool of the agent runs, then the next start.
pub(crate) fn killed(kind: CliKind) -> Said {
    let script = Script::default()
        .turn(&task(kind), [Step::Run(LONG.into())])
        .turn(&task(kind), [works(kind), Step::say("It is there.")]);
    let server = ModelServer::start(script).unwrap();
    let repo = repo(&server, &[kind], "", "permission = \"full\"");
    let running = repo.start(&["run", "--yes", "--jobs", "1"]);
    let mark = repo.top().display().to_string();
    eventually("the tool is at work", || at_work(&mark));
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
