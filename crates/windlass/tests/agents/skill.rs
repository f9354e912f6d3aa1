//! The programs read the skill and drive `windlass` with it, from a sentence to landed commits.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use windlass_engine::agent::cli::CliKind;
use windlass_testkit::TestRepo;
use windlass_testkit::model::{ModelServer, Script, Step};

use crate::cells::Said;
use crate::programs::{is_tested, model, named, program, variables};

/// What the person says; the scripted model knows the conversation by its last word.
pub(crate) const SENTENCE: &str =
    "Use windlass: build the till of docs/specs with the agent mine and land it, please.";
/// How a program that hangs is ended.
const PATIENCE: Duration = Duration::from_mins(5);

/// The commands of the shortest path in the skill, as a good model would give them.
const COMMANDS: [&str; 6] = [
    "windlass plan docs/specs --review=markdown",
    "windlass plan docs/specs",
    "windlass run plans/till --agent mine --yes --background",
    WAIT,
    "windlass report",
    "windlass land",
];
/// The question for the status until the run has ended. Gemini CLI refuses commands with `$(…)`.
const WAIT: &str =
    "until windlass status --json --since 0 | grep -q '\"state\":\"completed\"'; do sleep 0.5; done";

/// That question as often as a busy machine needs it: Codex goes on after ten seconds, whatever a command does. Others wait, and
/// Gemini CLI takes repetitions for a loop.
pub(crate) fn waits(kind: CliKind) -> impl Iterator<Item = Step> {
    let times = if kind == CliKind::Codex { 8 } else { 1 };
    std::iter::repeat_n(WAIT, times).map(|wait| Step::Run(wait.into()))
}

/// The demo's repository with the skill in it, and `windlass` where programs look for it.
pub(crate) fn repo() -> TestRepo {
    let windlass = env!("CARGO_BIN_EXE_windlass");
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo/till");
    let read = |path: &str| std::fs::read_to_string(demo.join(path)).unwrap();
    let repo = TestRepo::new(windlass)
        .file("docs/specs/PRD.md", &read("docs/specs/PRD.md"))
        .file("docs/specs/TECHNICAL_DESIGN.md", &read("docs/specs/TECHNICAL_DESIGN.md"));
    let script = repo.top().join("bin/till-agent.sh");
    std::fs::copy(demo.join("agent.sh"), &script).unwrap();
    std::os::unix::fs::symlink(windlass, repo.top().join("bin/windlass")).unwrap();
    // opencode looks for skills with ripgrep, and would fetch one from the network.
    std::os::unix::fs::symlink(named("rg"), repo.top().join("bin/rg")).unwrap();
    repo.write("windlass.toml", &format!("[agents.mine]\ncommand = \"sh {}\"\n", script.display()));
    repo.windlass(&["init", "--skills"]).ends(0);
    // What programs that were started before have in a home.
    let settings = json!({ "security": { "auth": { "selectedType": "gemini-api-key" } }, "privacy": { "usageStatisticsEnabled": false } });
    let home = repo.home();
    std::fs::create_dir_all(home.join(".gemini")).unwrap();
    std::fs::write(home.join(".gemini/settings.json"), settings.to_string()).unwrap();
    std::fs::create_dir_all(home.join(".codex")).unwrap();
    repo.committed()
}

/// How each program opens a skill: by a tool for it, or by reading the file.
fn opens(kind: CliKind) -> Step {
    let call = |tool: &str, input: Value| Step::Call { tool: tool.into(), input };
    match kind {
        CliKind::Claude => call("Skill", json!({ "skill": "windlass" })),
        CliKind::Gemini => call("activate_skill", json!({ "name": "windlass" })),
        CliKind::Qwen => call("skill", json!({ "skill": "windlass" })),
        CliKind::Opencode => call("skill", json!({ "name": "windlass" })),
        CliKind::Codex | CliKind::Other => Step::Run("cat .agents/skills/windlass/SKILL.md".into()),
    }
}

