//! The helper: sets up a sandbox around itself and execs the command. Runs in a process of its own.
//!
//! No code here may start a thread: only a single-threaded process can change its user namespace.

mod bubblewrap;
mod bubblewrap_args;
pub(crate) mod edition;
mod final_steps;
mod keeper;
pub(crate) mod keeper_report;
mod landlock;
mod loopback;
mod namespaces;
mod overlay;
pub(crate) mod relay;
mod root_directory;
mod shared_network;
pub(crate) mod spec;
mod syscall_filter;
mod user_namespace;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rustix::process::{Signal, getppid, set_parent_process_death_signal};

use self::spec::ConfinementSpec;
use crate::sandbox::SandboxRung;

/// The argument that starts the helper outside.
pub(crate) const OUTSIDE: &str = "__confine";
/// The argument that starts the final steps inside.
const INSIDE: &str = "__inside";
/// The argument that starts the keeper inside.
pub(crate) const KEEP: &str = "__keep";
/// The argument that starts the first process of new namespaces.
const FIRST: &str = "__first";
/// The argument that starts the holder of a shared network.
pub(crate) const HOLD: &str = "__hold";

/// The helper's exit code on failure.
const FAILED: u8 = 125;

/// Runs the helper for these arguments (without the program's name); `None` if they are not for the helper.
pub fn main(args: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args;
    let word = args.next()?;
    let mut text = || args.next().and_then(|text| text.into_string().ok()).unwrap_or_default();
    let end = match word.to_str()? {
        edition::EDITION => return Some(print_edition()),
        OUTSIDE => outside(text),
        INSIDE => final_steps::become_command(text),
        KEEP => keeper::main(text),
        FIRST => namespaces::be_first(text),
        HOLD => shared_network::hold(text),
        crate::process::WATCHDOG => crate::process::run_watchdog(),
        crate::process::LAUNCHER => crate::process::run_launcher(args),
        crate::process::ADOPTER => crate::process::run_adopter(&text()),
        _ => return None,
    };
    let Err(why) = end;
    let _ = writeln!(std::io::stderr(), "windlass: {why}");
    Some(ExitCode::from(FAILED))
}

fn print_edition() -> ExitCode {
    let said = writeln!(std::io::stdout(), "{}", edition::own());
    if said.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(FAILED) }
}

/// Returns only on failure, with the reason.
type Never = Result<std::convert::Infallible, String>;

fn outside(text: impl FnOnce() -> String) -> Never {
    let spec: ConfinementSpec = serde_json::from_str(&text()).map_err(failed("read the specification"))?;
    die_with(spec.parent)?;
    // Here and not by its parent, which would have to copy its own memory for that.
    rustix::process::setsid().map_err(failed("have a session of its own"))?;
    for group in &spec.groups {
        std::fs::write(group.join("cgroup.procs"), "0").map_err(failed("join a control group"))?;
    }
    match spec.rung {
        SandboxRung::Bubblewrap => bubblewrap::become_command(&spec),
        SandboxRung::Namespaces => namespaces::become_command(spec),
        SandboxRung::Landlock => landlock::become_command(&spec),
        SandboxRung::Off => final_steps::last_steps(&spec.last),
    }
}

/// Sets the parent-death signal. Must be repeated after every change of credentials, which clears it.
fn die_with(parent: u32) -> Result<(), String> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(failed("bind to the parent's life"))?;
    let now = getppid().map(|pid| pid.as_raw_nonzero().get().cast_unsigned());
    if now == Some(parent) { Ok(()) } else { Err("the parent process is gone".into()) }
}

/// Formats an error.
fn failed<E: Display>(what: &str) -> impl FnOnce(E) -> String {
    move |error| format!("cannot {what}: {error}")
}

/// The mount point of an overlay.
pub(crate) fn merged(work: &Path) -> PathBuf {
    work.with_extension("merged")
}
