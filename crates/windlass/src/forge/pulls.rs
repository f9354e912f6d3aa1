//! Pull requests (merge requests on GitLab) and statuses of commits.

use serde_json::{Value, json};

use super::connection::{RestMethod, escaped};
use super::{Forge, ForgeKind, PullRefusal};
use crate::cli::CliError;

/// The longest description of a status.
const DESCRIPTION: usize = 140;
/// The access level of a developer on GitLab, who may push.
const DEVELOPER: u64 = 30;

/// What a forge says of a repository.
#[derive(Debug, Clone)]
pub(crate) struct RepoFacts {
    /// `owner/name`.
    pub(crate) name: String,
    pub(crate) default_branch: String,
    /// Whether the caller may push to it.
    pub(crate) may_push: bool,
    /// The number that GitLab knows it by.
    id: u64,
    /// The repository it is a fork of.
    pub(crate) parent: Option<Box<RepoFacts>>,
}

/// A pull request that is open.
#[derive(Debug, Clone)]
pub(crate) struct PullRequest {
    pub(crate) number: u64,
    pub(crate) url: String,
    pub(crate) body: String,
}

/// A pull request to be.
#[derive(Debug)]
pub(crate) struct NewPull<'p> {
    /// The repository that has the branch.
    pub(crate) from: &'p RepoFacts,
    /// The repository it is for.
    pub(crate) to: &'p RepoFacts,
    pub(crate) branch: &'p str,
    pub(crate) base: &'p str,
    pub(crate) title: &'p str,
    pub(crate) body: &'p str,
    pub(crate) draft: bool,
}

/// How a check of a commit stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatusState {
    Success,
    Failure,
    Pending,
}

/// A status of a commit.
#[derive(Debug)]
pub(crate) struct CommitStatus<'s> {
    pub(crate) context: &'s str,
    pub(crate) state: StatusState,
    pub(crate) description: String,
    pub(crate) url: &'s str,
}

impl Forge {
    /// The same forge, another repository.
    pub(crate) fn other(&self, repo: &str) -> Self {
        Self { repo: repo.to_owned(), ..self.clone() }
    }

    /// Refuses without a login.
    pub(crate) fn needs_login(&self) -> Result<(), CliError> {
        self.connection.needs_login()
    }

    /// What the forge says of the repository.
    pub(crate) fn facts(&self) -> Result<RepoFacts, CliError> {
        match self.kind {
            ForgeKind::GitHub => {
                let told = self.connection.get(&format!("repos/{}", self.repo))?;
                Ok(github_facts(&told))
            }
            ForgeKind::GitLab => {
                let mut facts = gitlab_facts(&self.connection.get(&self.project())?);
                // What is said of the origin of a fork is too short.
                if let Some(parent) = &facts.parent {
                    let told = self.connection.find(&self.other(&parent.name).project())?;
                    facts.parent = told.map(|told| Box::new(gitlab_facts(&told)));
                }
                Ok(facts)
            }
        }
    }

    /// Whether the repository has a branch of this name.
    pub(crate) fn has_branch(&self, name: &str) -> Result<bool, CliError> {
        let path = match self.kind {
            ForgeKind::GitHub => format!("repos/{}/branches/{}", self.repo, escaped(name)),
            ForgeKind::GitLab => format!("{}/repository/branches/{}", self.project(), escaped(name)),
        };
        Ok(!name.is_empty() && self.connection.find(&path)?.is_some())
    }

    /// The open pull request of a branch, for this repository.
    pub(crate) fn pull_of(&self, from: &RepoFacts, branch: &str) -> Result<Option<PullRequest>, CliError> {
        let path = match self.kind {
            ForgeKind::GitHub => {
                let owner = from.name.split('/').next().unwrap_or_default();
                let head = escaped(&format!("{owner}:{branch}"));
                format!("repos/{}/pulls?state=open&head={head}&per_page=100", self.repo)
            }
            ForgeKind::GitLab => {
                let branch = escaped(branch);
                format!("{}/merge_requests?state=opened&source_branch={branch}&per_page=100", self.project())
            }
        };
        let own = |pull: &&Value| {
            self.kind == ForgeKind::GitHub
                || pull["source_project_id"].as_u64().is_none_or(|id| id == from.id)
        };
        Ok(self.connection.list(&path)?.iter().find(own).map(|pull| self.read_pull(pull)))
    }

