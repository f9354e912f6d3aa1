//! The second rung: namespaces of our own, without bubblewrap.
//!
//! The helper leaves its namespaces and starts itself again; that second start is the first process of the new ones, builds
//! the root, and becomes the keeper of the command. When it ends, the kernel ends everything inside.

use std::process::Command;

use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::UnshareFlags;

use super::keeper::{self, code_of};
use super::{FIRST, Never, die_with, failed, loopback, root_directory, user_namespace};
use crate::platform::confine::spec::ConfinementSpec;
use crate::sandbox::Network;

/// Leaves the namespaces and waits for what happens in the new ones.
pub(super) fn become_command(mut spec: ConfinementSpec) -> Never {
    if let Some(pid) = spec.join {
        user_namespace::join_network(pid)?;
    }
    let own_network = spec.network == Network::Loopback && spec.join.is_none();
    let network = if own_network { UnshareFlags::NEWNET } else { UnshareFlags::empty() };
    let files = UnshareFlags::NEWNS | UnshareFlags::NEWIPC | UnshareFlags::NEWUTS | UnshareFlags::NEWCGROUP;
    user_namespace::leave(files | UnshareFlags::NEWPID | network)?;
    die_with(spec.parent)?;
    if own_network {
        loopback::bring_up()?;
    }
    spec.last.ordinary = Some((spec.uid, spec.gid));
    spec.parent = std::process::id();
    let text = serde_json::to_string(&spec).map_err(failed("say what to do"))?;
    let first = Command::new("/proc/self/exe").arg(FIRST).arg(text).spawn();
    let status = first.and_then(|mut first| first.wait()).map_err(failed("start inside"))?;
    std::process::exit(code_of(status))
}

/// The first process of the new namespaces.
pub(super) fn be_first(text: impl FnOnce() -> String) -> Never {
    let spec: ConfinementSpec = serde_json::from_str(&text()).map_err(failed("read what to do"))?;
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(failed("bind to the parent's life"))?;
    if parent_outside() != Some(spec.parent) {
        return Err("whoever asked for it is gone".into());
    }
    root_directory::move_into(&spec.mounts)?;
    rustix::system::sethostname(b"windlass").map_err(failed("name the machine"))?;
    rustix::process::chdir(&spec.cwd).map_err(failed("go to the directory"))?;
    keeper::keep(&spec.last)
}

/// Our parent's number as those outside see it: the files of the processes there are still to be seen.
fn parent_outside() -> Option<u32> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}
