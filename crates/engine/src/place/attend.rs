//! The place's side: `windlass attend`. Takes attempts from a coordinator over its standard input and output, one after the
//! other, and ends itself when the coordinator is gone, is silent, or the time of an attempt is over.
//!
//! It keeps a bare repository, slots and exports below its cache directory and leaves nothing elsewhere. Log-ins that it is
//! sent stay in memory.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, interval, sleep_until};
use windlass_core::event::{Event, TaskEvent};
use windlass_core::ids::{BlobName, Oid};
use windlass_core::policy::Settings;

use super::LocalMachine;
use super::away::outputs_of;
use super::launched::other_version;
use super::link::{Announces, Arrival, LinkBroken, PlaceLink};
use super::live::LiveReader;
use super::message::{
    FromPlace, PROTOCOL, ParcelKind, ParcelNote, PlaceReady, RunOffer, SentEnd, SentJob, ToPlace,
};
use crate::agent;
use crate::attempt;
use crate::budget::RunBudget;
use crate::config::{EnvVar, RunConfig, SentSettings};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::{ExpectedRef, GitEnv, Repo, Signing};
use crate::output::OutputStore;
use crate::paths::Paths;
use crate::process::{CancelLevel, CancellationSignal, Containment, Watchdog};
use crate::removal::remove_any;
use crate::run::sandbox_for;
use crate::sandbox::Sandbox;
use crate::verify::HeldOutStore;
use crate::worker_channel::{CandidateCommit, GrantAnswer, Message, WorkerChannel};

/// The largest parcel of a coordinator. It is this machine's own user who sends it.
const LARGEST: u64 = 4 << 30;
/// The name of the directory of repositories in the cache.
const REPOSITORIES: &str = "places";
/// How often it is looked for output of an attempt.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How many commits a place says it has.
const SAID: usize = 20;

/// The configuration of an attempt at this place: what was sent, put together with what is here. Fails if one of the named
/// agents cannot work here.
pub type Configure =
    Box<dyn Fn(&SentSettings, &[EnvVar], &[&String]) -> Result<RunConfig, String> + Send + Sync>;

/// What `attend` knows of the machine it runs on.
pub struct AttendHost {
    /// The program's version.
    pub version: String,
    /// The user's cache directory.
    pub cache_home: PathBuf,
    /// How git is called.
    pub git: GitEnv,
    /// The strongest sandbox here.
    pub rung: String,
    /// Agents that are installed here.
    pub agents: Vec<String>,
    /// The version of git here.
    pub git_version: String,
    /// Makes the configuration of a run.
    pub configure: Configure,
}

impl Announces for ToPlace {
    fn parcel(&self) -> Option<&ParcelNote> {
        if let ToPlace::Parcel(note) = self { Some(note) } else { None }
    }

    fn is_ping(&self) -> bool {
        matches!(self, ToPlace::Ping)
    }
}

/// Removes everything that attending left in the cache.
pub fn clean_attended(cache_home: &Path) -> std::io::Result<()> {
    let root = cache_home.join("windlass").join(REPOSITORIES);
    for entry in fs::read_dir(&root).into_iter().flatten().flatten() {
        let paths = Paths::new(&entry.path().join("repo.git"), cache_home);
        remove_any(paths.cache())?;
    }
    remove_any(&root)
}

/// Attends a coordinator until it is gone. The reason, if it did not end in order.
pub async fn attend(
    host: AttendHost,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), String> {
    Containment::establish();
    let mut attendant =
        Attendant { link: PlaceLink::new(input, output, &FromPlace::Ping), host, runs: HashMap::new() };
    match Box::pin(attendant.serve()).await {
        // A coordinator that closes the connection between two attempts is done.
        Err(LinkBroken(reason)) if reason.starts_with("the connection was closed") => Ok(()),
        Err(LinkBroken(reason)) => Err(reason),
        Ok(()) => Ok(()),
    }
}

struct Attendant {
    link: PlaceLink,
    host: AttendHost,
    /// The runs that were sent, by their hash.
    runs: HashMap<BlobName, Arc<RunOffer>>,
}

/// A proposed attempt, with what has arrived for it.
struct ProposedAttempt {
    nonce: String,
    run: BlobName,
    home: RepositoryAtPlace,
    needs: Vec<Oid>,
    missing: Vec<Oid>,
    job: Option<SentJob>,
}

/// The repository of a coordinator at this place.
struct RepositoryAtPlace {
    repo: Repo,
    paths: Paths,
    dir: PathBuf,
}

