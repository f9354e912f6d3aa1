//! How firmly the processes of a command are held together.

use std::sync::OnceLock;

use crate::platform;

/// What holds without a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Containment {
    /// A session of its own, orphans adopted by us, and a walk of `/proc`: catches daemons while we live.
    Subreaper,
    /// A session of its own and a walk of `/proc` by token: a daemon that clears its environment escapes.
    Token,
}

impl Containment {
    /// Takes the strongest rung this machine allows, for this whole process. Idempotent.
    pub fn establish() -> Self {
        static RUNG: OnceLock<Containment> = OnceLock::new();
        *RUNG.get_or_init(|| if platform::adopt_orphans() { Self::Subreaper } else { Self::Token })
    }
}
