//! The arguments of bubblewrap.

use std::ffi::OsString;
use std::path::Path;

use super::spec::ConfinementSpec;
use super::spec::{HELPER, Mount, MountKind, SHARED_MEMORY};
use crate::sandbox::Network;

/// The arguments that make bubblewrap start the keeper inside.
pub(super) fn arguments(spec: &ConfinementSpec, filter: Option<u32>) -> Vec<OsString> {
    let mut words = BwrapArgs(Vec::new());
    words.add(["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]);
    words.add(["--die-with-parent", "--as-pid-1", "--cap-drop", "ALL", "--hostname", "windlass"]);
    let (uid, gid) = (spec.uid.to_string(), spec.gid.to_string());
    words.add(["--uid", &uid, "--gid", &gid]);
    if spec.network != Network::Open && spec.join.is_none() {
        words.add(["--unshare-net"]);
    }
    if let Some(fd) = filter {
        words.add(["--seccomp", &fd.to_string()]);
    }
    words.add(["--proc", "/proc", "--dev", "/dev"]);
    // The default is half of the machine's memory.
    words.add(["--perms", "1777", "--size", &SHARED_MEMORY.to_string(), "--tmpfs", "/dev/shm"]);
    // Writable for uid 0 otherwise, and some of them stop the machine or run programs.
    for part in ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"] {
        words.add(["--ro-bind-try", part, part]);
    }
    for mount in &spec.mounts {
        words.mount(mount);
    }
    words.add(["--remount-ro", "/"]);
    words.pair("--chdir", &spec.cwd);
    words.add(["--", HELPER, super::KEEP]);
    words.0.push(spec.inside().into());
    words.0
}

/// Arguments in the making.
struct BwrapArgs(Vec<OsString>);

impl BwrapArgs {
    fn add<const N: usize>(&mut self, words: [&str; N]) {
        self.0.extend(words.map(OsString::from));
    }

    fn pair(&mut self, word: &str, path: &Path) {
        self.0.extend([word.into(), path.into()]);
    }

    fn triple(&mut self, word: &str, from: &Path, to: &Path) {
        self.0.extend([word.into(), from.into(), to.into()]);
    }

    fn mount(&mut self, mount: &Mount) {
        let to = &mount.to;
        match &mount.kind {
            MountKind::ReadOnly(from) => self.triple("--ro-bind", from, to),
            MountKind::Writable(from) => self.triple("--bind", from, to),
            // Mounted by the helper before, at the merged path.
            MountKind::Overlay { work, .. } => self.triple("--bind", &super::merged(work), to),
            MountKind::Empty => self.pair("--tmpfs", to),
            MountKind::Blank => self.triple("--ro-bind", Path::new("/dev/null"), to),
            MountKind::Link(target) => self.triple("--symlink", target, to),
        }
    }
}

#[cfg(test)]
mod tests;
