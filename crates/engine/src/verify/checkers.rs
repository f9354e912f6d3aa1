//! Type checkers and linters, against the tree that the change is merged onto: only what the change brought counts.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use windlass_code::checker::{
    CheckerFinding, CheckerFormat, Comparison, PlannedWork, UnseenOnBase, compare, has_fixes, read_findings,
};
use windlass_code::detect::{self, GatePlan, ProjectUse};
use windlass_code::repo::Tree as _;
use windlass_code::script::instrument_in;
use windlass_code::syntax::promised_names;
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::{Oid, TaskId};

use super::gates::{Bench, ended_badly, refused};
use super::proof::{ProofStrength, SilentLinter};
use super::script::{NamedResults, ScriptInput, ScriptRun, run_script, task_script};
use super::setup::{SetupInput, command_line, copy_files, in_dir, set_up};
use crate::config::GateSwitch;
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git_tree::GitTree;
use crate::process::ProcessExit;
use crate::random_token::export_name;

/// How many new findings the next agent is told.
const TOLD: usize = 40;

/// What findings are compared with.
#[derive(Clone, Copy)]
pub(crate) struct Baseline<'a> {
    /// The tree without the change.
    pub(crate) tree: &'a Oid,
    /// Tasks that are neither completed nor skipped.
    pub(crate) unfinished: &'a [TaskId],
}

/// How a tool ended on a tree.
#[derive(Clone)]
struct CheckedTree {
    exit: ProcessExit,
    /// What it reports; `None` if its output cannot be read as findings.
    found: Option<Vec<CheckerFinding>>,
    /// What it printed, without numbers and without the place of the tree.
    said: String,
}

/// How tools ended, by tree and command, for the time of a run.
#[derive(Default)]
pub(crate) struct CheckedTrees(Mutex<HashMap<(Oid, String), CheckedTree>>);

impl CheckedTrees {
    fn get(&self, key: &(Oid, String)) -> Option<CheckedTree> {
        self.0.lock().ok()?.get(key).cloned()
    }

    fn keep(&self, key: (Oid, String), checked: CheckedTree) {
        if let Ok(mut all) = self.0.lock() {
            all.insert(key, checked);
        }
    }
}

/// The findings of a run, and the form of report that they were read from.
struct ReadFindings {
    format: CheckerFormat,
    found: Vec<CheckerFinding>,
}

/// A checker that was run.
struct ToolRun {
    script: String,
    run: ScriptRun,
    /// What it found, if that is read already.
    after: Option<ReadFindings>,
    /// Whether it may have something to fix.
    has_fixes: bool,
}

