//! Chooses the expectations that are changed: one of every test, at random.

use std::collections::HashSet;

use windlass_code::expectation::{
    ExpectationKind, ExpectationMutant, SourceEdit, TestExpectations, altered_golden, expectations_beside,
    file_expectations, loose_expectations, made_expectations, with_edits,
};
use windlass_code::repo::Tree as _;
use windlass_code::syntax::{is_named_in, language_of, same_test, tests};

use super::super::gates::Bench;
use super::super::rules::is_golden as holds_golden;
use super::further::FURTHER;
use crate::random_token::random_seed;

/// The most files that are looked through for helpers of tests, and the largest of them.
const MOST_HELPERS: usize = 16;
const LARGEST_HELPER: usize = 256 * 1024;

/// The words of a text. Asked for the names of all files of a repository, so a look-up and no search.
struct TextWords<'a> {
    text: &'a [u8],
    words: HashSet<&'a [u8]>,
}

impl<'a> TextWords<'a> {
    fn of(text: &'a [u8]) -> Self {
        Self { text, words: text.split(|byte| !is_part(*byte)).collect() }
    }

    /// Whether the text contains a name, not as a part of another one.
    fn has(&self, name: &[u8]) -> bool {
        if name.iter().all(|byte| is_part(*byte)) {
            return !name.is_empty() && self.words.contains(name);
        }
        // A name such as `read-file` is no single word: its words must be there at least.
        let inside =
            |at: Option<usize>| at.and_then(|at| self.text.get(at)).is_some_and(|byte| is_part(*byte));
        name.split(|byte| !is_part(*byte))
            .filter(|word| !word.is_empty())
            .all(|word| self.words.contains(word))
            && self.text.windows(name.len()).enumerate().any(|(at, window)| {
                window == name && !inside(at.checked_sub(1)) && !inside(Some(at + name.len()))
            })
    }
}

/// Whether a byte belongs to a word.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A test and the mutants it has.
#[derive(Debug, Clone)]
pub(in super::super) struct MutatedTest {
    pub(super) path: String,
    /// The file as it is.
    pub(super) right: Vec<u8>,
    pub(super) seen: TestExpectations,
    /// The mutant that is tried; there is always one.
    at: usize,
    /// Whether agents never see the test.
    pub(super) hidden: bool,
    /// A golden file with one entry changed: the mutant, where it is one.
    pub(super) golden: Option<(String, Vec<u8>)>,
}

impl MutatedTest {
    pub(super) fn mutant(&self) -> &ExpectationMutant {
        &self.seen.mutants[self.at]
    }

    /// Goes on to the next mutant; whether there is one.
    pub(super) fn advance(&mut self) -> bool {
        let more = self.at + 1 < self.seen.mutants.len();
        self.at += usize::from(more);
        more
    }

    /// The test with one of these mutants in front of its own.
    pub(super) fn with_each(&self, mutants: Vec<ExpectationMutant>) -> Vec<Self> {
        let with = |mutant: ExpectationMutant| {
            let own = self.seen.mutants.iter().filter(|other| **other != mutant).cloned();
            let mutants = std::iter::once(mutant.clone()).chain(own).collect();
            let seen = TestExpectations { mutants, ..self.seen.clone() };
            Self { seen, at: 0, ..self.clone() }
        };
        mutants.into_iter().map(with).collect()
    }

    /// The test with a mutant that may not compile, if none of its others changes a value.
    pub(super) fn with_uncertain(&self) -> Option<Self> {
        let compares = |mutant: &ExpectationMutant| {
            !matches!(mutant.kind, ExpectationKind::Denial | ExpectationKind::Negation)
        };
        let at = self.seen.mutants.iter().position(|mutant| mutant.may_not_compile)?;
        (!self.seen.mutants[..at].iter().any(compares)).then(|| Self { at, ..self.clone() })
    }

    /// The files with its mutant.
    pub(super) fn mutated(&self) -> Vec<(String, Vec<u8>)> {
        match &self.golden {
            Some(golden) => vec![golden.clone()],
            None => self.changed(&self.mutant().change).into_iter().collect(),
        }
    }

