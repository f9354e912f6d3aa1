//! Work at another place, as the coordinator sees it: what is sent there, and what is believed of what comes back.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use windlass_core::event::{TaskEvent, Usage};
use windlass_core::ids::{BlobName, Oid};
use windlass_core::policy::{architecture_labels, is_architecture};

use super::accepted::{commit_of, is_of_the_machine, masked, outputs_of, reported};
use super::connection_limit::ConnectionLimit;
use super::launched::{IdleConnections, PlaceConnection, PlaceLoss};
use super::link::{Arrival, LinkBroken};
use super::live::LiveWriter;
use super::message::{FromPlace, ParcelKind, RunOffer, SentEnd, SentJob, ToPlace};
use super::{AttemptJob, AttemptPlace, AttemptRunning, SentWork, WorkStop};
use crate::budget::TurnMeter;
use crate::config::PlaceSpec;
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::git::{ExpectedRef, PackLimits};
use crate::process::{CancelLevel, CancellationSignal, Mask};
use crate::random_token::random_token;
use crate::verify::ForeignVerdict;
use crate::verify::setup::project_version;
use crate::worker_channel::{CandidateCommit, WorkerChannel};

/// How many refs an attempt may leave.
const MOST_REFS: usize = 64;
/// How many events an attempt may report.
const MOST_EVENTS: usize = 20_000;
/// How many outputs of the largest allowed size an attempt may send.
const MOST_OUTPUTS: u64 = 64;
/// How long a place may take to end an attempt that was cancelled.
const GRACE: Duration = Duration::from_secs(20);

/// A place that a carrier leads to.
pub(crate) struct LaunchedPlace {
    pub(super) name: String,
    spec: PlaceSpec,
    version: String,
    pub(super) ctx: Arc<Context>,
    /// What all attempts share, ready to be sent.
    offer: Arc<Vec<u8>>,
    idle: IdleConnections,
    limit: ConnectionLimit,
}

impl LaunchedPlace {
    pub(crate) fn new(
        name: &str,
        spec: &PlaceSpec,
        version: &str,
        ctx: Arc<Context>,
        offer: Arc<Vec<u8>>,
    ) -> Self {
        let idle = IdleConnections::default();
        let (name, version, limit) = (name.to_owned(), version.to_owned(), ConnectionLimit::of(spec));
        Self { name, spec: spec.clone(), version, ctx, offer, idle, limit }
    }

    /// What the places of a run are told about it.
    pub(crate) fn offer(ctx: &Context) -> Arc<Vec<u8>> {
        let mut tasks: Vec<_> = ctx.tasks.iter().map(|(id, info)| (id.clone(), info.clone())).collect();
        tasks.sort_by(|(a, _), (b, _)| a.cmp(b));
        let offer = RunOffer {
            plan: ctx.plan.clone(),
            name: ctx.name.clone(),
            branch: ctx.branch.clone(),
            project_version: Some(project_version(ctx)),
            tasks,
            settings: ctx.config.sent.clone(),
            author: ctx.author.clone(),
            committer: ctx.committer.clone(),
        };
        Arc::new(serde_json::to_vec(&offer).unwrap_or_else(|e| unreachable!("plain data: {e}")))
    }

    pub(super) fn lost(&self, PlaceLoss { reason, refused }: PlaceLoss) -> WorkStop {
        WorkStop::Lost { place: self.name.clone(), reason, refused }
    }

    async fn attempt_there(
        &self,
        job: AttemptJob,
        channel: &WorkerChannel,
        cancel: &CancellationSignal,
    ) -> Result<CandidateCommit, WorkStop> {
        let Some(meter) = self.ctx.budget.admit(cancel).await else {
            return Err(EarlyEnd::Interrupted.into());
        };
        self.ctx.forget_live(&job.task);
        let work = SentWork::Attempt(Box::new(job));
        match self.carry_out(&work, channel, cancel, Some(&meter)).await? {
            WorkAnswer::Candidate(candidate) => Ok(candidate),
            WorkAnswer::Verified(_) | WorkAnswer::Closed => Err(self.lost(answered_otherwise())),
        }
    }

