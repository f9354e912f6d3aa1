//! `windlass ui --web`: a page on this machine to see and steer a run.

use clap::Args;

use super::state::{PlanState, StateArgs};
use super::{CliError, Exit};
use crate::world::World;

/// See and steer a run on a page of this machine
#[derive(Debug, Args)]
pub(crate) struct UiArgs {
    /// Serve a page for the browsers of this machine.
    #[arg(long)]
    web: bool,

    /// The port of the page. Without it, 8437, or any free port if that is taken; 0 takes any free port.
    #[arg(long, value_name = "PORT", requires = "web")]
    port: Option<u16>,

    /// Do not open a browser.
    #[arg(long, requires = "web")]
    no_open: bool,

    #[command(flatten)]
    state: StateArgs,
}

/// Serves the page until it is stopped.
pub(crate) fn cmd_ui(world: &World, args: &UiArgs) -> Result<Exit, CliError> {
    if !args.web {
        return Err(
            CliError::usage("`windlass ui` has no terminal screen yet").hint("use `windlass ui --web`")
        );
    }
    let state = PlanState::find(world, &args.state)?;
    serve(world, args, state)
}

#[cfg(feature = "web")]
fn serve(world: &World, args: &UiArgs, state: PlanState) -> Result<Exit, CliError> {
    crate::web::serve(world, state, crate::web::WebOptions { port: args.port, open: !args.no_open })
}

#[cfg(not(feature = "web"))]
fn serve(_: &World, _: &UiArgs, _: PlanState) -> Result<Exit, CliError> {
    Err(CliError::usage("this program was built without the page")
        .hint("build it with the cargo feature `web`"))
}
