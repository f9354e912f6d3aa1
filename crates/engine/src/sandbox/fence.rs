//! A sandbox around one directory: commands are run in it as if they were run there.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::choose_rung::{SandboxChoice, SandboxUnavailable, choose};
use super::dir_setup::{DirSetup, DirSetups, Layer};
use super::disk_watch;
use super::layout::{self, OWN, WORK};
use super::needs::{Needs, Network};
use super::probe::can_have;
use super::rung::SandboxRung;
use super::settings::SandboxConfig;
use super::untrusted_paths::make_real_dir;
use crate::platform::confine::keeper_report::KeeperReport;
use crate::platform::confine::spec::{ConfinementSpec, FinalSteps};
use crate::platform::confine::spec::{Mount, MountKind};
use crate::platform::control_groups::{ControlGroup, ControlGroupParents};
use crate::process::{
    self, CancelLevel, CancellationSignal, Finished, Invocation, Keeper, LimitHit, Listener, ProcessExit,
    ProcessId, Token,
};

/// The sandbox of a run: one rung for everything it starts.
#[derive(Debug, Clone, Default)]
pub struct Sandbox {
    choice: SandboxChoice,
    config: Arc<SandboxConfig>,
    overlay: Arc<OnceLock<bool>>,
    groups: Arc<OnceLock<ControlGroupParents>>,
}

/// Who is fenced in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FenceRole {
    /// An agent: what the user shares with agents is there.
    Agent,
    /// Verification, formatters and hooks.
    Verifier,
    /// The set-up command: it installs what the repository asks for, as the user's package managers are configured.
    Setup,
    /// The set-up command with dependencies that an agent chose: their install scripts are the agent's code.
    UntrustedSetup,
}

impl Sandbox {
    /// The sandbox that was chosen.
    pub fn new(choice: SandboxChoice, config: SandboxConfig) -> Self {
        Self { choice, config: Arc::new(config), overlay: Arc::default(), groups: Arc::default() }
    }

    /// Whether this machine lets us lay directories over each other. Tried once, in a directory of that file system.
    pub(crate) fn can_overlay(&self, scratch: &Path) -> bool {
        *self.overlay.get_or_init(|| {
            let (work, own) = (scratch.join("work"), scratch.join("own"));
            let made = [&work, &own].iter().all(|dir| std::fs::create_dir_all(dir).is_ok());
            let mut fence = self.fence(FenceRole::Verifier, &work, &own);
            fence.around.layers.push(Layer::Throwaway { from: work.clone(), to: "/windlass/trial".into() });
            let can = made
                && self.rung().has_own_root()
                && crate::platform::overlay_marks::are_supported(&work)
                && super::probe::works(&fence).is_ok();
            let _ = crate::removal::remove_any(scratch);
            can
        })
    }

    /// The strongest that can be had here, or the one that was asked for; tried out in `scratch`.
    pub fn strongest(config: &SandboxConfig, scratch: &Path) -> Result<Self, SandboxUnavailable> {
        let choice = choose(config.wish, &mut |rung| can_have(rung, config, scratch));
        let _ = std::fs::remove_dir_all(scratch);
        let sandbox = Self::new(choice?, config.clone());
        sandbox.can_overlay(scratch);
        sandbox.groups.get_or_init(|| match sandbox.rung() {
            SandboxRung::Off => ControlGroupParents::default(),
            SandboxRung::Landlock | SandboxRung::Namespaces | SandboxRung::Bubblewrap => {
                ControlGroupParents::find()
            }
        });
        Ok(sandbox)
    }

    /// Its rung.
    pub fn rung(&self) -> SandboxRung {
        self.choice.rung
    }

    /// The rung and why it is not a stronger one.
    pub fn choice(&self) -> &SandboxChoice {
        &self.choice
    }

    /// A fence around `work` for one command at a time. `own` is a private directory of the command's.
    pub fn fence(&self, role: FenceRole, work: &Path, own: &Path) -> Fence {
        Fence {
            sandbox: self.clone(),
            role,
            work: work.to_owned(),
            own: own.to_owned(),
            around: DirSetup::default(),
        }
    }
}

