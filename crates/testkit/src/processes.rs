//! What is still alive of the processes a run started.

use std::fs;

/// A process that outlived what started it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Its number.
    pub pid: u32,
    /// Its command line.
    pub command: String,
}

/// The living processes of which some environment variable contains this text. Every test has a directory of its own, so
/// its name tells the processes of one test from all others on the machine.
pub fn left_behind(mark: &str) -> Vec<Left> {
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| *pid != std::process::id() && has(*pid, mark) && !is_dead(*pid))
        .map(|pid| Left { pid, command: command_of(pid) })
        .collect()
}

fn has(pid: u32, mark: &str) -> bool {
    let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environ.windows(mark.len()).any(|w| w == mark.as_bytes())
}

fn is_dead(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']))
}

fn command_of(pid: u32) -> String {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_living_process_is_seen_and_a_dead_one_is_not() {
        let mark = "a-mark-of-this-test";
        let mut child = std::process::Command::new("sleep").arg("30").env("MARK", mark).spawn().unwrap();
        // A process that was just started shows its environment a moment later.
        crate::eventually("it is seen", || {
            left_behind(mark) == [Left { pid: child.id(), command: "sleep 30".into() }]
        });
        child.kill().unwrap();
        crate::eventually("it is dead", || left_behind(mark).is_empty());
        child.wait().unwrap();
    }
}
