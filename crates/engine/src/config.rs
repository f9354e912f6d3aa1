//! The configuration of a run, from the program around the engine, which reads no environment and no home itself.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
pub use windlass_code::detect::OwnFormatter;
use windlass_code::syntax::tricks::{Rule, Strictness};
use windlass_core::policy::{MECHANICAL_AGENT, Prices, Routing, Settings};
use windlass_planner::brief::{Manner, TokenLimits};

use crate::agent::ApiSpec;
use crate::agent::cli::{AccountPool, CliKind, Permission, UnseenLogin};
use crate::briefing::BriefReader;
use crate::place::Carrier;
use crate::sandbox::{SandboxConfig, SandboxRung};

/// A variable and its value.
pub type EnvVar = (OsString, OsString);

/// The specification of an agent.
#[derive(Debug, Clone, PartialEq)]
pub enum AgentSpec {
    /// Writes what the plan contains.
    Mechanical,
    /// Applies recorded patches.
    Replay {
        /// Where they lie.
        dir: PathBuf,
    },
    /// A command line agent that is known by name.
    Cli(Box<CliSpec>),
    /// A model behind an HTTP endpoint, without tools.
    Api(ApiSpec),
    /// Any command, run by `bash` in the slot.
    Command {
        /// The command line.
        command: String,
        /// Additional environment variables.
        env: Vec<EnvVar>,
        /// The longest one of its turns may take, where it is shorter than the attempt's.
        timeout: Option<Duration>,
        /// How long it may be silent, where that differs.
        idle: Option<Duration>,
    },
}

/// Whether a program is logged in, as far as one can see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoginSeen {
    /// It is, in this way.
    Yes(String),
    /// Nothing shows that it is, and something may.
    Unknown,
    /// It is not.
    No,
}

/// A setting of a program by its path of keys.
pub type CarriedSetting = (String, serde_json::Value);

/// A command line agent and how it is to work.
#[derive(Debug, Clone, PartialEq)]
pub struct CliSpec {
    /// The program.
    pub kind: CliKind,
    /// The program, by name or path; with `acp`, this program itself, which is the client.
    pub program: OsString,
    /// The command line of an agent that is spoken to by the Agent Client Protocol.
    pub acp: Option<String>,
    /// The model; without one, the program's own choice.
    pub model: Option<String>,
    /// Additional arguments, after ours.
    pub args: Vec<String>,
    /// Additional environment variables, including its login.
    pub env: Vec<EnvVar>,
    /// The user's home, where its login lies. Nothing else of it is looked at.
    pub home: Option<PathBuf>,
    /// Several accounts; each turn has the login of one.
    pub pool: Option<Arc<AccountPool>>,
    /// Settings of the user's own that are taken over, by their dotted path.
    pub carried: Vec<CarriedSetting>,
    /// What it may do without asking.
    pub permission: Option<Permission>,
    /// The most turns of its model in one turn of ours.
    pub max_turns: Option<u32>,
    /// The most money for one turn, as far as it tells.
    pub max_budget_usd: Option<f64>,
    /// What models cost: by them a turn is held to its money that tells tokens only.
    pub prices: Prices,
    /// The longest one of its turns may take, where it is shorter than the attempt's.
    pub timeout: Option<Duration>,
    /// How long it may be silent, where that differs.
    pub idle: Option<Duration>,
}

impl CliSpec {
    /// The program as it is, with nothing set.
    pub fn of(kind: CliKind) -> Self {
        Self {
            kind,
            program: kind.facts().program.into(),
            acp: None,
            pool: None,
            model: None,
            args: Vec::new(),
            env: Vec::new(),
            home: None,
            carried: Vec::new(),
            permission: None,
            max_turns: None,
            max_budget_usd: None,
            prices: Prices::default(),
            timeout: None,
            idle: None,
        }
    }

