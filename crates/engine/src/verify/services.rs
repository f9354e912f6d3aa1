//! Services for tests: started before the gates, ready before the first, stopped after the last.

use std::path::Path;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;
use windlass_core::failure::Failure;

use crate::config::TestService;
use crate::context::Context;
use crate::place::{ScratchDir, report_process};
use crate::process::{CancelLevel, CancellationSignal, Capture, Finished, Invocation, ProcessExit, Token};
use crate::sandbox::{Fence, FenceRole, Needs, Network, SharedNetwork};
use crate::worker_channel::WorkerChannel;

/// The services of one verification.
pub(crate) struct Services {
    running: Vec<(TestService, CancellationSignal, JoinHandle<Finished>)>,
    dir: std::path::PathBuf,
    capture: Capture,
    token: Token,
    own: std::path::PathBuf,
    network: Option<SharedNetwork>,
}

impl Services {
    /// Starts every service and waits until each is ready.
    pub(crate) async fn start(
        ctx: &Context,
        dir: &Path,
        scratch: &ScratchDir,
        channel: &WorkerChannel,
    ) -> Result<Self, Failure> {
        let token = ctx.machine.token_of(&channel.task, channel.attempt);
        let capture = Capture { dir: scratch.path().join("services"), ..ctx.capture(&channel.task) };
        let own = scratch.path().join("services-own");
        let mut services =
            Self { running: Vec::new(), dir: dir.to_owned(), capture, token, own, network: None };
        services.share(ctx).await.map_err(|message| Failure::Environment { message })?;
        for service in &ctx.config.verify.services {
            services.spawn(ctx, service, channel);
            if let Err(message) = services.await_ready(ctx, service).await {
                services.stop(ctx).await;
                return Err(Failure::Environment { message });
            }
        }
        Ok(services)
    }

    /// Services run in their own sandbox and share the network and temporary files of the tests.
    async fn share(&mut self, ctx: &Context) -> Result<(), String> {
        let config = &ctx.config.sandbox;
        if ctx.config.verify.services.is_empty() || !ctx.machine.sandbox.rung().has_own_root() {
            return Ok(());
        }
        let tmp = self.own.with_extension("tmp");
        std::fs::create_dir_all(&tmp).map_err(|e| format!("cannot create `{}`: {e}", tmp.display()))?;
        if let (Network::Loopback, Some(helper)) = (config.verify_network, &config.helper) {
            let token = Token::new(&format!("{}.network", self.token));
            self.network = Some(SharedNetwork::make(helper, &token).await?);
        }
        ctx.machine.setups.share(&self.dir, self.network.as_ref().map(SharedNetwork::holder), Some(tmp));
        Ok(())
    }

    /// A fence for one command; `name` is its private directory.
    fn fence(&self, ctx: &Context, name: &str) -> Fence {
        ctx.machine.fence(FenceRole::Verifier, &self.dir, &self.own.join(name))
    }

    fn invocation(&self, ctx: &Context, command: &str, timeout: Duration) -> Invocation {
        let n = ctx.machine.next_number();
        Invocation {
            program: "bash".into(),
            args: vec!["-c".into(), command.into()],
            cwd: self.dir.clone(),
            env: ctx.config.verify_env.clone(),
            stdin: Vec::new(),
            timeout,
            idle_timeout: None,
            capture: Capture { dir: self.capture.dir.join(format!("service-{n}")), ..self.capture.clone() },
        }
    }

    fn spawn(&mut self, ctx: &Context, service: &TestService, channel: &WorkerChannel) {
        let cancel = CancellationSignal::new();
        let invocation = self.invocation(ctx, &service.command, Duration::from_hours(24));
        // A separate token: ending another command of the verification must not end the service.
        let token = Token::new(&format!("{}.service.{}", self.token, service.name));
        let (signal, spawned) = (cancel.clone(), report_process(channel));
        let fence = self.fence(ctx, &format!("service-{}", self.running.len()));
        let handle =
            tokio::spawn(
                async move { fence.run(invocation, &Needs::default(), &token, signal, spawned).await },
            );
        self.running.push((service.clone(), cancel, handle));
    }

    async fn await_ready(&self, ctx: &Context, service: &TestService) -> Result<(), String> {
        let Some(ready) = &service.ready else { return Ok(()) };
        let until = Instant::now() + service.timeout;
        while Instant::now() < until {
            let over = self.running.last().is_some_and(|(_, _, handle)| handle.is_finished());
            if over {
                return Err(format!("the service `{}` ended before it was ready", service.name));
            }
            let invocation = self.invocation(ctx, ready, service.timeout);
            let token = Token::new(&format!("{}.ready.{}", self.token, service.name));
            let fence = self.fence(ctx, "ready");
            let run =
                fence.run(invocation, &Needs::default(), &token, CancellationSignal::new(), |_| {}).await;
            if run.exit == ProcessExit::Code(0) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err(format!("the service `{}` was not ready after {} s", service.name, service.timeout.as_secs()))
    }

    /// Stops every service, the last one first.
    pub(crate) async fn stop(mut self, ctx: &Context) {
        while let Some((service, cancel, handle)) = self.running.pop() {
            if let Some(stop) = &service.stop {
                let invocation = self.invocation(ctx, stop, service.timeout);
                let token = Token::new(&format!("{}.stop.{}", self.token, service.name));
                let fence = self.fence(ctx, "stop");
                fence.run(invocation, &Needs::default(), &token, CancellationSignal::new(), |_| {}).await;
            }
            cancel.raise(CancelLevel::Stop);
            let _ = handle.await;
        }
        ctx.machine.setups.share(&self.dir, None, None);
    }
}
