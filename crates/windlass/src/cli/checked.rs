//! A plan read and checked: what `check`, `graph`, `run` and the others begin with.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use windlass_core::diagnostic::{Diagnostic, Severity};
use windlass_core::dialect::Dialect;
use windlass_core::graph::{Graph, Overlap, SealOptions, seal};
use windlass_core::plan::Tier;

use super::CliError;
use crate::config::Config;
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
    /// The lint profile: default, zerg, homerun, ccw, superplanner or contract.
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
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

impl Checked {
    /// Reads and checks the plan.
    pub(crate) fn of(world: &World, plan: &PlanArgs, profile: &ProfileArgs) -> Result<Self, CliError> {
        let configuration = Configuration::find(world)?;
        let target = find_plan(world, &configuration, plan.plan.as_deref())?;
        let mut read = read_plan(world, target, plan.from)?;
        let _ = profile;
        let mut findings = std::mem::take(&mut read.loaded.diagnostics);
        let graph = match seal(&read.loaded.plan, &seal_options(&configuration.config)) {
            Ok(sealed) => {
                findings.extend(sealed.findings);
                Some(sealed.graph)
            }
            Err(found) => {
                findings.extend(found);
                None
            }
        };
        sort(&mut findings);
        Ok(Self { configuration, read, findings, graph })
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

    /// Whether a run would refuse to start.
    pub(crate) fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }
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

/// The worst first; then by place, so that a file is worked through from top to bottom.
fn sort(findings: &mut [Diagnostic]) {
    findings.sort_by_key(|f| (std::cmp::Reverse(f.severity), f.span.is_none(), f.span, f.code));
}
