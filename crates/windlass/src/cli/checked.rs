//! Reads and checks a plan: the first step of `check`, `graph`, `explain`, `next`, `run` and `land`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use clap::Args;
use windlass_core::diagnostic::{Diagnostic, Severity};
use windlass_core::graph::{Overlap, SealOptions};
use windlass_core::plan::{Loaded, Plan, Task, Tier};
use windlass_engine::config::AgentSpec;
use windlass_formats::{Dialect, Input, TextFile};
use windlass_planner::lint::{self, Lint, LintContext, LintRule, Profile};
use windlass_planner::runnable::{Preparation, RunnablePlan, make_runnable};

use super::done_before::{done_before, without};
use super::{CliError, proofs};
use crate::config::{Config, LintLevel};
use crate::input::{Configuration, PlanTarget, ReadPlan, find_plan, locate, read_plan};
use crate::render::CheckReport;
use crate::running::{LARGER, beyond_context, tables};
use crate::world::World;

/// The plan a command works on.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PlanSelection {
    /// The plan: a file or folder in any known format, `-` for standard input. Without it, `plan` in windlass.toml,
    /// or the only folder in `plans/`.
    pub(crate) plan: Option<PathBuf>,

    /// The plan's format, if it cannot be detected: native, zerg, homerun, ccw, superplanner, contract, taskmaster or
    /// speckit.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<Dialect>,
}

/// The rules that apply.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ProfileArgs {
    /// The lint profile: default, zerg, homerun, ccw, superplanner or contract. Without it, the plan's own, then the
    /// one in windlass.toml, then the one that goes with the plan's format.
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<Profile>,
}

/// A plan with every finding about it, in the form in which it would run.
#[derive(Debug)]
pub(crate) struct CheckedPlan {
    /// The configuration in force.
    pub(crate) configuration: Configuration,
    /// The plan as written; its findings have moved to `findings`.
    pub(crate) read: ReadPlan,
    /// Where it was read, from the top of the repository; empty if it was not read from a path.
    pub(crate) source: String,
    /// Every finding, the worst first.
    pub(crate) findings: Vec<Diagnostic>,
    /// The plan that runs, unless an error keeps it from being sealed.
    pub(crate) runnable: Option<RunnablePlan>,
    /// Tasks that the plan's own files call completed and that no run here knows. They are not in `runnable`.
    pub(crate) done_before: Vec<String>,
}

impl CheckedPlan {
    /// Reads and checks the plan, and makes it runnable.
    pub(crate) fn load(world: &World, plan: &PlanSelection, profile: &ProfileArgs) -> Result<Self, CliError> {
        let mut configuration = Configuration::find(world)?;
        let target = find_plan(world, &configuration, plan.plan.as_deref())?;
        let mut read = read_plan(world, &target, plan.from)?;
        configuration.take_limits(&windlass_formats::state_limits(&read.loaded.plan));
        let top = locate(&world.cwd).and_then(|located| located.top);
        proofs::settle(&mut read.loaded.plan, read.dialect, top.as_deref());
        let source = source_of(&target, top.as_deref());
        let profile = profile_of(profile, &read, &configuration.config)?;
        let done_before = done_before(world, &read)?;
        let top = locate(&world.cwd).and_then(|located| located.top);
        let branch = format!("{}{}", configuration.config.branch_prefix, read.loaded.plan.name);
        let begun = |top: &PathBuf| {
            let branch = format!("refs/heads/{branch}");
            world.git_in(top, &["rev-parse", "--verify", "-q", &branch]).is_ok()
        };
        // Only the rules of contract tasks ask, and only before the plan has changed the repository.
        let here = top.filter(|top| profile == Profile::Contract && !begun(top));
        let exists = |path: &str| here.as_ref().is_some_and(|top| top.join(path).exists());
        let exists: Option<&(dyn Fn(&str) -> bool + Sync)> = here.is_some().then_some(&exists);
        let rules = LintContext { exists, ..lint_context(profile, read.dialect, &configuration.config) };
        let Preparation { mut findings, runnable } =
            check_plan(&mut read.loaded, &rules, &configuration.config, &done_before);
        if let Some(runnable) = &runnable {
            findings.extend(without_room(world, &configuration.config, runnable));
            sort(&mut findings);
        }
        Ok(Self { configuration, read, source, findings, runnable, done_before })
    }

