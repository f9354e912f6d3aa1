//! What tests need beside them: started before the gates, ready before the first, stopped after the last.

use std::path::Path;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;
use windlass_core::failure::Failure;

use crate::config::Service;
use crate::context::{Context, Scratch};
use crate::process::{self, CancelLevel, CancellationSignal, Capture, Exit, Finished, Invocation, Token};
use crate::tell::Tell;

/// The services of one verification.
pub(crate) struct Services {
    running: Vec<(Service, CancellationSignal, JoinHandle<Finished>)>,
    dir: std::path::PathBuf,
    capture: Capture,
    token: Token,
}

impl Services {
    /// Starts every service and waits until each says that it is ready.
    pub(crate) async fn start(
        ctx: &Context,
        dir: &Path,
        scratch: &Scratch,
        tell: &Tell,
    ) -> Result<Self, Failure> {
        let token = ctx.token_of(&tell.task, tell.attempt);
        let capture = Capture { dir: scratch.path().join("services"), ..ctx.capture(&tell.task) };
        let mut services = Self { running: Vec::new(), dir: dir.to_owned(), capture, token };
        for service in &ctx.config.verify.services {
            services.spawn(ctx, service, tell);
            if let Err(message) = services.await_ready(ctx, service).await {
                services.stop(ctx).await;
                return Err(Failure::Environment { message });
            }
        }
        Ok(services)
    }

    fn invocation(&self, ctx: &Context, command: &str, timeout: Duration) -> Invocation {
        let n = ctx.counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
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

    fn spawn(&mut self, ctx: &Context, service: &Service, tell: &Tell) {
        let cancel = CancellationSignal::new();
        let invocation = self.invocation(ctx, &service.command, Duration::from_hours(24));
        // A token of its own: ending one command of the verification must not end the service.
        let token = Token::new(&format!("{}.service.{}", self.token, service.name));
        let (signal, spawned) = (cancel.clone(), tell.spawned());
        let handle = tokio::spawn(async move { process::run(invocation, &token, signal, spawned).await });
        self.running.push((service.clone(), cancel, handle));
    }

    async fn await_ready(&self, ctx: &Context, service: &Service) -> Result<(), String> {
        let Some(ready) = &service.ready else { return Ok(()) };
        let until = Instant::now() + service.timeout;
        while Instant::now() < until {
            let over = self.running.last().is_some_and(|(_, _, handle)| handle.is_finished());
            if over {
                return Err(format!("the service `{}` ended before it was ready", service.name));
            }
            let invocation = self.invocation(ctx, ready, service.timeout);
            let token = Token::new(&format!("{}.ready.{}", self.token, service.name));
            let run = process::run(invocation, &token, CancellationSignal::new(), |_| {}).await;
            if run.exit == Exit::Code(0) {
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
                process::run(invocation, &token, CancellationSignal::new(), |_| {}).await;
            }
            cancel.raise(CancelLevel::Stop);
            let _ = handle.await;
        }
    }
}
