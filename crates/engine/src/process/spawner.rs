//! The one thread that starts commands and never ends.
//!
//! A parent-death signal is bound to the *thread* that started the command. A command started by a worker thread that
//! ends early would be killed.

use std::io;
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

use tokio::process::{Child, Command};
use tokio::runtime::Handle;

use super::invocation::{ProcessId, Token};
use super::registry;

type SpawnedChild = io::Result<(Child, ProcessId)>;
type Job = Box<dyn FnOnce() + Send>;

/// Starts a command from the thread that never ends. To be called inside a runtime.
pub(crate) fn spawn(mut command: Command, token: &Token) -> SpawnedChild {
    let (token, runtime) = (token.clone(), Handle::current());
    let (answer, started) = channel::<SpawnedChild>();
    let job: Job = Box::new(move || {
        let _inside = runtime.enter();
        // The caller waits for the answer below.
        let _ = answer.send(registry::spawn(&mut command, &token));
    });
    let gone = || io::Error::other("the thread that starts commands is gone");
    spawner()?.send(job).map_err(|_| gone())?;
    started.recv().map_err(|_| gone())?
}

fn spawner() -> io::Result<&'static Sender<Job>> {
    static SPAWNER: OnceLock<Sender<Job>> = OnceLock::new();
    if let Some(known) = SPAWNER.get() {
        return Ok(known);
    }
    let (jobs, todo) = channel::<Job>();
    std::thread::Builder::new().name("spawner".into()).spawn(move || {
        for job in todo {
            job();
        }
    })?;
    // If another thread was faster, this one's thread ends without having started anything.
    Ok(SPAWNER.get_or_init(|| jobs))
}
