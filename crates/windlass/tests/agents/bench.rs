//! A turn of an agent without a plan around it: what the engine makes of one run of a program, and what is left.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use windlass_core::ids::TaskId;
use windlass_core::plan::{Task, Tier};
use windlass_engine::agent::cli::{CliKind, Permission};
use windlass_engine::agent::{Agent, AgentTurn, Conversation, TurnOver, TurnStep, from_spec};
use windlass_engine::budget::TurnMeter;
use windlass_engine::config::{AgentSpec, CliSpec, EnvVar};
use windlass_engine::process::{CancellationSignal, Capture, Token};
use windlass_engine::sandbox::{FenceRole, Sandbox};
use windlass_testkit::model::{ModelServer, Script};
use windlass_testkit::{Left, left_behind};

use crate::programs;

/// One program, a model, and a directory for both.
pub(crate) struct Bench {
    pub(crate) kind: CliKind,
    pub(crate) server: ModelServer,
    dir: TempDir,
    spec: CliSpec,
    turns: std::cell::Cell<u32>,
}

/// What a turn is to be like.
pub(crate) struct Wish {
    pub(crate) prompt: String,
    pub(crate) session: Conversation,
    pub(crate) schema: Option<serde_json::Value>,
    pub(crate) timeout: Duration,
    pub(crate) cancel: CancellationSignal,
}

impl Wish {
    /// A new conversation that begins so.
    pub(crate) fn new(prompt: &str) -> Self {
        Self {
            prompt: prompt.to_owned(),
            session: Conversation::New,
            schema: None,
            timeout: Duration::from_mins(4),
            cancel: CancellationSignal::new(),
        }
    }

    /// The same as a continuation.
    pub(crate) fn with(mut self, session: Conversation) -> Self {
        self.session = session;
        self
    }
}

impl Bench {
    /// A program against a model with this script.
    pub(crate) fn new(kind: CliKind, script: Script) -> Self {
        let server = ModelServer::start(script).unwrap();
        let dir = tempfile::Builder::new().prefix("windlass-agent-").tempdir().unwrap();
        for sub in ["work", "home", "sessions"] {
            std::fs::create_dir(dir.path().join(sub)).unwrap();
        }
        let env = programs::variables(kind, &server.url());
        let acp = programs::by_acp().then(|| programs::acp_command(kind));
        let own = || PathBuf::from(env!("CARGO_BIN_EXE_windlass"));
        let spec = CliSpec {
            program: if acp.is_some() { own() } else { programs::program(kind) }.into(),
            acp,
            model: Some(programs::model(kind).into()),
            env: env.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
            home: Some(dir.path().join("home")),
            ..CliSpec::of(kind)
        };
        Self { kind, server, dir, spec, turns: std::cell::Cell::new(0) }
    }

    /// With this permission.
    pub(crate) fn permitted(mut self, permission: Permission) -> Self {
        self.spec.permission = Some(permission);
        self
    }

    /// A path of the bench.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join(below)
    }

    /// What the agent makes of a wish to go on with a conversation.
    pub(crate) fn session(&self, wish: Conversation) -> Conversation {
        self.agent().session(wish, &self.path("work"))
    }

    fn agent(&self) -> Box<dyn Agent> {
        from_spec(self.kind.as_str(), &AgentSpec::Cli(Box::new(self.spec.clone())), &self.path("sessions"))
    }

    /// Takes a turn, and how long it took.
    pub(crate) fn take(&self, wish: Wish) -> (TurnOver, Duration) {
        let n = self.turns.get() + 1;
        self.turns.set(n);
        let scratch = self.path(&format!("turn-{n}"));
        std::fs::create_dir(&scratch).unwrap();
        let id = TaskId::new("bench").unwrap();
        let task = Task { id: "bench".into(), ..Task::default() };
        // Its own name marks every process of this bench, whatever it does with its environment.
        let token = format!("windlass.bench.{}.{n}", self.dir.path().display());
        let turn = AgentTurn {
            id: &id,
            task: &task,
            step: TurnStep::Implement,
            nth: n,
            dir: self.path("work"),
            slot: 0,
            tier: Tier::Medium,
            brief: wish.prompt,
            may_change: Vec::new(),
            frozen: Vec::new(),
            session: wish.session,
            schema: wish.schema,
            fence: Sandbox::default().fence(FenceRole::Agent, &self.path("work"), &scratch),
            scratch: scratch.clone(),
            env: surroundings(),
            timeout: wish.timeout,
            idle: None,
            capture: Capture { dir: self.path("output"), max_bytes: 16 << 20, tail_bytes: 64 << 10 },
            token: Token::new(&token),
            cancel: wish.cancel,
            meter: TurnMeter::alone(),
            on_spawn: Box::new(|_| {}),
        };
        let agent = self.agent();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let since = Instant::now();
        let over = runtime.block_on(agent.turn(turn));
        (over, since.elapsed())
    }

    /// What is alive of all its turns.
    pub(crate) fn left(&self) -> Vec<Left> {
        left_behind(&self.dir.path().display().to_string())
    }

    /// What an agent printed last, for the story of a failure.
    pub(crate) fn said(&self) -> String {
        let files = std::fs::read_dir(self.path("output")).into_iter().flatten().flatten();
        let mut merged: Vec<PathBuf> =
            files.map(|f| f.path()).filter(|p| p.extension().is_some_and(|e| e == "merged")).collect();
        merged.sort();
        let text = merged.last().and_then(|p| std::fs::read(p).ok()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.chars().rev().take(3000).collect::<Vec<_>>().into_iter().rev().collect()
    }
}

/// The little that every process gets of this machine.
fn surroundings() -> Vec<EnvVar> {
    ["PATH", "LANG", "TZ"].iter().filter_map(|n| Some(((*n).into(), std::env::var_os(n)?))).collect()
}
