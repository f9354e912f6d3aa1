//! A planner's turns, before there is a plan that could be run: a directory with the repository in it, files laid beside
//! it, an agent that is spoken to, and what it says. Whatever it does to the directory is thrown away, except the one file
//! that is its answer. Knows nothing of plans.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use windlass_core::event::Usage;
use windlass_core::failure::Failure;
use windlass_core::ids::TaskId;
use windlass_core::plan::{Task, Tier};

use crate::agent::{self, Agent, AgentTurn, Conversation, TurnEnd, TurnStep};
use crate::budget::{RunBudget, TurnMeter};
use crate::cache::CacheClaim;
use crate::config::RunConfig;
use crate::error::EngineError;
use crate::git::Repo;
use crate::paths::Paths;
use crate::place::Workspace;
use crate::process::{CancellationSignal, Capture, Containment, Token};
use crate::random_token::process_name;
use crate::sandbox::{Fence, FenceRole, Sandbox, read_plain};

/// The folder beside the code in which the draft and everything about it lies.
pub const FOLDER: &str = "windlass-plan";
/// The draft in it, and the answer.
pub const DRAFT: &str = "plan.json";
/// The most that is read of what a planner says.
const MOST: usize = 8 << 20;

/// The agent that plans, and where.
pub struct PlannerRequest {
    /// The repository the plan is for.
    pub repo: Repo,
    /// Where its state lies.
    pub paths: Paths,
    /// The agents, their environment and the sandbox.
    pub config: RunConfig,
    /// The agent, by name.
    pub agent: String,
    /// The plan's name, for transcripts.
    pub name: String,
    /// Files for [`FOLDER`], by their paths in it; the draft among them.
    pub files: Vec<(String, String)>,
}

/// A place where a planner works.
pub struct PlannerWorkspace {
    agent: Box<dyn Agent>,
    request: PlannerRequest,
    budget: Arc<RunBudget>,
    sandbox: Sandbox,
    workspace: Workspace,
    scratch: PathBuf,
    token: Token,
    turns: u32,
    session: Option<String>,
    /// Held as long as the slot is.
    _claim: CacheClaim,
}

/// What came of a planner's turn.
#[derive(Debug, Clone)]
pub struct PlannerTurn {
    /// How it ended.
    pub end: PlannerEnd,
    /// What it cost, by the prices in force.
    pub usage: Usage,
    /// Its model, as far as it tells.
    pub model: Option<String>,
    /// Its conversation.
    pub session: Option<String>,
    /// How long it took.
    pub took: Duration,
    /// The file with everything it printed.
    pub transcript: Option<PathBuf>,
}

/// How a planner's turn ended.
#[derive(Debug, Clone)]
pub enum PlannerEnd {
    /// It says that it is done.
    Said {
        /// A structured answer, if it gave one.
        answer: Option<Value>,
        /// The file with the draft, where it was changed.
        file: Option<String>,
        /// Its words.
        words: String,
    },
    /// It failed, and may well do better when it is asked again.
    Failed(Failure),
    /// It failed, and asking again is of no use.
    Hopeless(Failure),
    /// It was stopped.
    Interrupted,
}

impl PlannerWorkspace {
    /// Makes a place for an agent: the repository as it is committed, without plans, and the files beside it.
    pub fn open(request: PlannerRequest) -> Result<Self, EngineError> {
        Containment::establish();
        let Some(spec) = request.config.agents.get(&request.agent) else {
            return Err(EngineError::UnknownAgent { name: request.agent.clone() });
        };
        let own = process_name();
        let token = Token::new(&format!("{}.{own}", crate::run::token(&request.paths, "@plan")));
        let sandbox =
            crate::run::sandbox_for(&request.config, &request.paths, [&request.agent], token.clone())?;
        let agent = agent::from_spec(&request.agent, spec, &request.paths.sessions());
        let claim = CacheClaim::take(&request.paths)?;
        let hidden: Vec<&str> = request.config.hidden.iter().map(String::as_str).collect();
        let workspace = Workspace::of_head(&request.paths, &request.repo, &hidden)?;
        let scratch = request.paths.cache().join("planning").join(own);
        let budget = RunBudget::of(&request.config.settings);
        let (turns, session) = (0, None);
        Ok(Self { agent, request, budget, sandbox, workspace, scratch, token, turns, session, _claim: claim })
    }

    /// Whether the next turn goes on with the conversation of the last.
    pub fn goes_on(&self) -> bool {
        self.wish() != Conversation::New
    }

    fn wish(&self) -> Conversation {
        let Some(id) = &self.session else { return Conversation::New };
        let fence = self.sandbox.fence(FenceRole::Agent, self.workspace.dir(), &self.scratch);
        self.agent.session(Conversation::Resume(id.clone()), &fence.inside(self.workspace.dir()))
    }

