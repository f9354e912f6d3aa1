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
    // A person who can write to the repository could make a commit that looks like one of ours.
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

/// Prints what the test expects and leaves a process behind.
const LEAVES: &str = "write a.sh <<END\nsetsid sleep 600 >/dev/null 2>&1 </dev/null &\necho a\nEND\n";

#[test]
fn cheat_43_tests_that_leave_a_process_have_not_passed() {
    let repo = one_task(LEAVES);
    repo.run(&[]).ends(1).says("left processes running: sleep");
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

/// What a test does to tracked files, and whether they are what they were afterwards.
const DEEDS: [(&str, &str, bool); 12] = [
    ("edits", "echo more >>README.md", false),
    ("deletes", "rm README.md", false),
    ("replaces", "rm README.md && mkdir README.md", false),
    ("links", "ln -sf /etc/hostname README.md", false),
    ("modes", "chmod +x README.md", false),
    ("empties", "rm -r docs && mkdir docs && echo one >docs/one", false),
    ("moves", "mv docs elsewhere", false),
    ("shadows", "rm -r docs && mkdir docs && echo 1 >docs/one && echo two >docs/two", false),
    ("restores", "cp README.md x && echo more >>README.md && mv x README.md", true),
    ("remakes", "rm -r docs && mkdir docs && echo one >docs/one && echo two >docs/two", true),
    ("touches", "touch README.md docs/one && chmod g-w README.md", true),
    ("builds", "mkdir -p docs/out target/a && echo o >docs/out/o && echo o >target/a/o", true),
];

#[test]
fn a_pass_is_none_when_tracked_files_are_no_longer_what_was_exported() {
    use std::fmt::Write as _;
    let mut script = String::new();
    let tasks = DEEDS.map(|(id, deed, _)| {
        let _ = write!(script, "[{id}]\nwrite {id}.sh <<END\n{deed}\necho {id}\nEND\n");
        PlanTask::shell(id)
    });
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file("README.md", "hello\n")
        .file("docs/one", "one\n")
        .file("docs/two", "two\n")
        .file("windlass.toml", STRICT)
        .plan("demo", &tasks)
        .committed()
        .agent(&script);
    repo.start_run(&["--yes", "--jobs", "2"]).wait_long().ends(1);
    let out = repo.windlass(&["status", "--json", "--all"]).ends(0);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    let state =
        |id: &str| json["tasks"].as_array().unwrap().iter().find(|t| t["id"] == id).unwrap()["state"].clone();
    for (id, deed, pure) in DEEDS {
        assert_eq!(state(id), if pure { "completed" } else { "failed" }, "{deed}");
        if !pure {
            repo.windlass(&["show", id]).ends(0).says("changed tracked files");
        }
    }
}

#[test]
fn what_one_verification_wrote_is_not_there_for_the_next() {
    // The first leaves something at every place it can write to; the second passes only if it finds some of it.
    let leaves = "write a.sh <<END\nfor d in . docs /tmp \"$HOME\" /var/tmp /dev/shm; do echo a >$d/left 2>/dev/null; done\necho a\nEND\n";
    let finds = "write b.sh <<END\ncat left docs/left /tmp/left \"$HOME/left\" /dev/shm/left 2>/dev/null | grep -q a && echo b\nEND\n";
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file("docs/one", "one\n")
        .file("windlass.toml", STRICT)
        .plan("demo", &[PlanTask::shell("a"), PlanTask::shell("b").after(&["a"])])
        .committed()
        .agent(&format!("[a]\n{leaves}[b]\n{finds}"));
    repo.run(&[]).ends(1);
    assert_eq!(repo.subjects("windlass/demo").len(), 1, "the first is merged, the second is not");
}

/// Runs a plan where there is hardly any room, makes room, and runs it again. Prints how each run ended and what is merged.
const CRAMPED: &str = r#"
cp -a "$SOURCE/." . && used=$(du -sk . | cut -f1)
head -c $(((4096 - used - FREE) * 1024)) /dev/zero >ballast
agent='cmd:echo "echo $WINDLASS_TASK" >$WINDLASS_TASK.sh'
"$WINDLASS" run --agent "$agent" --yes >first 2>&1; echo "first: $? $(git rev-list --count main..windlass/demo 2>/dev/null)"
rm ballast
"$WINDLASS" run --agent "$agent" --yes >second 2>&1; echo "second: $? $(git rev-list --count main..windlass/demo)"
"$WINDLASS" audit >audited 2>&1; echo "audit: $?"; cat first second audited >&2
"#;

#[test]
fn cheat_52_a_full_disk_ends_a_run_and_nothing_worse() {
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file("README.md", "hello\n")
        .plan("demo", &[PlanTask::shell("a"), PlanTask::shell("b").after(&["a"])])
        .committed();
    let small = repo.top().join("small");
    std::fs::create_dir(&small).unwrap();
    let mut full = 0;
    for free in ["200", "400", "460", "500"] {
        let mut command = repo.command("bwrap");
        command
            .args(["--dev-bind", "/", "/", "--die-with-parent", "--size", "4194304", "--tmpfs"])
            .arg(&small);
        command.args(["--setenv", "FREE", free, "--setenv", "WINDLASS", env!("CARGO_BIN_EXE_windlass")]);
        command.arg("--setenv").arg("SOURCE").arg(repo.path("")).arg("--chdir").arg(&small);
        let out = command.args(["timeout", "60", "bash", "-c", CRAMPED]).output().unwrap();
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        let heard = String::from_utf8_lossy(&out.stderr).into_owned();
        full += usize::from(said.contains("first: 4"));
        assert!(said.contains("second: 0 2\naudit: 0"), "{free} kB free:\n{said}\n{heard}");
    }
    assert!(full > 1, "there was room after all");
}
