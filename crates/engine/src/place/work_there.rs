//! One piece of work at the place's side: an attempt, a verification or a part of a closing run, from the job that was sent to
//! what is sent back.

use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, interval, sleep_until};
use windlass_core::event::{Event, TaskEvent};
use windlass_core::ids::BlobName;
use windlass_core::policy::Settings;

use super::accepted::outputs_of;
use super::attend::{AbleHere, RepositoryAtPlace, said};
use super::link::{Arrival, LinkBroken, PlaceLink};
use super::live::LiveReader;
use super::message::{FromPlace, ParcelKind, ParcelNote, RunOffer, SentEnd, SentJob, ToPlace};
use super::{LocalMachine, SentWork};
use crate::agent;
use crate::attempt;
use crate::budget::RunBudget;
use crate::config::RunConfig;
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::{ExpectedRef, Signing};
use crate::output::OutputStore;
use crate::process::{CancelLevel, CancellationSignal, Watchdog};
use crate::verify::{GreenProof, HeldOutStore, judge_merged, run_closing};
use crate::worker_channel::{CandidateCommit, GrantAnswer, Message, VerifiedTree, WorkerChannel};

/// How often new output of the work is read.
const LOOK_EVERY: Duration = Duration::from_millis(500);

fn context(
    offer: &RunOffer,
    sent: &SentJob,
    home: RepositoryAtPlace,
    config: RunConfig,
    machine: LocalMachine,
) -> Result<Context, EngineError> {
    let plan_paths = home.paths.plan(&offer.name);
    let sessions = home.paths.sessions();
    let made = |(name, spec): (&String, _)| (name.clone(), agent::from_spec(name, spec, &sessions));
    let limits =
        Settings { max_cost_usd: sent.usd_left, max_tokens: sent.tokens_left, ..Settings::default() };
    Ok(Context {
        plan: offer.plan.clone(),
        plan_blob: std::sync::OnceLock::new(),
        last_record: std::sync::Mutex::default(),
        name: offer.name.clone(),
        tasks: offer.tasks.iter().cloned().collect(),
        agents: config.agents.iter().map(made).collect(),
        config,
        machine,
        outputs: OutputStore::open(&plan_paths.out())?,
        places: plan_paths,
        held_out: HeldOutStore::at(home.paths.held_out()),
        author: offer.author.clone(),
        committer: offer.committer.clone(),
        signing: Signing::No,
        budget: RunBudget::of(&limits),
        branch: offer.branch.clone(),
        told_version: offer.project_version.clone(),
        repo: home.repo,
    })
}

/// Work at this place.
pub(super) struct WorkAtPlace {
    pub(super) ctx: Context,
    pub(super) sent: SentJob,
    _watch: Option<Watchdog>,
}

impl WorkAtPlace {
    pub(super) fn make(
        offer: &RunOffer,
        sent: SentJob,
        home: RepositoryAtPlace,
        able: AbleHere,
    ) -> Result<Self, String> {
        let AbleHere { config, sandbox, mark, watch } = able;
        if let SentWork::Attempt(job) = &sent.work {
            let own = format!("refs/windlass/{}/{}/{}/", offer.name, job.task, job.attempt);
            // These refs are left from another attempt with the same number.
            for (name, _) in home.repo.refs(&own).map_err(|e| e.to_string())? {
                home.repo.delete_ref(&name, ExpectedRef::Anything).map_err(|e| e.to_string())?;
            }
        }
        for (name, oid) in &sent.refs {
            let written = home.repo.update_ref(name, oid, ExpectedRef::Anything, "windlass: sent");
            written.map_err(|e| e.to_string())?;
        }
        let machine = LocalMachine::open(&home.paths, sandbox, mark).map_err(|error| said(&error))?;
        let ctx = context(offer, &sent, home, config, machine).map_err(|error| said(&error))?;
        Ok(Self { ctx, sent, _watch: watch })
    }

