//! How firmly the processes of a command are held together.

/// The rung in use. Sandboxed rungs will be added here.
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
        todo!()
    }
}
