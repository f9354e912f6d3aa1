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

use windlass_core::ids::{BlobName, Oid};

use super::SentWork;
use super::disk_space::missing_space;
use super::launched::other_version;
use super::link::{Announces, Arrival, LinkBroken, PlaceLink};
use super::message::{
    FromPlace, PROTOCOL, ParcelKind, ParcelNote, PlaceReady, RunOffer, SentEnd, SentJob, ToPlace,
};
use super::work_there::{WorkAtPlace, send_output, send_proof};
use crate::config::{EnvVar, RunConfig, SentSettings};
use crate::error::EngineError;
use crate::git::{GitEnv, Repo};
use crate::paths::Paths;
use crate::process::{Containment, Token, Watchdog};
use crate::random_token::{is_left_over, process_name};
use crate::removal::remove_any;
use crate::run::sandbox_for;
use crate::sandbox::{Sandbox, SandboxConfig};

/// The largest parcel of a coordinator. This machine's own user sends it.
const LARGEST: u64 = 4 << 30;
/// The names of the directories in the cache: of repositories, and of trials of the sandbox.
const REPOSITORIES: &str = "places";
const TRIALS: &str = "place-trials";
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
    /// What sandboxes are made of here.
    pub sandbox: SandboxConfig,
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
    remove_any(&root)?;
    remove_any(&cache_home.join("windlass").join(TRIALS))
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
        Ok(()) | Err(LinkBroken::Closed(_)) => Ok(()),
        Err(LinkBroken::Failed(reason)) => Err(reason),
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

/// What work runs with at this place.
pub(super) struct AbleHere {
    pub(super) config: RunConfig,
    pub(super) sandbox: Sandbox,
    /// The token of everything that it starts.
    pub(super) mark: String,
    /// Ends what has that token once this program is gone.
    pub(super) watch: Option<Watchdog>,
}

/// The repository of a coordinator at this place.
pub(super) struct RepositoryAtPlace {
    pub(super) repo: Repo,
    pub(super) paths: Paths,
    pub(super) dir: PathBuf,
}

