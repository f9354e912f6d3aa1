//! GitHub's REST interface.

use serde_json::Value;

use super::connection::escaped;
use super::{Forge, ForgeComment, ForgeIssue, IssueChoice, WriteAccess};
use crate::cli::CliError;

/// The issues that were chosen, with their comments.
pub(super) fn issues(forge: &Forge, choice: &IssueChoice) -> Result<Vec<ForgeIssue>, CliError> {
    let repo = &forge.repo;
    let found = match choice {
        IssueChoice::Number(n) => vec![forge.connection.get(&format!("repos/{repo}/issues/{n}"))?],
        IssueChoice::Label(name) => open(forge, &format!("labels={}", escaped(name)))?,
        IssueChoice::Milestone(name) => {
            let all = forge.connection.list(&format!("repos/{repo}/milestones?state=all&per_page=100"))?;
            let number = name.parse::<u64>().ok();
            let meant =
                |m: &&Value| m["title"] == *name || number.is_some() && m["number"].as_u64() == number;
            let number = all.iter().find(meant).map(|m| m["number"].clone());
            let number = number.ok_or_else(|| super::documents::no_milestone(forge, name, &all))?;
            open(forge, &format!("milestone={number}"))?
        }
    };
    let mut people = Vec::new();
    found.iter().map(|issue| read(forge, issue, &mut people)).collect()
}

/// Open issues; pull requests are no issues, though the list has them.
fn open(forge: &Forge, filter: &str) -> Result<Vec<Value>, CliError> {
    let path = format!("repos/{}/issues?state=open&direction=asc&per_page=100&{filter}", forge.repo);
    let mut all = forge.connection.list(&path)?;
    all.retain(|issue| issue["pull_request"].is_null());
    Ok(all)
}

fn read(
    forge: &Forge,
    issue: &Value,
    people: &mut Vec<(String, WriteAccess)>,
) -> Result<ForgeIssue, CliError> {
    let number = issue["number"].as_u64().unwrap_or_default();
    let mut comments = Vec::new();
    if issue["comments"] != 0 {
        let path = format!("repos/{}/issues/{number}/comments?per_page=100", forge.repo);
        for said in forge.connection.list(&path)? {
            comments.push(comment(forge, &said, people)?);
        }
    }
    let text = |key: &str| issue[key].as_str().unwrap_or_default().to_owned();
    Ok(ForgeIssue { number, title: text("title"), body: text("body"), comments })
}

/// A comment on an issue, or on a line of a pull request.
pub(super) fn comment(
    forge: &Forge,
    said: &Value,
    people: &mut Vec<(String, WriteAccess)>,
) -> Result<ForgeComment, CliError> {
    let author = said["user"]["login"].as_str().unwrap_or("ghost").to_owned();
    let association = said["author_association"].as_str().unwrap_or_default();
    Ok(ForgeComment {
        id: said["id"].as_u64().unwrap_or_default(),
        access: access(forge, &author, association, people)?,
        author,
        body: said["body"].as_str().unwrap_or_default().to_owned(),
        url: said["html_url"].as_str().unwrap_or_default().to_owned(),
        path: said["path"].as_str().map(str::to_owned),
        line: said["line"].as_u64(),
    })
}

/// Whether an account may write. What GitHub says of their association leaves most people out without a further question.
fn access(
    forge: &Forge,
    login: &str,
    association: &str,
    people: &mut Vec<(String, WriteAccess)>,
) -> Result<WriteAccess, CliError> {
    if !matches!(association, "OWNER" | "MEMBER" | "COLLABORATOR") {
        return Ok(WriteAccess::No);
    }
    if let Some((_, known)) = people.iter().find(|(name, _)| name == login) {
        return Ok(*known);
    }
    let path = format!("repos/{}/collaborators/{}/permission", forge.repo, escaped(login));
    let told = forge.connection.find(&path)?;
    let writes = match &told {
        Some(told) => matches!(told["permission"].as_str(), Some("admin" | "maintain" | "write")),
        // Without permission to read collaborators, only the owner is known to have write access.
        None => association == "OWNER",
    };
    let access = if writes { WriteAccess::Yes } else { WriteAccess::No };
    people.push((login.to_owned(), access));
    Ok(access)
}