    /// The findings, with the plan and the texts they refer to.
    pub(crate) fn report(&self) -> CheckReport<'_> {
        CheckReport {
            plan: &self.read.loaded.plan.name,
            dialect: self.read.dialect.as_str(),
            tasks: self.read.loaded.plan.tasks.len(),
            findings: &self.findings,
            sources: &self.read.loaded.sources,
        }
    }

    /// The findings that keep a run from starting.
    pub(crate) fn errors(&self) -> Vec<Diagnostic> {
        self.findings.iter().filter(|f| f.severity == Severity::Error).cloned().collect()
    }

    /// Whether a finding keeps a run from starting.
    pub(crate) fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }
}

/// The path of a plan from the top of the repository; as it is if it lies outside.
fn source_of(target: &PlanTarget, top: Option<&Path>) -> String {
    let PlanTarget::Path(path) = target else { return String::new() };
    let full = path.canonicalize().unwrap_or_else(|_| path.clone());
    let inside = top.and_then(|top| full.strip_prefix(top).ok());
    inside.unwrap_or(&full).to_string_lossy().into_owned()
}

/// Tasks that do not fit into the context of the agent that the configuration gives them to.
fn without_room(world: &World, config: &Config, runnable: &RunnablePlan) -> Vec<Diagnostic> {
    let (tiers, routing) = (&config.agents.tiers, config.routing.routing());
    let agent = |task: &Task| {
        let tier = match routing.tier(task) {
            Tier::Small => &tiers.small,
            Tier::Medium => &tiers.medium,
            Tier::Large => &tiers.large,
        };
        routing.wanted(task).map(str::to_owned).or_else(|| tier.clone()).unwrap_or_default()
    };
    let specs: BTreeMap<String, AgentSpec> =
        tables(world, config).into_iter().filter_map(|(name, spec)| Some((name, spec.ok()?))).collect();
    let top = locate(&world.cwd).and_then(|located| located.top);
    let found = beyond_context(runnable, top.as_deref(), agent, |name| specs.get(name).cloned());
    let finding = |(task, words): (&Task, String)| {
        Diagnostic::new("WL0430", Severity::Error, words)
            .with_task(task.id.clone())
            .at(task.span("title"))
            .with_help(LARGER)
    };
    found.into_iter().map(finding).collect()
}

/// The profile in force: that of the command line, of the plan, of the configuration, or of the format, in this order.
fn profile_of(args: &ProfileArgs, read: &ReadPlan, config: &Config) -> Result<Profile, CliError> {
    let named = |name: &Option<String>, whose: &str| match name {
        None => Ok(None),
        Some(name) => {
            let wrong =
                |e: lint::UnknownProfile| CliError::usage(e.to_string()).hint(format!("{whose} names it"));
            name.parse::<Profile>().map(Some).map_err(wrong)
        }
    };
    let asked = args.profile;
    let own = named(&read.loaded.plan.profile, "the plan")?;
    let configured = named(&config.profile, "`profile` in windlass.toml")?;
    Ok(asked.or(own).or(configured).unwrap_or_else(|| Profile::of(read.dialect)))
}

/// The rules of a profile under this configuration.
pub(crate) fn lint_context(profile: Profile, dialect: Dialect, config: &Config) -> LintContext<'static> {
    let level = |level: &LintLevel| match level {
        LintLevel::Off => None,
        LintLevel::Note => Some(Severity::Note),
        LintLevel::Warning => Some(Severity::Warning),
        LintLevel::Error => Some(Severity::Error),
    };
    LintContext {
        profile,
        dialect,
        overrides: config.lint.iter().map(|(rule, l)| (rule.clone(), level(l))).collect(),
        tokens: &windlass_planner::tokens::estimate,
        token_limits: config.brief.room(),
        exists: None,
    }
}

/// What two tasks that change the same file without an order mean: an added dependency, or an error.
fn overlap(context: &LintContext<'_>) -> Overlap {
    let rule = lint::explain("WL0160");
    match rule.and_then(|rule| level_of(rule, context)) {
        Some(Severity::Error) => Overlap::Refuse,
        Some(Severity::Warning | Severity::Note) | None => Overlap::Order,
    }
}

/// The level of a rule: the user's, else the profile's.
fn level_of(rule: &LintRule, context: &LintContext<'_>) -> Option<Severity> {
    let own = |key: &str| context.overrides.get(key).copied().filter(|_| !rule.is_required());
    own(rule.code).or_else(|| own(rule.name)).unwrap_or_else(|| rule.levels.get(context.profile))
}

