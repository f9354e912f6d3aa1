//! GitHub's part of a small forge.

use serde_json::{Value, json};

use super::state::{ForgeRemark, ForgeState, StandInIssue, StandInPull};
use super::{ForgeCall, Told, refused};

/// The longest text of a pull request.
const LONGEST: usize = 65_536;

pub(super) fn answer(state: &mut ForgeState, call: &ForgeCall<'_>) -> Told {
    let parts: Vec<&str> = call.parts.iter().map(String::as_str).collect();
    let [_, owner, name, rest @ ..] = parts.as_slice() else { return refused(404, "Not Found") };
    let asked = format!("{owner}/{name}");
    let is_fork = state.fork.as_deref() == Some(asked.as_str());
    if (asked != state.repo && !is_fork) || (!state.public && call.login.is_none()) {
        return refused(404, "Not Found");
    }
    let writes = state.writes(call.login.as_ref());
    match (call.method, rest) {
        ("GET", []) => repository(state, is_fork, writes),
        ("GET", ["issues"]) => (200, issues(state, call)),
        ("GET", ["issues", number]) => one_issue(state, number),
        ("GET", ["issues", number, "comments"]) => issue_comments(state, number),
        ("GET", ["milestones"]) => {
            let all = state.milestones.iter().enumerate();
            (200, all.map(|(at, title)| json!({ "number": at + 1, "title": title })).collect())
        }
        ("GET", ["collaborators", login, "permission"]) if writes => {
            (200, json!({ "permission": state.right(login) }))
        }
        ("GET", ["collaborators", ..]) => {
            refused(403, "Must have push access to view collaborator permission.")
        }
        ("GET", ["contents", path @ ..]) => contents(state, &path.join("/")),
        ("GET", ["branches", name]) => match state.tip(name) {
            tip if tip.is_empty() => refused(404, "Branch not found"),
            tip => (200, json!({ "name": name, "commit": { "sha": tip } })),
        },
        ("GET", ["pulls"]) => (200, pulls(state, call)),
        ("GET", ["pulls", number, "comments"]) => line_comments(state, number),
        ("GET", ["pulls", _, "reviews"]) => (200, json!([])),
        ("GET", ["commits", sha, "check-runs"]) => check_runs(state, sha),
        ("GET", ["commits", sha, "statuses"]) => {
            let of = state.statuses.iter().rev().filter(|(commit, _)| commit == sha);
            (200, of.map(|(_, status)| status.clone()).collect())
        }
        ("GET", ["check-runs", id, "annotations"]) => {
            let of = state.annotations.iter().filter(|(run, _)| run.to_string() == *id);
            (200, of.map(|(_, note)| note.clone()).collect())
        }
        ("POST" | "PATCH", _) if call.login.is_none() => refused(401, "Requires authentication"),
        ("POST", ["pulls"]) => open_pull(state, call),
        ("PATCH", ["pulls", number]) => change_pull(state, call, number),
        ("POST", ["statuses", sha]) => status(state, call, sha, writes),
        _ => refused(404, "Not Found"),
    }
}

fn repository(state: &ForgeState, is_fork: bool, writes: bool) -> Told {
    let of = |name: &str, push: bool| json!({ "full_name": name, "default_branch": "main", "permissions": { "push": push } });
    if !is_fork {
        let mut told = of(&state.repo, writes);
        told["fork"] = json!(false);
        return (200, told);
    }
    let mut told = of(state.fork.as_deref().unwrap_or_default(), true);
    told["fork"] = json!(true);
    told["parent"] = of(&state.repo, writes);
    (200, told)
}

fn told_issue(state: &ForgeState, issue: &StandInIssue) -> Value {
    json!({
        "number": issue.number,
        "title": issue.title,
        "body": issue.body,
        "state": if issue.open { "open" } else { "closed" },
        "comments": issue.comments.len(),
        "html_url": format!("https://github.com/{}/issues/{}", state.repo, issue.number),
    })
}

