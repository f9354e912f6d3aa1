//! Ends what a killed coordinator left behind.

use std::collections::HashSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::invocation::ProcessId;
use crate::platform::{ProcessInfo, ProcessTable, signal};

const GIVE_UP: Duration = Duration::from_secs(5);

/// Kills what an earlier run left behind: recorded processes that still are the same, their sessions, every process of
/// this user whose token starts with `token_prefix`, and all descendants. Returns how many. The prefix must belong to
/// this repository alone. This process and its ancestors are spared: Windlass may itself run inside an attempt.
pub fn kill_leftovers(token_prefix: &str, recorded: &[ProcessId]) -> usize {
    kill_all(&|| look(token_prefix, recorded))
}

fn kill_all(look: &dyn Fn() -> Vec<ProcessId>) -> usize {
    let mut killed = HashSet::new();
    let started = Instant::now();
    loop {
        let alive = look();
        if alive.is_empty() || started.elapsed() > GIVE_UP {
            return killed.len() - alive.len();
        }
        for id in alive {
            signal(id, Signal::KILL);
            killed.insert(id);
        }
        sleep(Duration::from_millis(10));
    }
}

fn look(token_prefix: &str, recorded: &[ProcessId]) -> Vec<ProcessId> {
    let table = ProcessTable::read();
    let spared = table.with_ancestors(std::process::id());
    // A session outlives its leader, and its number is not reused meanwhile.
    let leads = |session: u32, started: u64| {
        let leader = recorded.iter().find(|id| id.pid == session);
        leader.is_some_and(|id| started >= id.started && table.get(session).is_none_or(|now| now.id == *id))
    };
    let is_root = |e: &&ProcessInfo| {
        let marked = e.token().is_some_and(|token| token.starts_with(token_prefix));
        recorded.contains(&e.id) || leads(e.session, e.id.started) || (marked && !token_prefix.is_empty())
    };
    let roots = table.iter().filter(|e| !spared.contains(&e.id.pid)).filter(is_root);
    let members = table.with_descendants(roots.map(|entry| entry.id.pid).collect());
    let alive = members.iter().filter(|pid| !spared.contains(pid)).filter_map(|pid| table.get(*pid));
    alive.filter(|entry| !entry.zombie).map(|entry| entry.id).collect()
}