    /// Carries the work out up to its end.
    async fn work(&self, channel: &WorkerChannel, cancel: &CancellationSignal) -> Result<SentEnd, EarlyEnd> {
        let ctx = &self.ctx;
        match &self.sent.work {
            SentWork::Attempt(job) => {
                let candidate = attempt::attempt(ctx, job, channel, cancel).await?;
                let CandidateCommit { commit, added, removed } = candidate;
                Ok(SentEnd::Candidate { commit, added, removed })
            }
            SentWork::Verify(work) => {
                // Output of an earlier attempt may still be here.
                ctx.forget_live(&work.job.task);
                let VerifiedTree { tree, proof } =
                    judge_merged(ctx, &work.job, &work.merged, channel, cancel).await?;
                let changed = tree != work.merged.tree;
                let onto = &work.job.onto;
                let keep = || ctx.keep(&tree, &[onto], "windlass: verified");
                let commit = changed.then(keep).transpose()?;
                Ok(SentEnd::Verified { tree, proof, commit })
            }
            SentWork::Close(share) => {
                run_closing(ctx, &share.job, &share.scripts, cancel).await?;
                Ok(SentEnd::Closed)
            }
        }
    }

    /// Runs the work and passes on what it says, until it is over or the coordinator is gone.
    pub(super) async fn run(&self, link: &mut PlaceLink, nonce: &str) -> Result<SentEnd, LinkBroken> {
        let Some(task) = self.sent.work.task() else { return Ok(SentEnd::Closed) };
        let cancel = CancellationSignal::new();
        let (to, mut from) = mpsc::unbounded_channel();
        let steps: Vec<_> = self.ctx.info(task).steps.iter().map(|step| step.action).collect();
        let channel = WorkerChannel::new(to, task.clone(), self.sent.work.attempt(), &steps);
        let work = self.work(&channel, &cancel);
        tokio::pin!(work);
        let (mut looks, mut told) = (interval(LOOK_EVERY), 0);
        let mut live = LiveReader::new(self.ctx.places.live(task));
        let deadline = Instant::now() + Duration::from_secs(self.sent.deadline_seconds);
        let mut asked: Option<oneshot::Sender<GrantAnswer>> = None;
        // Once the connection is broken the attempt is ended, and this returns when it has.
        let mut broken: Option<LinkBroken> = None;
        loop {
            let handled = tokio::select! {
                end = &mut work => {
                    while let Ok(message) = from.try_recv() {
                        self.pass_on(link, nonce, message, &mut asked).await?;
                    }
                    return broken.map_or(Ok(sent_end(end)), Err);
                }
                Some(message) = from.recv() => {
                    if broken.is_some() { Ok(()) } else { self.pass_on(link, nonce, message, &mut asked).await }
                }
                frame = link.frame(), if broken.is_none() => match frame {
                    Ok(frame) => handle(link, frame, nonce, &cancel, &mut asked).await,
                    Err(error) => Err(error),
                },
                _ = looks.tick(), if broken.is_none() => {
                    show(link, nonce, &mut live);
                    self.tell_spent(link, nonce, &mut told);
                    Ok(())
                }
                () = sleep_until(deadline), if cancel.level() != CancelLevel::Now => {
                    cancel.raise(CancelLevel::Now);
                    Ok(())
                }
            };
            if let Err(error) = handled {
                cancel.raise(CancelLevel::Now);
                drop(asked.take());
                broken.get_or_insert(error);
            }
        }
    }

    /// Tells what was spent, if it is more than was told: the run's limit is held by the coordinator, over all its places.
    fn tell_spent(&self, link: &PlaceLink, nonce: &str, told: &mut u64) {
        let (usd, tokens) = self.ctx.budget.spent();
        if tokens != *told && link.mention(&FromPlace::Spent { nonce: nonce.to_owned(), usd, tokens }) {
            *told = tokens;
        }
    }

