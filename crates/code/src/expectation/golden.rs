//! Golden files and snapshots: expectations that stand in files of their own, and one changed entry of such a file.

mod cases;

use std::ops::Range;
use windlass_core::path_text::file_name;

use super::SourceEdit;
use super::alter::{self, Choice};

/// The largest file that is changed.
const LARGEST: usize = 1 << 20;

/// Where an expectation stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoldenFile {
    /// All of the file of this name, as the test writes it.
    Named(String),
    /// The entries with a key, in a file of this name that holds the test's cases: the file and the key.
    Keyed(String, String),
    /// A column of the lines of a file: the file, what stands between columns, and the number of the column.
    Column(String, char, usize),
    /// In the snapshots of the test.
    Snapshot,
}

/// A comparison with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldenUse {
    /// The file.
    pub file: GoldenFile,
    /// The line of the comparison, counted from 1.
    pub line: usize,
    /// The comparison replaced by a failure: shows whether it is reached.
    pub denial: Option<Vec<SourceEdit>>,
}

impl GoldenUse {
    /// Whether this may be the file, seen from a test file.
    pub fn is(&self, path: &str, test_file: &str) -> bool {
        let base = |path: &str| file_name(path).to_owned();
        match &self.file {
            GoldenFile::Named(name) | GoldenFile::Keyed(name, _) | GoldenFile::Column(name, ..) => {
                path == name || path.ends_with(&format!("/{name}"))
            }
            GoldenFile::Snapshot => {
                let head = |path: &str| base(path).split('.').next().unwrap_or_default().to_owned();
                let (stem, own) = (head(test_file), head(path));
                let kept = path.ends_with(".snap") || path.ends_with(".ambr");
                // insta puts the crate and the modules in front of the test's name: `crate__module__test.snap`.
                kept && !stem.is_empty() && (own == stem || own.split("__").any(|part| part == stem))
            }
        }
    }
}

/// Functions that read a file and leave nothing of it out.
const WHOLE: [&str; 24] = [
    "Path",
    "open",
    "read",
    "read_text",
    "read_bytes",
    "strip",
    "rstrip",
    "decode",
    "joinpath",
    "with_name",
    "join",
    "resolve",
    "load",
    "loads",
    "readFileSync",
    "toString",
    "trim",
    "trimEnd",
    "parse",
    "dirname",
    "read_to_string",
    "unwrap",
    "file_get_contents",
    "include_str!",
];

/// Whether these expressions read a file and leave nothing of it out.
pub(super) fn reads_all(words: &[String]) -> bool {
    words.iter().all(|text| {
        let called = text.match_indices('(').map(|(at, _)| {
            let name = text[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '!').next();
            name.unwrap_or_default()
        });
        let parsed = |name: &str| matches!(name, "load" | "loads" | "parse");
        let known = |name: &str| {
            name.is_empty()
                || (WHOLE.contains(&name) && (!parsed(name) || text.to_lowercase().contains("json")))
        };
        !text.contains('[') && called.into_iter().all(known)
    })
}

/// The snapshots that an assertion compares with.
pub(super) fn snapshot_of(assertion: &str) -> Option<GoldenFile> {
    let words = ["toMatchSnapshot(", "assert_snapshot!", "assert_debug_snapshot!", "== snapshot"];
    words.iter().any(|word| assertion.contains(word)).then_some(GoldenFile::Snapshot)
}

/// A file with one entry of a test changed: the text, what it was and what it is. `None` if there is no such entry.
pub fn altered_golden(
    used: &GoldenUse,
    test: &str,
    bytes: &[u8],
    seed: u64,
) -> Option<(Vec<u8>, String, String)> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LARGEST)?;
    let mut choice = Choice::new(seed, test);
    let area = match &used.file {
        GoldenFile::Named(_) => 0..text.len(),
        GoldenFile::Keyed(file, key) => return cases::altered(file, text, key, &mut choice),
        GoldenFile::Column(_, mark, at) => return cases::altered_column(text, *mark, *at, &mut choice),
        GoldenFile::Snapshot => entry_of(text, test)?,
    };
    let allowed = |_: usize, c: char| c.is_ascii_alphanumeric() && c != 'n' && c != 't' && c != 'u';
    let (at, size, other) = alter::text(&text[area.clone()], &allowed, &mut choice)?;
    // A number keeps its size: no zero comes to stand in front.
    let other = if other == "0" { "7".to_owned() } else { other };
    let place = area.start + at..area.start + at + size;
    if text[place.clone()] == *other {
        return None;
    }
    let line = |text: &str, at: usize| {
        let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
        text[start..].lines().next().unwrap_or_default().chars().take(80).collect::<String>()
    };
    let changed = format!("{}{other}{}", &text[..place.start], &text[place.end..]);
    let (was, now) = (line(text, place.start), line(&changed, place.start));
    Some((changed.into_bytes(), was, now))
}

/// The bytes of a test's first entry in a file of snapshots.
fn entry_of(text: &str, test: &str) -> Option<Range<usize>> {
    let name = test.rsplit(" > ").next().and_then(|name| name.rsplit("::").next()).unwrap_or(test);
    let title = text.find(&format!("{name} 1`")).or_else(|| text.find(&format!("# name: {name}")));
    if let Some(title) = title {
        let start =
            title + text[title..].find('\n')?.min(text[title..].find("= `").map_or(usize::MAX, |at| at + 3));
        let ends = ["\nexports[", "\n# ---", "\n# name:"];
        let end =
            ends.iter().filter_map(|end| text[start..].find(end)).min().map_or(text.len(), |at| start + at);
        return Some(start..end);
    }
    // A file of its own: the content stands behind the second line of dashes.
    let head = text.strip_prefix("---\n").and_then(|rest| rest.find("\n---\n").map(|at| at + 4 + 5));
    head.map(|start| start..text.len())
}

#[cfg(test)]
mod tests;
