//! Bad surroundings that are real: a container that forbids namespaces, one that allows them.

use std::process::Output;

use windlass_testkit::{PlanTask, TestRepo};

/// Runs the program in a container of bubblewrap's.
fn inside(repo: &TestRepo, container: &[&str], args: &[&str]) -> Output {
    let mut command = repo.command("bwrap");
    command.args(container).args(["--dev-bind", "/", "/", "--proc", "/proc", "--"]);
    command.arg(env!("CARGO_BIN_EXE_windlass")).args(args).output().unwrap()
}

fn carried_out(container: &[&str]) -> (String, String) {
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"));
    let repo = repo.file("README.md", "hello\n").plan("demo", &[PlanTask::shell("a")]).committed();
    let doctor = inside(&repo, container, &["doctor"]);
    let run = inside(&repo, container, &["run", "--yes", "--agent", "cmd:echo echo a > a.sh"]);
    assert!(run.status.success(), "{run:?}");
    let blob =
        repo.git(&["log", "-1", "--format=%(trailers:key=Windlass-Evidence,valueonly)", "windlass/demo"]);
    let record: serde_json::Value =
        serde_json::from_str(&repo.git(&["cat-file", "blob", blob.trim()])).unwrap();
    let rung = record["green"]["containment"].as_str().unwrap().to_owned();
    (rung, String::from_utf8_lossy(&doctor.stdout).into_owned())
}

#[test]
fn where_namespaces_are_forbidden_landlock_holds_and_doctor_says_why() {
    let (rung, doctor) = carried_out(&["--unshare-user", "--disable-userns"]);
    assert_eq!(rung, "landlock");
    for said in ["landlock: files are refused", "cannot make namespaces", "per process only"] {
        assert!(doctor.contains(said), "{said}: {doctor}");
    }
}

#[test]
fn in_a_container_what_doctor_says_is_what_is_used() {
    let (rung, doctor) = carried_out(&["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-net"]);
    assert_ne!(rung, "off");
    assert!(doctor.contains(&format!("{rung}: ")), "{rung}: {doctor}");
}