    /// Sends a message of the attempt on, after the outputs that it names.
    async fn pass_on(
        &self,
        link: &PlaceLink,
        nonce: &str,
        message: Message,
        asked: &mut Option<oneshot::Sender<GrantAnswer>>,
    ) -> Result<(), LinkBroken> {
        let nonce = nonce.to_owned();
        match message {
            // The coordinator cannot do anything with process numbers of this machine.
            Message::Event(Event::Run(_) | Event::Task { event: TaskEvent::ProcessStarted { .. }, .. }) => {
                Ok(())
            }
            Message::Event(Event::Task { event, .. }) => {
                for output in outputs_of(&event) {
                    send_output(link, &self.ctx, output).await?;
                }
                link.say(&FromPlace::Event { nonce, event: Box::new(event) }).await
            }
            Message::Grant { files, reply, .. } => {
                *asked = Some(reply);
                link.say(&FromPlace::Ask { nonce, files }).await
            }
            Message::WorkOver { .. }
            | Message::VerifyOver { .. }
            | Message::ReviewOver { .. }
            | Message::VerifyBegun { .. } => Ok(()),
        }
    }
}

/// Sends the proof of a verification after the outputs that it names.
pub(super) async fn send_proof(link: &PlaceLink, ctx: &Context, proof: &BlobName) -> Result<(), LinkBroken> {
    let bytes = ctx.outputs.read(proof, u64::MAX).map_err(|e| LinkBroken::Failed(e.to_string()))?;
    let said: GreenProof = serde_json::from_slice(&bytes).map_err(|e| LinkBroken::Failed(e.to_string()))?;
    for output in said.gates.iter().filter_map(|gate| gate.output.as_ref()) {
        send_output(link, ctx, output).await?;
    }
    send_output(link, ctx, proof).await
}

pub(super) async fn send_output(link: &PlaceLink, ctx: &Context, name: &BlobName) -> Result<(), LinkBroken> {
    let bytes = ctx.outputs.read(name, u64::MAX).map_err(|e| LinkBroken::Failed(e.to_string()))?;
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let note = ParcelNote { what: ParcelKind::Output, bytes: size, hash: name.clone() };
    link.say(&FromPlace::Parcel(note)).await?;
    link.pieces(&bytes).await
}

/// Shows what the attempt's commands have written lately.
fn show(link: &PlaceLink, nonce: &str, live: &mut LiveReader) {
    while link.has_room()
        && let Some((file, text)) = live.next()
    {
        let _ = link.mention(&FromPlace::Live { nonce: nonce.to_owned(), file, text });
    }
}

/// Hears the coordinator while an attempt runs.
async fn handle(
    link: &mut PlaceLink,
    frame: super::frame::WireFrame,
    nonce: &str,
    cancel: &CancellationSignal,
    asked: &mut Option<oneshot::Sender<GrantAnswer>>,
) -> Result<(), LinkBroken> {
    match link.arrival::<ToPlace>(frame, 0).await? {
        Some(Arrival::Message(ToPlace::Cancel { nonce: of, now })) if of == nonce => {
            cancel.raise(if now { CancelLevel::Now } else { CancelLevel::Stop });
            Ok(())
        }
        Some(Arrival::Message(ToPlace::Granted { nonce: of, answer })) if of == nonce => {
            if let Some(reply) = asked.take() {
                let _ = reply.send(answer);
            }
            Ok(())
        }
        // Answers to another attempt, and what has no meaning while one runs.
        Some(
            Arrival::Message(
                ToPlace::Cancel { .. }
                | ToPlace::Granted { .. }
                | ToPlace::Hello { .. }
                | ToPlace::Propose { .. }
                | ToPlace::Parcel(_)
                | ToPlace::Start { .. }
                | ToPlace::Taken { .. }
                | ToPlace::Echo { .. }
                | ToPlace::Ping,
            )
            | Arrival::Parcel(..),
        )
        | None => Ok(()),
    }
}

fn sent_end(end: Result<SentEnd, EarlyEnd>) -> SentEnd {
    match end {
        Ok(end) => end,
        Err(EarlyEnd::Failed { failure, output }) => SentEnd::Failed { failure, output },
        Err(EarlyEnd::Interrupted) => SentEnd::Interrupted,
        Err(EarlyEnd::Broken(error)) => SentEnd::Broken { reason: said(&error) },
    }
}
