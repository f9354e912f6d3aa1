//! A sandbox around one directory: runs commands as if they ran there.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use windlass_code::detect::PathPlace;

use super::choose_rung::{SandboxChoice, SandboxUnavailable, choose};
use super::dir_setup::{DirSetup, DirSetups, Layer};
use super::disk_watch;
use super::layout::{self, OWN, WORK};
use super::model_network::{ModelNetwork, agent_network};
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

/// The sandbox of a run, the same rung for all its commands.
#[derive(Debug, Clone, Default)]
pub struct Sandbox {
    choice: SandboxChoice,
    config: Arc<SandboxConfig>,
    overlay: Arc<OnceLock<bool>>,
    groups: Arc<OnceLock<ControlGroupParents>>,
}

/// What a sandbox is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FenceRole {
    /// An agent, with the paths that the user shares with agents.
    Agent,
    /// Verification, formatters and hooks.
    Verifier,
    /// The set-up command, with the user's package manager configuration.
    Setup,
    /// The set-up command for dependencies chosen by an agent, whose install scripts are untrusted.
    UntrustedSetup,
}

impl Sandbox {
    /// The sandbox that was chosen.
    pub fn new(choice: SandboxChoice, config: SandboxConfig) -> Self {
        Self { choice, config: Arc::new(config), overlay: Arc::default(), groups: Arc::default() }
    }

    /// Whether overlays work on this machine. Tested once, in a directory of that file system.
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

    /// The strongest sandbox available, or the requested one; tested in `scratch`.
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

    /// The rung and why it is not stronger.
    pub fn choice(&self) -> &SandboxChoice {
        &self.choice
    }

    /// A fence around `work`. `own` is a private directory of the command.
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

    /// The mount of the work directory: the directory itself, or an overlay on its base.
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

    /// The mounts of its environment layers.
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

    /// An overlay whose upper directory belongs to this command.
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

    /// Whether overlays work here, if that was tested.
    pub(super) fn overlays(&self) -> bool {
        self.sandbox.overlay.get().is_some_and(|can| *can)
    }

    pub(super) fn tmp(&self) -> PathBuf {
        self.around.tmp.clone().unwrap_or_else(|| self.own.join("tmp"))
    }

    /// The same with what is set up around its directory.
    pub(crate) fn in_room(mut self, rooms: &DirSetups) -> Self {
        self.around = rooms.of(&self.work);
        self
    }

    /// Its rung.
    pub fn rung(&self) -> SandboxRung {
        self.sandbox.rung()
    }

    /// The path inside for a path in its directories; other paths stay unchanged.
    pub fn inside(&self, path: &Path) -> PathBuf {
        PathBuf::from(OsString::from_vec(self.translated(path.as_os_str())))
    }

    /// What `HOME` is for tests. With a root of its own the user's home is the private one under its usual name, so that
    /// programs which ask the user database find the same directory.
    pub(crate) fn home(&self) -> PathBuf {
        let usual = self.config().home.as_ref().filter(|home| home.parent().is_some());
        let usual = usual.filter(|_| self.rung().has_own_root() && self.role() == FenceRole::Verifier);
        usual.cloned().unwrap_or_else(|| self.own().join("home"))
    }

    /// The path outside for a path inside.
    pub fn outside(&self, path: &Path) -> PathBuf {
        if !self.rung().has_own_root() {
            return path.to_owned();
        }
        let below = |top: &str, real: &Path| path.strip_prefix(top).ok().map(|rest| real.join(rest));
        below(WORK, &self.work).or_else(|| below(OWN, &self.own)).unwrap_or_else(|| path.to_owned())
    }

    /// Runs a command inside. Paths into the two directories are translated in its arguments and environment.
    pub async fn run(
        &self,
        inv: Invocation,
        needs: &Needs,
        token: &Token,
        cancel: CancellationSignal,
        on_spawn: impl FnOnce(ProcessId),
    ) -> Finished {
        self.run_watched(inv, needs, token, cancel, on_spawn, Box::new(|_| {})).await
    }

