//! The final steps inside: limits, a mark that the sandbox works, and the command.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use super::{Never, failed, landlock, user_namespace};
use crate::platform::confine::spec::FinalSteps;

/// Reads the last steps and takes them.
pub(super) fn become_command(text: impl FnOnce() -> String) -> Never {
    let last: FinalSteps = serde_json::from_str(&text()).map_err(failed("read the specification"))?;
    last_steps(&last)
}

/// Takes the last steps.
pub(super) fn last_steps(last: &FinalSteps) -> Never {
    if let Some((uid, gid)) = last.ordinary {
        user_namespace::become_ordinary(uid, gid)?;
    }
    rustix::thread::set_no_new_privs(true).map_err(failed("give up privileges"))?;
    if last.shares_network {
        landlock::scope_sockets()?;
    }
    crate::platform::set_limits(last.limits).map_err(failed("set the limits"))?;
    std::fs::write(&last.mark, "").map_err(failed("leave a mark"))?;
    let error = Command::new(&last.program).args(&last.args).exec();
    Err(format!("cannot start `{}`: {error}", last.program))
}
