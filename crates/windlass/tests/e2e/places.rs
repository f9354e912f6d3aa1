//! Other machines: attempts run there and come back; one that is lost, lies or is not there costs no attempt.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use windlass_testkit::{PlanTask, TestRepo, eventually, left_behind, place_between_program};

use crate::world::{HONEST, evidence, states, users_own, with_plan};

/// Another machine: a home and a cache of its own, and a command that leads there.
struct OtherMachine {
    dir: TempDir,
}

impl OtherMachine {
    fn new(script: &str) -> Self {
        let dir = tempfile::Builder::new().prefix("windlass-place-").tempdir().unwrap();
        for sub in ["home", "cache", "tmp"] {
            fs::create_dir(dir.path().join(sub)).unwrap();
        }
        fs::write(dir.path().join("home/agent-script"), script).unwrap();
        Self { dir }
    }

    /// A command that starts `windlass attend` there, with nothing of this environment.
    fn door(&self, repo: &TestRepo) -> PathBuf {
        let at = |sub: &str| self.dir.path().join(sub).display().to_string();
        let path = std::env::var("PATH").unwrap();
        let bin = repo.top().join("bin");
        let text = format!(
            "#!/bin/sh\nexec env -i HOME={} XDG_CACHE_HOME={} TMPDIR={} PATH={}:{path} LC_ALL=C.UTF-8 {} attend\n",
            at("home"),
            at("cache"),
            at("tmp"),
            bin.display(),
            env!("CARGO_BIN_EXE_windlass"),
        );
        let door = self.dir.path().join("door");
        fs::write(&door, text).unwrap();
        fs::set_permissions(&door, fs::Permissions::from_mode(0o755)).unwrap();
        door
    }

    /// Nothing of its attempts is alive.
    fn is_quiet(&self) -> bool {
        let kept =
            fs::read_dir(self.dir.path().join("cache/windlass/places")).into_iter().flatten().flatten();
        kept.map(|entry| entry.file_name().to_string_lossy().into_owned())
            .all(|name| left_behind(&format!("WINDLASS_TOKEN=windlass.{name}.")).is_empty())
    }
}

fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

/// Settings under which the only attempts that run here are those that must.
fn settings(launch: &[&str], slots: u32) -> String {
    format!(
        "[limits]\njobs = 1\n[sandbox]\nwrite = [\"~/\"]\n[places.big]\nlaunch = {launch:?}\nslots = {slots}\n"
    )
}

fn two_apart(launch: &[&str]) -> TestRepo {
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b")]);
    repo.write("windlass.toml", &settings(launch, 4));
    repo.commit("places");
    repo
}

/// The place of every try that was merged.
fn places(repo: &TestRepo) -> Vec<(String, Option<String>, usize)> {
    let out = repo.windlass(&["status", "--json", "--all"]).ends(0);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    let of = |task: &serde_json::Value| {
        let tries = task["attempts"].as_array().unwrap();
        let place = tries.last().unwrap()["place"].as_str().map(str::to_owned);
        (task["id"].as_str().unwrap().to_owned(), place, tries.len())
    };
    json["tasks"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn attempts_run_elsewhere_and_come_back() {
    let machine = OtherMachine::new(HONEST);
    let repo = two_apart(&["false"]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 4));
    repo.commit("the way there");
    let before = users_own(&repo);
    let run = repo.run(&[]).ends(0).says("by cmd:fake-agent at big");
    assert!(!run.stdout.contains("was lost"), "{run}");
    for (task, place, tries) in places(&repo) {
        assert_eq!((place.as_deref(), tries), (Some("big"), 1), "{task}");
    }
    let records = evidence(&repo, "windlass/demo");
    assert_eq!(records.len(), 2);
    assert!(records.iter().all(|e| e.place.as_deref() == Some("big")), "the evidence names the place");
    repo.windlass(&["show", "a"]).ends(0).says("at big");
    repo.windlass(&["audit"]).ends(0);
    assert_eq!(users_own(&repo), before);
    eventually("nothing is left running there", || machine.is_quiet());
    assert!(machine.dir.path().join("cache/windlass/places").is_dir());
    let clean = repo.start_with(
        &[("XDG_CACHE_HOME", machine.dir.path().join("cache").to_str().unwrap())],
        &["attend", "--clean"],
    );
    clean.wait().ends(0);
    let left = fs::read_dir(machine.dir.path().join("cache/windlass")).unwrap().count();
    assert_eq!(left, 0, "`--clean` leaves nothing");
}

#[test]
fn a_machine_that_dies_costs_no_attempt() {
    // The first turn there never ends; its machine is killed meanwhile.
    let machine = OtherMachine::new(
        "shell test -e {home}/killed || { touch {home}/begun; sleep 600; }\nwrite {task}.sh echo {task}\n",
    );
    let repo = with_plan(&[PlanTask::shell("a")]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 2));
    repo.commit("places");
    let run = repo.start_run(&[]);
    eventually("the attempt has begun there", || machine.dir.path().join("home/begun").exists());
    fs::write(machine.dir.path().join("home/killed"), "").unwrap();
    let attends = left_behind(&format!("XDG_CACHE_HOME={}", machine.dir.path().join("cache").display()));
    let attend = attends.iter().find(|left| left.command.contains(" attend")).expect("it attends");
    kill(attend.pid);
    let run = run.wait().ends(0).says("place big was lost");
    assert!(run.stdout.contains("no try is used up"), "{run}");
    assert_eq!(states(&repo), [("a".to_owned(), "completed".to_owned())]);
    eventually("nothing is left running there", || machine.is_quiet());
    assert_eq!(repo.left_behind(), []);
}