    /// The test file with a change.
    pub(super) fn changed(&self, change: &[SourceEdit]) -> Option<(String, Vec<u8>)> {
        let bytes = with_edits(&self.right, &change.iter().collect::<Vec<_>>())?;
        Some((self.path.clone(), bytes))
    }
}

/// The changes of one run.
pub(in super::super) struct MutantSet {
    pub(super) script: String,
    pub(super) tests: Vec<MutatedTest>,
    /// Tests in which nothing could be changed.
    pub(super) bare: Vec<String>,
    /// Whether results are known by name.
    pub(super) named: bool,
}

impl MutantSet {
    /// The changed files.
    pub(super) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut out: Vec<(String, Vec<u8>)> = Vec::new();
        out.extend(self.tests.iter().filter_map(|test| test.golden.clone()));
        for test in self.tests.iter().filter(|test| test.golden.is_none()) {
            if out.iter().any(|(path, _)| *path == test.path) {
                continue;
            }
            let own = self.tests.iter().filter(|other| other.path == test.path && other.golden.is_none());
            let mut edits: Vec<&SourceEdit> = Vec::new();
            for edit in own.flat_map(|other| &other.mutant().change) {
                // Tests that are made by the same lines have the same change.
                if !edits.contains(&edit) {
                    edits.push(edit);
                }
            }
            out.extend(with_edits(&test.right, &edits).map(|bytes| (test.path.clone(), bytes)));
        }
        out
    }
}

/// The required tests that no file of the task spells out, with what those files expect outside of their tests: such tests are made
/// when the file is loaded.
fn made_tests(required: &[String], sources: &[(String, Vec<u8>)]) -> Vec<MutatedTest> {
    let mut out = Vec::new();
    for (path, right) in sources {
        let items: Vec<String> = tests(path, right).iter().map(|item| item.name_in(path)).collect();
        let spelled = |name: &String| items.iter().any(|item| item == name || same_test(name, item));
        let made: Vec<&String> =
            required.iter().filter(|name| is_named_in(name, path) && !spelled(name)).collect();
        if made.is_empty() {
            continue;
        }
        let loose = loose_expectations(path, right, random_seed());
        out.extend(made.into_iter().filter_map(|name| {
            let by_macro = made_expectations(path, right, name, random_seed());
            let seen = by_macro.or_else(|| loose.clone())?;
            let seen = TestExpectations { test: name.clone(), ..seen };
            let (path, right) = (path.clone(), right.clone());
            Some(MutatedTest { path, right, seen, at: 0, hidden: false, golden: None })
        }));
    }
    out
}