    /// Whether there is a login, as far as one can see: a variable that is one or describes one, a file, a provider in
    /// the user's settings.
    pub fn login(&self) -> LoginSeen {
        let facts = self.kind.facts();
        if let Some(how) = facts.login.found(self.home.as_deref(), &self.env) {
            return LoginSeen::Yes(how);
        }
        let set = |name: &&str| self.env.iter().any(|(n, value)| n == name && !value.is_empty());
        let elsewhere = facts.variables.iter().any(set) || !self.carried.is_empty() || !self.args.is_empty();
        let unseen = match facts.unseen_login {
            UnseenLogin::NotNeeded => true,
            UnseenLogin::Keychain if crate::platform::HAS_KEYCHAIN => true,
            UnseenLogin::Keychain | UnseenLogin::Elsewhere => elsewhere || self.home.is_none(),
        };
        if unseen { LoginSeen::Unknown } else { LoginSeen::No }
    }
}

impl AgentSpec {
    /// Whether it is known what it must reach: programs that are known, and agents that reach nothing.
    pub fn has_known_hosts(&self) -> bool {
        match self {
            AgentSpec::Cli(spec) => crate::agent::cli::hosts(spec).is_some(),
            AgentSpec::Mechanical | AgentSpec::Replay { .. } | AgentSpec::Api(_) => true,
            AgentSpec::Command { .. } => false,
        }
    }

    /// Whether it runs code that needs a sandbox.
    pub(crate) fn is_real(&self) -> bool {
        match self {
            // A model behind an HTTP endpoint has no tools: the engine writes its files.
            AgentSpec::Mechanical | AgentSpec::Replay { .. } | AgentSpec::Api(_) => false,
            AgentSpec::Cli(_) | AgentSpec::Command { .. } => true,
        }
    }

    /// How the agent works, which decides the form of its brief.
    pub fn manner(&self) -> Manner {
        match self {
            AgentSpec::Api(_) => Manner::Answer,
            AgentSpec::Cli(_)
            | AgentSpec::Command { .. }
            | AgentSpec::Mechanical
            | AgentSpec::Replay { .. } => Manner::Hands,
        }
    }

    /// The reader of its briefs.
    pub fn reader(&self) -> BriefReader {
        let own_rules = match self {
            AgentSpec::Cli(spec) => spec.kind.facts().rules,
            AgentSpec::Api(_)
            | AgentSpec::Command { .. }
            | AgentSpec::Mechanical
            | AgentSpec::Replay { .. } => &[],
        };
        BriefReader { manner: self.manner(), own_rules }
    }

    /// Whether it reads briefs; the others repeat what is written.
    pub fn reads_briefs(&self) -> bool {
        match self {
            AgentSpec::Mechanical | AgentSpec::Replay { .. } => false,
            AgentSpec::Api(_) | AgentSpec::Cli(_) | AgentSpec::Command { .. } => true,
        }
    }

    /// Its additional environment variables.
    pub(crate) fn env(&self) -> &[EnvVar] {
        match self {
            AgentSpec::Mechanical | AgentSpec::Replay { .. } | AgentSpec::Api(_) => &[],
            AgentSpec::Cli(spec) => &spec.env,
            AgentSpec::Command { env, .. } => env,
        }
    }

    /// Whether a turn of it uses tokens, as far as one can know.
    pub fn uses_tokens(&self) -> bool {
        match self {
            AgentSpec::Mechanical | AgentSpec::Replay { .. } => false,
            AgentSpec::Cli(_) | AgentSpec::Api(_) | AgentSpec::Command { .. } => true,
        }
    }

    /// Reads `mechanical`, `replay:DIR` or `cmd:COMMAND`.
    pub fn parse(text: &str) -> Option<Self> {
        if text == MECHANICAL_AGENT {
            return Some(AgentSpec::Mechanical);
        }
        if let Some(dir) = text.strip_prefix("replay:").filter(|d| !d.is_empty()) {
            return Some(AgentSpec::Replay { dir: PathBuf::from(dir) });
        }
        let command = text.strip_prefix("cmd:").map(str::trim).filter(|c| !c.is_empty())?;
        Some(AgentSpec::Command { command: command.to_owned(), env: Vec::new(), timeout: None, idle: None })
    }
}

