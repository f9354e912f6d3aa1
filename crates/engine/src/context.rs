//! What the parts of one run share: created once, never changed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock};

use serde::{Deserialize, Serialize};
use windlass_core::ids::{AttemptNo, Oid, PlanName, TaskId};
use windlass_core::plan::{Mode, Plan, Step, Task};

use crate::agent::Agent;
use crate::budget::RunBudget;
use crate::config::RunConfig;
use crate::error::EngineError;
use crate::git::{CommitSpec, Identity, Repo, Signing};
use crate::output::OutputStore;
use crate::paths::PlanPaths;
use crate::place::LocalMachine;
use crate::process::Capture;
use crate::verify::HeldOutStore;

/// How much of the end of a command's output is kept in memory.
const TAIL_BYTES: usize = 64 << 10;

/// A task with what sealing found out about it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TaskInfo {
    /// Its index in the plan's list of tasks.
    pub(crate) place: usize,
    pub(crate) mode: Mode,
    pub(crate) hash: String,
    pub(crate) owned: Vec<String>,
    /// The steps that are carried out.
    pub(crate) steps: Vec<Step>,
}

/// What the parts of one run share.
pub(crate) struct Context {
    pub(crate) repo: Repo,
    pub(crate) plan: Plan,
    /// The plan as a blob of the repository, once it is written.
    pub(crate) plan_blob: OnceLock<Oid>,
    /// The last commit on the evidence ref that this program made, and the record that it brought.
    pub(crate) last_record: Mutex<Option<(Oid, Oid)>>,
    pub(crate) name: PlanName,
    pub(crate) tasks: HashMap<TaskId, TaskInfo>,
    pub(crate) config: RunConfig,
    /// The resources of this machine. Used by what runs behind a `Place`, not by the dispatcher.
    pub(crate) machine: LocalMachine,
    pub(crate) outputs: OutputStore,
    pub(crate) places: PlanPaths,
    pub(crate) held_out: HeldOutStore,
    pub(crate) author: Identity,
    pub(crate) committer: Identity,
    pub(crate) signing: Signing,
    pub(crate) agents: BTreeMap<String, Box<dyn Agent>>,
    pub(crate) budget: Arc<RunBudget>,
    /// The integration branch, without `refs/heads/`.
    pub(crate) branch: String,
    /// The version that builds are told which would ask git for it, where this repository is not the one to say: a record or the
    /// machine of the run said it.
    pub(crate) told_version: Option<String>,
}

impl Context {
    /// A task as the plan states it.
    pub(crate) fn task(&self, id: &TaskId) -> &Task {
        &self.plan.tasks[self.info(id).place]
    }

    /// What sealing found out about a task.
    pub(crate) fn info(&self, id: &TaskId) -> &TaskInfo {
        self.tasks.get(id).unwrap_or_else(|| unreachable!("`{id}` was sealed"))
    }

    /// The ref that keeps something of an attempt. Work of agents is never deleted.
    pub(crate) fn ref_of(&self, task: &TaskId, attempt: AttemptNo, what: &str) -> String {
        format!("refs/windlass/{}/{task}/{attempt}/{what}", self.name)
    }

    /// A name of this repository that no other one on this machine has; for directories elsewhere.
    pub(crate) fn repository_name(&self) -> String {
        let name = self.machine.cache.file_name().unwrap_or_default().to_string_lossy();
        let who = format!("{}{}{name}", self.author.name, self.author.email);
        blake3::hash(who.as_bytes()).to_hex()[..16].to_owned()
    }

    /// The ref of the evidence.
    pub(crate) fn evidence_ref(&self) -> String {
        format!("refs/windlass/{}/evidence", self.name)
    }

    /// Where the output of a task's commands goes while they run; `logs -f` follows it there.
    pub(crate) fn capture(&self, task: &TaskId) -> Capture {
        Capture {
            dir: self.places.live(task),
            max_bytes: self.config.sizes.output_bytes,
            tail_bytes: TAIL_BYTES,
        }
    }

    /// Removes the live output of a task; the output store has all of it.
    pub(crate) fn forget_live(&self, task: &TaskId) {
        let _ = std::fs::remove_dir_all(self.places.live(task));
    }

    /// Writes a commit in the user's name. Never signed: it is not part of the history that people see.
    pub(crate) fn keep(&self, tree: &Oid, parents: &[&Oid], message: &str) -> Result<Oid, EngineError> {
        let spec = CommitSpec {
            tree: tree.clone(),
            parents: parents.iter().map(|p| (*p).clone()).collect(),
            message: message.to_owned(),
            author: dated(&self.author),
            committer: dated(&self.committer),
            sign: Signing::No,
        };
        Ok(self.repo.commit_tree(&spec)?)
    }

    /// The path prefixes that no slot and no export contains.
    pub(crate) fn hidden(&self) -> Vec<&str> {
        self.config.hidden.iter().map(String::as_str).collect()
    }
}

/// An identity with the current time. The time zone of these commits has no meaning.
fn dated(who: &Identity) -> Identity {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let date = who.date.clone().or_else(|| Some(format!("@{} +0000", now.as_secs())));
    Identity { date, ..who.clone() }
}
