//! How reliably the processes of a command are found without a sandbox.

use std::sync::OnceLock;

use crate::platform;

/// How processes are found without a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Containment {
    /// Session, adopted orphans and the process table: finds daemons while this program lives.
    Subreaper,
    /// Session and process table by token: a daemon that clears its environment escapes.
    Token,
}

impl Containment {
    /// Uses the strongest way this machine allows, for the whole process. Idempotent.
    pub fn establish() -> Self {
        static RUNG: OnceLock<Containment> = OnceLock::new();
        *RUNG.get_or_init(|| if platform::adopt_orphans() { Self::Subreaper } else { Self::Token })
    }
}
