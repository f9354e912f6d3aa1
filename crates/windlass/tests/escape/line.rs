//! The whole line in sandboxes: bad surroundings, lower rungs, layers, services, secrets, hostile words.

use std::fs;
use std::path::Path;

use windlass_testkit::{PlanTask, TestRepo};

const HONEST: &str = "write {task}.sh echo {task}\n";
const STRICT: &str = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n";

fn repo(tasks: &[PlanTask]) -> TestRepo {
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"));
    repo.file("README.md", "hello\n").plan("demo", tasks).committed().agent(HONEST)
}

/// A task whose test is a shell condition on its file `ID.txt`.
fn condition(id: &str, condition: &str) -> PlanTask {
    let test = format!(
        "# tests/{id}_test.sh\necho 1..1\nif {condition}; then echo 'ok 1 - {id}'; else echo 'not ok 1 - {id}'; exit 1; fi"
    );
    PlanTask::new(id, &format!("Do {id}"))
        .front(&format!("test_file: tests/{id}_test.sh"))
        .section("Test Specification", "sh", &test)
        .section("Output Files", "", &format!("WRITE: {id}.txt\nWRITE: tests/{id}_test.sh"))
        .verified_by(&format!("sh tests/{id}_test.sh"))
}

#[test]
fn without_any_sandbox_a_real_agent_is_refused_and_a_mechanical_one_is_not() {
    let none = "bubblewrap,namespaces,landlock";
    let repo = repo(&[PlanTask::shell("a")]).env("WINDLASS_TEST_WITHOUT", none);
    let refused = repo.run(&[]).ends(4);
    insta::assert_snapshot!(refused.stderr.trim(), @"
    note: the hosts of `cmd:fake-agent` are not known, so it reaches the whole network; `[sandbox] allow` limits it
    error: the agent `cmd:fake-agent` would run without a sandbox here: bubblewrap: disabled for a test; namespaces: disabled for a test; landlock: disabled for a test
      hint: install bubblewrap, or accept that with `--allow-unsandboxed`
    ");
    repo.run(&["--allow-unsandboxed"]).ends(0);
    let named = repo.run(&["--sandbox", "bubblewrap"]).ends(4);
    insta::assert_snapshot!(named.stderr.trim(), @"
    note: the hosts of `cmd:fake-agent` are not known, so it reaches the whole network; `[sandbox] allow` limits it
    error: the sandbox `bubblewrap` is not available here: disabled for a test
      hint: `windlass doctor` lists what is available
    ");
    let doctor = repo.windlass(&["doctor"]);
    assert!(doctor.stdout.contains("off: none: real agents are refused"), "{doctor}");
    repo.windlass(&["demo", "--dir", repo.top().join("demo").to_str().unwrap()]).ends(0);
}

#[test]
fn each_rung_carries_a_plan_out_and_says_which_it_was() {
    for (without, expected) in
        [("", "bubblewrap"), ("bubblewrap", "namespaces"), ("bubblewrap,namespaces", "landlock")]
    {
        let repo = repo(&[PlanTask::shell("a")]).env("WINDLASS_TEST_WITHOUT", without);
        repo.run(&[]).ends(0);
        assert_eq!(evidence_of(&repo), expected);
        let doctor = repo.windlass(&["doctor"]);
        assert!(doctor.stdout.contains(&format!("{expected}: ")), "{doctor}");
    }
}

#[test]
fn a_search_path_that_leads_through_a_link_takes_no_rung_away() {
    let repo = repo(&[PlanTask::shell("a")]).env("WINDLASS_TEST_WITHOUT", "bubblewrap");
    let (real, link) = (repo.top().join("real/tools"), repo.top().join("linked"));
    fs::create_dir_all(real.join("bin")).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let path = format!("{}/bin:{}", link.display(), std::env::var("PATH").unwrap());
    let doctor = repo.env("PATH", &path).windlass(&["doctor"]);
    assert!(doctor.stdout.contains("namespaces: own files"), "{doctor}");
}

/// What the evidence of the first commit says about the sandbox.
fn evidence_of(repo: &TestRepo) -> String {
    let blob =
        repo.git(&["log", "-1", "--format=%(trailers:key=Windlass-Evidence,valueonly)", "windlass/demo"]);
    let record: serde_json::Value =
        serde_json::from_str(&repo.git(&["cat-file", "blob", blob.trim()])).unwrap();
    record["green"]["containment"].as_str().unwrap().to_owned()
}

/// A set-up that leaves a stamp of its own, and tests that want it.
const STAMP: &str = "[setup]\ncommand = \"mkdir -p deps && date +%s%N > deps/stamp && echo fine > deps/word\"\n\
                     inputs = [\"lock.txt\"]\noutputs = [\"deps\"]\n";

#[test]
fn the_set_up_runs_once_and_nobody_can_spoil_what_it_made() {
    let task = |id: &str| condition(id, &format!("grep -q fine deps/word && cmp -s {id}.txt deps/stamp"));
    let tasks = [task("a"), task("b").after(&["a"])];
    for without in ["", "bubblewrap"] {
        let repo = repo(&tasks).env("WINDLASS_TEST_WITHOUT", without);
        repo.write("windlass.toml", STAMP);
        repo.write("lock.txt", "1\n");
        repo.write(".gitignore", "deps/\n");
        repo.commit("set-up");
        fs::write(
            repo.home().join("agent.sh"),
            "cp deps/stamp $WINDLASS_TASK.txt; echo spoiled > deps/word; rm -f deps/stamp",
        )
        .unwrap();
        let home = repo.home().display().to_string();
        let agent = format!("cmd:sh {home}/agent.sh");
        repo.windlass(&["run", "--yes", "--agent", &agent, "--share", &home]).ends(0);
        let stamp = |task: &str| repo.git(&["show", &format!("windlass/demo:{task}.txt")]);
        assert_eq!(stamp("a"), stamp("b"), "one layer for both, without {without:?}");
    }
}

#[test]
fn tests_reach_their_services_and_nothing_else() {
    let port = 18_765;
    let connect = format!("import socket; socket.create_connection(('127.0.0.1', {port}), 5)");
    let wanted = format!("test -e a.txt && python3 -c \"{connect}\" && test -e /tmp/of-the-service");
    let repo = repo(&[condition("a", &wanted)]).agent("write a.txt a\n");
    let serve = format!(
        "[[verify.services]]\nname = \"web\"\ncommand = \"touch /tmp/of-the-service; python3 -m http.server {port} --bind 127.0.0.1\"\n\
         ready = \"python3 -c \\\"{connect}\\\"\"\n"
    );
    repo.write("windlass.toml", &format!("{STRICT}{serve}"));
    repo.commit("services");
    repo.run(&["--yes"]).ends(0);
    assert!(!Path::new("/tmp/of-the-service").exists());
}

#[test]
fn a_secret_is_nowhere_afterwards() {
    let canary = "canary-5c1f0e77a2b94d";
    let agent = "[agents.leaky]\ncommand = \"echo key $MY_API_KEY; echo $MY_API_KEY >&2; env; echo echo a > a.sh\"\nenv = [\"MY_API_KEY\"]\n";
    let writer = "[agents.writer]\ncommand = \"echo echo $MY_API_KEY > a.sh\"\nenv = [\"MY_API_KEY\"]\n";
    let repo = repo(&[PlanTask::shell("a")]).env("MY_API_KEY", canary).env("OTHER_SECRET", canary);
    repo.write("windlass.toml", &format!("{STRICT}{agent}{writer}"));
    repo.commit("agents");
    let refused = repo.windlass(&["run", "--agent", "writer"]).ends(1);
    assert!(refused.stdout.contains("holds the value of `MY_API_KEY`"), "{refused}");
    repo.windlass(&["retry", "a"]).ends(0);
    let done = repo.windlass(&["run", "--agent", "leaky"]).ends(0);
    assert!(!done.stdout.contains(canary), "{done}");
    let logs = repo.windlass(&["logs", "a"]).ends(0);
    assert!(logs.stdout.contains("key [MY_API_KEY]") && !logs.stdout.contains("OTHER_SECRET"), "{logs}");
    assert_eq!(files_with(repo.top(), canary), [""; 0]);
    let history = repo.git(&["log", "--all", "-p", "--format=%B%an%cn"]);
    let notes = repo.git(&["for-each-ref", "--format=%(refname) %(contents)"]);
    assert!(!history.contains(canary) && !notes.contains(canary));
}

/// Files below a directory that hold a text.
fn files_with(dir: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![dir.to_owned()];
    while let Some(dir) = pending.pop() {
        for entry in fs::read_dir(&dir).unwrap().flatten() {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                pending.push(entry.path());
            } else if kind.is_file() {
                let bytes = fs::read(entry.path()).unwrap_or_default();
                if bytes.windows(text.len()).any(|w| w == text.as_bytes()) {
                    found.push(entry.path().display().to_string());
                }
            }
        }
    }
    found
}

/// Words that do something when a shell, git or a terminal takes them for more than words.
const HOSTILE: [&str; 25] = [
    "$(touch PWNED)",
    "`touch PWNED`",
    "; touch PWNED",
    "&& touch PWNED",
    "| touch PWNED",
    "|| touch PWNED #",
    "\ntouch PWNED\n",
    "'; touch PWNED; '",
    "\"; touch PWNED; \"",
    "${IFS}touch${IFS}PWNED",
    "--upload-pack=touch PWNED",
    "--output=PWNED",
    "-o PWNED",
    "--exec=touch PWNED",
    "ext::sh -c 'touch PWNED'",
    "%s%s%n $(touch PWNED)",
    "{{ touch PWNED }}",
    "<(touch PWNED)",
    ">PWNED",
    "!touch PWNED",
    "\u{1b}]0;touch PWNED\u{7}",
    "refs/heads/main..$(touch PWNED)",
    "../../PWNED",
    "a/../../../../PWNED",
    "@{-1}$(touch PWNED)",
];

/// Places in a task where a payload may stand; `@` is it, quoted.
const PLACES: [&str; 20] = [
    "id: @",
    "title: @",
    "description: @",
    "agent: @",
    "owner: @",
    "tier: @",
    "priority: @",
    "branch: @",
    "parent: @",
    "mode: @",
    "test_file: @",
    "tags: [@]",
    "depends_on: [@]",
    "traces_to: [@]",
    "resources: [@]",
    "criteria: [@]",
    "files: {create: [@]}",
    "files: {modify: [@]}",
    "files: {read: [@], delete: [@]}",
    "verify: {coverage: @}",
];

#[test]
fn hostile_words_in_fields_are_only_words() {
    let repo = repo(&[PlanTask::shell("a")]);
    let mut count = 0;
    for (n, payload) in HOSTILE.iter().enumerate() {
        let quoted = serde_json::to_string(payload).unwrap();
        let dir = repo.top().join("hostile").join(n.to_string());
        fs::create_dir_all(dir.join("tasks")).unwrap();
        fs::write(dir.join("plan.toml"), format!("name = {quoted}\n")).unwrap();
        for (m, place) in PLACES.iter().enumerate() {
            let front = place.replace('@', &quoted);
            let text = format!("---\n{front}\n---\n\n# {payload}\n\n## Verification\n\n```sh\ntrue\n```\n");
            fs::write(dir.join(format!("tasks/{m}.md")), text).unwrap();
            count += 1;
        }
        for words in [&["check"][..], &["graph"], &["export", "--to", "json", "--stdout"]] {
            let mut command = repo.command(env!("CARGO_BIN_EXE_windlass"));
            let said = command.args(words).arg(&dir).output().unwrap();
            assert!(said.status.code().is_some_and(|code| code <= 4), "{words:?} {payload:?}: {said:?}");
        }
        assert_eq!(pwned(repo.top()), [""; 0], "{payload:?}");
    }
    assert_eq!(count, 500);
}

/// Files that a payload would have made.
fn pwned(top: &Path) -> Vec<String> {
    let places = [top.to_owned(), top.join("repo"), top.join("home"), top.join("hostile"), top.join("tmp")];
    places
        .iter()
        .map(|dir| dir.join("PWNED"))
        .filter(|path| path.exists())
        .map(|p| p.display().to_string())
        .collect()
}

#[test]
fn hostile_words_are_carried_through_a_whole_run() {
    let mut tasks = Vec::new();
    for (n, payloads) in HOSTILE.chunks(5).enumerate() {
        let words = serde_json::to_string(&payloads.join(" ")).unwrap();
        tasks.push(PlanTask::shell(&format!("t{n}")).front(&format!("description: {words}")));
    }
    let repo = repo(&tasks);
    repo.run(&["--yes"]).ends(0);
    assert_eq!(pwned(repo.top()), [""; 0]);
    assert_eq!(repo.subjects("windlass/demo").len(), tasks.len());
}
