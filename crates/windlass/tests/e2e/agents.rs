//! Agents that do what agents do: flood, wander off, die, leave things behind.

use std::time::Duration;

use windlass_testkit::{TestRepo, eventually};

use crate::world::{HONEST, STRICT, evidence, one_task, state, users_own};

/// One task, one try.
fn strict(script: &str) -> TestRepo {
    one_task().file("windlass.toml", STRICT).agent(script)
}

/// Runs a repository in which the only try must fail, and gives what the person reads.
#[track_caller]
fn refused(repo: &TestRepo) -> String {
    let before = users_own(repo);
    let run = repo.run(&[]).ends(1);
    assert_eq!(users_own(repo), before);
    assert_eq!(state(repo, "a"), "failed");
    assert_eq!(repo.left_behind(), []);
    assert_eq!(repo.subjects("windlass/demo"), [""; 0]);
    run.stdout.lines().find(|l| l.starts_with('✘')).unwrap_or_default().to_owned()
}

#[test]
fn output_without_end_is_cut_and_the_work_still_counts() {
    let repo = strict("flood 300M\nlong-line 12M\nwrite a.sh echo a\n");
    repo.run(&[]).ends(0);
    let logs = repo.windlass(&["logs", "a"]).ends(0);
    assert!(logs.stdout.len() < 20 << 20, "{} bytes were kept", logs.stdout.len());
    assert!(disk_use(&repo) < 40 << 20, "{} bytes of state", disk_use(&repo));
}

