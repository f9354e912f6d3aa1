//! Repositories as they are: dirty, with submodules and large files, with their user at work.

use std::sync::atomic::{AtomicBool, Ordering};

use windlass_testkit::{PlanTask, eventually};

use crate::world::{HONEST, empty, evidence, one_task, two_tasks, users_own, with_plan};

#[test]
fn a_dirty_checkout_is_fine_and_stays_dirty() {
    let repo = one_task();
    repo.write("README.md", "being edited\n");
    repo.write("staged.txt", "staged\n");
    repo.git(&["add", "staged.txt"]);
    repo.write("untracked.txt", "mine\n");
    let before = users_own(&repo);
    repo.run(&[]).ends(0);
    assert_eq!(users_own(&repo), before);
    let files = repo.git(&["ls-tree", "-r", "--name-only", "windlass/demo"]);
    assert!(!files.contains("staged.txt") && files.contains("a.sh"), "{files}");
}

#[test]
fn submodules_and_large_files_are_said_plainly_and_do_not_stop_a_run() {
    let repo = empty().file("README.md", "hello\n").committed();
    let library = repo.top().join("library");
    repo.git(&["clone", "-q", ".", library.to_str().unwrap()]);
    repo.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        library.to_str().unwrap(),
        "lib",
    ]);
    repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:\
                   4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    let repo = repo.file("model.bin", pointer).plan("demo", &[PlanTask::shell("a")]).agent(HONEST);
    repo.commit("a submodule and a large file");
    let before = users_own(&repo);
    let run = repo.run(&[]).ends(0);
    assert!(run.stdout.contains("submodule"), "{run}");
    assert!(run.stdout.contains("LFS"), "{run}");
    assert_eq!(users_own(&repo), before);
    let changed = repo.git(&["diff", "--name-only", "main", "windlass/demo"]);
    assert_eq!(changed, "a.sh\ntests/a_test.sh", "the link and the pointer are as they were");
}

#[test]
fn a_detached_head_and_a_linked_work_tree_are_fine() {
    let repo = one_task();
    repo.git(&["worktree", "add", "-q", "--detach", "../linked"]);
    let linked = repo.top().join("linked");
    repo.windlass(&["-C", linked.to_str().unwrap(), "run", "--agent", "cmd:fake-agent"]).ends(0);
    assert_eq!(repo.subjects("windlass/demo"), ["a: Say a"]);
}

#[test]
fn a_user_who_prunes_everything_at_once_may_break_a_run_off_but_not_its_result() {
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b")])
        .agent("sleep 100\nwrite {task}.sh echo {task}\n");
    let mut run = repo.start_run(&[]);
    // Git warns of this: what is being written at the moment is not referred to by anything yet.
    while !run.is_over() {
        repo.git(&["gc", "-q", "--prune=now"]);
    }
    let run = run.wait();
    assert!(matches!(run.code, Some(0 | 4)), "{run}");
    repo.run(&[]).ends(0);
    assert_eq!(evidence(&repo, "windlass/demo").len(), 2);
    repo.git(&["fsck", "--strict", "--no-dangling"]);
}

#[test]
fn a_repository_made_anew_at_the_same_path_is_not_confused_with_the_old_one() {
    let repo = one_task();
    repo.run(&[]).ends(0);
    let caches = || std::fs::read_dir(repo.top().join("cache/windlass")).unwrap().count();
    assert_eq!(caches(), 1);
    std::fs::remove_dir_all(repo.path(".git")).unwrap();
    repo.git(&["init", "-q", "-b", "main"]);
    repo.write("README.md", "another history\n");
    repo.commit("start again");
    repo.run(&[]).ends(0);
    assert_eq!((repo.subjects("windlass/demo"), caches()), (vec!["a: Say a".to_owned()], 1));
}

#[test]
fn a_damaged_cache_is_mended_by_the_next_run() {
    let repo = two_tasks();
    repo.run(&["--until", "a"]).ends(0);
    let cache = std::fs::read_dir(repo.top().join("cache/windlass")).unwrap().next().unwrap().unwrap().path();
    for part in ["slots/1/index", "exports/1/picture", "exports/1/index"] {
        if let Ok(bytes) = std::fs::read(cache.join(part)) {
            std::fs::write(cache.join(part), &bytes[..bytes.len() / 2]).unwrap();
        }
    }
    repo.run(&[]).ends(0);
    assert_eq!(repo.subjects("windlass/demo"), ["a: Say a", "b: Say b"]);
}

