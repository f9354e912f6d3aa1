//! `windlass demo`: the whole pipeline on a bundled sample. Makes a repository, derives a plan from its documents, checks
//! it and runs it. The result stays on disk.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use windlass_core::event::RunEnd;
use windlass_core::graph::draw;
use windlass_engine::chronicle::Chronicle;
use windlass_engine::run::run;
use windlass_engine::sandbox::Unsandboxed;

use super::checked::{CheckedPlan, PlanSelection, ProfileArgs};
use super::plan::cmd_plan;
use super::{CliError, Exit};
use crate::render::{self, Paint};
use crate::running::{
    Overrides, Prepared, ProgressLines, SandboxOverrides, prepare, runtime, stop_on_signals,
};
use crate::world::World;

/// Run the whole pipeline on a bundled sample; needs no agent, key or network
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DemoArgs {
    /// Where to put the sample; without it, a new temporary folder.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  windlass demo              in a temporary folder
  windlass demo --dir till   in a new folder, to look around afterwards";

/// The sample: a cash register in `sh`.
const SAMPLE: [(&str, &str); 4] = [
    ("README.md", include_str!("../../demo/till/README.md")),
    ("docs/specs/PRD.md", include_str!("../../demo/till/docs/specs/PRD.md")),
    ("docs/specs/TECHNICAL_DESIGN.md", include_str!("../../demo/till/docs/specs/TECHNICAL_DESIGN.md")),
    ("agent.sh", include_str!("../../demo/till/agent.sh")),
];

/// Shows the demo.
pub(crate) fn cmd_demo(world: &World, args: &DemoArgs) -> Result<Exit, CliError> {
    let dir = lay_out(world, args.dir.as_deref())?;
    let mut inside = world.clone();
    inside.cwd.clone_from(&dir);
    inside.cache_home = Some(dir.join(".git").join("cache"));
    make_repository(&inside)?;
    let stage = DemoPrinter { world: &inside };
    stage.specs()?;
    stage.derive()?;
    let plan = PlanSelection { plan: Some(PathBuf::from("plans/till")), from: None };
    let checked = CheckedPlan::load(&inside, &plan, &ProfileArgs::default())?;
    stage.plan(&checked)?;
    let end = stage.carry_out(&checked)?;
    stage.outcome(&dir)?;
    Ok(if end == RunEnd::Completed { Exit::Fine } else { Exit::Findings })
}

fn lay_out(world: &World, wanted: Option<&Path>) -> Result<PathBuf, CliError> {
    let dir = match wanted {
        Some(dir) => world.cwd.join(dir).components().collect(),
        None => World::temporary_dir("demo")?.keep(),
    };
    let holds_files = fs::read_dir(&dir).is_ok_and(|mut entries| entries.next().is_some());
    if holds_files {
        return Err(CliError::usage(format!("`{}` is not empty", dir.display()))
            .hint("name a new folder, or leave `--dir` out for a temporary one"));
    }
    for (name, text) in SAMPLE {
        let path = dir.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        made.map_err(|e| CliError::file("cannot write", &path, &e))?;
    }
    Ok(dir)
}

/// A repository of its own: nothing of the user's configuration is needed or touched.
fn make_repository(world: &World) -> Result<(), CliError> {
    let steps: [&[&str]; 5] = [
        &["init", "-q", "-b", "main"],
        &["config", "user.name", "Windlass Demo"],
        &["config", "user.email", "demo@windlass.invalid"],
        &["add", "-A"],
        &["-c", "commit.gpgSign=false", "commit", "-q", "-m", "A specification and a design"],
    ];
    for args in steps {
        world.git(args)?;
    }
    Ok(())
}

/// Prints the chapters of the demo.
struct DemoPrinter<'a> {
    world: &'a World,
}

