//! From `windlass.toml` to the configuration of the engine.

use std::collections::BTreeMap;
use std::time::Duration;

use windlass_code::syntax::tricks::{Rule, Strictness};
use windlass_core::policy::{MECHANICAL_AGENT, Prices, Settings};
use windlass_engine::config::{
    AgentSpec, CommitConfig, FormatConfig, GateSwitch, OwnFormatter, RejectedPlan, RunConfig, SentSettings,
    SetupCommand, SizeLimits, Timeouts, TokenCount, VerifyConfig,
};
use windlass_engine::sandbox::SandboxConfig;

use super::accounts::share_accounts;
use super::agents::{agents, providers};
use super::environment;
use super::prepared::Overrides;
use crate::cli::CliError;
use crate::config::{Config, DocsRule};
use crate::input::TrustedConfig;
use crate::world::World;

/// How much larger than estimated a file may get before it is a finding.
const LINE_TOLERANCE: f64 = 1.5;

/// The engine's configuration.
pub(super) fn run_config(
    world: &World,
    config: TrustedConfig<'_>,
    over: &Overrides,
) -> Result<RunConfig, CliError> {
    let (tiers, mut agents) = agents(world, &config, over)?;
    share_accounts(world, &config, &mut agents)?;
    let own = config.prices.iter().map(|(model, keys)| (model.clone(), keys.price()));
    let prices = Prices::with(own).map_err(|e| CliError::environment("no prices").because_of(Some(&e)))?;
    for spec in agents.values_mut() {
        with_prices(spec, &prices);
    }
    let limits = &config.limits;
    Ok(RunConfig {
        settings: Settings {
            jobs: over.jobs.unwrap_or(limits.jobs).max(1),
            ladder: config.ladder.ladder(),
            agents: tiers,
            team: config.team.team(),
            providers: providers(&agents),
            governor: config.governor.rules(),
            unread_reviews: config.team.ask_again,
            here: Vec::new(),
            places: BTreeMap::new(),
            max_cost_usd: over.max_cost_usd.or(limits.max_cost_usd),
            max_tokens: over.max_tokens.or(limits.max_tokens),
        },
        routing: config.routing.routing(),
        prices,
        rejected_plan: if over.go_on { RejectedPlan::GoOn } else { RejectedPlan::Ask },
        timeouts: Timeouts {
            attempt: limits.attempt,
            step: limits.step,
            verification: limits.verification,
            build: limits.build,
            setup: limits.setup,
            idle: (limits.idle > Duration::ZERO).then_some(limits.idle),
            ..Timeouts::default()
        },
        places: BTreeMap::new(),
        sent: SentSettings::default(),
        agents,
        verify: verify(&config)?,
        setup: match config.setup.command.as_deref() {
            None => SetupCommand::Detect,
            Some("") => SetupCommand::Off,
            Some(command) => SetupCommand::Command(command.to_owned()),
        },
        setup_inputs: config.setup.inputs.clone(),
        setup_outputs: config.setup.outputs.iter().map(|o| o.trim_end_matches('/').to_owned()).collect(),
        copy: config.slot.copy.clone(),
        sandbox: SandboxConfig::default(),
        format: format(&config),
        commit: CommitConfig {
            sign: config.commit.sign,
            signoff: config.commit.signoff,
            subject: config.commit.message.clone(),
        },
        sizes: SizeLimits { output_bytes: limits.max_output_bytes, ..SizeLimits::default() },
        agent_env: environment::for_agents(world),
        verify_env: environment::for_verification(world, &config.verify.env),
        setup_env: environment::for_setup(world),
        hidden: vec!["plans/".into()],
        record: over.record.clone(),
        line_tolerance: LINE_TOLERANCE,
        room: config.brief.room(),
        count: TokenCount(windlass_planner::tokens::estimate),
        crash: world.crash_point(),
    })
}

/// Sets the prices that limit a command line agent's cost.
pub(super) fn with_prices(spec: &mut AgentSpec, prices: &Prices) {
    if let AgentSpec::Cli(cli) = spec {
        cli.prices.clone_from(prices);
    }
}

/// The configuration of an audit that runs checks again: no agent takes part.
pub(crate) fn audit_config(world: &World, config: TrustedConfig<'_>) -> Result<RunConfig, CliError> {
    run_config(world, config, &Overrides { agent: Some(MECHANICAL_AGENT.into()), ..Overrides::default() })
}

fn verify(config: &Config) -> Result<VerifyConfig, CliError> {
    let verify = &config.verify;
    Ok(VerifyConfig {
        suite: verify.suite.clone(),
        type_check: verify.type_check,
        lint: verify.lint,
        contract: verify.contract,
        coverage: verify.coverage,
        services: verify.services.clone(),
        docs_pass: verify.docs == DocsRule::Pass,
        canaries: verify.canaries,
        mutants: verify.mutants,
        expectations: verify.expectations,
        expectation_time: verify.expectation_time,
        repeat: verify.repeat,
        leftovers: verify.leftovers,
        rules: rules(config)?,
    })
}

/// The levels of rules; unknown rules are an error.
fn rules(config: &Config) -> Result<BTreeMap<Rule, Strictness>, CliError> {
    let level = |(name, level): (&String, &Strictness)| {
        let Some(rule) = Rule::named(name) else {
            let known: Vec<&str> = Rule::ALL.into_iter().map(Rule::as_str).collect();
            return Err(CliError::usage(format!(
                "there is no rule `{name}` (`verify.rules` in windlass.toml)"
            ))
            .hint(format!("rules: {}", known.join(", "))));
        };
        Ok((rule, *level))
    };
    config.verify.rules.iter().map(level).collect()
}

/// The formatters that the configuration sets; `None` where it turns formatting off.
pub(crate) fn own_formatters(config: &Config) -> Option<Vec<OwnFormatter>> {
    let own = |(pattern, command): (&String, &String)| OwnFormatter {
        pattern: pattern.clone(),
        command: command.split_whitespace().map(str::to_owned).collect(),
    };
    (!config.format.off).then(|| config.format.commands.iter().map(own).collect())
}

fn format(config: &Config) -> FormatConfig {
    FormatConfig {
        switch: if config.format.off { GateSwitch::Off } else { GateSwitch::Auto },
        own: own_formatters(config).unwrap_or_default(),
        hooks: config.format.hooks,
    }
}
