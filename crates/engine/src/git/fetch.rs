//! Brings a plan's branch and its evidence from another repository into one of their own: for an audit that believes
//! nothing on this machine.

use std::path::Path;

use super::command::{ConfigScope, GitCall, GitEnv};
use super::discover::find_program;
use super::error::GitError;
use super::repo::Repo;

/// Transports that may be used here, and nowhere else. `ext` runs a program and is never one.
const TRANSPORTS: [&str; 5] = ["file", "git", "http", "https", "ssh"];

impl Repo {
    /// Fetches branches and evidence of `url` into a new bare repository in `dir`. The user's own configuration is
    /// read, for credentials; no hook is run, and nothing of it is written.
    pub fn fetch_apart(env: GitEnv, url: &str, branches: &str, dir: &Path) -> Result<Self, GitError> {
        let program = find_program(&env.path).ok_or(GitError::GitMissing)?;
        let made = std::fs::create_dir_all(dir);
        made.map_err(|source| GitError::Io {
            what: "cannot make the directory",
            path: dir.to_owned(),
            source,
        })?;
        let call = |what| GitCall::new(&program, &env, ConfigScope::Repository, &[], what).cwd(dir);
        call("init").args(["--quiet", "--bare", "."]).ok()?;
        let mut before = vec!["-c".into(), "fetch.fsckObjects=true".into()];
        for transport in TRANSPORTS {
            before.extend(["-c".into(), format!("protocol.{transport}.allow=always").into()]);
        }
        let fetch = GitCall::new(&program, &env, ConfigScope::User, &before, "fetch").cwd(dir);
        let options = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--"];
        let heads = format!("+refs/heads/{branches}:refs/heads/{branches}");
        let evidence = "+refs/windlass/*/evidence:refs/windlass/*/evidence";
        let attested = "+refs/windlass/*/attestations:refs/windlass/*/attestations";
        fetch.args(options).args([url, &heads, evidence, attested]).ok()?;
        Self::discover(env, dir)
    }

    /// The address behind the name of a remote, if there is such a remote.
    pub fn remote_url(&self, name: &str) -> Result<Option<String>, GitError> {
        let answer = self.as_user("config").args(["--get", &format!("remote.{name}.url")]).run()?;
        let text = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        Ok((answer.code() == Some(0) && !text.is_empty()).then_some(text))
    }
}
