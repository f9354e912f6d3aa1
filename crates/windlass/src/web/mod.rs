//! The page of `windlass ui --web`: a server for the browsers of this machine.
//!
//! It reads the journal like every other front end and leaves wishes like them; nothing here can set a state or a
//! verdict. [`routes`] is the one table of everything that can be requested, [`door`] decides who may ask.

mod answers;
mod change_doc;
mod door;
mod files;
mod log_doc;
mod page_state;
mod patch;
mod query;
mod routes;
mod secret;
mod stream;
mod tail;
mod task_doc;
#[cfg(test)]
mod tests;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::Arc;

use tokio::net::TcpListener;
use windlass_engine::process::CancelLevel;

use crate::cli::shared::PlanState;
use crate::cli::{CliError, Exit};
use crate::input::locate;
use crate::running::{runtime, stop_on_signals};
use crate::world::World;
use door::Door;
use page_state::PageState;

/// The port that is tried first.
const PORT: u16 = 8437;

/// What the user may choose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WebOptions {
    /// The port; without it [`PORT`], or any other that is free.
    pub(crate) port: Option<u16>,
    /// Whether a browser is opened.
    pub(crate) open: bool,
}

/// Serves the page until it is stopped.
pub(crate) fn serve(world: &World, state: PlanState, options: WebOptions) -> Result<Exit, CliError> {
    let located =
        locate(&world.cwd).ok_or_else(|| CliError::environment("there is no git repository here"))?;
    let kept = world.paths(&located.common_dir)?.state().join("web-session");
    let page = Arc::new(PageState::open(world.clone(), state)?);
    runtime(4)?.block_on(async move {
        let listener = listen(options.port).await?;
        let port = listener.local_addr().map_err(|e| cannot_listen(PORT, &e))?.port();
        let door = Arc::new(Door::new(port, secret::kept(&kept)?)?);
        welcome(&page.world, &door, options.open)?;
        let tail = tail::follow(Arc::clone(&page));
        let stop = stop_on_signals(|_| {});
        let said = page.world.clone();
        let app = routes::router(&page, door, move |address| {
            // A closed terminal is no reason to stop.
            let _ = said.print(&format!("opened in a browser; for another one: {address}\n"));
        });
        tokio::select! {
            ended = async { axum::serve(listener, app).await } => {
                ended.map_err(|e| CliError::environment("the page cannot be served").because_of(Some(&e)))?;
            }
            () = stop.reached(CancelLevel::Stop) => {}
        }
        tail.stop();
        Ok(Exit::Fine)
    })
}

/// A listener on loopback and nowhere else.
async fn listen(port: Option<u16>) -> Result<TcpListener, CliError> {
    let on = |port: u16| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    match port {
        Some(port) => on(port).await.map_err(|e| cannot_listen(port, &e)),
        None => match on(PORT).await {
            Ok(listener) => Ok(listener),
            Err(_) => on(0).await.map_err(|e| cannot_listen(0, &e)),
        },
    }
}

fn cannot_listen(port: u16, error: &io::Error) -> CliError {
    if error.kind() == io::ErrorKind::AddrInUse {
        return CliError::environment(format!("port {port} is taken"))
            .hint("choose another with `--port PORT`; `--port 0` takes any that is free");
    }
    CliError::environment(format!("cannot listen on port {port}")).because_of(Some(error))
}

fn welcome(world: &World, door: &Door, open: bool) -> Result<(), CliError> {
    let address = door.address();
    world.print(&format!(
        "the page is at {address}\n  for browsers of this machine; the address works once\n  Ctrl-C ends it; the run goes on without it\n"
    ))?;
    if open && world.out.terminal {
        let program = ["xdg-open", "open"].iter().find_map(|name| world.program(name.as_ref()));
        if let Some(program) = program {
            let quiet = || Stdio::null();
            // If it does not start, the address is on the screen.
            let _ =
                Command::new(program).arg(&address).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
        }
    }
    Ok(())
}
