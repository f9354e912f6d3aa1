//! The machine's processes as `/proc` shows them at one moment.
//!
//! Knows numbers, parents, sessions and tokens; decides nothing.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use crate::process::{ProcessId, Token};

/// One process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProcessInfo {
    pub(crate) id: ProcessId,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    pub(crate) session: u32,
    /// Dead, waiting to be reaped by its parent.
    pub(crate) zombie: bool,
    token: OnceLock<Option<String>>,
}

impl ProcessInfo {
    /// The token in its environment; `None` if it has none or cannot be read. Read on first use: most processes are
    /// never asked for it.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.get_or_init(|| token_of(self.id.pid)).as_deref()
    }
}

/// All processes by number.
#[derive(Debug, Default)]
pub(crate) struct ProcessTable {
    entries: HashMap<u32, ProcessInfo>,
}

/// The last reading and when it began.
static LAST: Mutex<Option<(Instant, Arc<ProcessTable>)>> = Mutex::new(None);

impl ProcessTable {
    /// A table that was read after this call began. Concurrent callers share one reading, which is expensive when there
    /// are many processes.
    pub(crate) fn read() -> Arc<Self> {
        let asked = Instant::now();
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((began, table)) = last.as_ref()
            && *began >= asked
        {
            return Arc::clone(table);
        }
        let began = Instant::now();
        let table = Arc::new(Self::read_now());
        *last = Some((began, Arc::clone(&table)));
        table
    }

    /// Reads the table; a process that ends meanwhile is left out.
    fn read_now() -> Self {
        let mut entries = HashMap::new();
        for item in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let pid = item.file_name().to_str().and_then(|name| name.parse().ok());
            if let Some(entry) = pid.and_then(read_entry) {
                entries.insert(entry.id.pid, entry);
            }
        }
        Self { entries }
    }

    pub(crate) fn get(&self, pid: u32) -> Option<&ProcessInfo> {
        self.entries.get(&pid)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &ProcessInfo> {
        self.entries.values()
    }

    /// Adds to a set of processes everything below them.
    pub(crate) fn with_descendants(&self, roots: HashSet<u32>) -> HashSet<u32> {
        let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
        for entry in self.entries.values() {
            children.entry(entry.parent).or_default().push(entry.id.pid);
        }
        let mut found = roots.clone();
        let mut pending: Vec<u32> = roots.into_iter().collect();
        while let Some(pid) = pending.pop() {
            for child in children.get(&pid).into_iter().flatten() {
                if found.insert(*child) {
                    pending.push(*child);
                }
            }
        }
        found
    }

    /// A process and everything above it.
    pub(crate) fn with_ancestors(&self, pid: u32) -> HashSet<u32> {
        let mut found = HashSet::from([pid]);
        let mut here = pid;
        while let Some(entry) = self.entries.get(&here) {
            here = entry.parent;
            if !found.insert(here) {
                break;
            }
        }
        found
    }
}

/// The identity of a running process.
pub(crate) fn identify(pid: u32) -> Option<ProcessId> {
    read_entry(pid).map(|entry| entry.id)
}

/// A process's name, which it may have chosen itself: without anything a terminal could stumble over.
pub(crate) fn name_of(pid: u32) -> String {
    let bytes = fs::read(format!("/proc/{pid}/comm")).unwrap_or_default();
    let plain = |c: char| if c.is_alphanumeric() || "._-+:/@".contains(c) { c } else { '_' };
    String::from_utf8_lossy(&bytes).trim_end().chars().map(plain).collect()
}

/// Whether this very process runs; the start time tells it from a later one with the same number. 0 stands for a start time
/// that is not known.
pub fn is_alive(process: ProcessId) -> bool {
    if let Some(entry) = read_entry(process.pid) {
        return process.started == 0 || entry.id.started == process.started;
    }
    // Without `/proc` only the number can be asked for.
    let pid = i32::try_from(process.pid).ok().and_then(rustix::process::Pid::from_raw);
    !exists(std::process::id()) && pid.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok())
}

/// The number of this process's pid namespace; 0 where there are none.
pub(crate) fn pid_namespace() -> u64 {
    static NAMESPACE: OnceLock<u64> = OnceLock::new();
    *NAMESPACE.get_or_init(|| fs::metadata("/proc/self/ns/pid").map_or(0, |about| about.ino()))
}

