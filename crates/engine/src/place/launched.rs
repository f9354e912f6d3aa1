//! A connection to a place, and the carrier that is a command: any that gives the standard input and output of a `windlass
//! attend` elsewhere.
//!
//! A connection carries one attempt after the other and is kept for a while. Only a `Done` whose objects and outputs have
//! arrived counts; how the command exits never does. Everything else is a loss, which uses up no attempt.

use std::collections::VecDeque;
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use windlass_core::ids::BlobName;

use super::carrier::{CarriedPipes, Carrier, CarrierEnd, CarrierOpening};
use super::frame::tail;
use super::link::{Announces, Arrival, LinkBroken, PlaceLink};
use super::message::{FromPlace, PROTOCOL, ParcelKind, ParcelNote, PlaceReady, ToPlace};
use crate::config::{EnvVar, PlaceSpec};
use crate::process::launcher;
use crate::random_token::random_token;
use crate::sandbox::SandboxRung;

/// How long a place may take to answer the first message.
const CONNECT: Duration = Duration::from_secs(30);
/// A connection that was not used for so long is closed.
const IDLE: Duration = Duration::from_secs(20);
/// How long a launcher may take to end by itself: `kubectl` removes its pod meanwhile.
const FAREWELL: Duration = Duration::from_secs(5);
/// How many commands to one place may be on their way to an answer: an ssh server takes ten that have not logged in.
const OPENED_AT_ONCE: usize = 8;
/// What becomes a name of its own for each connection in the words of a command.
const CONNECTION: &str = "{connection}";

/// Why a place could not be used: the reason, and whether it will be the same next time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceLoss {
    /// For people.
    pub reason: String,
    /// Whether the place itself refused, so that asking again soon is useless.
    pub refused: bool,
}

impl From<LinkBroken> for PlaceLoss {
    fn from(broken: LinkBroken) -> Self {
        Self { reason: broken.to_string(), refused: false }
    }
}

impl Announces for FromPlace {
    fn parcel(&self) -> Option<&ParcelNote> {
        if let FromPlace::Parcel(note) = self { Some(note) } else { None }
    }

    fn is_ping(&self) -> bool {
        matches!(self, FromPlace::Ping)
    }
}

/// A command that leads to a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchCommand {
    /// The command: its standard input and output are those of a `windlass attend`. `{connection}` becomes a name of its own for
    /// each connection.
    pub words: Vec<String>,
    /// What the command gets of the environment.
    pub env: Vec<EnvVar>,
    /// The program that stands between and adopts what the command leaves in the background.
    pub helper: Option<PathBuf>,
}

impl Carrier for LaunchCommand {
    fn described(&self) -> (&'static str, String) {
        ("command", self.words.join(" "))
    }

    fn advice(&self) -> String {
        "start the command yourself: `windlass attend` must be found there without a login shell".into()
    }

    fn open(&self) -> CarrierOpening<'_> {
        Box::pin(async move { launch(self) })
    }

    fn opened_at_once(&self) -> Option<usize> {
        Some(OPENED_AT_ONCE)
    }
}

/// The command of a place while it runs. It is ended when dropped.
struct LauncherProcess {
    child: Child,
    said: Arc<Mutex<VecDeque<u8>>>,
}

impl CarrierEnd for LauncherProcess {
    /// The end of what it wrote to its standard error.
    fn words(&self) -> String {
        let said: Vec<u8> =
            self.said.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let words = tail(&said);
        if words.is_empty() { words } else { format!("the command said: {words}") }
    }
}

impl Drop for LauncherProcess {
    fn drop(&mut self) {
        // Its input is closed by now: it ends by itself, or is ended. A thread of its own waits for that.
        let Ok(None) = self.child.try_wait() else { return };
        let Ok(pid) = i32::try_from(self.child.id()) else { return };
        std::thread::spawn(move || {
            let Some(pid) = rustix::process::Pid::from_raw(pid) else { return };
            let since = Instant::now();
            while since.elapsed() < FAREWELL {
                let gone = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::NOHANG);
                if !matches!(gone, Ok(None)) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
            let _ = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
        });
    }
}

