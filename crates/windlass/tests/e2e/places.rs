//! Other machines: attempts run there and come back; one that is lost, lies or is not there costs no attempt.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use windlass_testkit::{PlanTask, TestRepo, eventually, left_behind, place_between_program};

use crate::budget;
use crate::machines::{OtherMachine, SshServer, freeze, kill, search_path};
use crate::world::{HONEST, evidence, states, users_own, with_plan};

/// Settings under which the only attempts that run here are those that must.
fn settings(launch: &[&str], slots: u32) -> String {
    settings_of(&format!("big]\nlaunch = {launch:?}\nslots = {slots}\n"))
}

/// The same with a place whose table begins so.
pub(crate) fn settings_of(place: &str) -> String {
    format!("[limits]\njobs = 1\n[sandbox]\nwrite = [\"~/\"]\n[places.{place}")
}

fn two_apart(launch: &[&str]) -> TestRepo {
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b")]);
    repo.write("windlass.toml", &settings(launch, 4));
    repo.commit("places");
    repo
}

/// The place of every try that was merged.
pub(crate) fn places(repo: &TestRepo) -> Vec<(String, Option<String>, usize)> {
    let out = repo.windlass(&["status", "--json", "--all"]).ends(0);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    let of = |task: &serde_json::Value| {
        let tries = task["attempts"].as_array().unwrap();
        let place = tries.last().unwrap()["place"].as_str().map(str::to_owned);
        (task["id"].as_str().unwrap().to_owned(), place, tries.len())
    };
    json["tasks"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn attempts_run_elsewhere_and_come_back() {
    let machine = OtherMachine::new(HONEST);
    let repo = two_apart(&["false"]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 4));
    repo.commit("the way there");
    let before = users_own(&repo);
    let run = repo.run(&[]).ends(0).says("by cmd:fake-agent at big");
    assert!(!run.stdout.contains("was lost"), "{run}");
    for (task, place, tries) in places(&repo) {
        assert_eq!((place.as_deref(), tries), (Some("big"), 1), "{task}");
    }
    let records = evidence(&repo, "windlass/demo");
    assert_eq!(records.len(), 2);
    assert!(records.iter().all(|e| e.place.as_deref() == Some("big")), "the evidence names the place");
    repo.windlass(&["show", "a"]).ends(0).says("at big");
    repo.windlass(&["audit"]).ends(0);
    assert_eq!(users_own(&repo), before);
    eventually("nothing is left running there", || machine.is_quiet());
    assert!(machine.dir.path().join("cache/windlass/places").is_dir());
    let clean = repo.start_with(
        &[("XDG_CACHE_HOME", machine.dir.path().join("cache").to_str().unwrap())],
        &["attend", "--clean"],
    );
    clean.wait().ends(0);
    let left = fs::read_dir(machine.dir.path().join("cache/windlass")).unwrap().count();
    assert_eq!(left, 0, "`--clean` leaves nothing");
}

#[test]
fn a_machine_that_dies_costs_no_attempt() {
    // The first turn there never ends; its machine is killed meanwhile.
    let machine = OtherMachine::new(
        "shell test -e {home}/killed || { touch {home}/begun; sleep 600; }\nwrite {task}.sh echo {task}\n",
    );
    let repo = with_plan(&[PlanTask::shell("a")]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 2));
    repo.commit("places");
    let run = repo.start_run(&[]);
    eventually("the attempt has begun there", || machine.dir.path().join("home/begun").exists());
    fs::write(machine.dir.path().join("home/killed"), "").unwrap();
    let attends = machine.attendants();
    assert!(!attends.is_empty(), "it attends");
    for left in &attends {
        kill(left.pid);
    }
    let run = run.wait().ends(0).says("place big was lost");
    assert!(run.stdout.contains("no attempt is used up"), "{run}");
    assert_eq!(states(&repo), [("a".to_owned(), "completed".to_owned())]);
    eventually("nothing is left running there", || machine.is_quiet());
    assert_eq!(repo.left_behind(), []);
}

