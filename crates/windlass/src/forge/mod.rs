//! Where issues come from and pull requests go: GitHub and GitLab.
//!
//! `address` reads what a person writes (`gh:12`, an address), `connection` speaks to the REST interface through `gh`, `glab`
//! or by itself, `github` and `gitlab` know one interface each, and `documents` makes specifications of issues. What an
//! issue says is data: it is read as a document and reaches no shell.

mod address;
mod connection;
mod documents;
mod feedback;
mod github;
mod gitlab;
mod hidden_text;
mod program;
mod pulls;
mod refusal;
mod remote;

use crate::cli::CliError;
use crate::input::Configuration;
use crate::world::World;

pub(crate) use address::{ForgeAddress, IssueChoice, is_address, unescaped};
use connection::Connection;
pub(crate) use documents::issue_documents;
pub(crate) use feedback::Feedback;
pub(crate) use pulls::{CommitStatus, NewPull, RepoFacts, StatusState};
pub(crate) use refusal::{PullRefusal, RefusalCause};
pub(crate) use remote::RemoteRepo;

/// Which interface is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForgeKind {
    /// GitHub, or an Enterprise server.
    GitHub,
    /// GitLab, anywhere.
    GitLab,
}

impl ForgeKind {
    /// What a person calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ForgeKind::GitHub => "GitHub",
            ForgeKind::GitLab => "GitLab",
        }
    }

    /// The short name that begins an address.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            ForgeKind::GitHub => "gh",
            ForgeKind::GitLab => "gl",
        }
    }

    /// The forge of a host whose name says which it is.
    pub(crate) fn of_host(host: &str) -> Option<Self> {
        let says = |word: &str| host.split('.').any(|part| part.contains(word));
        if says("github") { Some(ForgeKind::GitHub) } else { says("gitlab").then_some(ForgeKind::GitLab) }
    }

    fn usual_host(self) -> &'static str {
        match self {
            ForgeKind::GitHub => "github.com",
            ForgeKind::GitLab => "gitlab.com",
        }
    }
}

/// Whether an account may write to the repository: only then what they say becomes work by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteAccess {
    /// They may.
    Yes,
    /// They may not, or it cannot be found out.
    No,
}

/// An issue.
#[derive(Debug, Clone)]
pub(crate) struct ForgeIssue {
    pub(crate) number: u64,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) comments: Vec<ForgeComment>,
}

/// What a person said about an issue or a pull request.
#[derive(Debug, Clone)]
pub(crate) struct ForgeComment {
    pub(crate) id: u64,
    pub(crate) author: String,
    pub(crate) access: WriteAccess,
    pub(crate) body: String,
    /// Where it can be read.
    pub(crate) url: String,
    /// The file it is about.
    pub(crate) path: Option<String>,
    /// The line of that file, as it is now.
    pub(crate) line: Option<u64>,
}

/// One repository of a forge.
#[derive(Debug, Clone)]
pub(crate) struct Forge {
    pub(crate) kind: ForgeKind,
    /// `owner/name`; groups too.
    pub(crate) repo: String,
    connection: Connection,
}

impl Forge {
    /// Opens a repository; `host` and `repo` default to those of the remote.
    pub(crate) fn open(
        world: &World,
        configuration: &Configuration,
        kind: ForgeKind,
        host: Option<&str>,
        repo: Option<&str>,
        remote: Option<&RemoteRepo>,
    ) -> Result<Self, CliError> {
        let repo = repo.map(str::to_owned).or_else(|| remote.map(|remote| remote.path.clone()));
        let repo = repo.ok_or_else(|| {
            CliError::usage(format!("no remote says which repository of {} is meant", kind.name()))
                .hint(format!("name it: `{}:owner/name#12`, or the address of the issue", kind.prefix()))
        })?;
        let own_host = remote.map(|remote| remote.host.as_str());
        let host = host.or(own_host).unwrap_or_else(|| kind.usual_host());
        // A token goes to its own forge, and to the host that the user pushes to.
        let known = host == kind.usual_host() || own_host == Some(host);
        let connection = Connection::open(world, configuration, kind, host, known)?;
        Ok(Self { kind, repo, connection })
    }

    /// The issues that were chosen, with their comments.
    pub(crate) fn issues(&self, choice: &IssueChoice) -> Result<Vec<ForgeIssue>, CliError> {
        match self.kind {
            ForgeKind::GitHub => github::issues(self, choice),
            ForgeKind::GitLab => gitlab::issues(self, choice),
        }
    }

    /// A file of the default branch; `None` if it has none such.
    pub(crate) fn file(&self, path: &str) -> Result<Option<String>, CliError> {
        let escaped = connection::escaped(path);
        let at = match self.kind {
            ForgeKind::GitHub => format!("repos/{}/contents/{}", self.repo, escaped.replace("%2F", "/")),
            ForgeKind::GitLab => format!("{}/repository/files/{escaped}/raw?ref=HEAD", self.project()),
        };
        self.connection.text(&at)
    }

    /// GitLab's name for the repository.
    fn project(&self) -> String {
        format!("projects/{}", connection::escaped(&self.repo))
    }
}
