//! Programs in the place of the real command line agents that do what real ones should not: flood, babble, ask, loop,
//! wander off, tell secrets, be too old, be strangers.

use windlass_testkit::{Outcome, PlanTask, TestRepo, eventually};

use crate::world::{STRICT, empty, state};

const KEY: &str = "sk-a-very-secret-key-0123456789";
const INIT: &str = r#"{"type":"system","subtype":"init","cwd":"/","session_id":"s-1","tools":[],"mcp_servers":[],"model":"model-c"}"#;

/// The end of a run that says these words.
fn end(words: &str) -> String {
    format!(
        r#"{{"type":"result","subtype":"success","is_error":false,"num_turns":1,"session_id":"s-1","result":{words:?},"total_cost_usd":0.01,"usage":{{"input_tokens":100,"output_tokens":10}},"modelUsage":{{}},"permission_denials":[]}}"#
    )
}

/// A repository with one task for a program that is this script.
fn with_program(kind: &str, table: &str, script: &str) -> TestRepo {
    let repo = empty().env("ANTHROPIC_API_KEY", KEY).env("CODEX_API_KEY", KEY).env("OPENAI_API_KEY", KEY);
    let program = repo.top().join(format!("fake-{kind}"));
    let known = "case $1 in --version) echo 99.0.0; exit;; esac";
    std::fs::write(&program, format!("#!/bin/bash\n{known}\nbrief=$(cat)\n{script}\n")).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).unwrap();
    let config = format!(
        "{STRICT}[agents]\nmedium = \"{kind}\"\n[agents.{kind}]\nprogram = \"{}\"\n{table}\n",
        program.display()
    );
    repo.file("README.md", "hello\n")
        .file("windlass.toml", &config)
        .plan("demo", &[PlanTask::shell("a")])
        .committed()
}

fn claude(script: &str) -> TestRepo {
    with_program("claude", "", script)
}

fn run(repo: &TestRepo) -> Outcome {
    let outcome = repo.windlass(&["run", "--yes"]);
    assert_eq!(repo.left_behind(), [], "{outcome}");
    outcome
}

/// A run whose only try fails, and why.
#[track_caller]
fn fails(repo: &TestRepo) -> String {
    let outcome = run(repo).ends(1);
    assert_eq!(repo.subjects("windlass/demo"), [""; 0], "{outcome}");
    outcome.stdout.lines().find(|l| l.starts_with('✘')).unwrap_or_default().to_owned()
}

#[test]
fn lines_beyond_all_measure_and_bytes_that_are_no_text_do_not_matter() {
    let done = end("It is there.");
    let repo = claude(&format!(
        "echo '{INIT}'\nhead -c 10000000 /dev/zero | tr '\\0' 'x'; echo\n\
         printf '{{\"type\":\"assistant\",\"text\":\"'; head -c 10000000 /dev/zero | tr '\\0' 'y'; printf '\"}}\\n'\n\
         printf '\\xff\\xfe\\x00 no text \\xc3\\x28\\n'\necho 'echo a' >a.sh\necho '{done}'"
    ));
    run(&repo).ends(0);
    assert_eq!(repo.subjects("windlass/demo"), ["a: Say a"]);
    let show = repo.windlass(&["show", "a"]).ends(0).stdout;
    assert!(show.contains("$0.01") && show.contains("s-1"), "{show}");
    let logs = repo.windlass(&["logs", "a"]).ends(0).stdout;
    assert!(logs.len() < 1 << 20, "{} bytes", logs.len());
}

#[test]
fn silence_prose_and_half_a_run_are_no_work() {
    let silent = fails(&claude("exit 0"));
    assert!(silent.contains("it ended without an end"), "{silent}");
    let prose = fails(&claude("echo 'echo a' >a.sh\necho 'All done!'"));
    assert!(prose.contains("it ended without an end"), "{prose}");
    let cut =
        fails(&claude(&format!("echo '{INIT}'\necho 'echo a' >a.sh\necho '{{\"type\":\"result\",\"is_e'")));
    assert!(cut.contains("it ended without an end"), "{cut}");
    let lied =
        fails(&claude(&format!("echo '{INIT}'\necho 'echo a' >a.sh\necho '{}'\nexit 9", end("Done."))));
    assert!(lied.contains("exit code 9"), "{lied}");
}

