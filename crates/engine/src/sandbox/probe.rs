//! Tests whether a rung is available by setting up the sandbox once.

use std::path::Path;
use std::process::{Command, Stdio};

use super::choose_rung::SandboxChoice;
use super::fence::{Fence, FenceRole, Sandbox};
use super::rung::SandboxRung;
use super::settings::SandboxConfig;
use crate::process::Token;

/// The first version of bubblewrap without a known escape (CVE-2026-87766).
const MENDED: (u32, u32) = (0, 12);

/// Whether a rung is available. `scratch` is a directory for the test.
pub fn can_have(rung: SandboxRung, config: &SandboxConfig, scratch: &Path) -> Result<(), String> {
    if rung == SandboxRung::Off {
        return Ok(());
    }
    if config.without.contains(&rung) {
        return Err("disabled for a test".into());
    }
    if let Some(why) = crate::platform::why_no_sandbox() {
        return Err(why.into());
    }
    if rung == SandboxRung::Bubblewrap && config.bubblewrap.is_none() {
        return Err("`bwrap` is not installed".into());
    }
    let sandbox = Sandbox::new(SandboxChoice { rung, missed: Vec::new() }, config.clone());
    let (work, own) = (scratch.join("work"), scratch.join("own"));
    for dir in [&work, &own] {
        std::fs::create_dir_all(dir).map_err(|e| format!("cannot create `{}`: {e}", dir.display()))?;
    }
    works(&sandbox.fence(FenceRole::Verifier, &work, &own))
}

/// Whether a fence works: sets it up once and runs nothing.
pub(super) fn works(fence: &Fence) -> Result<(), String> {
    let (program, args) = fence.trial()?;
    let mut command = Command::new(program);
    command.args(args).current_dir(fence.work()).env_clear().env("PATH", "/usr/bin:/bin");
    command.envs(fence.config().trial_token.iter().map(|token| (Token::VARIABLE, token.as_str())));
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let output = command.output().map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message");
    Err(last.trim().trim_start_matches("bwrap: ").trim_start_matches("windlass: ").to_owned())
}

/// What is known about the installed bubblewrap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BubblewrapVersion {
    /// Its own number.
    pub upstream: String,
    /// The distribution's, where one built it.
    pub package: Option<String>,
}

impl BubblewrapVersion {
    /// Asks the program, and the distribution's package manager.
    pub fn of(program: &Path) -> Option<Self> {
        let upstream = said(Command::new(program).arg("--version"))?;
        let upstream = upstream.split_whitespace().last()?.to_owned();
        let package =
            said(Command::new("dpkg-query").args(["-W", "-f=${Version}", "bubblewrap"])).or_else(|| {
                said(Command::new("rpm").args(["-q", "--qf", "%{VERSION}-%{RELEASE}", "bubblewrap"]))
            });
        Some(Self { upstream, package })
    }

    /// Whether it is older than the first fixed version and not patched by a distribution.
    pub fn is_doubtful(&self) -> bool {
        let mut numbers = self.upstream.split('.').map(|n| n.parse::<u32>().unwrap_or(0));
        let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        // A revision with a security suffix is how distributions name a patched build of an old version.
        let patched =
            |package: &str| ["+deb", "ubuntu", ".el", ".fc", "+b"].iter().any(|m| package.contains(m));
        version < MENDED && !self.package.as_deref().is_some_and(patched)
    }
}

fn said(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_bubblewrap_is_doubtful_unless_a_distribution_patched_it() {
        let doubtful = |upstream: &str, package: Option<&str>| {
            let version = BubblewrapVersion { upstream: upstream.into(), package: package.map(Into::into) };
            version.is_doubtful()
        };
        assert!(!doubtful("0.12.0", None));
        assert!(!doubtful("1.0", None));
        assert!(doubtful("0.11.2", None));
        assert!(doubtful("0.8.0", Some("0.8.0-2")));
        assert!(!doubtful("0.8.0", Some("0.8.0-2+deb12u1")));
    }
}
