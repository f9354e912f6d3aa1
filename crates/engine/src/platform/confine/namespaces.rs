//! The second rung: namespaces without bubblewrap.
//!
//! The helper unshares its namespaces and starts itself again; the second start is the first process of the new
//! namespaces, builds the root and becomes the keeper. When it ends, the kernel ends everything inside.

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
    let own_network = spec.network != Network::Open && spec.join.is_none();
    let network = if own_network { UnshareFlags::NEWNET } else { UnshareFlags::empty() };
    let files = UnshareFlags::NEWNS | UnshareFlags::NEWIPC | UnshareFlags::NEWUTS | UnshareFlags::NEWCGROUP;
    user_namespace::leave(files | UnshareFlags::NEWPID | network)?;
    die_with(spec.parent)?;
    if own_network {
        loopback::bring_up()?;
    }
    spec.last.ordinary = Some((spec.uid, spec.gid));
    spec.parent = std::process::id();
    let text = serde_json::to_string(&spec).map_err(failed("serialise the specification"))?;
    let first = Command::new("/proc/self/exe").arg(FIRST).arg(text).spawn();
    let status = first.and_then(|mut first| first.wait()).map_err(failed("start inside"))?;
    std::process::exit(code_of(status))
}

/// The first process of the new namespaces.
pub(super) fn be_first(text: impl FnOnce() -> String) -> Never {
    let spec: ConfinementSpec = serde_json::from_str(&text()).map_err(failed("read the specification"))?;
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(failed("bind to the parent's life"))?;
    if parent_outside() != Some(spec.parent) {
        return Err("the parent process is gone".into());
    }
    root_directory::move_into(&spec.mounts)?;
    rustix::system::sethostname(b"windlass").map_err(failed("name the machine"))?;
    rustix::process::chdir(&spec.cwd).map_err(failed("go to the directory"))?;
    keeper::keep(&spec.last)
}

/// Our parent's pid as seen from outside: `/proc` still shows the outer processes.
fn parent_outside() -> Option<u32> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}
