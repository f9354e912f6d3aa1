//! Chooses the expectations that are changed: one of every test, at random.

use std::collections::HashSet;
use windlass_core::path_text::dir_of;

use windlass_code::detect::is_test_path;
use windlass_code::expectation::{
    BesideChange, ExpectationKind, ExpectationMutant, SourceEdit, TestExpectations, altered_golden,
    expectations_beside, file_expectations, inherited_expectations, loose_expectations, made_expectations,
    tables_beside, with_edits,
};
use windlass_code::repo::Tree as _;
use windlass_code::survey::Language;
use windlass_code::syntax::{is_named_in, language_of, same_test, tests};

use super::super::gates::Bench;
use super::super::rules::is_golden as holds_golden;
use super::further::FURTHER;
use crate::random_token::random_seed;

/// The most files that are looked through for helpers of tests, and the largest of them.
const MOST_HELPERS: usize = 16;
const LARGEST_HELPER: usize = 256 * 1024;

/// The most runs with changes outside of tests.
const OUTSIDE: usize = 3;

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

/// Whether a test file has the names of another one without naming it: Go's tests of one package.
fn belongs_to(path: &str, test: &str) -> bool {
    let directory = |path: &str| dir_of(path).to_owned();
    path != test
        && is_test_path(path)
        && Language::row_of(path).package_clause
        && language_of(path) == language_of(test)
        && directory(path) == directory(test)
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
    /// Whether that one changes all expectations of the test.
    pub(super) extent: ChangedPart,
    /// Whether agents never see the test.
    pub(super) hidden: bool,
    /// A golden file with one entry changed: the mutant, where it is one.
    pub(super) golden: Option<(String, Vec<u8>)>,
}

impl MutatedTest {
    /// A test with the first of its mutants.
    pub(super) fn new(path: &str, right: &[u8], seen: TestExpectations) -> Self {
        Self {
            path: path.to_owned(),
            right: right.to_vec(),
            seen,
            at: 0,
            extent: ChangedPart::One,
            hidden: false,
            golden: None,
        }
    }

    /// The test with all of its expectations changed at once, where that can be.
    fn all_at_once(self) -> Self {
        match self.seen.together().into_iter().next() {
            Some(all) => Self { extent: ChangedPart::All, ..self.with_each(vec![all]).remove(0) },
            None => self,
        }
    }

    pub(super) fn mutant(&self) -> &ExpectationMutant {
        &self.seen.mutants[self.at]
    }

    /// The file that the line of the mutant is in: a table of cases may stand in another one.
    pub(super) fn changed_path(&self) -> &str {
        let beside = self.golden.as_ref().filter(|_| self.mutant().kind != ExpectationKind::Golden);
        beside.map_or(&self.path, |(path, _)| path)
    }

    /// The title of the test inside this one that holds the change.
    pub(super) fn inner_title(&self) -> Option<&str> {
        self.seen.inner_title(self.mutant())
    }

    /// Goes on to the next mutant; whether there is one.
    pub(super) fn advance(&mut self) -> bool {
        let more = self.at + 1 < self.seen.mutants.len();
        self.at += usize::from(more);
        self.extent = ChangedPart::One;
        more
    }

    /// The test with one of these mutants in front of its own.
    pub(super) fn with_each(&self, mutants: Vec<ExpectationMutant>) -> Vec<Self> {
        let with = |mutant: ExpectationMutant| {
            let own = self.seen.mutants.iter().filter(|other| **other != mutant).cloned();
            let mutants = std::iter::once(mutant.clone()).chain(own).collect();
            let seen = TestExpectations { mutants, ..self.seen.clone() };
            Self { seen, at: 0, extent: ChangedPart::One, ..self.clone() }
        };
        mutants.into_iter().map(with).collect()
    }

    /// The mutant that was drawn for it, also where all are changed at once.
    pub(super) fn drawn(&self) -> &ExpectationMutant {
        let behind = usize::from(self.extent == ChangedPart::All);
        self.seen.mutants.get(self.at + behind).unwrap_or_else(|| self.mutant())
    }

    /// The test with the mutant that was drawn for it.
    pub(super) fn with_one(&self) -> Option<Self> {
        let mut one = self.clone();
        (one.extent == ChangedPart::One || one.advance()).then_some(one)
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

/// How much of a test is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangedPart {
    One,
    All,
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
    /// Whether a test has all of its expectations changed at once.
    pub(super) fn has_all_at_once(&self) -> bool {
        self.tests.iter().any(|test| test.extent == ChangedPart::All)
    }

    /// The changed files.
    pub(super) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut out: Vec<(String, Vec<u8>)> = Vec::new();
        for golden in self.tests.iter().filter_map(|test| test.golden.clone()) {
            if !out.contains(&golden) {
                out.push(golden);
            }
        }
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
        // Tests that are made by the same lines have the same change: two changes of one place would leave the file as it is.
        let seed = random_seed();
        let loose = loose_expectations(path, right, seed);
        out.extend(made.into_iter().filter_map(|name| {
            let inherited = inherited_expectations(path, right, name, seed);
            let by_macro = || made_expectations(path, right, name, seed);
            let seen = inherited.or_else(by_macro).or_else(|| loose.clone())?;
            let seen = TestExpectations { test: name.clone(), ..seen };
            Some(MutatedTest::new(path, right, seen))
        }));
    }
    out
}

