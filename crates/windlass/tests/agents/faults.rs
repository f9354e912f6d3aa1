//! A provider that is out of order for a while: no task fails, whatever the fault.
//!
//! The quick form asks a model behind a port, with times scaled down. `scripts/faults` lets it last a minute, with twenty
//! tasks, and asks by Claude Code and Codex too.

use std::fmt::Write as _;
use std::time::Instant;

use windlass_engine::agent::cli::CliKind;
use windlass_testkit::model::{Fault, ModelServer, Outage, Script, Step};
use windlass_testkit::{Outcome, PlanTask, TestRepo};

use crate::programs::{configuration, variables};

const FAULTS: [(&str, Fault); 5] = [
    ("500", Fault::Status(500)),
    ("503", Fault::Status(503)),
    ("429", Fault::Status(429)),
    ("reset", Fault::Reset),
    ("hang", Fault::Hang),
];

/// How much is asked of one fault.
struct Trial {
    tasks: usize,
    seconds: u64,
    rest: u64,
}

/// The answers of the model: each task writes its file.
fn script(tasks: &[String], fault: Fault, seconds: u64, asked: Option<CliKind>) -> Script {
    let outage = Some(Outage { fault, millis: seconds * 1000 });
    tasks.iter().fold(Script { outage, ..Script::default() }, |script, id| match asked {
        Some(_) => {
            script.turn(id, [Step::write(&format!("{id}.sh"), &format!("echo {id}\n")), Step::say("Done.")])
        }
        None => script.turn(id, [Step::say(&format!("```sh path={id}.sh\necho {id}\n```"))]),
    })
}

fn through(fault: Fault, trial: &Trial, asked: Option<CliKind>) -> Outcome {
    let tasks: Vec<String> = (1..=trial.tasks).map(|n| format!("t{n:02}")).collect();
    let server = ModelServer::start(script(&tasks, fault, trial.seconds, asked)).unwrap();
    let mut text = format!(
        "[governor]\nrest = \"{}s\"\n[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n",
        trial.rest
    );
    let mut repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"));
    let agent = if let Some(kind) = asked {
        text.push_str(&configuration(kind, ""));
        for (name, value) in variables(kind, &server.url()) {
            repo = repo.env(name, &value);
        }
        kind.as_str()
    } else {
        let url = server.url();
        let _ = writeln!(
            text,
            "[agents.local]\nkind = \"api\"\nendpoint = \"{url}/v1\"\nmodel = \"tiny\"\ntimeout = \"{}s\"",
            trial.seconds * 4 + 60
        );
        "local"
    };
    let plan: Vec<PlanTask> = tasks.iter().map(|id| PlanTask::shell(id)).collect();
    let repo = repo.file("README.md", "hello\n").file("windlass.toml", &text).plan("demo", &plan).committed();
    let outcome = repo.start(&["run", "--yes", "--jobs", "4", "--agent", agent]).wait_long();
    assert_eq!(repo.subjects("windlass/demo").len(), trial.tasks, "{outcome}");
    outcome
}

#[test]
fn no_task_fails_while_the_provider_is_out_of_order() {
    for (name, fault) in FAULTS {
        let outcome = through(fault, &Trial { tasks: 3, seconds: 8, rest: 1 }, None);
        assert_eq!(outcome.code, Some(0), "{name}: {outcome}");
        assert!(!outcome.stdout.contains('✘'), "{name}: no attempt is used up\n{outcome}");
        // A connection that is closed late is tried again before the provider is paused.
        assert!(name == "hang" || outcome.stdout.contains("is paused for"), "{name}: {outcome}");
    }
}

#[test]
#[ignore = "takes a quarter of an hour: scripts/faults"]
fn twenty_tasks_through_a_minute_of_each_fault() {
    let only = std::env::var("WINDLASS_FAULTS").unwrap_or_default();
    println!("| asked by | fault | tasks | failed | tries used up | seconds |\n|---|---|---|---|---|---|");
    for asked in [None, Some(CliKind::Claude), Some(CliKind::Codex)] {
        let who = asked.map_or("a model behind a port", |kind| kind.facts().title);
        for (name, fault) in FAULTS.iter().filter(|(name, _)| format!("{who} {name}").contains(&only)) {
            let since = Instant::now();
            let outcome = through(*fault, &Trial { tasks: 20, seconds: 60, rest: 30 }, asked);
            let failed = outcome.stdout.matches(" failed: ").count();
            let tries = outcome.stdout.matches('✘').count();
            println!("| {who} | {name} | 20 | {failed} | {tries} | {} |", since.elapsed().as_secs());
            assert_eq!((outcome.code, failed), (Some(0), 0), "{who} {name}: {outcome}");
        }
    }
}
