//! Mutants of what tests expect: the same test file with one expected value changed, so that this test must fail.
//!
//! Only the expected side of an equality or an expected exception is changed, inside the test's own body, its own
//! table of cases or one step of data flow; never an input or a value that other tests share. A value that is computed or comes
//! from elsewhere is changed when the test runs ([`ExpectationKind::Computed`]). What must be a part of the result becomes
//! something that no result contains ([`ExpectationKind::Part`]). A condition that says nothing about equal
//! values is turned into its opposite ([`ExpectationKind::Negation`]). Where a test has none of these, an
//! assertion is replaced by a failure ([`ExpectationKind::Denial`]), which says less: it unmasks a forged result, not a
//! value that equals everything. What differs from language to language is in [`ExpectationRules`], a fact of the
//! language's row. Which value is changed, and to what, follows from a random number of the caller.

mod alter;
mod beside;
mod bounds;
mod by_heart;
mod case_file;
mod change;
mod condition;
mod constant;
mod doctest;
mod earlier;
mod edit;
mod field;
mod find;
mod flow;
mod golden;
mod helper;
mod indexed;
mod inherited;
mod inner;
mod literal;
mod made;
mod opposite;
mod reached;
mod row;
mod rules;
mod same;
mod shell;
mod shell_rows;
mod stated;
mod stored;
mod table;
mod together;
mod words;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use beside::{BesideChange, tables_beside};
pub use by_heart::{ChangedText, WrittenAnswer, stand_in_code, written_answers};
pub(crate) use condition::{call_parts, claims, equalities, is_small};
pub use earlier::in_earlier_version;
pub use edit::{SourceEdit, with_edits};
pub(crate) use flow::all_nodes;
pub use golden::{GoldenFile, GoldenUse, altered_golden};
pub use inherited::inherited_expectations;
pub use inner::InnerTest;
pub(crate) use literal::LiteralKinds;
pub(crate) use made::MadeTest;
pub use made::made_expectations;
pub(crate) use rules::{
    AssertionForm, ExpectationRules, RowPart, RowsAround, SeenAssertion, TextMatch, ValueMatch,
};
pub use same::other_titles;
pub(crate) use stated::ExampleForms;
pub use stated::{ExampleFile, StatedExample, stated_examples, with_examples};
pub(crate) use table::{own_table, template_column};
pub use together::{FramedAssertion, PrimedCopy};
pub(crate) use together::{ends_line, indent_of};

use crate::syntax::{TestItem, language_of, tests};
pub(crate) use alter::Choice;

/// What a mutant changes, the most telling first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExpectationKind {
    /// The expected side of an equality.
    Equality,
    /// An expected exception: its class, or what it says.
    Exception,
    /// A text or a value that must be a part of the result.
    Part,
    /// An entry of a golden file or a snapshot.
    Golden,
    /// A value inside an expected value of a type of its own: `Money(3, "EUR")`. Its equality may leave the value out.
    Field,
    /// The expected side of an equality that is computed: it is changed when the test runs.
    Computed,
    /// A condition is asserted to be the opposite.
    Negation,
    /// An assertion is replaced by a failure.
    Denial,
}

impl ExpectationKind {
    /// Its name in evidence.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equality => "equality",
            Self::Exception => "exception",
            Self::Part => "part",
            Self::Golden => "golden",
            Self::Field => "field",
            Self::Computed => "computed",
            Self::Negation => "negation",
            Self::Denial => "denial",
        }
    }

    /// A kind by its name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Equality, Self::Exception, Self::Part, Self::Golden];
        let others = [Self::Field, Self::Computed, Self::Negation, Self::Denial];
        all.into_iter().chain(others).find(|kind| kind.as_str() == name)
    }
}

/// One changed expectation of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectationMutant {
    /// What it changes.
    pub kind: ExpectationKind,
    /// The line, counted from 1.
    pub line: usize,
    /// What was expected.
    pub was: String,
    /// What the mutant expects.
    pub now: String,
    /// Whether every run of the test that ends well comes by: no condition, loop or early return stands before it.
    pub straight: bool,
    /// Whether every case of the test has another expected value, so that each of them must fail.
    pub every_case: bool,
    /// The change itself.
    pub change: Vec<SourceEdit>,
    /// The same assertion replaced by a failure: shows whether it is reached.
    pub denial: Option<Vec<SourceEdit>>,
    /// The value as it is, written in another way: the test must pass as before. None if there is no other way.
    pub same: Vec<SourceEdit>,
    /// The change with a frame that ends the test where the assertion holds. None where there is no such frame.
    pub framed: Option<FramedAssertion>,
    /// Whether it may not compile: such a mutant is tried last, and alone.
    pub may_not_compile: bool,
}

impl fmt::Display for ExpectationMutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ExpectationKind::Equality
            | ExpectationKind::Exception
            | ExpectationKind::Part
            | ExpectationKind::Golden
            | ExpectationKind::Field => {
                write!(f, "line {}: `{}` in place of `{}`", self.line, self.now, self.was)
            }
            ExpectationKind::Computed => write!(f, "line {}: another value than `{}`", self.line, self.was),
            ExpectationKind::Negation => write!(f, "line {}: the opposite of `{}`", self.line, self.was),
            ExpectationKind::Denial => write!(f, "line {}: a failure in place of `{}`", self.line, self.was),
        }
    }
}