#[test]
#[ignore = "takes half a minute of silence; scripts/torture runs it"]
fn a_machine_that_freezes_is_noticed_by_its_silence() {
    let machine = OtherMachine::new(
        "shell test -e {home}/frozen || { touch {home}/begun; sleep 600; }\nwrite {task}.sh echo {task}\n",
    );
    let repo = with_plan(&[PlanTask::shell("a")]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 2));
    repo.commit("places");
    let run = repo.start_run(&[]);
    eventually("the attempt has begun there", || machine.dir.path().join("home/begun").exists());
    fs::write(machine.dir.path().join("home/frozen"), "").unwrap();
    for left in machine.attendants() {
        freeze(left.pid);
    }
    run.wait_long().ends(0).says("nothing was heard for 30 s").says("no attempt is used up");
    eventually("nothing is left running there", || machine.is_quiet());
}

#[test]
fn what_is_written_there_is_seen_here_while_it_is_written() {
    let machine = OtherMachine::new(
        "shell echo half way there; until test -e {home}/seen; do sleep 0.1; done\nwrite {task}.sh echo {task}\n",
    );
    let repo = with_plan(&[PlanTask::shell("a")]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 2));
    repo.commit("places");
    let run = repo.start_run(&[]);
    let shown = || {
        let mut look = Command::new("grep");
        look.args(["-r", "--include=*.merged", "half way there"]).arg(repo.top());
        look.output().is_ok_and(|found| !found.stdout.is_empty())
    };
    eventually("its output is here", shown);
    fs::write(machine.dir.path().join("home/seen"), "").unwrap();
    run.wait().ends(0);
    assert_eq!(places(&repo)[0].1.as_deref(), Some("big"));
    repo.windlass(&["logs", "a"]).ends(0).says("half way there");
}

/// Every way in which a place can be wrong, with what is said about it.
const WRONG: [(&str, &str); 14] = [
    ("version", "it has windlass 9.9.9"),
    ("other-attempt", "of another attempt"),
    ("forbidden", "a place has no say in"),
    ("ref-outside", "it wants to write the ref `refs/heads/main`"),
    ("no-objects", "missing"),
    ("other-commit", "missing"),
    ("bomb", "unpacks to more than"),
    ("too-much", "it sent 1099511627776 bytes at once"),
    ("garbage", "does not follow the protocol"),
    ("flip", "a frame was changed on its way"),
    ("cut", "the connection was closed"),
    ("absent", "cannot be started"),
    ("host", "the command said: ssh: Could not resolve hostname nowhere"),
    ("shell", "; it said: welcome; bash: line 1: windlass: command not found"),
];

#[test]
fn a_place_that_lies_is_lost_and_nothing_of_it_counts() {
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((mode, words)) =
                    WRONG.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    lies(mode, words);
                }
            });
        }
    });
}

fn lies(mode: &str, words: &str) {
    let machine = OtherMachine::new(HONEST);
    let repo = two_apart(&["false"]);
    let door = machine.door(&repo);
    let between = place_between_program();
    let launch = match mode {
        "absent" => vec!["/no/such/program"],
        "host" => vec!["sh", "-c", "echo 'ssh: Could not resolve hostname nowhere' >&2; exit 255"],
        "shell" => {
            vec!["sh", "-c", "echo welcome; echo 'bash: line 1: windlass: command not found'; exit 127"]
        }
        _ => vec![between.to_str().unwrap(), mode, door.to_str().unwrap()],
    };
    repo.write("windlass.toml", &settings(&launch, 4));
    repo.commit("places");
    let main = repo.git(&["rev-parse", "main"]);
    let run = repo.run(&[]);
    assert_eq!(run.code, Some(0), "{mode}\n{run}");
    assert!(
        run.stdout.contains("place big was lost") && run.stdout.contains(words),
        "{mode}: {words}\n{run}"
    );
    assert_eq!(repo.git(&["rev-parse", "main"]), main, "{mode}");
    for (task, place, _) in places(&repo) {
        assert_eq!(place, None, "{mode}: `{task}` was completed here");
    }
    let failed = repo.windlass(&["show", "a", "--json"]).ends(0);
    assert!(!failed.stdout.contains("\"failure\""), "{mode}: no attempt was used up\n{failed}");
    assert_eq!(repo.left_behind(), [], "{mode}");
}

