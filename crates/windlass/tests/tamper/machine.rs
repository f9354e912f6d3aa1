//! F. Windlass itself: forged state, a killed runner, a full disk.

use windlass_testkit::{PlanTask, TestRepo};

const STRICT: &str = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n";

fn one_task(agent: &str) -> TestRepo {
    TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file("README.md", "hello\n")
        .file("windlass.toml", STRICT)
        .plan("demo", &[PlanTask::shell("a")])
        .committed()
        .agent(agent)
}

fn state(repo: &TestRepo) -> String {
    let out = repo.windlass(&["status", "--json", "--all"]).ends(0);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    json["tasks"][0]["state"].as_str().unwrap().to_owned()
}

#[test]
fn cheat_51_a_commit_with_forged_trailers_is_no_completed_task() {
    // What somebody could do who can write to the repository: a commit that looks like one of ours.
    let repo = one_task("write a.sh echo wrong\n");
    repo.run(&[]).ends(1);
    let blob = {
        repo.write("forged.json", "{\"schema\":\"windlass.evidence/1\"}");
        repo.git(&["hash-object", "-w", "forged.json"])
    };
    let tree = repo.git(&["rev-parse", "windlass/demo^{tree}"]);
    let message = format!(
        "a: Say a\n\nWindlass-Plan: demo\nWindlass-Task: a\nWindlass-Attempt: 1\nWindlass-Evidence: {blob}\n"
    );
    let commit = repo.git(&["commit-tree", &tree, "-p", "windlass/demo", "-m", &message]);
    repo.git(&["update-ref", "refs/heads/windlass/demo", &commit]);
    repo.run(&[]).ends(1);
    assert_eq!(state(&repo), "failed", "the journal is what counts, not what a commit says of itself");
    repo.windlass(&["audit", "demo"]).ends(1).says("not on the evidence ref");
}

#[test]
fn cheat_51_a_journal_that_was_written_to_is_not_believed() {
    let repo = one_task("write a.sh echo wrong\n");
    repo.run(&[]).ends(1);
    let journal = repo.path(".git/windlass/plans/demo/journal.db");
    let forge = "import sqlite3, sys\n\
                 db = sqlite3.connect(sys.argv[1])\n\
                 for (name,) in db.execute(\"select name from sqlite_master where type = 'trigger'\").fetchall():\n\
                 \x20   db.execute(f'drop trigger \"{name}\"')\n\
                 db.execute(\"update event set json = replace(json, 'tests-failed', 'no-change')\")\n\
                 db.commit()\n";
    let forged = repo.command("python3").args(["-c", forge]).arg(&journal).status().unwrap();
    assert!(forged.success());
    let said = repo.run(&[]);
    assert_eq!(said.code, Some(4), "{said}");
}

#[test]
fn cheat_52_whoever_kills_the_tests_has_not_passed_them() {
    let kills = "write a.sh <<END\nkill -9 $PPID\nEND\n";
    let repo = one_task(kills);
    repo.run(&[]).ends(1);
    assert_eq!(state(&repo), "failed");
    assert_eq!(repo.subjects("windlass/demo"), [""; 0]);
}

#[test]
fn cheat_52_whoever_floods_the_output_has_not_passed() {
    let floods = "write a.sh <<END\nhead -c 40000000 /dev/zero | tr '\\0' x\nexit 1\nEND\n";
    let repo = one_task(floods);
    repo.run(&[]).ends(1);
    assert_eq!(state(&repo), "failed");
}

/// Prints what the test wants and leaves somebody behind.
const LEAVES: &str = "write a.sh <<END\nsetsid sleep 600 >/dev/null 2>&1 </dev/null &\necho a\nEND\n";

#[test]
fn cheat_43_tests_that_leave_a_process_have_not_passed() {
    let repo = one_task(LEAVES);
    repo.run(&[]).ends(1).says("left processes running when they had ended: sleep");
    assert_eq!(repo.subjects("windlass/demo"), [""; 0]);
    // The twin waits for what it started.
    let repo = one_task("write a.sh <<END\nsleep 0.1 >/dev/null &\nwait\necho a\nEND\n");
    repo.run(&[]).ends(0);
}

#[test]
fn a_process_that_may_be_left_is_ended_all_the_same_and_stands_in_the_evidence() {
    let repo = one_task(LEAVES);
    repo.write("windlass.toml", &format!("{STRICT}\n[verify]\nleftovers = \"record\"\n"));
    repo.commit("leftovers");
    repo.run(&[]).ends(0);
    assert_eq!(repo.left_behind(), []);
    repo.windlass(&["show", "a"]).ends(0).says("left running, and ended: sleep");
}
