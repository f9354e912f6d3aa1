//! GitLab's part of a small forge.

use serde_json::{Value, json};

use super::state::{ForgeRemark, ForgeState, StandInIssue, StandInPull};
use super::{ForgeCall, Told, refused};

pub(super) fn answer(state: &mut ForgeState, call: &ForgeCall<'_>) -> Told {
    let parts: Vec<&str> = call.parts.iter().map(String::as_str).collect();
    let [_, project, rest @ ..] = parts.as_slice() else { return refused(404, "404 Not Found") };
    let is_fork = state.fork.as_deref() == Some(*project);
    if (*project != state.repo && !is_fork) || (!state.public && call.login.is_none()) {
        return refused(404, "404 Project Not Found");
    }
    // The fork is the caller's own.
    let writes = (is_fork && call.login.is_some()) || state.writes(call.login.as_ref());
    match (call.method, rest) {
        ("GET", []) => (200, told_project(state, project, writes)),
        ("GET", ["issues"]) => (200, issues(state, call)),
        ("GET", ["issues", iid]) => match find(state, iid) {
            Some(issue) => (200, told_issue(state, issue)),
            None => refused(404, "404 Not found"),
        },
        ("GET", ["issues", iid, "notes"]) => match find(state, iid) {
            Some(issue) => (200, notes(state, &issue.comments)),
            None => refused(404, "404 Not found"),
        },
        ("GET", ["milestones"]) => {
            let all = state.milestones.iter().enumerate();
            (200, all.map(|(at, title)| json!({ "iid": at + 1, "title": title })).collect())
        }
        ("GET", ["members", "all", id]) => member(state, id),
        ("GET", ["repository", "files", path, "raw"]) => {
            let file = state.files.iter().find(|(name, _)| name == path);
            file.map_or_else(|| refused(404, "404 File Not Found"), |(_, text)| (200, json!(text)))
        }
        ("GET", ["repository", "commits", sha, "statuses"]) => {
            let of = state.statuses.iter().rev().filter(|(commit, _)| commit == sha);
            (200, of.map(|(_, status)| status.clone()).collect())
        }
        ("GET", ["repository", "branches", name]) => match state.tip(name) {
            tip if tip.is_empty() => refused(404, "404 Branch Not Found"),
            tip => (200, json!({ "name": name, "commit": { "id": tip } })),
        },
        ("GET", ["merge_requests"]) => (200, requests(state, call)),
        ("GET", ["merge_requests", iid, "notes"]) => request_notes(state, iid),
        ("POST" | "PUT", _) if call.login.is_none() => refused(401, "401 Unauthorized"),
        ("PUT", ["merge_requests", iid]) => change_request(state, call, iid, writes),
        ("POST" | "PUT", _) if !writes => refused(403, "403 Forbidden"),
        ("POST", ["merge_requests"]) => open_request(state, call, project),
        ("POST", ["statuses", sha]) => status(state, call, sha),
        _ => refused(404, "404 Not Found"),
    }
}

/// The number of the repository, and that of its fork.
fn project_id(state: &ForgeState, project: &str) -> u64 {
    if project == state.repo { 1 } else { 2 }
}

fn told_project(state: &ForgeState, project: &str, writes: bool) -> Value {
    let level = if writes { 40 } else { 10 };
    let access = json!({ "project_access": { "access_level": level }, "group_access": null });
    let id = project_id(state, project);
    let mut told =
        json!({ "id": id, "path_with_namespace": project, "default_branch": "main", "permissions": access });
    if project != state.repo {
        // Of the origin little is told here.
        told["forked_from_project"] = json!({ "id": 1, "path_with_namespace": state.repo });
    }
    told
}

fn told_issue(state: &ForgeState, issue: &StandInIssue) -> Value {
    json!({
        "iid": issue.number,
        "title": issue.title,
        "description": issue.body,
        "state": if issue.open { "opened" } else { "closed" },
        "user_notes_count": issue.comments.len(),
        "web_url": format!("https://gitlab.com/{}/-/issues/{}", state.repo, issue.number),
    })
}

fn issues(state: &ForgeState, call: &ForgeCall<'_>) -> Value {
    let fits = |issue: &&StandInIssue| {
        issue.open
            && !issue.deleted
            && call.asked("labels").is_none_or(|label| issue.labels.iter().any(|own| own == label))
            && call.asked("milestone").is_none_or(|title| issue.milestone.as_deref() == Some(title))
    };
    state.issues.iter().filter(fits).map(|issue| told_issue(state, issue)).collect()
}