/// Every way in which a place can be wrong, with what is said about it.
const WRONG: [(&str, &str); 11] = [
    ("version", "it has windlass 9.9.9"),
    ("other-attempt", "of another attempt"),
    ("forbidden", "a place has no say in"),
    ("ref-outside", "it wants to write the ref `refs/heads/main`"),
    ("no-objects", "missing"),
    ("other-commit", "missing"),
    ("bomb", "unpacks to more than"),
    ("too-much", "it sent 1099511627776 bytes at once"),
    ("garbage", "is not the protocol"),
    ("cut", "the connection was closed"),
    ("absent", "cannot be started"),
];

#[test]
fn a_place_that_lies_is_lost_and_nothing_of_it_counts() {
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((mode, words)) =
                    WRONG.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    lies(mode, words);
                }
            });
        }
    });
}

fn lies(mode: &str, words: &str) {
    let machine = OtherMachine::new(HONEST);
    let repo = two_apart(&["false"]);
    let door = machine.door(&repo);
    let between = place_between_program();
    let launch = match mode {
        "absent" => vec!["/no/such/program"],
        _ => vec![between.to_str().unwrap(), mode, door.to_str().unwrap()],
    };
    repo.write("windlass.toml", &settings(&launch, 4));
    repo.commit("places");
    let main = repo.git(&["rev-parse", "main"]);
    let run = repo.run(&[]);
    assert_eq!(run.code, Some(0), "{mode}\n{run}");
    assert!(
        run.stdout.contains("place big was lost") && run.stdout.contains(words),
        "{mode}: {words}\n{run}"
    );
    assert_eq!(repo.git(&["rev-parse", "main"]), main, "{mode}");
    for (task, place, _) in places(&repo) {
        assert_eq!(place, None, "{mode}: `{task}` was completed here");
    }
    let failed = repo.windlass(&["show", "a", "--json"]).ends(0);
    assert!(!failed.stdout.contains("\"failure\""), "{mode}: no attempt was used up\n{failed}");
    assert_eq!(repo.left_behind(), [], "{mode}");
}

#[test]
fn noise_and_repeated_words_of_a_place_change_nothing() {
    for mode in ["honest", "noise", "other-nonce", "twice"] {
        let machine = OtherMachine::new(HONEST);
        let repo = two_apart(&["false"]);
        let door = machine.door(&repo);
        let between = place_between_program();
        repo.write("windlass.toml", &settings(&[between.to_str().unwrap(), mode, door.to_str().unwrap()], 4));
        repo.commit("places");
        let run = repo.run(&[]).ends(0);
        assert!(!run.stdout.contains("was lost"), "{mode}\n{run}");
        assert!(
            places(&repo).iter().all(|(_, place, tries)| place.is_some() && *tries == 1),
            "{mode}\n{run}"
        );
    }
}

#[test]
fn what_a_task_needs_decides_where_it_runs() {
    let machine = OtherMachine::new(HONEST);
    let repo = with_plan(&[PlanTask::shell("a").front("needs: [gpu]"), PlanTask::shell("b")]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &(settings(&[door.to_str().unwrap()], 1) + "labels = [\"gpu\"]\n"));
    repo.commit("places");
    repo.run(&[]).ends(0);
    let a = places(&repo).into_iter().find(|(task, _, _)| task == "a").unwrap();
    assert_eq!(a.1.as_deref(), Some("big"));
    // Without such a place the run does not start.
    repo.write("windlass.toml", "");
    repo.commit("no places");
    let again = with_plan(&[PlanTask::shell("a").front("needs: [gpu]")]);
    again.run(&[]).ends(2).says("no place has").says("gpu");
}