#[test]
fn a_question_is_not_answered_and_the_next_try_knows() {
    let (ask, done) = (end("I looked. Which greeting do you want? Tell me."), end("It is there."));
    let script = format!(
        "echo '{INIT}'\nif [[ $brief == *'Which greeting do you want'*'Nobody answers questions'* ]]; then \
         echo 'echo a' >a.sh; echo '{done}'; else echo '{ask}'; fi"
    );
    let repo = claude(&script);
    repo.write("windlass.toml", &repo.read("windlass.toml").replace("same_agent = 0", "same_agent = 1"));
    let outcome = run(&repo).ends(0);
    assert!(outcome.stdout.contains("asked"), "{outcome}");
    assert_eq!(repo.subjects("windlass/demo"), ["a: Say a"]);
}

#[test]
fn who_asks_twice_or_declines_twice_is_read_by_a_person() {
    let twice = |repo: TestRepo| {
        let ladder = repo.read("windlass.toml").replace("same_agent = 0", "same_agent = 3");
        repo.write("windlass.toml", &ladder);
        let outcome = run(&repo).ends(3);
        assert_eq!(state(&repo, "a"), "blocked", "{outcome}");
        outcome
    };
    let ask = end("Which greeting do you want?");
    let outcome = twice(claude(&format!("echo '{INIT}'\necho '{ask}'")));
    let wanted = "needs you: the agent changed nothing and asked: Which greeting do you want?";
    assert!(outcome.stdout.contains(wanted), "{outcome}");
    assert_eq!(outcome.stdout.matches("✘ a").count(), 2, "{outcome}");
    let refused =
        end("I will not say that.").replace("\"num_turns\"", "\"stop_reason\":\"refusal\",\"num_turns\"");
    let outcome = twice(claude(&format!("echo '{INIT}'\necho '{refused}'")));
    assert!(outcome.stdout.contains("changed nothing and declined: I will not say that."), "{outcome}");
}

#[test]
fn a_loop_is_ended_where_the_program_does_not_end_it() {
    let item = r#"{"type":"item.started","item":{"id":"i","type":"command_execution","command":"ls"}}"#;
    let script = format!(
        "echo '{{\"type\":\"thread.started\",\"thread_id\":\"t-1\"}}'\nwhile true; do echo '{item}'; sleep 0.01; done"
    );
    let said = fails(&with_program("codex", "max_turns = 20", &script));
    assert!(said.contains("it took more than 20 turns"), "{said}");
    let quiet = fails(&with_program("codex", "idle = \"1s\"", "sleep 60"));
    assert!(quiet.contains("silent"), "{quiet}");
}

#[test]
fn tokens_that_cost_more_than_allowed_end_the_turn() {
    let step = |n: u32| {
        format!(
            r#"{{"type":"assistant","message":{{"id":"m{n}","role":"assistant","model":"dear","content":[{{"type":"text","text":"hm"}}],"usage":{{"input_tokens":1000000,"output_tokens":0}}}},"session_id":"s-1"}}"#
        )
    };
    let script = format!("echo '{INIT}'\necho '{}'\necho '{}'\nsleep 60", step(1), step(2));
    let table =
        "max_budget_usd = 1.5\nenv = [\"OPENAI_API_KEY\"]\n[prices.dear]\ninput = 1.0\noutput = 1.0\n";
    let said = fails(&with_program("qwen", table, &script));
    assert!(said.contains("it spent more than $1.5"), "{said}");
}

#[test]
fn what_is_not_its_own_is_left_out() {
    let done = end("It is there.");
    let repo = claude(&format!("echo '{INIT}'\necho 'echo a' >a.sh\necho x >README.md\necho '{done}'"));
    let outcome = run(&repo).ends(0);
    assert!(outcome.stdout.contains("left out of the candidate (out-of-scope): `README.md`"), "{outcome}");
}

/// A program that asks its way out, and does its task.
fn curious() -> TestRepo {
    let ask = "python3 -c 'import urllib.request as u; u.urlopen(\"http://pypi.invalid/\", timeout=20)'";
    claude(&format!("echo '{INIT}'\n{ask}\necho 'echo a' >a.sh\necho '{}'", end("It is there.")))
}

#[test]
fn what_an_agent_asks_of_the_network_is_told() {
    let repo = curious();
    run(&repo).ends(0).says("network: refused `pypi.invalid:80`");
    let show = repo.windlass(&["show", "a"]).ends(0);
    show.says("note: network: refused `pypi.invalid:80`; agents reach their model only, `[sandbox] allow` adds hosts");
    let allowed = curious();
    let config = allowed.read("windlass.toml");
    allowed.write("windlass.toml", &format!("{config}[sandbox]\nallow = [\"pypi.invalid\"]\n"));
    run(&allowed).ends(0).says("network: `pypi.invalid:80` cannot be reached: its name does not resolve");
    let wrong = curious();
    let config = wrong.read("windlass.toml");
    wrong.write(
        "windlass.toml",
        &format!("{config}[sandbox]\nallow = [\"https://a.org\", \"b.org\", \"c.org:x\"]\n"),
    );
    let refused = wrong.windlass(&["run", "--yes"]).ends(2);
    assert_eq!(refused.stderr.matches("is not a host").count(), 2, "{refused}");
}

