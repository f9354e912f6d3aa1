//! The first process inside a sandbox: starts the command, reaps orphans, watches shared limits, and reports what was
//! left when the command ended.
//!
//! Processes inside cannot end, stop or trace it: the kernel blocks their signals to the first process, and it is not
//! dumpable. It reports when no other process is alive.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{DumpableBehavior, Pid, Signal, WaitOptions, kill_process_group, wait};

use super::{INSIDE, Never, failed};
use crate::platform::confine::keeper_report::KeeperReport;
use crate::platform::confine::spec::FinalSteps;
use crate::platform::confine::spec::HELPER;
use crate::platform::name_of;
use crate::process::LimitHit;
use crate::sandbox::ResourceLimits;

/// The interval of the limit checks.
const WATCH: Duration = Duration::from_millis(200);
/// The pauses between two looks at the remaining processes.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);
/// How long killed processes may take to disappear.
const GIVE_UP: Duration = Duration::from_secs(5);
/// How many leftover processes are named.
const NAMED: usize = 8;

/// Reads what to start and keeps it.
pub(super) fn main(text: impl FnOnce() -> String) -> Never {
    let last: FinalSteps = serde_json::from_str(&text()).map_err(failed("read the specification"))?;
    keep(&last)
}

/// Starts the command and ends with it.
pub(super) fn keep(last: &FinalSteps) -> Never {
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .map_err(failed("hide its memory from other processes"))?;
    let over = Arc::new(OnceLock::new());
    if let Some(relay) = &last.relay {
        super::relay::start(relay)?;
    }
    watch(last.limits, &over);
    let status = run(last).map_err(failed("start the last steps"))?;
    let left = settled(Duration::from_millis(last.settle_millis));
    clear();
    let kept = KeeperReport { left, over: over.get().copied() };
    if kept != KeeperReport::default() {
        kept.write(&last.kept).map_err(failed("write the report"))?;
    }
    std::process::exit(code_of(status))
}

/// Starts the command and reaps orphans until it ends.
fn run(last: &FinalSteps) -> std::io::Result<ExitStatus> {
    let text = serde_json::to_string(last)?;
    let main = Command::new(HELPER).arg(INSIDE).arg(text).spawn()?.id();
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid.as_raw_nonzero().get().cast_unsigned() == main => {
                return Ok(ExitStatus::from_raw(status.as_raw()));
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Waits for processes that are about to end; returns the names of the others.
fn settled(patience: Duration) -> Vec<String> {
    let since = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        reap();
        let left: Vec<u32> = others().collect();
        if left.is_empty() {
            return Vec::new();
        }
        if since.elapsed() >= patience {
            // Without patience, leftovers are not reported.
            let asked = if patience.is_zero() { 0 } else { NAMED };
            return left.iter().take(asked).map(|pid| name_of(*pid)).collect();
        }
        sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Kills every other process and waits until all are gone.
fn clear() {
    let since = Instant::now();
    while others().next().is_some() && since.elapsed() < GIVE_UP {
        end_all();
        reap();
        sleep(FIRST_PAUSE);
    }
}

/// Kills every other process of the namespace.
fn end_all() {
    // For the first process of a namespace, its group means every process.
    let _ = kill_process_group(Pid::INIT, Signal::KILL);
}

fn reap() {
    while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
}

/// All other living processes.
fn others() -> impl Iterator<Item = u32> {
    let me = std::process::id();
    let pids = fs::read_dir("/proc").into_iter().flatten().flatten();
    pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(move |pid| *pid != me && is_alive(*pid))
}

fn is_alive(pid: u32) -> bool {
    let state = stat(pid).and_then(|fields| fields.chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X' | 'x'))
}

/// What the kernel says of a process, after its name.
fn stat(pid: u32) -> Option<String> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let after = stat.iter().rposition(|b| *b == b')')? + 2;
    String::from_utf8(stat.get(after..)?.to_vec()).ok()
}

/// Polls the shared limits and kills all processes when one is exceeded.
fn watch(limits: ResourceLimits, over: &Arc<OnceLock<LimitHit>>) {
    if limits.processes == 0 && limits.total_memory == 0 {
        return;
    }
    let over = Arc::clone(over);
    std::thread::spawn(move || {
        loop {
            sleep(WATCH);
            if let Some(found) = limits.exceeded(used()) {
                let _ = over.set(found);
                end_all();
            }
        }
    });
}

/// How many threads there are, and how many bytes of memory are theirs alone.
fn used() -> (u64, u64) {
    let mut sum = (0, 0);
    for pid in others() {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0)
        };
        sum.0 += number("Threads:");
        sum.1 += number("RssAnon:") << 10;
    }
    sum
}

/// The code by which a shell tells how a command ended.
pub(super) fn code_of(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}
