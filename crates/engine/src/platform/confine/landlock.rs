//! The lowest rung: Landlock denies files that are not granted, and signals and sockets to processes outside.
//!
//! The file system and the network look the same as outside.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetStatus, Scope,
};

use super::{Never, failed, final_steps, user_namespace};
use crate::platform::confine::spec::ConfinementSpec;
use crate::platform::confine::spec::MountKind;

/// What every program may write: devices without memory.
const DEVICES: [&str; 6] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

/// Restricts this process for good and becomes the command.
pub(super) fn become_command(spec: &ConfinementSpec) -> Never {
    let abi = ABI::V6;
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::BestEffort);
    let ruleset = ruleset.handle_access(AccessFs::from_all(abi)).map_err(failed("use Landlock"))?;
    let ruleset = ruleset.scope(Scope::from_all(abi)).map_err(failed("use Landlock"))?;
    let mut ruleset = ruleset.create().map_err(failed("use Landlock"))?;
    let (read, write) = (AccessFs::from_read(abi), AccessFs::from_all(abi));
    let grants = spec.mounts.iter().filter_map(|mount| match &mount.kind {
        MountKind::ReadOnly(from) => Some((from.clone(), read)),
        MountKind::Writable(from) => Some((from.clone(), write)),
        MountKind::Overlay { .. } | MountKind::Empty | MountKind::Blank | MountKind::Link(_) => None,
    });
    let devices = DEVICES.iter().map(|path| (PathBuf::from(path), write));
    let proc = (PathBuf::from("/proc"), read);
    for (path, access) in grants.chain(devices).chain([proc]) {
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(abi) };
        if let Some(rule) = opened(&path).map(|fd| PathBeneath::new(fd, access)) {
            ruleset = ruleset.add_rule(rule).map_err(failed("grant a path"))?;
        }
    }
    // Root's capabilities would bypass the rules.
    user_namespace::give_up_rights()?;
    let status = ruleset.restrict_self().map_err(failed("use Landlock"))?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err("the kernel has no Landlock".into());
    }
    final_steps::last_steps(&spec.last)
}

/// Takes nameless sockets of processes outside out of reach, and signals to them, where the kernel can (Linux 6.12 on): they
/// belong to the network, which a sandbox may share.
pub(super) fn scope_sockets() -> Result<(), String> {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::BestEffort);
    let ruleset = ruleset.scope(Scope::from_all(ABI::V6)).map_err(failed("use Landlock"))?;
    let ruleset = ruleset.create().map_err(failed("use Landlock"))?;
    ruleset.restrict_self().map_err(failed("use Landlock"))?;
    Ok(())
}

/// A granted path that is not there grants nothing.
fn opened(path: &Path) -> Option<PathFd> {
    PathFd::new(path).ok()
}
