//! Evidence as in-toto statements: written, signed with an ssh key, checked by an audit.

use std::process::Command;

use serde_json::Value;
use windlass_testkit::TestRepo;

use crate::world::two_tasks;

fn key(repo: &TestRepo, name: &str) -> String {
    let path = repo.home().join(name).to_str().unwrap().to_owned();
    let made =
        Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", &path]).status();
    assert!(made.unwrap().success());
    path
}

fn files(repo: &TestRepo, dir: &str) -> Vec<String> {
    let entries = std::fs::read_dir(repo.path(dir)).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn statements_say_what_the_evidence_says_and_nothing_else_passes() {
    let repo = two_tasks();
    repo.run(&["plans/demo"]).ends(0);
    repo.windlass(&["attest", "demo", "-o", "plain"]).ends(0);
    assert_eq!(files(&repo, "plain").len(), 4);
    let name =
        files(&repo, "plain").into_iter().find(|n| n.starts_with("a.") && n.contains("test-result")).unwrap();
    let statement: Value = serde_json::from_str(&repo.read(&format!("plain/{name}"))).unwrap();
    let commit = repo.git(&["rev-parse", "windlass/demo~1"]);
    assert_eq!(statement["_type"], "https://in-toto.io/Statement/v1");
    assert_eq!(statement["predicateType"], "https://in-toto.io/attestation/test-result/v0.1");
    assert_eq!(statement["subject"][0]["digest"]["gitCommit"], commit.trim());
    assert_eq!(statement["predicate"]["result"], "PASSED");
    assert!(statement["predicate"]["passedTests"].to_string().contains("says a"), "{statement}");
    repo.windlass(&["audit", "demo", "--attestations", "plain"]).ends(0);
    // The same statement about another commit.
    let other = repo.git(&["rev-parse", "windlass/demo"]);
    let moved = repo.read(&format!("plain/{name}")).replace(commit.trim(), other.trim());
    repo.write(&format!("plain/{name}"), &moved);
    let refused = repo.windlass(&["audit", "demo", "--attestations", "plain"]).ends(1);
    assert!(refused.stdout.contains("says something that the evidence does not say"), "{refused}");
}

#[test]
fn signatures_are_checked_against_those_who_may_sign() {
    let repo = two_tasks();
    repo.run(&["plans/demo"]).ends(0);
    let (ann, eve) = (key(&repo, "ann"), key(&repo, "eve"));
    repo.windlass(&["attest", "demo", "-o", "signed", "--sign", &ann]).ends(0);
    let public = std::fs::read_to_string(format!("{ann}.pub")).unwrap();
    repo.write("signers", &format!("ann@example.org {public}"));
    let audit =
        |more: &[&str]| repo.windlass(&[&["audit", "demo", "--attestations", "signed"], more].concat());
    let good = audit(&["--signers", "signers"]).ends(0);
    assert!(good.stdout.contains("signed by ann@example.org"), "{good}");
    let unknown = audit(&[]).ends(0);
    assert!(unknown.stdout.contains("which no file of allowed signers names"), "{unknown}");
    let name = files(&repo, "signed").remove(0);
    let envelope: Value = serde_json::from_str(&repo.read(&format!("signed/{name}"))).unwrap();
    assert_eq!(envelope["payloadType"], "application/vnd.in-toto+json");
    let mut changed = envelope.clone();
    let payload = changed["payload"].as_str().unwrap();
    let other = if payload.contains('x') { payload.replace('x', "w") } else { payload.replacen('e', "f", 1) };
    assert_ne!(payload, other);
    changed["payload"] = other.into();
    repo.write(&format!("signed/{name}"), &changed.to_string());
    audit(&["--signers", "signers"]).ends(1);
    repo.windlass(&["attest", "demo", "-o", "signed", "--sign", &eve]).ends(0);
    let refused = audit(&["--signers", "signers"]).ends(1);
    assert!(refused.stdout.contains("nobody in the file of allowed signers has signed it"), "{refused}");
    let no_key = repo.windlass(&["attest", "demo", "--sign", "README.md"]).ends(2);
    assert!(no_key.stderr.contains("is not an ssh key"), "{no_key}");
}

#[test]
fn newer_journals_and_configurations_are_named_by_doctor() {
    let repo = two_tasks();
    repo.run(&["plans/demo"]).ends(0);
    let journal = repo.path(".git/windlass/plans/demo/journal.db");
    let raised = Command::new("python3")
        .args(["-c", "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('pragma user_version=99'); c.close()"])
        .arg(journal)
        .status();
    assert!(raised.unwrap().success());
    let told = repo.windlass(&["doctor"]);
    assert!(told.stdout.contains("a newer Windlass wrote the journal of `demo`"), "{told}");
    repo.windlass(&["status"]).ends(0);
    repo.write("windlass.toml", "needs = \"99.1\"\nunheard_of = 1\n");
    let told = repo.windlass(&["doctor"]);
    assert!(told.stdout.contains("needs Windlass 99.1"), "{told}");
    let refused = repo.windlass(&["check"]).ends(4);
    assert!(!refused.stderr.contains("unheard_of"), "{refused}");
    let version = repo.windlass(&["--version"]).ends(0).stdout;
    assert!(version.starts_with("windlass ") && version.contains("features: "), "{version}");
}
