//! Control groups: limits on a command and everything it starts, enforced by the kernel.
//!
//! Used only where the user can create groups; nothing of the machine's configuration is changed. Without them the
//! keeper of a sandbox watches instead.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::process::LimitHit;
use crate::sandbox::ResourceLimits;

/// Processes of the sandbox itself, not charged to the command.
const OURS: u64 = 8;
/// The prefix of our groups; the creator's pid follows.
const PREFIX: &str = "windlass-";

/// Which limits of a whole command the kernel enforces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldLimits {
    /// Whether a control group holds the number of processes.
    pub processes: bool,
    /// Whether a control group holds the memory.
    pub memory: bool,
}

/// The groups in which groups of our own can be made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ControlGroupParents {
    /// Limits processes.
    pids: Option<PathBuf>,
    /// Limits memory; the same group as `pids` in version 2.
    memory: Option<PathBuf>,
}

/// Looks which limits the kernel would hold here for a whole command.
pub fn look_for_groups() -> HeldLimits {
    let groups = ControlGroupParents::find();
    HeldLimits { processes: groups.pids.is_some(), memory: groups.memory.is_some() }
}

impl ControlGroupParents {
    /// Looks where groups can be made, by making one.
    pub(crate) fn find() -> Self {
        let read = |name: &str| fs::read_to_string(format!("/proc/self/{name}")).unwrap_or_default();
        let (mounts, own) = (read("mountinfo"), read("cgroup"));
        let with = |file: &'static str| {
            move |dirs: Vec<PathBuf>| dirs.into_iter().find(|dir| can_make_in(dir, file))
        };
        let second = unified(&mounts, &own);
        let pids = with("pids.max")(second.clone()).or_else(|| with("pids.max")(first(&mounts, &own)));
        let memory = with("memory.max")(second);
        for dir in pids.iter().chain(&memory) {
            remove_leftovers(dir);
        }
        Self { pids, memory }
    }

    /// A group for one command; none where there is nothing to limit or it cannot be made.
    pub(crate) fn make(&self, limits: ResourceLimits) -> Option<ControlGroup> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut group = ControlGroup(Vec::new());
        let wanted = [
            (&self.pids, "pids.max", limits.processes.saturating_add(OURS), limits.processes > 0),
            (&self.memory, "memory.max", limits.total_memory, limits.total_memory > 0),
        ];
        for (parent, file, value, limited) in wanted {
            let Some(parent) = parent.as_ref().filter(|_| limited) else { continue };
            let dir = parent.join(format!("{PREFIX}{}-{n}", std::process::id()));
            if !group.0.contains(&dir) {
                fs::create_dir(&dir).ok()?;
                group.0.push(dir.clone());
            }
            fs::write(dir.join(file), value.to_string()).ok()?;
        }
        (!group.0.is_empty()).then_some(group)
    }
}

/// The groups of one command; gone with this value.
#[derive(Debug)]
pub(crate) struct ControlGroup(Vec<PathBuf>);

impl ControlGroup {
    pub(crate) fn dirs(&self) -> Vec<PathBuf> {
        self.0.clone()
    }

    /// The limit that was exceeded, if any.
    pub(crate) fn over(&self) -> Option<LimitHit> {
        let counted = |file: &str, name: &str| {
            self.0.iter().any(|dir| {
                let text = fs::read_to_string(dir.join(file)).unwrap_or_default();
                text.lines().filter_map(|line| line.split_once(' ')).any(|(n, v)| n == name && v != "0")
            })
        };
        if counted("memory.events", "oom_kill") {
            return Some(LimitHit::Memory);
        }
        counted("pids.events", "max").then_some(LimitHit::Processes)
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        for dir in &self.0 {
            // Its processes are dead; the kernel may take a moment to see it. What stays goes at the next start.
            for _ in 0..50 {
                if fs::remove_dir(dir).is_ok() || !dir.exists() {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
        }
    }
}

/// Our own group in the second version, and everything above it, as directories.
fn unified(mounts: &str, own: &str) -> Vec<PathBuf> {
    let Some(path) = own.lines().find_map(|line| line.strip_prefix("0::")) else { return Vec::new() };
    below(mounts, path, &|kind, _| kind == "cgroup2")
}

/// Our own group of processes in the first version, and everything above it.
fn first(mounts: &str, own: &str) -> Vec<PathBuf> {
    let mine = own.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (names, path) = (parts.next()?, parts.next()?);
        names.split(',').any(|name| name == "pids").then_some(path)
    });
    let Some(path) = mine else { return Vec::new() };
    below(mounts, path, &|kind, options| kind == "cgroup" && options.split(',').any(|name| name == "pids"))
}