    /// Gives the agent its turn. The files are laid down at the first.
    pub async fn turn(
        &mut self,
        brief: String,
        stop: &CancellationSignal,
    ) -> Result<PlannerTurn, EngineError> {
        if self.turns == 0 {
            self.lay_down()?;
        }
        self.turns += 1;
        let since = Instant::now();
        let scratch = self.scratch.join(format!("turn-{}", self.turns));
        fs::create_dir_all(&scratch).map_err(|e| io("create", &scratch, e))?;
        let before = self.draft();
        let fence = self.sandbox.fence(FenceRole::Agent, self.workspace.dir(), &scratch);
        let (id, task) = names(&self.request.name);
        let Some(meter) = self.budget.admit(stop).await else { return Ok(self.not_admitted(since)) };
        let turn =
            AgentTurn { meter: Arc::clone(&meter), ..self.put(&id, &task, brief, scratch, fence, stop) };
        let over = self.agent.turn(turn).await;
        meter.settle(&self.request.config.prices.price(over.usage, over.model.as_deref()));
        if let Some(session) = &over.session {
            self.session = Some(session.clone());
        }
        let transcript = over.output.as_deref().and_then(|path| self.keep(path));
        let end = match over.end {
            TurnEnd::Cancelled => PlannerEnd::Interrupted,
            TurnEnd::OutOfBudget => self.spent(),
            TurnEnd::Failed(failure) if is_hopeless(&failure) => PlannerEnd::Hopeless(failure),
            TurnEnd::Failed(failure) => PlannerEnd::Failed(failure),
            TurnEnd::Done { .. } | TurnEnd::NeedsFiles(_) => {
                let printed = || transcript.as_deref().map(printed).unwrap_or_default();
                let words = over.summary.clone().unwrap_or_else(printed);
                PlannerEnd::Said {
                    answer: over.structured,
                    file: self.draft().filter(|d| Some(d) != before.as_ref()),
                    words,
                }
            }
        };
        let usage = self.request.config.prices.price(over.usage, over.model.as_deref());
        let (model, session) = (over.model, over.session);
        Ok(PlannerTurn { end, usage, model, session, took: since.elapsed(), transcript })
    }

    /// A turn that did not start: the money is spent, or it was stopped while it waited.
    fn not_admitted(&self, since: Instant) -> PlannerTurn {
        let (end, usage, took) = (self.spent(), Usage::default(), since.elapsed());
        PlannerTurn { end, usage, model: None, session: None, took, transcript: None }
    }

    fn spent(&self) -> PlannerEnd {
        let why = self.budget.newly_closed().unwrap_or_else(|| "the budget is spent".into());
        PlannerEnd::Hopeless(Failure::Environment { message: why })
    }

    fn put<'a>(
        &'a self,
        id: &'a TaskId,
        task: &'a Task,
        brief: String,
        scratch: PathBuf,
        fence: Fence,
        stop: &CancellationSignal,
    ) -> AgentTurn<'a> {
        let config = &self.request.config;
        AgentTurn {
            id,
            task,
            step: TurnStep::Plan,
            nth: self.turns,
            dir: self.workspace.dir().to_owned(),
            slot: self.workspace.number(),
            tier: Tier::Large,
            brief,
            may_change: Vec::new(),
            frozen: Vec::new(),
            session: self.wish(),
            schema: None,
            capture: Capture {
                dir: scratch.join("said"),
                max_bytes: config.sizes.output_bytes,
                tail_bytes: 64 << 10,
            },
            scratch,
            env: config.agent_env.clone(),
            timeout: config.timeouts.attempt,
            idle: config.timeouts.idle,
            fence,
            meter: TurnMeter::alone(),
            token: self.token.clone(),
            cancel: stop.clone(),
            on_spawn: Box::new(|_| {}),
        }
    }

    fn lay_down(&self) -> Result<(), EngineError> {
        let folder = self.workspace.dir().join(FOLDER);
        for (name, text) in &self.request.files {
            let path = folder.join(name);
            let above = path.parent().unwrap_or(&folder);
            fs::create_dir_all(above).map_err(|e| io("create", above, e))?;
            fs::write(&path, text).map_err(|e| io("write", &path, e))?;
        }
        Ok(())
    }

    /// The draft as it lies there now. A link, a device or a giant is none.
    fn draft(&self) -> Option<String> {
        let path = self.workspace.dir().join(FOLDER).join(DRAFT);
        let bytes = read_plain(&path, &[self.workspace.dir()]).filter(|b| b.len() <= MOST)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Keeps what was printed where a person finds it afterwards.
    fn keep(&self, printed: &Path) -> Option<PathBuf> {
        let dir = self.request.paths.cache().join("planning").join(&self.request.name);
        fs::create_dir_all(&dir).ok()?;
        let path = dir.join(format!("turn-{}.txt", self.turns));
        fs::copy(printed, &path).ok()?;
        Some(path)
    }
}

impl Drop for PlannerWorkspace {
    fn drop(&mut self) {
        // The workspace is not kept: it is wiped before its next use, with what cannot be removed here.
        let _ = crate::removal::remove_any(&self.scratch);
    }
}

/// A turn needs a task; a planner's is the plan itself.
fn names(plan: &str) -> (TaskId, Task) {
    let id = TaskId::new("plan").unwrap_or_else(|e| unreachable!("a fixed name: {e}"));
    let task = Task { id: id.to_string(), title: plan.to_owned(), ..Task::default() };
    (id, task)
}

/// Whether the same thing would happen again, or would take as long again.
fn is_hopeless(failure: &Failure) -> bool {
    matches!(
        failure,
        Failure::Spawn { .. }
            | Failure::Environment { .. }
            | Failure::NoTestCommand { .. }
            | Failure::BriefTooLarge { .. }
            | Failure::RateLimited { .. }
            | Failure::ProviderRefused { .. }
            | Failure::Timeout { .. }
            | Failure::SpecContradiction { .. }
    )
}

/// What a command printed, as far as it is read.
fn printed(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes[..bytes.len().min(MOST)]).into_owned()
}

fn io(what: &'static str, path: &Path, source: std::io::Error) -> EngineError {
    EngineError::Io { what, path: path.to_owned(), source }
}
