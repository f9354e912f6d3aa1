//! Checking afterwards: from the commits alone, on another machine, and by running everything again.

use insta::assert_snapshot;
use windlass_testkit::{PlanTask, TestRepo};

fn carried_out() -> TestRepo {
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file("README.md", "hello\n")
        .plan("demo", &[PlanTask::shell("a"), PlanTask::shell("b").after(&["a"])])
        .committed()
        .agent("write {task}.sh echo {task}\n");
    repo.run(&[]).ends(0);
    repo
}

#[test]
fn what_was_done_can_be_done_again() {
    let repo = carried_out();
    assert_snapshot!(repo.windlass(&["audit", "--rerun"]).ends(0).screen(), @r"
    ✔ [oid]  a · run again: 1 test passed
        checked again: rules, tests, purity, changed expectations
    ✔ [oid]  b · run again: 1 test passed
        checked again: rules, tests, purity, changed expectations
    2 records on windlass/demo: all hold
    ");
    let json = repo.windlass(&["audit", "--rerun", "--json"]).ends(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["schema"], "windlass.audit/1");
    assert_eq!(json["records"][1]["rerun_tests"], 1);
    assert_eq!(json["others"], serde_json::json!([]));
}

#[test]
fn another_machine_needs_nothing_but_the_remote() {
    let repo = carried_out();
    // No repository, no state, no plan, no identity: only an address.
    let elsewhere = TestRepo::without_git(env!("CARGO_BIN_EXE_windlass"));
    let remote = repo.path("").display().to_string();
    let args = ["audit", "--fetch", &remote, "--rerun"];
    assert_snapshot!(elsewhere.windlass(&args).ends(0).screen(), @r"
    ✔ [oid]  a · run again: 1 test passed
        checked again: rules, tests, purity, changed expectations
    ✔ [oid]  b · run again: 1 test passed
        checked again: rules, tests, purity, changed expectations
    2 records on windlass/demo: all hold
    ");
    assert_eq!(std::fs::read_dir(elsewhere.path("")).unwrap().count(), 0, "nothing is left behind");
    // A remote by its name.
    let other = TestRepo::new(env!("CARGO_BIN_EXE_windlass"));
    other.git(&["remote", "add", "origin", &remote]);
    other.windlass(&["audit", "--fetch", "origin"]).ends(0).says("all hold");
    assert_eq!(other.git(&["for-each-ref"]), "", "the user's own refs are as they were");
    elsewhere.windlass(&["audit", "--fetch", "ext::sh -c true"]).ends(4);
}

/// Replaces the record of the last commit by another one, and the commit with it, as a person could who may write to the
/// repository.
fn forge(repo: &TestRepo, change: impl Fn(&str) -> String, tree: Option<&str>) {
    let blob = repo.git(&[
        "log",
        "-1",
        "--format=%(trailers:key=Windlass-Evidence,valueonly,separator=)",
        "windlass/demo",
    ]);
    let record = repo.git(&["cat-file", "blob", &blob]);
    repo.write("forged.json", &change(&record));
    let forged = repo.git(&["hash-object", "-w", "forged.json"]);
    let body = repo.git(&["log", "-1", "--format=%B", "windlass/demo"]).replace(&blob, &forged);
    let own = repo.git(&["rev-parse", "windlass/demo^{tree}"]);
    let parent = repo.git(&["rev-parse", "windlass/demo~1"]);
    let commit = repo.git(&["commit-tree", tree.unwrap_or(&own), "-p", &parent, "-m", &body]);
    repo.git(&["update-ref", "refs/heads/windlass/demo", &commit]);
    // On the evidence ref too, in the place of the last one: a forger would do that, too.
    put_record(repo, "refs/windlass/demo/evidence~1", &forged, "b");
}

/// Puts a record on the evidence ref, after a commit of it.
fn put_record(repo: &TestRepo, after: &str, record: &str, task: &str) {
    repo.git(&["read-tree", "refs/windlass/demo/evidence"]);
    // In place of the one that is there.
    let files = repo.git(&["ls-files"]);
    let path = files.lines().find(|path| path.ends_with(&format!("/{task}/1.json"))).unwrap();
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{record},{path}")]);
    let kept = repo.git(&["write-tree"]);
    let message = format!("evidence: {task} 1\n\nWindlass-Record: {record}\n");
    // With the red commit that the last one keeps.
    let red = repo.git(&["rev-parse", "refs/windlass/demo/evidence^2"]);
    let commit = repo.git(&["commit-tree", &kept, "-p", after, "-p", &red, "-m", &message]);
    repo.git(&["update-ref", "refs/windlass/demo/evidence", &commit]);
    repo.git(&["read-tree", "HEAD"]);
}

#[test]
fn a_record_that_does_not_fit_its_commit_is_named() {
    let repo = carried_out();
    forge(&repo, |record| record.replace("\"attempt\": 1", "\"attempt\": 2"), None);
    assert_snapshot!(repo.windlass(&["audit", "demo"]).ends(1).screen(), @r"
    ✔ [oid]  a
    ✘ [oid]  b
        it is of another attempt
        the journal here has no merge of it
    2 records on windlass/demo: 1 do not hold
    ");
}

#[test]
fn a_record_of_another_command_is_named() {
    let repo = carried_out();
    forge(
        &repo,
        |record| record.replace("\"command\": \"sh tests/b_test.sh\"", "\"command\": \"echo ok 1 - says b\""),
        None,
    );
    repo.windlass(&["audit", "demo"]).ends(1).says("another command than the plan states");
}

#[test]
fn a_record_that_fits_a_lie_is_found_by_running_it_again() {
    let repo = carried_out();
    // A tree in which the work is undone, and a record that says it was verified.
    repo.git(&["read-tree", "windlass/demo"]);
    repo.write("bad.sh", "echo wrong\n");
    let bad = repo.git(&["hash-object", "-w", "bad.sh"]);
    let good = repo.git(&["rev-parse", "windlass/demo:b.sh"]);
    repo.git(&["update-index", "--cacheinfo", &format!("100644,{bad},b.sh")]);
    let (lie, truth) = (repo.git(&["write-tree"]), repo.git(&["rev-parse", "windlass/demo^{tree}"]));
    repo.git(&["read-tree", "HEAD"]);
    forge(&repo, |record| record.replace(&truth, &lie).replace(&good, &bad), Some(&lie));
    // Where it was made, the journal knows better; elsewhere only a second look does.
    repo.windlass(&["audit", "demo"]).ends(1).says("the journal here has no merge of it");
    let elsewhere = TestRepo::without_git(env!("CARGO_BIN_EXE_windlass"));
    let remote = repo.path("").display().to_string();
    elsewhere.windlass(&["audit", "--fetch", &remote]).ends(0);
    assert_snapshot!(elsewhere.windlass(&["audit", "--fetch", &remote, "--rerun"]).ends(1).screen(), @r"
    ✔ [oid]  a · run again: 1 test passed
        checked again: rules, tests, purity, changed expectations
    ✘ [oid]  b
        checked again: rules
        run again, `tests`: tests failed: says b
    2 records on windlass/demo: 1 do not hold
    ");
}

#[test]
fn a_second_commit_of_the_same_task_is_named() {
    let repo = carried_out();
    let body = repo.git(&["log", "-1", "--format=%B", "windlass/demo"]);
    let tree = repo.git(&["rev-parse", "windlass/demo^{tree}"]);
    let commit = repo.git(&["commit-tree", &tree, "-p", "windlass/demo", "-m", &body]);
    repo.git(&["update-ref", "refs/heads/windlass/demo", &commit]);
    repo.windlass(&["audit", "demo"]).ends(1).says("this is revision 2 of the task in the branch");
    // A foreign commit is no task of the plan, but it is reported.
    let commit = repo.git(&["commit-tree", &tree, "-p", "windlass/demo~1", "-m", "by hand"]);
    repo.git(&["update-ref", "refs/heads/windlass/demo", &commit]);
    repo.windlass(&["audit", "demo"]).ends(0).says("not made by this plan");
}

/// Everything on the evidence ref, oldest first: the record and its task.
fn records(repo: &TestRepo) -> Vec<(String, String)> {
    let format = "--format=%(trailers:key=Windlass-Record,valueonly,separator=) %s";
    let text = repo.git(&["log", "--first-parent", "--reverse", format, "refs/windlass/demo/evidence"]);
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let record = words.next()?.to_owned();
        (words.next()? == "evidence:").then(|| Some((record, words.next()?.to_owned())))?
    };
    text.lines().filter_map(line).collect()
}

#[test]
fn a_record_that_was_dropped_moved_or_replaced_breaks_the_chain() {
    let three = || {
        let tasks =
            [PlanTask::shell("a"), PlanTask::shell("b").after(&["a"]), PlanTask::shell("c").after(&["b"])];
        let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass")).file("README.md", "hello\n");
        let repo = repo.plan("demo", &tasks).committed().agent("write {task}.sh echo {task}\n");
        repo.run(&[]).ends(0);
        repo
    };
    let repo = three();
    let all = records(&repo);
    assert_eq!(all.iter().map(|(_, task)| task.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    let start = repo.git(&["rev-parse", "refs/windlass/demo/evidence~3"]);
    let tip = repo.git(&["rev-parse", "refs/windlass/demo/evidence"]);
    // The records themselves stay on the ref: only the order in which they came is told otherwise.
    let retold = |order: &[usize]| {
        repo.git(&["update-ref", "refs/windlass/demo/evidence", &tip]);
        let mut after = start.clone();
        for n in order {
            put_record(&repo, &after, &all[*n].0, &all[*n].1);
            after = repo.git(&["rev-parse", "refs/windlass/demo/evidence"]);
        }
        repo.windlass(&["audit", "demo"])
    };
    retold(&[0, 1, 2]).ends(0).says("all hold");
    assert_snapshot!(retold(&[0, 2]).ends(1).screen(), @r"
    ✔ [oid]  a
    ✘ [oid]  b
        it is not in the chain of the evidence ref
    ✘ [oid]  c
        the record before it, [oid], is missing or was replaced
    3 records on windlass/demo: 2 do not hold
    ");
    assert_snapshot!(retold(&[1, 0, 2]).ends(1).screen(), @r"
    ✘ [oid]  a
        it claims to be the first record and is not
    ✘ [oid]  b
        the record before it, [oid], is missing or was replaced
        the branch has it after a record that the chain wrote later
    ✘ [oid]  c
        the record before it, [oid], is missing or was replaced
    3 records on windlass/demo: 3 do not hold
    ");
    // Another record in the place of the first: the second does not follow it.
    let other = repo.git(&["cat-file", "blob", &all[0].0]).replace("\"millis\": ", "\"millis\": 1");
    repo.write("other.json", &other);
    let other = repo.git(&["hash-object", "-w", "other.json"]);
    put_record(&repo, &start, &other, "a");
    for (record, task) in &all[1..] {
        put_record(&repo, "refs/windlass/demo/evidence", record, task);
    }
    assert_snapshot!(repo.windlass(&["audit", "demo"]).ends(1).screen(), @r"
    ✘ [oid]  a
        the evidence is not on the evidence ref
        it is not in the chain of the evidence ref
    ✘ [oid]  b
        the record before it, [oid], is missing or was replaced
    ✔ [oid]  c
    3 records on windlass/demo: 2 do not hold
    ");
}

#[test]
fn a_journal_that_was_changed_no_longer_fits_the_records() {
    let repo = carried_out();
    let journal = repo.path(".git/windlass/plans/demo/journal.db");
    // A forger who changes it and repairs the chain behind the change still contradicts the records.
    let forge = "import sqlite3, sys\n\
                 db = sqlite3.connect(sys.argv[1])\n\
                 for (name,) in db.execute(\"select name from sqlite_master where type = 'trigger'\").fetchall():\n\
                 \x20   db.execute(f'drop trigger \"{name}\"')\n\
                 db.execute(\"update event set hash = x'00' where seq = 3\")\n\
                 db.commit()\n";
    let forged = repo.command("python3").args(["-c", forge]).arg(&journal).status().unwrap();
    assert!(forged.success());
    repo.windlass(&["audit", "demo"]).ends(1).says("the journal here is damaged");
}