/// Whether a gate runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GateSwitch {
    /// Where the repository is set up for it and the tool is installed.
    #[default]
    Auto,
    /// Always; not being able to is a failure.
    On,
    /// Never.
    Off,
}

/// Time limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// One agent turn.
    pub attempt: Duration,
    /// One step's command.
    pub step: Duration,
    /// One verification.
    pub verification: Duration,
    /// One build of a task's tests, where it is a command of its own.
    pub build: Duration,
    /// One set-up, with the first build of what the tests need.
    pub setup: Duration,
    /// An agent's silence.
    pub idle: Option<Duration>,
    /// Between two signs of life of a long step.
    pub heartbeat: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            attempt: Duration::from_mins(30),
            step: Duration::from_mins(2),
            verification: Duration::from_mins(5),
            build: Duration::from_mins(30),
            setup: Duration::from_mins(30),
            idle: None,
            heartbeat: Duration::from_secs(15),
        }
    }
}

/// A service that tests need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestService {
    /// Its name in messages.
    pub name: String,
    /// The command that is the service; it runs until it is stopped.
    pub command: String,
    /// The command that succeeds once the service is ready.
    pub ready: Option<String>,
    /// How long it may take to be ready.
    pub timeout: Duration,
    /// A command that stops it; otherwise it is ended.
    pub stop: Option<String>,
}

/// The set-up command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SetupCommand {
    /// Found from lock files.
    #[default]
    Detect,
    /// None.
    Off,
    /// This one.
    Command(String),
}

/// How tests that leave processes behind are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Leftovers {
    /// They count as failed.
    #[default]
    Refused,
    /// They may pass; the evidence names the processes.
    Recorded,
}

/// How verification is done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VerifyConfig {
    /// A command that must pass at every commit.
    pub suite: Option<String>,
    /// The type checker.
    pub type_check: GateSwitch,
    /// The linter.
    pub lint: GateSwitch,
    /// The contract check.
    pub contract: GateSwitch,
    /// The coverage target.
    pub coverage: GateSwitch,
    /// What tests need beside them.
    pub services: Vec<TestService>,
    /// Whether documentation passes without a person.
    pub docs_pass: bool,
    /// Whether canaries are used.
    pub canaries: GateSwitch,
    /// Whether tests that an agent wrote are run on wrong versions of the code.
    pub mutants: GateSwitch,
    /// Whether what tests expect is changed to see them fail.
    pub expectations: GateSwitch,
    /// How long a run with changed expectations may take; without it, in proportion to the tests.
    pub expectation_time: Option<Duration>,
    /// Whether tests are always run three times.
    pub repeat: bool,
    /// How tests that leave processes behind are treated.
    pub leftovers: Leftovers,
    /// Levels of static rules that differ from their default.
    pub rules: BTreeMap<Rule, Strictness>,
}

/// Formatting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FormatConfig {
    /// Whether it is done.
    pub switch: GateSwitch,
    /// Commands that replace what would be detected, by pattern.
    pub own: Vec<OwnFormatter>,
    /// Whether the repository's own hooks are run.
    pub hooks: GateSwitch,
}

/// How commits are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitConfig {
    /// Whether they are signed; `None` follows the user's git configuration.
    pub sign: Option<bool>,
    /// Whether a `Signed-off-by` line is added.
    pub signoff: bool,
    /// The subject; `{id}` and `{title}` stand for the task's own.
    pub subject: String,
}

impl Default for CommitConfig {
    fn default() -> Self {
        Self { sign: None, signoff: false, subject: "{id}: {title}".into() }
    }
}

/// Limits on what an attempt may leave behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeLimits {
    /// The largest single file.
    pub file_bytes: u64,
    /// All changed files together.
    pub total_bytes: u64,
    /// Output kept of one command.
    pub output_bytes: u64,
}

impl Default for SizeLimits {
    fn default() -> Self {
        Self { file_bytes: 10 << 20, total_bytes: 100 << 20, output_bytes: 16 << 20 }
    }
}

/// What happens with a plan that its reviewer rejects or does not judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RejectedPlan {
    /// The run does not begin; a person is asked.
    #[default]
    Ask,
    /// It is carried out anyway, on the user's request.
    GoOn,
}

