//! Figures of the terminal interface for docs/benchmarks.md:
//! `cargo nextest run -p windlass --test web --run-ignored only terminal_figures --no-capture`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use windlass_core::event::{Event, TaskEvent, TurnProgress};
use windlass_core::ids::AttemptNo;
use windlass_testkit::{PlanTask, TestRepo};

use crate::journal::{WrittenJournal, id, sealed};
use crate::live::PATIENT;
use crate::served::Served;
use crate::tmux::TmuxPane;

const PROGRAM: &str = env!("CARGO_BIN_EXE_windlass");
const AGENTS: usize = 200;

fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// A plan of four hundred tasks with two hundred agents at work.
fn crowd(repo: &TestRepo) -> WrittenJournal {
    let phase = |n: usize| format!("phase-{}", n / 50);
    let task = |n: usize| sealed(&id(n), &format!("Carry out part number {n}"), Vec::new(), &[&phase(n)]);
    let mut journal = WrittenJournal::begin(repo, (0..2 * AGENTS).map(task).collect());
    let events: Vec<Event> = (0..AGENTS).flat_map(|n| journal.started(&id(n), 1)).collect();
    journal.write(&events);
    journal
}

fn beat(n: usize, tool: &str) -> Event {
    let progress = TurnProgress { tool: Some(tool.to_owned()), ..TurnProgress::default() };
    TaskEvent::Heartbeat { attempt: AttemptNo(1), bytes: 4096, progress: Some(progress) }.of(id(n))
}

/// Seconds of processor time and megabytes of memory of a process and its children.
fn used(pid: u32) -> (f64, f64) {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<f64> =
        stat.rsplit(") ").next().unwrap().split(' ').map(|f| f.parse().unwrap_or(0.0)).collect();
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let rss = status.lines().find_map(|l| l.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
    ((fields[11] + fields[12]) / 100.0, rss.unwrap_or(0.0) / 1024.0)
}

#[test]
#[ignore = "a measurement, not a test: it asserts nothing"]
fn terminal_figures() {
    let repo = TestRepo::new(PROGRAM).file("README.md", "x\n").committed();
    let mut journal = crowd(&repo);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap();
    tell(&format!("load: {}", load.trim()));
    let pane = TmuxPane::open(&repo, 120, 40, &format!("exec {PROGRAM} ui"));
    pane.until("200 at work");
    latency(&repo, &pane, &mut journal);
    // Each agent reports every two seconds, as a busy one does: a hundred events a second.
    let (began, before) = (Instant::now(), used(pane.pid()));
    let mut n = 0;
    while began.elapsed() < Duration::from_secs(20) {
        let events: Vec<Event> = (0..10).map(|k| beat((n + k) % AGENTS, &format!("Bash step {n}"))).collect();
        journal.write(&events);
        n += 10;
        thread::sleep(Duration::from_millis(100));
    }
    let after = used(pane.pid());
    let share = (after.0 - before.0) / began.elapsed().as_secs_f64() * 100.0;
    tell(&format!("200 agents, {n} events in 20 s: {share:.1} % of a core, {:.1} MB", after.1));
    let before = used(pane.pid());
    thread::sleep(Duration::from_secs(10));
    let idle = (used(pane.pid()).0 - before.0) * 10.0;
    tell(&format!("200 agents, nothing happens: {idle:.1} % of a core"));
}

/// Megabytes that all processes of this program use together, shared pages counted once, and how many there are.
fn whole_program() -> (f64, usize) {
    let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    // The helper of an agent sees the program under another name.
    let names = [Path::new(PROGRAM), Path::new("/windlass/confine")];
    let is_own =
        |dir: &PathBuf| std::fs::read_link(dir.join("exe")).is_ok_and(|exe| names.contains(&exe.as_path()));
    let own = processes.filter(is_own);
    let share = |dir: PathBuf| {
        let rollup = std::fs::read_to_string(dir.join("smaps_rollup")).ok()?;
        rollup.lines().find_map(|l| l.strip_prefix("Pss:")?.trim().strip_suffix(" kB")?.parse::<f64>().ok())
    };
    let all: Vec<f64> = own.filter_map(share).collect();
    (all.iter().sum::<f64>() / 1024.0, all.len())
}

#[test]
#[ignore = "a measurement, not a test: it asserts nothing"]
fn memory_figures() {
    let tasks: Vec<PlanTask> = (0..AGENTS).map(|n| PlanTask::shell(&format!("t{n:03}"))).collect();
    let repo =
        TestRepo::new(PROGRAM).file("README.md", "x\n").plan("demo", &tasks).committed().agent(PATIENT);
    let run = repo.start_run(&["--jobs", &AGENTS.to_string()]);
    let began = |n: usize| repo.home().join(format!("t{n:03}-began")).exists();
    let since = Instant::now();
    while (0..AGENTS).filter(|n| began(*n)).count() < AGENTS && since.elapsed() < Duration::from_mins(8) {
        thread::sleep(Duration::from_millis(500));
    }
    let at_work = (0..AGENTS).filter(|n| began(*n)).count();
    let alone = whole_program();
    let pane = TmuxPane::open(&repo, 120, 40, &format!("exec {PROGRAM} ui"));
    pane.until("at work");
    let mut served = Served::start(&repo);
    let browser = served.browser(1280, 800);
    browser.until_read("At work");
    let watching = TmuxPane::open(&repo, 121, 40, &format!("exec {PROGRAM} status --watch"));
    watching.until("t000");
    thread::sleep(Duration::from_secs(3));
    let (all, n) = whole_program();
    tell(&format!(
        "{at_work} agents at work: {:.0} MB in {} processes alone, {all:.0} MB in {n} with three viewers",
        alone.0, alone.1
    ));
    served.stop();
    run.interrupt();
    run.wait();
}

/// The time from writing an event to the bytes that draw it: tmux pipes what the program writes to a program that notes the
/// time of each piece.
fn latency(repo: &TestRepo, pane: &TmuxPane<'_>, journal: &mut WrittenJournal) {
    let log = repo.top().join("drawn");
    let noting = format!(
        "perl -e 'use Time::HiRes qw(time); $|=1; open F, q(>), q({}); select F; $|=1; while (sysread STDIN, $b, 65536) {{ printf qq(%.1f %s\\n), time*1000, $b =~ s/[^ -~]+/ /gr }}'",
        log.display()
    );
    pane.pipe(&noting);
    thread::sleep(Duration::from_millis(500));
    let mut late = Vec::new();
    for n in 0..41_u8 {
        // Only cells that differ are drawn, so that every letter of the word is another one than before.
        let word = char::from(if n < 26 { b'a' + n } else { b'A' + n - 26 }).to_string().repeat(7);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64() * 1000.0;
        journal.write(&[beat(0, &word)]);
        thread::sleep(Duration::from_millis(231));
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        let pieces = text.lines().filter_map(|line| line.split_once(' '));
        let at = pieces.filter(|(_, drawn)| drawn.contains(&word)).find_map(|(at, _)| at.parse::<f64>().ok());
        late.extend(at.map(|at| at - since));
    }
    late.sort_by(f64::total_cmp);
    let last = late.len().saturating_sub(1);
    tell(&format!(
        "{} events: in the terminal after {:.0} ms (median), {:.0} ms (worst)",
        late.len(),
        late[last / 2],
        late[last]
    ));
}
