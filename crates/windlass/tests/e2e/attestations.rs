//! Evidence as in-toto statements: written, signed with an ssh key or a key of cosign, checked by an audit.

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
    assert!(refused.stdout.contains("it is signed by none of the allowed signers"), "{refused}");
    let no_key = repo.windlass(&["attest", "demo", "--sign", "README.md"]).ends(2);
    assert!(no_key.stderr.contains("is neither an ssh key nor a key of `cosign`"), "{no_key}");
    // An unsigned statement among signed ones.
    repo.windlass(&["attest", "demo", "-o", "signed", "--sign", &ann]).ends(0);
    repo.windlass(&["attest", "demo", "-o", "plain"]).ends(0);
    repo.write(&format!("signed/{name}"), &repo.read(&format!("plain/{name}")));
    let refused = audit(&["--signers", "signers"]).ends(1);
    assert!(refused.stdout.contains(&format!("`{name}`: it is not signed")), "{refused}");
    audit(&[]).ends(0);
}

/// Key pairs as `cosign generate-key-pair` writes them, made with other tools (Python's hashlib, PyNaCl and cryptography). They
/// guard nothing. The password of the first is `open sesame`, that of the second is empty, the third is no ECDSA key.
const KEYS: [(&str, &str); 4] = [
    ("ann.key", include_str!("sigstore/ann.key")),
    ("eve.key", include_str!("sigstore/eve.key")),
    ("ed25519.key", include_str!("sigstore/ed25519.key")),
    ("ann.pub", include_str!("sigstore/ann.pub")),
];

#[test]
fn keys_of_cosign_sign_and_their_public_keys_check() {
    let repo = two_tasks();
    repo.run(&["plans/demo"]).ends(0);
    for (name, text) in KEYS {
        repo.write(name, text);
    }
    let attest =
        |more: &[&str]| repo.windlass(&[&["attest", "demo", "-o", "signed", "--sign"], more].concat());
    let no_password = attest(&["ann.key"]).ends(4);
    assert!(no_password.stderr.contains("put it into `COSIGN_PASSWORD`"), "{no_password}");
    let repo = repo.env("COSIGN_PASSWORD", "").env("MY_PASSWORD", "open sesame");
    let attest =
        |more: &[&str]| repo.windlass(&[&["attest", "demo", "-o", "signed", "--sign"], more].concat());
    let wrong = attest(&["eve.key", "--password-env", "MY_PASSWORD"]).ends(4);
    assert!(wrong.stderr.contains("the password in `MY_PASSWORD` does not open"), "{wrong}");
    let other = attest(&["ed25519.key", "--password-env", "MY_PASSWORD"]).ends(2);
    assert!(other.stderr.contains("does not hold an ECDSA key on P-256"), "{other}");
    attest(&["ann.key", "--password-env", "MY_PASSWORD"]).ends(0);

    let audit =
        |more: &[&str]| repo.windlass(&[&["audit", "demo", "--attestations", "signed"], more].concat());
    let good = audit(&["--signers", "ann.pub"]).ends(0);
    let name = files(&repo, "signed").remove(0);
    let envelope: Value = serde_json::from_str(&repo.read(&format!("signed/{name}"))).unwrap();
    let id = envelope["signatures"][0]["keyid"].as_str().unwrap();
    assert!(good.stdout.contains(&format!("signed by sigstore key {id}")), "{good}");
    let unchecked = audit(&[]).ends(0);
    assert!(unchecked.stdout.contains("was not checked: `--signers` names its public key"), "{unchecked}");
    let mut changed = envelope.clone();
    changed["payloadType"] = "application/json".into();
    repo.write(&format!("signed/{name}"), &changed.to_string());
    audit(&["--signers", "ann.pub"]).ends(1);
    changed = envelope.clone();
    changed["signatures"] = serde_json::json!([]);
    repo.write(&format!("signed/{name}"), &changed.to_string());
    audit(&["--signers", "ann.pub"]).ends(1);
    attest(&["eve.key"]).ends(0);
    let refused = audit(&["--signers", "ann.pub"]).ends(1);
    assert!(refused.stdout.contains("no key in the file of signers has signed it"), "{refused}");
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
