//! Verifications at places that the user trusts with them: their word becomes evidence, and a place that lies, dies or answers
//! late costs a repetition.

use windlass_testkit::{PlanTask, TestRepo, eventually, place_between_program};

use crate::machines::{OtherMachine, search_path};
use crate::world::{HONEST, evidence, users_own, with_plan};

/// Settings with one place, trusted with verifications. This machine has one job.
fn settings(launch: &[&str], slots: u32) -> String {
    format!(
        "[limits]\njobs = 1\n[sandbox]\nwrite = [\"~/\"]\n[places.big]\nlaunch = {launch:?}\nslots = {slots}\nverify = true\n"
    )
}

fn trusting(launch: &[&str], tasks: &[PlanTask]) -> TestRepo {
    let repo = with_plan(tasks);
    repo.write("windlass.toml", &settings(launch, 4));
    repo.commit("places");
    repo
}

/// The tasks of the branch, each with the places that its attempt and its verification ran at.
fn verified(repo: &TestRepo) -> Vec<(String, Option<String>, Option<String>)> {
    let records = evidence(repo, "windlass/demo");
    let mut all: Vec<_> = records.into_iter().map(|e| (e.task.to_string(), e.place, e.verified_at)).collect();
    all.sort();
    all
}

#[test]
fn a_trusted_place_verifies_and_the_evidence_says_so() {
    let machine = OtherMachine::new(HONEST);
    let repo = trusting(&["false"], &[PlanTask::shell("a"), PlanTask::shell("b")]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 4));
    repo.commit("the way there");
    let before = users_own(&repo);
    let run = repo.run(&[]).ends(0);
    assert!(!run.stdout.contains("was lost"), "{run}");
    let big = || Some("big".to_owned());
    assert_eq!(verified(&repo), [("a".into(), big(), big()), ("b".into(), big(), big())], "{run}");
    repo.windlass(&["show", "a"]).ends(0).says("verified at  big");
    repo.windlass(&["audit"]).ends(0);
    // What was seen there is seen here again.
    repo.windlass(&["audit", "--rerun"]).ends(0);
    assert_eq!(users_own(&repo), before);
    eventually("nothing is left running there", || machine.is_quiet());
}

#[test]
fn a_place_that_is_not_trusted_verifies_nothing() {
    let machine = OtherMachine::new(HONEST);
    let repo = with_plan(&[PlanTask::shell("a")]);
    let door = machine.door(&repo);
    let text = settings(&[door.to_str().unwrap()], 4).replace("verify = true\n", "");
    repo.write("windlass.toml", &text);
    repo.commit("places");
    repo.run(&[]).ends(0);
    assert_eq!(verified(&repo), [("a".into(), Some("big".into()), None)]);
}

/// Every way in which the verdict of a place can be wrong, with what is said about it.
const WRONG: [(&str, &str); 5] = [
    ("verdict-tree", "its proof is of another tree"),
    ("verdict-proof", "it announced an output and did not send it"),
    ("verdict-else", "it answered something else than it was asked"),
    ("verdict-cut", "the connection was closed"),
    ("verdict-refs", "it wants to write refs for a verification"),
];

#[test]
fn a_wrong_verdict_is_repeated_here_and_costs_no_attempt() {
    for (mode, words) in WRONG {
        let machine = OtherMachine::new(HONEST);
        let repo = trusting(&["false"], &[PlanTask::shell("a")]);
        let (door, between) = (machine.door(&repo), place_between_program());
        let launch = [between.to_str().unwrap(), mode, door.to_str().unwrap()];
        repo.write("windlass.toml", &settings(&launch, 4));
        repo.commit("places");
        let run = repo.run(&[]);
        assert_eq!(run.code, Some(0), "{mode}\n{run}");
        assert!(run.stdout.contains("place big was lost") && run.stdout.contains(words), "{mode}\n{run}");
        assert_eq!(verified(&repo), [("a".into(), Some("big".into()), None)], "{mode}\n{run}");
        let failed = repo.windlass(&["show", "a", "--json"]).ends(0);
        assert!(!failed.stdout.contains("\"failure\""), "{mode}: no attempt was used up\n{failed}");
        repo.windlass(&["audit"]).ends(0);
        assert_eq!(repo.left_behind(), [], "{mode}");
    }
}

