//! What a heading says: its topic, and the requirement, story, task or phase that it names.

use super::ids;
use super::topic::Topic;

/// Something that a heading names, with the id it gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::spec) struct NamedThing {
    pub(in crate::spec) id: String,
    pub(in crate::spec) title: String,
}

/// What the words of a heading say about everything below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::spec) struct HeadingMeaning {
    pub(in crate::spec) topic: Option<Topic>,
    /// `FR-1: Search`, `3.1 Search (FR-1)`.
    pub(in crate::spec) requirement: Option<NamedThing>,
    /// `US-1: Sign in`, `User Story 2 - Sign out`.
    pub(in crate::spec) story: Option<NamedThing>,
    /// `TASK-001: Schema`, `Task 3 - Login`.
    pub(in crate::spec) task: Option<NamedThing>,
    /// `Phase 2: Core`, `Level 1 (5 tasks)`.
    pub(in crate::spec) phase: Option<String>,
}

impl HeadingMeaning {
    pub(in crate::spec) fn from_title(title: &str) -> HeadingMeaning {
        let story = ids::story(title);
        let requirement = requirement_in_heading(title);
        let task = task_in_heading(title);
        // `FR-4: Discovery phase` is a requirement, and no phase; `Task 3: Email testing` is work.
        let is_named = requirement.is_some() || task.as_ref().is_some_and(|task| !task.title.is_empty());
        let is_meant = |topic: &Topic| !is_named || matches!(topic, Topic::Excluded | Topic::Criteria);
        HeadingMeaning {
            topic: Topic::from_title(title).filter(is_meant),
            requirement,
            story: story.map(|(id, title)| NamedThing { id, title: title.to_owned() }),
            task,
            phase: phase_name(&title.replace('`', "")),
        }
    }
}

/// A heading without the number it begins with: `2.1 Search`, `1) Search`.
pub(in crate::spec) fn without_number(title: &str) -> &str {
    // `A) Search`
    let mut chars = title.chars();
    let lettered = chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(')');
    let title = if lettered { &title[2..] } else { title };
    title.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '))
}

/// The requirement a heading names: `FR-1: Search`, `3.1 FR-1: Search` or `3.1 Search (FR-1)`.
pub(super) fn requirement_in_heading(title: &str) -> Option<NamedThing> {
    let bare = without_number(title);
    if let Some((id, rest)) = ids::requirement(title).or_else(|| ids::requirement(bare)) {
        return Some(NamedThing { id, title: rest.to_owned() });
    }
    let (name, inner) = bare.trim_end_matches([':', ' ']).rsplit_once(['(', '['])?;
    let id = ids::only_requirement(inner.strip_suffix([')', ']'])?)?;
    Some(NamedThing { id, title: name.trim().to_owned() })
}

/// The task a heading names: `TASK-001: Title`, `Task 3 - Title`.
pub(super) fn task_in_heading(title: &str) -> Option<NamedThing> {
    const SEPARATORS: [char; 8] = [':', '：', ']', '-', '—', '–', ' ', '.'];
    let plain = title.replace('`', "");
    let bare = without_number(&plain);
    if let Some(rest) = bare.strip_prefix("Task ").or_else(|| bare.strip_prefix("TASK ")) {
        let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let digits = digits.trim_end_matches('.');
        let title = rest[digits.len()..].trim_start_matches(SEPARATORS).to_owned();
        return (!digits.is_empty()).then(|| NamedThing { id: format!("TASK-{digits}"), title });
    }
    let word = bare.split([' ', ':', '：', ']']).next().unwrap_or_default().trim_start_matches('[');
    let is_id =
        word.contains('-') && ids::is_task_id(word) && word.starts_with(|c: char| c.is_ascii_uppercase());
    if !is_id || ids::requirement(word).is_some() || names_something_else(word) {
        return None;
    }
    let title = bare[bare.find(word)? + word.len()..].trim_start_matches(SEPARATORS).to_owned();
    Some(NamedThing { id: word.to_owned(), title })
}

/// Whether an id is one of a story, a decision or a standard.
fn names_something_else(word: &str) -> bool {
    let prefix = word.split('-').next().unwrap_or_default();
    matches!(
        prefix,
        "US" | "ADR" | "RFC" | "UTF" | "ISO" | "SHA" | "GPT" | "UC" | "NG" | "EPIC" | "D" | "CVE"
    )
}

/// The phase that a heading or label names, such as `Level 2` or `Phase 3: Polish`.
pub(in crate::spec) fn phase_name(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '#' | '*'));
    let first = text.split_whitespace().next()?;
    if !matches!(first.to_lowercase().as_str(), "phase" | "level" | "milestone" | "stage" | "sprint") {
        return None;
    }
    let rest = text[first.len()..].trim_start();
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let name = text.split(['(', '[']).next().unwrap_or(text).trim().trim_end_matches([':', '*', ' ']);
    Some(name.to_owned())
}

/// Whether two names are of one phase: `Phase 1` and `Phase 1: Basket`.
pub(in crate::spec) fn same_phase(one: &str, other: &str) -> bool {
    let key = |name: &str| -> Option<(String, String)> {
        let mut words = name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
        Some((words.next()?.to_lowercase(), words.next()?.to_owned()))
    };
    one == other || (key(one).is_some() && key(one) == key(other))
}