#[test]
fn an_identity_in_variables_counts_as_it_does_for_git() {
    let repo = one_task();
    std::fs::write(repo.home().join(".gitconfig"), "").unwrap();
    let run = repo.run(&[]).ends(4);
    assert!(run.stderr.contains("GIT_COMMITTER_NAME"), "{run}");
    let repo = repo
        .env("GIT_AUTHOR_NAME", "Bob")
        .env("GIT_AUTHOR_EMAIL", "bob@example.org")
        .env("GIT_COMMITTER_NAME", "Cleo")
        .env("GIT_COMMITTER_EMAIL", "cleo@example.org");
    repo.run(&[]).ends(0);
    let people = repo.git(&["log", "-1", "--format=%an %ae %cn %ce", "windlass/demo"]);
    assert_eq!(people, "Bob bob@example.org Cleo cleo@example.org");
}

#[test]
fn caches_are_shown_and_freed_but_never_those_in_use_and_never_journals() {
    let repo = one_task().agent("sleep 1500\nwrite {task}.sh echo {task}\n");
    let mut run = repo.start_run(&[]);
    let cache = repo.top().join("cache/windlass");
    eventually("a slot is in use", || {
        std::fs::read_dir(&cache).is_ok_and(|mut all| {
            all.any(|one| one.is_ok_and(|one| one.path().join("slots/1/tree/README.md").exists()))
        })
    });
    let clean = |args: &[&str]| repo.windlass(&[&["clean", "--json"], args].concat()).ends(0).stdout;
    assert!(clean(&[]).contains("\"in_use\""), "{}", clean(&[]));
    while !run.is_over() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    run.wait().ends(0);
    assert!(clean(&["--dry-run"]).contains("\"would_be_freed\""));
    assert!(clean(&["--older-than", "1d"]).contains("\"recent\""));
    let freed: serde_json::Value = serde_json::from_str(&clean(&[])).unwrap();
    assert_eq!(
        (&freed["caches"][0]["fate"], &freed["journals"][0]["fate"]),
        (&"freed".into(), &"not_asked".into())
    );
    assert!(freed["freed_bytes"].as_u64().unwrap() > 0, "{freed}");
    assert_eq!(std::fs::read_dir(&cache).unwrap().count(), 0);
    repo.windlass(&["status"]).ends(0);
    repo.run(&[]).ends(0);
    let freed: serde_json::Value = serde_json::from_str(&clean(&["--journals"])).unwrap();
    assert_eq!(freed["journals"][0]["fate"], "freed");
    assert_eq!(evidence(&repo, "windlass/demo").len(), 1, "evidence stays");
    let out = repo.windlass(&["-C", "/", "clean"]).ends(2);
    assert!(out.stderr.contains("--all"), "{out}");
    repo.windlass(&["-C", "/", "clean", "--all"]).ends(0);
}