#[test]
fn late_and_repeated_words_about_a_verification_change_nothing() {
    for mode in ["other-nonce", "twice"] {
        let machine = OtherMachine::new(HONEST);
        let repo = trusting(&["false"], &[PlanTask::shell("a"), PlanTask::shell("b")]);
        let (door, between) = (machine.door(&repo), place_between_program());
        let launch = [between.to_str().unwrap(), mode, door.to_str().unwrap()];
        repo.write("windlass.toml", &settings(&launch, 4));
        repo.commit("places");
        let run = repo.run(&[]).ends(0);
        assert!(!run.stdout.contains("was lost"), "{mode}\n{run}");
        assert!(verified(&repo).iter().all(|(_, _, at)| at.is_some()), "{mode}\n{run}");
    }
}

#[test]
fn a_red_verification_there_is_a_failure_here() {
    // The first attempt writes what its test refuses.
    let machine = OtherMachine::new(
        "shell test -e {home}/once && echo \"echo {task}\" > {task}.sh || { touch {home}/once; echo \"echo wrong\" > {task}.sh; }\n",
    );
    let repo = trusting(&["false"], &[PlanTask::shell("a").front("needs: [there]")]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &(settings(&[door.to_str().unwrap()], 2) + "labels = [\"there\"]\n"));
    repo.commit("places");
    let run = repo.run(&[]).ends(0);
    assert!(!run.stdout.contains("was lost"), "{run}");
    let big = || Some("big".to_owned());
    assert_eq!(verified(&repo), [("a".into(), big(), big())], "{run}");
    let shown = repo.windlass(&["show", "a", "--json"]).ends(0);
    assert!(shown.stdout.contains("\"failure\""), "the first attempt failed\n{shown}");
}

/// A formatter in the place of the real one: it puts spaces around `=`.
const RUFF: &str = r#"#!/bin/sh
case " $* " in
*" --fix "* | " format "*)
    for file; do case $file in *.py) sed -i 's/ *= */ = /' "$file" ;; esac done ;;
*)
    for file; do case $file in *.py) grep -nE '[^ =]=[^=]' "$file" && exit 1 ;; esac done ;;
esac
exit 0
"#;

#[test]
fn what_a_formatter_changes_there_is_what_is_merged_here() {
    let task = PlanTask::new("a", "Say a")
        .front("test_file: tests/test_a.py")
        .section(
            "Test Specification",
            "python",
            "# tests/test_a.py\nimport unittest\n\nimport a\n\n\nclass A(unittest.TestCase):\n    def test_says(self):\n        self.assertEqual(a.A, 1)",
        )
        .section("Output Files", "", "WRITE: a.py\nWRITE: tests/test_a.py")
        .verified_by("python3 -m unittest -v tests/test_a.py");
    let machine = OtherMachine::new("write a.py <<END\nA=1\nEND\n");
    let repo = with_plan(&[task]).file("pyproject.toml", "[tool.ruff]\n").file("tests/__init__.py", "");
    let ruff = repo.top().join("bin/ruff");
    std::fs::write(&ruff, RUFF).unwrap();
    std::fs::set_permissions(&ruff, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", repo.top().join("bin").display(), search_path());
    let door = machine.door_with(&format!("PATH={path}"));
    let repo = repo.env("PATH", &path);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 2));
    repo.commit("places");
    let run = repo.run(&[]).ends(0);
    assert!(!run.stdout.contains("was lost"), "{run}");
    let big = || Some("big".to_owned());
    assert_eq!(verified(&repo), [("a".into(), big(), big())], "{run}");
    assert_eq!(repo.git(&["show", "windlass/demo:a.py"]), "A = 1", "{run}");
    repo.windlass(&["audit"]).ends(0);
}

#[test]
fn a_closing_run_is_shared_and_what_fails_there_is_repeated_here() {
    let ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let machine = OtherMachine::new(HONEST);
    let repo = trusting(&["false"], &ids.map(PlanTask::shell));
    let door = machine.door(&repo);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 2));
    repo.commit("places");
    repo.run(&[]).ends(0).says("closing run: 10 commands passed on").says(" at places");
}
