//! Ways for a process to outlive its parent, and ways to end it: no process is left.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use windlass_engine::process::{CancelLevel, CancellationSignal, ProcessExit};
use windlass_engine::sandbox::{Needs, SandboxRung};
use windlass_testkit::{PlanTask, Running, TestRepo, eventually};

use crate::cell::Cell;

/// Ways to outlive one's parent. Each makes the file `formed` once it has taken form.
const SHAPES: [(&str, &str); 9] = [
    ("background", r"sh -c ': > formed; exec sleep 600' &"),
    ("silent", r"sh -c ': > formed; exec sleep 600' >/dev/null 2>&1 </dev/null &"),
    ("session", r"setsid sh -c ': > formed; exec sleep 600' &"),
    ("double-fork", r#"(setsid sh -c '(sh -c ": > formed; exec sleep 600" &)')"#),
    ("no-environment", r#"(setsid sh -c '(env -i sh -c ": > formed; exec sleep 600" &)')"#),
    ("own-session-no-environment", r"(env -i setsid sh -c ': > formed; exec sleep 600' &)"),
    ("nohup", r"nohup sh -c ': > formed; exec sleep 600' &"),
    ("deaf", r#"setsid sh -c 'trap "" TERM HUP INT; : > formed; while :; do sleep 1; done' &"#),
    ("breeder", r"setsid sh -c ': > formed; while :; do (env -i setsid sleep 600 &); sleep 0.02; done' &"),
];

const FORMED: &str = "while ! [ -e formed ]; do sleep 0.01; done";

/// How it ends.
#[derive(Debug, Clone, Copy)]
enum End {
    Itself,
    Timeout,
    Cancel,
    Panic,
}

/// The processes whose root or directory lies in a cell: a process inside has its work directory there, whatever else it
/// did to itself.
fn alive_in(dir: &Path) -> Vec<u32> {
    let mark = dir.file_name().unwrap().to_string_lossy().into_owned();
    let pids = fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let belongs = |pid: &u32| {
        let mounts = fs::read_to_string(format!("/proc/{pid}/mountinfo")).unwrap_or_default();
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let dead = stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']));
        mounts.contains(&mark) && !dead
    };
    pids.filter(belongs).collect()
}

fn none_alive(dir: &Path) -> Vec<u32> {
    let since = Instant::now();
    loop {
        let alive = alive_in(dir);
        if alive.is_empty() || since.elapsed() > Duration::from_secs(30) {
            return alive;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn one(rung: SandboxRung, shape: &str, end: End) -> Vec<u32> {
    let cell = Cell::new(rung);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let wait = if matches!(end, End::Itself) { "exit 5" } else { "sleep 600" };
    let mut inv = cell.invocation(&format!("{shape}\n{FORMED}; {wait}"));
    if matches!(end, End::Timeout) {
        inv.timeout = Duration::from_secs(2);
    }
    let (fence, needs, token) = (cell.fence(), Needs::default(), cell.token());
    let cancel = CancellationSignal::new();
    let signal = cancel.clone();
    let formed = cell.path("cache/slots/1/tree/formed");
    runtime.block_on(async {
        let running = tokio::spawn(async move { fence.run(inv, &needs, &token, signal, |_| {}).await });
        while !formed.exists() && !running.is_finished() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        match end {
            End::Itself => assert_eq!(running.await.unwrap().exit, ProcessExit::Code(5)),
            End::Timeout => assert!(matches!(running.await.unwrap().exit, ProcessExit::TimedOut(_))),
            End::Cancel => {
                cancel.raise(CancelLevel::Now);
                assert_eq!(running.await.unwrap().exit, ProcessExit::Cancelled);
            }
            // The task that awaited it unwinds: the future is dropped half-way.
            End::Panic => {
                running.abort();
                assert!(running.await.unwrap_err().is_cancelled());
            }
        }
    });
    none_alive(cell.dir.path())
}

fn matrix(rung: SandboxRung) {
    for end in [End::Itself, End::Timeout, End::Cancel, End::Panic] {
        for (name, shape) in SHAPES {
            assert_eq!(one(rung, shape, end), [0; 0], "{name} after {end:?}");
        }
    }
}

#[test]
fn nobody_is_left_in_bubblewrap() {
    matrix(SandboxRung::Bubblewrap);
}

#[test]
fn nobody_is_left_in_our_own_namespaces() {
    matrix(SandboxRung::Namespaces);
}

/// A run on a rung whose agent has left a process of this shape behind and goes on working.
fn begun(shape: &str, rung: &str) -> (TestRepo, Running) {
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"));
    let repo = repo.file("README.md", "hello\n").plan("p", &[PlanTask::shell("a")]).committed();
    let home = repo.home().display().to_string();
    let script = format!("cd {home}; {shape}\n{FORMED}; sleep 600");
    std::fs::write(repo.home().join("agent.sh"), script).unwrap();
    let agent = format!("cmd:bash {home}/agent.sh");
    let run = repo.start(&["run", "--sandbox", rung, "--agent", &agent, "--share", &home]);
    eventually("the agent has left somebody", || repo.home().join("formed").exists());
    (repo, run)
}

/// The whole program is killed in the middle: no code cleans up, and no process is left.
fn killed(rung: &str) {
    for (name, shape) in SHAPES {
        let (repo, run) = begun(shape, rung);
        assert!(alive_in(repo.top()).len() > 1, "{name}: somebody is there");
        run.kill();
        run.wait();
        assert_eq!(none_alive(repo.top()), [0; 0], "{name}");
    }
}

#[test]
fn nobody_is_left_in_bubblewrap_when_the_program_is_killed() {
    killed("bubblewrap");
}

#[test]
fn nobody_is_left_in_our_own_namespaces_when_the_program_is_killed() {
    killed("namespaces");
}

/// Where no namespace ends them, the watchdog ends every process that carries the mark of the run.
#[test]
fn nobody_with_our_mark_is_left_on_a_lower_rung_when_the_program_is_killed() {
    let marked = |name: &&str| !matches!(*name, "no-environment" | "own-session-no-environment" | "breeder");
    for (name, shape) in SHAPES.iter().filter(|(name, _)| marked(name)) {
        let (repo, run) = begun(shape, "landlock");
        assert!(repo.left_behind().len() > 1, "{name}: somebody is there");
        run.kill();
        run.wait();
        eventually("nobody is left", || repo.left_behind().is_empty());
    }
}