    /// Like [`Fence::run`], with a listener on standard output.
    pub async fn run_watched(
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
        let network = match self.model_network(needs) {
            Ok(network) => network,
            Err(why) => return process::not_started(why),
        };
        let wrapped = match self.wrap(inv, needs, group.as_ref(), network.as_ref()) {
            Ok(wrapped) => wrapped,
            Err(why) => return process::not_started(why),
        };
        let _ = std::fs::remove_file(&mark);
        let _ = crate::removal::remove_any(&kept);
        let keeper = if self.rung().has_own_root() { Keeper::Outlives } else { Keeper::Becomes };
        let stop = cancel.child();
        let running =
            process::run_kept(wrapped, keeper, self.patience(), token, stop.clone(), on_spawn, listener);
        // Boxed, because it is large.
        let mut finished = self.within_the_disk(Box::pin(running), &stop).await;
        finished.blocked = network.map(ModelNetwork::finish).unwrap_or_default();
        if keeper == Keeper::Outlives {
            let kept = KeeperReport::read(&kept);
            finished.left = kept.left;
            finished.over = finished.over.or(kept.over);
        }
        finished.over = finished.over.or_else(|| group.as_ref().and_then(ControlGroup::over));
        if matches!(finished.exit, ProcessExit::Code(_)) && !mark.exists() {
            let tail = finished.output.tail_text();
            let said = tail.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("nothing").trim();
            finished.exit = ProcessExit::NotStarted(format!("the sandbox could not be created: {said}"));
        }
        if let (ProcessExit::Code(code @ 129..=159), Keeper::Outlives) = (&finished.exit, keeper) {
            // The keeper reports a signal as exit code 128 + n.
            finished.exit = ProcessExit::Signal(code - 128);
        }
        finished
    }

    /// The way to the model, for an agent that reaches nothing else.
    fn model_network(&self, needs: &Needs) -> Result<Option<ModelNetwork>, String> {
        let wanted = self.role == FenceRole::Agent
            && agent_network(self.rung(), self.config(), needs) == Network::Model;
        wanted.then(|| ModelNetwork::start(&self.own, self.config(), needs)).transpose()
    }

    /// Waits for a command and ends it when its directories exceed the disk limit.
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
                    // It was ended for the disk limit, not by a caller.
                    finished.exit = ProcessExit::Signal(KILLED);
                    finished.over = Some(LimitHit::Disk);
                }
                finished
            }
        }
    }

    /// How long processes may outlive the command before they count as left behind.
    fn patience(&self) -> Duration {
        match self.role {
            FenceRole::Verifier => PATIENCE,
            FenceRole::Agent | FenceRole::Setup | FenceRole::UntrustedSetup => Duration::ZERO,
        }
    }

    /// The helper invocation that runs this command.
    fn wrap(
        &self,
        mut inv: Invocation,
        needs: &Needs,
        group: Option<&ControlGroup>,
        network: Option<&ModelNetwork>,
    ) -> Result<Invocation, String> {
        let config = self.config();
        let helper = config.helper.clone().ok_or("no program to make the sandbox with")?;
        if self.rung() == SandboxRung::Bubblewrap && !config.bubblewrap.as_deref().is_some_and(Path::is_file)
        {
            return Err(
                "the sandbox needs `bwrap`, which is gone: install the package `bubblewrap`, or set another \
                        `mode` under `[sandbox]`"
                    .into(),
            );
        }
        let needs = self.granted(needs, &find_program(&inv)?);
        with_programs(&mut inv.env, &self.around.bins);
        std::fs::create_dir_all(&self.own)
            .map_err(|e| format!("cannot create `{}`: {e}", self.own.display()))?;
        let caches = (0..config.caches.len()).map(|n| layout::cache_dir(&self.own, n));
        let own = ["tmp", "home", "cargo", "caches"].map(|part| self.own.join(part));
        for dir in own.into_iter().chain(caches) {
            make_real_dir(&dir).map_err(|e| format!("cannot create `{}`: {e}", dir.display()))?;
        }
        let mut mounts = layout::layout(self, &needs);
        mounts.extend(network.map(ModelNetwork::mount));
        make_places(&mounts, &self.work).map_err(|e| format!("cannot make room for a layer: {e}"))?;
        if let Some(network) = network {
            network.lead(&mut inv.env);
        }
        let offline = match needs.network {
            Network::Loopback => true,
            Network::Model => config.allow.is_empty(),
            Network::Open => false,
        };
        if offline {
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
                relay: network.map(ModelNetwork::relay),
                shares_network: needs.network == Network::Open,
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

    /// An invocation that sets up the sandbox and runs `true`.
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
        let wrapped = self.wrap(nothing, &Needs::default(), None, None)?;
        Ok((wrapped.program, wrapped.args))
    }

    /// The granted needs, with what the user shares.
    fn granted(&self, needs: &Needs, program: &Path) -> Needs {
        let config = self.config();
        let mut granted = needs.clone();
        granted.read_only.extend(super::program_files::of_program(program));
        match self.role {
            FenceRole::Agent => {
                granted.read_only.extend(config.agents_read.iter().cloned());
                granted.writable.extend(config.agents_write.iter().cloned());
                granted.network = agent_network(self.rung(), config, needs);
            }
            FenceRole::Verifier => granted.network = config.verify_network,
            FenceRole::Setup | FenceRole::UntrustedSetup => granted.network = Network::Open,
        }
        granted
    }

    fn text(&self, text: &OsStr) -> Result<String, String> {
        String::from_utf8(self.translated(text)).map_err(|_| "an argument is not readable text".to_owned())
    }

    /// Translates the two directories to their paths inside.
    fn translated(&self, text: &OsStr) -> Vec<u8> {
        if !self.rung().has_own_root() {
            return text.as_bytes().to_vec();
        }
        // Longest first: one may be inside the other.
        let mut names = [(&self.work, WORK), (&self.own, OWN)];
        names.sort_by_key(|(path, _)| std::cmp::Reverse(path.as_os_str().len()));
        names.iter().fold(text.as_bytes().to_vec(), |text, (path, name)| {
            replaced(&text, path.as_os_str().as_bytes(), name.as_bytes())
        })
    }
}

