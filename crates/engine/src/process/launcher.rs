//! The process between this program and a command that leads to a place: it adopts what the command leaves in the background.
//!
//! This program adopts orphans, and ends those that no command of its own claims: agents leave daemons. But podman's `conmon` and the
//! master of ssh's shared connections are orphans as well, of a launcher, and everything that runs through them would end with them.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{Pid, WaitOptions, getpgid, getppid, setpgid, waitpid};

/// The arguments that start it: before the words of the command, and, with its number, once the command runs.
pub(crate) const LAUNCHER: &str = "__launch";
pub(crate) const ADOPTER: &str = "__adopt";

/// A command to be started through the helper; by itself without one.
pub(crate) fn launcher(helper: Option<&Path>, program: &str) -> Command {
    let Some(helper) = helper else { return Command::new(program) };
    let mut command = Command::new(helper);
    command.args([LAUNCHER, program]);
    command
}

/// Starts the command and becomes the process that adopts its orphans. Returns only on failure.
pub(crate) fn run_launcher(
    mut words: impl Iterator<Item = OsString>,
) -> Result<std::convert::Infallible, String> {
    let program = words.next().ok_or("there is no command to start")?;
    crate::platform::adopt_orphans();
    let started = Command::new(&program).args(words).spawn();
    let child = started.map_err(|error| format!("`{}` cannot be started: {error}", program.display()))?;
    // The pipes are the command's alone: their end is the end of the connection.
    let own = std::env::current_exe().map_err(|error| format!("the helper is not found: {error}"))?;
    let mut adopter = Command::new(own);
    adopter.args([ADOPTER, &child.id().to_string()]).env_clear();
    let error = adopter.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).exec();
    Err(format!("the helper cannot be started again: {error}"))
}

/// Waits for the command and for everything that it left in the background. Returns only on failure.
pub(crate) fn run_adopter(main: &str) -> Result<std::convert::Infallible, String> {
    let main = main.parse().ok().and_then(Pid::from_raw).ok_or("there is no process to wait for")?;
    loop {
        match waitpid(None, WaitOptions::empty()) {
            Ok(Some((pid, _))) if pid == main => leave_group(),
            Err(rustix::io::Errno::CHILD) => std::process::exit(0),
            Ok(_) | Err(_) => {}
        }
    }
}

/// Leaves the group of the command, which may be ended now; what was left in the background goes on.
fn leave_group() {
    let parents = getppid().and_then(|parent| getpgid(Some(parent)).ok());
    if let Some(group) = parents {
        // Where that is not allowed, the group is ended with what is left in it.
        let _ = setpgid(None, Some(group));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_started_through_the_helper_if_there_is_one() {
        let words = |command: &Command| -> Vec<OsString> {
            std::iter::once(command.get_program()).chain(command.get_args()).map(Into::into).collect()
        };
        assert_eq!(words(&launcher(None, "ssh")), ["ssh"]);
        assert_eq!(words(&launcher(Some(Path::new("/h")), "ssh")), ["/h", "__launch", "ssh"]);
        assert!(run_launcher(std::iter::empty()).unwrap_err().contains("no command"));
        assert!(run_adopter("x").unwrap_err().contains("no process"));
    }
}
