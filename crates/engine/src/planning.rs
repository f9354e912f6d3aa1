//! A planner's turns, before there is a plan that could be run: a directory with the repository in it, files laid beside
//! it, an agent that is spoken to, and what it says. Whatever it does to the directory is thrown away, except the one file
//! that is its answer. Knows nothing of plans.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use windlass_core::event::Usage;
use windlass_core::failure::Failure;
use windlass_core::ids::TaskId;
use windlass_core::plan::{Task, Tier};

use crate::agent::{self, Agent, AgentTurn, Conversation, TurnEnd, TurnStep};
use crate::config::RunConfig;
use crate::error::EngineError;
use crate::git::{Head, Repo};
use crate::paths::Paths;
use crate::process::{CancellationSignal, Capture, Containment, Token};
use crate::sandbox::{Fence, FenceRole, Sandbox, read_plain};
use crate::slot::{Slot, SlotPool};

/// The folder beside the code in which the draft and everything about it lies.
pub const FOLDER: &str = "windlass-plan";
/// The draft in it, and the answer.
pub const DRAFT: &str = "plan.json";
/// The most that is read of what a planner says.
const MOST: usize = 8 << 20;

/// The agent that plans, and where.
pub struct DeskRequest {
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
pub struct Desk {
    agent: Box<dyn Agent>,
    request: DeskRequest,
    sandbox: Sandbox,
    slot: Slot,
    scratch: PathBuf,
    token: Token,
    turns: u32,
    session: Option<String>,
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

impl Desk {
    /// Makes a place for an agent: the repository as it is committed, without plans, and the files beside it.
    pub fn open(request: DeskRequest) -> Result<Self, EngineError> {
        Containment::establish();
        let Some(spec) = request.config.agents.get(&request.agent) else {
            return Err(EngineError::UnknownAgent { name: request.agent.clone() });
        };
        let sandbox = crate::run::sandbox_for(&request.config, &request.paths, [&request.agent])?;
        let agent = agent::from_spec(&request.agent, spec, &request.paths.sessions());
        let mut slot = SlotPool::open(&request.paths.slots())?.acquire()?;
        match request.repo.head()? {
            Head::Branch { oid, .. } | Head::Detached { oid } => {
                let hidden: Vec<&str> = request.config.hidden.iter().map(String::as_str).collect();
                slot.prepare(&request.repo, &oid, &hidden)?;
            }
            Head::Unborn { .. } => {}
        }
        let pid = std::process::id();
        let scratch = request.paths.cache().join("planning").join(format!("{pid}"));
        let token = Token::new(&format!("{}.{pid}", crate::run::token(&request.paths, "@plan")));
        Ok(Self { agent, request, sandbox, slot, scratch, token, turns: 0, session: None })
    }

    /// Whether the next turn goes on with the conversation of the last.
    pub fn goes_on(&self) -> bool {
        self.wish() != Conversation::New
    }

    fn wish(&self) -> Conversation {
        let Some(id) = &self.session else { return Conversation::New };
        let fence = self.sandbox.fence(FenceRole::Agent, self.slot.tree(), &self.scratch);
        self.agent.session(Conversation::Resume(id.clone()), &fence.inside(self.slot.tree()))
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
        let fence = self.sandbox.fence(FenceRole::Agent, self.slot.tree(), &scratch);
        let (id, task) = names(&self.request.name);
        let turn = self.put(&id, &task, brief, scratch, fence, stop);
        let over = self.agent.turn(turn).await;
        if let Some(session) = &over.session {
            self.session = Some(session.clone());
        }
        let transcript = over.output.as_deref().and_then(|path| self.keep(path));
        let end = match over.end {
            TurnEnd::Cancelled => PlannerEnd::Interrupted,
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
            dir: self.slot.tree().to_owned(),
            slot: self.slot.number(),
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
            token: self.token.clone(),
            cancel: stop.clone(),
            on_spawn: Box::new(|_| {}),
        }
    }

    fn lay_down(&self) -> Result<(), EngineError> {
        let folder = self.slot.tree().join(FOLDER);
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
        let path = self.slot.tree().join(FOLDER).join(DRAFT);
        let bytes = read_plain(&path, &[self.slot.tree()]).filter(|b| b.len() <= MOST)?;
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

impl Drop for Desk {
    fn drop(&mut self) {
        // The slot is not released: it is wiped before anybody gets it again. So is what cannot be removed here.
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
            | Failure::RateLimited { .. }
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