impl ExpectationMutant {
    /// Whether what must be a part of the result becomes an answer of the same form, which an honest result may contain as well.
    pub fn is_another_answer(&self) -> bool {
        self.kind == ExpectationKind::Part
            && self.now.contains(|c: char| c.is_ascii_digit())
            && !self.now.bytes().all(|b| b.is_ascii_digit())
    }

    /// Whether another value takes the place of one, which always compiles.
    pub fn changes_a_value(&self) -> bool {
        self.kind != ExpectationKind::Denial && !self.may_not_compile
    }
}

/// Whether a test file also says of something that it is *not* contained: an answer that holds everything would not pass it, so
/// a container that holds whatever is asked for (a range without bounds) is what its tests want.
pub fn denies_parts(text: &[u8]) -> bool {
    const WORDS: [&str; 7] = [
        " not in ",
        "NotIn(",
        "NotContain",
        ".not.toContain",
        ".not.toMatch",
        "refute_include",
        "not_to include",
    ];
    const ASKS: [&str; 4] = [".contains(", ".includes(", ".has(", ".include?("];
    let says = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
    let denies = |line: &str| {
        says(line, &WORDS) || ((line.contains("(!") || line.contains(" !")) && says(line, &ASKS))
    };
    String::from_utf8_lossy(text).lines().any(denies)
}

/// The mutants of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestExpectations {
    /// The test's name with its file, as [`TestItem::name_in`] gives it; of a file that is one test, its path.
    pub test: String,
    /// Its mutants in the order in which they are to be tried. None if nothing in it can be changed.
    pub mutants: Vec<ExpectationMutant>,
    /// The test with a failure as its first step: shows whether it is run at all.
    pub entry: Option<Vec<SourceEdit>>,
    /// A failure as its last step.
    pub end: Option<SourceEdit>,
    /// Whether every good run comes to its last step.
    pub ends: bool,
    /// Golden files and snapshots that it compares with.
    pub goldens: Vec<GoldenUse>,
    /// Changes of what it expects in the file beside it that holds its table of cases.
    pub beside: Vec<BesideChange>,
    /// Tests inside it.
    pub inner: Vec<InnerTest>,
    /// Whether something besides its assertions decides about its result: a mark, a condition.
    pub marked: bool,
}

/// What the tests of a file expect, changed. `wanted` names the tests; `seed` decides which value is changed.
pub fn expectations(
    path: &str,
    bytes: &[u8],
    wanted: &dyn Fn(&str) -> bool,
    seed: u64,
) -> Vec<TestExpectations> {
    expectations_beside(path, bytes, &[], wanted, seed)
}

/// The same with files that the tests import: functions in them may assert something for a test.
pub fn expectations_beside(
    path: &str,
    bytes: &[u8],
    beside: &[(String, Vec<u8>)],
    wanted: &dyn Fn(&str) -> bool,
    seed: u64,
) -> Vec<TestExpectations> {
    let mut choice = Choice::new(seed, path);
    let Some(language) = language_of(path) else {
        let shown = doctest::named_tests(path, bytes, wanted, &mut choice);
        return if shown.is_empty() { shell::named_tests(path, bytes, wanted, &mut choice) } else { shown };
    };
    let is_wanted = |item: &TestItem| !item.skipped && wanted(&item.name_in(path));
    let items: Vec<TestItem> = tests(path, bytes).into_iter().filter(is_wanted).collect();
    let beside: Vec<(String, Vec<u8>)> =
        beside.iter().filter(|(other, _)| language_of(other) == Some(language)).cloned().collect();
    find::of_items(path, language, bytes, &items, &beside, &mut choice)
}

impl TestExpectations {
    /// A test in which nothing was found.
    pub fn empty(test: String) -> Self {
        Self {
            test,
            mutants: Vec::new(),
            entry: None,
            end: None,
            ends: false,
            goldens: Vec::new(),
            beside: Vec::new(),
            inner: Vec::new(),
            marked: false,
        }
    }

    /// The mutant that a changed golden file is: nothing in the test changes.
    pub fn with_golden(&self, used: &GoldenUse, was: String, now: String) -> Self {
        let mutant = ExpectationMutant {
            kind: ExpectationKind::Golden,
            line: used.line,
            was,
            now,
            straight: false,
            every_case: false,
            change: Vec::new(),
            denial: used.denial.clone(),
            same: Vec::new(),
            framed: None,
            may_not_compile: false,
        };
        Self { mutants: vec![mutant], ..self.clone() }
    }
}

/// What a file expects that is one test as a whole: a script or a program whose exit code is the result.
pub fn file_expectations(path: &str, bytes: &[u8], seed: u64) -> Option<TestExpectations> {
    let mut choice = Choice::new(seed, path);
    match language_of(path) {
        Some(language) => find::of_file(path, language, bytes, &mut choice),
        None => shell::whole_file(path, bytes, &mut choice),
    }
}

/// What a file expects outside of the tests that stand in it: tests that are made when the file is loaded have their assertions there.
pub fn loose_expectations(path: &str, bytes: &[u8], seed: u64) -> Option<TestExpectations> {
    let items = tests(path, bytes);
    let mut seen = file_expectations(path, bytes, seed)?;
    let loose = |edit: &SourceEdit| {
        let apart =
            |item: &TestItem| edit.range.end <= item.range.start || item.range.end <= edit.range.start;
        items.iter().all(apart)
    };
    seen.mutants.retain(|mutant| mutant.change.iter().all(loose));
    (seen.entry, seen.end) = (None, None);
    (!seen.mutants.is_empty()).then_some(seen)
}

#[cfg(test)]
mod tests;