impl Attendant {
    async fn serve(&mut self) -> Result<(), LinkBroken> {
        self.greet().await?;
        let mut proposal: Option<ProposedAttempt> = None;
        loop {
            match self.link.next::<ToPlace>(LARGEST).await? {
                Arrival::Message(ToPlace::Propose { nonce, run, repository, sha256, needs }) => {
                    let home = self.repository(&repository, sha256).map_err(|e| LinkBroken(e.to_string()));
                    proposal = Some(self.propose(nonce, run, home, needs).await?);
                }
                Arrival::Message(ToPlace::Start { nonce }) => {
                    let ready = proposal.take().filter(|p| p.nonce == nonce);
                    let Some(ready) = ready else {
                        return self.refuse("an attempt was to begin that was not proposed".into()).await;
                    };
                    Box::pin(self.carry_out(ready)).await?;
                }
                Arrival::Message(ToPlace::Echo { bytes }) => self.echo(bytes).await?,
                Arrival::Parcel(kind, bytes) => {
                    if let Err(reason) = self.take(kind, &bytes, proposal.as_mut()) {
                        return self.refuse(reason).await;
                    }
                }
                // Of an attempt that is over.
                Arrival::Message(
                    ToPlace::Taken { .. } | ToPlace::Cancel { .. } | ToPlace::Granted { .. },
                ) => {}
                Arrival::Message(ToPlace::Hello { .. } | ToPlace::Parcel(_) | ToPlace::Ping) => {
                    return self.refuse("a message came that does not belong here".into()).await;
                }
            }
        }
    }

    async fn greet(&mut self) -> Result<(), LinkBroken> {
        match self.link.next::<ToPlace>(0).await? {
            Arrival::Message(ToPlace::Hello { protocol, version })
                if protocol == PROTOCOL && version == self.host.version => {}
            Arrival::Message(ToPlace::Hello { version, .. }) => {
                let reason = other_version(&self.host.version, &version);
                return self.refuse(reason).await;
            }
            Arrival::Message(_) | Arrival::Parcel(..) => {
                return self.refuse("the first message is not a greeting".into()).await;
            }
        }
        let ready = PlaceReady {
            protocol: PROTOCOL,
            version: self.host.version.clone(),
            arch: std::env::consts::ARCH.to_owned(),
            rung: self.host.rung.clone(),
            agents: self.host.agents.clone(),
            git: self.host.git_version.clone(),
        };
        self.link.say(&FromPlace::Ready(ready)).await
    }

    async fn refuse(&mut self, reason: String) -> Result<(), LinkBroken> {
        self.link.say(&FromPlace::Refused { reason: reason.clone() }).await?;
        // The coordinator closes the connection once it has read that.
        let _ = self.link.next::<ToPlace>(0).await;
        Err(LinkBroken(reason))
    }

    async fn echo(&mut self, bytes: usize) -> Result<(), LinkBroken> {
        const MOST: usize = 64 << 20;
        self.send(ParcelKind::Echo, &vec![b'e'; bytes.min(MOST)]).await
    }

    async fn send(&self, what: ParcelKind, bytes: &[u8]) -> Result<(), LinkBroken> {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let note = ParcelNote { what, bytes: size, hash: BlobName::of(bytes) };
        self.link.say(&FromPlace::Parcel(note)).await?;
        self.link.pieces(bytes).await
    }

    /// The repository of a coordinator, made if it is not here.
    fn repository(&self, name: &str, sha256: bool) -> Result<RepositoryAtPlace, EngineError> {
        let plain = !name.is_empty() && name.len() <= 64 && name.bytes().all(|b| b.is_ascii_alphanumeric());
        let name = if plain { name } else { "unnamed" };
        let dir = self.host.cache_home.join("windlass").join(REPOSITORIES).join(name);
        let common = dir.join("repo.git");
        let _one_at_a_time = lock(&dir)?;
        let repo = Repo::bare(self.host.git.clone(), &common, sha256)?;
        let paths = Paths::new(repo.common_dir(), &self.host.cache_home);
        let repo = repo.with_own_dir(paths.state())?;
        Ok(RepositoryAtPlace { repo, paths, dir })
    }