/// What a place may lack, by the variables of its door, with what is said about it.
const LACKS: [(&str, &str); 3] = [
    ("", "agent `cmd:fake-agent` is not installed at this place"),
    ("WINDLASS_TEST_WITHOUT=bubblewrap", "and `bubblewrap` is asked for"),
    ("WINDLASS_TEST_WITHOUT=bubblewrap,namespaces,landlock", "would run without a sandbox here"),
];

#[test]
fn what_a_place_lacks_is_said_and_costs_no_attempt() {
    for (lack, words) in LACKS {
        let machine = OtherMachine::new(HONEST);
        let repo = with_plan(&[PlanTask::shell("a")]);
        let bin = if lack.is_empty() { "/nowhere".into() } else { repo.top().join("bin") };
        let door = machine.door_with(&format!("PATH={}:{} {lack}", bin.display(), search_path()));
        let least = if words.contains("asked for") { "sandbox = \"bubblewrap\"\n" } else { "" };
        repo.write("windlass.toml", &(settings(&[door.to_str().unwrap()], 2) + least));
        repo.commit("places");
        let run = repo.run(&[]).ends(0).says("place big was lost").says(words).says("it rests for 1");
        assert_eq!(run.stdout.matches("was lost:").count(), 1, "it is not asked again\n{run}");
        assert_eq!(places(&repo)[0].1, None, "{run}");
        let failed = repo.windlass(&["show", "a", "--json"]).ends(0);
        assert!(!failed.stdout.contains("\"failure\""), "no attempt was used up\n{failed}");
    }
}

#[test]
fn a_place_whose_disk_is_full_says_so_and_costs_no_attempt() {
    let machine = OtherMachine::new(HONEST);
    let repo = with_plan(&[PlanTask::shell("a")]);
    let (door, cache) = (machine.door(&repo), machine.dir.path().join("cache"));
    // Its cache is a small disk of its own.
    let small = ["bwrap", "--dev-bind", "/", "/", "--size", "8388608", "--tmpfs", cache.to_str().unwrap()];
    let launch: Vec<&str> = small.into_iter().chain([door.to_str().unwrap()]).collect();
    repo.write("windlass.toml", &(settings(&launch, 2) + "verify = true\n"));
    repo.commit("places");
    let run = repo.run(&[]).ends(0).says("place big was lost").says("MiB left on the disk of the cache");
    assert_eq!(run.stdout.matches("was lost:").count(), 1, "it is not asked again\n{run}");
    assert_eq!(places(&repo)[0].1, None, "{run}");
    let failed = repo.windlass(&["show", "a", "--json"]).ends(0);
    assert!(!failed.stdout.contains("\"failure\""), "no attempt was used up\n{failed}");
}

#[test]
fn a_disk_that_fills_up_at_a_place_in_the_middle_of_an_attempt_costs_none() {
    // What fails there is the agent, and its attempt with it; the disk is why.
    let machine = OtherMachine::new("shell head -c 110000000 /dev/zero >ballast; exit 1\n");
    let repo = with_plan(&[PlanTask::shell("a")]);
    let (door, cache) = (machine.door(&repo), machine.dir.path().join("cache"));
    let small = ["bwrap", "--dev-bind", "/", "/", "--size", "167772160", "--tmpfs", cache.to_str().unwrap()];
    let launch: Vec<&str> = small.into_iter().chain([door.to_str().unwrap()]).collect();
    repo.write("windlass.toml", &settings(&launch, 2));
    repo.commit("places");
    let run = repo.run(&[]).ends(0).says("place big was lost").says("MiB left on the disk of the cache");
    assert_eq!(run.stdout.matches("was lost:").count(), 1, "it is not asked again\n{run}");
    let failed = repo.windlass(&["show", "a", "--json"]).ends(0);
    assert!(!failed.stdout.contains("\"failure\""), "no attempt was used up\n{failed}");
}

