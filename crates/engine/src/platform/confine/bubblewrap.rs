//! Execs bubblewrap after preparing what it cannot do itself.

use std::io::{Seek as _, Write as _};
use std::os::fd::IntoRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::thread::UnshareFlags;

use super::{Never, die_with, failed, merged, overlay, syscall_filter, user_namespace};
use crate::platform::confine::bubblewrap_args::arguments;
use crate::platform::confine::spec::ConfinementSpec;
use crate::platform::confine::spec::MountKind;

/// Becomes bubblewrap.
pub(super) fn become_command(spec: &ConfinementSpec) -> Never {
    let program = spec.bubblewrap.as_ref().ok_or("bubblewrap is not here")?;
    if let Some(pid) = spec.join {
        user_namespace::join_network(pid)?;
    }
    lay_over(spec)?;
    die_with(spec.parent)?;
    let filter = filter_file()?;
    let error = Command::new(program).args(arguments(spec, filter)).exec();
    Err(format!("cannot start `{}`: {error}", program.display()))
}

/// Mounts the overlays in a mount namespace of our own, for bubblewrap to bind.
fn lay_over(spec: &ConfinementSpec) -> Result<(), String> {
    let overlays: Vec<_> = spec
        .mounts
        .iter()
        .filter_map(|mount| match &mount.kind {
            MountKind::Overlay { lower, upper, work } => Some((lower, upper, work)),
            MountKind::ReadOnly(_)
            | MountKind::Writable(_)
            | MountKind::Empty
            | MountKind::Blank
            | MountKind::Link(_) => None,
        })
        .collect();
    if overlays.is_empty() {
        return Ok(());
    }
    user_namespace::leave(UnshareFlags::NEWNS)?;
    let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    mount_change("/", private).map_err(failed("keep mounts to ourselves"))?;
    for (lower, upper, work) in overlays {
        let to = merged(work);
        std::fs::create_dir_all(&to).map_err(failed("make a place for a layer"))?;
        overlay::mount_over(lower, upper, work, &to)?;
    }
    Ok(())
}

/// Writes the system call filter to a file that survives exec.
fn filter_file() -> Result<Option<u32>, String> {
    let Some(program) = syscall_filter::program() else { return Ok(None) };
    let file = memfd_create("filter", MemfdFlags::empty()).map_err(failed("make a file in memory"))?;
    let mut file = std::fs::File::from(file);
    file.write_all(&program).and_then(|()| file.rewind()).map_err(failed("write the filter"))?;
    Ok(u32::try_from(file.into_raw_fd()).ok())
}
