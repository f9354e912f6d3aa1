//! Builds a root directory from a list of mounts and moves into it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};
use rustix::process::{chdir, pivot_root};

use super::failed;
use super::overlay;
use crate::platform::confine::spec::{Mount, MountKind, SHARED_MEMORY};

const NEW: &str = "/newroot";
const OLD: &str = "/oldroot";

/// Moves into a root that holds these and nothing else.
pub(super) fn move_into(mounts: &[Mount]) -> Result<(), String> {
    let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    mount_change("/", private).map_err(failed("keep mounts to ourselves"))?;
    // Links in source paths would dangle after the root changes.
    let mounts: Vec<Mount> = mounts.iter().map(resolved).collect();
    begin()?;
    basics()?;
    for place in &mounts {
        put(place)?;
    }
    finish()
}

/// The same with sources by their real names.
fn resolved(place: &Mount) -> Mount {
    let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let kind = match &place.kind {
        MountKind::ReadOnly(from) => MountKind::ReadOnly(real(from)),
        MountKind::Writable(from) => MountKind::Writable(real(from)),
        MountKind::Overlay { lower, upper, work } => MountKind::Overlay {
            lower: lower.iter().map(real).collect(),
            upper: real(upper),
            work: real(work),
        },
        MountKind::Empty => MountKind::Empty,
        MountKind::Blank => MountKind::Blank,
        MountKind::Link(target) => MountKind::Link(target.clone()),
    };
    Mount { to: place.to.clone(), kind }
}

/// A file system in memory becomes the root, with everything there was below it: sources stay reachable wherever they lie.
fn begin() -> Result<(), String> {
    tmpfs(Path::new("/tmp"))?;
    for dir in [NEW, OLD] {
        make_dir(&Path::new("/tmp").join(&dir[1..]))?;
    }
    mount_bind_recursive("/tmp/newroot", "/tmp/newroot").map_err(failed("bind the new root"))?;
    pivot_root("/tmp", "/tmp/oldroot").map_err(failed("change the root"))?;
    chdir("/").map_err(failed("go to the root"))
}

/// What every process needs: its own processes, and devices without memory.
fn basics() -> Result<(), String> {
    let proc = new("/proc");
    make_dir(&proc)?;
    let strict = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", &proc, "proc", strict, None).map_err(failed("mount /proc"))?;
    // Writable for uid 0 otherwise, and some of them stop the machine or run programs.
    for name in ["sys", "sysrq-trigger", "irq", "bus"] {
        let at = proc.join(name);
        if at.exists() {
            mount_bind_recursive(&at, &at).map_err(failed("cover a part of /proc"))?;
            remount(&at, MountFlags::RDONLY | strict)?;
        }
    }
    let dev = new("/dev");
    make_dir(&dev)?;
    let options = std::ffi::CString::new(format!("mode=755,size={SHARED_MEMORY}"))
        .map_err(failed("set the size of /dev"))?;
    mount("tmpfs", &dev, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, options.as_c_str())
        .map_err(failed("mount /dev"))?;
    for name in ["null", "zero", "full", "random", "urandom", "tty"] {
        let (from, to) = (old(format!("/dev/{name}")), dev.join(name));
        if from.exists() {
            make_file(&to)?;
            mount_bind_recursive(&from, &to).map_err(failed("bind a device"))?;
        }
    }
    let links = [("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0"), ("stdout", "/proc/self/fd/1")];
    for (name, target) in links.into_iter().chain([("stderr", "/proc/self/fd/2"), ("ptmx", "pts/ptmx")]) {
        symlink(target, dev.join(name)).map_err(failed("make a link in /dev"))?;
    }
    make_dir(&dev.join("shm"))?;
    let pts = dev.join("pts");
    make_dir(&pts)?;
    let options = c"newinstance,ptmxmode=0666,mode=620";
    mount("devpts", &pts, "devpts", MountFlags::NOSUID | MountFlags::NOEXEC, options)
        .map_err(failed("mount /dev/pts"))
}