/// A `bwrap` that does not end, and whose inner processes begin one after the other: a sandbox that is just being made.
const SLOW_BWRAP: &str = "#!/bin/bash
here=$(dirname \"$0\")
case $1 in --version) echo bubblewrap 0.12.0; exit;; esac
echo $$ >>$here/pids
while :; do sleep 600 & echo $! >>$here/pids; sleep 0.02; done
";

#[test]
fn nothing_is_left_of_a_place_that_is_killed_while_it_tries_its_sandbox() {
    let machine = OtherMachine::new(HONEST);
    let bin = machine.dir.path().join("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("bwrap"), SLOW_BWRAP).unwrap();
    fs::set_permissions(bin.join("bwrap"), fs::Permissions::from_mode(0o755)).unwrap();
    let door = machine.door_with(&format!("PATH={}:{}", bin.display(), search_path()));
    let mut attends = Command::new(&door);
    attends.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::null());
    let mut attends = attends.spawn().unwrap();
    let hello = serde_json::json!({ "say": "hello", "protocol": 3, "version": env!("CARGO_PKG_VERSION") });
    let hello = windlass_testkit::frame(b'm', hello.to_string().as_bytes());
    std::io::Write::write_all(attends.stdin.as_mut().unwrap(), &hello).unwrap();
    let started = || -> Vec<u32> {
        let text = fs::read_to_string(bin.join("pids")).unwrap_or_default();
        text.lines().filter_map(|pid| pid.parse().ok()).collect()
    };
    eventually("the sandbox is being tried", || started().len() > 3);
    attends.kill().unwrap();
    attends.wait().unwrap();
    eventually("everything of the trial has ended", || !started().into_iter().any(is_alive));
}

fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// A program that speaks as Qwen Code does and writes the file of its task.
const QWEN: &str = r#"#!/bin/bash
case $1 in --version) echo 99.0.0; exit;; esac
cat >/dev/null
echo '{"type":"system","subtype":"init","cwd":"/","session_id":"s-1","tools":[],"mcp_servers":[],"model":"m"}'
echo "echo $WINDLASS_TASK" >$WINDLASS_TASK.sh
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"session_id":"s-1","result":"Done.","usage":{},"permission_denials":[]}'
"#;

#[test]
fn a_login_is_used_where_it_is_and_sent_only_if_asked_for() {
    const SECRET: &str = "sk-nobodys-0123456789abcdef";
    for (logins, words) in
        [("", "Qwen Code is not logged in at this place"), ("logins = [\"OPENAI_API_KEY\"]\n", "")]
    {
        let machine = OtherMachine::new(HONEST);
        let repo = with_plan(&[PlanTask::shell("a")]).env("OPENAI_API_KEY", SECRET);
        let program = repo.top().join("qwen-like");
        fs::write(&program, QWEN).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let door = machine.door_with(&format!("PATH={}", search_path()));
        let agent = format!("[agents.qwen]\nprogram = {:?}\n", program.display().to_string());
        let text = settings(&[door.to_str().unwrap()], 2) + logins + &agent;
        repo.write("windlass.toml", &text);
        repo.commit("places");
        let run = repo.start(&["run", "--yes", "--agent", "qwen"]).wait().ends(0);
        assert_eq!(run.stdout.contains("was lost"), !words.is_empty(), "{run}");
        assert!(run.stdout.contains(words), "{words}\n{run}");
        let place = words.is_empty().then(|| "big".to_owned());
        assert_eq!(places(&repo)[0].1, place, "{run}");
        let kept = Command::new("grep").args(["-rl", SECRET]).args([machine.dir.path(), repo.top()]).output();
        assert_eq!(String::from_utf8_lossy(&kept.unwrap().stdout), "", "the log-in is in no file");
    }
}

