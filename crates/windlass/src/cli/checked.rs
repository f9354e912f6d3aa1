//! A plan read and checked: what `check`, `graph`, `run` and the others begin with.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use clap::Args;
use windlass_core::diagnostic::{Diagnostic, Severity};
use windlass_core::graph::{Graph, Overlap, SealOptions, inspect, seal};
use windlass_core::plan::{Handover, Loaded, Plan, Tier, hand_over, name_tests};
use windlass_formats::{Dialect, Input, TextFile};
use windlass_planner::lint::{self, Lint, LintContext, LintRule, Profile};

use super::CliError;
use crate::config::{Config, LintLevel};
use crate::input::{Configuration, ReadPlan, find_plan, read_plan};
use crate::render::Report;
use crate::world::World;

/// Which plan is meant.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PlanArgs {
    /// The plan: a file or folder in any known format, `-` for standard input. Without it, `plan` in windlass.toml,
    /// or the only folder in `plans/`.
    pub(crate) plan: Option<PathBuf>,

    /// The plan's format, where it cannot be told: native, zerg, homerun, ccw, superplanner, contract, taskmaster or
    /// speckit.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<Dialect>,
}

/// Which rules apply.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ProfileArgs {
    /// The lint profile: default, zerg, homerun, ccw, superplanner or contract. Without it, the plan's own, then the
    /// one in windlass.toml, then the one that goes with the plan's format.
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<Profile>,
}

/// A plan with everything there is to say about it.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The configuration in force.
    pub(crate) configuration: Configuration,
    /// The plan as it was read; its findings have moved to `findings`.
    pub(crate) read: ReadPlan,
    /// Every finding, the worst first.
    pub(crate) findings: Vec<Diagnostic>,
    /// The graph, if the plan can be sealed.
    pub(crate) graph: Option<Graph>,
}

/// What is wanted of a plan.
#[derive(Debug, Clone, Copy)]
enum Want {
    /// What is wrong with it.
    Findings,
    /// That, and its graph.
    Graph,
}

impl Checked {
    /// Reads and checks the plan, and seals it if it can be.
    pub(crate) fn of(world: &World, plan: &PlanArgs, profile: &ProfileArgs) -> Result<Self, CliError> {
        Self::read(world, plan, profile, Want::Graph)
    }

    /// Reads and checks the plan, and leaves it at that: no graph is built.
    pub(crate) fn only(world: &World, plan: &PlanArgs, profile: &ProfileArgs) -> Result<Self, CliError> {
        Self::read(world, plan, profile, Want::Findings)
    }

    fn read(world: &World, plan: &PlanArgs, profile: &ProfileArgs, want: Want) -> Result<Self, CliError> {
        let configuration = Configuration::find(world)?;
        let target = find_plan(world, &configuration, plan.plan.as_deref())?;
        let mut read = read_plan(world, &target, plan.from)?;
        let profile = profile_of(profile, &read, &configuration.config)?;
        let (findings, graph) = judge(&mut read.loaded, read.dialect, profile, &configuration.config, want);
        Ok(Self { configuration, read, findings, graph })
    }

    /// The plan and its graph as they are carried out: tests whose code comes with a later task are joined with it, and a
    /// task that owns tests knows which of them proves it.
    pub(crate) fn runnable(&self) -> Option<(Plan, Graph, Vec<Handover>)> {
        let graph = self.graph.clone()?;
        let mut plan = self.read.loaded.plan.clone();
        let joined = hand_over(&mut plan, &windlass_code::detect::is_test_path);
        let named = name_tests(&mut plan, &windlass_code::detect::is_test_path);
        if joined.is_empty() && named == 0 {
            return Some((plan, graph, joined));
        }
        let mut options = seal_options(&self.configuration.config);
        // The task that only wrote tests now stands above the one that implements them.
        options.max_depth += 1;
        seal(&plan, &options).ok().map(|sealed| (plan, sealed.graph, joined))
    }

