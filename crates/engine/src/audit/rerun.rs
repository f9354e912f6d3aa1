//! Runs again what a record says was run, on the tree it was run on, and compares the named results.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use windlass_code::red::{Green, GreenInput, green};
use windlass_core::failure::Gate;
use windlass_core::ids::{AttemptNo, PlanName, TaskId};
use windlass_core::plan::Plan;
use windlass_core::report::TestOutcome;

use super::record::Audited;
use crate::config::RunConfig;
use crate::context::{Context, Scratch};
use crate::error::EngineError;
use crate::git::{Identity, Repo, Signing};
use crate::integrate::Evidence;
use crate::output::OutputStore;
use crate::paths::Paths;
use crate::process::{CancellationSignal, Containment};
use crate::sandbox::{Rooms, Sandbox};
use crate::slot::{Export, SlotPool, export};
use crate::tell::Tell;
use crate::tree_view::GitTree;
use crate::verify::setup::{SetupInput, copy_files, set_up};
use crate::verify::{
    GateRecord, HeldOutStore, LayerStore, Named, ScriptInput, Services, exit_of, lay_out, run_script,
};

/// Where and how records are run again.
pub struct RerunRequest {
    /// The repository with the commits.
    pub repo: Repo,
    /// The plan.
    pub plan: PlanName,
    /// What commands get of the machine.
    pub config: RunConfig,
    /// A directory of its own, outside every checkout.
    pub dir: PathBuf,
}

/// What came of running one record again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Again {
    /// The same tests passed.
    Same {
        /// How many.
        tests: usize,
    },
    /// Something differs.
    Differs(Vec<String>),
    /// There was nothing to run.
    Nothing,
}

/// Runs the tests of every record that holds so far again, in their order.
pub async fn rerun(
    request: &RerunRequest,
    records: &[Audited],
    stop: &CancellationSignal,
) -> Result<Vec<Again>, EngineError> {
    Containment::establish();
    let ctx = context(request)?;
    let mut all = Vec::new();
    for record in records {
        all.push(match &record.evidence {
            Some(evidence) if record.problems.is_empty() => again(&ctx, evidence, stop).await?,
            Some(_) | None => Again::Nothing,
        });
    }
    Ok(all)
}

async fn again(ctx: &Context, evidence: &Evidence, stop: &CancellationSignal) -> Result<Again, EngineError> {
    let scratch = ctx.scratch("audit")?;
    let (to, _deaf) = tokio::sync::mpsc::unbounded_channel();
    let tell = Tell::new(to, evidence.task.clone(), AttemptNo(0), &[]);
    let view = GitTree::open(&ctx.repo, &evidence.green.tree)?;
    let laid = export(&ctx.repo, &evidence.green.tree, &scratch.path().join("tree"), &ctx.hidden())?;
    copy_files(ctx, laid.dir())?;
    let setup = SetupInput { dir: laid.dir(), tree: &view, scratch: &scratch, cancel: stop, tell: &tell };
    if let Some(failure) = set_up(ctx, &setup).await? {
        return Ok(Again::Differs(vec![failure.summary()]));
    }
    let services = match Services::start(ctx, laid.dir(), &scratch, &tell).await {
        Ok(services) => services,
        Err(failure) => return Ok(Again::Differs(vec![failure.summary()])),
    };
    let room = Room { ctx, view: &view, laid: &laid, scratch: &scratch, stop, tell: &tell };
    let again = room.gates(evidence).await;
    services.stop(ctx).await;
    again
}

struct Room<'a> {
    ctx: &'a Context,
    view: &'a GitTree,
    laid: &'a Export,
    scratch: &'a Scratch,
    stop: &'a CancellationSignal,
    tell: &'a Tell,
}

impl Room<'_> {
    async fn gates(&self, evidence: &Evidence) -> Result<Again, EngineError> {
        for held in &evidence.green.held_out {
            let bytes = self.ctx.repo.read_blob(&held.blob)?;
            lay_out(self.laid.dir(), &held.path, &bytes)?;
        }
        let mut tests = 0;
        let mut problems = Vec::new();
        let run = |g: &&GateRecord| matches!(g.gate, Gate::Tests | Gate::HeldOut) && g.exit.is_some();
        for gate in evidence.green.gates.iter().filter(run) {
            match self.one(gate).await? {
                Ok(passed) => tests += passed,
                Err(problem) => problems.push(format!("run again, `{}`: {problem}", gate.gate.as_str())),
            }
        }
        let nothing = !evidence.green.gates.iter().any(|g| run(&g));
        Ok(match (problems.is_empty(), nothing) {
            (_, true) => Again::Nothing,
            (true, false) => Again::Same { tests },
            (false, false) => Again::Differs(problems),
        })
    }

    /// How many tests passed, or what differs.
    async fn one(&self, gate: &GateRecord) -> Result<Result<usize, String>, EngineError> {
        let input = ScriptInput {
            script: &gate.command,
            dir: self.laid.dir(),
            tree: self.view,
            timeout: self.ctx.config.timeouts.verification,
            scratch: self.scratch,
            cancel: self.stop,
            tell: self.tell,
            named: Named::Wanted,
        };
        let run = run_script(self.ctx, input).await?;
        let Some(exit) = exit_of(&run.exit) else { return Ok(Err("it was stopped".into())) };
        let report = match &run.report {
            Ok(report) => report.as_ref(),
            Err(e) => return Ok(Err(e.to_string())),
        };
        let passed = |r: &windlass_core::report::TestReport| -> Vec<String> {
            r.names(TestOutcome::Passed).map(str::to_owned).collect()
        };
        let required = gate.report.as_ref().map(passed).unwrap_or_default();
        match green(&GreenInput { exit, report, runner: run.runner, required: &required }) {
            Green::Passed { tests, .. } => {
                let more: Vec<&String> = tests.iter().filter(|t| !required.contains(t)).collect();
                if gate.report.is_some() && !more.is_empty() {
                    return Ok(Err(format!("it names tests that the record does not: {}", more[0])));
                }
                Ok(Ok(tests.len()))
            }
            Green::Failed(failure) => Ok(Err(failure.to_string())),
        }
    }
}

/// What running a command needs, without a plan and without a past.
fn context(request: &RerunRequest) -> Result<Context, EngineError> {
    let paths = Paths::new(&request.dir.join("state"), &request.dir.join("cache"));
    let places = paths.plan(&request.plan);
    let nobody = Identity { name: "audit".into(), email: "audit@localhost".into(), date: None };
    let config = &request.config.sandbox;
    let sandbox = Sandbox::strongest(config, &paths.cache().join("probe"))?;
    Ok(Context {
        repo: request.repo.clone(),
        plan: Plan::default(),
        name: request.plan.clone(),
        tasks: HashMap::<TaskId, _>::new(),
        config: request.config.clone(),
        outputs: OutputStore::open(&places.out())?,
        slots: SlotPool::open(&paths.slots())?,
        cache: paths.cache().to_owned(),
        held_out: HeldOutStore::at(paths.held_out()),
        places,
        identity: nobody,
        signing: Signing::No,
        agents: std::collections::BTreeMap::new(),
        branch: String::new(),
        token: token(&request.dir),
        counter: AtomicU64::new(0),
        sandbox,
        rooms: Rooms::default(),
        layers: LayerStore::new(paths.cache().join("layers")),
    })
}

fn token(dir: &Path) -> String {
    let name = blake3::hash(dir.as_os_str().as_encoded_bytes()).to_hex();
    format!("windlass.audit.{}", &name[..16])
}