#[test]
fn doctor_tells_what_works_at_a_place() {
    let machine = OtherMachine::new(HONEST);
    let repo = two_apart(&["false"]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 1));
    let told = repo.windlass(&["doctor", "--place", "big"]).ends(0);
    for words in ["answered after", "a megabyte takes", "sandbox"] {
        assert!(told.stdout.contains(words), "{told}");
    }
    repo.windlass(&["doctor", "--place", "small"]).ends(2).says("there is no place `small`").says("`big`");
    repo.write("windlass.toml", &settings(&["sh", "-c", "echo no such host >&2; exit 255"], 1));
    repo.windlass(&["doctor", "--place", "big"]).ends(4).says("no such host");
}

/// An ssh server on loopback with keys of its own, for this user; it ends with the test.
struct SshServer {
    dir: TempDir,
    child: std::process::Child,
}

impl SshServer {
    fn start() -> Self {
        let dir = tempfile::Builder::new().prefix("windlass-sshd-").tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).display().to_string();
        for key in ["host", "user"] {
            let made =
                Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f", &at(key)]).status();
            assert!(made.unwrap().success());
        }
        // Taken for a moment, so that it is free.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\nUsePAM no\n\
             PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\nPidFile none\n",
            at("host"),
            at("user.pub"),
        );
        fs::write(dir.path().join("sshd_config"), server).unwrap();
        let client = format!(
            "Host big\n HostName 127.0.0.1\n Port {port}\n IdentityFile {}\n IdentitiesOnly yes\n StrictHostKeyChecking no\n \
             UserKnownHostsFile /dev/null\n LogLevel ERROR\n",
            at("user"),
        );
        fs::write(dir.path().join("ssh_config"), client).unwrap();
        // The directory that the server of the distribution separates its privileges in.
        let _ = fs::create_dir_all("/run/sshd");
        let child = Command::new("/usr/sbin/sshd")
            .args(["-D", "-e", "-f", &at("sshd_config")])
            .stderr(fs::File::create(dir.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        eventually("the server listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        Self { dir, child }
    }

    /// The command to the machine behind it.
    fn launch(&self, door: &Path) -> Vec<String> {
        let config = self.dir.path().join("ssh_config").display().to_string();
        let words = ["ssh", "-F", &config, "-T", "-oBatchMode=yes", "big", door.to_str().unwrap()];
        words.map(str::to_owned).to_vec()
    }
}

impl Drop for SshServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn attempts_run_behind_a_real_ssh_server_and_outlive_a_cut_connection() {
    let server = SshServer::start();
    let machine = OtherMachine::new(
        "shell test -e {home}/cut || { touch {home}/begun; sleep 600; }\nwrite {task}.sh echo {task}\n",
    );
    let repo = with_plan(&["a", "b"].map(|id| PlanTask::shell(id).front("needs: [there]")));
    let launch = server.launch(&machine.door(&repo));
    let launch: Vec<&str> = launch.iter().map(String::as_str).collect();
    // Nothing runs here: what is lost there is tried there again.
    let text = settings(&launch, 2) + "labels = [\"there\"]\n";
    repo.write("windlass.toml", &text);
    repo.commit("places");
    repo.windlass(&["doctor", "--place", "big"]).ends(0).says("answered after");
    let run = repo.start_run(&[]);
    eventually("an attempt has begun there", || machine.dir.path().join("home/begun").exists());
    fs::write(machine.dir.path().join("home/cut"), "").unwrap();
    // The client is killed: the other side sees the end of its input and cleans up.
    let clients = left_behind(&format!("HOME={}", repo.home().display()));
    let clients: Vec<_> = clients.iter().filter(|left| left.command.starts_with("ssh ")).collect();
    assert!(!clients.is_empty());
    for client in clients {
        kill(client.pid);
    }
    let run = run.wait_long().ends(0).says("place big was lost");
    for (task, place, _) in places(&repo) {
        assert_eq!(place.as_deref(), Some("big"), "{task}\n{run}");
    }
    eventually("nothing is left running there", || machine.is_quiet());
}
