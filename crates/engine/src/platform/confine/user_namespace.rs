//! User namespaces: inside its own, a process may create the others.

use std::fs;

use rustix::io::Errno;
use rustix::thread::{
    CapabilitySet, CapabilitySets, LinkNameSpaceType, UnshareFlags, move_into_link_name_space,
    remove_capability_from_bounding_set, set_capabilities,
};

use super::failed;

/// Unshares the given namespaces together with a user namespace in which we are root.
pub(super) fn leave(what: UnshareFlags) -> Result<(), String> {
    let (uid, gid) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    unshare(UnshareFlags::NEWUSER | what)?;
    map(0, uid, 0, gid)
}

/// Stops being root: enters a user namespace with the outer user number and no capabilities.
pub(super) fn become_ordinary(uid: u32, gid: u32) -> Result<(), String> {
    let (now, group) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    unshare(UnshareFlags::NEWUSER)?;
    map(uid, now, gid, group)?;
    give_up_rights()
}

/// Drops all capabilities for good, also for programs started by root.
pub(super) fn give_up_rights() -> Result<(), String> {
    for capability in CapabilitySet::all().iter() {
        // One that this kernel does not know cannot be had either.
        let _ = remove_capability_from_bounding_set(capability);
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    set_capabilities(None, sets).map_err(failed("give up rights"))
}

/// Joins the network namespace of another process of ours.
pub(super) fn join_network(pid: u32) -> Result<(), String> {
    let open = |kind: &str| {
        let path = format!("/proc/{pid}/ns/{kind}");
        fs::File::open(&path).map_err(|e| format!("cannot open `{path}`: {e}"))
    };
    let (user, net) = (open("user")?, open("net")?);
    for (file, kind) in [(user, LinkNameSpaceType::User), (net, LinkNameSpaceType::Network)] {
        use std::os::fd::AsFd as _;
        move_into_link_name_space(file.as_fd(), Some(kind)).map_err(failed("join the network"))?;
    }
    Ok(())
}

#[expect(deprecated, reason = "unsafe only where threads share open files; the helper has one thread")]
fn unshare(flags: UnshareFlags) -> Result<(), String> {
    rustix::thread::unshare(flags).map_err(|error| match error {
        // The kernel's own message for this is about disk space.
        Errno::NOSPC | Errno::USERS => {
            "cannot make namespaces: none are allowed here (`user.max_user_namespaces`)".to_owned()
        }
        Errno::PERM | Errno::ACCESS => {
            "cannot make namespaces: forbidden here (by the kernel's settings or a container)".to_owned()
        }
        other => failed("make namespaces")(other),
    })
}

fn map(uid: u32, outer_uid: u32, gid: u32, outer_gid: u32) -> Result<(), String> {
    // An unprivileged group map is only accepted once `setgroups` is denied.
    fs::write("/proc/self/setgroups", "deny").map_err(failed("fix the groups"))?;
    fs::write("/proc/self/uid_map", format!("{uid} {outer_uid} 1")).map_err(failed("map the user"))?;
    fs::write("/proc/self/gid_map", format!("{gid} {outer_gid} 1")).map_err(failed("map the group"))
}
