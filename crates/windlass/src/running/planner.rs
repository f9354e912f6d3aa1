//! What a planner needs: one agent, checked before it starts.

use windlass_engine::config::{AgentSpec, RunConfig};
use windlass_engine::sandbox::Unsandboxed;

use super::agents::look_at;
use super::mapping::run_config;
use super::prepared::Overrides;
use super::sandbox::{SandboxOverrides, hidden, sandbox_config};
use crate::cli::CliError;
use crate::input::{TrustedConfig, locate};
use crate::world::World;

/// The agent of this name with everything around it, and what should be said of it. Refused where it cannot plan, is not
/// here or has no key.
pub(crate) fn planner_config(
    world: &World,
    config: TrustedConfig<'_>,
    name: &str,
    unsandboxed: Unsandboxed,
) -> Result<(RunConfig, Vec<String>), CliError> {
    let over = Overrides { agent: Some(name.to_owned()), ..Overrides::default() };
    let mut run = run_config(world, config, &over)?;
    if !run.agents.get(name).is_some_and(AgentSpec::reads_briefs) {
        let said = format!("`{name}` replays recorded answers and cannot improve a plan");
        return Err(CliError::usage(said).hint("name an agent with a model behind it"));
    }
    let notes = look_at(world, &run, name)?;
    let located = locate(&world.cwd);
    let seen =
        located.and_then(|l| Some((l.top.clone(), l.common_dir.clone(), world.paths(&l.common_dir).ok()?)));
    let hidden = seen.map(|(top, common, paths)| hidden(top.as_deref(), &common, &paths)).unwrap_or_default();
    let over = SandboxOverrides { unsandboxed, ..SandboxOverrides::default() };
    run.sandbox = sandbox_config(world, &config, &over, hidden);
    Ok((run, notes))
}