    /// The findings with what they are about.
    pub(crate) fn report(&self) -> Report<'_> {
        Report {
            plan: &self.read.loaded.plan.name,
            dialect: self.read.dialect.as_str(),
            tasks: self.read.loaded.plan.tasks.len(),
            findings: &self.findings,
            sources: &self.read.loaded.sources,
        }
    }

    /// The findings for which a run would refuse to start.
    pub(crate) fn errors(&self) -> Vec<Diagnostic> {
        self.findings.iter().filter(|f| f.severity == Severity::Error).cloned().collect()
    }

    /// Whether a run would refuse to start.
    pub(crate) fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }
}

/// The profile in force: what was asked for, what the plan says, what the configuration says, what goes with the
/// format.
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
    }
}

/// Whether two tasks that change the same file are put in order, or the plan is refused.
fn overlap(context: &LintContext<'_>) -> Overlap {
    let rule = lint::explain("WL0160");
    match rule.and_then(|rule| level_of(rule, context)) {
        Some(Severity::Error) => Overlap::Refuse,
        Some(Severity::Warning | Severity::Note) | None => Overlap::Order,
    }
}

/// How hard a rule is taken: what the user says, else the profile.
fn level_of(rule: &LintRule, context: &LintContext<'_>) -> Option<Severity> {
    let own = |key: &str| context.overrides.get(key).copied();
    own(rule.code).or_else(|| own(rule.name)).unwrap_or_else(|| rule.levels.get(context.profile))
}

/// Findings of readers and of sealing take the user's levels too. An error of theirs stays one: the plan cannot be
/// carried out, whatever anybody thinks of it.
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

/// Everything there is to say about a plan, and its graph if it is wanted and can be had.
fn judge(
    loaded: &mut Loaded,
    dialect: Dialect,
    profile: Profile,
    config: &Config,
    want: Want,
) -> (Vec<Diagnostic>, Option<Graph>) {
    let mut findings = std::mem::take(&mut loaded.diagnostics);
    let context = lint_context(profile, dialect, config);
    let mut options = seal_options(config);
    options.overlap = overlap(&context);
    let plan = &loaded.plan;
    let sealed = || match want {
        Want::Findings => (None, inspect(plan, &options)),
        Want::Graph => match seal(plan, &options) {
            Ok(sealed) => (Some(sealed.graph), sealed.findings),
            Err(found) => (None, found),
        },
    };
    let ((graph, found), linted) = if plan.tasks.len() < LARGE {
        (sealed(), lint::check(plan, &context))
    } else {
        side_by_side(plan, &context, sealed)
    };
    findings.extend(found);
    set_levels(&mut findings, &context);
    findings.extend(linted);
    sort(&mut findings);
    (findings, graph)
}

/// A plan with so many tasks is worth the start of threads.
const LARGE: usize = 500;

/// How many tasks a thread takes at a time.
const PIECE: usize = 512;

/// Seals the plan and checks it by the rules, both at once, and the tasks in pieces that whoever is free takes.
fn side_by_side<A: Send>(
    plan: &Plan,
    context: &LintContext<'_>,
    sealed: impl FnOnce() -> A + Send,
) -> (A, Vec<Diagnostic>) {
    std::thread::scope(|scope| {
        let sealing = scope.spawn(sealed);
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
        let linted = lint.finish(parts.into_iter().map(|(_, part)| part));
        (joined(sealing), linted)
    })
}

/// What a thread came to; its panic goes on here.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What is wrong with a plan that is about to be written, by the rules of the format it is written in, as users of
/// that format see it.
pub(crate) fn findings_of(files: &[TextFile], dialect: Dialect, config: &Config) -> Vec<Diagnostic> {
    let files = windlass_formats::as_others_see(files);
    let input = Input { root: String::new(), files };
    let mut loaded = windlass_formats::read(dialect, &input);
    judge(&mut loaded, dialect, Profile::of(dialect), config, Want::Findings).0
}

/// How a plan is sealed under this configuration.
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

/// The worst first, and what a file says wrongly before what follows from it; then by place, so that a file is worked
/// through from top to bottom.
fn sort(findings: &mut [Diagnostic]) {
    let broken = |f: &Diagnostic| matches!(f.code, "WL0001" | "WL0002");
    findings.sort_by_key(|f| (std::cmp::Reverse(f.severity), !broken(f), f.span.is_none(), f.span, f.code));
}
