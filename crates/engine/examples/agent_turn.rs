//! One turn of a command line agent, without a plan: `agent_turn KIND DIR STATE new|resume:ID|fork:ID [MODEL]`, the brief on
//! standard input. `STATE` is a directory for its conversations. Prints how it ended, as JSON.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use windlass_core::ids::TaskId;
use windlass_core::plan::{Task, Tier};
use windlass_engine::agent::cli::{CliKind, Permission};
use windlass_engine::agent::{AgentTurn, Conversation, TurnStep, from_spec};
use windlass_engine::budget::TurnMeter;
use windlass_engine::config::{AgentSpec, CliSpec};
use windlass_engine::process::{CancellationSignal, Capture, Containment, Token};
use windlass_engine::sandbox::{FenceRole, Sandbox};

const USAGE: &str = "usage: agent_turn KIND DIR STATE new|resume:ID|fork:ID [MODEL] < brief";

fn main() -> ExitCode {
    if let Some(ask) = asked() {
        run(ask)
    } else {
        say(USAGE);
        ExitCode::from(2)
    }
}

struct Asked {
    kind: CliKind,
    dir: PathBuf,
    state: PathBuf,
    session: Conversation,
    model: Option<String>,
}

fn asked() -> Option<Asked> {
    let mut args = std::env::args().skip(1);
    let kind = CliKind::parse(&args.next()?)?;
    let (dir, state) = (args.next()?.into(), PathBuf::from(args.next()?));
    let session = match args.next()?.split_once(':') {
        None => Conversation::New,
        Some(("resume", id)) => Conversation::Resume(id.into()),
        Some(("fork", id)) => Conversation::Fork(id.into()),
        Some(_) => return None,
    };
    Some(Asked { kind, dir, state, session, model: args.next() })
}

fn run(ask: Asked) -> ExitCode {
    let Ok(runtime) = tokio::runtime::Builder::new_multi_thread().enable_all().build() else {
        return ExitCode::FAILURE;
    };
    Containment::establish();
    let names = ask.kind.variables().filter_map(|n| Some((OsString::from(n), std::env::var_os(n)?)));
    let spec = CliSpec {
        env: names.collect(),
        home: std::env::var_os("HOME").map(PathBuf::from),
        model: ask.model.clone(),
        permission: Some(Permission::Full),
        ..CliSpec::of(ask.kind)
    };
    let agent = from_spec("agent", &AgentSpec::Cli(Box::new(spec)), &ask.state.join("sessions"));
    let mut brief = String::new();
    if std::io::stdin().read_to_string(&mut brief).is_err() {
        return ExitCode::FAILURE;
    }
    let Ok(id) = TaskId::new("a") else { return ExitCode::FAILURE };
    let task = Task::default();
    let scratch = ask.state.join(format!("scratch-{}", std::process::id()));
    if std::fs::create_dir_all(&scratch).is_err() {
        return ExitCode::FAILURE;
    }
    let wanted = ask.session.clone();
    let turn = AgentTurn {
        id: &id,
        task: &task,
        step: TurnStep::Implement,
        nth: 1,
        session: agent.session(ask.session, &ask.dir),
        dir: ask.dir.clone(),
        slot: 1,
        tier: Tier::Medium,
        brief,
        may_change: Vec::new(),
        frozen: Vec::new(),
        schema: None,
        fence: Sandbox::default().fence(FenceRole::Agent, &ask.dir, &scratch),
        scratch: scratch.clone(),
        env: std::env::var_os("PATH").map(|path| ("PATH".into(), path)).into_iter().collect(),
        timeout: Duration::from_mins(2),
        idle: Some(Duration::from_mins(1)),
        capture: Capture { dir: ask.state.join("live"), max_bytes: 16 << 20, tail_bytes: 64 << 10 },
        token: Token::new("agent-turn"),
        cancel: CancellationSignal::new(),
        meter: TurnMeter::alone(),
        on_spawn: Box::new(|_| {}),
    };
    let given = format!("{:?}", turn.session);
    let began = Instant::now();
    let over = runtime.block_on(agent.turn(turn));
    let _ = std::fs::remove_dir_all(&scratch);
    let told = serde_json::json!({
        "end": format!("{:?}", over.end),
        "usage": over.usage,
        "model": over.model,
        "session": over.session,
        "wanted": format!("{wanted:?}"),
        "given": given,
        "summary": over.summary,
        "denied": over.denied,
        "millis": u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    });
    say(&told.to_string());
    ExitCode::SUCCESS
}

#[expect(clippy::print_stdout, reason = "it is for people")]
fn say(text: &str) {
    println!("{text}");
}