/// A sandbox around one directory.
#[derive(Debug, Clone)]
pub struct Fence {
    sandbox: Sandbox,
    role: FenceRole,
    work: PathBuf,
    own: PathBuf,
    around: DirSetup,
}

impl Fence {
    pub(super) fn config(&self) -> &SandboxConfig {
        &self.sandbox.config
    }

    pub(super) fn work(&self) -> &Path {
        &self.work
    }

    /// What lies at the place where everybody works: the directory itself, or the directory over what it stands on.
    pub(super) fn work_kind(&self) -> MountKind {
        let Some(base) = &self.around.base else { return MountKind::Writable(self.work.clone()) };
        let mut kernel = self.work.clone().into_os_string();
        kernel.push(KERNEL);
        let work = Path::new(&kernel).join("work");
        MountKind::Overlay { lower: vec![base.clone()], upper: self.work.clone(), work }
    }

    pub(super) fn own(&self) -> &Path {
        &self.own
    }

    pub(super) fn role(&self) -> FenceRole {
        self.role
    }

    /// What is laid into it.
    pub(super) fn layers(&self) -> Vec<Mount> {
        let mount = |(n, layer): (usize, &Layer)| match layer {
            Layer::ReadOnly { from, to } => Mount { to: to.clone(), kind: MountKind::ReadOnly(from.clone()) },
            Layer::Writable { from, to } => Mount { to: to.clone(), kind: MountKind::Writable(from.clone()) },
            Layer::Throwaway { from, to } => {
                Mount { to: to.clone(), kind: self.throwaway(&format!("layer-{n}"), from) }
            }
        };
        self.around.layers.iter().enumerate().map(mount).collect()
    }

    /// A directory under a place of this command's own that takes what is written.
    pub(super) fn throwaway(&self, name: &str, lower: &Path) -> MountKind {
        let mut over = self.own.clone().into_os_string();
        over.push(".over");
        let here = Path::new(&over).join(name);
        MountKind::Overlay {
            lower: vec![lower.to_owned()],
            upper: here.join("upper"),
            work: here.join("work"),
        }
    }

    /// Whether directories can be laid over each other here, as far as that was tried.
    pub(super) fn overlays(&self) -> bool {
        self.sandbox.overlay.get().is_some_and(|can| *can)
    }

    pub(super) fn tmp(&self) -> PathBuf {
        self.around.tmp.clone().unwrap_or_else(|| self.own.join("tmp"))
    }

    /// The same with what stands around its directory.
    pub(crate) fn in_room(mut self, rooms: &DirSetups) -> Self {
        self.around = rooms.of(&self.work);
        self
    }

    /// Its rung.
    pub fn rung(&self) -> SandboxRung {
        self.sandbox.rung()
    }

    /// Where those inside find a path that lies in its directories; other paths stay what they are.
    pub fn inside(&self, path: &Path) -> PathBuf {
        PathBuf::from(OsString::from_vec(self.translated(path.as_os_str())))
    }

    /// Where a path that somebody inside named lies really.
    pub fn outside(&self, path: &Path) -> PathBuf {
        if !self.rung().has_own_root() {
            return path.to_owned();
        }
        let below = |top: &str, real: &Path| path.strip_prefix(top).ok().map(|rest| real.join(rest));
        below(WORK, &self.work).or_else(|| below(OWN, &self.own)).unwrap_or_else(|| path.to_owned())
    }

    /// Runs a command inside to its proved end. Paths into the two directories, in its arguments and its environment, are
    /// translated.
    pub async fn run(
        &self,
        inv: Invocation,
        needs: &Needs,
        token: &Token,
        cancel: CancellationSignal,
        on_spawn: impl FnOnce(ProcessId),
    ) -> Finished {
        self.run_heard(inv, needs, token, cancel, on_spawn, Box::new(|_| {})).await
    }

