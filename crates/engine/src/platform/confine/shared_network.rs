//! Holds a network that several sandboxes share: a test and the database it needs.

use std::io::{Read as _, Write as _};

use rustix::thread::UnshareFlags;

use super::{Never, die_with, failed, loopback, user_namespace};

/// Makes the network, says so, and keeps it until nobody holds the other end of standard input.
pub(super) fn hold(text: impl FnOnce() -> String) -> Never {
    let parent: u32 = text().parse().map_err(failed("read who asks"))?;
    user_namespace::leave(UnshareFlags::NEWNET)?;
    die_with(parent)?;
    loopback::bring_up()?;
    let mut out = std::io::stdout();
    out.write_all(b"ready\n").and_then(|()| out.flush()).map_err(failed("say that it is ready"))?;
    let mut rest = Vec::new();
    std::io::stdin().read_to_end(&mut rest).map_err(failed("wait"))?;
    std::process::exit(0)
}
