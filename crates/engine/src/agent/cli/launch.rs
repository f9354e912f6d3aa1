//! The command line of one turn.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::acp;
use super::turn_home::TurnHome;
use crate::agent::Conversation;
use crate::config::{CliSpec, EnvVar};

/// What an agent may do without a prompt. Prompts are never answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// Look at files.
    Read,
    /// Change files in its directory, and run what the program itself finds harmless.
    Edit,
    /// Anything that the sandbox allows.
    Full,
}

/// What a command line is built from.
pub(super) struct LaunchRequest<'a> {
    pub(super) spec: &'a CliSpec,
    pub(super) home: &'a TurnHome,
    /// The directory to work in.
    pub(super) dir: &'a Path,
    /// A directory for the agent's result file.
    pub(super) scratch: &'a Path,
    pub(super) session: &'a Conversation,
    pub(super) schema: Option<&'a Value>,
    pub(super) permission: Permission,
    /// The most money for this turn.
    pub(super) money: Option<f64>,
}

/// A command line.
#[derive(Debug, Default)]
pub(super) struct Launch {
    pub(super) args: Vec<OsString>,
    pub(super) env: Vec<EnvVar>,
    /// Files it needs, by path.
    pub(super) files: Vec<(PathBuf, String)>,
}

impl Launch {
    /// Adds arguments.
    pub(super) fn args<A: Into<OsString>>(&mut self, args: impl IntoIterator<Item = A>) -> &mut Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Adds an option with its value, if there is one.
    pub(super) fn option(&mut self, name: &str, value: Option<impl Into<OsString>>) -> &mut Self {
        if let Some(value) = value {
            self.args.push(name.into());
            self.args.push(value.into());
        }
        self
    }

    /// Sets a variable.
    pub(super) fn set(&mut self, name: &str, value: impl Into<OsString>) -> &mut Self {
        self.env.push((name.into(), value.into()));
        self
    }
}

impl LaunchRequest<'_> {
    /// The value of a variable that the program gets.
    pub(super) fn variable(&self, name: &str) -> Option<&OsString> {
        self.spec.env.iter().find(|(n, v)| n == name && !v.is_empty()).map(|(_, v)| v)
    }

    /// Adds the user's own settings that are taken over.
    pub(super) fn carry_into(&self, settings: &mut Value) {
        for (path, value) in &self.spec.carried {
            let mut place = &mut *settings;
            for key in path.split('.') {
                place = &mut place[key];
            }
            *place = value.clone();
        }
    }

    /// Builds the command line. The user's arguments come last and may override ours.
    pub(super) fn launch(&self) -> Launch {
        if let Some(command) = &self.spec.acp {
            return acp::launch(self, command);
        }
        self.own_launch()
    }

    /// The command line of the program's own interface.
    pub(super) fn own_launch(&self) -> Launch {
        (self.spec.kind.facts().launch)(self)
    }
}

#[cfg(test)]
mod tests;
