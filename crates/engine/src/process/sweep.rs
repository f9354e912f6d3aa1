//! Ends every process of a command by looking at the process table until none is left.
//!
//! A process belongs to a command if it has its token, is in its session or group, was among its processes before, is
//! an orphan that no other command claims, or descends from one of these.

use std::collections::HashSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::containment::Containment;
use super::invocation::{Keeper, ProcessId, Token};
use super::registry::{self, Running};
use crate::platform::{ProcessInfo, ProcessTable, name_of, signal};

/// How long and in how many rounds killing is repeated before survivors are reported.
const GIVE_UP: Duration = Duration::from_secs(5);
const ROUNDS: u32 = 20;
/// The pause between two looks grows from the first to the second.
const FIRST_PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);
/// How many leftover processes are named.
const NAMED: usize = 8;

/// The command whose processes are ended.
#[derive(Debug, Clone)]
pub(super) struct SweepTarget {
    pub(super) token: Token,
    pub(super) main: ProcessId,
    pub(super) keeper: Keeper,
}

/// What a sweep did.
#[derive(Debug, Default)]
pub(super) struct Swept {
    /// Processes other than the main one that were alive.
    pub(super) survivors: usize,
    /// The names of processes that were running when the patience was over.
    pub(super) left: Vec<String>,
    pub(super) still_alive: Vec<ProcessId>,
}

/// How long processes may take to end.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pace {
    /// To end on their own, before they count as left behind.
    pub(super) patience: Duration,
    /// To end when asked.
    pub(super) grace: Duration,
}

/// Ends everything that belongs to the target: waits, then terminates and waits again unless `hurry` says otherwise,
/// then kills.
pub(super) fn sweep(target: &SweepTarget, pace: Pace, hurry: &dyn Fn() -> bool) -> Swept {
    let mut seen = HashSet::new();
    let left = wait_for(target, pace.patience, &mut seen, hurry);
    let swept = end(target, pace.grace, &mut seen, hurry);
    Swept { left, ..swept }
}

/// Waits for processes that end on their own; returns the names of the others.
fn wait_for(
    target: &SweepTarget,
    patience: Duration,
    seen: &mut HashSet<ProcessId>,
    hurry: &dyn Fn() -> bool,
) -> Vec<String> {
    if patience.is_zero() {
        return Vec::new();
    }
    let mut pause = FIRST_PAUSE;
    let since = Instant::now();
    loop {
        let alive = look(target, seen);
        if alive.is_empty() || hurry() {
            return Vec::new();
        }
        if since.elapsed() >= patience {
            return alive.iter().take(NAMED).map(|id| name_of(id.pid)).collect();
        }
        sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

fn end(
    target: &SweepTarget,
    grace: Duration,
    seen: &mut HashSet<ProcessId>,
    hurry: &dyn Fn() -> bool,
) -> Swept {
    let mut pause = FIRST_PAUSE;
    let asked = Instant::now();
    while !hurry() && asked.elapsed() < grace {
        let alive = look(target, seen);
        if alive.is_empty() {
            return swept(target, seen, Vec::new());
        }
        if pause == FIRST_PAUSE {
            let asked = |id: &&ProcessId| target.keeper == Keeper::Becomes || **id != target.main;
            signal_all(alive.iter().filter(asked), Signal::TERM);
        }
        sleep(pause.min(grace));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
    pause = FIRST_PAUSE;
    let killing = Instant::now();
    let mut round = 0;
    loop {
        let alive = look(target, seen);
        if alive.is_empty() || (round >= ROUNDS && killing.elapsed() > GIVE_UP) {
            return swept(target, seen, alive);
        }
        round += 1;
        signal_all(alive.iter(), Signal::KILL);
        sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

fn signal_all<'a>(ids: impl Iterator<Item = &'a ProcessId>, kind: Signal) {
    for id in ids {
        signal(*id, kind);
    }
}

fn swept(target: &SweepTarget, seen: &HashSet<ProcessId>, still_alive: Vec<ProcessId>) -> Swept {
    let survivors = seen.iter().filter(|id| **id != target.main).count();
    Swept { survivors, left: Vec::new(), still_alive }
}

/// The living processes of the target. Also reaps dead orphans.
fn look(target: &SweepTarget, seen: &mut HashSet<ProcessId>) -> Vec<ProcessId> {
    // In this order: see `Running::now`.
    let table = ProcessTable::read();
    let running = Running::now();
    let us = std::process::id();
    let our_session = table.get(us).map(|entry| entry.session);
    // Processes in our own session were started for other reasons and are waited for elsewhere.
    let adopted = |e: &&ProcessInfo| e.zombie && e.parent == us && Some(e.session) != our_session;
    registry::reap(table.iter().filter(adopted).map(|entry| entry.id.pid));

    let scan = TableScan { table: &table, running: &running, target, us, our_session };
    let roots = table.iter().filter(|e| seen.contains(&e.id) || scan.belongs(e)).map(|e| e.id.pid).collect();
    let members = table.with_descendants(roots);
    let alive =
        members.iter().filter_map(|pid| table.get(*pid)).filter(|e| !e.zombie && !scan.is_elsewhere(e));
    let alive: Vec<ProcessId> = alive.map(|entry| entry.id).collect();
    seen.extend(&alive);
    alive
}

/// One look at the process table with what is needed to judge an entry.
struct TableScan<'a> {
    table: &'a ProcessTable,
    running: &'a Running,
    target: &'a SweepTarget,
    us: u32,
    our_session: Option<u32>,
}

impl TableScan<'_> {
    /// This process, or another running command.
    fn is_elsewhere(&self, entry: &ProcessInfo) -> bool {
        let main = self.target.main.pid;
        let another = |pid: u32| pid != main && self.running.is_main(pid);
        entry.id.pid == self.us || another(entry.id.pid) || another(entry.session)
    }

    fn belongs(&self, entry: &ProcessInfo) -> bool {
        if entry.zombie || self.is_elsewhere(entry) {
            return false;
        }
        if entry.id == self.target.main || self.is_in_session(entry) {
            return true;
        }
        // A process older than the command was not started by it.
        let may_be = entry.id.started >= self.target.main.started;
        may_be && entry.token() == Some(self.target.token.as_str()) || self.is_stray(entry)
    }

    /// In the main process's session or group, if the number still means that process.
    fn is_in_session(&self, entry: &ProcessInfo) -> bool {
        let main = self.target.main;
        let reused = self.table.get(main.pid).is_some_and(|now| now.id != main);
        !reused && entry.id.started >= main.started && (entry.session == main.pid || entry.group == main.pid)
    }

    /// An adopted orphan that belongs to no running command. Commands have their own sessions, so processes in ours do
    /// not count.
    fn is_stray(&self, entry: &ProcessInfo) -> bool {
        let adopted = entry.parent == self.us && Some(entry.session) != self.our_session;
        let claimed = entry.token().is_some_and(|token| self.running.is_live(token));
        adopted && !claimed && Containment::establish() == Containment::Subreaper
    }
}