    /// Opens a pull request; the inner error is what the forge has against it.
    pub(crate) fn open_pull(&self, new: &NewPull<'_>) -> Result<Result<PullRequest, PullRefusal>, CliError> {
        let opened = match self.kind {
            ForgeKind::GitHub => {
                let owner = new.from.name.split('/').next().unwrap_or_default();
                let body = json!({
                    "title": new.title,
                    "head": format!("{owner}:{}", new.branch),
                    "base": new.base,
                    "body": new.body,
                    "draft": new.draft,
                });
                self.connection.open_pull(&format!("repos/{}/pulls", self.repo), &body)?
            }
            ForgeKind::GitLab => {
                let draft = if new.draft { "Draft: " } else { "" };
                let body = json!({
                    "title": format!("{draft}{}", new.title),
                    "source_branch": new.branch,
                    "target_branch": new.base,
                    "target_project_id": new.to.id,
                    "description": new.body,
                });
                let source = self.other(&new.from.name).project();
                self.connection.open_pull(&format!("{source}/merge_requests"), &body)?
            }
        };
        Ok(opened.map(|pull| self.read_pull(&pull)))
    }

    /// Gives a pull request another text and base; its title is the user's.
    pub(crate) fn update_pull(&self, pull: &PullRequest, base: &str, body: &str) -> Result<(), CliError> {
        let n = pull.number;
        let (method, path, body) = match self.kind {
            ForgeKind::GitHub => (
                RestMethod::Patch,
                format!("repos/{}/pulls/{n}", self.repo),
                json!({ "body": body, "base": base }),
            ),
            ForgeKind::GitLab => {
                let body = json!({ "description": body, "target_branch": base });
                (RestMethod::Put, format!("{}/merge_requests/{n}", self.project()), body)
            }
        };
        self.connection.call(method, &path, Some(&body)).map(|_| ())
    }

    /// Sets a status of a commit.
    pub(crate) fn set_status(&self, commit: &str, status: &CommitStatus<'_>) -> Result<(), CliError> {
        let description: String = status.description.chars().take(DESCRIPTION).collect();
        let (path, name, state) = match self.kind {
            ForgeKind::GitHub => {
                let state = match status.state {
                    StatusState::Success => "success",
                    StatusState::Failure => "failure",
                    StatusState::Pending => "pending",
                };
                (format!("repos/{}/statuses/{commit}", self.repo), "context", state)
            }
            ForgeKind::GitLab => {
                let state = match status.state {
                    StatusState::Success => "success",
                    StatusState::Failure => "failed",
                    StatusState::Pending => "pending",
                };
                (format!("{}/statuses/{commit}", self.project()), "name", state)
            }
        };
        let mut body = json!({ "state": state, "description": description, "target_url": status.url });
        body[name] = json!(status.context);
        self.connection.call(RestMethod::Post, &path, Some(&body)).map(|_| ())
    }

    fn read_pull(&self, pull: &Value) -> PullRequest {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match self.kind {
            ForgeKind::GitHub => PullRequest {
                number: pull["number"].as_u64().unwrap_or_default(),
                url: text(&pull["html_url"]),
                body: text(&pull["body"]),
            },
            ForgeKind::GitLab => PullRequest {
                number: pull["iid"].as_u64().unwrap_or_default(),
                url: text(&pull["web_url"]),
                body: text(&pull["description"]),
            },
        }
    }
}

fn github_facts(told: &Value) -> RepoFacts {
    let text = |key: &str| told[key].as_str().unwrap_or_default().to_owned();
    let parent = &told["parent"];
    RepoFacts {
        name: text("full_name"),
        default_branch: text("default_branch"),
        may_push: told["permissions"]["push"] == true,
        id: told["id"].as_u64().unwrap_or_default(),
        parent: parent.is_object().then(|| Box::new(github_facts(parent))),
    }
}

fn gitlab_facts(told: &Value) -> RepoFacts {
    let text = |key: &str| told[key].as_str().unwrap_or_default().to_owned();
    let level = |whose: &str| told["permissions"][whose]["access_level"].as_u64().unwrap_or_default();
    let parent = &told["forked_from_project"];
    RepoFacts {
        name: text("path_with_namespace"),
        default_branch: text("default_branch"),
        may_push: level("project_access").max(level("group_access")) >= DEVELOPER,
        id: told["id"].as_u64().unwrap_or_default(),
        parent: parent.is_object().then(|| Box::new(gitlab_facts(parent))),
    }
}