    /// Like [`Fence::run`], with somebody who listens.
    pub async fn run_heard(
        &self,
        inv: Invocation,
        needs: &Needs,
        token: &Token,
        cancel: CancellationSignal,
        on_spawn: impl FnOnce(ProcessId),
        listener: Listener,
    ) -> Finished {
        if self.rung() == SandboxRung::Off {
            let (becomes, patience) = (Keeper::Becomes, self.patience());
            let running = process::run_kept(inv, becomes, patience, token, cancel, on_spawn, listener);
            return Box::pin(running).await;
        }
        let (mark, kept) = (self.own.join(MARK), self.own.join(KEPT));
        let limits = self.config().limits;
        let group = self.sandbox.groups.get().and_then(|groups| groups.make(limits));
        let wrapped = match self.wrap(inv, needs, group.as_ref()) {
            Ok(wrapped) => wrapped,
            Err(why) => return process::not_started(why),
        };
        let _ = std::fs::remove_file(&mark);
        let _ = crate::removal::remove_any(&kept);
        let keeper = if self.rung().has_own_root() { Keeper::Outlives } else { Keeper::Becomes };
        let stop = cancel.child();
        let running =
            process::run_kept(wrapped, keeper, self.patience(), token, stop.clone(), on_spawn, listener);
        // In a place of its own: whoever awaits this holds it otherwise.
        let mut finished = self.within_the_disk(Box::pin(running), &stop).await;
        if keeper == Keeper::Outlives {
            let kept = KeeperReport::read(&kept);
            finished.left = kept.left;
            finished.over = finished.over.or(kept.over);
        }
        finished.over = finished.over.or_else(|| group.as_ref().and_then(ControlGroup::over));
        if matches!(finished.exit, ProcessExit::Code(_)) && !mark.exists() {
            let tail = finished.output.tail_text();
            let said = tail.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("nothing").trim();
            finished.exit = ProcessExit::NotStarted(format!("the sandbox could not be made: {said}"));
        }
        if let (ProcessExit::Code(code @ 129..=159), Keeper::Outlives) = (&finished.exit, keeper) {
            // The keeper can only tell by its code that the command was ended by a signal.
            finished.exit = ProcessExit::Signal(code - 128);
        }
        finished
    }

    /// Waits for a command, and ends it when its directories hold too much.
    async fn within_the_disk(
        &self,
        mut running: impl Future<Output = Finished> + Unpin,
        stop: &CancellationSignal,
    ) -> Finished {
        let limit = self.config().limits.disk;
        let watch = disk_watch::too_much(disk_watch::written(&self.work, &self.own), limit);
        tokio::pin!(watch);
        tokio::select! {
            finished = &mut running => finished,
            () = &mut watch => {
                stop.raise(CancelLevel::Now);
                let mut finished = running.await;
                if finished.exit == ProcessExit::Cancelled {
                    // Nobody asked for its end but us.
                    finished.exit = ProcessExit::Signal(KILLED);
                    finished.over = Some(LimitHit::Disk);
                }
                finished
            }
        }
    }

    /// How long those who are left when the command has ended get to end by themselves before they count as left.
    fn patience(&self) -> Duration {
        match self.role {
            FenceRole::Verifier => PATIENCE,
            FenceRole::Agent | FenceRole::Setup | FenceRole::UntrustedSetup => Duration::ZERO,
        }
    }