fn issues(state: &ForgeState, call: &ForgeCall<'_>) -> Value {
    let number = call.asked("milestone").and_then(|n| n.parse::<usize>().ok());
    let milestone = number.and_then(|n| state.milestones.get(n.checked_sub(1)?));
    let fits = |issue: &&StandInIssue| {
        issue.open
            && !issue.deleted
            && call.asked("labels").is_none_or(|label| issue.labels.iter().any(|own| own == label))
            && (number.is_none() || (milestone.is_some() && issue.milestone.as_ref() == milestone))
    };
    state.issues.iter().filter(fits).map(|issue| told_issue(state, issue)).collect()
}

fn find<'s>(state: &'s ForgeState, number: &str) -> Option<&'s StandInIssue> {
    state.issues.iter().find(|issue| issue.number.to_string() == number)
}

fn one_issue(state: &ForgeState, number: &str) -> Told {
    match find(state, number) {
        Some(issue) if issue.deleted => refused(410, "This issue was deleted"),
        Some(issue) => (200, told_issue(state, issue)),
        None => refused(404, "Not Found"),
    }
}

fn association(state: &ForgeState, login: &str) -> &'static str {
    match state.right(login) {
        "admin" => "OWNER",
        "write" | "read" => "COLLABORATOR",
        _ => "NONE",
    }
}

fn told_comment(state: &ForgeState, said: &ForgeRemark, of: &str) -> Value {
    let mut told = json!({
        "id": said.id,
        "body": said.body,
        "user": { "login": said.author },
        "author_association": association(state, &said.author),
        "html_url": format!("https://github.com/{}/{of}-{}", state.repo, said.id),
    });
    if let Some((path, line)) = &said.at {
        told["path"] = json!(path);
        told["line"] = json!(line);
    }
    told
}

fn issue_comments(state: &ForgeState, number: &str) -> Told {
    let of_pull =
        state.pulls.iter().find(|pull| pull.number.to_string() == number).map(|pull| &pull.comments);
    let Some(all) = find(state, number).map(|issue| &issue.comments).or(of_pull) else {
        return refused(404, "Not Found");
    };
    let of = format!("issues/{number}#issuecomment");
    (200, all.iter().map(|said| told_comment(state, said, &of)).collect())
}

fn line_comments(state: &ForgeState, number: &str) -> Told {
    let pull = state.pulls.iter().find(|pull| pull.number.to_string() == number);
    let Some(pull) = pull else { return refused(404, "Not Found") };
    let of = format!("pull/{number}#discussion_r");
    (200, pull.line_comments.iter().map(|said| told_comment(state, said, &of)).collect())
}

fn contents(state: &ForgeState, path: &str) -> Told {
    let Some((_, text)) = state.files.iter().find(|(name, _)| name == path) else {
        return refused(404, "Not Found");
    };
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut coded = String::new();
    for three in text.as_bytes().chunks(3) {
        let at = |n: usize| u32::from(three.get(n).copied().unwrap_or_default());
        let all = (at(0) << 16) | (at(1) << 8) | at(2);
        for n in 0..4 {
            let digit = DIGITS[usize::try_from((all >> (18 - 6 * n)) & 63).unwrap_or_default()];
            coded.push(if n > three.len() { '=' } else { char::from(digit) });
        }
    }
    (200, json!({ "encoding": "base64", "content": coded }))
}

fn told_pull(state: &ForgeState, pull: &StandInPull) -> Value {
    json!({
        "number": pull.number,
        "title": pull.title,
        "body": pull.body,
        "draft": pull.draft,
        "state": if pull.open { "open" } else { "closed" },
        "head": { "ref": pull.head, "sha": state.tip(&pull.head) },
        "base": { "ref": pull.base },
        "html_url": format!("https://github.com/{}/pull/{}", state.repo, pull.number),
    })
}

