//! The mounts of a sandbox, the same for every rung with its own root.
//!
//! Everything that is not listed is absent: the user's home, the repository, the state, the cache, other slots.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::fence::{Fence, FenceRole};
use super::needs::{Needs, Network};
use crate::platform::confine::spec::{HELPER, Mount, MountKind};

/// The path of the work directory inside.
pub const WORK: &str = "/windlass/work";
/// The path of a command's private directory inside.
pub const OWN: &str = "/windlass/own";
/// System directories: programs, libraries, configuration.
const SYSTEM: [&str; 12] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix",
    "/gnu",
    "/sys/devices/system/cpu",
];

/// Machine secrets inside the system directories.
const SECRETS: [&str; 14] = [
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/security/opasswd",
    "/etc/ssh",
    "/etc/ssl/private",
    "/etc/krb5.keytab",
    "/etc/wireguard",
    "/etc/openvpn",
    "/etc/NetworkManager/system-connections",
    "/etc/letsencrypt",
];

/// The visible parts of Cargo's home, without credentials.
const CARGO: [&str; 5] = ["bin", "registry", "git", "config.toml", "config"];

/// The parts that grow when crates are fetched.
const FETCHED: [&str; 2] = ["registry", "git"];

/// The empty cache directory of one command.
pub(super) fn cache_dir(own: &Path, n: usize) -> PathBuf {
    own.join("caches").join(n.to_string())
}

/// Configuration files of package managers: mirrors and logins.
const MANAGERS: [&str; 14] = [
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".config/pnpm",
    ".pip",
    ".config/pip",
    ".config/uv",
    ".bundle/config",
    ".config/composer",
    ".config/go",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".gradle/init.gradle",
    ".gradle/init.d",
];

/// Whether a path belongs to the system, which is visible in every sandbox.
pub(crate) fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|top| path.starts_with(top))
}

/// All mounts of a fence.
pub(super) fn layout(fence: &Fence, needs: &Needs) -> Vec<Mount> {
    let config = fence.config();
    let mut places = MountPlan::default();
    for top in SYSTEM {
        places.system(Path::new(top));
    }
    for secret in SECRETS {
        places.hide(Path::new(secret));
    }
    if needs.network == Network::Open {
        places.name_resolution();
    }
    places.put("/tmp", MountKind::Writable(fence.tmp()));
    places.put("/var/tmp", MountKind::Link("/tmp".into()));
    if let Some(home) = config.home.as_deref().filter(|home| home.parent().is_some()) {
        places.put(home, MountKind::Writable(fence.own().join("home")));
    }
    for hidden in &config.hidden {
        places.hide(hidden);
    }
    if let Some(cargo) = &config.cargo_home {
        places.put(cargo, MountKind::Writable(fence.own().join("cargo")));
        for part in CARGO.map(|part| cargo.join(part)) {
            // Downloads of commands with a network are discarded with the command.
            let fetches = fence.overlays() && needs.network != Network::Loopback && part.is_dir();
            if fetches && FETCHED.iter().any(|name| part.ends_with(name)) {
                let name = part.file_name().unwrap_or_default().to_string_lossy();
                places.put(&part, fence.throwaway(&name, &part));
            } else {
                places.read_only(&part);
            }
        }
    }
    for (n, cache) in config.caches.iter().enumerate().filter(|(_, cache)| cache.is_dir()) {
        let kind = match (fence.role(), fence.overlays()) {
            (FenceRole::Agent | FenceRole::Setup | FenceRole::UntrustedSetup, true) => {
                fence.throwaway(&format!("cache-{n}"), cache)
            }
            (FenceRole::Agent | FenceRole::Setup | FenceRole::UntrustedSetup, false)
            | (FenceRole::Verifier, _) => MountKind::Writable(cache_dir(fence.own(), n)),
        };
        places.put(cache, kind);
    }
    for path in config.roots.iter().chain(&needs.read_only) {
        places.read_only(path);
    }
    for path in &needs.writable {
        if path.exists() {
            places.put(path, MountKind::Writable(path.clone()));
        }
    }
    if let Some(helper) = &config.helper {
        places.put(HELPER, MountKind::ReadOnly(helper.clone()));
    }
    places.put(WORK, fence.work_kind());
    places.put(OWN, MountKind::Writable(fence.own().to_owned()));
    if let (FenceRole::Setup, Some(home)) = (fence.role(), &config.home) {
        for name in MANAGERS.iter().filter(|name| home.join(name).exists()) {
            places.put(Path::new(OWN).join("home").join(name), MountKind::ReadOnly(home.join(name)));
        }
    }
    for layer in fence.layers() {
        places.put(&layer.to, layer.kind);
    }
    places.0.into_iter().map(|(to, kind)| Mount { to, kind }).collect()
}

/// Mounts by path: parents come before what is inside them.
#[derive(Default)]
struct MountPlan(BTreeMap<PathBuf, MountKind>);

impl MountPlan {
    fn put(&mut self, to: impl AsRef<Path>, kind: MountKind) {
        self.0.insert(to.as_ref().to_owned(), kind);
    }

    /// A system directory; on many machines some are links to others.
    fn system(&mut self, path: &Path) {
        let Ok(meta) = path.symlink_metadata() else { return };
        if meta.is_symlink() {
            if let Ok(target) = path.read_link() {
                self.put(path, MountKind::Link(target));
            }
        } else {
            self.put(path, MountKind::ReadOnly(path.to_owned()));
        }
    }

    /// A read-only bind mount, unless the parent is already mounted so.
    fn read_only(&mut self, path: &Path) {
        if !path.is_absolute() || path.parent().is_none() || !path.exists() {
            return;
        }
        let seen = matches!(self.around(path), Some((at, MountKind::ReadOnly(from))) if at == from);
        if !seen {
            self.put(path, MountKind::ReadOnly(path.to_owned()));
        }
    }

    /// Hides a path that would be visible.
    fn hide(&mut self, path: &Path) {
        let seen = matches!(self.around(path), Some((_, MountKind::ReadOnly(_) | MountKind::Writable(_))));
        if seen && path.exists() {
            let kind = if path.is_dir() { MountKind::Empty } else { MountKind::Blank };
            self.put(path, kind);
        }
    }

    /// The mount that contains a path.
    fn around(&self, path: &Path) -> Option<(&PathBuf, &MountKind)> {
        path.ancestors().skip(1).find_map(|above| self.0.get_key_value(above))
    }

    /// Mounts the target of `/etc/resolv.conf`, which often is a link to outside the system.
    fn name_resolution(&mut self) {
        if let Ok(real) = Path::new("/etc/resolv.conf").canonicalize()
            && !is_system(&real)
        {
            self.put(&real, MountKind::ReadOnly(real.clone()));
        }
    }
}

#[cfg(test)]
mod tests;
