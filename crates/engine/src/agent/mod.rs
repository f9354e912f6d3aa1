//! Agents carry out tasks. One turn is one call; "done" is only a claim.
//!
//! An agent gets a brief and a directory. It knows nothing of other tasks, git refs or the checks on its work, and the
//! engine knows nothing of how it works.

pub mod acp;
mod api;
pub mod cli;
mod command;
mod last_words;
mod mechanical;
mod replay;
mod result_file;
pub mod stream;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use windlass_core::event::{Role, Usage};
use windlass_core::failure::Failure;
use windlass_core::ids::TaskId;
use windlass_core::plan::{Task, Tier};
use windlass_core::worded;

use crate::budget::TurnMeter;
use crate::config::{AgentSpec, EnvVar};
use crate::process::{CancellationSignal, Capture, ProcessId, Token};
use crate::proxy::BlockedHost;
use crate::sandbox::Fence;

worded! {
    /// What a turn is for; the value of `WINDLASS_STEP`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum TurnStep {
        /// Write the failing test.
        WriteTest = "write_test",
        /// Write the code.
        Implement = "implement",
        /// Fix what was refused.
        Fix = "fix",
        /// Improve the code while it stays green.
        Refactor = "refactor",
        /// Review a change that passed every gate.
        Review = "review",
        /// Review the plan before the run.
        ReviewPlan = "review_plan",
        /// Find conflicts between tasks and an order that resolves them.
        Integrate = "integrate",
        /// Make a plan from specifications.
        Plan = "plan",
    }
}

impl TurnStep {
    /// Whether the answer is a judgement and no file may change.
    pub(crate) fn only_judges(self) -> bool {
        match self {
            TurnStep::Review | TurnStep::ReviewPlan | TurnStep::Integrate | TurnStep::Plan => true,
            TurnStep::WriteTest | TurnStep::Implement | TurnStep::Fix | TurnStep::Refactor => false,
        }
    }

    /// The role of the agent.
    pub fn role(self) -> Role {
        match self {
            TurnStep::WriteTest => Role::TestWriter,
            TurnStep::Implement | TurnStep::Refactor => Role::Implementer,
            TurnStep::Fix => Role::BugHunter,
            TurnStep::Review => Role::Reviewer,
            TurnStep::ReviewPlan => Role::PlanReviewer,
            TurnStep::Integrate => Role::Integrator,
            TurnStep::Plan => Role::Planner,
        }
    }
}

/// One turn of an agent: everything it receives.
pub struct AgentTurn<'a> {
    /// The task.
    pub id: &'a TaskId,
    /// The task's text.
    pub task: &'a Task,
    /// What the turn is for.
    pub step: TurnStep,
    /// Which turn of this step for this task it is, from 1.
    pub nth: u32,
    /// The directory to work in.
    pub dir: PathBuf,
    /// The slot's number, for ports and the like.
    pub slot: u32,
    /// The size of model it is for.
    pub tier: Tier,
    /// What it is told.
    pub brief: String,
    /// The files it may change; any, where the task names none.
    pub may_change: Vec<String>,
    /// The frozen tests.
    pub frozen: Vec<String>,
    /// The conversation to continue, as [`Agent::session`] answered.
    pub session: Conversation,
    /// The JSON Schema of the final answer, if one is required.
    pub schema: Option<serde_json::Value>,
    /// A private directory for the brief and the answer.
    pub scratch: PathBuf,
    /// The environment of all agents.
    pub env: Vec<EnvVar>,
    /// How long it may take.
    pub timeout: Duration,
    /// How long it may be silent.
    pub idle: Option<Duration>,
    /// Where its output goes.
    pub capture: Capture,
    /// The sandbox of all its processes.
    pub fence: Fence,
    /// Takes in what it tells while it works.
    pub meter: Arc<TurnMeter>,
    /// Marks its processes.
    pub token: Token,
    /// Stops it.
    pub cancel: CancellationSignal,
    /// Called with its process when it starts.
    pub on_spawn: Box<dyn FnOnce(ProcessId) + Send>,
}

