//! Commands and everything they start: output, time, daemons.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use windlass_engine::process::{
    CancelLevel, CancellationSignal, Capture, Finished, Invocation, ProcessExit, ProcessId, TimeLimit, Token,
    kill_leftovers, run,
};

use crate::place::search_path;

struct Desk {
    temp: tempfile::TempDir,
    token: Token,
}

impl Desk {
    fn new(name: &str) -> Self {
        let token = Token::new(&format!("test-{}-{name}", std::process::id()));
        Self { temp: tempfile::tempdir().unwrap(), token }
    }

    fn path(&self) -> &Path {
        self.temp.path()
    }

    /// A shell script run in the desk's directory.
    fn shell(&self, script: &str) -> Invocation {
        Invocation {
            program: "sh".into(),
            args: vec!["-c".into(), script.into()],
            cwd: self.path().to_owned(),
            env: vec![("PATH".into(), search_path())],
            stdin: Vec::new(),
            timeout: Duration::from_mins(1),
            idle_timeout: None,
            capture: Capture { dir: self.path().join("out"), max_bytes: 1 << 20, tail_bytes: 1000 },
        }
    }

    async fn run(&self, inv: Invocation) -> Finished {
        run(inv, &self.token, CancellationSignal::new(), |_| {}).await
    }

