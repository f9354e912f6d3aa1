//! Issues as specification documents: the issue, what people with write access said about it, and the documents it links.

use std::path::Path;

use serde_json::Value;
use windlass_planner::spec::{self, SpecFile};

use super::hidden_text::shown_text;
use super::{Forge, ForgeAddress, ForgeComment, ForgeIssue, ForgeKind, RemoteRepo, WriteAccess};
use crate::cli::CliError;
use crate::input::{Configuration, locate};
use crate::world::World;

/// The most issues of one plan.
const MOST: usize = 100;
/// The most linked documents of one issue.
const LINKED: usize = 20;
/// The longest text of an issue or comment: no forge takes more. Longer ones come from somewhere else.
const LARGEST: usize = 1 << 20;
/// The largest linked document.
const LARGEST_DOCUMENT: usize = 8 << 20;

/// The documents that issues came to.
#[derive(Debug, Default)]
pub(crate) struct IssueDocuments {
    /// The documents, each once.
    pub(crate) files: Vec<SpecFile>,
    /// What was not read, and why.
    pub(crate) skipped: Vec<String>,
}

/// Reads the issues at these addresses. `trusted` are people whose comments are taken though they may not write.
pub(crate) fn issue_documents(
    world: &World,
    configuration: &Configuration,
    addresses: &[ForgeAddress],
    trusted: &[String],
) -> Result<IssueDocuments, CliError> {
    let remote = RemoteRepo::of(world, "origin").unwrap_or_default();
    let mut found = IssueDocuments::default();
    for address in addresses {
        let host = address.host.as_deref();
        let kind = address.kind.or(configuration.config.forge.kind).ok_or_else(|| {
            CliError::usage(format!("`{}` is not known to be GitHub or GitLab", host.unwrap_or_default()))
                .hint("say which it is: `[forge] kind = \"github\"` in `windlass.toml`")
        })?;
        // `gh:` in a clone from GitLab does not mean GitLab's number.
        let fits = |remote: &&RemoteRepo| ForgeKind::of_host(&remote.host).is_none_or(|own| own == kind);
        let remote = remote.as_ref().filter(fits);
        let forge = Forge::open(world, configuration, kind, host, address.repo.as_deref(), remote)?;
        let own = remote.is_some_and(|remote| remote.path == forge.repo);
        let issues = forge.issues(&address.choice)?;
        if issues.is_empty() {
            return Err(CliError::usage(format!("`{}` has no open issue that fits", forge.repo)));
        }
        if issues.len() > MOST {
            return Err(CliError::usage(format!("{} issues are too many for one plan", issues.len()))
                .hint(format!("choose at most {MOST}, by a milestone or a label of their own")));
        }
        for issue in &issues {
            let name = if own {
                format!("{}:{}", kind.prefix(), issue.number)
            } else {
                format!("{}:{}#{}", kind.prefix(), forge.repo, issue.number)
            };
            found.take(world, &forge, issue, &name, trusted)?;
        }
    }
    Ok(found)
}

impl IssueDocuments {
    fn take(
        &mut self,
        world: &World,
        forge: &Forge,
        issue: &ForgeIssue,
        name: &str,
        trusted: &[String],
    ) -> Result<(), CliError> {
        let title = one_line(&issue.title);
        let body = self.shown(name, &issue.body);
        let mut own =
            vec![SpecFile { path: name.to_owned(), text: format!("# {title}\n\n{}\n", body.trim_end()) }];
        for comment in &issue.comments {
            let at = format!("{name}#comment-{}", comment.id);
            let listed = trusted.iter().any(|login| login.eq_ignore_ascii_case(&comment.author));
            if comment.access == WriteAccess::No && !listed {
                self.skipped.push(not_taken(&at, comment));
                continue;
            }
            let text = self.shown(&at, &comment.body);
            own.push(SpecFile { path: at, text: format!("# {title}\n\n{}\n", text.trim_end()) });
        }
        if let Some(large) = own.iter().find(|file| file.text.len() > LARGEST) {
            return Err(CliError::usage(format!("`{}` is longer than an issue can be", large.path))
                .hint("put what it says into documents, and plan from those"));
        }
        if !asks_something(&own)
            && let Some(first) = own.first_mut()
        {
            // An issue that states nothing else asks for what it is called, beside others as a story of its own.
            let n = issue.number;
            let story = format!(
                "\n## User Stories\n\n### US-{n}: {title}\n\n#### Acceptance Criteria\n\n- {title}\n"
            );
            first.text.push_str(&story);
        }
        let links: Vec<String> = own.iter().flat_map(|file| linked(&file.text, &forge.repo)).collect();
        self.files.append(&mut own);
        for path in links.into_iter().take(LINKED) {
            self.link(world, forge, &path)?;
        }
        Ok(())
    }