/// Whether a mutant changes what is compared, here or when the test runs.
fn compares(mutant: &ExpectationMutant) -> bool {
    matches!(mutant.kind, ExpectationKind::Equality | ExpectationKind::Exception | ExpectationKind::Computed)
        && !mutant.may_not_compile
}

/// A test with changed tables of cases in other files.
fn beside_of(test: &MutatedTest) -> Vec<MutatedTest> {
    let with = |change: &BesideChange| {
        let seen = TestExpectations { mutants: vec![change.mutant.clone()], ..test.seen.clone() };
        let golden = Some((change.path.clone(), change.bytes.clone()));
        MutatedTest { seen, at: 0, golden, ..test.clone() }
    };
    test.seen.beside.iter().map(with).collect()
}

impl Bench<'_> {
    /// The changes of the first run: one mutant of every test. For code that could treat one assertion unlike another, all of them where
    /// they can be changed at once.
    pub(super) fn first_mutants(&self, script: &str) -> MutantSet {
        let mut set = self.mutants_of_tests(script);
        if self.may_deceive() {
            set.tests = set.tests.into_iter().map(MutatedTest::all_at_once).collect();
        }
        set
    }

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

    /// Files whose functions may assert something for these tests: those the tests name, which the change leaves alone or which lie
    /// among the tests.
    pub(super) fn helper_sources(&self, tests: &[(String, Vec<u8>)]) -> Vec<(String, Vec<u8>)> {
        let changed = |path: &str| self.input.changed.iter().any(|other| other == path);
        let words: Vec<(&String, TextWords<'_>)> =
            tests.iter().map(|(test, bytes)| (test, TextWords::of(bytes))).collect();
        let named = |path: &&String| {
            let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
            let mut by =
                words.iter().filter(|(test, words)| test != path && words.has(stem.as_bytes())).peekable();
            let of = by.peek().and_then(|_| language_of(path));
            let is_named = of.is_some() && by.any(|(test, _)| language_of(test) == of);
            // A helper that the change writes is read like any other: what it does not compare cannot bite.
            let may_tell = !changed(path) || is_test_path(path);
            may_tell && (is_named || tests.iter().any(|(test, _)| belongs_to(path, test)))
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

    /// The tables and constants that these tests expect and that stand outside of them, changed in as few runs as hold them. Plain code
    /// has no means to read them: it is left out where another value of the test is changed.
    pub(super) fn outside_mutants(&self, set: &MutantSet) -> Vec<MutantSet> {
        let deceives = self.may_deceive();
        let mut out: Vec<MutantSet> = Vec::new();
        let wanted = |test: &&MutatedTest| deceives || !test.seen.mutants.iter().any(compares);
        for test in set.tests.iter().filter(wanted).flat_map(beside_of) {
            let apart = |other: &MutatedTest| match (&other.golden, &test.golden) {
                (Some((path, bytes)), Some((own, right))) => path != own || bytes == right,
                _ => true,
            };
            match out.iter().position(|run| run.tests.iter().all(apart)) {
                Some(at) => out[at].tests.push(test),
                None if out.len() < OUTSIDE => {
                    let (script, named) = (set.script.clone(), set.named);
                    out.push(MutantSet { script, tests: vec![test], bare: Vec::new(), named });
                }
                None => {}
            }
        }
        out
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
                    set.tests.push(MutatedTest::new(&path, &right, seen));
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
            out.extend(self.tables_of_file(script, path, &right));
            let Some(seen) = file_expectations(path, &right, random_seed()) else { continue };
            let strong = |m: &&(usize, &ExpectationMutant)| m.1.kind != ExpectationKind::Denial;
            let all: Vec<(usize, &ExpectationMutant)> = seen.mutants.iter().enumerate().collect();
            let last = all.iter().filter(strong).filter(|(_, m)| m.straight).max_by_key(|(_, m)| m.line);
            let last = last.or_else(|| all.first()).map(|(at, _)| *at);
            let others = all.iter().filter(strong).map(|(at, _)| *at).filter(|at| Some(*at) != last);
            let others = others.take(if self.may_deceive() { FURTHER } else { 1 });
            for at in last.into_iter().chain(others) {
                let test = MutatedTest { at, ..MutatedTest::new(path, &right, seen.clone()) };
                let (script, bare) = (script.to_owned(), Vec::new());
                out.push(MutantSet { script, tests: vec![test], bare, named: false });
            }
        }
        out
    }

    /// The tables of a script or a program that stand in other files.
    fn tables_of_file(&self, script: &str, path: &str, right: &[u8]) -> Vec<MutantSet> {
        let sources = [(path.to_owned(), right.to_vec())];
        let changes = tables_beside(path, right, &self.helper_sources(&sources), random_seed());
        let set = |change: BesideChange| {
            let seen =
                TestExpectations { mutants: vec![change.mutant], ..TestExpectations::empty(path.to_owned()) };
            let golden = Some((change.path, change.bytes));
            let test = MutatedTest { golden, ..MutatedTest::new(path, right, seen) };
            MutantSet { script: script.to_owned(), tests: vec![test], bare: Vec::new(), named: false }
        };
        changes.into_iter().map(set).collect()
    }
}

#[cfg(test)]
mod tests;