impl AgentTurn<'_> {
    /// The environment variables that describe the turn.
    fn variables(&self, brief: &Path, result: &Path) -> [EnvVar; 7] {
        let text = |name: &str, value: &str| (name.into(), value.into());
        [
            ("WINDLASS_BRIEF".into(), brief.into()),
            ("WINDLASS_RESULT".into(), result.into()),
            text("WINDLASS_STEP", self.step.as_str()),
            text("WINDLASS_TASK", self.id.as_str()),
            text("WINDLASS_SLOT", &self.slot.to_string()),
            text("WINDLASS_TIER", self.tier.as_str()),
            text("WINDLASS_TRY", &self.nth.to_string()),
        ]
    }
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnEnd {
    /// It claims to be done.
    Done {
        /// Files outside the task that it changed or wants to change.
        needs_files: Vec<String>,
    },
    /// It cannot go on without these files.
    NeedsFiles(Vec<String>),
    /// It cannot go on.
    Failed(Failure),
    /// It was ended because the run's money or tokens are spent.
    OutOfBudget,
    /// It was stopped.
    Cancelled,
}

/// A turn that is over.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnOver {
    /// How it ended.
    pub end: TurnEnd,
    /// What it cost.
    pub usage: Usage,
    /// The model it says it used.
    pub model: Option<String>,
    /// Its session.
    pub session: Option<String>,
    /// Its last message.
    pub summary: Option<String>,
    /// What it printed at the end, where that is prose and no message is known.
    pub printed: Option<String>,
    /// Its answer in the required schema.
    pub structured: Option<serde_json::Value>,
    /// Denied actions, one line each.
    pub denied: Vec<String>,
    /// Hosts that it asked for and did not reach.
    pub blocked: Vec<BlockedHost>,
    /// The file with its output, if it has any.
    pub output: Option<PathBuf>,
}

impl TurnOver {
    /// A turn that left nothing but its end.
    pub(crate) fn silent(end: TurnEnd) -> Self {
        Self {
            end,
            usage: Usage::default(),
            model: None,
            session: None,
            summary: None,
            printed: None,
            structured: None,
            denied: Vec::new(),
            blocked: Vec::new(),
            output: None,
        }
    }
}

/// A boxed turn.
pub type TurnFuture<'a> = Pin<Box<dyn Future<Output = TurnOver> + Send + 'a>>;

/// An agent: carries out turns.
pub trait Agent: Send + Sync {
    /// Takes one turn.
    fn turn<'a>(&'a self, turn: AgentTurn<'a>) -> TurnFuture<'a>;

    /// Whether this agent can continue a conversation in `dir` (as the agent sees it): the wish itself, or
    /// [`Conversation::New`]. Asked before the brief is written, so that the brief can include what the conversation
    /// would have known.
    fn session(&self, wish: Conversation, dir: &Path) -> Conversation {
        let _ = (wish, dir);
        Conversation::New
    }
}

/// Creates the agent of a specification. `sessions` is the directory of saved conversations.
pub fn from_spec(name: &str, spec: &AgentSpec, sessions: &Path) -> Box<dyn Agent> {
    match spec {
        AgentSpec::Cli(spec) => Box::new(cli::CliAgent::new(name, (**spec).clone(), sessions)),
        AgentSpec::Mechanical => Box::new(mechanical::Mechanical),
        AgentSpec::Replay { dir } => Box::new(replay::Replay { dir: dir.clone() }),
        AgentSpec::Api(spec) => Box::new(api::ApiAgent { spec: spec.clone() }),
        AgentSpec::Command { command, env, timeout, idle } => Box::new(command::CommandAgent {
            command: command.clone(),
            env: env.clone(),
            timeout: *timeout,
            idle: *idle,
        }),
    }
}

pub use api::{ApiDialect, ApiKey, ApiSpec, BYTES_PER_TOKEN};
pub(crate) use last_words::only_words;
pub(crate) use replay::patch_path;
pub use windlass_core::schedule::Conversation;