fn find<'s>(state: &'s ForgeState, iid: &str) -> Option<&'s StandInIssue> {
    state.issues.iter().find(|issue| issue.number.to_string() == iid && !issue.deleted)
}

fn notes(state: &ForgeState, all: &[ForgeRemark]) -> Value {
    let system = json!({ "id": 1, "system": true, "body": "changed the description", "author": { "id": 1 } });
    let one = |said: &ForgeRemark| {
        let author = json!({ "id": state.id_of(&said.author), "username": said.author });
        let mut told = json!({ "id": said.id, "system": false, "body": said.body, "author": author });
        if let Some((path, line)) = &said.at {
            told["position"] = json!({ "new_path": path, "new_line": line });
        }
        told
    };
    std::iter::once(system).chain(all.iter().map(one)).collect()
}

fn member(state: &ForgeState, id: &str) -> Told {
    let person = state.people.iter().find(|person| state.id_of(&person.login).to_string() == id);
    let level = match person.map(|person| person.right) {
        Some("admin") => 40,
        Some("write") => 30,
        Some("read") => 20,
        _ => return refused(404, "404 Not found"),
    };
    (200, json!({ "access_level": level }))
}

fn told_request(state: &ForgeState, pull: &StandInPull) -> Value {
    json!({
        "iid": pull.number,
        "title": pull.title,
        "description": pull.body,
        "source_branch": pull.head,
        "source_project_id": project_id(state, &pull.from),
        "target_branch": pull.base,
        "state": if pull.open { "opened" } else { "closed" },
        "web_url": format!("https://gitlab.com/{}/-/merge_requests/{}", state.repo, pull.number),
    })
}

fn requests(state: &ForgeState, call: &ForgeCall<'_>) -> Value {
    let fits = |pull: &&StandInPull| {
        pull.open && call.asked("source_branch").is_none_or(|branch| branch == pull.head)
    };
    state.pulls.iter().filter(fits).map(|pull| told_request(state, pull)).collect()
}

fn request_notes(state: &ForgeState, iid: &str) -> Told {
    let pull = state.pulls.iter().find(|pull| pull.number.to_string() == iid);
    let Some(pull) = pull else { return refused(404, "404 Not found") };
    let all: Vec<ForgeRemark> = pull.comments.iter().chain(&pull.line_comments).cloned().collect();
    (200, notes(state, &all))
}

fn open_request(state: &mut ForgeState, call: &ForgeCall<'_>, project: &str) -> Told {
    let (head, base) = (call.said("source_branch"), call.said("target_branch"));
    if project != state.repo && call.body["target_project_id"] != 1 {
        return refused(422, "target project is not where the fork came from");
    }
    if !state.has_commit(&format!("refs/heads/{head}")) {
        return refused(400, "source_branch does not exist");
    }
    if state.pulls.iter().any(|pull| pull.open && pull.head == head && pull.base == base) {
        let why = format!("Another open merge request already exists for this source branch: !{head}");
        return (409, json!({ "message": [why] }));
    }
    let number = 100 + state.pulls.len() as u64;
    let (title, body, from) = (call.said("title"), call.said("description"), project.to_owned());
    let draft = title.starts_with("Draft:");
    let pull =
        StandInPull { number, head, from, base, title, body, open: true, draft, ..StandInPull::default() };
    let told = told_request(state, &pull);
    state.pulls.push(pull);
    (201, told)
}

fn change_request(state: &mut ForgeState, call: &ForgeCall<'_>, iid: &str, writes: bool) -> Told {
    let Some(at) = state.pulls.iter().position(|pull| pull.number.to_string() == iid) else {
        return refused(404, "404 Not found");
    };
    // The author of a merge request may change its text: here, that is the owner of the fork.
    if !writes && state.pulls[at].from == state.repo {
        return refused(403, "403 Forbidden");
    }
    let pull = &mut state.pulls[at];
    let fields =
        [("title", &mut pull.title), ("description", &mut pull.body), ("target_branch", &mut pull.base)];
    for (key, field) in fields {
        if let Some(text) = call.body[key].as_str() {
            text.clone_into(field);
        }
    }
    (200, told_request(state, &state.pulls[at]))
}

fn status(state: &mut ForgeState, call: &ForgeCall<'_>, sha: &str) -> Told {
    if !state.has_commit(sha) {
        return refused(404, "404 Commit Not Found");
    }
    if !matches!(call.said("state").as_str(), "pending" | "running" | "success" | "failed" | "canceled") {
        return refused(400, "state does not have a valid value");
    }
    let mut told = call.body.clone();
    told["status"] = told["state"].clone();
    state.statuses.push((sha.to_owned(), told.clone()));
    (201, told)
}
