//! Holds a network that several sandboxes share: tests and the services they need.

use std::io::{Read as _, Write as _};

use rustix::thread::UnshareFlags;

use super::{Never, die_with, failed, loopback, user_namespace};

/// Creates the network, reports it, and holds it until standard input is closed.
pub(super) fn hold(text: impl FnOnce() -> String) -> Never {
    let parent: u32 = text().parse().map_err(failed("read the parent's pid"))?;
    user_namespace::leave(UnshareFlags::NEWNET)?;
    die_with(parent)?;
    loopback::bring_up()?;
    let mut out = std::io::stdout();
    out.write_all(b"ready\n").and_then(|()| out.flush()).map_err(failed("report readiness"))?;
    let mut rest = Vec::new();
    std::io::stdin().read_to_end(&mut rest).map_err(failed("wait"))?;
    std::process::exit(0)
}