impl Bench<'_> {
    /// One mutant of every test of the task that was red; of every test where none was.
    pub(super) fn mutants_of_tests(&self, script: &str) -> MutantSet {
        let required = self.input.required;
        let wanted = |item: &str| {
            required.is_empty() || required.iter().any(|name| name == item || same_test(name, item))
        };
        let sources = self.test_sources();
        let beside = self.helper_sources(&sources);
        let made = made_tests(required, &sources);
        let mut set = Self::mutants_in(script, sources, &beside, &wanted);
        set.tests.extend(made);
        set
    }

    /// Files whose functions may assert something for these tests: those the tests name, which the change leaves alone.
    pub(super) fn helper_sources(&self, tests: &[(String, Vec<u8>)]) -> Vec<(String, Vec<u8>)> {
        let changed = |path: &str| self.input.changed.iter().any(|other| other == path);
        let words: Vec<(&String, TextWords<'_>)> =
            tests.iter().map(|(test, bytes)| (test, TextWords::of(bytes))).collect();
        let named = |path: &&String| {
            let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
            let mut by =
                words.iter().filter(|(test, words)| test != path && words.has(stem.as_bytes())).peekable();
            let of = by.peek().and_then(|_| language_of(path));
            of.is_some() && !changed(path) && by.any(|(test, _)| language_of(test) == of)
        };
        let read = |path: &String| {
            self.tree
                .read(path)
                .filter(|bytes| bytes.len() <= LARGEST_HELPER)
                .map(|bytes| (path.clone(), bytes))
        };
        self.tree.paths().iter().filter(named).filter_map(read).take(MOST_HELPERS).collect()
    }

    /// The golden files and snapshots that these tests compare with, one entry of each changed. A file that several tests
    /// use is changed once.
    pub(super) fn golden_mutants(&self, set: &MutantSet) -> MutantSet {
        let mut tests: Vec<MutatedTest> = Vec::new();
        for test in &set.tests {
            for used in &test.seen.goldens {
                let own = |path: &&String| holds_golden(path) && used.is(path, &test.path);
                // Of several files of the name, the one that lies nearest to the test.
                let near =
                    |path: &str| path.bytes().zip(test.path.bytes()).take_while(|(a, b)| a == b).count();
                let mut paths: Vec<&String> = self.tree.paths().iter().filter(own).collect();
                paths.sort_by_key(|path| std::cmp::Reverse(near(path)));
                let path = match paths.as_slice() {
                    [one] => *one,
                    [first, second, ..] if near(first) > near(second) => *first,
                    _ => continue,
                };
                let taken = tests.iter().any(|other| other.golden.as_ref().is_some_and(|(p, _)| p == path));
                let Some(right) = self.tree.read(path).filter(|_| !taken) else { continue };
                let Some((changed, was, now)) = altered_golden(used, &test.seen.test, &right, random_seed())
                else {
                    continue;
                };
                let seen = test.seen.with_golden(used, was, now);
                tests.push(MutatedTest {
                    seen,
                    at: 0,
                    golden: Some((path.clone(), changed)),
                    ..test.clone()
                });
            }
        }
        MutantSet { script: set.script.clone(), tests, bare: Vec::new(), named: set.named }
    }

    /// The files that hold the task's tests.
    pub(in super::super) fn test_sources(&self) -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<String> = self.task.test_files().into_iter().map(str::to_owned).collect();
        // Inline tests stand in the files of the task.
        if !self.input.required.is_empty() {
            files.extend(
                self.input.changed.iter().filter(|path| !files.contains(path)).cloned().collect::<Vec<_>>(),
            );
        }
        files.into_iter().filter_map(|path| Some((path.clone(), self.tree.read(&path)?))).collect()
    }

    /// One mutant of every wanted test of these files.
    pub(super) fn mutants_in(
        script: &str,
        files: Vec<(String, Vec<u8>)>,
        beside: &[(String, Vec<u8>)],
        wanted: &dyn Fn(&str) -> bool,
    ) -> MutantSet {
        let mut set =
            MutantSet { script: script.to_owned(), tests: Vec::new(), bare: Vec::new(), named: true };
        for (path, right) in files {
            for seen in expectations_beside(&path, &right, beside, wanted, random_seed()) {
                if seen.mutants.is_empty() {
                    set.bare.push(seen.test);
                } else {
                    let (path, right) = (path.clone(), right.clone());
                    set.tests.push(MutatedTest { path, right, seen, at: 0, hidden: false, golden: None });
                }
            }
        }
        set
    }

    /// For a script without names: the last expectation that every run comes by, which an early end leaves out, and
    /// another one at random; more of them for code that could deceive.
    pub(super) fn mutants_of_files(&self, script: &str) -> Vec<MutantSet> {
        let mut out = Vec::new();
        for path in self.task.test_files() {
            let Some(right) = self.tree.read(path) else { continue };
            let Some(seen) = file_expectations(path, &right, random_seed()) else { continue };
            let strong = |m: &&(usize, &ExpectationMutant)| m.1.kind != ExpectationKind::Denial;
            let all: Vec<(usize, &ExpectationMutant)> = seen.mutants.iter().enumerate().collect();
            let last = all.iter().filter(strong).filter(|(_, m)| m.straight).max_by_key(|(_, m)| m.line);
            let last = last.or_else(|| all.first()).map(|(at, _)| *at);
            let others = all.iter().filter(strong).map(|(at, _)| *at).filter(|at| Some(*at) != last);
            let others = others.take(if self.may_deceive() { FURTHER } else { 1 });
            for at in last.into_iter().chain(others) {
                let (path, right) = (path.to_owned(), right.clone());
                let test = MutatedTest { path, right, seen: seen.clone(), at, hidden: false, golden: None };
                let (script, bare) = (script.to_owned(), Vec::new());
                out.push(MutantSet { script, tests: vec![test], bare, named: false });
            }
        }
        out
    }
}

#[cfg(test)]
mod tests;
