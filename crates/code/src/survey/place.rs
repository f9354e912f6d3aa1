//! Where the test of a file is: learned from the pairs a repository has, else the default of its language.
//!
//! Knows paths only.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::language::Language;

/// A way from a source file to its test file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TestPlace {
    /// Where, seen from the source file.
    pub at: TestLocation,
    /// What stands before the source file's stem.
    pub prefix: String,
    /// What stands after it.
    pub suffix: String,
}

/// Where tests are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestLocation {
    /// In the source file itself.
    Inline,
    /// In the same directory.
    Beside,
    /// In a directory of this name beside the source file.
    Folder(String),
    /// Below `to` as the source stands below `from`.
    Mirror {
        /// The root of the sources.
        from: String,
        /// The root of the tests.
        to: String,
    },
}

impl TestPlace {
    /// The test file of a source file, where this place applies to it.
    pub fn of(&self, source: &str) -> Option<String> {
        let (dir, name) = split(source);
        let (stem, ending) = name.rsplit_once('.')?;
        // A header is tested by a program.
        let ending = Language::header(ending).unwrap_or(ending);
        let file = format!("{}{stem}{}.{ending}", self.prefix, self.suffix);
        match &self.at {
            TestLocation::Inline => Some(source.to_owned()),
            TestLocation::Beside => Some(join(dir, &file)),
            TestLocation::Folder(folder) => Some(join(&join(dir, folder), &file)),
            TestLocation::Mirror { from, to } => {
                let rest = below(from, dir)?;
                Some(join(&join(to, rest), &file))
            }
        }
    }

    /// How specific it is: the longer the source root, the more it knows.
    fn reach(&self) -> usize {
        match &self.at {
            TestLocation::Mirror { from, .. } => from.len() + 1,
            TestLocation::Inline | TestLocation::Beside | TestLocation::Folder(_) => 0,
        }
    }
}

/// A learned place before its votes are counted.
fn learn(source: &str, test: &str) -> Option<TestPlace> {
    let ((from, source_name), (to, test_name)) = (split(source), split(test));
    let (stem, _) = source_name.rsplit_once('.')?;
    let (test_stem, _) = test_name.rsplit_once('.')?;
    let at = test_stem.find(stem)?;
    let (prefix, suffix) = (test_stem[..at].to_owned(), test_stem[at + stem.len()..].to_owned());
    let spot = if from == to {
        TestLocation::Beside
    } else if let Some(folder) = below(from, to).filter(|rest| !rest.contains('/') && !rest.is_empty()) {
        TestLocation::Folder(folder.to_owned())
    } else {
        let (from, to) = without_common_end(from, to);
        TestLocation::Mirror { from, to }
    };
    Some(TestPlace { at: spot, prefix, suffix })
}

fn without_common_end(a: &str, b: &str) -> (String, String) {
    let (mut a, mut b): (Vec<&str>, Vec<&str>) = (a.split('/').collect(), b.split('/').collect());
    while a.len() > 1 && b.len() > 1 && a.last() == b.last() {
        a.pop();
        b.pop();
    }
    (a.join("/"), b.join("/"))
}

/// What stands around the name of what is tested, by the habits of a language; all of them where it is not known.
fn affixes(language: Option<Language>) -> &'static [(&'static str, &'static str)] {
    const ALL: &[(&str, &str)] = &[
        ("test_", ""),
        ("", ".test"),
        ("", ".spec"),
        ("", "_test"),
        ("", "_tests"),
        ("", "_spec"),
        ("", "-test"),
        ("", "Tests"),
        ("", "Test"),
        ("", "IT"),
        ("", "Spec"),
    ];
    language.map_or(ALL, |language| language.row().test_affixes)
}

/// The stem of the file that a test file is about, by its name.
pub fn subject_stem(test: &str) -> Option<&str> {
    let (stem, _) = split(test).1.rsplit_once('.')?;
    affixes(Language::of_path(test)).iter().find_map(|(prefix, suffix)| {
        let inner = stem.strip_prefix(prefix)?.strip_suffix(suffix)?;
        (!inner.is_empty() && inner.len() < stem.len()).then_some(inner)
    })
}

/// The places that pairs of source and test files show, the most used first.
pub fn places<'a>(sources: impl Iterator<Item = &'a str>, tests: &[&str]) -> Vec<TestPlace> {
    let mut by_stem: HashMap<&str, Vec<&str>> =
        tests.iter().filter_map(|test| Some((subject_stem(test)?, Vec::new()))).collect();
    if by_stem.is_empty() {
        return Vec::new();
    }
    for source in sources {
        let stem = split(source).1.rsplit_once('.').map(|(stem, _)| stem);
        if let Some(found) = stem.and_then(|stem| by_stem.get_mut(stem)) {
            found.push(source);
        }
    }
    let mut votes: BTreeMap<TestPlace, usize> = BTreeMap::new();
    for test in tests {
        let Some(candidates) = subject_stem(test).and_then(|stem| by_stem.get(stem)) else { continue };
        // Of several files of one name, the one whose directories the test shares.
        let best = candidates.iter().max_by_key(|source| shared(source, test));
        if let Some(place) = best.and_then(|source| learn(source, test)) {
            *votes.entry(place).or_default() += 1;
        }
    }
    let mut counted: Vec<(TestPlace, usize)> = votes.into_iter().collect();
    counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counted.into_iter().map(|(place, _)| place).collect()
}