fn put(place: &Mount) -> Result<(), String> {
    let to = new(&place.to);
    match &place.kind {
        MountKind::ReadOnly(from) => bind(&old(from), &to, MountFlags::RDONLY),
        MountKind::Writable(from) => bind(&old(from), &to, MountFlags::empty()),
        MountKind::Overlay { lower, upper, work } => {
            make_dir(&to)?;
            let lower: Vec<PathBuf> = lower.iter().map(old).collect();
            overlay::mount_over(&lower, &old(upper), &old(work), &to)
        }
        MountKind::Empty => {
            make_dir(&to)?;
            tmpfs(&to)
        }
        MountKind::Blank => bind(&old("/dev/null"), &to, MountFlags::RDONLY),
        MountKind::Link(target) => {
            if let Some(parent) = to.parent() {
                make_dir(parent)?;
            }
            symlink(target, &to).map_err(failed("make a link"))
        }
    }
}

/// What was there before goes, and nothing is left but what was put.
fn finish() -> Result<(), String> {
    unmount(OLD, UnmountFlags::DETACH).map_err(failed("let go of the old root"))?;
    chdir(NEW).map_err(failed("go to the new root"))?;
    pivot_root(".", ".").map_err(failed("change the root"))?;
    unmount(".", UnmountFlags::DETACH).map_err(failed("let go of the way there"))?;
    chdir("/").map_err(failed("go to the root"))?;
    remount(Path::new("/"), MountFlags::RDONLY)
}

fn new(path: impl AsRef<Path>) -> PathBuf {
    below(NEW, path.as_ref())
}

fn old(path: impl AsRef<Path>) -> PathBuf {
    below(OLD, path.as_ref())
}

fn below(top: &str, path: &Path) -> PathBuf {
    Path::new(top).join(path.strip_prefix("/").unwrap_or(path))
}

/// Binds a file or a directory with everything mounted in it.
fn bind(from: &Path, to: &Path, flags: MountFlags) -> Result<(), String> {
    let what = format!("bind `{}`", to.strip_prefix(NEW).unwrap_or(to).display());
    if from.is_dir() {
        make_dir(to)?;
    } else {
        make_file(to)?;
    }
    mount_bind_recursive(from, to).map_err(failed(&what))?;
    for mounted in mounted_below(to)? {
        remount(&mounted, flags)?;
    }
    Ok(())
}

/// Adds to the flags of a mount; the ones it has must stay, some are locked.
fn remount(at: &Path, add: MountFlags) -> Result<(), String> {
    let has = statvfs(at).map_err(failed("look at a mount"))?.f_flag;
    let kept = [
        (StatVfsMountFlags::RDONLY, MountFlags::RDONLY),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ];
    let kept = kept.iter().filter(|(stat, _)| has.contains(*stat)).map(|(_, flag)| *flag);
    let flags = kept.fold(MountFlags::BIND | MountFlags::NOSUID | MountFlags::NODEV | add, |all, f| all | f);
    mount_remount(at, flags, c"").map_err(failed("protect a mount"))
}

/// A mount and the mounts in it, from the kernel's own list.
fn mounted_below(top: &Path) -> Result<Vec<PathBuf>, String> {
    let list = fs::read_to_string(old("/proc/self/mountinfo")).map_err(failed("list the mounts"))?;
    let points = list.lines().filter_map(|line| line.split(' ').nth(4)).map(unescaped);
    Ok(points.filter(|point| point.starts_with(top)).collect())
}

/// The kernel writes blanks and the like as `\040`.
fn unescaped(text: &str) -> PathBuf {
    let mut parts = text.split('\\');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match (code, part.get(3..)) {
            (Some(code), Some(rest)) => {
                plain.push(char::from(code));
                plain.push_str(rest);
            }
            _ => plain.push_str(part),
        }
    }
    plain.into()
}

fn tmpfs(at: &Path) -> Result<(), String> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", at, "tmpfs", flags, c"mode=755").map_err(failed("mount a file system in memory"))
}

fn make_dir(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|e| format!("cannot create `{}`: {e}", path.display()))
}

fn make_file(path: &Path) -> Result<(), String> {
    if path.exists() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        make_dir(parent)?;
    }
    fs::write(path, "").map_err(|e| format!("cannot create `{}`: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_escapes_are_undone() {
        assert_eq!(unescaped(r"/a\040b\011c"), Path::new("/a b\tc"));
        assert_eq!(unescaped("/plain"), Path::new("/plain"));
        assert_eq!(below(NEW, Path::new("/usr/bin")), Path::new("/newroot/usr/bin"));
    }
}