#[test]
fn a_limit_of_money_holds_over_all_places() {
    const LIMIT: f64 = 0.9;
    let machine = OtherMachine::new(HONEST);
    let tasks = ["a", "b", "c", "d", "e", "f"].map(PlanTask::shell);
    let repo = with_plan(&tasks).env("OPENAI_API_KEY", "sk-nobodys");
    let program = repo.top().join("fake-qwen");
    fs::write(&program, budget::program(3)).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let door = machine.door(&repo);
    let agent = format!("[agents.qwen]\nprogram = {:?}\nmodel = \"dear\"\n", program.display().to_string());
    let logins = "logins = [\"OPENAI_API_KEY\"]\n";
    let text = settings(&[door.to_str().unwrap()], 2) + logins + &agent + budget::PRICE;
    repo.write("windlass.toml", &text);
    repo.commit("places");
    let args = ["run", "--yes", "--agent", "qwen", "--max-cost", &LIMIT.to_string()];
    let run = repo.start(&args).wait_long().ends(3);
    let (cost, _) = budget::spent(&repo);
    // An answer costs up to 0.2. What is spent there is heard here half a second later.
    assert!(cost <= LIMIT + 0.4, "{cost} of {LIMIT}\n{run}");
    assert!(run.stdout.contains("US dollars are spent: no further turn"), "{run}");
    assert!(run.stdout.contains("at big") && !run.stdout.contains("was lost"), "{run}");
    eventually("nothing is left running there", || machine.is_quiet());
}

#[test]
fn stopping_a_run_ends_its_attempts_elsewhere() {
    let machine = OtherMachine::new("write {home}/begun yes\nwait-for {home}/never\n");
    let repo = with_plan(&[PlanTask::shell("a").front("needs: [there]")]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &(settings(&[door.to_str().unwrap()], 1) + "labels = [\"there\"]\n"));
    repo.commit("places");
    let run = repo.start_run(&[]);
    eventually("it has begun there", || machine.dir.path().join("home/begun").exists());
    run.interrupt();
    let run = run.wait().ends(130).says("continues from here");
    assert!(!run.stdout.contains("was lost"), "{run}");
    eventually("nothing is left running there", || machine.is_quiet());
    fs::write(machine.dir.path().join("home/agent-script"), HONEST).unwrap();
    repo.run(&[]).ends(0);
    assert_eq!(places(&repo)[0].1.as_deref(), Some("big"));
}

#[test]
fn a_repository_with_a_submodule_and_large_files_goes_there_as_it_is_here() {
    let machine = OtherMachine::new(HONEST);
    let repo = two_apart(&["false"]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 4));
    repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    repo.write("big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n");
    // As git leaves a submodule that was not fetched.
    fs::create_dir(repo.path("lib")).unwrap();
    let head = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},lib", head.trim())]);
    repo.commit("a submodule and a large file");
    let run = repo.run(&[]).ends(0);
    assert!(!run.stdout.contains("was lost"), "{run}");
    assert!(places(&repo).iter().all(|(_, place, tries)| place.is_some() && *tries == 1), "{run}");
    let tree = repo.git(&["ls-tree", "windlass/demo"]);
    assert!(tree.contains("160000 commit") && tree.contains("big.bin"), "{tree}");
}

#[test]
fn noise_and_repeated_words_of_a_place_change_nothing() {
    for mode in ["honest", "noise", "other-nonce", "twice"] {
        let machine = OtherMachine::new(HONEST);
        let repo = two_apart(&["false"]);
        let door = machine.door(&repo);
        let between = place_between_program();
        repo.write("windlass.toml", &settings(&[between.to_str().unwrap(), mode, door.to_str().unwrap()], 4));
        repo.commit("places");
        let run = repo.run(&[]).ends(0);
        assert!(!run.stdout.contains("was lost"), "{mode}\n{run}");
        assert!(
            places(&repo).iter().all(|(_, place, tries)| place.is_some() && *tries == 1),
            "{mode}\n{run}"
        );
    }
}