impl Bench<'_> {
    pub(super) async fn type_check(&mut self) -> Result<(), EarlyEnd> {
        let mut plans = detect::type_check(&self.tree, self.input.changed);
        let found = !plans.is_empty();
        // Code that the test run compiles is not type-checked separately.
        let script = task_script(self.task, &self.tree).unwrap_or_default();
        let runner = instrument_in(&self.tree, &script, "/").runner();
        plans.retain(|p| !runner.is_some_and(|r| p.covered_by.contains(&r)));
        if plans.is_empty() && found {
            return Ok(());
        }
        self.tools(Gate::TypeCheck, self.ctx.config.verify.type_check, &plans).await
    }

    pub(super) async fn lint(&mut self) -> Result<(), EarlyEnd> {
        let plans = detect::lint(&self.tree, self.input.changed);
        self.tools(Gate::Lint, self.ctx.config.verify.lint, &plans).await
    }

    async fn tools(&mut self, gate: Gate, switch: GateSwitch, plans: &[GatePlan]) -> Result<(), EarlyEnd> {
        match switch {
            GateSwitch::Off => return Ok(()),
            GateSwitch::On if plans.is_empty() && !self.input.changed.is_empty() => {
                let message =
                    format!("{} is required, but the repository has no tool configured", gate.as_str());
                return Err(EarlyEnd::failed(Failure::Environment { message }));
            }
            GateSwitch::Auto | GateSwitch::On => {}
        }
        for plan in plans {
            // A configuration that only editors read is no gate; see docs/design/0031-gates-against-the-base.md.
            if switch == GateSwitch::Auto && plan.project_use == ProjectUse::Never {
                let what = gate.as_str();
                let note = format!(
                    "{what}: `{}` is configured, and nothing in the repository runs it; skipped",
                    plan.name
                );
                self.input.channel.finding(note);
                continue;
            }
            self.tool(gate, switch, plan).await?;
        }
        Ok(())
    }

    /// Runs a tool that the repository is configured for. A missing tool is no verdict on the work: it is reported and
    /// skipped, unless it is required.
    async fn tool(&mut self, gate: Gate, switch: GateSwitch, plan: &GatePlan) -> Result<(), EarlyEnd> {
        let ToolRun { script, run, after, has_fixes } = self.run_tool(plan).await?;
        match run.exit {
            ProcessExit::Code(0) => {
                if gate == Gate::Lint && !has_fixes {
                    let (name, dir, files) = (&plan.name, &plan.dir, self.input.changed);
                    let (name, dir, files) = (name.clone(), dir.clone(), files.to_vec());
                    self.seen.silent_linters.push(SilentLinter { name, dir, files });
                }
                self.record(gate, &script, &run, ProofStrength::ExitCode);
            }
            ProcessExit::Code(126 | 127) if switch != GateSwitch::On => {
                let what = gate.as_str();
                self.input.channel.finding(format!("{what}: `{}` is not installed; skipped", plan.name));
            }
            ProcessExit::Code(_) => {
                let after = match after {
                    Some(after) => Some(after),
                    None => self.findings(plan, &run).await?,
                };
                if after.is_none() && self.is_broken_on_base(gate, plan, &run).await? {
                    self.skip_broken((gate, switch), plan, &run)?;
                } else {
                    self.against_base(gate, plan, &run, after).await?;
                    self.record(gate, &script, &run, ProofStrength::NothingNew);
                }
            }
            ProcessExit::Signal(_)
            | ProcessExit::TimedOut(_)
            | ProcessExit::NotStarted(_)
            | ProcessExit::Cancelled => {
                return Err(ended_badly(gate, &run, self.timeout()));
            }
        }
        Ok(())
    }

    /// Runs a tool. One whose report tells whether it could fix something is asked for that, so that it need not be started again; where
    /// the report cannot be read, it is run as people run it.
    async fn run_tool(&self, plan: &GatePlan) -> Result<ToolRun, EarlyEnd> {
        if let Some((argv, format)) = plan.structured.as_ref().filter(|(_, format)| format.tells_fixes()) {
            let script = in_dir(&plan.dir, &command_line(argv));
            let run = self.script(&script, NamedResults::No).await?;
            let (told, after) = (has_fixes(*format, &run.raw), self.read(*format, plan, &run));
            let is_read = match run.exit {
                ProcessExit::Code(0) => told.is_some(),
                ProcessExit::Code(_) => after.is_some(),
                ProcessExit::Signal(_)
                | ProcessExit::TimedOut(_)
                | ProcessExit::NotStarted(_)
                | ProcessExit::Cancelled => true,
            };
            if is_read {
                return Ok(ToolRun { script, run, after, has_fixes: told != Some(false) });
            }
        }
        let script = in_dir(&plan.dir, &command_line(&plan.argv));
        let run = self.script(&script, NamedResults::No).await?;
        let has_fixes = !run.raw.trim_ascii().is_empty();
        Ok(ToolRun { script, run, after: None, has_fixes })
    }

    /// Whether a tool that failed without a finding does the same without the change: its configuration or its installation
    /// is broken, and it says nothing about the work.
    async fn is_broken_on_base(
        &self,
        gate: Gate,
        plan: &GatePlan,
        run: &ScriptRun,
    ) -> Result<bool, EarlyEnd> {
        let Some(base) = self.input.base else { return Ok(false) };
        let onto = GitTree::open(&self.ctx.repo, base.tree)?;
        let files = with_neighbours(&onto, self.input.changed);
        let before = check_base(self, &base, (gate, plan), CheckerFormat::Lines, &files).await?;
        let said = said_in(&run.raw, &self.seen_root());
        Ok(before.is_some_and(|before| before.exit == run.exit && before.said == said))
    }

    /// Reports a tool that is broken on the base. It is skipped, unless it is required.
    fn skip_broken(
        &self,
        (gate, switch): (Gate, GateSwitch),
        plan: &GatePlan,
        run: &ScriptRun,
    ) -> Result<(), EarlyEnd> {
        let (failed, summary, excerpt) = (Vec::new(), String::new(), run.excerpt.clone());
        let said = Failure::TestsFailed { gate, failed, summary, excerpt }.evidence().unwrap_or_default();
        let what = format!("{}: `{}` cannot be run on the base either: {said}", gate.as_str(), plan.name);
        if switch == GateSwitch::On {
            return Err(EarlyEnd::failed(Failure::Environment { message: what }));
        }
        self.input.channel.finding(format!("{what}; skipped"));
        Ok(())
    }

    /// Judges a tool that failed by what is new since the base. Refused unless it is seen that nothing is.
    async fn against_base(
        &self,
        gate: Gate,
        plan: &GatePlan,
        run: &ScriptRun,
        after: Option<ReadFindings>,
    ) -> Result<(), EarlyEnd> {
        let plainly = |summary: String| refused(gate, Vec::new(), summary, run);
        let failed = || match run.exit {
            ProcessExit::Code(code) => format!("`{}` exited with code {code}", plan.name),
            ProcessExit::Signal(_)
            | ProcessExit::TimedOut(_)
            | ProcessExit::NotStarted(_)
            | ProcessExit::Cancelled => format!("`{}` failed", plan.name),
        };
        let Some(base) = self.input.base else { return Err(plainly(failed())) };
        let Some(after) = after else { return Err(plainly(failed())) };
        let onto = GitTree::open(&self.ctx.repo, base.tree)?;
        let known: Vec<String> =
            self.input.changed.iter().filter(|p| onto.blob(p).is_some()).cloned().collect();
        let before = base_findings(self, &base, (gate, plan), after.format, &known).await?;
        let planned = planned_work(self.ctx, base.unfinished);
        let Comparison { new, expected, old } =
            compare((&before, &onto), (&after.found, &self.tree), &planned, unseen(gate));
        // A finding about the formatting of a test is settled; a type error in it is not.
        let settled = |f: &CheckerFinding| gate == Gate::TypeCheck && self.is_test_of_plan(&f.path);
        let (of_plan, new): (Vec<_>, Vec<_>) = new.into_iter().partition(settled);
        if let Some(first) = of_plan.first() {
            let what = gate.as_str();
            let note =
                format!("{what}: the plan wrote this test, and no change of the code settles it: {first}");
            self.input.channel.finding(note);
        }
        let (new, lived_with) = self.apart_from_lived_with(&base, (gate, plan), after.format, new).await?;
        if let Some(first) = lived_with.first() {
            let what = gate.as_str();
            let note = format!("{what}: the files beside it have findings of the same rule: {first}");
            self.input.channel.finding(note);
        }
        if let Some(first) = new.first() {
            let summary = format!("`{}` reports what the base has not: {first}", plan.name);
            let mut lines: Vec<String> = new.iter().take(TOLD).map(ToString::to_string).collect();
            if new.len() > TOLD {
                lines.push(format!("and {} more", new.len() - TOLD));
            }
            let failure =
                Failure::TestsFailed { gate, failed: Vec::new(), summary, excerpt: lines.join("\n") };
            return Err(EarlyEnd::Failed { failure, output: Some(run.output.clone()) });
        }
        if old > 0 {
            let what = gate.as_str();
            let note = format!("{what}: `{}` reports {old} on the base as well; nothing is new", plan.name);
            self.input.channel.finding(note);
        }
        if let Some(first) = expected.first() {
            let what = gate.as_str();
            let note = format!("{what}: waits for an unfinished task: {first}");
            self.input.channel.finding(note);
        }
        Ok(())
    }

    /// Findings in new files, apart from those of rules that the files beside them break on the base: the project does not
    /// hold itself to such a rule.
    async fn apart_from_lived_with(
        &self,
        base: &Baseline<'_>,
        (gate, plan): (Gate, &GatePlan),
        format: CheckerFormat,
        new: Vec<CheckerFinding>,
    ) -> Result<(Vec<CheckerFinding>, Vec<CheckerFinding>), EarlyEnd> {
        const MOST: usize = 60;
        let onto = GitTree::open(&self.ctx.repo, base.tree)?;
        let is_new =
            |finding: &CheckerFinding| !finding.rule.is_empty() && onto.blob(&finding.path).is_none();
        let near: Vec<&str> = new.iter().filter(|f| is_new(f)).map(|f| f.path.as_str()).collect();
        let beside = |path: &&String| {
            let ending = |path: &str| path.rsplit('.').next().map(str::to_owned);
            near.iter().any(|new| detect::dir_of(new) == detect::dir_of(path) && ending(new) == ending(path))
        };
        let files: Vec<String> = onto.paths().iter().filter(beside).take(MOST).cloned().collect();
        if plan.is_for_project() || files.is_empty() {
            return Ok((new, Vec::new()));
        }
        let found = base_findings(self, base, (gate, plan), format, &files).await?;
        let broken = |finding: &CheckerFinding| found.iter().any(|known| known.rule == finding.rule);
        Ok(new.into_iter().partition(|finding| !(is_new(finding) && broken(finding))))
    }

    /// Whether the plan wrote a test file of the task: its agent may not change it.
    fn is_test_of_plan(&self, path: &str) -> bool {
        self.task.test_code.iter().any(|block| block.path.as_deref() == Some(path))
    }

    /// The findings on the candidate: from a structured report where the tool has one, else from the lines that it
    /// printed.
    async fn findings(&self, plan: &GatePlan, run: &ScriptRun) -> Result<Option<ReadFindings>, EarlyEnd> {
        if let Some((argv, format)) = &plan.structured {
            let script = in_dir(&plan.dir, &command_line(argv));
            let again = self.script(&script, NamedResults::No).await?;
            if let Some(read) = self.read(*format, plan, &again) {
                return Ok(Some(read));
            }
        }
        Ok(self.read(CheckerFormat::Lines, plan, run))
    }

    /// The findings in what a tool printed.
    fn read(&self, format: CheckerFormat, plan: &GatePlan, run: &ScriptRun) -> Option<ReadFindings> {
        let root = self.seen_root();
        let found = read_findings(format, &run.raw, &root.to_string_lossy(), &plan.dir);
        found.map(|found| ReadFindings { format, found })
    }
}