    /// Has work carried out there. `meter` counts what its agents use.
    pub(super) async fn carry_out(
        &self,
        work: &SentWork,
        channel: &WorkerChannel,
        cancel: &CancellationSignal,
        meter: Option<&TurnMeter>,
    ) -> Result<WorkAnswer, WorkStop> {
        if let Some(mut kept) = self.idle.take() {
            let mut errand = Errand::new(self, work, channel, cancel, meter);
            let end = errand.run(&mut kept).await;
            // One that was closed while it waited is no loss: another is opened.
            if end.is_ok() || errand.begun {
                return self.conclude(kept, end).await;
            }
        }
        let mut connection = tokio::select! {
            opened = self.limit.open(&self.spec, &self.version) => opened.map_err(|e| self.lost(e))?,
            () = cancel.reached(CancelLevel::Stop) => return Err(EarlyEnd::Interrupted.into()),
        };
        let end = Errand::new(self, work, channel, cancel, meter).run(&mut connection).await;
        self.conclude(connection, end).await
    }

    /// The end of the work; the connection is kept if it can be used again.
    async fn conclude(
        &self,
        connection: PlaceConnection,
        end: Result<ErrandEnd, PlaceLoss>,
    ) -> Result<WorkAnswer, WorkStop> {
        match end {
            Ok(end) => {
                self.idle.keep(connection);
                Ok(end?)
            }
            Err(PlaceLoss { reason, refused: false }) => {
                let reason = connection.explained(reason).await;
                Err(self.lost(PlaceLoss { reason, refused: false }))
            }
            Err(refused) => Err(self.lost(connection.turned_away(refused.reason))),
        }
    }
}

impl AttemptPlace for LaunchedPlace {
    fn attempt<'a>(
        &'a self,
        job: AttemptJob,
        channel: &'a WorkerChannel,
        cancel: &'a CancellationSignal,
    ) -> AttemptRunning<'a> {
        Box::pin(async move { self.attempt_there(job, channel, cancel).await })
    }
}

/// One piece of work on its way.
struct Errand<'a> {
    place: &'a LaunchedPlace,
    work: &'a SentWork,
    channel: &'a WorkerChannel,
    cancel: &'a CancellationSignal,
    meter: Option<&'a TurnMeter>,
    nonce: String,
    /// Everything secret that the place was given: taken out of what comes back.
    mask: Mask,
    /// Commits that the place was given.
    needs: Vec<Oid>,
    pack: Vec<u8>,
    live: LiveWriter,
    /// Events about objects that have not arrived. They count with the end of the attempt.
    held: Vec<TaskEvent>,
    events: usize,
    received: u64,
    /// What the turns that are over have used.
    spent: Usage,
    /// Whether the run's limit is reached, so that the attempt has to end.
    over_budget: bool,
    /// Whether the place was told to begin.
    begun: bool,
}

/// What came of work that a place brought to its end.
pub(super) enum WorkAnswer {
    Candidate(CandidateCommit),
    Verified(ForeignVerdict),
    Closed,
}

/// How work ended, once the place has said so.
type ErrandEnd = Result<WorkAnswer, EarlyEnd>;

/// A place that was asked for one thing and answers with another.
pub(super) fn answered_otherwise() -> PlaceLoss {
    PlaceLoss { reason: "it answered something else than it was asked".into(), refused: true }
}

impl<'a> Errand<'a> {
    fn new(
        place: &'a LaunchedPlace,
        work: &'a SentWork,
        channel: &'a WorkerChannel,
        cancel: &'a CancellationSignal,
        meter: Option<&'a TurnMeter>,
    ) -> Self {
        Self {
            place,
            work,
            channel,
            cancel,
            meter,
            nonce: random_token(),
            mask: Mask::of(&place.spec.logins),
            needs: Vec::new(),
            pack: Vec::new(),
            live: LiveWriter::new(place.ctx.capture(&channel.task)),
            held: Vec::new(),
            events: 0,
            received: 0,
            spent: Usage::default(),
            over_budget: false,
            begun: false,
        }
    }

    async fn run(&mut self, connection: &mut PlaceConnection) -> Result<ErrandEnd, PlaceLoss> {
        if let Some(need) = self.other_processor(&connection.ready.arch) {
            let arch = &connection.ready.arch;
            let reason = format!("this machine is {arch}, and the task needs `{need}`: correct its `labels`");
            return Err(PlaceLoss { reason, refused: false });
        }
        self.hand_over(connection).await?;
        self.begun = true;
        self.follow(connection).await
    }

