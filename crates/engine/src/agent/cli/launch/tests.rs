//! Tests of `cli/launch`.

use serde_json::json;

use super::*;
use crate::agent::cli::CliKind;

/// The command line of one turn, with the turn's directories named `HOME`, `DIR` and `SCRATCH`.
struct Turn {
    spec: CliSpec,
    permission: Permission,
    session: Conversation,
    schema: Option<Value>,
}

impl Turn {
    fn of(kind: CliKind) -> Self {
        let (permission, session) = (Permission::Full, Conversation::New);
        Self { spec: CliSpec::of(kind), permission, session, schema: None }
    }

    fn launch(&self) -> (String, String, Launch) {
        let temp = tempfile::tempdir().unwrap();
        let home = TurnHome::make(temp.path()).unwrap();
        let request = LaunchRequest {
            spec: &self.spec,
            home: &home,
            dir: Path::new("DIR"),
            scratch: Path::new("SCRATCH"),
            session: &self.session,
            schema: self.schema.as_ref(),
            permission: self.permission,
            money: self.spec.max_budget_usd,
        };
        let launch = request.launch();
        let args = launch.args.iter().map(|a| a.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let env = launch.env.iter().map(|(n, v)| format!("{}={}", n.to_string_lossy(), v.to_string_lossy()));
        let env = env.collect::<Vec<_>>().join("\n").replace(&home.dir().display().to_string(), "HOME");
        (args, env, launch)
    }

    fn args(&self) -> String {
        self.launch().0
    }
}

#[test]
fn every_program_has_its_words_for_permissions() {
    let table = [
        (
            CliKind::Claude,
            [
                "--permission-mode plan",
                "--permission-mode acceptEdits",
                "--permission-mode bypassPermissions",
            ],
        ),
        (
            CliKind::Codex,
            ["-s read-only", "-s workspace-write", "--dangerously-bypass-approvals-and-sandbox"],
        ),
        (CliKind::Gemini, ["--approval-mode default", "--approval-mode auto_edit", "--approval-mode yolo"]),
        (CliKind::Qwen, ["--approval-mode plan", "--approval-mode auto-edit", "--approval-mode yolo"]),
    ];
    for (kind, words) in table {
        for (permission, wanted) in
            [Permission::Read, Permission::Edit, Permission::Full].into_iter().zip(words)
        {
            let args = Turn { permission, ..Turn::of(kind) }.args();
            assert!(args.contains(wanted), "{kind:?} {permission:?}: {args}");
        }
    }
    for (permission, automatic) in
        [(Permission::Read, false), (Permission::Edit, false), (Permission::Full, true)]
    {
        let args = Turn { permission, ..Turn::of(CliKind::Opencode) }.args();
        assert_eq!(args.contains("--auto"), automatic, "{permission:?}: {args}");
    }
}

#[test]
fn every_program_continues_and_copies_conversations_in_its_way() {
    let table = [
        (CliKind::Claude, "--resume abc", "--resume abc --fork-session"),
        (CliKind::Codex, "resume abc -", "fork abc -"),
        (CliKind::Qwen, "--resume abc", "--resume abc --fork-session"),
        (CliKind::Opencode, "-s abc", "-s abc --fork"),
    ];
    for (kind, resume, fork) in table {
        let args = |session| Turn { session, ..Turn::of(kind) }.args();
        assert!(args(Conversation::Resume("abc".into())).contains(resume), "{kind:?}");
        assert!(args(Conversation::Fork("abc".into())).contains(fork), "{kind:?}");
        assert!(!args(Conversation::New).contains("abc"), "{kind:?}");
    }
    let gemini = |session| Turn { session, ..Turn::of(CliKind::Gemini) }.args();
    assert!(gemini(Conversation::Resume("abc".into())).contains("--resume abc"));
    assert!(
        !gemini(Conversation::Fork("abc".into())).contains("--session-file"),
        "there is no file to start from"
    );
}

#[test]
fn limits_and_models_are_options_where_the_program_has_them() {
    let limited = |kind| {
        let spec = CliSpec {
            model: Some("big-1".into()),
            max_turns: Some(7),
            max_budget_usd: Some(1.5),
            args: vec!["--own".into()],
            ..CliSpec::of(kind)
        };
        Turn { spec, ..Turn::of(kind) }.launch()
    };
    let (claude, _, _) = limited(CliKind::Claude);
    assert!(claude.contains("--model big-1 --max-turns 7 --max-budget-usd 1.5"), "{claude}");
    assert!(claude.ends_with("--own"), "the user's arguments come last: {claude}");
    assert!(limited(CliKind::Codex).0.contains("-m big-1"));
    assert!(limited(CliKind::Qwen).0.contains("--max-session-turns 7"));
    assert!(limited(CliKind::Opencode).0.contains("-m big-1"));
    let (_, _, gemini) = limited(CliKind::Gemini);
    assert!(gemini.files[0].1.contains("\"maxSessionTurns\":7"), "{:?}", gemini.files);
}

#[test]
fn a_schema_is_passed_in_the_form_that_the_program_takes() {
    let schema = json!({"$schema": "draft", "type": "object", "properties": {"verdict": {"type": "string"}}});
    let with = |kind| Turn { schema: Some(schema.clone()), ..Turn::of(kind) }.launch();
    for kind in [CliKind::Claude, CliKind::Qwen] {
        let (args, _, _) = with(kind);
        assert!(args.contains("--json-schema {") && !args.contains("$schema"), "{kind:?}: {args}");
    }
    let (args, _, launch) = with(CliKind::Codex);
    assert!(args.contains("--output-schema SCRATCH/schema.json"), "{args}");
    assert!(launch.files.iter().any(|(_, text)| text.contains("additionalProperties")), "the strict form");
    for kind in [CliKind::Gemini, CliKind::Opencode] {
        assert!(!with(kind).0.contains("schema"), "{kind:?} has no such option");
    }
}

#[test]
fn every_program_keeps_to_its_own_home_and_stays_quiet() {
    for (kind, wanted) in [
        (CliKind::Claude, "CLAUDE_CONFIG_DIR=HOME/.claude"),
        (CliKind::Codex, "CODEX_HOME=HOME/.codex"),
        (CliKind::Gemini, "GEMINI_CLI_NO_RELAUNCH=true"),
        (CliKind::Qwen, "QWEN_HOME=HOME/.qwen"),
        (CliKind::Opencode, "XDG_DATA_HOME=HOME/.local/share"),
    ] {
        let (_, env, _) = Turn::of(kind).launch();
        assert!(env.lines().any(|line| line == wanted), "{kind:?}: {env}");
    }
    let sandboxed =
        |permission| Turn { permission, ..Turn::of(CliKind::Claude) }.launch().1.contains("IS_SANDBOX=1");
    assert!(sandboxed(Permission::Full) && !sandboxed(Permission::Edit));
}

#[test]
fn codex_gets_a_provider_of_its_own_for_another_endpoint() {
    let env =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(n, v)| (OsString::from(n), OsString::from(v))).collect();
    let codex = |env| {
        Turn { spec: CliSpec { env, ..CliSpec::of(CliKind::Codex) }, ..Turn::of(CliKind::Codex) }.launch()
    };
    let (args, environment, _) = codex(env(&[("OPENAI_BASE_URL", "http://h/v1"), ("OPENAI_API_KEY", "k")]));
    assert!(args.contains("model_providers.windlass.base_url=\"http://h/v1\""), "{args}");
    assert!(environment.contains("CODEX_API_KEY=k"), "{environment}");
    let (args, environment, _) = codex(env(&[("CODEX_API_KEY", "c"), ("OPENAI_API_KEY", "k")]));
    assert!(
        !args.contains("model_providers") && !environment.contains("CODEX_API_KEY"),
        "{args} {environment}"
    );
}