/// The findings on files of the base.
async fn base_findings(
    bench: &Bench<'_>,
    base: &Baseline<'_>,
    tool: (Gate, &GatePlan),
    format: CheckerFormat,
    files: &[String],
) -> Result<Vec<CheckerFinding>, EarlyEnd> {
    let checked = check_base(bench, base, tool, format, files).await?;
    Ok(checked.and_then(|checked| checked.found).unwrap_or_default())
}

/// Runs a tool on files of the base, and keeps how it ended for the next verification on it. `None` if the tool has nothing
/// to do there, or the set-up fails.
async fn check_base(
    bench: &Bench<'_>,
    base: &Baseline<'_>,
    (gate, plan): (Gate, &GatePlan),
    format: CheckerFormat,
    files: &[String],
) -> Result<Option<CheckedTree>, EarlyEnd> {
    let (ctx, input) = (bench.ctx, bench.input);
    let view = GitTree::open(&ctx.repo, base.tree)?;
    let plans =
        if gate == Gate::TypeCheck { detect::type_check(&view, files) } else { detect::lint(&view, files) };
    let same = plans.into_iter().find(|p| p.name == plan.name && p.dir == plan.dir);
    // A tool for a whole project runs on the base even if none of the changed files is there.
    let own = same.or_else(|| plan.is_for_project().then(|| plan.clone()));
    let Some(own) = own else { return Ok(None) };
    let structured = own.structured.filter(|(_, known)| *known == format);
    let argv = structured.map_or(own.argv, |(argv, _)| argv);
    let script = in_dir(&own.dir, &command_line(&argv));
    let key = (base.tree.clone(), script.clone());
    if let Some(known) = ctx.machine.checked.get(&key) {
        return Ok(Some(known));
    }
    let export = ctx.export(base.tree, &input.scratch.path().join(export_name()))?;
    copy_files(ctx, export.dir())?;
    let (dir, scratch, cancel, channel) = (export.dir(), input.scratch, input.cancel, input.channel);
    let setup = SetupInput { dir, tree: &view, scratch, cancel, channel };
    // Without the set-up nothing is known of the base, and everything counts as new.
    if set_up(ctx, &setup).await?.is_some() {
        return Ok(None);
    }
    let run = run_on(bench, &script, export.dir(), &view).await?;
    if run.exit == ProcessExit::Cancelled {
        return Err(EarlyEnd::Interrupted);
    }
    let root = bench.root_of(export.dir());
    let found = read_findings(format, &run.raw, &root.to_string_lossy(), &own.dir);
    let checked = CheckedTree { said: said_in(&run.raw, &root), exit: run.exit, found };
    ctx.machine.checked.keep(key, checked.clone());
    Ok(Some(checked))
}