/// Where a group and those above it lie, below the first mount of that kind.
fn below(mounts: &str, path: &str, is_it: &dyn Fn(&str, &str) -> bool) -> Vec<PathBuf> {
    let mount = mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let (fs, options) = (kind.next()?, kind.nth(1)?);
        let mut place = place.split(' ').skip(3);
        is_it(fs, options).then_some((place.next()?, place.next()?))
    });
    let Some((root, at)) = mount else { return Vec::new() };
    let Ok(rest) = Path::new(path).strip_prefix(root) else { return Vec::new() };
    rest.ancestors().map(|part| Path::new(at).join(part)).collect()
}

/// Whether a group can be made in there that has this file, and left again.
fn can_make_in(dir: &Path, file: &str) -> bool {
    let trial = dir.join(format!("{PREFIX}{}-trial", std::process::id()));
    if fs::create_dir(&trial).is_err() {
        return false;
    }
    let has = fs::OpenOptions::new().write(true).open(trial.join(file)).is_ok();
    let joins = has
        && std::process::Command::new("true").spawn().is_ok_and(|mut child| {
            let joined = fs::write(trial.join("cgroup.procs"), child.id().to_string());
            let _ = child.wait();
            // Gone already is no refusal.
            joined
                .map_or_else(|e| e.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()), |()| true)
        });
    for _ in 0..50 {
        if fs::remove_dir(&trial).is_ok() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    joins
}

/// Removes groups whose creator is gone.
fn remove_leftovers(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker =
            name.to_str().and_then(|n| n.strip_prefix(PREFIX)?.split_once('-')?.0.parse::<u32>().ok());
        if maker.is_some_and(|pid| !super::process_table::exists(pid)) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
30 23 0:26 / /sys/fs/cgroup rw,nosuid - tmpfs tmpfs rw
31 30 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate
35 30 0:31 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids
36 30 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory";

    fn shown(dirs: &[PathBuf]) -> String {
        dirs.iter().map(|d| d.display().to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn our_groups_are_found_in_both_versions() {
        let own = "8:pids:/a\n4:memory:/m\n0::/user.slice/x.scope\n";
        assert_eq!(
            shown(&unified(MOUNTS, own)),
            "/sys/fs/cgroup/unified/user.slice/x.scope /sys/fs/cgroup/unified/user.slice /sys/fs/cgroup/unified/"
        );
        assert_eq!(shown(&first(MOUNTS, own)), "/sys/fs/cgroup/pids/a /sys/fs/cgroup/pids/");
        assert_eq!(first(MOUNTS, "0::/\n"), Vec::<PathBuf>::new());
        // In a container the mount shows a part of the hierarchy; a group outside of that part has no path here.
        let inner = "31 30 0:27 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw";
        assert_eq!(shown(&unified(inner, "0::/docker/1/y\n")), "/sys/fs/cgroup/y /sys/fs/cgroup/");
        assert_eq!(unified(inner, "0::/other\n"), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_group_says_which_limit_was_hit() {
        let dir = tempfile::tempdir().unwrap();
        let group = ControlGroup(vec![dir.path().join("g")]);
        fs::create_dir(dir.path().join("g")).unwrap();
        assert_eq!(group.over(), None);
        fs::write(dir.path().join("g/pids.events"), "max 3\n").unwrap();
        assert_eq!(group.over(), Some(LimitHit::Processes));
        fs::write(dir.path().join("g/memory.events"), "low 0\nmax 9\noom_kill 1\n").unwrap();
        assert_eq!(group.over(), Some(LimitHit::Memory));
    }
}