/// Applies the user's levels to findings of readers and of sealing. Their errors stay errors: such a plan cannot run.
fn set_levels(findings: &mut Vec<Diagnostic>, context: &LintContext<'_>) {
    findings.retain_mut(|finding| {
        let rule = lint::explain(finding.code);
        let said =
            rule.is_some_and(|r| [r.code, r.name].iter().any(|key| context.overrides.contains_key(*key)));
        let (Some(rule), true, true) = (rule, said, finding.severity != Severity::Error) else { return true };
        let level = level_of(rule, context);
        finding.severity = level.unwrap_or(finding.severity);
        level.is_some()
    });
}

/// Every finding about a plan, and the plan in the form in which it would run.
fn check_plan(
    loaded: &mut Loaded,
    context: &LintContext<'_>,
    config: &Config,
    done: &[String],
) -> Preparation {
    let mut findings = std::mem::take(&mut loaded.diagnostics);
    let mut options = seal_options(config);
    options.overlap = overlap(context);
    let plan = &loaded.plan;
    let rest = (!done.is_empty()).then(|| without(plan, done));
    let prepare = || make_runnable(rest.as_ref().unwrap_or(plan), &options);
    let (prepared, linted) = if plan.tasks.len() < LARGE {
        (prepare(), lint::check(plan, context))
    } else {
        side_by_side(plan, context, prepare)
    };
    findings.extend(prepared.findings);
    set_levels(&mut findings, context);
    findings.extend(linted);
    sort(&mut findings);
    Preparation { findings, runnable: prepared.runnable }
}

/// The number of tasks from which threads are worth their start.
const LARGE: usize = 500;

/// The number of tasks that a thread takes at a time.
const PIECE: usize = 512;

/// Makes the plan runnable and checks it by the rules at the same time.
fn side_by_side<A>(
    plan: &Plan,
    context: &LintContext<'_>,
    prepare: impl FnOnce() -> A,
) -> (A, Vec<Diagnostic>) {
    std::thread::scope(|scope| {
        let linting = scope.spawn(|| lint_in_pieces(plan, context));
        // On this thread, which has read the plan: the allocator keeps what reading has freed for the same thread.
        (prepare(), joined(linting))
    })
}

/// The findings of the rules, by two threads.
fn lint_in_pieces(plan: &Plan, context: &LintContext<'_>) -> Vec<Diagnostic> {
    let lint = Lint::new(plan, context);
    let total = plan.tasks.len();
    let next = AtomicUsize::new(0);
    let pieces = || {
        let starts = std::iter::from_fn(|| {
            let at = next.fetch_add(PIECE, Ordering::Relaxed);
            (at < total).then_some(at)
        });
        starts.map(|at| (at, lint.part(at..total.min(at + PIECE)))).collect::<Vec<_>>()
    };
    let mut parts = std::thread::scope(|scope| {
        let helper = scope.spawn(pieces);
        let mut parts = pieces();
        parts.extend(joined(helper));
        parts
    });
    parts.sort_unstable_by_key(|(at, _)| *at);
    lint.finish(parts.into_iter().map(|(_, part)| part))
}

/// The result of a thread. A panic continues here.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The findings about a plan that is about to be written, by the rules of its format.
pub(crate) fn findings_of(files: &[TextFile], dialect: Dialect, config: &Config) -> Vec<Diagnostic> {
    let files = windlass_formats::as_others_see(files);
    let input = Input { root: String::new(), files };
    let mut loaded = windlass_formats::read(dialect, &input);
    check_plan(&mut loaded, &lint_context(Profile::of(dialect), dialect, config), config, &[]).findings
}

/// The options for sealing a plan under this configuration.
pub(crate) fn seal_options(config: &Config) -> SealOptions<'static> {
    let tiers = &config.limits.tiers;
    let limits = [(Tier::Small, tiers.small), (Tier::Medium, tiers.medium), (Tier::Large, tiers.large)];
    SealOptions {
        is_test: &windlass_code::detect::is_test_path,
        max_depth: config.planning.depth,
        overlap: Overlap::Order,
        tier_limits: limits.into_iter().filter_map(|(tier, limit)| Some((tier, limit?))).collect(),
        pools: config.pools.iter().map(|(k, v)| (k.clone(), *v)).collect::<BTreeMap<_, _>>(),
    }
}

/// Sorts findings: the worst first, unreadable files before what follows from them, then by position.
fn sort(findings: &mut [Diagnostic]) {
    let broken = |f: &Diagnostic| matches!(f.code, "WL0001" | "WL0002");
    findings.sort_by_key(|f| (std::cmp::Reverse(f.severity), !broken(f), f.span.is_none(), f.span, f.code));
}