#[test]
fn a_sandbox_without_a_network_of_its_own_is_told() {
    let repo = curious().env("WINDLASS_TEST_WITHOUT", "bubblewrap,namespaces");
    run(&repo)
        .ends(0)
        .says("network: agents reach the whole network, because the sandbox `landlock` has no network");
}

#[test]
fn secrets_are_kept_nowhere() {
    let done = end("The key is KEY.").replace("KEY", "'\"$ANTHROPIC_API_KEY\"'");
    let repo = claude(&format!("echo '{INIT}'\nenv\nenv >&2\necho 'echo a' >a.sh\necho '{done}'"));
    run(&repo).ends(0);
    for args in [
        &["logs", "a", "--raw"][..],
        &["logs", "a"],
        &["show", "a"],
        &["show", "a", "--json"],
        &["report", "--format", "json"],
    ] {
        let out = repo.windlass(args).ends(0);
        assert!(!out.to_string().contains(KEY), "{args:?}");
    }
    let found = repo.command("grep").args(["-rl", KEY, ".git"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout), "", "a file holds the key");
}

/// The line of a refused request.
fn refusal(status: u32) -> String {
    format!(
        r#"{{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":611,"error_status":{status},"error":"refused","session_id":"s-1"}}"#
    )
}

#[test]
fn a_provider_that_refuses_is_stopped_once_and_goes_on_when_told() {
    for (status, said) in [(401, "Claude Code is not logged in"), (402, "wants to be paid")] {
        let script = format!("echo '{INIT}'\necho '{}'\nsleep 60", refusal(status));
        let repo = claude(&script).plan("demo", &["a", "b", "c"].map(PlanTask::shell));
        let outcome = repo.windlass(&["run", "--yes", "--jobs", "2"]).ends(3);
        assert_eq!(outcome.stdout.matches("‖ claude is stopped").count(), 1, "{outcome}");
        assert_eq!(outcome.stdout.matches(said).count(), 2, "in the line and at the end\n{outcome}");
        for task in ["a", "b", "c"] {
            assert_eq!(state(&repo, task), "pending", "no attempt is used up\n{outcome}");
        }
        let status = repo.windlass(&["status"]).ends(0).stdout;
        assert!(status.contains("claude is stopped"), "{status}");
        let program = repo.top().join("fake-claude");
        let text = std::fs::read_to_string(&program).unwrap();
        let honest = "echo \"echo $WINDLASS_TASK\" >$WINDLASS_TASK.sh";
        let text = text.replace(&script, &format!("echo '{INIT}'\n{honest}\necho '{}'", end("Done.")));
        std::fs::write(&program, text).unwrap();
        repo.windlass(&["retry", "--blocked"]).ends(0).says("claude");
        run(&repo).ends(0);
        assert_eq!(repo.subjects("windlass/demo").len(), 3);
        repo.windlass(&["retry", "--blocked"]).ends(0).says("no task is blocked and no provider is stopped");
    }
}

#[test]
fn a_stopped_provider_is_asked_again_during_the_run() {
    let script = format!(
        "echo '{INIT}'\nif [ -e \"$FLAG\" ]; then echo \"echo $WINDLASS_TASK\" >$WINDLASS_TASK.sh; echo '{}'; exit; fi\n\
         echo '{}'\nsleep 60",
        end("Done."),
        refusal(401)
    );
    let repo = with_program("claude", "env = [\"FLAG\"]", &script);
    let flag = repo.top().join("logged-in");
    let repo = repo.env("FLAG", &flag.display().to_string());
    // Another agent keeps the run alive meanwhile.
    let slow = PlanTask::shell("b").front("agent: slow");
    let repo = repo.plan("demo", &[PlanTask::shell("a"), slow]);
    let go = repo.home().join("go");
    let table = format!(
        "[agents.slow]\ncommand = \"while [ ! -e {} ]; do sleep 0.1; done; echo 'echo b' > b.sh\"\n",
        go.display()
    );
    let config = repo.read("windlass.toml");
    repo.write("windlass.toml", &format!("{config}\n{table}[sandbox]\nread = [{:?}]\n", repo.top()));
    let running = repo.start(&["run", "--yes", "--jobs", "2", "--allow-unsandboxed", "--sandbox", "off"]);
    eventually("the provider is stopped", || running.printed().contains("claude is stopped"));
    std::fs::write(&flag, "").unwrap();
    repo.windlass(&["retry", "--blocked"]).ends(0).says("was told");
    eventually("it is asked again", || running.printed().contains("merged as"));
    std::fs::write(&go, "").unwrap();
    running.wait().ends(0).says("claude is asked again");
}

