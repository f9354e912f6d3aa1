//! Sandbox rungs, strongest last.

use serde::{Deserialize, Serialize};

/// How strong a sandbox is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxRung {
    /// No sandbox; processes are only ended.
    #[default]
    Off,
    /// Landlock: other files are denied; processes and network are visible.
    Landlock,
    /// Namespaces created by Windlass: own files, processes and network.
    Namespaces,
    /// Namespaces created by bubblewrap, with a system call filter; they end when Windlass is killed.
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

    /// The rung of this name.
    pub fn parse(text: &str) -> Option<Self> {
        SandboxRung::ALL.into_iter().find(|rung| rung.as_str() == text)
    }

    /// Whether processes see their own root directory; only then a work directory has a constant path.
    pub fn has_own_root(self) -> bool {
        match self {
            SandboxRung::Off | SandboxRung::Landlock => false,
            SandboxRung::Namespaces | SandboxRung::Bubblewrap => true,
        }
    }
}

/// The requested rung.
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
        SandboxRung::parse(text).map(SandboxWish::Only)
    }

    /// As it is read.
    pub fn as_str(self) -> &'static str {
        match self {
            SandboxWish::Strongest => "auto",
            SandboxWish::Only(rung) => rung.as_str(),
        }
    }
}