/// A machine besides this one, and what leads there.
#[derive(Debug, Clone)]
pub struct PlaceSpec {
    /// The way there.
    pub carrier: Arc<dyn Carrier>,
    /// The weakest sandbox that is accepted there.
    pub least_sandbox: Option<SandboxRung>,
    /// Log-ins that attempts there get, by the names of their variables. They travel inside the connection only.
    pub logins: Vec<EnvVar>,
}

/// What a place needs to make the configuration of a run itself.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SentSettings {
    /// The settings in force, as they stand in a `windlass.toml`.
    pub toml: String,
    /// The agent that the command line gives every task.
    pub agent: Option<String>,
    /// Agents that tasks ask for by name.
    pub asked: Vec<String>,
    /// The sandbox that the command line asks for, by its word.
    pub sandbox: Option<String>,
    /// Whether agents may run without a sandbox.
    pub unsandboxed: bool,
}

/// A point at which the program kills itself, for tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CrashPoint {
    /// After so many writes of the journal.
    AfterWrites(u64),
    /// Before the n-th event of a kind is written: what it tells of has happened already.
    BeforeEvent {
        /// The event's kind.
        kind: String,
        /// Which of them, from 1.
        nth: u64,
    },
}

/// The configuration of a run.
#[derive(Debug, Clone, Default)]
pub struct RunConfig {
    /// Limits the scheduler decides by.
    pub settings: Settings,
    /// How tasks find their tier and their agent.
    pub routing: Routing,
    /// What models cost.
    pub prices: Prices,
    /// What follows a plan that its reviewer rejects.
    pub rejected_plan: RejectedPlan,
    /// Time limits.
    pub timeouts: Timeouts,
    /// Machines besides this one, by name.
    pub places: BTreeMap<String, PlaceSpec>,
    /// What they are told of the settings.
    pub sent: SentSettings,
    /// Agents by name.
    pub agents: BTreeMap<String, AgentSpec>,
    /// Verification.
    pub verify: VerifyConfig,
    /// The set-up command.
    pub setup: SetupCommand,
    /// The files that decide what the set-up makes.
    pub setup_inputs: Vec<String>,
    /// What the set-up makes: never part of a change.
    pub setup_outputs: Vec<String>,
    /// Untracked files that slots and exports get, relative to the checkout.
    pub copy: Vec<String>,
    /// How processes are fenced in.
    pub sandbox: SandboxConfig,
    /// Formatting.
    pub format: FormatConfig,
    /// Commits.
    pub commit: CommitConfig,
    /// Sizes.
    pub sizes: SizeLimits,
    /// What agents get of the environment.
    pub agent_env: Vec<EnvVar>,
    /// What verification gets of it.
    pub verify_env: Vec<EnvVar>,
    /// What the set-up gets of it besides.
    pub setup_env: SetupEnv,
    /// Path prefixes that no slot and no export contains.
    pub hidden: Vec<String>,
    /// Where to record turns for `replay`.
    pub record: Option<PathBuf>,
    /// Estimates and limits turn into findings when the real line counts pass them by this factor.
    pub line_tolerance: f64,
    /// How many tokens a turn may take, by the size of its model.
    pub room: TokenLimits,
    /// Counts tokens.
    pub count: TokenCount,
    /// For tests of recovery only.
    pub crash: Option<CrashPoint>,
}

/// Variables of the user that set-up commands get.
#[derive(Debug, Clone, Default)]
pub struct SetupEnv {
    /// Certificates and proxies.
    pub network: Vec<EnvVar>,
    /// Registries, which may carry log-ins: only for dependencies that no agent chose.
    pub registries: Vec<EnvVar>,
}

/// Counts the tokens of a text.
#[derive(Debug, Clone, Copy)]
pub struct TokenCount(pub fn(&str) -> usize);

impl Default for TokenCount {
    /// There are never more tokens than bytes.
    fn default() -> Self {
        Self(str::len)
    }
}

#[cfg(test)]
mod tests;
