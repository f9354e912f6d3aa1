//! Small wrong versions of a source file: code that a test which exercises it must notice.
//!
//! By syntax tree alone; shell scripts by the lexer of scripts. Whether a mutant compiles is only known when it runs: one that does not says nothing about
//! the tests. What differs from language to language is in [`MutationRules`], a fact of the language's row.

mod answer;
mod make;
mod restyled;
mod rules;
mod shell;
mod skeleton;

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use crate::script::is_shell_file;
use crate::syntax::language_of;
use crate::syntax::source::ParsedText;
use crate::syntax::test_region;
use crate::syntax::tricks::names;

pub(crate) use answer::{AnswerKind, plain_answer};
pub use restyled::restyled;
pub(crate) use rules::{Guard, MutationRules};
pub use skeleton::{ChangedCode, skeleton};

/// What a mutant does wrong. The order is the order in which kinds are tried: the first change the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutantKind {
    /// A function returns a default value at once.
    EarlyReturn,
    /// A condition is negated.
    NegatedCondition,
    /// A limit or a number is off by one.
    OffByOne,
    /// A call whose value is not used is left out.
    DroppedCall,
    /// The first two arguments of a call change places.
    SwappedArguments,
    /// A constant of the file has another value.
    OtherConstant,
}

impl MutantKind {
    /// Its name for people and in evidence.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EarlyReturn => "early return",
            Self::NegatedCondition => "negated condition",
            Self::OffByOne => "off by one",
            Self::DroppedCall => "dropped call",
            Self::SwappedArguments => "swapped arguments",
            Self::OtherConstant => "another constant",
        }
    }
}

/// One change of a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// What it does wrong.
    pub kind: MutantKind,
    /// The function it is in, or the constant it changes.
    pub function: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The last line of what it is made from.
    last_line: usize,
    range: Range<usize>,
    text: String,
}

impl Mutant {
    /// The file with the change.
    pub fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let (before, after) = (&bytes[..self.range.start], &bytes[self.range.end..]);
        [before, self.text.as_bytes(), after].concat()
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in `{}`, line {}", self.kind.as_str(), self.function, self.line)
    }
}

/// At most `count` mutants of those that are wanted, none inside tests. Functions take turns, and each
/// begins with the kind that changes the most; constants join at the second turn.
pub fn mutants(path: &str, bytes: &[u8], wanted: &dyn Fn(&Mutant) -> bool, count: usize) -> Vec<Mutant> {
    mutants_of_named(path, bytes, wanted, &MutantNames::default(), count)
}

/// The same; in every turn those come first whose functions or constants the tests name, and such constants join at the first. A file has
/// more functions than there are versions, and one test file is often about a few of them.
pub fn mutants_of_named(
    path: &str,
    bytes: &[u8],
    wanted: &dyn Fn(&Mutant) -> bool,
    tests: &MutantNames,
    count: usize,
) -> Vec<Mutant> {
    let mut all = every(path, bytes);
    all.retain(wanted);
    let parses = |mutant: &Mutant| {
        // Changes of shell scripts keep the syntax.
        let Some(language) = language_of(path) else { return true };
        let text = mutant.apply(bytes);
        let parsed = ParsedText::parse(language, &text);
        parsed.is_some_and(|p| p.first_error().is_none() || language.row().preprocessed)
    };
    in_turns(all, tests).into_iter().filter(parses).take(count).collect()
}

/// Every mutant of a file that parses, none inside tests.
fn every(path: &str, bytes: &[u8]) -> Vec<Mutant> {
    let Some(language) = language_of(path) else {
        let text = std::str::from_utf8(bytes).ok().filter(|_| is_shell_file(path, bytes));
        return text.map(|text| shell::all(path, text)).unwrap_or_default();
    };
    let Some(source) = ParsedText::parse(language, bytes) else { return Vec::new() };
    if source.first_error().is_some() && !language.row().preprocessed {
        return Vec::new();
    }
    let tests = test_region(path, bytes);
    let in_test = |m: &Mutant| tests.iter().any(|t| t.start <= m.range.start && m.range.end <= t.end);
    let mut all = make::all(&source, &language.row().mutation, &language.row().expectation.literals);
    all.retain(|mutant| !in_test(mutant));
    all
}

/// The names that tests contain.
#[derive(Debug, Clone, Default)]
pub struct MutantNames(HashSet<String>);

impl MutantNames {
    /// Those of these files.
    pub fn of<'a>(files: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let words =
            |bytes: &[u8]| names(&String::from_utf8_lossy(bytes)).map(str::to_owned).collect::<Vec<_>>();
        Self(files.into_iter().flat_map(words).collect())
    }

    fn name(&self, mutant: &Mutant) -> bool {
        self.0.contains(&mutant.function)
    }
}

/// One mutant of every function, then a second one of every function, and so on.
fn in_turns(mut all: Vec<Mutant>, tests: &MutantNames) -> Vec<Mutant> {
    all.sort_by_key(|mutant| (mutant.kind, mutant.range.start));
    let mut turns: Vec<(usize, Mutant)> = Vec::new();
    for mutant in all {
        let before = turns.iter().filter(|(_, other)| other.function == mutant.function).count();
        let later = mutant.kind == MutantKind::OtherConstant && !tests.name(&mutant);
        let turn = before + usize::from(later);
        turns.push((turn, mutant));
    }
    turns.sort_by_key(|(turn, mutant)| (*turn, !tests.name(mutant), mutant.range.start));
    turns.into_iter().map(|(_, mutant)| mutant).collect()
}

#[cfg(test)]
mod tests;
