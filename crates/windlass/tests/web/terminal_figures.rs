//! Figures of the terminal interface for docs/benchmarks.md:
//! `cargo nextest run -p windlass --test web --run-ignored only terminal_figures --no-capture`.

use std::io::Write as _;
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

/// The program that is measured: the tests' own build, or another one.
fn measured() -> String {
    std::env::var("WINDLASS_PROGRAM").unwrap_or_else(|_| PROGRAM.to_owned())
}

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
    let program = measured();
    let repo = TestRepo::new(&program).file("README.md", "x\n").committed();
    let mut journal = crowd(&repo);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap();
    tell(&format!("load: {}", load.trim()));
    let pane = TmuxPane::open(&repo, 120, 40, &format!("exec {program} ui"));
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

/// Megabytes by kind of process. A page that several processes share counts as its part for each (PSS), so the sum counts
/// everything once.
#[derive(Default)]
struct ProgramMemory {
    /// The coordinator and the viewers.
    own: f64,
    /// The helpers beside agents.
    helpers: f64,
    /// Bubblewrap, which Windlass starts.
    bubblewrap: f64,
    processes: usize,
    /// Processes that may not be looked at: helpers show nothing to other users than root.
    unread: usize,
}

impl ProgramMemory {
    /// Of everything below this test and below these processes.
    fn below(roots: &[u32]) -> Self {
        let mut sum = Self::default();
        for pid in descendants(roots) {
            let exe = std::fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
            let name = exe.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
            let pss = rollup.lines().find_map(|l| l.strip_prefix("Pss:")?.trim().strip_suffix(" kB"));
            let share = pss.and_then(|pss| pss.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0;
            match name.as_str() {
                "windlass" => sum.own += share,
                "windlass-confine" | "confine" => sum.helpers += share,
                "bwrap" => sum.bubblewrap += share,
                "" => sum.unread += 1,
                _ => continue,
            }
            sum.processes += 1;
        }
        sum
    }
}

impl std::fmt::Display for ProgramMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = self.own + self.helpers + self.bubblewrap;
        write!(f, "{all:.0} MB ({:.0} windlass, {:.0} helpers, ", self.own, self.helpers)?;
        write!(f, "{:.0} bubblewrap; {} processes, {} unread)", self.bubblewrap, self.processes, self.unread)
    }
}

/// The processes below this test and below others, which are among them.
fn descendants(roots: &[u32]) -> Vec<u32> {
    let pids = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parent = |pid: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
    };
    let parents: Vec<(u32, u32)> = pids.filter_map(|pid| Some((pid, parent(pid)?))).collect();
    let mut found: Vec<u32> = roots.iter().copied().chain([std::process::id()]).collect();
    let mut at = 0;
    while let Some(above) = found.get(at).copied() {
        found.extend(parents.iter().filter(|(_, parent)| *parent == above).map(|(pid, _)| *pid));
        at += 1;
    }
    found
}

#[test]
#[ignore = "a measurement, not a test: it asserts nothing"]
fn memory_figures() {
    let program = measured();
    let tasks: Vec<PlanTask> = (0..AGENTS).map(|n| PlanTask::shell(&format!("t{n:03}"))).collect();
    let repo =
        TestRepo::new(&program).file("README.md", "x\n").plan("demo", &tasks).committed().agent(PATIENT);
    let run = repo.start_run(&["--jobs", &AGENTS.to_string()]);
    let began = |n: usize| repo.home().join(format!("t{n:03}-began")).exists();
    let since = Instant::now();
    while (0..AGENTS).filter(|n| began(*n)).count() < AGENTS && since.elapsed() < Duration::from_mins(8) {
        thread::sleep(Duration::from_millis(500));
    }
    let at_work = (0..AGENTS).filter(|n| began(*n)).count();
    let alone = ProgramMemory::below(&[]);
    let pane = TmuxPane::open(&repo, 120, 40, &format!("exec {program} ui"));
    pane.until("at work");
    let mut served = Served::start(&repo);
    let browser = served.browser(1280, 800);
    browser.until_read("At work");
    let watching = TmuxPane::open(&repo, 121, 40, &format!("exec {program} status --watch"));
    // The first rows may have left the screen.
    watching.until("in progress");
    thread::sleep(Duration::from_secs(3));
    let all = ProgramMemory::below(&[pane.pid(), watching.pid()]);
    tell(&format!("{at_work} agents at work: {alone} alone, {all} with three viewers"));
    served.stop();
    run.interrupt();
    run.wait();
}

/// The time from writing an event to the bytes that draw it: tmux pipes what the program writes to a program that notes the
/// time of each piece.
fn latency(repo: &TestRepo, pane: &TmuxPane<'_>, journal: &mut WrittenJournal) {
    let log = repo.top().join("drawn");
    // tmux reads a per cent sign as part of a time.
    let noting = format!(
        "perl -e 'use Time::HiRes qw(time); $|=1; open F, q(>), q({}); select F; $|=1; while (sysread STDIN, $b, 65536) {{ printf qq(%%.1f %%s\\n), time*1000, $b =~ s/[^ -~]+/ /gr }}'",
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