    /// Answers what is missing of a proposed attempt.
    async fn propose(
        &mut self,
        nonce: String,
        run: BlobName,
        home: Result<RepositoryAtPlace, LinkBroken>,
        needs: Vec<Oid>,
    ) -> Result<ProposedAttempt, LinkBroken> {
        let found = home.and_then(|home| {
            let missing = home.repo.missing_commits(&needs).map_err(|e| LinkBroken(e.to_string()))?;
            Ok((home, missing))
        });
        let (home, missing) = match found {
            Ok(found) => found,
            Err(LinkBroken(reason)) => {
                self.refuse(reason.clone()).await?;
                return Err(LinkBroken(reason));
            }
        };
        let ends = home.repo.history_ends();
        let have = ends.into_iter().rev().take(SAID).collect();
        let wants_run = !self.runs.contains_key(&run);
        let want = FromPlace::Want { nonce: nonce.clone(), run: wants_run, missing: missing.clone(), have };
        self.link.say(&want).await?;
        Ok(ProposedAttempt { nonce, run, home, needs, missing, job: None })
    }

    fn take(
        &mut self,
        kind: ParcelKind,
        bytes: &[u8],
        proposal: Option<&mut ProposedAttempt>,
    ) -> Result<(), String> {
        let Some(proposal) = proposal else { return Err("a parcel came for no attempt".into()) };
        let unreadable = |error: serde_json::Error| format!("what was sent cannot be read: {error}");
        match kind {
            ParcelKind::Run => {
                let offer: RunOffer = serde_json::from_slice(bytes).map_err(unreadable)?;
                self.runs.insert(BlobName::of(bytes), Arc::new(offer));
                Ok(())
            }
            ParcelKind::Job => {
                proposal.job = Some(serde_json::from_slice(bytes).map_err(unreadable)?);
                Ok(())
            }
            ParcelKind::Pack => {
                let home = &proposal.home;
                let _one_at_a_time = lock(&home.dir).map_err(|e| e.to_string())?;
                home.repo.take_pack(bytes, &proposal.missing).map_err(|e| e.to_string())
            }
            ParcelKind::Output | ParcelKind::Echo => Err("a parcel came that nobody asked for".into()),
        }
    }

    /// Carries an attempt out and reports its end.
    async fn carry_out(&mut self, proposal: ProposedAttempt) -> Result<(), LinkBroken> {
        let (nonce, needs) = (proposal.nonce.clone(), proposal.needs.clone());
        let work = match self.prepare(proposal) {
            Ok(work) => work,
            Err(end) => {
                return self.link.say(&FromPlace::Done { nonce, end, refs: Vec::new() }).await;
            }
        };
        let end = Box::pin(work.run(&mut self.link, &nonce)).await?;
        let (repo, prefix) =
            (&work.ctx.repo, work.ctx.ref_of(&work.sent.job.task, work.sent.job.attempt, ""));
        let refs = repo.refs(&prefix).map_err(|e| LinkBroken(e.to_string()))?;
        let mut commits: Vec<Oid> = refs.iter().map(|(_, oid)| oid.clone()).collect();
        if let SentEnd::Candidate { commit, .. } = &end {
            commits.push(commit.clone());
        }
        if !commits.is_empty() {
            let pack = repo.pack_since(&commits, &needs).map_err(|e| LinkBroken(e.to_string()))?;
            self.send(ParcelKind::Pack, &pack).await?;
        }
        if let SentEnd::Failed { output: Some(output), .. } = &end {
            self.send_output(&work.ctx, output).await?;
        }
        self.link.say(&FromPlace::Done { nonce, end, refs }).await
    }

    async fn send_output(&self, ctx: &Context, name: &BlobName) -> Result<(), LinkBroken> {
        send_output(&self.link, ctx, name).await
    }

    /// Everything that an attempt needs at this place; how it ends without that.
    fn prepare(&self, proposal: ProposedAttempt) -> Result<WorkAtPlace, SentEnd> {
        let broken = |reason: String| SentEnd::Broken { reason };
        let ProposedAttempt { run, home, job, needs, .. } = proposal;
        let Some(offer) = self.runs.get(&run).cloned() else {
            return Err(broken("the run was not sent".into()));
        };
        let Some(sent) = job else { return Err(broken("the attempt was not sent".into())) };
        let missing = home.repo.missing_commits(&needs).map_err(|e| broken(e.to_string()))?;
        if let Some(oid) = missing.first() {
            return Err(broken(format!("the commit {} was not sent", oid.short())));
        }
        let (config, sandbox) =
            self.able(&offer, &sent, &home).map_err(|reason| SentEnd::Unable { reason })?;
        WorkAtPlace::make(&offer, sent, home, config, sandbox).map_err(broken)
    }

