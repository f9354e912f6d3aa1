//! Bits that flip in the journal, a disk that fills up: detected or harmless, never a task that counts as completed and is not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{HONEST, STRICT, evidence, program, states, with_plan};

/// The variable that sets how many bits are flipped.
const FLIPS: &str = "WINDLASS_FLIPS";

/// A run that is stuck: `a` is completed, `b` has failed, `c` waits for it.
fn stuck() -> TestRepo {
    let tasks =
        [PlanTask::shell("a"), PlanTask::shell("b").after(&["a"]), PlanTask::shell("c").after(&["b"])];
    let repo = with_plan(&tasks)
        .agent("[a]\nwrite a.sh echo a\n[b]\nwrite b.sh echo wrong\n[c]\nwrite c.sh echo c\n");
    repo.write("windlass.toml", STRICT);
    repo.commit("strict");
    repo.run(&[]).ends(1);
    repo
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    assert!(Command::new("cp").arg("-a").args([from, to]).status().unwrap().success());
}

#[test]
fn bits_that_flip_in_the_journal_complete_no_task() {
    let flips: usize = std::env::var(FLIPS).ok().and_then(|n| n.parse().ok()).unwrap_or(24);
    let repo = stuck();
    let journal = repo.path(".git/windlass/plans/demo/journal.db");
    let (whole, truth) = (fs::read(&journal).unwrap(), states(&repo));
    // What is in SQLite's log is flipped as well, where there is one.
    let log = journal.with_file_name("journal.db-wal");
    let log_size = fs::metadata(&log).map_or(0, |about| about.len());
    let wal = fs::read(&log).unwrap_or_default();
    let all = whole.len() + wal.len();
    for flip in 0..flips {
        let bit = flip * all * 8 / flips + flip % 8;
        let (mut first, mut second) = (whole.clone(), wal.clone());
        match bit / 8 {
            at if at < first.len() => first[at] ^= 1 << (bit % 8),
            at => second[at - first.len()] ^= 1 << (bit % 8),
        }
        fs::write(&journal, &first).unwrap();
        if log_size > 0 {
            fs::write(&log, &second).unwrap();
        }
        let told = repo.windlass(&["status", "--json", "--all"]);
        if told.code != Some(0) {
            assert!(told.stderr.contains("journal"), "bit {bit}: it says what is wrong\n{told}");
            continue;
        }
        let json: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
        let done = json["tasks"].as_array().unwrap().iter().filter(|task| task["state"] == "completed");
        assert!(done.map(|task| &task["id"]).all(|id| *id == "a"), "bit {bit}\n{told}");
    }
    fs::write(&journal, &whole).unwrap();
    if log_size > 0 {
        fs::write(&log, &wal).unwrap();
    }
    assert_eq!(states(&repo), truth, "the journal is as it was");
}

#[test]
fn a_run_over_a_damaged_journal_stops_or_ends_well() {
    let flips: usize = std::env::var(FLIPS).ok().and_then(|n| n.parse().ok()).unwrap_or(40) / 10;
    let repo = stuck();
    repo.windlass(&["retry", "b"]).ends(0);
    repo.script(HONEST);
    let (dir, kept) = (repo.path("").components().collect::<PathBuf>(), repo.top().join("kept"));
    copy(&dir, &kept);
    let (mut refused, mut completed) = (0, 0);
    for flip in 0..flips {
        copy(&kept, &dir);
        let journal = repo.path(".git/windlass/plans/demo/journal.db");
        let mut bytes = fs::read(&journal).unwrap();
        let bit = flip * bytes.len() * 8 / flips + 13;
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&journal, bytes).unwrap();
        let tip = repo.git(&["rev-parse", "windlass/demo"]);
        let run = repo.run(&[]);
        if run.code == Some(0) {
            completed += 1;
            let mut done: Vec<String> =
                evidence(&repo, "windlass/demo").iter().map(|e| e.task.to_string()).collect();
            done.sort();
            assert_eq!(done, ["a", "b", "c"], "bit {bit}: each task once, with evidence of its own tree");
            repo.windlass(&["audit"]).ends(0);
        } else {
            refused += 1;
            assert_eq!(
                repo.git(&["rev-parse", "windlass/demo"]),
                tip,
                "bit {bit}: nothing was merged\n{run}"
            );
            assert!(run.stderr.contains("journal"), "bit {bit}: it says what is wrong\n{run}");
        }
    }
    assert!(refused + completed == flips);
}

/// Runs a plan with a cache on a small disk. Prints how it ended and what is merged.
const SMALL_CACHE: &str = r#"
export XDG_CACHE_HOME=$SMALL
[ -z "$BALLAST" ] || head -c "$BALLAST" /dev/zero >$SMALL/ballast
"$WINDLASS" run --agent "$AGENT" --yes >$OUT 2>&1; echo "$? $(git rev-list --count main..windlass/demo 2>/dev/null)"
cat $OUT >&2
"#;

/// How a run ends with a cache on a disk of 160 MiB, of which so many bytes are used, and what it says.
fn on_a_small_disk(repo: &TestRepo, agent: &str, ballast: &str) -> (String, String) {
    let small = repo.top().join("small");
    fs::create_dir_all(&small).unwrap();
    let mut command = repo.command("bwrap");
    command.args(["--dev-bind", "/", "/", "--die-with-parent", "--size", "167772160", "--tmpfs"]).arg(&small);
    command.arg("--setenv").arg("SMALL").arg(&small).arg("--setenv").arg("OUT").arg(repo.top().join("out"));
    command.args(["--setenv", "AGENT", agent, "--setenv", "BALLAST", ballast]);
    command.args(["--setenv", "WINDLASS", &program()]);
    command.arg("--chdir").arg(repo.path(""));
    let out = command.args(["timeout", "100", "bash", "-c", SMALL_CACHE]).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    (text(&out.stdout), text(&out.stderr))
}

#[test]
fn a_disk_that_is_or_becomes_full_ends_the_run_and_uses_up_no_attempt() {
    let honest = "cmd:echo \"echo $WINDLASS_TASK\" >$WINDLASS_TASK.sh";
    let greedy = "cmd:head -c 110000000 /dev/zero >ballast; exit 1";
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b").after(&["a"])]);
    for (agent, ballast) in [(honest, "120000000"), (greedy, "")] {
        let (ended, said) = on_a_small_disk(&repo, agent, ballast);
        assert_eq!(ended, "4 0", "{said}");
        assert!(said.contains("there is no room for work") && said.contains("MiB left"), "{said}");
        let told = repo.windlass(&["show", "a", "--json"]).ends(0);
        assert!(!told.stdout.contains("\"failure\""), "no attempt is used up\n{told}");
    }
    let (ended, said) = on_a_small_disk(&repo, honest, "");
    assert_eq!(ended, "0 2", "it goes on when there is room\n{said}");
    assert_eq!(evidence(&repo, "windlass/demo").len(), 2);
}
