//! A small repository and a plan, to run in a test. Hermetic: its own home, its own cache, its own identity.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use windlass_code::detect::is_test_path;
use windlass_core::event::{Event, RunEnd, Stamped};
use windlass_core::graph::{Overlap, SealOptions};
use windlass_core::ids::{PlanName, TaskId};
use windlass_core::plan::{CodeBlock, Files, Plan, Task, TestPlan, Tier, Verification};
use windlass_core::policy::Settings;
use windlass_core::state::TaskState;
use windlass_core::view::View;
use windlass_engine::Sink;
use windlass_engine::chronicle::Chronicle;
use windlass_engine::config::{AgentSpec, RunConfig, SetupCommand};
use windlass_engine::error::EngineError;
use windlass_engine::git::{GitEnv, Repo};
use windlass_engine::paths::Paths;
use windlass_engine::process::CancellationSignal;
use windlass_engine::run::{RunRequest, run};
use windlass_engine::sandbox::{SandboxConfig, Unsandboxed};
use windlass_planner::runnable::make_runnable;

/// A repository in a temporary directory.
pub(crate) struct Bench {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) config: RunConfig,
    pub(crate) plan: Plan,
    pub(crate) stop: CancellationSignal,
}

/// Keeps every event.
#[derive(Default)]
pub(crate) struct Ears(pub(crate) Vec<Stamped>);

impl Sink for Ears {
    fn on_event(&mut self, event: &Stamped, _: &View) {
        self.0.push(event.clone());
    }
}

/// A task that creates one shell function with a test.
pub(crate) fn shell_task(name: &str, deps: &[&str]) -> Task {
    let code = format!(
        "echo 1..1\ntest \"$(sh {name}.sh)\" = {name} || {{ echo 'not ok 1 - says {name}'; exit 1; }}\necho 'ok 1 - says {name}'\n"
    );
    Task {
        id: name.into(),
        title: format!("Say {name}"),
        depends_on: deps.iter().map(|d| (*d).into()).collect(),
        files: Files { create: vec![format!("{name}.sh")], ..Files::default() },
        test: TestPlan { file: Some(format!("tests/{name}_test.sh")), ..TestPlan::default() },
        test_code: vec![CodeBlock {
            path: Some(format!("tests/{name}_test.sh")),
            code,
            ..CodeBlock::default()
        }],
        verification: Some(Verification {
            script: format!("sh tests/{name}_test.sh"),
            timeout_seconds: None,
        }),
        ..Task::default()
    }
}

impl Bench {
    pub(crate) fn new(tasks: Vec<Task>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let bench = Self {
            config: RunConfig {
                settings: Settings { jobs: 4, ..Settings::default() },
                setup: SetupCommand::Off,
                hidden: vec!["plans/".into()],
                agent_env: env(dir.path()),
                verify_env: env(dir.path()),
                line_tolerance: 2.0,
                // These stories are about the line; sandboxes have their own, with the real program.
                sandbox: SandboxConfig { unsandboxed: Unsandboxed::Allowed, ..SandboxConfig::default() },
                room: windlass_planner::brief::TokenLimits::default(),
                count: windlass_engine::config::TokenCount::default(),
                ..RunConfig::default()
            },
            plan: Plan { name: "demo".into(), tasks, ..Plan::default() },
            stop: CancellationSignal::new(),
            dir,
        };
        for sub in ["home", "repo", "cache"] {
            std::fs::create_dir(bench.path(sub)).unwrap();
        }
        std::fs::write(bench.path("repo/README.md"), "hello\n").unwrap();
        for args in [
            &["init", "-q", "-b", "main"][..],
            &["config", "user.name", "T"],
            &["config", "user.email", "t@example.org"],
            &["add", "-A"],
            &["commit", "-qm", "start"],
        ] {
            bench.git(args);
        }
        bench
    }

    pub(crate) fn path(&self, sub: &str) -> PathBuf {
        self.dir.path().join(sub)
    }

    /// Every tier is served by this command.
    pub(crate) fn agent(mut self, command: &str) -> Self {
        let spec = AgentSpec::parse(&format!("cmd:{command}")).unwrap();
        self.config.agents.insert("it".into(), spec);
        self.config.settings.agents =
            [Tier::Small, Tier::Medium, Tier::Large].into_iter().map(|t| (t, "it".to_owned())).collect();
        self
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        let out = Command::new("git")
            .args(args)
            .current_dir(self.path("repo"))
            .env_clear()
            .envs(env(self.dir.path()))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).trim().to_owned()
    }

    pub(crate) fn request(&self) -> RunRequest {
        let path = std::env::var_os("PATH").unwrap();
        let git = GitEnv { path, home: Some(self.path("home")), people: Vec::new() };
        let repo = Repo::discover(git, &self.path("repo")).unwrap();
        let paths = Paths::new(repo.common_dir(), &self.path("cache"));
        let repo = repo.with_own_dir(paths.state()).unwrap();
        let options = SealOptions {
            is_test: &is_test_path,
            max_depth: 3,
            overlap: Overlap::Order,
            tier_limits: BTreeMap::new(),
            pools: BTreeMap::new(),
        };
        RunRequest {
            repo,
            paths,
            runnable: make_runnable(&self.plan, &options).runnable.unwrap(),
            name: PlanName::new("demo").unwrap(),
            config: self.config.clone(),
            branch: "windlass/demo".into(),
            only: Vec::new(),
            version: "test".into(),
            source: String::new(),
        }
    }

    pub(crate) fn try_run(&self) -> Result<(RunEnd, Vec<Event>), EngineError> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
        let mut ears = Ears::default();
        let end = runtime.block_on(run(self.request(), self.stop.clone(), &mut ears))?;
        Ok((end, ears.0.into_iter().map(|s| s.event).collect()))
    }

    pub(crate) fn run(&self) -> (RunEnd, Vec<Event>) {
        self.try_run().unwrap()
    }

    pub(crate) fn view(&self) -> View {
        let paths = self.request().paths.plan(&PlanName::new("demo").unwrap());
        Chronicle::open(&paths.journal()).unwrap().unwrap().view().unwrap()
    }

    pub(crate) fn state(&self, task: &str) -> TaskState {
        self.view().task(task).unwrap().state
    }

    pub(crate) fn subjects(&self) -> Vec<String> {
        let log = self.git(&["log", "--reverse", "--format=%s", "main..windlass/demo"]);
        log.lines().map(str::to_owned).collect()
    }
}

fn env(dir: &Path) -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    vec![
        ("PATH".into(), std::env::var_os("PATH").unwrap()),
        ("HOME".into(), dir.join("home").into()),
        ("LC_ALL".into(), "C".into()),
    ]
}

pub(crate) fn id(text: &str) -> TaskId {
    TaskId::new(text).unwrap()
}
