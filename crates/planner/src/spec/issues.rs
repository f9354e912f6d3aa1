//! Issues of a tracker that are read together: what one of them asks for is a piece of work of its own.
//!
//! A document of requirements is about one thing, and so are its criteria. The issues of a milestone share nothing but the
//! milestone, so criteria that no story has belong to the issue they stand in.

use std::collections::BTreeSet;

use super::model::{Spec, Story};
use super::reading::{OpenDocument, span};
use windlass_core::diagnostic::FileIx;

/// How the name of an issue begins: GitHub's and GitLab's.
const TRACKERS: [&str; 2] = ["gh:", "gl:"];

/// The issue that a document is, or is a comment of: `gh:12` for `gh:12` and `gh:12#comment-3`.
fn issue_of(path: &str) -> Option<&str> {
    let is_issue = TRACKERS.iter().any(|tracker| path.starts_with(tracker));
    is_issue.then(|| path.split("#comment-").next()).flatten()
}

/// Gives each of several issues a story for the criteria that have none.
pub(super) fn give_issues_their_stories(spec: &mut Spec, documents: &[OpenDocument]) {
    let mut issues: Vec<(String, Vec<FileIx>)> = Vec::new();
    for document in documents {
        let Some(issue) = issue_of(&spec.sources.file(document.file).path) else { continue };
        match issues.iter_mut().find(|(known, _)| known == issue) {
            Some((_, files)) => files.push(document.file),
            None => issues.push((issue.to_owned(), vec![document.file])),
        }
    }
    if issues.len() < 2 {
        return;
    }
    for (issue, files) in issues {
        let is_here = |file: FileIx| files.contains(&file);
        let has_no_story = spec.criteria.iter().any(|c| is_here(c.span.file) && c.story.is_none());
        let states_tasks = spec.tasks.iter().any(|task| is_here(task.span.file));
        let own = spec.stories.iter().filter(|story| is_here(story.span.file));
        let own: Vec<String> = own.map(|story| story.id.clone()).collect();
        let id = match &own[..] {
            [only] => only.clone(),
            [] if has_no_story && !states_tasks => add_story(spec, &issue, files[0]),
            _ => continue,
        };
        let open = spec.criteria.iter_mut().filter(|c| is_here(c.span.file) && c.story.is_none());
        open.filter(|c| c.task.is_none()).for_each(|c| c.story = Some(id.clone()));
    }
}

/// Adds the story that an issue is: its title, under its number.
fn add_story(spec: &mut Spec, issue: &str, first: FileIx) -> String {
    let number = issue.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    let taken: BTreeSet<&str> = spec.stories.iter().map(|story| story.id.as_str()).collect();
    let ids = std::iter::once(format!("US-{number}")).chain((2..).map(|n| format!("US-{number}-{n}")));
    let id = ids.into_iter().find(|id| !taken.contains(id.as_str())).unwrap_or_default();
    let titled = spec.documents.iter().find(|d| issue_of(&d.path) == Some(issue));
    let title = titled.and_then(|document| document.title.clone()).unwrap_or_else(|| issue.to_owned());
    spec.stories.push(Story { id: id.clone(), text: title.clone(), title, span: span(first, &(0..0)) });
    id
}

#[cfg(test)]
mod tests {
    use super::super::{Spec, SpecFile, read};

    fn of(files: &[(&str, &str)]) -> Spec {
        let file = |(path, text): &(&str, &str)| SpecFile { path: (*path).into(), text: (*text).into() };
        read(&files.iter().map(file).collect::<Vec<_>>(), &[])
    }

    fn stories(spec: &Spec) -> Vec<(&str, &str, Vec<&str>)> {
        let criteria = |id: &str| {
            spec.criteria.iter().filter(|c| c.story.as_deref() == Some(id)).map(|c| c.text.as_str()).collect()
        };
        spec.stories.iter().map(|s| (s.id.as_str(), s.title.as_str(), criteria(&s.id))).collect()
    }

    const CODES: &str = "# Discount codes\n\n## Acceptance Criteria\n\n- AC-1: the code TEN takes a tenth off\n- it is logged\n";
    const NUMBERS: &str = "# Invoice numbers\n\nAs an owner I want numbered invoices.\n\n## Acceptance Criteria\n\n\
        - AC-1: they are called INV-0001 and so on\n- it is logged\n";

    #[test]
    fn every_issue_keeps_its_criteria_and_those_of_its_comments() {
        let comment = "# Discount codes\n\n## Acceptance Criteria\n\n- codes are read without case\n";
        let spec = of(&[("gh:30", CODES), ("gh:30#comment-9", comment), ("gh:a/b#31", NUMBERS)]);
        assert_eq!(
            stories(&spec),
            [
                ("US-1", "numbered invoices", vec!["they are called INV-0001 and so on", "it is logged"]),
                (
                    "US-30",
                    "Discount codes",
                    vec!["the code TEN takes a tenth off", "it is logged", "codes are read without case"]
                ),
            ]
        );
        let ids: Vec<&str> = spec.criteria.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["AC-1", "AC-001", "AC-002", "AC-1-2", "AC-003"]);
    }

    #[test]
    fn an_issue_alone_and_documents_are_about_one_thing() {
        assert!(of(&[("gh:30", CODES), ("gh:30#comment-1", CODES)]).stories.is_empty());
        assert!(of(&[("a.md", CODES), ("b.md", CODES), ("gh:30", CODES)]).stories.is_empty());
    }

    #[test]
    fn an_issue_with_stories_keeps_them() {
        let two = "# Till\n\n### US-1: Open\n\n- AC-1: it opens\n\n### US-2: Close\n\n- AC-2: it closes\n";
        let spec = of(&[("gl:7", two), ("gl:8", CODES)]);
        let ids: Vec<&str> = spec.stories.iter().map(|s| s.id.as_str()).collect();
        assert_eq!(ids, ["US-1", "US-2", "US-8"]);
    }
}