/// Tells package managers that there is no network.
const OFFLINE: [(&str, &str); 4] =
    [("CARGO_NET_OFFLINE", "true"), ("GOPROXY", "off"), ("UV_OFFLINE", "1"), ("UV_NO_SYNC", "1")];

/// The mark that the command was started.
const MARK: &str = ".inside";
/// The keeper's report.
const KEPT: &str = ".kept";
/// How long helper processes of a test command may outlive it. Tests must not leave processes behind.
const PATIENCE: Duration = Duration::from_secs(3);
/// SIGKILL.
const KILLED: i32 = 9;

/// The suffix of the directory that the kernel needs beside an upper directory.
pub(crate) const KERNEL: &str = ".kernel";

/// Creates empty upper directories for layers. The work directory keeps its content.
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

/// Replaces a path where it appears as a whole or as the start of a longer path.
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

/// Puts what the set-up installed on `PATH`, each directory where its set-up says.
fn with_programs(env: &mut [(OsString, OsString)], bins: &[(PathBuf, PathPlace)]) {
    let Some((_, path)) = env.iter_mut().find(|(name, _)| name == "PATH") else { return };
    let known: Vec<PathBuf> = std::env::split_paths(path).collect();
    let at = |wanted: PathPlace| {
        let known = &known;
        bins.iter().filter(move |(bin, place)| *place == wanted && !known.contains(bin)).map(|(bin, _)| bin)
    };
    let all = at(PathPlace::Front).chain(&known).chain(at(PathPlace::Behind));
    if let Ok(joined) = std::env::join_paths(all) {
        *path = joined;
    }
}

/// Finds the program of a command on its `PATH`.
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
    fn programs_of_a_set_up_are_on_the_path() {
        let (front, behind) = (PathPlace::Front, PathPlace::Behind);
        let bins =
            [("/w/env/bin", front), ("/w/.bin", behind), ("/w/tools/bin", behind), ("/w/a/bin", front)];
        let bins = bins.map(|(bin, place)| (PathBuf::from(bin), place));
        let mut env: Vec<(OsString, OsString)> = vec![("PATH".into(), "/usr/bin:/w/a/bin".into())];
        with_programs(&mut env, &bins);
        assert_eq!(env[0].1, "/w/env/bin:/usr/bin:/w/a/bin:/w/.bin:/w/tools/bin");
    }

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

    #[test]
    fn tests_have_the_home_that_the_user_database_names() {
        let home = |rung, role, known: Option<&str>| {
            let config = SandboxConfig { home: known.map(PathBuf::from), ..SandboxConfig::default() };
            let sandbox = Sandbox::new(SandboxChoice { rung, missed: Vec::new() }, config);
            sandbox.fence(role, Path::new("/w"), Path::new("/c/9")).home().display().to_string()
        };
        let (own_root, verifier) = (SandboxRung::Bubblewrap, FenceRole::Verifier);
        assert_eq!(home(own_root, verifier, Some("/home/a")), "/home/a");
        // Without a root of its own that would be the real one.
        assert_eq!(home(SandboxRung::Landlock, verifier, Some("/home/a")), "/c/9/home");
        assert_eq!(home(own_root, FenceRole::Setup, Some("/home/a")), "/c/9/home");
        assert_eq!(home(own_root, verifier, Some("/")), "/c/9/home");
        assert_eq!(home(own_root, verifier, None), "/c/9/home");
    }
}