/// A connection to a place that has answered.
pub(crate) struct PlaceConnection {
    pub(crate) link: PlaceLink,
    pub(crate) ready: PlaceReady,
    end: Box<dyn CarrierEnd>,
}

impl PlaceConnection {
    /// Opens a connection and waits for the place to answer.
    pub(crate) async fn open(spec: &PlaceSpec, version: &str) -> Result<Self, PlaceLoss> {
        let lost = |reason: String| PlaceLoss { reason, refused: false };
        let CarriedPipes { input, output, end } = spec.carrier.open().await.map_err(lost)?;
        let link = PlaceLink::new(input, output, &ToPlace::Ping);
        let mut opening = Self { link, ready: PlaceReady::unknown(), end };
        let hello = ToPlace::Hello { protocol: PROTOCOL, version: version.to_owned() };
        opening.link.say(&hello).await?;
        let answer = tokio::time::timeout(CONNECT, opening.link.next::<FromPlace>(0)).await;
        match answer {
            Ok(Ok(Arrival::Message(FromPlace::Ready(ready)))) => {
                if ready.protocol != PROTOCOL || ready.version != version {
                    return Err(opening.turned_away(other_version(&ready.version, version)));
                }
                if let Some(reason) = too_weak(&ready, spec.least_sandbox) {
                    return Err(opening.turned_away(reason));
                }
                Ok(Self { ready, ..opening })
            }
            Ok(Ok(Arrival::Message(FromPlace::Refused { reason }))) => Err(opening.turned_away(reason)),
            Ok(Ok(_)) => Err(lost("it did not answer the first message".into())),
            Ok(Err(broken)) => Err(lost(opening.explained(broken.to_string()).await)),
            Err(_) => Err(lost(format!("it did not answer within {} s", CONNECT.as_secs()))),
        }
    }

    /// The other end refused.
    pub(crate) fn turned_away(&self, reason: String) -> PlaceLoss {
        PlaceLoss { reason, refused: self.end.turned_away() }
    }

    /// Why the connection broke, with what the carrier has to say about it.
    pub(crate) async fn explained(&self, reason: String) -> String {
        // Its last lines may not have arrived yet.
        tokio::time::sleep(Duration::from_millis(50)).await;
        let words = self.end.words();
        if words.is_empty() { reason } else { format!("{reason}; {words}") }
    }

    /// Sends something large.
    pub(crate) async fn send(&self, what: ParcelKind, bytes: &[u8]) -> Result<(), LinkBroken> {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let note = ParcelNote { what, bytes: size, hash: BlobName::of(bytes) };
        self.link.say(&ToPlace::Parcel(note)).await?;
        self.link.pieces(bytes).await
    }

    /// How long a megabyte takes to the place and back.
    pub(crate) async fn echo(&mut self, bytes: usize) -> Result<Duration, LinkBroken> {
        let since = Instant::now();
        self.link.say(&ToPlace::Echo { bytes }).await?;
        let limit = u64::try_from(bytes).unwrap_or(u64::MAX);
        match self.link.next::<FromPlace>(limit).await? {
            Arrival::Parcel(ParcelKind::Echo, back) if back.len() == bytes => Ok(since.elapsed()),
            Arrival::Parcel(..) | Arrival::Message(_) => {
                Err(LinkBroken::Failed("the echo is not what was asked for".into()))
            }
        }
    }
}

/// What was found at a place.
#[derive(Debug, Clone)]
pub struct PlaceProbe {
    /// What it says of itself.
    pub ready: PlaceReady,
    /// How long it took to answer.
    pub connect: Duration,
    /// How long a megabyte took on its way back.
    pub megabyte: Duration,
}

/// Greets a place and has it send a megabyte.
pub async fn probe_place(spec: &PlaceSpec, version: &str) -> Result<PlaceProbe, PlaceLoss> {
    let since = Instant::now();
    let mut connection = PlaceConnection::open(spec, version).await?;
    let connect = since.elapsed();
    let megabyte = connection.echo(1 << 20).await?;
    Ok(PlaceProbe { ready: connection.ready.clone(), connect, megabyte })
}

