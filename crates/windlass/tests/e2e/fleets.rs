//! Workers that fetch attempts from a real broker: two of them, a broker that is killed and comes back, workers that die or lie.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use windlass_testkit::{NatsServer, PlanTask, TestRepo, eventually, place_between_program};

use crate::machines::{OtherMachine, kill};
use crate::places::{places, settings_of};
use crate::world::{HONEST, with_plan};

/// A machine on which a worker runs.
pub(crate) struct Worker {
    pub(crate) machine: OtherMachine,
    child: Child,
}

impl Worker {
    /// Starts one with two slots. With a mode, what it starts for each attempt lies in that way.
    pub(crate) fn start(repo: &TestRepo, url: &str, script: &str, mode: Option<&str>) -> Self {
        let machine = OtherMachine::new(script);
        let door = machine.door(repo);
        let log = machine.dir.path().join("log");
        let mut command = Command::new(&door);
        command.args(["--nats", url, "--slots", "2"]);
        if let Some(mode) = mode {
            command.arg("--").arg(place_between_program()).arg(mode).arg(&door);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(fs::File::create(&log).unwrap());
        let child = command.spawn().unwrap();
        eventually("the worker attends", || fs::read_to_string(&log).unwrap().contains("attending queue"));
        Self { machine, child }
    }

    fn home(&self, name: &str) -> std::path::PathBuf {
        self.machine.dir.path().join("home").join(name)
    }
}

impl Drop for Worker {
    #[expect(clippy::print_stderr, reason = "what the worker said explains a failing test")]
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            let said = fs::read_to_string(self.machine.dir.path().join("log"));
            eprintln!("── worker\n{}", said.unwrap_or_default());
        }
    }
}

fn fleet(repo: &TestRepo, url: &str, more: &str) {
    repo.write("windlass.toml", &settings_of(&format!("fleet]\nnats = {url:?}\nslots = 4\n{more}")));
    repo.commit("a fleet");
}

/// Nothing of a run lies at the broker.
fn is_empty(server: &NatsServer) -> bool {
    let streams = server.streams();
    assert_eq!(streams.len(), 3, "{streams:?}");
    let of = |what: &str| streams.iter().find(|s| s.name.ends_with(what)).unwrap();
    (of("_calls").messages, of("_parts").messages, of("_parts").consumers) == (0, 0, 0)
}

#[test]
fn a_broker_that_is_killed_in_the_middle_of_a_run_costs_nothing() {
    let Some(mut server) = NatsServer::start("") else { return };
    let script = "shell touch {home}/begun; until test -e {home}/go; do sleep 0.1; done\nwrite {task}.sh echo {task}\n";
    let repo = with_plan(&["a", "b", "c", "d"].map(|id| PlanTask::shell(id).front("needs: [there]")));
    fleet(&repo, &server.url(), "labels = [\"there\"]\n");
    let workers = [0, 1].map(|_| Worker::start(&repo, &server.url(), script, None));
    let told =
        repo.windlass(&["doctor", "--place", "fleet"]).ends(0).says("answered after").says("of 2 slots");
    assert_eq!(told.stdout.matches("slots in use").count(), 2, "{told}");
    let run = repo.start_run(&[]);
    eventually("both have begun", || workers.iter().all(|worker| worker.home("begun").exists()));
    server.kill();
    for worker in &workers {
        // They go on while the broker is away.
        fs::write(worker.home("go"), "").unwrap();
    }
    server.start_again();
    let run = run.wait_long().ends(0).says("by cmd:fake-agent at fleet");
    assert!(!run.stdout.contains("was lost"), "{run}");
    for (task, place, tries) in places(&repo) {
        assert_eq!((place.as_deref(), tries), (Some("fleet"), 1), "{task}\n{run}");
    }
    eventually("nothing is left at the broker", || is_empty(&server));
    for worker in &workers {
        eventually("nothing is left running there", || worker.machine.is_quiet());
    }
}

#[test]
fn the_workers_of_a_fleet_say_which_processor_they_have() {
    let Some(server) = NatsServer::start("") else { return };
    let needs = format!("needs: [there, {}]", std::env::consts::ARCH);
    let repo = with_plan(&[PlanTask::shell("a").front(&needs)]);
    fleet(&repo, &server.url(), "labels = [\"there\"]\n");
    repo.run(&[]).ends(2).says("it is not known which processor the place `fleet` has: no worker attends");
    let _worker = Worker::start(&repo, &server.url(), HONEST, None);
    let run = repo.run(&[]).ends(0);
    assert!(!run.stdout.contains("was lost"), "the connection to the broker lives as long as the run\n{run}");
    assert_eq!(places(&repo)[0].1.as_deref(), Some("fleet"), "{run}");
    eventually("nothing is left at the broker", || is_empty(&server));
}

