//! What every part of one run shares. Made once, read by all, changed by none.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use windlass_core::ids::{AttemptNo, Oid, PlanName, TaskId};
use windlass_core::plan::{Mode, Plan, Task};

use crate::agent::Agent;
use crate::config::RunConfig;
use crate::error::EngineError;
use crate::git::{CommitSpec, Identity, Repo, Signing};
use crate::output::OutputStore;
use crate::paths::PlanPaths;
use crate::process::{Capture, Token};
use crate::sandbox::{DirSetups, Fence, FenceRole, Sandbox};
use crate::slot::{Bases, SlotPool};
use crate::verify::{HeldOutStore, LayerStore};

/// A task with what sealing found out about it.
pub(crate) struct TaskInfo {
    pub(crate) place: usize,
    pub(crate) mode: Mode,
    pub(crate) hash: String,
    pub(crate) owned: Vec<String>,
}

/// What every part of one run shares.
pub(crate) struct Context {
    pub(crate) repo: Repo,
    pub(crate) plan: Plan,
    pub(crate) name: PlanName,
    pub(crate) tasks: HashMap<TaskId, TaskInfo>,
    pub(crate) config: RunConfig,
    pub(crate) sandbox: Sandbox,
    pub(crate) rooms: DirSetups,
    pub(crate) layers: LayerStore,
    pub(crate) outputs: OutputStore,
    pub(crate) slots: SlotPool,
    pub(crate) bases: Bases,
    pub(crate) cache: PathBuf,
    pub(crate) places: PlanPaths,
    pub(crate) held_out: HeldOutStore,
    pub(crate) identity: Identity,
    pub(crate) signing: Signing,
    pub(crate) agents: BTreeMap<String, Box<dyn Agent>>,
    pub(crate) branch: String,
    pub(crate) token: String,
    pub(crate) counter: AtomicU64,
}

impl Context {
    /// A task's text.
    pub(crate) fn task(&self, id: &TaskId) -> &Task {
        &self.plan.tasks[self.info(id).place]
    }

    /// What sealing found out about a task.
    pub(crate) fn info(&self, id: &TaskId) -> &TaskInfo {
        self.tasks.get(id).unwrap_or_else(|| unreachable!("`{id}` was sealed"))
    }

    /// The ref under which something of an attempt is kept. Agent work is never deleted.
    pub(crate) fn ref_of(&self, task: &TaskId, attempt: AttemptNo, what: &str) -> String {
        format!("refs/windlass/{}/{task}/{attempt}/{what}", self.name)
    }

    /// The ref of the evidence.
    pub(crate) fn evidence_ref(&self) -> String {
        format!("refs/windlass/{}/evidence", self.name)
    }

    /// The token of everything one attempt starts.
    pub(crate) fn token_of(&self, task: &TaskId, attempt: AttemptNo) -> Token {
        Token::new(&format!("{}.{task}.{attempt}", self.token))
    }

    /// A fresh directory outside every checkout, removed when dropped.
    pub(crate) fn scratch(&self, what: &str) -> Result<ScratchDir, EngineError> {
        let n = self.counter.fetch_add(1, Ordering::Relaxed);
        let dir = self.cache.join("scratch").join(format!("{}-{n}-{what}", std::process::id()));
        let made = std::fs::create_dir_all(&dir);
        made.map_err(|source| EngineError::Io { what: "create", path: dir.clone(), source })?;
        Ok(ScratchDir { dir })
    }

    /// A fence around a directory, with everything that stands around it.
    pub(crate) fn fence(&self, role: FenceRole, dir: &std::path::Path, own: &std::path::Path) -> Fence {
        self.sandbox.fence(role, dir, own).in_room(&self.rooms)
    }

    /// Where the output of a task's commands goes while they run: `logs -f` follows it there.
    pub(crate) fn capture(&self, task: &TaskId) -> Capture {
        Capture {
            dir: self.places.live(task),
            max_bytes: self.config.sizes.output_bytes,
            tail_bytes: 64 << 10,
        }
    }

    /// Clears what was said live; it is all in the store by now.
    pub(crate) fn forget_live(&self, task: &TaskId) {
        let _ = std::fs::remove_dir_all(self.places.live(task));
    }

    /// A commit in the user's name; never signed, as it is not one that people see.
    pub(crate) fn keep(&self, tree: &Oid, parents: &[&Oid], message: &str) -> Result<Oid, EngineError> {
        let spec = CommitSpec {
            tree: tree.clone(),
            parents: parents.iter().map(|p| (*p).clone()).collect(),
            message: message.to_owned(),
            author: self.identity.clone(),
            committer: self.identity.clone(),
            sign: Signing::No,
        };
        Ok(self.repo.commit_tree(&spec)?)
    }

    /// The hidden prefixes in the form git calls take.
    pub(crate) fn hidden(&self) -> Vec<&str> {
        self.config.hidden.iter().map(String::as_str).collect()
    }
}

/// A directory that is removed when it is no longer needed.
pub(crate) struct ScratchDir {
    dir: PathBuf,
}

impl ScratchDir {
    pub(crate) fn path(&self) -> &std::path::Path {
        &self.dir
    }

    /// A directory below it, made if absent.
    pub(crate) fn sub(&self, name: &str) -> Result<PathBuf, EngineError> {
        let dir = self.dir.join(name);
        let made = std::fs::create_dir_all(&dir);
        made.map_err(|source| EngineError::Io { what: "create", path: dir.clone(), source })?;
        Ok(dir)
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        // Best effort: what is left over is cleared at the next start.
        let _ = crate::removal::remove_any(&self.dir);
    }
}
