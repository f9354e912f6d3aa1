//! The rungs: how firmly a process can be fenced in on this machine, strongest last.

use serde::{Deserialize, Serialize};

/// How firmly a process is fenced in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxRung {
    /// Not at all: its processes are ended, and that is all.
    #[default]
    Off,
    /// The kernel refuses it the files that are not its own; it sees the machine's processes and its network.
    Landlock,
    /// Namespaces that Windlass makes itself: its own files, processes and network.
    Namespaces,
    /// Namespaces made by bubblewrap, which also end when Windlass is killed, and a filter of system calls.
    Bubblewrap,
}

impl SandboxRung {
    /// Every rung, strongest first.
    pub const ALL: [SandboxRung; 4] =
        [SandboxRung::Bubblewrap, SandboxRung::Namespaces, SandboxRung::Landlock, SandboxRung::Off];

    /// Its name in configuration, in the journal and in evidence.
    pub fn as_str(self) -> &'static str {
        match self {
            SandboxRung::Off => "off",
            SandboxRung::Landlock => "landlock",
            SandboxRung::Namespaces => "namespaces",
            SandboxRung::Bubblewrap => "bubblewrap",
        }
    }

    /// Whether processes on this rung see files at other places than they lie: only there a slot has a constant path.
    pub fn has_own_root(self) -> bool {
        match self {
            SandboxRung::Off | SandboxRung::Landlock => false,
            SandboxRung::Namespaces | SandboxRung::Bubblewrap => true,
        }
    }
}

/// Which rung is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SandboxWish {
    /// The strongest there is.
    #[default]
    Strongest,
    /// This one; not having it is an error.
    Only(SandboxRung),
}

impl SandboxWish {
    /// Reads `auto` or the name of a rung.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "auto" {
            return Some(SandboxWish::Strongest);
        }
        SandboxRung::ALL.into_iter().find(|rung| rung.as_str() == text).map(SandboxWish::Only)
    }
}
