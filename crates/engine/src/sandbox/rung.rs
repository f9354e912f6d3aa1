//! The rungs: how firmly a process can be fenced in on this machine, strongest last.

use serde::{Deserialize, Serialize};

/// How firmly a process is fenced in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rung {
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

impl Rung {
    /// Every rung, strongest first.
    pub const ALL: [Rung; 4] = [Rung::Bubblewrap, Rung::Namespaces, Rung::Landlock, Rung::Off];

    /// Its name in configuration, in the journal and in evidence.
    pub fn as_str(self) -> &'static str {
        match self {
            Rung::Off => "off",
            Rung::Landlock => "landlock",
            Rung::Namespaces => "namespaces",
            Rung::Bubblewrap => "bubblewrap",
        }
    }

    /// Whether processes on this rung see files at other places than they lie: only there a slot has a constant path.
    pub fn has_own_root(self) -> bool {
        match self {
            Rung::Off | Rung::Landlock => false,
            Rung::Namespaces | Rung::Bubblewrap => true,
        }
    }
}

/// Which rung is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wish {
    /// The strongest there is.
    #[default]
    Strongest,
    /// This one; not having it is an error.
    Only(Rung),
}

impl Wish {
    /// Reads `auto` or the name of a rung.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "auto" {
            return Some(Wish::Strongest);
        }
        Rung::ALL.into_iter().find(|rung| rung.as_str() == text).map(Wish::Only)
    }
}