    /// A text without what the page hides.
    fn shown(&mut self, name: &str, text: &str) -> String {
        let (shown, hidden) = shown_text(&text.replace("\r\n", "\n"));
        if hidden > 0 {
            self.skipped.push(format!("`{name}` hides text that its page does not show; it was left out"));
        }
        shown
    }

    /// A document of the same repository that an issue links: as it lies here, else as the forge has it.
    fn link(&mut self, world: &World, forge: &Forge, path: &str) -> Result<(), CliError> {
        let top = locate(&world.cwd).and_then(|found| found.top).unwrap_or_else(|| world.cwd.clone());
        let full = top.join(path);
        let local = full.canonicalize().ok().filter(|real| real.starts_with(&top) && real.is_file());
        let (name, text) = match local {
            Some(real) => (world.shown(&full), std::fs::read_to_string(real).ok()),
            None => (path.to_owned(), forge.file(path)?),
        };
        if self.files.iter().any(|file| file.path == name) {
            return Ok(());
        }
        match text.filter(|text| text.len() <= LARGEST_DOCUMENT) {
            Some(text) => self.files.push(SpecFile { path: name, text }),
            None => self.skipped.push(format!("`{path}` is linked, but there is no such document")),
        }
        Ok(())
    }
}

fn not_taken(at: &str, comment: &ForgeComment) -> String {
    let author = &comment.author;
    format!(
        "`{at}` is by `{author}`, who may not write to the repository: read it at {}, and take it with \
         `--comments-of {author}`",
        comment.url
    )
}

fn asks_something(files: &[SpecFile]) -> bool {
    let spec = spec::read(files, &[]);
    !(spec.criteria.is_empty() && spec.stories.is_empty() && spec.tasks.is_empty())
}

fn one_line(text: &str) -> String {
    shown_text(text).0.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Documents of the same repository that a text links: by a path, or by their address on the forge.
fn linked(text: &str, repo: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let on_forge = [format!("/{repo}/blob/"), format!("/{repo}/-/blob/")];
    for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ', '\n']).next()) {
        let target = target.split(['#', '?']).next().unwrap_or_default();
        let path = if target.contains("://") {
            // What follows is the branch, and then the path.
            let after = on_forge.iter().find_map(|mark| target.split_once(mark.as_str()));
            after.and_then(|(_, rest)| rest.split_once('/')).map(|(_, path)| path)
        } else {
            Some(target.trim_start_matches("./").trim_start_matches('/'))
        };
        let is_document = |path: &&str| {
            let ending = Path::new(path).extension().and_then(|e| e.to_str()).unwrap_or_default();
            let inside = !path.split('/').any(|part| part == ".." || part.starts_with('.'));
            inside && matches!(ending.to_ascii_lowercase().as_str(), "md" | "markdown" | "mdx")
        };
        if let Some(path) = path.filter(is_document)
            && !found.iter().any(|known| known == path)
        {
            found.push(path.to_owned());
        }
    }
    found
}

/// The error for a milestone that is not there.
pub(super) fn no_milestone(forge: &Forge, name: &str, all: &[Value]) -> CliError {
    let titles: Vec<String> =
        all.iter().filter_map(|m| m["title"].as_str()).take(8).map(|t| format!("`{t}`")).collect();
    let error = CliError::usage(format!("`{}` has no milestone `{name}`", forge.repo));
    if titles.is_empty() { error } else { error.hint(format!("milestones: {}", titles.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_documents_of_the_same_repository_only() {
        let text = "[a](docs/prd.md) [b](https://github.com/shop/till/blob/main/docs/design.md#x) [c](./notes.md)\n\
             [d](https://evil.example/shop.md) [e](../outside.md) [f](.github/x.md) [g](src/a.rs) [a](docs/prd.md)\n\
             [h](https://github.com/other/till/blob/main/docs/other.md) [i](/docs/deep/x.markdown \"t\")";
        assert_eq!(
            linked(text, "shop/till"),
            ["docs/prd.md", "docs/design.md", "notes.md", "docs/deep/x.markdown"]
        );
    }
}