    /// The helper's call that becomes this command.
    fn wrap(
        &self,
        mut inv: Invocation,
        needs: &Needs,
        group: Option<&ControlGroup>,
    ) -> Result<Invocation, String> {
        let config = self.config();
        let helper = config.helper.clone().ok_or("no program to make the sandbox with")?;
        let needs = self.granted(needs, &find_program(&inv)?);
        std::fs::create_dir_all(&self.own)
            .map_err(|e| format!("cannot create `{}`: {e}", self.own.display()))?;
        let caches = (0..config.caches.len()).map(|n| layout::cache_dir(&self.own, n));
        let own = ["tmp", "home", "cargo", "caches"].map(|part| self.own.join(part));
        for dir in own.into_iter().chain(caches) {
            make_real_dir(&dir).map_err(|e| format!("cannot create `{}`: {e}", dir.display()))?;
        }
        let mounts = layout::layout(self, &needs);
        make_places(&mounts, &self.work).map_err(|e| format!("cannot make room for a layer: {e}"))?;
        if needs.network == Network::Loopback {
            inv.env.extend(OFFLINE.map(|(name, value)| (name.into(), value.into())));
        }
        inv.env.extend(self.around.env.iter().map(|(name, value)| (name.into(), value.into())));
        let (uid, gid) = crate::platform::user_and_group();
        let spec = ConfinementSpec {
            rung: self.rung(),
            parent: std::process::id(),
            bubblewrap: config.bubblewrap.clone(),
            uid,
            gid,
            mounts,
            groups: group.map(ControlGroup::dirs).unwrap_or_default(),
            join: self.around.network,
            network: needs.network,
            cwd: self.inside(&inv.cwd),
            last: FinalSteps {
                ordinary: None,
                limits: config.limits,
                mark: self.inside(&self.own.join(MARK)),
                kept: self.inside(&self.own.join(KEPT)),
                settle_millis: u64::try_from(self.patience().as_millis()).unwrap_or(u64::MAX),
                program: self.text(&inv.program)?,
                args: inv.args.iter().map(|arg| self.text(arg)).collect::<Result<_, _>>()?,
            },
        };
        let spec = serde_json::to_string(&spec).map_err(|_| "a path is not readable text".to_owned())?;
        inv.program = helper.into();
        inv.args = vec![crate::platform::confine::OUTSIDE.into(), spec.into()];
        for (_, value) in &mut inv.env {
            *value = OsString::from_vec(self.translated(value));
        }
        let tmp = if self.rung().has_own_root() { "/tmp".into() } else { self.tmp() };
        inv.env.retain(|(name, _)| name != "TMPDIR" && name != "XDG_RUNTIME_DIR");
        inv.env.push(("TMPDIR".into(), tmp.into()));
        Ok(inv)
    }

    /// The call that makes the sandbox and runs nothing in it.
    pub(super) fn trial(&self) -> Result<(OsString, Vec<OsString>), String> {
        let nothing = Invocation {
            program: "true".into(),
            args: Vec::new(),
            cwd: self.work.clone(),
            env: vec![("PATH".into(), "/usr/bin:/bin".into())],
            stdin: Vec::new(),
            timeout: std::time::Duration::ZERO,
            idle_timeout: None,
            capture: process::Capture { dir: self.own.clone(), max_bytes: 0, tail_bytes: 0 },
        };
        let wrapped = self.wrap(nothing, &Needs::default(), None)?;
        Ok((wrapped.program, wrapped.args))
    }

    /// What is granted of what is needed, with what the user shares.
    fn granted(&self, needs: &Needs, program: &Path) -> Needs {
        let config = self.config();
        let mut granted = needs.clone();
        granted.read_only.extend(super::program_files::of_program(program));
        match self.role {
            FenceRole::Agent => {
                granted.read_only.extend(config.agents_read.iter().cloned());
                granted.writable.extend(config.agents_write.iter().cloned());
                granted.network = needs.network.min(config.agents_network);
            }
            FenceRole::Verifier => granted.network = config.verify_network,
            FenceRole::Setup | FenceRole::UntrustedSetup => granted.network = Network::Open,
        }
        granted
    }

    fn text(&self, text: &OsStr) -> Result<String, String> {
        String::from_utf8(self.translated(text)).map_err(|_| "an argument is not readable text".to_owned())
    }