/// The size of everything Windlass keeps.
fn disk_use(repo: &TestRepo) -> u64 {
    let out = repo.command("du").args(["-sb", ".git/windlass"]).output().unwrap();
    String::from_utf8_lossy(&out.stdout).split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn a_file_beyond_all_measure_is_refused() {
    let said = refused(&strict("write a.sh echo a\nfill huge.bin 300M\n"));
    assert!(said.contains("huge.bin"), "{said}");
}

#[test]
fn what_is_outside_the_task_is_left_out_and_kept() {
    let repo = strict("write a.sh echo a\nwrite README.md mine\nwrite other.txt mine\n");
    let run = repo.run(&[]).ends(0);
    let told = "left out of the candidate (out-of-scope): `README.md`, `other.txt`";
    assert!(run.stdout.contains(told), "{run}");
    let changed = repo.git(&["diff", "--name-only", "HEAD", "windlass/demo"]);
    assert_eq!(changed, "a.sh\ntests/a_test.sh", "nothing else is in the branch");
    assert_eq!(
        repo.git(&["show", "refs/windlass/demo/a/1/implement:other.txt"]),
        "mine",
        "agent work is never deleted"
    );
}

#[test]
fn what_is_outside_the_slot_changes_nothing_that_is_verified() {
    let repo = one_task();
    // Next to the slot, in the user's own checkout: without a sandbox nothing stops it, but it has no effect.
    let outside = repo.path("a.sh");
    repo.script(&format!("touch-outside {} echo a\n", outside.display()));
    let repo = repo.file("windlass.toml", STRICT);
    let run = repo.run(&[]).ends(1);
    assert!(run.stdout.contains("✘ a"), "{run}");
    assert_eq!(repo.subjects("windlass/demo"), [""; 0]);
}

#[test]
fn nothing_at_all_is_no_work() {
    let said = refused(&strict("say thinking\n"));
    assert!(said.contains("changed nothing"), "{said}");
}

#[test]
fn tests_are_frozen() {
    let repo = strict("write a.sh echo wrong\nwrite tests/a_test.sh true\n");
    let run = repo.run(&[]).ends(1);
    assert!(run.stdout.contains("put back as frozen (frozen-changed): `tests/a_test.sh`"), "{run}");
    assert_eq!(repo.subjects("windlass/demo"), [""; 0]);
}

#[test]
fn links_and_repositories_inside_are_refused() {
    let said = refused(&strict("write a.sh echo a\nsymlink /etc/passwd link\n"));
    assert!(said.contains("link"), "{said}");
    let said = refused(&strict("symlink /etc/passwd a.sh\n"));
    assert!(said.contains("a.sh"), "{said}");
    let said = refused(&strict("write a.sh echo a\nnested-repo sub\n"));
    assert!(said.contains("sub"), "{said}");
}

#[test]
fn a_commit_of_the_agent_in_its_slot_is_only_work() {
    let repo = strict("write a.sh echo a\ngit-commit I am done\n");
    repo.run(&[]).ends(0);
    assert_eq!(repo.subjects("windlass/demo"), ["a: Say a"]);
    let all = repo.git(&["log", "--all", "--format=%s"]);
    assert!(!all.contains("I am done"), "{all}");
}

#[test]
fn a_crash_and_a_bad_exit_are_tried_again() {
    let repo = one_task().agent(
        "[a implement 1]\nwrite a.sh echo half\ncrash\n[a implement 2]\nexit 7\n[a]\nwrite a.sh echo a\n",
    );
    let run = repo.run(&[]).ends(0);
    assert!(run.stdout.contains("signal 6") && run.stdout.contains("exit code 7"), "{run}");
    assert_eq!(evidence(&repo, "windlass/demo")[0].attempt.0, 3);
}

#[test]
fn the_brief_of_a_repair_says_what_failed() {
    let repo = one_task().agent(
        "[a implement]\nexpect-brief Say a\nwrite a.sh echo wrong\n[a fix]\nexpect-brief not ok 1 - says a\nwrite a.sh echo a\n",
    );
    repo.run(&[]).ends(0).says("bug-hunter 1");
}

#[test]
fn a_daemon_does_not_outlive_its_turn() {
    let repo = strict("daemon {home}/daemon.pid\nwrite a.sh echo a\n");
    repo.run(&[]).ends(0);
    assert!(repo.home().join("daemon.pid").exists(), "there was a daemon");
    assert_eq!(repo.left_behind(), []);
}

#[test]
fn an_agent_that_never_ends_is_ended_even_if_it_does_not_listen() {
    let repo = strict("ignore-term\nwait-for {home}/never\n");
    repo.write("windlass.toml", &format!("{STRICT}[limits]\nattempt = \"1s\"\n"));
    let said = refused(&repo);
    assert!(said.contains("1 s"), "{said}");
}

#[test]
fn what_an_agent_says_can_be_followed_while_it_speaks() {
    let repo =
        strict("say first\nwrite {home}/began yes\nwait-for {home}/go\nsay second\nwrite a.sh echo a\n");
    let run = repo.start_run(&[]);
    eventually("the agent has begun", || repo.home().join("began").exists());
    let logs = repo.start(&["logs", "-f", "a"]);
    eventually("the first line is printed", || logs.printed().contains("first\n"));
    assert!(!logs.printed().contains("second"), "{}", logs.printed());
    std::fs::write(repo.home().join("go"), "").unwrap();
    run.wait().ends(0);
    logs.wait().ends(0).says("second");
}

#[test]
fn a_contradiction_is_a_question_and_a_rate_limit_costs_no_try() {
    let repo = strict("result {\"status\":\"blocked\",\"reason\":\"the test wants 5, the text says 4\"}\n");
    repo.run(&[]).ends(3).says("needs you: the test wants 5, the text says 4");
    assert_eq!(state(&repo, "a"), "blocked");

    let limited =
        "once {home}/limited\nresult {\"status\":\"rate_limited\",\"retry_after_seconds\":1}\nexit 1\n";
    let repo = strict(limited);
    let run = repo.start_run(&[]);
    eventually("the limit was hit", || repo.home().join("limited").exists());
    repo.script(HONEST);
    std::thread::sleep(Duration::from_millis(10));
    run.wait().ends(0).says("is paused for");
}

/// No further kind of attempt finds a program that is not there: it is named once, and no attempt is used up.
#[test]
fn an_agent_whose_command_is_not_found_is_stopped_at_once() {
    let repo = one_task();
    let run = repo.windlass(&["run", "--yes", "--agent", "cmd:no-such-agent --now"]).ends(3);
    assert_eq!(run.stdout.matches("▶ a").count(), 1, "{run}");
    run.says("agent `no-such-agent --now` starts `no-such-agent`: it is not on the search path")
        .says("its command cannot be run: exit code 127")
        .says("no-such-agent: command not found");
    assert_eq!(state(&repo, "a"), "pending");
}