fn pulls(state: &ForgeState, call: &ForgeCall<'_>) -> Value {
    let head = |pull: &StandInPull| {
        let owner = pull.from.split('/').next().unwrap_or_default();
        format!("{owner}:{}", pull.head)
    };
    let fits = |pull: &&StandInPull| {
        call.asked("head").is_none_or(|asked| asked == head(pull))
            && (pull.open || call.asked("state") == Some("all"))
    };
    state.pulls.iter().filter(fits).map(|pull| told_pull(state, pull)).collect()
}

fn open_pull(state: &mut ForgeState, call: &ForgeCall<'_>) -> Told {
    let invalid =
        |why: &str| (422, json!({ "message": "Validation Failed", "errors": [{ "message": why }] }));
    let said = call.said("head");
    let (owner, head) = match said.split_once(':') {
        Some((owner, branch)) => (owner.to_owned(), branch.to_owned()),
        None => (state.repo.split('/').next().unwrap_or_default().to_owned(), said.clone()),
    };
    let base = call.said("base");
    let of_fork = state.fork.as_ref().filter(|fork| fork.starts_with(&format!("{owner}/"))).cloned();
    let from = of_fork.unwrap_or_else(|| state.repo.clone());
    if call.said("body").chars().count() > LONGEST {
        return invalid("body is too long (maximum is 65536 characters)");
    }
    if !state.has_commit(&format!("refs/heads/{head}")) {
        return invalid("head is invalid");
    }
    if !state.has_commit(&format!("refs/heads/{base}")) {
        return invalid("base is invalid");
    }
    if !state.brings(&head, &base) {
        return invalid(&format!("No commits between {base} and {head}"));
    }
    if state.pulls.iter().any(|pull| pull.open && pull.head == head && pull.base == base && pull.from == from)
    {
        return invalid(&format!("A pull request already exists for {owner}:{head}."));
    }
    let number = 100 + state.pulls.len() as u64;
    let draft = call.body["draft"] == true;
    let (title, body) = (call.said("title"), call.said("body"));
    let comments = Vec::new();
    let line_comments = Vec::new();
    state.pulls.push(StandInPull {
        number,
        head,
        from,
        base,
        title,
        body,
        open: true,
        draft,
        comments,
        line_comments,
    });
    (201, state.pulls.last().map(|pull| told_pull(state, pull)).unwrap_or_default())
}

fn change_pull(state: &mut ForgeState, call: &ForgeCall<'_>, number: &str) -> Told {
    let Some(at) = state.pulls.iter().position(|pull| pull.number.to_string() == number) else {
        return refused(404, "Not Found");
    };
    if call.said("body").chars().count() > LONGEST {
        return refused(422, "body is too long (maximum is 65536 characters)");
    }
    let pull = &mut state.pulls[at];
    for (key, field) in [("title", &mut pull.title), ("body", &mut pull.body), ("base", &mut pull.base)] {
        if let Some(text) = call.body[key].as_str() {
            text.clone_into(field);
        }
    }
    (200, told_pull(state, &state.pulls[at]))
}

fn status(state: &mut ForgeState, call: &ForgeCall<'_>, sha: &str, writes: bool) -> Told {
    if !writes {
        // GitHub hides what the caller may not do.
        return refused(404, "Not Found");
    }
    if !state.has_commit(sha) {
        return refused(422, "No commit found for SHA");
    }
    if call.said("description").chars().count() > 140 {
        return refused(422, "description is too long (maximum is 140 characters)");
    }
    if !matches!(call.said("state").as_str(), "error" | "failure" | "pending" | "success") {
        return refused(422, "State is not included in the list");
    }
    state.statuses.push((sha.to_owned(), call.body.clone()));
    (201, call.body.clone())
}

fn check_runs(state: &ForgeState, sha: &str) -> Told {
    let of = state.check_runs.iter().filter(|(commit, _)| commit == sha);
    let all: Vec<Value> = of.map(|(_, run)| run.clone()).collect();
    (200, json!({ "total_count": all.len(), "check_runs": all }))
}
