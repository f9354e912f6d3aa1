//! What is said about a pull request: comments, and checks that failed.

use serde_json::Value;

use super::hidden_text::shown_text;
use super::{Forge, ForgeComment, ForgeKind, WriteAccess, github, gitlab};
use crate::cli::CliError;

/// Statuses that we set ourselves begin so.
const OWN: &str = "windlass/";

/// One remark.
#[derive(Debug, Clone)]
pub(crate) struct Feedback {
    /// What it is known by: an address that stays.
    pub(crate) key: String,
    pub(crate) who: String,
    /// Whether its author may write; checks are set up by those who may.
    pub(crate) access: WriteAccess,
    pub(crate) text: String,
    pub(crate) path: Option<String>,
    pub(crate) line: Option<u64>,
}

impl Forge {
    /// What is said about a pull request and about its newest commit.
    pub(crate) fn feedback(&self, number: u64, commit: &str) -> Result<Vec<Feedback>, CliError> {
        let mut all: Vec<Feedback> = Vec::new();
        match self.kind {
            ForgeKind::GitHub => {
                let repo = &self.repo;
                let mut people = Vec::new();
                for path in ["pulls", "issues"] {
                    let path = format!("repos/{repo}/{path}/{number}/comments?per_page=100");
                    for said in self.connection.list(&path)? {
                        all.push(from_comment(github::comment(self, &said, &mut people)?));
                    }
                }
                let runs = format!("repos/{repo}/commits/{commit}/check-runs?per_page=100");
                for run in self.connection.list(&runs)? {
                    if matches!(run["conclusion"].as_str(), Some("failure" | "timed_out")) {
                        all.push(self.of_check_run(&run, commit)?);
                    }
                }
                let path = format!("repos/{repo}/commits/{commit}/statuses?per_page=100");
                all.extend(failed(&self.connection.list(&path)?, "context", "state", commit));
            }
            ForgeKind::GitLab => {
                let project = self.project();
                let mut people = Vec::new();
                let of = format!("{}/merge_requests/{number}", self.repo);
                let path = format!("{project}/merge_requests/{number}/notes?sort=asc&per_page=100");
                for note in self.connection.list(&path)?.iter().filter(|note| note["system"] != true) {
                    all.push(from_comment(gitlab::comment(self, note, &of, &mut people)?));
                }
                let path = format!("{project}/repository/commits/{commit}/statuses?per_page=100");
                all.extend(failed(&self.connection.list(&path)?, "name", "status", commit));
            }
        }
        all.retain(|said| !said.text.trim().is_empty());
        Ok(all)
    }

    /// A check run that failed, with the place of its first annotation.
    fn of_check_run(&self, run: &Value, commit: &str) -> Result<Feedback, CliError> {
        let (name, id) = (run["name"].as_str().unwrap_or("check"), &run["id"]);
        let path = format!("repos/{}/check-runs/{id}/annotations?per_page=100", self.repo);
        let notes = self.connection.list(&path)?;
        let output = &run["output"];
        let mut text: Vec<String> = vec![format!("the check `{name}` failed")];
        text.extend(
            [&output["title"], &output["summary"]].into_iter().filter_map(|v| v.as_str().map(str::to_owned)),
        );
        text.extend(notes.iter().take(10).filter_map(|note| {
            Some(format!("{}:{}: {}", note["path"].as_str()?, note["start_line"], note["message"].as_str()?))
        }));
        let first = notes.first();
        Ok(Feedback {
            key: format!("check {name} at {commit}"),
            who: "CI".to_owned(),
            access: WriteAccess::Yes,
            text: text.join(". "),
            path: first.and_then(|note| note["path"].as_str()).map(str::to_owned),
            line: first.and_then(|note| note["start_line"].as_u64()),
        })
    }
}

fn from_comment(comment: ForgeComment) -> Feedback {
    let ForgeComment { author, access, body, url, path, line, .. } = comment;
    Feedback { key: url, who: author, access, text: shown_text(&body).0, path, line }
}

/// The contexts whose newest status is a failure.
fn failed(statuses: &[Value], name: &str, state: &str, commit: &str) -> Vec<Feedback> {
    let mut seen: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for status in statuses {
        let context = status[name].as_str().unwrap_or_default();
        if seen.contains(&context) || context.starts_with(OWN) {
            continue;
        }
        seen.push(context);
        // A job that GitLab lets fail asks for nothing.
        let fails = matches!(status[state].as_str(), Some("failure" | "error" | "failed"));
        if fails && status["allow_failure"] != true {
            let said = status["description"].as_str().unwrap_or_default();
            found.push(Feedback {
                key: format!("check {context} at {commit}"),
                who: "CI".to_owned(),
                access: WriteAccess::Yes,
                text: format!("the check `{context}` failed. {said}"),
                path: None,
                line: None,
            });
        }
    }
    found
}