    /// The process that wrote its number into `a.pid`, once it has.
    async fn pid(&self) -> u32 {
        loop {
            let written = fs::read_to_string(self.path().join("a.pid")).unwrap_or_default();
            if let Ok(pid) = written.trim().parse() {
                return pid;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

fn text(path: &PathBuf) -> String {
    fs::read_to_string(path).unwrap()
}

#[tokio::test]
async fn code_signal_and_streams_come_back() {
    let desk = Desk::new("streams");
    let mut inv = desk.shell("cat; echo err >&2; echo \"$WINDLASS_TOKEN\"; echo \"[$HOME$USER]\"; exit 7");
    inv.stdin = b"in\n".to_vec();
    let mut told = None;
    let finished = run(inv, &desk.token, CancellationSignal::new(), |id| told = Some(id)).await;
    assert_eq!(finished.exit, ProcessExit::Code(7));
    assert_eq!(text(&finished.output.stdout), format!("in\n{}\n[]\n", desk.token));
    assert_eq!(text(&finished.output.stderr), "err\n");
    assert_eq!(text(finished.output.merged.as_ref().unwrap()).len() as u64, finished.output.total_bytes);
    assert_eq!(finished.output.tail_text().len() as u64, finished.output.total_bytes);
    assert!(!finished.output.truncated);
    assert_eq!((finished.survivors_killed, finished.still_alive.len()), (0, 0));
    assert!(told.unwrap().started > 0);
    let again = desk.run(desk.shell("kill -9 $$")).await;
    assert_eq!(again.exit, ProcessExit::Signal(9));
    assert_ne!(again.output.merged, finished.output.merged);
}

#[tokio::test]
async fn what_cannot_start_says_why() {
    let desk = Desk::new("start");
    let mut inv = desk.shell("");
    inv.program = "no-such-program".into();
    let ProcessExit::NotStarted(why) = desk.run(inv).await.exit else { panic!("it started") };
    insta::assert_snapshot!(why, @"cannot start `no-such-program`: No such file or directory (os error 2)");
    let mut inv = desk.shell("");
    inv.cwd = "/no/such/directory".into();
    let ProcessExit::NotStarted(why) = desk.run(inv).await.exit else { panic!("it started") };
    insta::assert_snapshot!(why, @"cannot start `sh`: the directory `/no/such/directory` does not exist");
}

#[tokio::test]
async fn a_command_without_a_terminal_cannot_ask_anybody() {
    let desk = Desk::new("tty");
    let finished = desk.run(desk.shell("cat; (: < /dev/tty) 2>/dev/null && echo terminal; exit 0")).await;
    assert_eq!(text(&finished.output.stdout), "");
}

#[tokio::test]
async fn time_and_silence_are_limited() {
    let desk = Desk::new("time");
    let mut inv = desk.shell("trap '' TERM; while :; do echo tick; sleep 0.05; done");
    let limit = Duration::from_millis(300);
    inv.timeout = limit;
    inv.idle_timeout = Some(Duration::from_secs(30));
    assert_eq!(desk.run(inv).await.exit, ProcessExit::TimedOut(TimeLimit::Wall(limit)));
    let mut inv = desk.shell("echo once; sleep 600");
    inv.idle_timeout = Some(limit);
    let finished = desk.run(inv).await;
    assert_eq!(finished.exit, ProcessExit::TimedOut(TimeLimit::Idle(limit)));
    assert_eq!(text(&finished.output.stdout), "once\n");
}

#[tokio::test]
async fn a_polite_command_may_clear_up_when_it_is_stopped() {
    let desk = Desk::new("polite");
    let cancel = CancellationSignal::new();
    let child = cancel.child();
    let inv = desk.shell("trap 'echo bye; exit 3' TERM; echo $$ > a.pid; while :; do sleep 0.02; done");
    let token = desk.token.clone();
    let running = tokio::spawn(async move { run(inv, &token, child, |_| {}).await });
    let pid = desk.pid().await;
    cancel.raise(CancelLevel::Stop);
    let finished = running.await.unwrap();
    assert_eq!(finished.exit, ProcessExit::Cancelled);
    assert_eq!(text(&finished.output.stdout), "bye\n");
    assert!(!is_alive(pid));
    let after = run(desk.shell("echo no"), &desk.token, cancel, |_| {}).await;
    assert_eq!((after.exit, after.output.total_bytes), (ProcessExit::Cancelled, 0));
}

/// Ways to outlive one's parent. Each writes the number of the process that wants to live into `a.pid`.
const SHAPES: &[(&str, &str)] = &[
    ("background", r"sh -c 'echo $$ > a.pid; exec sleep 600' &"),
    ("silent", r"sh -c 'echo $$ > a.pid; exec sleep 600' >/dev/null 2>&1 </dev/null &"),
    ("session", r"setsid sh -c 'echo $$ > a.pid; exec sleep 600' &"),
    ("double-fork", r#"(setsid sh -c '(sh -c "echo \$\$ > a.pid; exec sleep 600" &)')"#),
    ("no-environment", r#"(setsid sh -c '(env -i sh -c "echo \$\$ > a.pid; exec sleep 600" &)')"#),
    ("own-session-no-environment", r"(env -i setsid sh -c 'echo $$ > a.pid; exec sleep 600' &)"),
    ("nohup", r"nohup sh -c 'echo $$ > a.pid; exec sleep 600' &"),
    ("deaf", r#"setsid sh -c 'trap "" TERM HUP INT; echo $$ > a.pid; while :; do sleep 1; done' &"#),
    (
        "breeder",
        r"setsid sh -c 'echo $$ > a.pid; while :; do (env -i setsid sleep 600 &); sleep 0.02; done' &",
    ),
];

/// Waits until the shape has taken form.
const FORMED: &str = "while ! [ -s a.pid ]; do sleep 0.01; done";

#[tokio::test]
async fn nothing_outlives_a_command_that_ends() {
    for (name, shape) in SHAPES {
        let desk = Desk::new(&format!("end-{name}"));
        let finished = desk.run(desk.shell(&format!("{shape}\n{FORMED}; echo done; exit 5"))).await;
        assert_eq!(finished.exit, ProcessExit::Code(5), "{name}");
        assert!(!is_alive(desk.pid().await), "{name}");
        assert_eq!(finished.still_alive, [], "{name}");
        assert!(text(&finished.output.stdout).contains("done\n"), "{name}");
    }
}

#[tokio::test]
async fn nothing_outlives_a_command_that_is_cancelled_or_forgotten() {
    for (name, shape) in SHAPES {
        let desk = Desk::new(&format!("cancel-{name}"));
        let cancel = CancellationSignal::new();
        let (inv, token, signal) =
            (desk.shell(&format!("{shape}\n{FORMED}; sleep 600")), desk.token.clone(), cancel.clone());
        let running = tokio::spawn(async move { run(inv, &token, signal, |_| {}).await });
        let pid = desk.pid().await;
        cancel.raise(CancelLevel::Now);
        assert_eq!(running.await.unwrap().exit, ProcessExit::Cancelled, "{name}");
        assert!(!is_alive(pid), "{name}");

        let desk = Desk::new(&format!("forget-{name}"));
        let (inv, token) = (desk.shell(&format!("{shape}\n{FORMED}; sleep 600")), desk.token.clone());
        let running =
            tokio::spawn(async move { run(inv, &token, CancellationSignal::new(), |_| {}).await.exit });
        let pid = desk.pid().await;
        running.abort();
        assert!(running.await.unwrap_err().is_cancelled());
        let deadline = Instant::now() + Duration::from_secs(20);
        while is_alive(pid) && Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(!is_alive(pid), "{name}");
    }
}

#[tokio::test]
async fn one_commands_end_is_not_anothers() {
    let desk = Desk::new("neighbour");
    let inv =
        desk.shell("(setsid sh -c '(sh -c \"echo \\$\\$ > a.pid; exec sleep 600\" &)'); cat; sleep 600");
    let (token, cancel) = (desk.token.clone(), CancellationSignal::new());
    let signal = cancel.clone();
    let running = tokio::spawn(async move { run(inv, &token, signal, |_| {}).await });
    let pid = desk.pid().await;
    let other = Desk::new("neighbour-other");
    for _ in 0..3 {
        assert_eq!(other.run(other.shell("sleep 0.01 & exit 0")).await.exit, ProcessExit::Code(0));
    }
    assert!(is_alive(pid), "the daemon of a running command is its own affair");
    cancel.raise(CancelLevel::Now);
    running.await.unwrap();
    assert!(!is_alive(pid));
}

#[tokio::test]
async fn orphans_are_reaped() {
    let desk = Desk::new("zombies");
    let finished = desk.run(desk.shell("for i in 1 2 3 4 5; do (setsid true &); done; exit 0")).await;
    assert_eq!(finished.exit, ProcessExit::Code(0));
    desk.run(desk.shell("true")).await;
    let us = std::process::id();
    let zombies = fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        stat.contains("(true) Z") && stat.contains(&format!(" Z {us} "))
    });
    assert_eq!(zombies.count(), 0);
}

/// The most memory this process has had, in kB.
fn peak_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_flood_is_kept_small() {
    let desk = Desk::new("flood");
    let before = peak_kb();
    // The two streams have no common order at their ends, so the short one comes first.
    let script = "head -c 10000000 /dev/zero | tr '\\0' x >&2; head -c 200000000 /dev/zero; echo last";
    let finished = desk.run(desk.shell(script)).await;
    assert_eq!(finished.exit, ProcessExit::Code(0));
    let output = finished.output;
    assert_eq!((output.total_bytes, output.truncated), (210_000_005, true));
    assert_eq!(output.tail.len(), 1000);
    assert!(output.tail_text().ends_with("last\n"));
    let size = |path: &PathBuf| fs::metadata(path).unwrap().len();
    assert_eq!((size(&output.stdout), size(&output.stderr)), (1 << 20, 1 << 20));
    let merged = fs::read(output.merged.as_ref().unwrap()).unwrap();
    let mark = String::from_utf8_lossy(&merged[1 << 20..]);
    insta::assert_snapshot!(mark.trim(), @"[output cut: 1048576 of 210000005 bytes kept]");
    assert!(peak_kb() - before < 60_000, "from {before} to {} kB", peak_kb());
}

#[test]
fn leftovers_of_a_killed_coordinator_die_at_the_next_start() {
    let desk = Desk::new("leftovers");
    // Not through `run`, and in our own session, so that no clearing up of another test takes them for its own.
    let start = |script: &str, token: Option<&str>| {
        let mut command = Command::new("sh");
        command.args(["-c", script]).env_clear().env("PATH", search_path()).stdin(Stdio::null());
        command.envs(token.map(|token| ("WINDLASS_TOKEN", token)));
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let id_of = |pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let started = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(19).unwrap().parse().unwrap();
        ProcessId { pid, started }
    };
    let prefix = format!("{}-run", desk.token);
    let mut marked = start("env -i sleep 600 & sleep 600", Some(&format!("{prefix}-001-1")));
    let mut recorded = start("sleep 600; :", None);
    let mut reused = start("exec sleep 600", None);
    let mut foreign = start("exec sleep 600", Some("someone-else"));
    std::thread::sleep(Duration::from_millis(200));
    let recorded_ids =
        [id_of(recorded.id()), ProcessId { started: id_of(reused.id()).started - 1, pid: reused.id() }];
    let killed = kill_leftovers(&prefix, &recorded_ids);
    assert!(killed >= 4, "{killed}");
    assert!(!is_alive(marked.id()) && !is_alive(recorded.id()));
    assert!(is_alive(reused.id()) && is_alive(foreign.id()));
    for child in [&mut marked, &mut recorded, &mut reused, &mut foreign] {
        child.kill().ok();
        child.wait().unwrap();
    }
}