fn shared(a: &str, b: &str) -> usize {
    let theirs: Vec<&str> = split(b).0.split('/').collect();
    split(a).0.split('/').filter(|part| theirs.contains(part)).count()
}

/// The test file for a source file: by the learned places, the most specific that applies first, else by the habit of
/// the language inside the member that starts at `root`.
pub fn test_file_for(source: &str, learned: &[TestPlace], root: &str) -> Option<TestFile> {
    let mut fitting: Vec<&TestPlace> = learned.iter().filter(|place| place.of(source).is_some()).collect();
    // Stable: of equally specific ones the most used stays first.
    fitting.sort_by_key(|place| std::cmp::Reverse(place.reach()));
    if let Some(place) = fitting.first() {
        let inline = place.at == TestLocation::Inline;
        return place.of(source).map(|path| TestFile { path, inline });
    }
    gathered(source, learned).or_else(|| habit(source, root))
}

/// Where tests of one folder are gathered elsewhere, those of its neighbours are too: with `src/a/x.ts` tested by
/// `tests/x.test.ts`, `src/b/y.ts` is tested by `tests/y.test.ts`. Where all known tests are gathered in one folder, so are
/// those of the folders beside it: `bin/z.ts` is tested by `tests/z.test.ts`.
fn gathered(source: &str, learned: &[TestPlace]) -> Option<TestFile> {
    let (dir, _) = split(source);
    let folders: Vec<Option<GatheringFolder<'_>>> = learned.iter().map(GatheringFolder::of).collect();
    learned.iter().zip(&folders).find_map(|(place, folder)| {
        let (folder, TestLocation::Mirror { to, .. }) = (folder.as_ref()?, &place.at) else { return None };
        let inner = below(folder.root, dir).filter(|inner| first(inner) != folder.tests)?;
        let is_neighbour = !inner.is_empty() && first(inner) == folder.sources;
        let is_only = folders.iter().flatten().all(|f| (f.root, f.tests) == (folder.root, folder.tests))
            && folders.iter().all(Option::is_some);
        let here = TestLocation::Mirror { from: dir.to_owned(), to: to.clone() };
        let path = TestPlace { at: here, ..place.clone() }.of(source).filter(|_| is_neighbour || is_only)?;
        Some(TestFile { path, inline: false })
    })
}

/// The folder of tests of a mirror, and that of the sources beside it.
struct GatheringFolder<'a> {
    /// The directory of both.
    root: &'a str,
    sources: &'a str,
    tests: &'a str,
}

impl<'a> GatheringFolder<'a> {
    fn of(place: &'a TestPlace) -> Option<Self> {
        let TestLocation::Mirror { from, to } = &place.at else { return None };
        let parents = to.match_indices('/').map(|(at, _)| &to[..at]);
        let root = parents.rev().find(|parent| below(parent, from).is_some()).unwrap_or("");
        let inside = |dir: &'a str| below(root, dir).map(first);
        Some(Self { root, sources: inside(from)?, tests: inside(to)? })
    }
}

/// The first directory of a path.
fn first(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

/// Where a test goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFile {
    /// The file.
    pub path: String,
    /// Whether it is the source file itself.
    pub inline: bool,
}

/// A source file in a project that shows nowhere where tests go.
pub(crate) struct UntestedFile<'a> {
    /// Its path.
    pub(crate) path: &'a str,
    /// Its directory.
    pub(crate) dir: &'a str,
    /// Its directory as seen from the root of its member.
    pub(crate) inner: &'a str,
    /// Its name without the ending.
    pub(crate) stem: &'a str,
    /// The ending.
    pub(crate) ending: &'a str,
    /// The root of its member.
    pub(crate) root: &'a str,
}

#[expect(clippy::unnecessary_wraps, reason = "the rows of languages return these as they are")]
impl UntestedFile<'_> {
    /// A test file of this name in the directory of the source file.
    pub(crate) fn beside(&self, name: &str) -> Option<TestFile> {
        Some(TestFile { path: join(self.dir, name), inline: false })
    }

    /// A test file at this path below the root of the member.
    pub(crate) fn below_root(&self, path: &str) -> Option<TestFile> {
        Some(TestFile { path: join(self.root, path), inline: false })
    }

    /// A test file below `folder` as the source file stands below one of `sources`.
    pub(crate) fn mirrored(&self, folder: &str, sources: &[&str], name: &str) -> Option<TestFile> {
        let rest = sources.iter().find_map(|from| below(from, self.inner)).unwrap_or(self.inner);
        self.below_root(&join(&join(folder, rest), name))
    }
}

fn habit(source: &str, root: &str) -> Option<TestFile> {
    let language = Language::of_path(source)?;
    let (dir, name) = split(source);
    let (stem, ending) = name.rsplit_once('.')?;
    let inner = below(root, dir).unwrap_or(dir);
    (language.row().usual_test)(&UntestedFile { path: source, dir, inner, stem, ending, root })
}

pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

pub(crate) fn join(dir: &str, name: &str) -> String {
    match (dir.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (false, true) => dir.to_owned(),
        (false, false) => format!("{dir}/{name}"),
    }
}

/// A directory as seen from one above it; the empty root is above all.
pub(crate) fn below<'a>(root: &str, dir: &'a str) -> Option<&'a str> {
    if root.is_empty() {
        return Some(dir);
    }
    let rest = dir.strip_prefix(root)?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}

#[cfg(test)]
mod tests;
