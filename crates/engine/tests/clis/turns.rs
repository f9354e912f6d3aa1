//! Whole turns, with programs that print what the real ones print.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use windlass_core::failure::Failure;
use windlass_core::ids::TaskId;
use windlass_core::plan::{Task, Tier};
use windlass_engine::agent::cli::{CliKind, Permission};
use windlass_engine::agent::{Agent, AgentTurn, Conversation, TurnEnd, TurnOver, TurnStep, from_spec};
use windlass_engine::budget::TurnMeter;
use windlass_engine::config::{AgentSpec, CliSpec};
use windlass_engine::process::{CancellationSignal, Capture, Containment, Token};
use windlass_engine::sandbox::{FenceRole, Sandbox};

/// A machine with one program on it.
struct Machine {
    temp: tempfile::TempDir,
    spec: CliSpec,
}

impl Machine {
    /// A program of this kind that is this script. What it leaves in `$SEEN` can be looked at.
    fn with(kind: CliKind, script: &str) -> Self {
        let temp = tempfile::tempdir().unwrap();
        for dir in ["work", "elsewhere", "user", "seen"] {
            fs::create_dir_all(temp.path().join(dir)).unwrap();
        }
        let program = temp.path().join("program");
        fs::write(&program, format!("#!/bin/bash\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let seen = temp.path().join("seen");
        let spec = CliSpec {
            program: program.into(),
            env: vec![("SEEN".into(), seen.into()), ("SOME_API_KEY".into(), "the-secret-itself".into())],
            home: Some(temp.path().join("user")),
            ..CliSpec::of(kind)
        };
        Self { temp, spec }
    }

    /// A program that prints a sample and ends like this.
    fn printing(kind: CliKind, sample: &str, end: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/clis/streams/{sample}.jsonl"));
        Self::with(kind, &format!("cat '{}'\n{end}", path.display()))
    }

    fn agent(&self) -> Box<dyn Agent> {
        let spec = AgentSpec::Cli(Box::new(self.spec.clone()));
        from_spec("me", &spec, &self.temp.path().join("sessions"))
    }

    fn dir(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    /// What the program left to be seen.
    fn seen(&self, name: &str) -> String {
        fs::read_to_string(self.dir("seen").join(name)).unwrap_or_default()
    }

    fn turn(&self) -> TurnOver {
        self.turn_in("work", Conversation::New)
    }

    fn turn_in(&self, dir: &str, session: Conversation) -> TurnOver {
        Containment::establish();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let agent = self.agent();
        let dir = self.dir(dir);
        let scratch = tempfile::tempdir_in(self.temp.path()).unwrap();
        let (id, task) = (TaskId::new("a").unwrap(), Task::default());
        let turn = AgentTurn {
            id: &id,
            task: &task,
            step: TurnStep::Implement,
            nth: 1,
            session: agent.session(session, &dir),
            slot: 1,
            tier: Tier::Medium,
            brief: "# the brief".into(),
            may_change: Vec::new(),
            frozen: Vec::new(),
            schema: None,
            fence: Sandbox::default().fence(FenceRole::Agent, &dir, scratch.path()),
            scratch: scratch.path().to_owned(),
            env: vec![("PATH".into(), "/usr/bin:/bin".into()), ("HOME".into(), self.dir("user").into())],
            timeout: Duration::from_mins(1),
            idle: None,
            capture: Capture { dir: self.dir("live"), max_bytes: 1 << 20, tail_bytes: 4 << 10 },
            token: Token::new(&format!("clis-{}", self.temp.path().display())),
            cancel: CancellationSignal::new(),
            meter: TurnMeter::alone(),
            on_spawn: Box::new(|_| {}),
            dir,
        };
        runtime.block_on(agent.turn(turn))
    }
}

/// The failure a turn ended with, as a kind and words.
#[track_caller]
fn failure(over: &TurnOver) -> String {
    match &over.end {
        TurnEnd::Failed(failure) => format!("{}: {}", failure.kind(), failure.summary()),
        other => panic!("it ended with {other:?}"),
    }
}

#[test]
fn a_turn_tells_what_was_said_used_and_changed() {
    let script = "cat > $SEEN/stdin; printf '%s\\n' \"$@\" > $SEEN/args";
    let machine = Machine::printing(CliKind::Claude, "claude-done", script);
    let over = machine.turn();
    assert_eq!(over.end, TurnEnd::Done { needs_files: vec![] });
    assert_eq!(over.model.as_deref(), Some("model-c"));
    assert_eq!(over.summary.as_deref(), Some("The function is there."));
    assert_eq!((over.usage.input_tokens, over.usage.output_tokens), (97, 41));
    assert_eq!((over.usage.cache_read_tokens, over.usage.cost_usd), (20, Some(0.0031)));
    assert_eq!(machine.seen("stdin"), "# the brief");
    assert!(!machine.seen("args").contains("brief"), "{}", machine.seen("args"));
}

#[test]
fn a_home_holds_the_login_and_nothing_else_of_the_user() {
    let script = "cd \"$HOME\"; find . -type f | sort > $SEEN/files; cat .codex/auth.json > $SEEN/login; \
                  stat -c %a .codex/auth.json > $SEEN/mode; env | sort > $SEEN/env";
    let machine = Machine::with(CliKind::Codex, script);
    let user = machine.dir("user/.codex");
    fs::create_dir_all(&user).unwrap();
    fs::write(user.join("auth.json"), r#"{"tokens":{"access_token":"a","refresh_token":"r"}}"#).unwrap();
    fs::write(user.join("config.toml"), "[mcp_servers.evil]").unwrap();
    machine.turn();
    assert_eq!(machine.seen("files"), "./.codex/auth.json\n");
    let login = r#"{"tokens":{"access_token":"a","refresh_token":""}}"#;
    assert_eq!((machine.seen("login").as_str(), machine.seen("mode").as_str()), (login, "600\n"));
    let env = machine.seen("env");
    assert!(!env.contains(&format!("HOME={}\n", machine.dir("user").display())), "{env}");
    assert!(env.contains("WINDLASS_STEP=implement") && env.contains("WINDLASS_RESULT="), "{env}");
}

#[test]
fn nobody_finds_what_another_turn_left() {
    let script = "ls -A \"$HOME/.claude\" > $SEEN/found; mkdir -p \"$HOME/.claude\"; \
                  echo '{\"hooks\":{}}' > \"$HOME/.claude/settings.json\"; touch \"$HOME/.bashrc\"";
    let machine = Machine::with(CliKind::Claude, script);
    machine.turn();
    assert_eq!(machine.seen("found"), "");
    machine.turn();
    assert_eq!(machine.seen("found"), "");
    assert_eq!(fs::read_dir(machine.dir("user")).unwrap().count(), 0);
}

#[test]
fn a_conversation_goes_on_in_a_fresh_home() {
    let script = r#"
        printf '%s\n' "$@" > $SEEN/args; find "$HOME" -type f -printf '%P\n' | sort > $SEEN/files
        mkdir -p "$CLAUDE_CONFIG_DIR/projects/x"
        echo said >> "$CLAUDE_CONFIG_DIR/projects/x/s-1.jsonl"; echo planted > "$CLAUDE_CONFIG_DIR/settings.json"
        cp "$CLAUDE_CONFIG_DIR/projects/x/s-1.jsonl" $SEEN/said
        echo '{"type":"system","subtype":"init","session_id":"s-1","model":"m"}'
        echo '{"type":"result","is_error":false,"result":"ok","session_id":"s-1"}'"#;
    let machine = Machine::with(CliKind::Claude, script);
    let over = machine.turn();
    assert_eq!(over.session.as_deref(), Some("s-1"));
    machine.turn_in("elsewhere", Conversation::Resume("s-1".into()));
    assert_eq!(machine.seen("files"), ".claude/projects/x/s-1.jsonl\n");
    assert!(machine.seen("args").contains("--resume\ns-1\n"), "{}", machine.seen("args"));
    assert_eq!(machine.seen("said"), "said\nsaid\n");
    machine.turn_in("work", Conversation::Fork("s-1".into()));
    assert!(machine.seen("args").contains("--resume\ns-1\n--fork-session\n"), "{}", machine.seen("args"));
    machine.turn_in("work", Conversation::Resume("unknown".into()));
    assert!(!machine.seen("args").contains("--resume"), "{}", machine.seen("args"));
}

#[test]
fn what_a_thread_used_before_is_not_paid_for_again() {
    let script = r#"
        mkdir -p $CODEX_HOME/sessions; touch $CODEX_HOME/sessions/rollout-t1.jsonl; total=$(($(cat $SEEN/n 2>/dev/null || echo 0) + 1000))
        echo $total > $SEEN/n; echo '{"type":"thread.started","thread_id":"t1"}'
        echo '{"type":"item.completed","item":{"type":"agent_message","text":"ok"}}'
        echo '{"type":"turn.completed","usage":{"input_tokens":'$total',"output_tokens":5}}'"#;
    let machine = Machine::with(CliKind::Codex, script);
    assert_eq!(machine.turn().usage.input_tokens, 1000);
    let again = machine.turn_in("elsewhere", Conversation::Resume("t1".into()));
    assert_eq!((again.usage.input_tokens, again.usage.output_tokens), (1000, 0));
    let third = machine.turn_in("work", Conversation::Fork("t1".into()));
    assert_eq!(third.usage.input_tokens, 1000);
}

#[test]
fn nobody_resumes_where_it_would_fail_or_hang() {
    let kinds = [
        (CliKind::Claude, Conversation::Resume("s1".into())),
        (CliKind::Codex, Conversation::Resume("s1".into())),
        (CliKind::Gemini, Conversation::Fork("s1".into())),
        (CliKind::Qwen, Conversation::New),
        (CliKind::Opencode, Conversation::New),
    ];
    for (kind, elsewhere) in kinds {
        let machine = Machine::with(kind, "");
        let kept = machine.dir("sessions").join(kind.as_str()).join("s1");
        fs::create_dir_all(&kept).unwrap();
        let about = serde_json::json!({ "dir": machine.dir("work"), "files": [] });
        fs::write(kept.join("about.json"), about.to_string()).unwrap();
        let wish = || Conversation::Resume("s1".into());
        assert_eq!(machine.agent().session(wish(), &machine.dir("work")), wish(), "{kind:?}");
        assert_eq!(machine.agent().session(wish(), &machine.dir("elsewhere")), elsewhere, "{kind:?}");
    }
}

#[test]
fn every_way_to_fail_has_its_words() {
    let cases = [
        (CliKind::Claude, "claude-limit", "exit 1"),
        (CliKind::Claude, "claude-cut", "exit 0"),
        (CliKind::Claude, "claude-turns", "exit 1"),
        (CliKind::Claude, "claude-money", "exit 1"),
        (CliKind::Claude, "claude-no-session", "exit 1"),
        (CliKind::Claude, "claude-done", "exit 3"),
        (CliKind::Claude, "claude-login", "sleep 60"),
        (CliKind::Codex, "codex-login", "exit 1"),
        (CliKind::Codex, "codex-limit", "exit 1"),
        (CliKind::Codex, "codex-cut", "exit 1"),
        (CliKind::Codex, "codex-offline", "sleep 60"),
        (CliKind::Gemini, "gemini-login", "exit 145"),
        (CliKind::Gemini, "gemini-limit", "exit 173"),
        (CliKind::Gemini, "gemini-cut", "exit 0"),
        (CliKind::Gemini, "gemini-turns", "exit 53"),
        (CliKind::Qwen, "qwen-login", "exit 1"),
        (CliKind::Qwen, "qwen-turns", "exit 53"),
        (CliKind::Qwen, "qwen-retry", "sleep 60"),
        (CliKind::Opencode, "opencode-login", "exit 1"),
        (CliKind::Opencode, "opencode-limit", "exit 1"),
        (CliKind::Opencode, "opencode-cut", "sleep 60"),
        (CliKind::Opencode, "opencode-half", "exit 0"),
    ];
    let words: Vec<String> = cases
        .iter()
        .map(|(kind, sample, end)| {
            format!("{sample}, {end}: {}", failure(&Machine::printing(*kind, sample, end).turn()))
        })
        .collect();
    insta::assert_snapshot!(words.join("\n"), @r#"
    claude-limit, exit 1: rate-limited: `me` is rate-limited
    claude-cut, exit 0: rate-limited: the provider of `me` is unavailable: the agent sent no answer
    claude-turns, exit 1: agent-error: the agent ended with an error: Reached maximum number of turns (1)
    claude-money, exit 1: agent-error: the agent ended with an error: Reached maximum budget ($0.02)
    claude-no-session, exit 1: agent-error: the agent ended with an error: No conversation found with session ID: 0c1d0000-0000-4000-8000-00000000c1a0
    claude-done, exit 3: agent-error: the agent ended with an error: it claimed to be done, but exit code 3
    claude-login, sleep 60: provider-refused: Claude Code is not logged in (authentication_failed (401)): start `claude` once and log in, or set `ANTHROPIC_API_KEY`
    codex-login, exit 1: provider-refused: Codex is not logged in (unexpected status 401 Unauthorized: no such key): run `codex login`, or set `CODEX_API_KEY`
    codex-limit, exit 1: rate-limited: `me` is rate-limited
    codex-cut, exit 1: rate-limited: the provider of `me` is unavailable: stream disconnected before completion: it closed
    codex-offline, sleep 60: rate-limited: the provider of `me` is unavailable: Codex cannot reach its model: Connection failed: error sending request
    gemini-login, exit 145: provider-refused: Gemini CLI is not logged in (no such key (401)): start `gemini` once and log in, or set `GEMINI_API_KEY`
    gemini-limit, exit 173: rate-limited: `me` is rate-limited
    gemini-cut, exit 0: rate-limited: the provider of `me` is unavailable: Model stream ended without a finish reason.
    gemini-turns, exit 53: agent-error: the agent ended with an error: Reached max session turns for this session.
    qwen-login, exit 1: provider-refused: Qwen Code is not logged in (401 no such key): start `qwen` once and log in, or set `OPENAI_API_KEY` and `OPENAI_BASE_URL`
    qwen-turns, exit 53: agent-error: the agent ended with an error: exit code 53
    qwen-retry, sleep 60: provider-refused: Qwen Code failed and does not seem to be logged in (it tries again: retry): start `qwen` once and log in, or set `OPENAI_API_KEY` and `OPENAI_BASE_URL`
    opencode-login, exit 1: provider-refused: opencode is not logged in (no such key): run `opencode auth login`, or set the key of your provider, such as `ANTHROPIC_API_KEY`
    opencode-limit, exit 1: rate-limited: `me` is rate-limited
    opencode-cut, sleep 60: rate-limited: the provider of `me` is unavailable: the model's answer broke off
    opencode-half, exit 0: agent-error: the agent ended with an error: it ended without an end: exit code 0
    "#);
}

#[test]
fn a_limit_says_how_long_it_lasts() {
    let waits = |kind, sample| match Machine::printing(kind, sample, "exit 1").turn().end {
        TurnEnd::Failed(Failure::RateLimited { agent, retry_after_seconds, .. }) => {
            (agent, retry_after_seconds)
        }
        other => panic!("{sample}: {other:?}"),
    };
    assert_eq!(waits(CliKind::Codex, "codex-limit"), ("me".into(), Some(3720)));
    assert_eq!(waits(CliKind::Gemini, "gemini-limit"), ("me".into(), Some(42)));
    assert_eq!(waits(CliKind::Opencode, "opencode-limit"), ("me".into(), Some(17)));
    assert_eq!(waits(CliKind::Claude, "claude-limit"), ("me".into(), Some(7)));
}

#[test]
fn silence_is_no_answer_and_words_beside_the_stream_count() {
    let said = |kind, script: &str| failure(&Machine::with(kind, script).turn());
    insta::assert_snapshot!(said(CliKind::Claude, "exit 0"), @"agent-error: the agent ended with an error: it ended without an end: exit code 0");
    insta::assert_snapshot!(said(CliKind::Codex, "echo 'error: unexpected argument' >&2; exit 2"), @"agent-error: the agent ended with an error: it ended without an end: exit code 2: error: unexpected argument");
    insta::assert_snapshot!(said(CliKind::Gemini, "echo 'Please set an Auth method' >&2; exit 41"), @"provider-refused: Gemini CLI is not logged in (exit code 41): start `gemini` once and log in, or set `GEMINI_API_KEY`");
    insta::assert_snapshot!(said(CliKind::Codex, "kill -9 $$"), @"agent-error: the agent ended with an error: it ended without an end: ended by signal 9");
    let mut machine = Machine::with(CliKind::Qwen, "");
    machine.spec.program = "/nowhere/qwen".into();
    insta::assert_snapshot!(failure(&machine.turn()), @"environment: cannot start `/nowhere/qwen`: No such file or directory (os error 2); `npm install -g @qwen-code/qwen-code` installs it");
}

#[test]
fn limits_a_program_does_not_know_are_kept_for_it() {
    let step = r#"{"type":"step_finish","sessionID":"s","part":{"id":"'$n'","reason":"tool-calls","tokens":{"input":10,"output":1},"cost":0.01}}"#;
    let script = format!("n=0; while :; do n=$((n+1)); echo '{step}'; sleep 0.02; done");
    let mut machine = Machine::with(CliKind::Opencode, &script);
    machine.spec.max_turns = Some(3);
    insta::assert_snapshot!(failure(&machine.turn()), @"agent-error: the agent ended with an error: it took more than 3 turns");
    machine.spec.max_turns = None;
    machine.spec.max_budget_usd = Some(0.05);
    insta::assert_snapshot!(failure(&machine.turn()), @"agent-error: the agent ended with an error: it spent more than $0.05");
}

#[test]
fn an_agent_can_say_that_it_is_blocked() {
    let blocked = r#"{\"status\": \"blocked\", \"reason\": \"the test wants 5\"}"#;
    let line = format!(r#"{{"type":"result","is_error":false,"result":"{blocked}","session_id":"s"}}"#);
    let over = Machine::with(CliKind::Claude, &format!("echo '{line}'")).turn();
    insta::assert_snapshot!(failure(&over), @"spec-contradiction: the agent is blocked: the test wants 5");
    let file = r#"echo '{"needs_files":["x.py"]}' > "$WINDLASS_RESULT""#;
    let over = Machine::printing(CliKind::Claude, "claude-done", file).turn();
    assert_eq!(over.end, TurnEnd::Done { needs_files: vec!["x.py".into()] });
}

#[test]
fn secrets_do_not_stay_in_the_transcript() {
    let machine = Machine::printing(CliKind::Claude, "claude-done", "echo \"my key is $SOME_API_KEY\"");
    let over = machine.turn();
    let kept = fs::read_to_string(over.output.unwrap()).unwrap();
    assert!(kept.contains("my key is [SOME_API_KEY]") && !kept.contains("the-secret-itself"), "{kept}");
}

#[test]
fn denials_and_permissions() {
    let machine = Machine::printing(CliKind::Claude, "claude-denied", "printf '%s\\n' \"$@\" > $SEEN/args");
    assert_eq!(machine.turn().denied, ["Write /slot/x"]);
    assert!(machine.seen("args").contains("acceptEdits"), "unfenced, it may only edit");
    let mut machine = machine;
    machine.spec.permission = Some(Permission::Full);
    machine.turn();
    assert!(machine.seen("args").contains("bypassPermissions"));
}

#[test]
fn an_end_beyond_what_is_kept_is_still_heard() {
    let flood = "head -c 3000000 /dev/zero | tr '\\0' 'x'; echo; cat $SAMPLE";
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clis/streams/codex-done.jsonl");
    let script = format!("SAMPLE='{}'\n{flood}", sample.display());
    let over = Machine::with(CliKind::Codex, &script).turn();
    assert_eq!(over.end, TurnEnd::Done { needs_files: vec![] });
    assert_eq!(over.usage.input_tokens, 900);
}