    /// A text in which the two directories have the names they have inside.
    fn translated(&self, text: &OsStr) -> Vec<u8> {
        if !self.rung().has_own_root() {
            return text.as_bytes().to_vec();
        }
        // The longer one first: one may lie in the other.
        let mut names = [(&self.work, WORK), (&self.own, OWN)];
        names.sort_by_key(|(path, _)| std::cmp::Reverse(path.as_os_str().len()));
        names.iter().fold(text.as_bytes().to_vec(), |text, (path, name)| {
            replaced(&text, path.as_os_str().as_bytes(), name.as_bytes())
        })
    }
}

/// Tells tools that fetch things not to try.
const OFFLINE: [(&str, &str); 3] = [("CARGO_NET_OFFLINE", "true"), ("GOPROXY", "off"), ("UV_OFFLINE", "1")];

/// The file that says that the command was really started.
const MARK: &str = ".inside";
/// The file in which the keeper says what it saw.
const KEPT: &str = ".kept";
/// How long the helpers of a test command get to end after it. Those that stay have not ended: a test may leave nobody.
const PATIENCE: Duration = Duration::from_secs(3);
/// The signal that cannot be refused.
const KILLED: i32 = 9;

/// What is put behind the name of a directory that is laid over another, for what the kernel needs beside it.
pub(crate) const KERNEL: &str = ".kernel";

/// Makes fresh directories for what is written over layers. What was written to the directory that is worked in stays.
fn make_places(mounts: &[Mount], kept: &Path) -> std::io::Result<()> {
    for mount in mounts {
        if let MountKind::Overlay { upper, work, .. } = &mount.kind {
            let merged = crate::platform::confine::merged(work);
            for dir in [upper, work, &merged].into_iter().filter(|dir| *dir != kept) {
                crate::removal::remove_any(dir)?;
                std::fs::create_dir_all(dir)?;
            }
        }
    }
    Ok(())
}

/// Replaces a path wherever it stands as a whole or as the beginning of a longer one.
fn replaced(text: &[u8], path: &[u8], by: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let ends = |b: &u8| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        if rest.starts_with(path) && rest.get(path.len()).is_none_or(ends) {
            out.extend_from_slice(by);
            rest = &rest[path.len()..];
        } else {
            out.push(rest[0]);
            rest = &rest[1..];
        }
    }
    out
}

/// The program of a command, looked up as the command itself would.
fn find_program(inv: &Invocation) -> Result<PathBuf, String> {
    let program = Path::new(&inv.program);
    let missing = || format!("cannot start `{}`: No such file or directory (os error 2)", program.display());
    if inv.program.as_bytes().contains(&b'/') {
        let full = inv.cwd.join(program);
        return if full.is_file() { Ok(full) } else { Err(missing()) };
    }
    let path = inv.env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str());
    let mut dirs = std::env::split_paths(path.unwrap_or(OsStr::new("/usr/bin:/bin")));
    dirs.find_map(|dir| Some(dir.join(program)).filter(|full| full.is_file())).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_translated_as_wholes_only() {
        let sandbox = Sandbox::new(
            SandboxChoice { rung: SandboxRung::Bubblewrap, missed: Vec::new() },
            SandboxConfig::default(),
        );
        let fence =
            sandbox.fence(FenceRole::Verifier, Path::new("/c/slots/1/tree"), Path::new("/c/scratch/9"));
        let inside = |text: &str| fence.inside(Path::new(text)).display().to_string();
        assert_eq!(inside("/c/slots/1/tree/a.py"), "/windlass/work/a.py");
        assert_eq!(
            inside("/c/slots/1/tree/bin:/usr/bin:/c/scratch/9/x"),
            "/windlass/work/bin:/usr/bin:/windlass/own/x"
        );
        assert_eq!(inside("/c/slots/1/tree2"), "/c/slots/1/tree2");
        assert_eq!(inside("/c/scratch/99"), "/c/scratch/99");
        assert_eq!(fence.outside(Path::new("/windlass/own/r.xml")), Path::new("/c/scratch/9/r.xml"));
        assert_eq!(fence.outside(Path::new("/etc/passwd")), Path::new("/etc/passwd"));
    }
}