#[test]
fn a_run_whose_only_agent_is_not_logged_in_does_not_start() {
    let repo = claude("exit 1").env("ANTHROPIC_API_KEY", "");
    let refused = repo.windlass(&["run", "--yes"]).ends(4);
    assert!(refused.stderr.contains("the run does not start: Claude Code is not logged in"), "{refused}");
    assert!(!refused.stderr.contains("note:"), "one message\n{refused}");
    assert_eq!(refused.stdout, "", "{refused}");
    let dry = repo.windlass(&["run", "--dry-run"]).ends(0);
    assert!(dry.stderr.contains("the run would not start: the run does not start: Claude"), "{dry}");
    let bedrock = repo.env("CLAUDE_CODE_USE_BEDROCK", "1");
    let started = bedrock.windlass(&["run", "--yes"]);
    assert!(!started.stderr.contains("not logged in"), "{started}");
}

#[test]
fn the_users_own_model_is_asked_and_what_is_not_taken_over_is_named() {
    let done = end("Done.");
    let repo = claude(&format!(
        "echo '{INIT}'\ncase \"$*\" in *'--model haiku'*) echo 'echo a' >a.sh;; esac\necho '{done}'"
    ));
    std::fs::create_dir(repo.home().join(".claude")).unwrap();
    let settings = r#"{"model": "haiku", "apiKeyHelper": "x"}"#;
    std::fs::write(repo.home().join(".claude/settings.json"), settings).unwrap();
    let outcome = run(&repo).ends(0);
    assert!(outcome.stderr.contains("model `haiku` from `"), "{outcome}");
    assert!(outcome.stderr.contains("not taken over: `apiKeyHelper`"), "{outcome}");
    let own = repo.read("windlass.toml").replace("[agents.claude]", "[agents.claude]\nmodel = \"opus\"");
    repo.write("windlass.toml", &own);
    repo.windlass(&["retry", "a"]);
    let plan = repo.windlass(&["run", "--dry-run"]).ends(0);
    assert!(!plan.stdout.contains("haiku"), "{plan}");
}

#[test]
fn who_is_too_old_or_not_here_is_said_before_the_run() {
    let repo = claude(&format!("echo '{INIT}'\necho 'echo a' >a.sh\necho '{}'", end("Done.")));
    let program = repo.top().join("fake-claude");
    let text = std::fs::read_to_string(&program).unwrap().replace("99.0.0", "0.1.0");
    std::fs::write(&program, text).unwrap();
    let old = run(&repo).ends(0);
    assert!(old.stderr.contains("`claude` 0.1.0 is older than"), "{old}");
    std::fs::remove_file(&program).unwrap();
    let gone = repo.windlass(&["run", "--yes"]).ends(4);
    assert!(gone.stderr.contains("agent `claude` is not installed"), "{gone}");
}

#[test]
fn a_task_may_ask_for_a_program_by_name_and_whoever_is_not_here_is_named_with_its_place() {
    let anywhere = |front: &str| {
        let plan = [PlanTask::shell("a").front(front)];
        empty().file("README.md", "hello\n").plan("demo", &plan).committed()
    };
    let task = |front: &str| anywhere(front).env("PATH", "/usr/bin:/bin");
    let missing = task("agent: codex").windlass(&["run", "--yes"]).ends(4);
    assert!(missing.stderr.contains("agent `codex` is not installed"), "{missing}");
    assert!(missing.stderr.contains("`a` asks for `codex` (plans/demo/tasks/a.md:"), "{missing}");
    let dry = task("agent: codex").windlass(&["run", "--dry-run"]).ends(0);
    assert!(dry.stderr.contains("the run would not start: agent `codex` is not installed"), "{dry}");
    assert!(dry.stdout.contains("codex"), "{dry}");
    let unknown = task("agent: alice").windlass(&["run", "--yes"]);
    assert!(unknown.stderr.contains("`a` asks for `alice` (plans/demo/tasks/a.md:"), "{unknown}");
    assert!(unknown.stderr.contains("the agent of the tier is used"), "{unknown}");
    let over = anywhere("agent: codex").agent("write a.sh echo a\n");
    over.run(&[]).ends(0);
}
