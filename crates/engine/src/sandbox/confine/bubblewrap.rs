//! Becomes bubblewrap, with everything prepared that it cannot do itself.

use std::io::{Seek as _, Write as _};
use std::os::fd::IntoRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use rustix::fs::{MemfdFlags, memfd_create};

use super::{Never, failed, filter};
use crate::sandbox::bubblewrap::arguments;
use crate::sandbox::spec::Spec;

/// Becomes bubblewrap.
pub(super) fn become_command(spec: &Spec) -> Never {
    let program = spec.bubblewrap.as_ref().ok_or("bubblewrap is not here")?;
    let filter = filter_file()?;
    let error = Command::new(program).args(arguments(spec, filter)).exec();
    Err(format!("cannot start `{}`: {error}", program.display()))
}

/// The filter of system calls in a file that stays open across the change of programs.
fn filter_file() -> Result<Option<u32>, String> {
    let Some(program) = filter::program() else { return Ok(None) };
    let file = memfd_create("filter", MemfdFlags::empty()).map_err(failed("make a file in memory"))?;
    let mut file = std::fs::File::from(file);
    file.write_all(&program).and_then(|()| file.rewind()).map_err(failed("write the filter"))?;
    Ok(u32::try_from(file.into_raw_fd()).ok())
}
