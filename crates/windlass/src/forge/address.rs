//! What a person writes for issues: `gh:12`, `gh:owner/name#12`, `gh:milestone/1.0`, `gl:label/bug`, or an address.

use super::ForgeKind;

/// Issues of a forge, as a person names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForgeAddress {
    /// Which forge, if the address says so.
    pub(crate) kind: Option<ForgeKind>,
    /// The host; without one, that of the remote.
    pub(crate) host: Option<String>,
    /// `owner/name`; without one, that of the remote.
    pub(crate) repo: Option<String>,
    /// Which issues.
    pub(crate) choice: IssueChoice,
}

/// Which issues of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum IssueChoice {
    /// One.
    Number(u64),
    /// The open ones of a milestone, by its number or title.
    Milestone(String),
    /// The open ones with a label.
    Label(String),
}

/// Whether an argument is meant as an address of issues, well written or not.
pub(crate) fn is_address(text: &str) -> bool {
    let short = text.starts_with("gh:") || text.starts_with("gl:");
    short || text.starts_with("https://") || text.starts_with("http://")
}

impl std::str::FromStr for ForgeAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` names no issues: write `gh:12`, `gh:owner/name#12`, `gh:milestone/NAME`, `gh:label/NAME`, the same \
                 with `gl:`, or the address of an issue or a milestone"
            )
        };
        let short = [ForgeKind::GitHub, ForgeKind::GitLab]
            .into_iter()
            .find_map(|kind| Some((kind, text.strip_prefix(kind.prefix())?.strip_prefix(':')?)));
        match short {
            Some((kind, rest)) => by_prefix(kind, rest).ok_or_else(wrong),
            None => by_url(text).ok_or_else(wrong),
        }
    }
}

fn by_prefix(kind: ForgeKind, rest: &str) -> Option<ForgeAddress> {
    let (repo, rest) = match rest.split_once('#') {
        Some(("", number)) => (None, number),
        Some((repo, number)) if is_repo(repo) => (Some(repo.to_owned()), number),
        Some(_) => return None,
        None => (None, rest),
    };
    Some(ForgeAddress { kind: Some(kind), host: None, repo, choice: chosen(rest)? })
}

fn chosen(text: &str) -> Option<IssueChoice> {
    if let Ok(number) = text.parse::<u64>() {
        return (number > 0).then_some(IssueChoice::Number(number));
    }
    let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    match text.split_once('/')? {
        ("milestone", name) => named(name).map(IssueChoice::Milestone),
        ("label", name) => named(name).map(IssueChoice::Label),
        _ => None,
    }
}

/// `https://host/owner/name/issues/12`, `…/pull/12`, `…/milestone/3`, `…/labels/bug`; GitLab has `/-/` in between.
fn by_url(text: &str) -> Option<ForgeAddress> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let rest = rest.split(['?', '#']).next()?.trim_end_matches('/');
    let (host, path) = rest.split_once('/')?;
    let (kind, repo, what) = if let Some((repo, what)) = path.split_once("/-/") {
        (Some(ForgeKind::GitLab), repo, what)
    } else {
        let mut parts = path.splitn(3, '/');
        let (owner, name, what) = (parts.next()?, parts.next()?, parts.next()?);
        (ForgeKind::of_host(host), &path[..owner.len() + 1 + name.len()], what)
    };
    let (word, value) = what.split_once('/')?;
    let choice = match word {
        "issues" | "work_items" | "pull" | "merge_requests" => IssueChoice::Number(value.parse().ok()?),
        "milestone" | "milestones" => IssueChoice::Milestone(value.to_owned()),
        "labels" => IssueChoice::Label(unescaped(value)),
        _ => return None,
    };
    let host = (!host.contains('@') && is_repo(repo)).then(|| host.to_owned())?;
    Some(ForgeAddress { kind, host: Some(host), repo: Some(repo.to_owned()), choice })
}

/// `owner/name`, or more levels: nothing that could lead elsewhere in an address.
fn is_repo(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let part = |part: &str| !part.is_empty() && !part.starts_with('.') && part.chars().all(plain);
    text.contains('/') && text.split('/').all(part)
}

/// A text with `%20` and the like made plain.
pub(crate) fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_as_people_write_them() {
        let table = [
            ("gh:12", "GitHub - - 12"),
            ("gh:#12", "GitHub - - 12"),
            ("gh:shop/till#12", "GitHub - shop/till 12"),
            ("gl:group/sub/till#3", "GitLab - group/sub/till 3"),
            ("gh:milestone/1.0", "GitHub - - milestone 1.0"),
            ("gl:label/good first issue", "GitLab - - label good first issue"),
            ("https://github.com/shop/till/issues/12", "GitHub github.com shop/till 12"),
            ("https://github.com/shop/till/pull/7#discussion_r1", "GitHub github.com shop/till 7"),
            (
                "https://github.com/shop/till/labels/good%20first",
                "GitHub github.com shop/till label good first",
            ),
            ("https://github.com/shop/till/milestone/2/", "GitHub github.com shop/till milestone 2"),
            ("https://git.example.org/a/b/-/issues/4", "GitLab git.example.org a/b 4"),
            ("https://gitlab.com/a/b/c/-/milestones/4", "GitLab gitlab.com a/b/c milestone 4"),
            ("https://git.example.org/a/b/issues/4", "? git.example.org a/b 4"),
        ];
        for (text, expected) in table {
            let read: ForgeAddress = text.parse().unwrap();
            let choice = match read.choice {
                IssueChoice::Number(n) => n.to_string(),
                IssueChoice::Milestone(name) => format!("milestone {name}"),
                IssueChoice::Label(name) => format!("label {name}"),
            };
            let or = |text: Option<String>| text.unwrap_or_else(|| "-".into());
            let kind = read.kind.map_or("?", ForgeKind::name);
            assert_eq!(format!("{kind} {} {} {choice}", or(read.host), or(read.repo)), expected, "{text}");
        }
    }

    #[test]
    fn what_leads_elsewhere_is_no_address() {
        let table = [
            "gh:",
            "gh:0",
            "gh:abc",
            "gh:../../x#1",
            "gh:a/b/../c#1",
            "gh:a/b?x#1",
            "gh:label/",
            "https://github.com/shop/till",
            "https://github.com/shop/../issues/12",
            "https://user@github.com/shop/till/issues/12",
            "https://github.com/shop/till/issues/twelve",
        ];
        for text in table {
            assert!(is_address(text) && text.parse::<ForgeAddress>().is_err(), "{text}");
        }
        assert!(!is_address("docs/gh:12") && !is_address("Build a vi editor"));
    }
}
