//! Which findings a change brought.

use std::collections::BTreeMap;

use windlass_core::path_text::dir_of;

use super::CheckerFinding;
use crate::repo::Tree;

/// What unfinished tasks are going to make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlannedWork {
    /// Their files.
    pub files: Vec<String>,
    /// The names that their contracts promise.
    pub names: Vec<String>,
}

/// The findings after a change, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Those that were not there before.
    pub new: Vec<CheckerFinding>,
    /// New ones that miss what an unfinished task is going to make.
    pub expected: Vec<CheckerFinding>,
    /// How many were there before.
    pub old: usize,
}

/// What a tool that stopped at errors on the base says about files that the change left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnseenOnBase {
    /// A finding counts: the change can cause it anywhere, as with types.
    Counts,
    /// A finding is as old as its text: it was hidden by the errors.
    IsOld,
}

/// Compares findings on two trees.
pub fn compare(
    before: (&[CheckerFinding], &dyn Tree),
    after: (&[CheckerFinding], &dyn Tree),
    planned: &PlannedWork,
    unseen: UnseenOnBase,
) -> Comparison {
    let mut known: BTreeMap<FindingKey, usize> = BTreeMap::new();
    for finding in before.0 {
        *known.entry(FindingKey::of(finding, before.1)).or_default() += 1;
    }
    let gone: Vec<&str> = before
        .0
        .iter()
        .filter(|finding| {
            !after.0.iter().any(|other| other.path == finding.path && other.message == finding.message)
        })
        .map(|finding| dir_of(&finding.path))
        .collect();
    let hidden = |finding: &CheckerFinding| {
        let same = |tree: &dyn Tree| tree.read(&finding.path);
        unseen == UnseenOnBase::IsOld
            && gone.contains(&dir_of(&finding.path))
            && same(before.1).is_some_and(|text| same(after.1) == Some(text))
    };
    let mut result = Comparison::default();
    for finding in after.0 {
        match known.get_mut(&FindingKey::of(finding, after.1)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                result.old += 1;
            }
            _ if hidden(finding) => result.old += 1,
            _ if planned.is_named_by(finding) => result.expected.push(finding.clone()),
            _ => result.new.push(finding.clone()),
        }
    }
    result
}

/// What a finding is recognised by, wherever its line went.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct FindingKey {
    path: String,
    rule: String,
    message: String,
    line: String,
}

impl FindingKey {
    fn of(finding: &CheckerFinding, tree: &dyn Tree) -> Self {
        let text = tree.read(&finding.path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let line = finding.line.checked_sub(1).and_then(|at| text.lines().nth(at)).unwrap_or_default();
        Self {
            path: finding.path.clone(),
            rule: finding.rule.clone(),
            message: without_numbers(&finding.message),
            line: line.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }
}

/// A message without the numbers of other lines, which move as well.
fn without_numbers(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    for c in message.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('0') {
            out.push('0');
        }
    }
    out
}

impl PlannedWork {
    /// Whether a finding names one of the files or names.
    fn is_named_by(&self, finding: &CheckerFinding) -> bool {
        quoted_words(&finding.message).into_iter().any(|word| self.has_name(word) || self.has_file(word))
    }

    fn has_name(&self, word: &str) -> bool {
        self.names.iter().any(|name| name == word || name.rsplit(['.', ':', '#']).next() == Some(word))
    }

    /// Whether a module, written as a path or with dots, is one of the files.
    fn has_file(&self, module: &str) -> bool {
        let is_path = module.contains('/');
        let parts: Vec<&str> = module
            .split(|c| c == '/' || (!is_path && matches!(c, '.' | ':')))
            .filter(|part| !matches!(*part, "" | "." | ".." | "crate" | "self" | "super" | "@" | "~"))
            .collect();
        let wanted = parts.join("/");
        let wanted = stem(&wanted);
        let ends =
            |own: &str| own.strip_suffix(wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        let means = |path: &String| {
            let own = stem(path);
            let folder = ["/index", "/__init__", "/mod"].iter().find_map(|name| own.strip_suffix(name));
            ends(own) || folder.is_some_and(ends)
        };
        !wanted.is_empty() && self.files.iter().any(means)
    }
}

/// What stands in quotes in a message. An apostrophe inside a word is none.
fn quoted_words(message: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(open) = message[at..].find(['\'', '"', '`']).map(|found| at + found) {
        let mark = char::from(message.as_bytes()[open]);
        at = open + 1;
        if message[..open].ends_with(char::is_alphanumeric) {
            continue;
        }
        let Some(end) = message[at..].find(mark).map(|found| at + found) else { break };
        words.push(&message[at..end]);
        at = end + 1;
    }
    words
}

/// A path without the ending of its file.
fn stem(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    path[name..].find('.').filter(|at| *at > 0).map_or(path, |at| &path[..name + at])
}
