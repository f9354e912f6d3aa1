//! What the helper does: it fences itself in and becomes the command. Runs in a process of its own, before anything else.
//!
//! No code here may start a thread: namespaces of users can only be left and entered by a process that has one.

mod bubblewrap;
mod bubblewrap_args;
mod final_steps;
mod keeper;
pub(crate) mod keeper_report;
mod landlock;
mod loopback;
mod namespaces;
mod overlay;
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

/// The word that makes the program fence itself in.
pub(crate) const OUTSIDE: &str = "__confine";
/// The word that makes it take the last steps inside.
const INSIDE: &str = "__inside";
/// The word that makes it the keeper of everybody inside.
pub(crate) const KEEP: &str = "__keep";
/// The word that makes it the first process of new namespaces.
const FIRST: &str = "__first";
/// The word that makes it hold a network.
pub(crate) const HOLD: &str = "__hold";

/// What the helper says when it fails, before it can say anything better.
const FAILED: u8 = 125;

/// Does what these arguments, without the program's name, ask for; `None` if they are not for the helper.
pub fn main(args: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args;
    let word = args.next()?;
    let text = || args.next().and_then(|text| text.into_string().ok()).unwrap_or_default();
    let end = match word.to_str()? {
        OUTSIDE => outside(text),
        INSIDE => final_steps::become_command(text),
        KEEP => keeper::main(text),
        FIRST => namespaces::be_first(text),
        HOLD => shared_network::hold(text),
        crate::process::WATCHDOG => crate::process::run_watchdog(),
        _ => return None,
    };
    let Err(why) = end;
    let _ = writeln!(std::io::stderr(), "windlass: {why}");
    Some(ExitCode::from(FAILED))
}

/// Never returns but with the reason why it failed.
type Never = Result<std::convert::Infallible, String>;

fn outside(text: impl FnOnce() -> String) -> Never {
    let spec: ConfinementSpec = serde_json::from_str(&text()).map_err(failed("read what to do"))?;
    die_with(spec.parent)?;
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

/// Binds our life to our parent's. To be done again after every change of what we may do: the kernel forgets it then.
fn die_with(parent: u32) -> Result<(), String> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(failed("bind to the parent's life"))?;
    let now = getppid().map(|pid| pid.as_raw_nonzero().get().cast_unsigned());
    if now == Some(parent) { Ok(()) } else { Err("whoever asked for it is gone".into()) }
}

/// Words for an error.
fn failed<E: Display>(what: &str) -> impl FnOnce(E) -> String {
    move |error| format!("cannot {what}: {error}")
}

/// Where two directories are laid together.
pub(crate) fn merged(work: &Path) -> PathBuf {
    work.with_extension("merged")
}
