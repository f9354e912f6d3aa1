//! A repository's configuration is not trusted because it was cloned.

use std::fs;

use windlass_testkit::{Outcome, TestRepo};

use crate::world::{empty, one_task, state};

/// The program for a user who has trusted nothing yet.
fn stranger(repo: &TestRepo, args: &[&str]) -> Outcome {
    repo.start_with(&[("WINDLASS_TRUST", "")], args).wait()
}

fn with_command() -> TestRepo {
    let repo = one_task();
    let home = repo.home();
    let script = format!(
        "[agents]\nsmall = \"mine\"\nmedium = \"mine\"\nlarge = \"mine\"\n[agents.mine]\ncommand = \"touch {0}/ran; \
         echo echo a > a.sh\"\n[sandbox]\nwrite = [\"{0}\"]\n",
        home.display()
    );
    repo.write("windlass.toml", &script);
    repo
}

#[test]
fn a_command_of_the_repository_does_not_run_before_it_is_trusted() {
    let repo = with_command();
    let run = stranger(&repo, &["run"]).ends(3).says("agents.mine.command").says("sandbox.write");
    assert!(run.stderr.contains("windlass trust"), "{run}");
    assert!(!repo.home().join("ran").exists());
    stranger(&repo, &["trust"]).ends(2).says("agents.mine.command");
    stranger(&repo, &["run", "--dry-run"]).ends(3);

    stranger(&repo, &["trust", "--yes"]).ends(0);
    stranger(&repo, &["run"]).ends(0);
    assert!(repo.home().join("ran").exists());
    assert_eq!(state(&repo, "a"), "completed");
}

#[test]
fn a_changed_setting_asks_again_and_another_change_does_not() {
    let repo = with_command();
    stranger(&repo, &["trust", "--yes"]).ends(0);
    let text = repo.read("windlass.toml");
    repo.write("windlass.toml", &format!("auto_mode = true\n{text}"));
    stranger(&repo, &["run", "--dry-run"]).ends(0);
    repo.write("windlass.toml", &text.replace("touch", "touch -c"));
    stranger(&repo, &["run", "--dry-run"]).ends(3);
    repo.write("windlass.toml", &text);
    stranger(&repo, &["trust", "--revoke"]).ends(0).says("no longer trusted");
    stranger(&repo, &["run", "--dry-run"]).ends(3);
}

#[test]
fn the_trust_in_one_repository_is_not_that_in_its_copy() {
    let repo = with_command();
    stranger(&repo, &["trust", "--yes"]).ends(0);
    let copy = repo.top().join("copy");
    repo.git(&["clone", "-q", ".", copy.to_str().unwrap()]);
    fs::copy(repo.path("windlass.toml"), copy.join("windlass.toml")).unwrap();
    stranger(&repo, &["-C", copy.to_str().unwrap(), "run", "--dry-run"]).ends(3);
}

#[test]
fn the_users_own_file_needs_no_trust_and_lies_below_the_repositorys() {
    let repo = one_task();
    let own = repo.home().join(".config/windlass");
    fs::create_dir_all(&own).unwrap();
    let text = "[agents]\nsmall = \"mine\"\nmedium = \"mine\"\nlarge = \"mine\"\n[limits]\njobs = 7\n\
                [agents.mine]\ncommand = \"echo echo a > a.sh\"\n";
    fs::write(own.join("windlass.toml"), text).unwrap();
    repo.write("windlass.toml", "[limits]\nattempt = \"9m\"\n");
    stranger(&repo, &["run"]).ends(0);
    assert_eq!(state(&repo, "a"), "completed");
    fs::write(own.join("windlass.toml"), "[limits]\njobs = \"many\"\n").unwrap();
    stranger(&repo, &["check"]).ends(2).says("limits.jobs");
}

#[test]
fn reading_commands_and_harmless_files_need_no_trust() {
    let repo = with_command();
    stranger(&repo, &["check"]).ends(0);
    stranger(&repo, &["status"]).says("");
    let doctor = stranger(&repo, &["doctor"]);
    assert!(doctor.stdout.contains("you have not trusted it"), "{doctor}");
    let plain = empty().file("README.md", "hello\n").committed();
    stranger(&plain, &["trust"]).ends(0).says("nothing in windlass.toml reaches beyond the sandbox");
}

#[test]
fn every_setting_names_the_file_that_sets_it() {
    let repo = with_command();
    let own = repo.home().join(".config/windlass");
    fs::create_dir_all(&own).unwrap();
    // The name it had before is still read, below the new one.
    fs::write(own.join("windlass.toml"), "[limits]\njobs = 9\n").unwrap();
    stranger(&repo, &["config", "--show"]).ends(0).says("~/.config/windlass/windlass.toml:2");
    fs::write(own.join("config.toml"), "auto_mode = true\n[agents]\nsmall = \"codex\"\n[limits]\njobs = 7\n")
        .unwrap();
    let shown = stranger(&repo, &["config", "--show"]).ends(0);
    let line = |key: &str| shown.stdout.lines().find(|l| l.starts_with(key)).unwrap_or("").to_owned();
    assert!(line("limits.jobs = 7").ends_with("~/.config/windlass/config.toml:5"), "{shown}");
    let hidden = "windlass.toml:2, instead of ~/.config/windlass/config.toml:3";
    assert!(line("agents.small = \"mine\"").ends_with(hidden), "{shown}");
    assert!(line("agents.mine.command").ends_with("(no effect before `windlass trust`)"), "{shown}");
    assert!(!shown.stdout.contains("limits.attempt"), "{shown}");
    stranger(&repo, &["config", "--all", "limits"]).ends(0).says("limits.attempt").says("default");
    stranger(&repo, &["config", "limit"]).ends(2).says("there is no key `limit`");
    let doc: serde_json::Value =
        serde_json::from_str(&stranger(&repo, &["config", "--json"]).ends(0).stdout).unwrap();
    let jobs = doc["keys"].as_array().unwrap().iter().find(|k| k["key"] == "limits.jobs").unwrap();
    assert_eq!((jobs["value"].as_i64(), jobs["from"]["line"].as_i64()), (Some(7), Some(5)));
}