impl DemoPrinter<'_> {
    fn heading(&self, text: &str) -> Result<(), CliError> {
        self.world.print(&format!("\n{}\n\n", self.world.out.paint(Paint::Strong, text)))
    }

    fn specs(&self) -> Result<(), CliError> {
        self.heading("1. The requirements (docs/specs/PRD.md)")?;
        let criteria = SAMPLE[1].1.lines().filter(|l| l.starts_with("## ") || l.starts_with("- AC"));
        let lines: Vec<String> = criteria.map(|l| format!("   {}\n", l.trim_start_matches("## "))).collect();
        self.world.print(&lines.concat())
    }

    fn derive(&self) -> Result<(), CliError> {
        self.heading(
            "2. A plan from it and the technical design, without a model (windlass plan docs/specs)",
        )?;
        cmd_plan(self.world, &crate::cli::plan::PlanArgs::plain(PathBuf::from("docs/specs"))).map(|_| ())
    }

    fn plan(&self, checked: &CheckedPlan) -> Result<(), CliError> {
        self.heading("3. The plan, checked and drawn (plans/till)")?;
        self.world.print(&render::summary(&checked.report(), &self.world.out))?;
        let Some(runnable) = &checked.runnable else { return Ok(()) };
        let options = draw::DrawOptions { width: self.world.out.width, ..draw::DrawOptions::default() };
        self.world.print(&format!("\n{}\n", draw::text(&runnable.graph, &runnable.plan, &options)))
    }

    fn carry_out(&self, checked: &CheckedPlan) -> Result<RunEnd, CliError> {
        self.heading("4. The run: red, green, merged; task T003 fails first, and the bug-hunter repairs it")?;
        let agent = Some("cmd:sh \"$WINDLASS_DEMO/agent.sh\"".to_owned());
        // The agent is a script of the demo: it may run without a sandbox.
        let sandbox = SandboxOverrides { unsandboxed: Unsandboxed::Allowed, ..SandboxOverrides::default() };
        let over = Overrides { agent, jobs: Some(2), sandbox, ..Overrides::default() };
        let Prepared { mut request, .. } = prepare(self.world, checked, &over)?;
        request.config.sandbox.agents_read.push(self.world.cwd.join("agent.sh"));
        request.config.agent_env.push(("WINDLASS_DEMO".into(), self.world.cwd.clone().into()));
        let runtime = runtime(2)?;
        let end = runtime.block_on(async {
            let stop = stop_on_signals(|_| {});
            Box::pin(run(request, stop, &mut ProgressLines::new(self.world))).await
        })?;
        Ok(end)
    }

    fn outcome(&self, dir: &Path) -> Result<(), CliError> {
        self.heading("5. The result: one verified commit per task")?;
        let log = self.world.git(&["log", "--reverse", "--format=   %h  %s", "main..windlass/till"])?;
        self.world.print(&format!("{log}\n"))?;
        self.heading("6. The evidence of task T003")?;
        let journal = self.journal()?;
        self.world.print(&journal)?;
        self.heading("Where to look next")?;
        let dir = dir.display();
        self.world.print(&format!(
            "   cd {dir}\n   windlass status            where everything stands\n   windlass show T003         \
             what was tried, what failed, what was proved\n   git log -p windlass/till   the commits\n   \
             windlass land              bring them to main\n\n   In your own repository: windlass init, \
             windlass plan docs/, windlass check, windlass run --agent claude\n"
        ))
    }

    /// The main part of the evidence record: which tests were red, which are green, on which tree.
    fn journal(&self) -> Result<String, CliError> {
        let git = |args: &[&str]| self.world.git(args);
        let blob = git(&[
            "log",
            "-1",
            "--grep=^Windlass-Task: T003$",
            "--format=%(trailers:key=Windlass-Evidence,valueonly)",
            "windlass/till",
        ])?;
        let text = git(&["cat-file", "blob", blob.trim()])?;
        let evidence: windlass_engine::integrate::Evidence = serde_json::from_str(&text)?;
        let Some(red) = evidence.red else { unreachable!("T003 was seen red") };
        let located = crate::input::locate(&self.world.cwd);
        let paths = located.map(|l| self.world.paths(&l.common_dir)).transpose()?;
        let tries = paths
            .map(|p| Chronicle::open(&p.plan(&evidence.plan).journal()))
            .transpose()?
            .flatten()
            .map(|c| c.view())
            .transpose()?
            .and_then(|v| v.task("T003").map(|t| t.attempt.0))
            .unwrap_or(0);
        let gate = evidence.green.gates.first().map(|g| g.command.trim().to_owned()).unwrap_or_default();
        Ok(format!(
            "   record    {}\n   red       {} at {}\n   green     `{gate}` on tree {}\n   attempt   {tries}\n   \
             changed   {}\n",
            blob.trim(),
            red.tests.join(", "),
            red.commit.short(),
            evidence.green.tree.short(),
            evidence.changes.iter().map(|c| c.path.as_str()).collect::<Vec<_>>().join(", ")
        ))
    }
}