/// Whether a process with this number exists.
pub(crate) fn exists(pid: u32) -> bool {
    std::path::Path::new(&format!("/proc/{pid}")).exists()
}

fn token_of(pid: u32) -> Option<String> {
    let environ = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let name = Token::VARIABLE.as_bytes();
    let value = environ.split(|b| *b == 0).find_map(|pair| pair.strip_prefix(name)?.strip_prefix(b"="))?;
    String::from_utf8(value.to_vec()).ok()
}

fn read_entry(pid: u32) -> Option<ProcessInfo> {
    parse_stat(pid, &fs::read(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads `pid (name) state ppid pgrp session …`; the name may hold anything, so the last `)` counts.
fn parse_stat(pid: u32, stat: &[u8]) -> Option<ProcessInfo> {
    let after_name = stat.iter().rposition(|b| *b == b')')? + 1;
    let rest = std::str::from_utf8(&stat[after_name..]).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u32>().ok());
    Some(ProcessInfo {
        id: ProcessId { pid, started: fields.get(19)?.parse().ok()? },
        parent: number(1)?,
        group: number(2)?,
        session: number(3)?,
        zombie: matches!(*fields.first()?, "Z" | "X" | "x"),
        token: OnceLock::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_process_name_does_not_confuse_the_reader() {
        let stat = b"7 (a) Z 1 (b) S 3 4 5 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 12345 0";
        let entry = parse_stat(7, stat).unwrap();
        assert_eq!((entry.parent, entry.group, entry.session, entry.zombie), (3, 4, 5, false));
        assert_eq!(entry.id, ProcessId { pid: 7, started: 12345 });
        assert_eq!(parse_stat(7, b"7 (x"), None);
    }

    #[test]
    fn a_process_is_known_by_its_number_and_its_start() {
        let own = identify(std::process::id()).unwrap();
        assert!(is_alive(own) && is_alive(ProcessId { started: 0, ..own }));
        assert!(!is_alive(ProcessId { started: 1, ..own }), "nothing but init started at tick 1");
        assert!(!is_alive(ProcessId { pid: u32::MAX, started: 0 }));
        assert_ne!(pid_namespace(), 0);
    }

    /// A table of processes by number, parent and start time.
    fn table(processes: &[(u32, u32, u64)]) -> ProcessTable {
        let entry = |(pid, parent, started): &(u32, u32, u64)| {
            let id = ProcessId { pid: *pid, started: *started };
            let info = ProcessInfo {
                id,
                parent: *parent,
                group: *pid,
                session: 1,
                zombie: false,
                token: OnceLock::new(),
            };
            (*pid, info)
        };
        ProcessTable { entries: processes.iter().map(entry).collect() }
    }

    #[test]
    fn descendants_and_ancestors_are_followed_to_the_end() {
        let table = table(&[(1, 0, 0), (2, 1, 1), (3, 2, 2), (4, 3, 3), (5, 1, 4)]);
        assert_eq!(table.with_descendants(HashSet::from([2])), HashSet::from([2, 3, 4]));
        assert_eq!(table.with_descendants(HashSet::from([5, 9])), HashSet::from([5, 9]));
        assert_eq!(table.with_ancestors(4), HashSet::from([4, 3, 2, 1, 0]));
        // Numbers are read one after the other: a reused one may close a circle.
        let circle = self::table(&[(2, 3, 0), (3, 2, 0)]);
        assert_eq!(circle.with_ancestors(2), HashSet::from([2, 3]));
        assert_eq!(circle.with_descendants(HashSet::from([2])), HashSet::from([2, 3]));
    }

    #[test]
    fn states_of_the_dead_are_known() {
        for (state, dead) in
            [("R", false), ("S", false), ("D", false), ("T", false), ("Z", true), ("X", true), ("x", true)]
        {
            let stat = format!("7 (a) {state} 3 4 5 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 12345 0");
            assert_eq!(parse_stat(7, stat.as_bytes()).unwrap().zombie, dead, "{state}");
        }
    }

    #[test]
    fn a_process_exists_by_its_number() {
        assert!(exists(std::process::id()) && !exists(u32::MAX));
    }
}