impl Attendant {
    async fn serve(&mut self) -> Result<(), LinkBroken> {
        self.greet().await?;
        let mut proposal: Option<ProposedAttempt> = None;
        loop {
            match self.link.next::<ToPlace>(LARGEST).await? {
                Arrival::Message(ToPlace::Propose { nonce, run, repository, sha256, needs }) => {
                    let home =
                        self.repository(&repository, sha256).map_err(|e| LinkBroken::Failed(e.to_string()));
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
                // These belong to an attempt that is over.
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
            rung: strongest_here(&self.host),
            agents: self.host.agents.clone(),
            git: self.host.git_version.clone(),
        };
        self.link.say(&FromPlace::Ready(ready)).await
    }

    async fn refuse(&mut self, reason: String) -> Result<(), LinkBroken> {
        self.link.say(&FromPlace::Refused { reason: reason.clone() }).await?;
        // The coordinator closes the connection once it has read that.
        let _ = self.link.next::<ToPlace>(0).await;
        Err(LinkBroken::Failed(reason))
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
            let missing = home.repo.missing_commits(&needs).map_err(|e| LinkBroken::Failed(e.to_string()))?;
            Ok((home, missing))
        });
        let (home, missing) = match found {
            Ok(found) => found,
            Err(broken) => {
                self.refuse(broken.to_string()).await?;
                return Err(broken);
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
            ParcelKind::Output | ParcelKind::Echo => Err("an unexpected parcel arrived".into()),
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
        let mut end = Box::pin(work.run(&mut self.link, &nonce)).await?;
        // A failure on a full disk is no verdict on the work.
        if matches!(end, SentEnd::Failed { .. } | SentEnd::Broken { .. })
            && let Err(reason) = enough_room(&work.ctx.machine.cache)
        {
            end = SentEnd::Unable { reason };
        }
        let repo = &work.ctx.repo;
        let refs = match &work.sent.work {
            SentWork::Attempt(job) => {
                let prefix = work.ctx.ref_of(&job.task, job.attempt, "");
                repo.refs(&prefix).map_err(|e| LinkBroken::Failed(e.to_string()))?
            }
            SentWork::Verify(_) | SentWork::Close(_) => Vec::new(),
        };
        let mut commits: Vec<Oid> = refs.iter().map(|(_, oid)| oid.clone()).collect();
        match &end {
            SentEnd::Candidate { commit, .. } => commits.push(commit.clone()),
            SentEnd::Verified { proof, commit, .. } => {
                send_proof(&self.link, &work.ctx, proof).await?;
                commits.extend(commit.clone());
            }
            SentEnd::Closed
            | SentEnd::Failed { .. }
            | SentEnd::Interrupted
            | SentEnd::Unable { .. }
            | SentEnd::Broken { .. } => {}
        }
        if !commits.is_empty() {
            let pack = repo.pack_since(&commits, &needs).map_err(|e| LinkBroken::Failed(e.to_string()))?;
            self.send(ParcelKind::Pack, &pack).await?;
        }
        if let SentEnd::Failed { output: Some(output), .. } = &end {
            send_output(&self.link, &work.ctx, output).await?;
        }
        self.link.say(&FromPlace::Done { nonce, end, refs }).await
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
        let able = self.able(&offer, &sent, &home).map_err(|reason| SentEnd::Unable { reason })?;
        WorkAtPlace::make(&offer, sent, home, able).map_err(broken)
    }

    /// What work runs with here, if this machine has what it takes.
    fn able(&self, offer: &RunOffer, sent: &SentJob, home: &RepositoryAtPlace) -> Result<AbleHere, String> {
        let logins: Vec<EnvVar> =
            sent.logins.iter().map(|(name, value)| (name.into(), value.into())).collect();
        enough_room(&home.dir)?;
        let used = sent.work.agents();
        let config = (self.host.configure)(&offer.settings, &logins, &used)?;
        let mark = mark(home);
        // Set before the sandbox is tried: what is left of a killed attendant is ended, its trial too.
        let watch =
            config.sandbox.helper.as_ref().and_then(|helper| Watchdog::set(helper, &Token::new(&mark)));
        let trial = Token::new(&format!("{mark}.@trial"));
        let sandbox = sandbox_for(&config, &home.paths, used, trial).map_err(|error| said(&error))?;
        Ok(AbleHere { config, sandbox, mark, watch })
    }
}

/// The strongest sandbox of this machine, by its name. What its trial starts is ended with this program.
fn strongest_here(host: &AttendHost) -> String {
    let mark = Token::new(&format!("windlass.@attend.{}", process_name()));
    let _watch = host.sandbox.helper.as_ref().and_then(|helper| Watchdog::set(helper, &mark));
    let config = SandboxConfig { trial_token: Some(mark), ..host.sandbox.clone() };
    let trials = host.cache_home.join("windlass").join(TRIALS);
    for left in fs::read_dir(&trials).into_iter().flatten().flatten() {
        if left.file_name().to_str().and_then(is_left_over) == Some(true) {
            let _ = remove_any(&left.path());
        }
    }
    let found = Sandbox::strongest(&config, &trials.join(process_name()));
    // This fails while another attendant has a directory in it, and then the directory stays.
    let _ = fs::remove_dir(&trials);
    found.map_or_else(|_| "none".into(), |sandbox| sandbox.rung().as_str().to_owned())
}

/// Refuses work on a disk that is nearly full.
fn enough_room(dir: &Path) -> Result<(), String> {
    missing_space(dir).map_or(Ok(()), |missing| Err(format!("it has {missing}: make room there")))
}

/// What marks every process of this attendant that works for a repository.
fn mark(home: &RepositoryAtPlace) -> String {
    format!("windlass.{}.{}", home.dir.file_name().unwrap_or_default().display(), process_name())
}

/// An error with what to do about it, in one line.
pub(super) fn said(error: &EngineError) -> String {
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