#[test]
fn what_a_launcher_leaves_in_the_background_is_not_ended_with_an_attempt_here() {
    // As podman's `conmon` and the master of ssh's shared connections: the connections of others run through it.
    let machine = OtherMachine::new(HONEST);
    let repo = two_apart(&["false"]);
    let (door, pid) = (machine.door(&repo), machine.dir.path().join("pid"));
    let leaves = format!(
        "test -e {pid} || (setsid sh -c 'echo $$ >{pid}; exec sleep 300' </dev/null >/dev/null 2>&1 &); {door}",
        pid = pid.display(),
        door = door.display()
    );
    repo.write("windlass.toml", &settings(&["sh", "-c", &leaves], 1));
    repo.commit("places");
    let run = repo.run(&[]).ends(0);
    assert!(!run.stdout.contains("was lost"), "{run}");
    let mut ran: Vec<_> = places(&repo).into_iter().map(|(_, place, _)| place).collect();
    ran.sort();
    assert_eq!(ran, [None, Some("big".to_owned())], "one attempt ran here and one there\n{run}");
    let left: u32 = fs::read_to_string(pid).unwrap().trim().parse().unwrap();
    assert!(is_alive(left), "what was left in the background goes on");
    kill(left);
}

#[test]
fn what_a_task_needs_decides_where_it_runs() {
    let machine = OtherMachine::new(HONEST);
    let repo = with_plan(&[PlanTask::shell("a").front("needs: [gpu]"), PlanTask::shell("b")]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &(settings(&[door.to_str().unwrap()], 1) + "labels = [\"gpu\"]\n"));
    repo.commit("places");
    repo.run(&[]).ends(0);
    let a = places(&repo).into_iter().find(|(task, _, _)| task == "a").unwrap();
    assert_eq!(a.1.as_deref(), Some("big"));
    // Without such a place the run does not start.
    repo.write("windlass.toml", "");
    repo.commit("no places");
    let again = with_plan(&[PlanTask::shell("a").front("needs: [gpu]")]);
    again.run(&[]).ends(2).says("no place has").says("gpu");
}

#[test]
fn a_processor_that_a_task_needs_decides_where_it_runs() {
    let machine = OtherMachine::new(HONEST);
    let tasks = [PlanTask::shell("a").front("needs: [s390x]"), PlanTask::shell("b").front("needs: [amd64]")];
    let repo = with_plan(&tasks);
    let door = machine.door(&repo);
    let between = place_between_program();
    let other = settings(&[between.to_str().unwrap(), "arch", door.to_str().unwrap()], 4);
    repo.write("windlass.toml", &other);
    repo.commit("places");
    if std::env::consts::ARCH == "x86_64" {
        repo.run(&[]).ends(0);
        let mut ran = places(&repo);
        ran.sort();
        let (a, b) = (&ran[0], &ran[1]);
        assert_eq!(
            (a.1.as_deref(), b.1.as_deref()),
            (Some("big"), None),
            "as the machines say of themselves"
        );
    }
    // Without that machine, or if nothing is heard of it, the run does not start.
    let alone = with_plan(&tasks);
    alone.run(&[]).ends(2).says("no place has what `a` needs: `s390x`");
    let silent = with_plan(&tasks);
    silent.write("windlass.toml", &settings(&["sh", "-c", "echo no such host >&2; exit 255"], 1));
    silent.commit("places");
    let run = silent.run(&[]).ends(2).says("it is not known which processor the place `big` has");
    assert!(
        run.stderr.contains("no such host") && run.stderr.contains("no place has what `a` needs"),
        "{run}"
    );
    // A label that is wrong is found out, and costs no attempt.
    let wrong = with_plan(&tasks[..1]);
    let both = settings(&[door.to_str().unwrap()], 9)
        + "labels = [\"s390x\"]\n"
        + &other
            .replace("big", "other")
            .split_once("[places")
            .map(|(_, place)| format!("[places{place}"))
            .unwrap();
    wrong.write("windlass.toml", &both);
    wrong.commit("places");
    let run = wrong.run(&[]).ends(0).says("and the task needs `s390x`: correct its `labels`");
    assert_eq!(places(&wrong)[0].1.as_deref(), Some("other"), "{run}");
    let failed = wrong.windlass(&["show", "a", "--json"]).ends(0);
    assert!(!failed.stdout.contains("\"failure\""), "no attempt was used up\n{failed}");
}

