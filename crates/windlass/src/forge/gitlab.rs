//! GitLab's REST interface.

use serde_json::Value;

use super::connection::escaped;
use super::{Forge, ForgeComment, ForgeIssue, IssueChoice, WriteAccess};
use crate::cli::CliError;

/// The access level of a developer, who may push.
const DEVELOPER: u64 = 30;

/// The issues that were chosen, with their comments.
pub(super) fn issues(forge: &Forge, choice: &IssueChoice) -> Result<Vec<ForgeIssue>, CliError> {
    let project = forge.project();
    let found = match choice {
        IssueChoice::Number(n) => vec![forge.connection.get(&format!("{project}/issues/{n}"))?],
        IssueChoice::Label(name) => open(forge, &format!("labels={}", escaped(name)))?,
        IssueChoice::Milestone(name) => {
            let all = forge.connection.list(&format!("{project}/milestones?per_page=100"))?;
            let number = name.parse::<u64>().ok();
            let meant = |m: &&Value| m["title"] == *name || number.is_some() && m["iid"].as_u64() == number;
            let title = all.iter().find(meant).and_then(|m| m["title"].as_str());
            let title = title.ok_or_else(|| super::documents::no_milestone(forge, name, &all))?;
            open(forge, &format!("milestone={}", escaped(title)))?
        }
    };
    let mut people = Vec::new();
    found.iter().map(|issue| read(forge, issue, &mut people)).collect()
}

fn open(forge: &Forge, filter: &str) -> Result<Vec<Value>, CliError> {
    forge.connection.list(&format!("{}/issues?state=opened&sort=asc&per_page=100&{filter}", forge.project()))
}

fn read(forge: &Forge, issue: &Value, people: &mut Vec<(u64, WriteAccess)>) -> Result<ForgeIssue, CliError> {
    let number = issue["iid"].as_u64().unwrap_or_default();
    let url = issue["web_url"].as_str().unwrap_or_default();
    let path = format!("{}/issues/{number}/notes?sort=asc&per_page=100", forge.project());
    let mut comments = Vec::new();
    if issue["user_notes_count"] != 0 {
        for note in forge.connection.list(&path)? {
            if note["system"] != true {
                comments.push(comment(forge, &note, url, people)?);
            }
        }
    }
    let text = |key: &str| issue[key].as_str().unwrap_or_default().to_owned();
    Ok(ForgeIssue { number, title: text("title"), body: text("description"), comments })
}

/// A note on an issue, or on a line of a merge request.
pub(super) fn comment(
    forge: &Forge,
    note: &Value,
    of: &str,
    people: &mut Vec<(u64, WriteAccess)>,
) -> Result<ForgeComment, CliError> {
    let id = note["id"].as_u64().unwrap_or_default();
    Ok(ForgeComment {
        id,
        author: note["author"]["username"].as_str().unwrap_or("ghost").to_owned(),
        access: access(forge, note["author"]["id"].as_u64().unwrap_or_default(), people)?,
        body: note["body"].as_str().unwrap_or_default().to_owned(),
        url: format!("{of}#note_{id}"),
        path: note["position"]["new_path"].as_str().map(str::to_owned),
        line: note["position"]["new_line"].as_u64(),
    })
}

fn access(forge: &Forge, user: u64, people: &mut Vec<(u64, WriteAccess)>) -> Result<WriteAccess, CliError> {
    if let Some((_, known)) = people.iter().find(|(id, _)| *id == user) {
        return Ok(*known);
    }
    let told = forge.connection.find(&format!("{}/members/all/{user}", forge.project()))?;
    let level = told.and_then(|told| told["access_level"].as_u64()).unwrap_or_default();
    let access = if level >= DEVELOPER { WriteAccess::Yes } else { WriteAccess::No };
    people.push((user, access));
    Ok(access)
}