    /// The configuration of an attempt and the sandbox it runs in, if this machine has what it takes.
    fn able(
        &self,
        offer: &RunOffer,
        sent: &SentJob,
        home: &RepositoryAtPlace,
    ) -> Result<(RunConfig, Sandbox), String> {
        let logins: Vec<EnvVar> =
            sent.logins.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let used: Vec<&String> = std::iter::once(&sent.job.agent).chain(&sent.job.test_writer).collect();
        let config = (self.host.configure)(&offer.settings, &logins, &used)?;
        let sandbox = sandbox_for(&config, &home.paths, used).map_err(|error| said(&error))?;
        Ok((config, sandbox))
    }
}

/// An error with what to do about it, in one line.
fn said(error: &EngineError) -> String {
    let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("{error}{hint}")
}

/// One of several attendants of a machine at a time.
fn lock(dir: &Path) -> Result<File, EngineError> {
    let failed = |source| EngineError::Io { what: "use", path: dir.to_owned(), source };
    fs::create_dir_all(dir).map_err(failed)?;
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(dir.join("lock"));
    let file = file.map_err(failed)?;
    file.lock().map_err(failed)?;
    Ok(file)
}

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
        repo: home.repo,
    })
}

/// An attempt at this place.
struct WorkAtPlace {
    ctx: Context,
    sent: SentJob,
    _watch: Option<Watchdog>,
}

impl WorkAtPlace {
    fn make(
        offer: &RunOffer,
        sent: SentJob,
        home: RepositoryAtPlace,
        config: RunConfig,
        sandbox: Sandbox,
    ) -> Result<Self, String> {
        let mark =
            format!("windlass.{}.{}", home.dir.file_name().unwrap_or_default().display(), std::process::id());
        let watch = config.sandbox.helper.as_ref().and_then(|helper| Watchdog::set(helper, &mark));
        let own = format!("refs/windlass/{}/{}/{}/", offer.name, sent.job.task, sent.job.attempt);
        // What an attempt of the same number left here was not this one's work.
        for (name, _) in home.repo.refs(&own).map_err(|e| e.to_string())? {
            home.repo.delete_ref(&name, ExpectedRef::Anything).map_err(|e| e.to_string())?;
        }
        for (name, oid) in &sent.refs {
            let written = home.repo.update_ref(name, oid, ExpectedRef::Anything, "windlass: sent");
            written.map_err(|e| e.to_string())?;
        }
        let machine = LocalMachine::open(&home.paths, sandbox, mark).map_err(|error| said(&error))?;
        let ctx = context(offer, &sent, home, config, machine).map_err(|error| said(&error))?;
        Ok(Self { ctx, sent, _watch: watch })
    }

    /// Runs the attempt and passes on what it says, until it is over or the coordinator is gone.
    async fn run(&self, link: &mut PlaceLink, nonce: &str) -> Result<SentEnd, LinkBroken> {
        let job = &self.sent.job;
        let cancel = CancellationSignal::new();
        let (to, mut from) = mpsc::unbounded_channel();
        let steps: Vec<_> = self.ctx.info(&job.task).steps.iter().map(|step| step.action).collect();
        let channel = WorkerChannel::new(to, job.task.clone(), job.attempt, &steps);
        let work = attempt::attempt(&self.ctx, job, &channel, &cancel);
        tokio::pin!(work);
        let (mut looks, mut told) = (interval(LOOK_EVERY), 0);
        let mut live = LiveReader::new(self.ctx.places.live(&job.task));
        let deadline = Instant::now() + Duration::from_secs(self.sent.deadline_seconds);
        let mut asked: Option<oneshot::Sender<GrantAnswer>> = None;
        // Once the connection is broken the attempt is ended, and this returns when it has.
        let mut broken: Option<LinkBroken> = None;
        loop {
            let heard = tokio::select! {
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
                    Ok(frame) => hear(link, frame, nonce, &cancel, &mut asked).await,
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
            if let Err(error) = heard {
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
            // Processes of this machine are this machine's own business.
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

async fn send_output(link: &PlaceLink, ctx: &Context, name: &BlobName) -> Result<(), LinkBroken> {
    let bytes = ctx.outputs.read(name, u64::MAX).map_err(|e| LinkBroken(e.to_string()))?;
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
async fn hear(
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
        _ => Ok(()),
    }
}

fn sent_end(end: Result<CandidateCommit, EarlyEnd>) -> SentEnd {
    match end {
        Ok(CandidateCommit { commit, added, removed }) => SentEnd::Candidate { commit, added, removed },
        Err(EarlyEnd::Failed { failure, output }) => SentEnd::Failed { failure, output },
        Err(EarlyEnd::Interrupted) => SentEnd::Interrupted,
        Err(EarlyEnd::Broken(error)) => SentEnd::Broken { reason: said(&error) },
    }
}