#[test]
fn the_user_works_in_the_same_repository_meanwhile() {
    let tasks: Vec<PlanTask> = ["a", "b", "c", "d"].iter().map(|id| PlanTask::shell(id)).collect();
    let repo = with_plan(&tasks).agent("sleep 100\nwrite {task}.sh echo {task}\n");
    repo.git(&["branch", "topic"]);
    let over = AtomicBool::new(false);
    let commits = std::thread::scope(|scope| {
        let user = scope.spawn(|| {
            eventually("the branch is there", || {
                repo.try_git(&["rev-parse", "--verify", "-q", "windlass/demo"]).is_ok()
            });
            let mut commits = 0;
            while !over.load(Ordering::Relaxed) {
                repo.git(&["switch", "-q", if commits % 2 == 0 { "topic" } else { "main" }]);
                repo.write("mine.txt", &format!("{commits}\n"));
                repo.commit(&format!("mine {commits}"));
                commits += 1;
                if commits % 4 == 0 {
                    repo.git(&["gc", "-q"]);
                }
                repo.git(&["stash", "list"]);
            }
            commits
        });
        let run = repo.run(&[]);
        over.store(true, Ordering::Relaxed);
        let commits = user.join().unwrap();
        run.ends(0);
        commits
    });
    assert!(commits > 2, "the user made {commits} commits meanwhile");
    let mine = repo.git(&["log", "--format=%s", "main", "topic", "--not", "windlass/demo"]);
    assert_eq!(mine.lines().count(), commits, "every commit of the user is where they made it");
    let base = repo.git(&["merge-base", "main", "windlass/demo"]);
    let subjects = repo.git(&["log", "--format=%s", &format!("{base}..windlass/demo")]);
    assert_eq!(subjects.lines().count(), 4, "{subjects}");
    assert_eq!(evidence(&repo, "windlass/demo").len(), 4);
    repo.git(&["fsck", "--strict", "--no-dangling"]);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn commits_are_signed_where_the_user_signs_theirs() {
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b").after(&["a"])]);
    let key = repo.top().join("key");
    let made = std::process::Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", "dev", "-f"])
        .arg(&key)
        .status()
        .expect("`ssh-keygen` is needed (scripts/test installs it)");
    assert!(made.success());
    let public = std::fs::read_to_string(key.with_extension("pub")).unwrap();
    let signers = repo.top().join("signers");
    std::fs::write(&signers, format!("* {public}")).unwrap();
    repo.git(&["config", "gpg.format", "ssh"]);
    repo.git(&["config", "user.signingkey", key.with_extension("pub").to_str().unwrap()]);
    repo.git(&["config", "commit.gpgsign", "true"]);
    repo.git(&["config", "gpg.ssh.allowedSignersFile", signers.to_str().unwrap()]);
    let kept = repo.top().join("kept");
    std::fs::copy(&key, &kept).unwrap();
    repo.run(&["--until", "a"]).ends(0);
    assert_eq!(repo.git(&["log", "-1", "--format=%G?", "windlass/demo"]), "G");
    repo.windlass(&["audit"]).ends(0);
    // A key that is gone is said plainly, and nothing unsigned gets in.
    let tip = repo.git(&["rev-parse", "windlass/demo"]);
    std::fs::remove_file(&key).unwrap();
    let run = repo.run(&[]).ends(4);
    assert!(
        run.stderr.contains("a signed commit could not be made") && run.stderr.contains("sign = false"),
        "{run}"
    );
    assert_eq!(repo.git(&["rev-parse", "windlass/demo"]), tip);
    std::fs::rename(&kept, &key).unwrap();
    repo.run(&[]).ends(0);
    assert_eq!(repo.git(&["log", "-2", "--format=%G?", "windlass/demo"]), "G\nG");
}

/// Stands for composer: what it makes says which version it was told.
const COMPOSER: &str = "#!/bin/sh\nmkdir -p vendor\necho \"$COMPOSER_ROOT_VERSION\" >vendor/version\n";

#[test]
fn an_audit_tells_builds_the_version_of_the_record_whatever_tags_there_are() {
    let task = PlanTask::new("a", "Say a")
        .front("test_file: tests/a_test.sh")
        .section("Test Specification", "bash", "# tests/a_test.sh\n[ \"$(bash a.sh)\" = 'a of 1.4.2' ]")
        .section("Output Files", "", "WRITE: a.sh\nWRITE: tests/a_test.sh")
        .verified_by("bash tests/a_test.sh");
    let repo = empty();
    let bin = repo.top().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(bin.join("composer"), COMPOSER).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(bin.join("composer"), mode).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let repo = repo
        .env("PATH", &path)
        .file("composer.json", "{\"name\": \"a/a\", \"require\": {\"php\": \">=8\"}}\n")
        .plan("demo", &[task])
        .committed()
        .agent("write a.sh echo a of $(cat vendor/version)\n");
    repo.git(&["tag", "v1.4.2"]);
    repo.run(&[]).ends(0);
    let [record] = &evidence(&repo, "windlass/demo")[..] else { panic!("one commit") };
    assert_eq!(record.green.project_version.as_deref(), Some("1.4.2"));

    // Another clone may have no tags, or newer ones.
    repo.git(&["tag", "-d", "v1.4.2"]);
    repo.windlass(&["audit", "--rerun"]).ends(0);
    repo.git(&["tag", "v7.0.0"]);
    repo.windlass(&["audit", "--rerun"]).ends(0);
}
