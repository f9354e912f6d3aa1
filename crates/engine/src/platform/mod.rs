//! Everything the engine asks of the operating system beyond files, pipes and `exec`. Linux today.
//!
//! The rest of the engine calls plain functions from here; `cfg(target_os)`, `/proc`, control groups, namespaces,
//! Landlock, `prctl` and mounts appear nowhere else. Another system (macOS, FreeBSD) must provide:
//!
//! | what | where | without it |
//! |---|---|---|
//! | list processes with parent, group, session, start time and zombie state | [`ProcessTable`] | nothing a command leaves behind can be found |
//! | read a process's environment variable | [`ProcessInfo::token`] | daemons are found by session only |
//! | identify a process beyond its reusable number | [`identify`] | a signal may hit another process |
//! | whether that process still runs | [`is_alive`] | a run that is gone looks active, or the other way round |
//! | the pid namespace of this process | [`pid_namespace`] | files of processes in other containers are taken for left-overs |
//! | signal exactly that process | [`signal`] | the same |
//! | adopt orphaned descendants | [`adopt_orphans`] | daemons that clear their environment escape |
//! | group limits on processes and memory | [`control_groups`] | the keeper polls instead |
//! | per-process limits (`setrlimit`) | [`set_limits`] | commands run without limits |
//! | a root, processes and network of a command's own | [`confine`] | `sandbox = "off"`, agents are refused |
//! | a socket at a path of any length | [`listen_at`] | agents in a deep cache directory have no way to their model |
//! | directories laid over each other, and which files they hide | [`overlay_marks`] | exports are copied instead |
//!
//! On a system that lacks a part, its function returns the answer that means "not available": the callers already
//! handle it, because the same happens in containers.

pub(crate) mod confine;
pub(crate) mod control_groups;
mod local_socket;
pub(crate) mod overlay_marks;
mod process_table;
mod resource_limits;
mod signals;

pub(crate) use local_socket::listen_at;
pub(crate) use process_table::identify;
pub use process_table::is_alive;
pub(crate) use process_table::{ProcessInfo, ProcessTable, exists, name_of, pid_namespace};
pub(crate) use resource_limits::set_limits;
pub(crate) use signals::{adopt_orphans, signal};

/// Whether programs keep logins in a keychain of the system instead of in files.
pub(crate) const HAS_KEYCHAIN: bool = cfg!(target_os = "macos");

/// Why no sandbox can exist on this system, if so.
pub(crate) fn why_no_sandbox() -> Option<&'static str> {
    if cfg!(target_os = "linux") { None } else { Some("this is not Linux") }
}

/// The numbers of the user and the group that the engine runs as.
pub(crate) fn user_and_group() -> (u32, u32) {
    (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw())
}