/// What a tool printed about a tree, without numbers (times, places) and without the directory of the tree.
fn said_in(raw: &[u8], root: &Path) -> String {
    let text = String::from_utf8_lossy(raw).replace(&*root.to_string_lossy(), "");
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Changed files as far as the base has them; for new ones, files of the same kind beside them.
fn with_neighbours(onto: &GitTree, changed: &[String]) -> Vec<String> {
    let of_kind = |new: &str, path: &str| {
        detect::dir_of(new) == detect::dir_of(path) && new.rsplit('.').next() == path.rsplit('.').next()
    };
    let beside = |new: &String| onto.paths().iter().find(|path| of_kind(new, path)).cloned();
    changed.iter().filter_map(|p| onto.blob(p).map_or_else(|| beside(p), |_| Some(p.clone()))).collect()
}

async fn run_on(
    bench: &Bench<'_>,
    script: &str,
    dir: &Path,
    tree: &GitTree,
) -> Result<ScriptRun, EngineError> {
    let input = ScriptInput { tree, named: NamedResults::No, ..bench.script_input(script, dir) };
    run_script(bench.ctx, input).await
}

/// A change of types can break code anywhere; what a linter says about a text depends on the text.
fn unseen(gate: Gate) -> UnseenOnBase {
    if gate == Gate::Lint { UnseenOnBase::IsOld } else { UnseenOnBase::Counts }
}

/// What unfinished tasks are going to make.
fn planned_work(ctx: &Context, unfinished: &[TaskId]) -> PlannedWork {
    let mut planned = PlannedWork::default();
    for id in unfinished {
        let task = ctx.task(id);
        planned.files.extend(ctx.info(id).owned.iter().cloned());
        for block in &task.contract {
            let files = block.path.as_deref().into_iter().chain(task.files.owned());
            planned.names.extend(promised_names(&block.code, block.language.as_deref(), files));
        }
    }
    planned
}