#[test]
fn an_attendant_that_dies_costs_no_attempt() {
    let Some(server) = NatsServer::start("") else { return };
    let script =
        "shell test -e {home}/died || { touch {home}/begun; sleep 600; }\nwrite {task}.sh echo {task}\n";
    let repo = with_plan(&[PlanTask::shell("a").front("needs: [there]")]);
    fleet(&repo, &server.url(), "labels = [\"there\"]\n");
    let worker = Worker::start(&repo, &server.url(), script, None);
    let run = repo.start_run(&[]);
    eventually("it has begun", || worker.home("begun").exists());
    fs::write(worker.home("died"), "").unwrap();
    for left in worker.machine.attendants() {
        kill(left.pid);
    }
    let run = run.wait_long().ends(0).says("place fleet was lost").says("no attempt is used up");
    assert_eq!(places(&repo)[0].1.as_deref(), Some("fleet"), "{run}");
    eventually("nothing is left running there", || worker.machine.is_quiet());
    eventually("nothing is left at the broker", || is_empty(&server));
}

#[test]
#[ignore = "takes half a minute of silence; scripts/torture runs it"]
fn a_worker_that_is_killed_is_noticed_by_its_silence() {
    let Some(server) = NatsServer::start("") else { return };
    let script = "shell touch {home}/begun; until test -e {home}/go; do sleep 0.1; done\nwrite {task}.sh echo {task}\n";
    let repo = with_plan(&[PlanTask::shell("a").front("needs: [there]")]);
    fleet(&repo, &server.url(), "labels = [\"there\"]\n");
    let mut first = Worker::start(&repo, &server.url(), script, None);
    let run = repo.start_run(&[]);
    eventually("it has begun", || first.home("begun").exists());
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    eventually("what it started ends by itself", || {
        first.machine.attendants().is_empty() && first.machine.is_quiet()
    });
    let second = Worker::start(&repo, &server.url(), HONEST, None);
    let run = run.wait_long().ends(0).says("nothing was heard for 30 s").says("no attempt is used up");
    assert_eq!(places(&repo)[0].1.as_deref(), Some("fleet"), "{run}");
    eventually("nothing is left running there", || second.machine.is_quiet());
}

/// How a worker can be wrong, with what is said about it.
const WRONG: [(&str, &str); 4] = [
    ("other-attempt", "of another attempt"),
    ("ref-outside", "it wants to write the ref `refs/heads/main`"),
    ("other-commit", "missing"),
    ("garbage", "was lost"),
];

#[test]
fn a_worker_that_lies_is_lost_and_nothing_of_it_counts() {
    let Some(server) = NatsServer::start("") else { return };
    for (mode, words) in WRONG {
        let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b")]);
        fleet(&repo, &server.url(), "");
        let _worker = Worker::start(&repo, &server.url(), HONEST, Some(mode));
        let main = repo.git(&["rev-parse", "main"]);
        let run = repo.run(&[]);
        assert_eq!(run.code, Some(0), "{mode}\n{run}");
        assert!(
            run.stdout.contains("place fleet was lost") && run.stdout.contains(words),
            "{mode}: {words}\n{run}"
        );
        assert_eq!(repo.git(&["rev-parse", "main"]), main, "{mode}");
        assert!(places(&repo).iter().all(|(_, place, _)| place.is_none()), "{mode}: completed here\n{run}");
        let failed = repo.windlass(&["show", "a", "--json"]).ends(0);
        assert!(!failed.stdout.contains("\"failure\""), "{mode}: no attempt was used up\n{failed}");
    }
    // What has another nonce, or comes twice, is dropped.
    for mode in ["other-nonce", "twice"] {
        let repo = with_plan(&[PlanTask::shell("a")]);
        fleet(&repo, &server.url(), "");
        let _worker = Worker::start(&repo, &server.url(), HONEST, Some(mode));
        let run = repo.run(&[]).ends(0);
        assert!(!run.stdout.contains("was lost"), "{mode}\n{run}");
        assert_eq!(places(&repo)[0].1.as_deref(), Some("fleet"), "{mode}\n{run}");
    }
}

#[test]
fn a_broker_that_cannot_be_used_is_explained() {
    let Some(server) = NatsServer::start("authorization { token: \"right\" }") else { return };
    let repo = with_plan(&[PlanTask::shell("a")]);
    let key = |path: &Path| format!("key = {:?}\n", path.display().to_string());
    let doctor = || repo.windlass(&["doctor", "--place", "fleet"]);
    fleet(&repo, &server.url(), "");
    doctor().ends(4).says("does not let this key in");
    fleet(&repo, &server.url(), &key(&server.file("wrong", "wrong\n")));
    doctor().ends(4).says("does not let this key in");
    fleet(&repo, &server.url(), &key(&server.file("right", "right\n")));
    doctor().ends(4).says("no worker attends the queue").says("windlass attend --nats");
    fleet(&repo, "nats://no-such-host.invalid:4222", "");
    doctor().ends(4).says("of the broker is unknown");
    fleet(&repo, &server.url(), "logins = [\"KEY\"]\n");
    doctor().ends(2).says("a broker could read and keep them");
    fleet(&repo, "nats://secret@broker", "");
    doctor().ends(2).says("holds a log-in");
    let attend = repo.windlass(&["attend", "--nats", &server.url()]);
    assert!(attend.code != Some(0) && attend.stderr.contains("does not let this key in"), "{attend}");
}
