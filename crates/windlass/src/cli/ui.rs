//! `windlass ui`: watch and steer a run, in the terminal or on a page of this machine.

use clap::Args;

use super::state::{PlanState, StateArgs};
use super::{CliError, Exit};
use crate::world::World;

/// Watch and steer a run: tasks, logs, diffs, evidence, what waits for you
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct UiArgs {
    #[command(flatten)]
    state: StateArgs,

    /// Let the mouse select and scroll; without it the terminal selects text.
    #[arg(long, conflicts_with = "web")]
    mouse: bool,

    /// Serve a page for the browsers of this machine instead.
    #[arg(long)]
    web: bool,

    /// The port of the page. Without it, 8437, or any free port if that is taken; 0 takes any free port.
    #[arg(long, value_name = "PORT", requires = "web")]
    port: Option<u16>,

    /// Do not open a browser.
    #[arg(long, requires = "web")]
    no_open: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass ui                       in the terminal; `?` lists the keys, `q` leaves and the run goes on
  windlass ui --plan shop --mouse
  windlass ui --web                 as a page in the browser";

/// Opens the interface.
pub(crate) fn cmd_ui(world: &World, args: &UiArgs) -> Result<Exit, CliError> {
    let state = PlanState::find(world, &args.state)?;
    if args.web {
        return serve(world, args, state);
    }
    if !world.can_redraw {
        return Err(CliError::environment("`windlass ui` needs a terminal that it can draw on")
            .hint("`windlass status --watch` prints instead; `windlass ui --web` serves a page"));
    }
    open(world, &state, args)
}

#[cfg(feature = "tui")]
fn open(world: &World, state: &PlanState, args: &UiArgs) -> Result<Exit, CliError> {
    crate::tui::open(world, state, args.mouse)
}

#[cfg(not(feature = "tui"))]
fn open(_: &World, _: &PlanState, _: &UiArgs) -> Result<Exit, CliError> {
    Err(CliError::environment("this build of Windlass has no terminal interface")
        .hint("build it with the cargo feature `tui`, or use `windlass status --watch`"))
}

#[cfg(feature = "web")]
fn serve(world: &World, args: &UiArgs, state: PlanState) -> Result<Exit, CliError> {
    crate::web::serve(world, state, crate::web::WebOptions { port: args.port, open: !args.no_open })
}

#[cfg(not(feature = "web"))]
fn serve(_: &World, _: &UiArgs, _: PlanState) -> Result<Exit, CliError> {
    Err(CliError::usage("this build of Windlass has no page").hint("build it with the cargo feature `web`"))
}