    /// The processor that the task needs, if this is another one: a cluster may have several.
    fn other_processor(&self, arch: &str) -> Option<&'a String> {
        let (place, has) = (self.place, architecture_labels(arch));
        let task = match self.work {
            SentWork::Attempt(job) => &job.task,
            SentWork::Verify(work) => &work.job.task,
            SentWork::Close(_) => return None,
        };
        let needs = &place.ctx.plan.tasks.get(place.ctx.tasks.get(task)?.place)?.needs;
        needs.iter().find(|need| is_architecture(need) && !has.contains(need))
    }

    /// Sends what the place does not have, then the work.
    async fn hand_over(&mut self, connection: &mut PlaceConnection) -> Result<(), LinkBroken> {
        let ctx = &self.place.ctx;
        let git = |error: crate::git::GitError| LinkBroken::Failed(error.to_string());
        let refs = match self.work {
            SentWork::Attempt(job) => {
                ctx.repo.refs(&format!("refs/windlass/{}/{}/", ctx.name, job.task)).map_err(git)?
            }
            SentWork::Verify(_) | SentWork::Close(_) => Vec::new(),
        };
        let mut needs = self.work.commits();
        needs.extend(refs.iter().map(|(_, oid)| oid.clone()));
        needs.sort();
        needs.dedup();
        self.needs = needs;
        let link = &mut connection.link;
        let proposal = ToPlace::Propose {
            nonce: self.nonce.clone(),
            run: BlobName::of(&self.place.offer),
            repository: ctx.repository_name(),
            sha256: ctx.repo.is_sha256(),
            needs: self.needs.clone(),
        };
        link.say(&proposal).await?;
        let (run, missing, have) = match link.next::<FromPlace>(0).await? {
            Arrival::Message(FromPlace::Want { nonce, run, missing, have }) if nonce == self.nonce => {
                (run, missing, have)
            }
            Arrival::Message(FromPlace::Refused { reason }) => return Err(LinkBroken::Failed(reason)),
            Arrival::Message(_) | Arrival::Parcel(..) => {
                return Err(LinkBroken::Failed("it did not say what it wants".into()));
            }
        };
        if run {
            connection.send(ParcelKind::Run, &self.place.offer).await?;
        }
        // It may ask for nothing but what it was told of.
        let missing: Vec<Oid> = missing.into_iter().filter(|oid| self.needs.contains(oid)).collect();
        if !missing.is_empty() {
            let unknown = ctx.repo.missing_commits(&have).map_err(git)?;
            let have: Vec<Oid> = have.into_iter().filter(|oid| !unknown.contains(oid)).collect();
            let pack = ctx.repo.pack_single(&missing, &have).map_err(git)?;
            connection.send(ParcelKind::Pack, &pack).await?;
        }
        let text = |(name, value): &crate::config::EnvVar| {
            (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
        };
        // What verifies needs no log-in.
        let logins = self.meter.map_or(&[][..], |_| &self.place.spec.logins);
        let sent = SentJob {
            work: self.work.clone(),
            refs,
            logins: logins.iter().map(text).collect(),
            usd_left: self.meter.and_then(|meter| meter.remaining().usd),
            tokens_left: self.meter.and_then(TurnMeter::tokens_left),
            deadline_seconds: self.deadline().as_secs(),
        };
        let sent = serde_json::to_vec(&sent).unwrap_or_else(|e| unreachable!("plain data: {e}"));
        connection.send(ParcelKind::Job, &sent).await?;
        connection.link.say(&ToPlace::Start { nonce: self.nonce.clone() }).await
    }

    /// The longest an attempt can take by the limits of its parts.
    fn deadline(&self) -> Duration {
        let limits = &self.place.ctx.config.timeouts;
        (limits.attempt + limits.build + limits.verification).saturating_mul(6)
            + limits.setup.saturating_mul(2)
    }

    /// Hears the place until the attempt is over.
    async fn follow(&mut self, connection: &mut PlaceConnection) -> Result<ErrandEnd, PlaceLoss> {
        let mut told = CancelLevel::Run;
        let mut patience = Instant::now() + self.deadline();
        let limit = self.place.ctx.config.sizes.output_bytes.max(self.place.ctx.config.sizes.total_bytes);
        loop {
            tokio::select! {
                frame = connection.link.frame() => {
                    let Some(arrival) = connection.link.arrival::<FromPlace>(frame?, limit).await? else { continue };
                    if let Some(end) = self.handle(connection, arrival).await? {
                        return Ok(end);
                    }
                    if self.over_budget && told != CancelLevel::Now {
                        told = CancelLevel::Now;
                        let nonce = self.nonce.clone();
                        connection.link.say(&ToPlace::Cancel { nonce, now: true }).await?;
                        patience = Instant::now() + GRACE;
                    }
                }
                () = self.cancel.raised_above(told) => {
                    told = self.cancel.level();
                    let now = told == CancelLevel::Now;
                    connection.link.say(&ToPlace::Cancel { nonce: self.nonce.clone(), now }).await?;
                    patience = Instant::now() + GRACE;
                }
                () = sleep_until(patience) => {
                    return Err(LinkBroken::Failed("the attempt did not end in the time it has".into()).into());
                }
            }
        }
    }

    async fn handle(
        &mut self,
        connection: &mut PlaceConnection,
        arrival: Arrival<FromPlace>,
    ) -> Result<Option<ErrandEnd>, PlaceLoss> {
        match arrival {
            Arrival::Parcel(kind, bytes) => self.take_parcel(kind, bytes)?,
            Arrival::Message(FromPlace::Event { nonce, event }) if nonce == self.nonce => {
                self.take_event(*event)?;
            }
            Arrival::Message(FromPlace::Live { nonce, file, text }) if nonce == self.nonce => {
                self.live.write(file, &self.mask.text(&text));
            }
            Arrival::Message(FromPlace::Spent { nonce, usd, tokens }) if nonce == self.nonce => {
                let used = Usage { output_tokens: tokens, cost_usd: Some(usd), ..Usage::default() };
                self.count(&used);
            }
            Arrival::Message(FromPlace::Ask { nonce, files }) if nonce == self.nonce => {
                let answer = self.channel.ask_for(files).await;
                let nonce = self.nonce.clone();
                connection.link.say(&ToPlace::Granted { nonce, answer }).await?;
            }
            Arrival::Message(FromPlace::Done { nonce, end, refs }) if nonce == self.nonce => {
                let end = self.done(end, &refs)?;
                connection.link.say(&ToPlace::Taken { nonce }).await?;
                return Ok(Some(end));
            }
            Arrival::Message(FromPlace::Refused { reason }) => return Err(LinkBroken::Failed(reason).into()),
            // These belong to an attempt that is over and change nothing.
            Arrival::Message(
                FromPlace::Event { .. }
                | FromPlace::Live { .. }
                | FromPlace::Spent { .. }
                | FromPlace::Ask { .. }
                | FromPlace::Done { .. }
                | FromPlace::Want { .. },
            ) => {}
            Arrival::Message(FromPlace::Ready(_) | FromPlace::Parcel(_) | FromPlace::Ping) => {
                return Err(LinkBroken::Failed("a message came that does not belong here".into()).into());
            }
        }
        Ok(None)
    }

    fn take_parcel(&mut self, kind: ParcelKind, bytes: Vec<u8>) -> Result<(), LinkBroken> {
        let sizes = &self.place.ctx.config.sizes;
        self.received += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let most = sizes.total_bytes.saturating_add(sizes.output_bytes.saturating_mul(MOST_OUTPUTS));
        if self.received > most {
            return Err(LinkBroken::Failed(format!("it sent more than {most} bytes for one attempt")));
        }
        match kind {
            ParcelKind::Pack => self.pack = bytes,
            ParcelKind::Output => {
                let name = BlobName::of(&bytes);
                let masked = self.mask.bytes(&bytes);
                // What was masked has another name; the event that names it is then refused.
                let kept = self.place.ctx.outputs.put_bytes(&masked);
                let kept = kept.map_err(|error| LinkBroken::Failed(error.to_string()))?;
                if kept != name {
                    return Err(LinkBroken::Failed(
                        "an output holds a log-in that the place was given".into(),
                    ));
                }
            }
            ParcelKind::Run | ParcelKind::Job | ParcelKind::Echo => {
                return Err(LinkBroken::Failed("an unexpected parcel arrived".into()));
            }
        }
        Ok(())
    }

    /// Takes in an event of the place, if it is about this attempt and of a kind that a place may report.
    fn take_event(&mut self, event: TaskEvent) -> Result<(), LinkBroken> {
        self.events += 1;
        if self.events > MOST_EVENTS {
            return Err(LinkBroken::Failed(format!("it reported more than {MOST_EVENTS} events")));
        }
        let Some((attempt, waits)) = reported(self.work, &event) else {
            return Err(LinkBroken::Failed("it reported something that a place has no say in".into()));
        };
        if attempt.is_some_and(|attempt| attempt != self.work.attempt()) {
            return Err(LinkBroken::Failed("it reported something of another attempt".into()));
        }
        for output in outputs_of(&event) {
            self.has_output(output)?;
        }
        if let TaskEvent::TurnEnded(turn) = &event {
            self.spent.add(&turn.usage);
            if let Some(meter) = self.meter {
                meter.settle(&self.spent);
            }
        } else if let TaskEvent::Heartbeat { progress: Some(progress), .. } = &event {
            let mut used = self.spent;
            used.add(&progress.usage);
            self.count(&used);
        }
        let event = masked(&self.mask, event);
        if waits {
            self.held.push(event);
        } else {
            self.channel.event(event.of(self.channel.task.clone()));
        }
        Ok(())
    }

    /// Counts what the agents of the work have used so far.
    fn count(&mut self, used: &Usage) {
        self.over_budget |= self.meter.is_some_and(|meter| meter.used(used).is_some());
    }

    fn has_output(&self, name: &BlobName) -> Result<(), LinkBroken> {
        let path = self.place.ctx.outputs.path(name);
        if path.is_ok_and(|path| Path::new(&path).is_file()) {
            Ok(())
        } else {
            Err(LinkBroken::Failed("it announced an output and did not send it".into()))
        }
    }

    /// The end of the attempt: its objects become part of the repository, its refs are written, and then it counts.
    fn done(&mut self, end: SentEnd, refs: &[(String, Oid)]) -> Result<ErrandEnd, PlaceLoss> {
        let end = match end {
            SentEnd::Candidate { commit, added, removed } => {
                Ok(WorkAnswer::Candidate(CandidateCommit { commit, added, removed }))
            }
            SentEnd::Verified { tree, proof, commit } => {
                Ok(WorkAnswer::Verified(ForeignVerdict { tree, proof, commit }))
            }
            SentEnd::Closed => Ok(WorkAnswer::Closed),
            SentEnd::Failed { failure, .. } if is_of_the_machine(self.work, &failure) => {
                return Err(PlaceLoss { reason: failure.summary(), refused: true });
            }
            SentEnd::Failed { failure, output } => Err(EarlyEnd::Failed { failure, output }),
            SentEnd::Interrupted => Err(EarlyEnd::Interrupted),
            SentEnd::Unable { reason } => return Err(PlaceLoss { reason, refused: true }),
            SentEnd::Broken { reason } => return Err(LinkBroken::Failed(reason).into()),
        };
        self.take_in(&end, refs)?;
        for event in self.held.drain(..) {
            self.channel.event(event.of(self.channel.task.clone()));
        }
        Ok(end)
    }

    /// Takes in the objects that the end of the attempt and its events name, and writes its refs.
    fn take_in(&self, end: &ErrandEnd, refs: &[(String, Oid)]) -> Result<(), LinkBroken> {
        let ctx = &self.place.ctx;
        let prefix = ctx.ref_of(&self.channel.task, self.work.attempt(), "");
        if !refs.is_empty() && !matches!(self.work, SentWork::Attempt(_)) {
            return Err(LinkBroken::Failed("it wants to write refs for a verification".into()));
        }
        let wrong = |(name, _): &&(String, Oid)| {
            let below = name.strip_prefix(&prefix);
            below.is_none_or(|rest| rest.is_empty() || rest.contains('/'))
        };
        if let Some((name, _)) = refs.iter().find(wrong) {
            return Err(LinkBroken::Failed(format!("it wants to write the ref `{}`", name.escape_debug())));
        }
        if refs.len() > MOST_REFS {
            return Err(LinkBroken::Failed(format!("it wants to write {} refs", refs.len())));
        }
        let mut commits: Vec<Oid> = refs.iter().map(|(_, oid)| oid.clone()).collect();
        commits.extend(self.held.iter().filter_map(commit_of).cloned());
        match end {
            Ok(WorkAnswer::Candidate(CandidateCommit { commit, .. })) => commits.push(commit.clone()),
            Ok(WorkAnswer::Verified(verdict)) => {
                self.has_output(&verdict.proof)?;
                commits.extend(verdict.commit.clone());
            }
            Ok(WorkAnswer::Closed) | Err(_) => {}
        }
        if let Err(EarlyEnd::Failed { output: Some(output), .. }) = end {
            self.has_output(output)?;
        }
        let git = |error: crate::git::GitError| LinkBroken::Failed(error.to_string());
        let sizes = &ctx.config.sizes;
        let limits = PackLimits {
            packed: sizes.total_bytes,
            unpacked: sizes.total_bytes.saturating_mul(8),
            objects: 500_000,
        };
        ctx.repo.take_foreign_pack(&self.pack, &commits, limits).map_err(git)?;
        for (name, oid) in refs {
            let written = ctx.repo.update_ref(name, oid, ExpectedRef::Anything, "windlass: from a place");
            written.map_err(git)?;
        }
        Ok(())
    }
}