#[test]
fn doctor_tells_what_works_at_a_place() {
    let machine = OtherMachine::new(HONEST);
    let repo = two_apart(&["false"]);
    let door = machine.door(&repo);
    repo.write("windlass.toml", &settings(&[door.to_str().unwrap()], 1));
    let told = repo.windlass(&["doctor", "--place", "big"]).ends(0);
    for words in ["answered after", "a megabyte takes", "sandbox"] {
        assert!(told.stdout.contains(words), "{told}");
    }
    repo.windlass(&["doctor", "--place", "small"]).ends(2).says("there is no place `small`").says("`big`");
    repo.write("windlass.toml", &settings(&["sh", "-c", "echo no such host >&2; exit 255"], 1));
    let silent = repo.windlass(&["doctor", "--place", "big"]).ends(4).says("no such host");
    assert!(silent.stdout.contains("start the command yourself"), "{silent}");
    assert!(
        silent.stdout.contains("`big` cannot be used: `windlass run` would go on without it"),
        "{silent}"
    );
    // What answers and says no needs no other command, and what it needs is said.
    let between = place_between_program();
    let other = settings(&[between.to_str().unwrap(), "version", door.to_str().unwrap()], 1);
    repo.write("windlass.toml", &other);
    let told = repo.windlass(&["doctor", "--place", "big"]).ends(4).says("install the same version there");
    assert!(!told.stdout.contains("start the command yourself"), "{told}");
    let odd = settings(&[door.to_str().unwrap()], 0) + "logins = [\"NO_SUCH_KEY\"]\n";
    repo.write("windlass.toml", &odd);
    let told = repo.windlass(&["doctor", "--place", "big"]).ends(0).says("0: nothing runs there");
    assert!(told.stdout.contains("`NO_SUCH_KEY` is not set here"), "{told}");
}

#[test]
fn attempts_run_behind_a_real_ssh_server_and_outlive_a_cut_connection() {
    let server = SshServer::start();
    let machine = OtherMachine::new(
        "shell test -e {home}/cut || { touch {home}/begun; sleep 600; }\nwrite {task}.sh echo {task}\n",
    );
    let repo = with_plan(&["a", "b"].map(|id| PlanTask::shell(id).front("needs: [there]")));
    let launch = server.launch(&machine.door(&repo));
    let launch: Vec<&str> = launch.iter().map(String::as_str).collect();
    // Nothing runs here: what is lost there is tried there again.
    let text = settings(&launch, 2) + "labels = [\"there\"]\n";
    repo.write("windlass.toml", &text);
    repo.commit("places");
    repo.windlass(&["doctor", "--place", "big"]).ends(0).says("answered after");
    let run = repo.start_run(&[]);
    eventually("an attempt has begun there", || machine.dir.path().join("home/begun").exists());
    fs::write(machine.dir.path().join("home/cut"), "").unwrap();
    // The client is killed: the other side sees the end of its input and cleans up.
    let clients = left_behind(&format!("HOME={}", repo.home().display()));
    let clients: Vec<_> = clients.iter().filter(|left| left.command.starts_with("ssh ")).collect();
    assert!(!clients.is_empty());
    for client in clients {
        kill(client.pid);
    }
    let run = run.wait_long().ends(0).says("place big was lost");
    for (task, place, _) in places(&repo) {
        assert_eq!(place.as_deref(), Some("big"), "{task}\n{run}");
    }
    eventually("nothing is left running there", || machine.is_quiet());
}
