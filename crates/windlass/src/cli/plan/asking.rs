//! The questions planning asks, on a terminal only, and all of them can be skipped.

use clap::ValueEnum as _;
use windlass_engine::agent::cli::CliKind;
use windlass_planner::derive::{DeriveOptions, Derived, Grouping};
use windlass_planner::lint::Profile;
use windlass_planner::spec::SpecFile;

use super::request::Request;
use super::{MethodWish, PlanArgs, ToolChoice};
use crate::cli::CliError;
use crate::world::World;

/// Whether questions can be asked at all.
fn asks(world: &World, args: &PlanArgs) -> bool {
    world.can_ask && !args.yes && args.input.is_none() && !args.stdout
}

/// Materials, method and tool: a session asks for them.
pub(super) fn materials(world: &World, args: &PlanArgs, request: &mut Request) -> Result<(), CliError> {
    if !asks(world, args) || request.profile != Profile::Ccw {
        return Ok(());
    }
    if args.material.is_empty() {
        let said = world.answer("more to go by? a path, a line of text, or nothing: ")?;
        let path = world.cwd.join(&said);
        if path.is_file() {
            request.material(world, std::path::Path::new(&said))?;
        } else if !said.is_empty() {
            request.inline(SpecFile { path: "material".to_owned(), text: said });
        }
    }
    if request.method.is_none() {
        request.method =
            match world.answer("how are tasks carried out? agent, hybrid or cli [agent]: ")?.as_str() {
                "hybrid" => Some(MethodWish::Hybrid),
                "cli" => Some(MethodWish::Cli),
                _ => Some(MethodWish::Agent),
            };
    }
    if request.method != Some(MethodWish::Agent) && request.tool.is_none() {
        let known: Vec<&str> = ToolChoice::value_variants().iter().map(|tool| tool.as_str()).collect();
        let word = world.answer(&format!("with which tool? {} [codex]: ", known.join(", ")))?;
        let tool = ToolChoice::value_variants().iter().find(|tool| tool.as_str() == word);
        request.tool = Some(tool.copied().unwrap_or(ToolChoice::Cli(CliKind::Codex)));
    }
    Ok(())
}

/// The phases first, then yes, no or customise. Says whether the plan has to be made again.
pub(super) fn grouping(
    world: &World,
    args: &PlanArgs,
    derived: &Derived,
    options: &mut DeriveOptions,
) -> Result<bool, CliError> {
    if !asks(world, args) || args.flat || args.max_depth.is_some() {
        return Ok(false);
    }
    let suggestion = super::suggestion(derived);
    if !suggestion.ask || suggestion.phases.len() < 2 {
        return Ok(false);
    }
    let mut text = format!("{}:\n", suggestion.why);
    for (at, (name, tasks)) in (1..).zip(&suggestion.phases) {
        text.push_str(&format!("  {at}. {name} ({tasks})\n"));
    }
    world.tell(&text);
    let usual = if suggestion.nested { "yes" } else { "no" };
    let said = world.answer(&format!("group them by phase? yes, no or customise [{usual}]: "))?;
    let said = if said.is_empty() { usual.to_owned() } else { said };
    options.grouping = match said.chars().next() {
        Some('y' | 'Y') => Grouping::Nested(3),
        Some('c' | 'C') => {
            let depth = world.answer("how many levels deep at most? [2]: ")?;
            Grouping::Nested(depth.parse().unwrap_or(2))
        }
        _ => Grouping::Flat,
    };
    Ok(true)
}
