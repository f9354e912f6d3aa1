//! Signals to exact processes, and the adoption of orphans.

use rustix::process::{Pid, Signal};

use crate::process::ProcessId;

/// Sends a signal to exactly this process: the handle is opened first and the start time checked afterwards, so a reused
/// number is never hit.
#[cfg(target_os = "linux")]
pub(crate) fn signal(id: ProcessId, signal: Signal) {
    use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};
    let Some(pid) = to_pid(id.pid) else { return };
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    if super::identify(id.pid) == Some(id) {
        // An error means that the process is gone or not ours to signal; the next look at the table tells which.
        let _ = pidfd_send_signal(handle, signal);
    }
}

/// Sends a signal to the process with this number.
#[cfg(not(target_os = "linux"))]
pub(crate) fn signal(id: ProcessId, signal: Signal) {
    if let Some(pid) = to_pid(id.pid) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

fn to_pid(pid: u32) -> Option<Pid> {
    i32::try_from(pid).ok().and_then(Pid::from_raw)
}

/// Makes this process the parent of orphaned descendants. `false` where the system cannot do that.
#[cfg(target_os = "linux")]
pub(crate) fn adopt_orphans() -> bool {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok()
}

/// Makes this process the parent of orphaned descendants. `false` where the system cannot do that.
#[cfg(not(target_os = "linux"))]
pub(crate) fn adopt_orphans() -> bool {
    false
}
