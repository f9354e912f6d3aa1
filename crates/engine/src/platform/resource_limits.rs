//! Limits that the kernel enforces on one process and inherits to everything it starts.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::sandbox::ResourceLimits;

/// Sets the limits of this process. They cannot be raised again.
pub(crate) fn set_limits(limits: ResourceLimits) -> io::Result<()> {
    lower(Resource::Nproc, limits.processes)?;
    lower(Resource::Data, limits.memory)?;
    lower(Resource::Fsize, limits.file)?;
    lower(Resource::Nofile, limits.open_files)?;
    // A core dump of an agent would contain its credentials.
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    Ok(())
}

/// Lowers one limit; a limit that is already lower stays.
fn lower(resource: Resource, wanted: u64) -> io::Result<()> {
    if wanted == 0 {
        return Ok(());
    }
    let now = rustix::process::getrlimit(resource);
    let maximum = now.maximum.map_or(wanted, |max| max.min(wanted));
    let current = now.current.map_or(maximum, |current| current.min(maximum));
    // The soft limit on open files is raised to the new maximum: a shell's usual 1024 is too low for some builds.
    let current = if resource == Resource::Nofile { maximum } else { current };
    setrlimit(resource, Rlimit { current: Some(current), maximum: Some(maximum) })?;
    Ok(())
}
