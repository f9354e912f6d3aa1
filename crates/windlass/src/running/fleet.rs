//! Workers that fetch attempts from a NATS broker: how they are reached, and how this machine becomes one. Built with the
//! feature `nats`; without it, it says so.

#[cfg(feature = "nats")]
pub(crate) use with::{attend_queue, carrier};
#[cfg(not(feature = "nats"))]
pub(crate) use without::{attend_queue, carrier};

/// A worker, as the command line names it.
#[derive(Debug)]
pub(crate) struct QueueToAttend<'a> {
    pub(crate) url: &'a str,
    pub(crate) queue: &'a str,
    pub(crate) key: Option<&'a str>,
    pub(crate) ca: Option<&'a str>,
    pub(crate) slots: usize,
    /// What is started for each attempt, if not `windlass attend`.
    pub(crate) command: &'a [String],
}

#[cfg(feature = "nats")]
mod with {
    use std::path::PathBuf;
    use std::sync::Arc;

    use tokio::signal::unix::{SignalKind, signal};
    use tokio::sync::watch;
    use windlass_engine::place::Carrier;
    use windlass_fleet::{FleetAddress, FleetCarrier, FleetWorker, attend_fleet};

    use super::QueueToAttend;
    use crate::cli::CliError;
    use crate::running::runtime;
    use crate::world::World;

    /// The way to the workers of a queue.
    pub(crate) fn carrier(
        world: &World,
        url: &str,
        queue: &str,
        key: Option<&str>,
        ca: Option<&str>,
    ) -> Result<Arc<dyn Carrier>, CliError> {
        let address = address(world, url, queue, key, ca)?;
        Ok(Arc::new(FleetCarrier::new(address, env!("CARGO_PKG_VERSION"))))
    }

    /// Attends a queue until it is told to end: at the first Ctrl-C when its attempts are over, at the second at once.
    pub(crate) fn attend_queue(world: &World, asked: &QueueToAttend<'_>) -> Result<(), CliError> {
        let address = address(world, asked.url, asked.queue, asked.key, asked.ca)?;
        let own = world.own_program.clone().unwrap_or_else(|| PathBuf::from("windlass"));
        let own = vec![own.to_string_lossy().into_owned(), "attend".to_owned()];
        let worker = FleetWorker {
            address,
            version: env!("CARGO_PKG_VERSION").into(),
            slots: asked.slots,
            command: if asked.command.is_empty() { own } else { asked.command.to_vec() },
        };
        let began = format!(
            "attending queue `{}` at {} with {} slots; Ctrl-C ends it after the attempts that run\n",
            asked.queue, asked.url, asked.slots
        );
        let runtime = runtime(4)?;
        let ended = runtime.block_on(async {
            let (stop, stopped) = watch::channel(0_u8);
            let failed =
                |e: &std::io::Error| CliError::environment("cannot listen to signals").because_of(Some(e));
            let mut interrupt = signal(SignalKind::interrupt()).map_err(|e| failed(&e))?;
            let mut terminate = signal(SignalKind::terminate()).map_err(|e| failed(&e))?;
            tokio::spawn(async move {
                loop {
                    tokio::select! {
                        _ = interrupt.recv() => {}
                        _ = terminate.recv() => {}
                    }
                    stop.send_modify(|level| *level = level.saturating_add(1));
                }
            });
            let ready = || world.tell(&began);
            attend_fleet(worker, stopped, ready).await.map_err(CliError::blocked)
        });
        runtime.shutdown_background();
        ended
    }

    fn address(
        world: &World,
        url: &str,
        queue: &str,
        key: Option<&str>,
        ca: Option<&str>,
    ) -> Result<FleetAddress, CliError> {
        let file = |path: &str| match (path.strip_prefix("~/"), &world.home) {
            (Some(rest), Some(home)) => home.join(rest),
            (Some(_) | None, _) => world.cwd.join(path),
        };
        let address = FleetAddress {
            url: url.to_owned(),
            queue: queue.to_owned(),
            key: key.map(file),
            authority: ca.map(file),
        };
        address.check().map_err(CliError::usage)?;
        Ok(address)
    }
}

#[cfg(not(feature = "nats"))]
mod without {
    use std::sync::Arc;

    use windlass_engine::place::Carrier;

    use super::QueueToAttend;
    use crate::cli::CliError;
    use crate::world::World;

    /// This program has no way to a broker.
    pub(crate) fn carrier(
        _: &World,
        _: &str,
        _: &str,
        _: Option<&str>,
        _: Option<&str>,
    ) -> Result<Arc<dyn Carrier>, CliError> {
        Err(absent())
    }

    /// This program cannot be a worker.
    pub(crate) fn attend_queue(_: &World, asked: &QueueToAttend<'_>) -> Result<(), CliError> {
        let _ = (asked.url, asked.queue, asked.key, asked.ca, asked.slots, asked.command);
        Err(absent())
    }

    fn absent() -> CliError {
        CliError::environment("this build of Windlass has no support for NATS")
            .hint("the packages have it; from source: `cargo install --path crates/windlass --features nats`")
    }
}
