//! The sandbox configuration: tool-chains, hidden directories, and what the user shares.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use windlass_engine::paths::Paths;
use windlass_engine::sandbox::{
    Network, ResourceLimits, SandboxConfig, SandboxWish, Unsandboxed, is_own_edition, of_directory,
};

use super::environment;
use crate::config::{Config, TestNetwork};
use crate::world::World;

const MEGABYTE: u64 = 1 << 20;

/// What the command line says about sandboxes.
#[derive(Debug, Clone, Default)]
pub(crate) struct SandboxOverrides {
    /// The rung.
    pub(crate) mode: Option<SandboxWish>,
    /// Whether agents may run unfenced.
    pub(crate) unsandboxed: Unsandboxed,
    /// What agents may write besides.
    pub(crate) share: Vec<PathBuf>,
}

/// Everything the engine must know to fence processes in.
pub(crate) fn sandbox_config(
    world: &World,
    config: &Config,
    over: &SandboxOverrides,
    hidden: Vec<PathBuf>,
) -> SandboxConfig {
    let keys = &config.sandbox;
    let home = world.home.as_deref();
    let read: Vec<PathBuf> = keys.read.iter().map(|path| anchored(world, home, path)).collect();
    let mut write: Vec<PathBuf> = keys.write.iter().map(|path| anchored(world, home, path)).collect();
    write.extend(over.share.iter().cloned());
    let mut roots = tool_chains(world);
    roots.extend(read);
    SandboxConfig {
        wish: over.mode.unwrap_or(keys.mode),
        unsandboxed: over.unsandboxed,
        helper: helper(world),
        bubblewrap: world.program(OsStr::new("bwrap")),
        home: world.home.clone(),
        cargo_home: environment::cargo_home(world),
        roots,
        caches: environment::caches(world),
        hidden,
        agents_read: Vec::new(),
        agents_write: write,
        agents_network: keys.network,
        allow: keys.allow.clone(),
        // One that cannot be used is told by `look_for`; hosts are then dialled directly.
        upstream: environment::upstream(world).unwrap_or_default(),
        verify_network: match keys.verify_network {
            TestNetwork::Open => Network::Open,
            TestNetwork::Loopback => Network::Loopback,
        },
        without: world.without(),
        trial_token: None,
        limits: ResourceLimits {
            processes: keys.processes,
            memory: keys.memory_mb.saturating_mul(MEGABYTE),
            total_memory: keys.total_memory_mb.saturating_mul(MEGABYTE),
            disk: keys.disk_mb.saturating_mul(MEGABYTE),
            file: keys.file_mb.saturating_mul(MEGABYTE),
            ..ResourceLimits::default()
        },
    }
}

/// The program that makes sandboxes: the small one beside this program, or this program if there is none of the same build.
pub(crate) fn helper(world: &World) -> Option<PathBuf> {
    let own = world.own_program.clone()?;
    let small = own.with_file_name("windlass-confine");
    Some(if small.is_file() && is_own_edition(&small) { small } else { own })
}

/// The directories that are hidden inside a sandbox.
pub(crate) fn hidden(worktree: Option<&Path>, common_dir: &Path, paths: &Paths) -> Vec<PathBuf> {
    let cache = paths.cache().parent().unwrap_or(paths.cache());
    worktree.into_iter().chain([common_dir, cache]).map(Path::to_owned).collect()
}

/// A path of the configuration: below the home, or from where the user stands.
fn anchored(world: &World, home: Option<&Path>, path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => world.cwd.join(path),
    }
}

/// Roots of tool-chains, and every directory of programs with what its programs need.
fn tool_chains(world: &World) -> Vec<PathBuf> {
    let mut roots = environment::roots(world);
    let too_much = |path: &Path| world.home.as_deref().is_some_and(|home| home.starts_with(path));
    for dir in search_path(world).filter(|dir| !too_much(dir)) {
        roots.extend(of_directory(dir).into_iter().filter(|found| !too_much(found)));
    }
    roots.sort();
    roots.dedup();
    roots
}

fn search_path(world: &World) -> impl Iterator<Item = &Path> {
    let dirs = world.path.as_bytes().split(|b| *b == b':').filter(|dir| dir.starts_with(b"/"));
    dirs.map(|dir| Path::new(OsStr::from_bytes(dir)))
}