/// The processor of a place; the reason if it cannot be known.
pub async fn architecture_of(spec: &PlaceSpec, version: &str) -> Result<String, String> {
    let workers = spec.carrier.roster().await?;
    let mut known: Vec<String> = workers.into_iter().filter_map(|worker| worker.arch).collect();
    known.sort();
    known.dedup();
    match known.as_slice() {
        [] => {
            let connection = PlaceConnection::open(spec, version).await.map_err(|loss| loss.reason)?;
            Ok(connection.ready.arch.clone())
        }
        [arch] => Ok(arch.clone()),
        several => {
            let several = several.join(", ");
            Err(format!(
                "its workers have different processors ({several}): give each kind a queue of its own"
            ))
        }
    }
}

/// What to do about a place with another version.
pub(crate) fn other_version(there: &str, here: &str) -> String {
    format!("it has windlass {there}, and this is {here}: install the same version there")
}

/// Why the sandbox of a place is not accepted, if it is not.
fn too_weak(ready: &PlaceReady, least: Option<SandboxRung>) -> Option<String> {
    let least = least?;
    let enough = SandboxRung::parse(&ready.rung).is_some_and(|rung| rung >= least);
    let (has, least) = (&ready.rung, least.as_str());
    (!enough).then(|| {
        format!(
            "its sandbox is `{has}`, and `{least}` is asked for: `windlass doctor` there says what is missing"
        )
    })
}

fn launch(spec: &LaunchCommand) -> Result<CarriedPipes, String> {
    let name = random_token();
    let words: Vec<String> = spec.words.iter().map(|word| word.replace(CONNECTION, &name)).collect();
    let Some((program, args)) = words.split_first() else {
        return Err("it has no command: set `launch` or `via`".into());
    };
    let mut command = launcher(spec.helper.as_deref(), program);
    command.args(args).env_clear().envs(spec.env.iter().cloned());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A Ctrl-C on the terminal is for the coordinator, which then ends its attempts in order.
    command.process_group(0);
    let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be started: {error}"))?;
    let (Some(input), Some(output), Some(mut errors)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(format!("`{program}` has no pipes"));
    };
    let said = Arc::new(Mutex::new(VecDeque::new()));
    let kept = Arc::clone(&said);
    std::thread::spawn(move || {
        const KEPT: usize = 2000;
        let mut buffer = [0; 1024];
        while let Ok(count @ 1..) = errors.read(&mut buffer) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(&buffer[..count]);
            let beyond = kept.len().saturating_sub(KEPT);
            kept.drain(..beyond);
        }
    });
    let end = Box::new(LauncherProcess { child, said });
    Ok(CarriedPipes { input: Box::new(output), output: Box::new(input), end })
}

/// Connections that wait for their next attempt.
#[derive(Default)]
pub(crate) struct IdleConnections {
    kept: Arc<Mutex<Vec<(PlaceConnection, Instant)>>>,
}

impl IdleConnections {
    /// One that was used lately.
    pub(crate) fn take(&self) -> Option<PlaceConnection> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(_, since)| since.elapsed() < IDLE);
        kept.pop().map(|(connection, _)| connection)
    }

    /// Keeps a connection for a while. The other side may have something else to do, so it is closed when the time is over.
    pub(crate) fn keep(&self, connection: PlaceConnection) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push((connection, Instant::now()));
        let kept = Arc::downgrade(&self.kept);
        tokio::spawn(async move {
            tokio::time::sleep(IDLE).await;
            let Some(kept) = kept.upgrade() else { return };
            kept.lock().unwrap_or_else(PoisonError::into_inner).retain(|(_, since)| since.elapsed() < IDLE);
        });
    }
}

impl PlaceReady {
    fn unknown() -> Self {
        let empty = String::new;
        Self { protocol: 0, version: empty(), arch: empty(), rung: empty(), agents: Vec::new(), git: empty() }
    }
}