/// The command line a person would start it with, without questions.
fn arguments(kind: CliKind, url: &str, said: &str) -> Vec<String> {
    let command = said.strip_prefix('/').and_then(|said| said.split_once(' '));
    let named = command.map(|(name, _)| name.replace(':', "-"));
    let words: &[&str] = match kind {
        CliKind::Claude => &["-p", said, "--permission-mode", "bypassPermissions", "--model"],
        CliKind::Codex | CliKind::Other => &[
            "exec",
            "--skip-git-repo-check",
            "--dangerously-bypass-approvals-and-sandbox",
            "--disable",
            "plugins",
            "-m",
        ],
        CliKind::Gemini => &["-p", said, "--approval-mode", "yolo", "--skip-trust", "-m"],
        CliKind::Qwen => &[said, "--approval-mode", "yolo", "--auth-type", "openai", "-m"],
        CliKind::Opencode => match (&named, command) {
            (Some(name), Some((_, rest))) => &["run", "--auto", "--command", name, rest, "-m"],
            _ => &["run", said, "--auto", "-m"],
        },
    };
    let mut all: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    all.push(model(kind).to_owned());
    if kind == CliKind::Codex {
        let provider = format!(
            "model_providers.s={{name=\"s\", base_url=\"{url}/v1\", env_key=\"CODEX_API_KEY\", wire_api=\"responses\"}}"
        );
        all.extend(
            ["-c", "model_provider=\"s\"", "-c", &provider, "-c", "allow_login_shell=false", said]
                .map(str::to_owned),
        );
    }
    all
}

/// Lets a program do it.
pub(crate) fn skill(kind: CliKind) -> Said {
    let given = COMMANDS.iter().flat_map(|command| match *command {
        WAIT => waits(kind).collect(),
        other => vec![Step::Run(other.into())],
    });
    let steps = std::iter::once(opens(kind)).chain(given);
    let script =
        Script::default().turn("please.", steps.chain([Step::say("It is landed.")]).collect::<Vec<_>>());
    let server = ModelServer::start(script).unwrap();
    let repo = repo();
    let printed = run(&repo, kind, &server, SENTENCE, &[]);
    let heard: String = server.heard().iter().map(|heard| heard.body.to_string()).collect();
    if !heard.contains("Turn a specification, an issue or an idea") {
        return Said::No(format!("it was not told of the skill\n{printed}"));
    }
    if !heard.contains("From a sentence to landed commits") {
        return Said::No(format!("it did not open the skill\n{printed}"));
    }
    let landed = repo.git(&["log", "--format=%s", "main"]);
    if landed.matches("T00").count() < 3 {
        return Said::No(format!("not landed:\n{landed}\n{printed}\n{heard}"));
    }
    Said::Yes(format!("landed by {} commands", COMMANDS.len()))
}

/// What a person types to see where everything stands.
const COMMAND: &str = "/windlass:status T001";

/// Lets a program expand a slash command of the repository.
pub(crate) fn command(kind: CliKind) -> Said {
    if kind == CliKind::Codex {
        return Said::Unsupported("it has no commands of a repository");
    }
    let script = Script::default().turn("Run `windlass status T001`", [Step::say("Nothing waits.")]);
    let server = ModelServer::start(script).unwrap();
    let printed = run(&repo(), kind, &server, COMMAND, &[]);
    if printed.contains("Nothing waits.") {
        return Said::Yes("its text reaches the model".into());
    }
    Said::No(format!("the model heard {:?}\n{printed}", server.heard().last().map(|heard| &heard.prompts)))
}

/// Starts a program with what a person said and further arguments, and waits for it; what it printed.
pub(crate) fn run(
    repo: &TestRepo,
    kind: CliKind,
    server: &ModelServer,
    said: &str,
    more: &[String],
) -> String {
    let mut command = repo.command(program(kind));
    let path: Vec<PathBuf> =
        [repo.top().join("bin"), "/usr/local/bin".into(), "/usr/bin".into(), "/bin".into()].into();
    command
        .args(arguments(kind, &server.url(), said))
        .args(more)
        .env("PATH", std::env::join_paths(path).unwrap());
    command.envs(variables(kind, &server.url())).envs([
        ("IS_SANDBOX", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("DISABLE_TELEMETRY", "1"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("GEMINI_CLI_NO_RELAUNCH", "true"),
        ("OPENCODE_DISABLE_AUTOUPDATE", "true"),
    ]);
    let output = repo.top().join("printed");
    let file = std::fs::File::create(&output).unwrap();
    let mut child =
        command.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file).spawn().unwrap();
    let until = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            child.kill().unwrap();
            child.wait().unwrap();
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    String::from_utf8_lossy(&std::fs::read(output).unwrap()).into_owned()
}

#[test]
fn codex_reads_the_skill_and_lands_what_was_asked_for() {
    if !is_tested(CliKind::Codex) {
        return;
    }
    assert_eq!(skill(CliKind::Codex), Said::Yes("landed by 6 commands".into()));
}
