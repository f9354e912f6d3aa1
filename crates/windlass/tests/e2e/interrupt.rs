//! Ctrl-C: once stops cleanly, twice at once; nothing is lost either way.

use windlass_testkit::eventually;

use crate::world::{states, two_tasks};

/// Task `a` is done at once; `b` waits for a person who never comes.
const STUCK: &str = "[a]\nwrite a.sh echo a\n[b]\nwrite {home}/b-began yes\nwait-for {home}/never\n";

#[test]
fn once_stops_cleanly_and_the_next_run_goes_on() {
    let repo = two_tasks().agent(STUCK);
    let run = repo.start_run(&[]);
    eventually("b has begun", || repo.home().join("b-began").exists());
    run.interrupt();
    run.wait()
        .ends(130)
        .says("stopping cleanly; press Ctrl-C again to stop at once")
        .says("continues from here");
    assert_eq!(repo.left_behind(), []);
    assert_eq!(states(&repo), [("a".into(), "completed".into()), ("b".into(), "pending".into())]);
    repo.script(crate::world::HONEST);
    let again = repo.run(&[]).ends(0);
    assert!(!again.stdout.contains("a  by"), "what is done is not done again\n{again}");
    assert_eq!(repo.subjects("windlass/demo"), ["a: Say a", "b: Say b"]);
}

#[test]
fn closing_the_terminal_stops_cleanly_too() {
    let repo = two_tasks().agent(STUCK);
    let run = repo.start_run(&[]);
    eventually("b has begun", || repo.home().join("b-began").exists());
    run.hang_up();
    run.wait().ends(130);
    assert_eq!(repo.left_behind(), []);
}

#[test]
fn twice_stops_an_agent_that_does_not_listen() {
    let repo = two_tasks().agent(&STUCK.replace("wait-for", "ignore-term\nwait-for"));
    let run = repo.start_run(&[]);
    eventually("b has begun", || repo.home().join("b-began").exists());
    // The second start of an agent that has become deaf writes the file again; from then on it is deaf.
    eventually("b does not listen", || {
        repo.left_behind().iter().any(|left| left.command.contains("fake-agent") && is_deaf(left.pid))
    });
    run.interrupt();
    std::thread::sleep(std::time::Duration::from_millis(100));
    run.interrupt();
    run.wait().ends(130).says("stopping at once");
    assert_eq!(repo.left_behind(), []);
    repo.script(crate::world::HONEST);
    repo.run(&[]).ends(0);
}

/// Whether a process ignores the signal TERM.
fn is_deaf(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("SigIgn:")).unwrap_or("0");
    u64::from_str_radix(line.trim(), 16).unwrap_or(0) & (1 << 14) != 0
}
