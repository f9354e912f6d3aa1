//! What a small forge holds.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// A person with an account.
#[derive(Debug, Clone)]
pub struct Person {
    /// The name of the account.
    pub login: String,
    /// `admin`, `write`, `read` or `none`.
    pub right: &'static str,
    /// Their token; none for those who never call.
    pub token: Option<String>,
}

/// A remark of a person.
#[derive(Debug, Clone)]
pub struct ForgeRemark {
    /// Its number.
    pub id: u64,
    /// The account.
    pub author: String,
    /// The text.
    pub body: String,
    /// The file and line it is about.
    pub at: Option<(String, u64)>,
}

/// An issue.
#[derive(Debug, Clone, Default)]
pub struct StandInIssue {
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// Its text.
    pub body: String,
    /// Whether it is open.
    pub open: bool,
    /// Whether it was deleted.
    pub deleted: bool,
    /// Its labels.
    pub labels: Vec<String>,
    /// Its milestone, by title.
    pub milestone: Option<String>,
    /// What was said about it.
    pub comments: Vec<ForgeRemark>,
}

/// A pull or merge request.
#[derive(Debug, Clone, Default)]
pub struct StandInPull {
    /// Its number.
    pub number: u64,
    /// The branch it brings.
    pub head: String,
    /// The repository of that branch.
    pub from: String,
    /// The branch it is for.
    pub base: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub body: String,
    /// Whether it is open.
    pub open: bool,
    /// Whether it is a draft.
    pub draft: bool,
    /// What was said about it as a whole.
    pub comments: Vec<ForgeRemark>,
    /// What was said about its lines.
    pub line_comments: Vec<ForgeRemark>,
}

/// Everything a forge holds about one repository, and its fork if there is one.
#[derive(Debug, Clone)]
pub struct ForgeState {
    /// `owner/name`.
    pub repo: String,
    /// A fork of it that callers may write to.
    pub fork: Option<String>,
    /// Whether it is shown to everybody.
    pub public: bool,
    /// The bare repository behind it, which says what is there.
    pub git_dir: Option<PathBuf>,
    /// Accounts.
    pub people: Vec<Person>,
    /// Issues.
    pub issues: Vec<StandInIssue>,
    /// Milestones by title; their numbers count from 1.
    pub milestones: Vec<String>,
    /// Files of the default branch that can be read.
    pub files: Vec<(String, String)>,
    /// Pull requests.
    pub pulls: Vec<StandInPull>,
    /// Statuses: the commit, and what was posted.
    pub statuses: Vec<(String, Value)>,
    /// Check runs by commit, as they are told.
    pub check_runs: Vec<(String, Value)>,
    /// Annotations of check runs, by number.
    pub annotations: Vec<(u64, Value)>,
    /// The most entries of a page.
    pub page: usize,
    /// So many calls are refused because there were too many.
    pub limited: usize,
    /// Every call so far.
    pub heard: Vec<String>,
}

impl ForgeState {
    /// A public repository of `owner`, who has this token and may do everything.
    pub fn new(repo: &str, owner: &str, token: &str) -> Self {
        let owner = Person { login: owner.into(), right: "admin", token: Some(token.into()) };
        Self {
            repo: repo.into(),
            fork: None,
            public: true,
            git_dir: None,
            people: vec![owner],
            issues: Vec::new(),
            milestones: Vec::new(),
            files: Vec::new(),
            pulls: Vec::new(),
            statuses: Vec::new(),
            check_runs: Vec::new(),
            annotations: Vec::new(),
            page: 100,
            limited: 0,
            heard: Vec::new(),
        }
    }

    /// Adds a person.
    pub fn person(&mut self, login: &str, right: &'static str) {
        self.people.push(Person { login: login.into(), right, token: None });
    }

    /// Adds an open issue.
    pub fn issue(&mut self, number: u64, title: &str, body: &str) -> &mut StandInIssue {
        self.issues.push(StandInIssue {
            number,
            title: title.into(),
            body: body.into(),
            open: true,
            ..StandInIssue::default()
        });
        let last = self.issues.len() - 1;
        &mut self.issues[last]
    }

    pub(super) fn login(&self, token: &str) -> Option<String> {
        let own = |person: &&Person| person.token.as_deref() == Some(token);
        self.people.iter().find(own).map(|person| person.login.clone())
    }

    pub(super) fn right(&self, login: &str) -> &'static str {
        self.people.iter().find(|person| person.login == login).map_or("none", |person| person.right)
    }

    pub(super) fn writes(&self, login: Option<&String>) -> bool {
        login.is_some_and(|login| matches!(self.right(login), "admin" | "write"))
    }

    pub(super) fn id_of(&self, login: &str) -> usize {
        self.people.iter().position(|person| person.login == login).map_or(9_999, |at| at + 1)
    }

    /// What git says about the repository behind it; everything is there where there is none.
    fn git(&self, args: &[&str]) -> Option<String> {
        let dir = self.git_dir.as_ref()?;
        let out = Command::new("git").arg("-C").arg(dir).args(args).output().ok()?;
        out.status.success().then(|| String::from_utf8_lossy(&out.stdout).trim().to_owned())
    }

    pub(super) fn has_commit(&self, name: &str) -> bool {
        let commit = format!("{name}^{{commit}}");
        self.git_dir.is_none() || self.git(&["rev-parse", "--verify", "--quiet", &commit]).is_some()
    }

    /// The commit of a branch.
    pub fn tip(&self, branch: &str) -> String {
        self.git(&["rev-parse", &format!("refs/heads/{branch}")]).unwrap_or_default()
    }

    /// Whether one branch has something that another has not.
    pub(super) fn brings(&self, head: &str, base: &str) -> bool {
        let range = format!("refs/heads/{base}..refs/heads/{head}");
        self.git_dir.is_none() || self.git(&["rev-list", "--count", &range]).is_some_and(|n| n != "0")
    }
}

impl StandInIssue {
    /// Adds a remark.
    pub fn comment(&mut self, id: u64, author: &str, body: &str) -> &mut Self {
        self.comments.push(ForgeRemark { id, author: author.into(), body: body.into(), at: None });
        self
    }
}
