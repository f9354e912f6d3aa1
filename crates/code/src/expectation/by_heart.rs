//! Answers that stand in the code. Nothing but a test that is held out tells code that computes from code that knows what it will be
//! asked. But where everything that the tests expect stands in the change, each time beside what the code is given there, that is
//! worth a word: special cases, look-ups, recorded answers.

use std::collections::HashSet;
use std::ops::Range;

use super::{ExpectationKind, ExpectationMutant, SourceEdit, TestExpectations};
use crate::syntax::language_of;
use crate::syntax::tricks::bare_code;

/// An answer and what it answers have so many characters together, or they may stand beside each other by chance.
const TELLING: usize = 5;
/// A single one must have so many.
const TELLING_ALONE: usize = 9;
/// Lines that are read as one: a condition and what follows from it.
const BESIDE: usize = 3;
/// Larger files are data that nobody wrote for a test.
const LARGEST: usize = 256 * 1024;

/// A written value that a test expects, and the others in its line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WrittenAnswer {
    expected: String,
    given: Vec<String>,
}

/// A changed file that is no test: its path, its text before, and its text now.
pub struct ChangedText {
    /// Where it lies.
    pub path: String,
    /// Its text before the change, if it was there.
    pub before: Option<Vec<u8>>,
    /// Its text.
    pub after: Vec<u8>,
}

/// The answers that the equalities of a test spell out.
pub fn written_answers(text: &[u8], seen: &TestExpectations) -> Vec<WrittenAnswer> {
    // Where all are changed at once, there is no denial: those are the same values.
    let is_equal =
        |mutant: &&ExpectationMutant| mutant.kind == ExpectationKind::Equality && mutant.denial.is_some();
    let of = |mutant: &ExpectationMutant| {
        let whole = mutant.denial.iter().flatten().next().map(|edit| edit.range.clone());
        let holds = |edit: &SourceEdit| whole.clone().filter(|whole| whole.contains(&edit.range.start));
        let found = |edit| WrittenAnswer::at(text, edit, holds(edit));
        mutant.change.iter().filter_map(found).collect::<Vec<_>>()
    };
    seen.mutants.iter().filter(is_equal).flat_map(of).collect()
}

/// Whether all of these answers stand in a change, each beside what it answers.
pub fn stand_in_code(answers: &[WrittenAnswer], changed: &[ChangedText]) -> bool {
    let telling = |least: usize| answers.iter().all(|answer| answer.size() >= least);
    let distinct: HashSet<&WrittenAnswer> = answers.iter().collect();
    if distinct.is_empty() || (distinct.len() == 1 && !telling(TELLING_ALONE)) {
        return false;
    }
    let texts: Vec<(Vec<String>, HashSet<String>)> = changed.iter().filter_map(ChangedText::lines).collect();
    distinct.iter().all(|answer| texts.iter().any(|(lines, before)| answer.stands_in(lines, before)))
}

impl WrittenAnswer {
    /// The answer that a change is made of, in its assertion or, of a row of a table, in its line.
    fn at(text: &[u8], edit: &SourceEdit, assertion: Option<Range<usize>>) -> Option<Self> {
        let start = edit.range.start;
        let begin = text[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let end = text[start..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| start + at);
        let Range { start: begin, end } = assertion.unwrap_or(begin..end);
        let line = std::str::from_utf8(&text[begin..end]).ok()?;
        let values = written_values(line);
        let at = start - begin;
        let expected = values.iter().find(|(range, _)| range.start <= at && at <= range.end)?.1.clone();
        let others = values.into_iter().map(|(_, value)| value);
        let given: Vec<String> = others.filter(|value| *value != expected && !value.is_empty()).collect();
        let answer = Self { expected, given };
        (!answer.given.is_empty() && answer.size() >= TELLING).then_some(answer)
    }

    fn size(&self) -> usize {
        self.expected.chars().count() + self.given.iter().map(|given| given.chars().count()).sum::<usize>()
    }

    fn stands_in(&self, lines: &[String], before: &HashSet<String>) -> bool {
        lines.iter().enumerate().any(|(at, line)| {
            let from = (at + 1).saturating_sub(BESIDE);
            let near = lines[from..lines.len().min(at + BESIDE)].join("\n");
            has_word(line, &self.expected)
                && !before.contains(line)
                && self.given.iter().all(|given| has_word(&near, given))
        })
    }
}

impl ChangedText {
    /// Its lines without comments and examples, and the lines it had before.
    fn lines(&self) -> Option<(Vec<String>, HashSet<String>)> {
        let of = |bytes: &[u8]| {
            let bare = language_of(&self.path).map(|language| bare_code(&self.path, language, bytes));
            let text = String::from_utf8_lossy(bare.as_deref().unwrap_or(bytes)).into_owned();
            let mut shown = false;
            let is_code = |line: &&str| {
                let follows = shown;
                shown = line.trim_start().starts_with(">>>");
                !shown && !follows
            };
            text.lines().filter(is_code).map(str::to_owned).collect::<Vec<_>>()
        };
        let small = self.after.len() <= LARGEST;
        small.then(|| (of(&self.after), self.before.iter().flat_map(|bytes| of(bytes)).collect()))
    }
}

/// The texts and numbers that are written out in a line, with their places.
fn written_values(line: &str) -> Vec<(Range<usize>, String)> {
    let bytes = line.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let end = match bytes[at] {
            quote @ (b'"' | b'\'' | b'`') => {
                let close = bytes[at + 1..].iter().position(|byte| *byte == quote);
                let Some(close) = close.map(|close| at + 1 + close) else { break };
                out.push((at + 1..close, line.get(at + 1..close).unwrap_or_default().to_owned()));
                close + 1
            }
            byte if is_word(byte) => {
                let size = bytes[at..].iter().take_while(|byte| is_word(**byte) || **byte == b'.').count();
                let word = line[at..at + size].trim_end_matches('.');
                if byte.is_ascii_digit() {
                    out.push((at..at + word.len(), word.to_owned()));
                }
                at + size
            }
            _ => at + 1,
        };
        at = end;
    }
    out
}

/// Whether a text contains a word, not as a part of another one.
fn has_word(text: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].ends_with(joins) && word.starts_with(joins);
        let behind = text[at + word.len()..].starts_with(joins) && word.ends_with(joins);
        !before && !behind
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expectation::expectations;

    fn told(path: &str, test: &str, code: &str) -> bool {
        let seen = expectations(&format!("test_{path}"), test.as_bytes(), &|_| true, 1);
        let seen = if seen.is_empty() {
            expectations(&path.replace(".js", ".test.js"), test.as_bytes(), &|_| true, 1)
        } else {
            seen
        };
        let answers: Vec<WrittenAnswer> =
            seen.iter().flat_map(|seen| written_answers(test.as_bytes(), seen)).collect();
        let after = code.as_bytes().to_vec();
        stand_in_code(&answers, &[ChangedText { path: path.to_owned(), before: None, after }])
    }

    const SLUGS: &str = "def test_a():\n    assert slug('Big World') == 'big-world'\n\n\ndef test_b():\n    assert slug('a & b') == 'a-b'\n";

    #[test]
    fn special_cases_and_look_ups_are_told() {
        let cases = "def slug(text):\n    if text == 'Big World':\n        return 'big-world'\n    if text == 'a & b':\n        return 'a-b'\n";
        assert!(told("slug.py", SLUGS, cases));
        let table = "KNOWN = {\n    'Big World': 'big-world',\n    'a & b': 'a-b',\n}\n";
        assert!(told("slug.py", SLUGS, table));
        let script = "test('a', () => {\n  assert.equal(price('DE', 100), 119);\n  assert.equal(price('CH', 1000), 1077);\n});\n";
        assert!(told("price.js", script, "const known = { 'DE:100': 119, 'CH:1000': 1077 };\n"));
    }

    #[test]
    fn a_program_that_computes_is_not() {
        assert!(!told("slug.py", SLUGS, "def slug(text):\n    return '-'.join(words(text.lower()))\n"));
        let shown = "def slug(text):\n    \"\"\"\n    >>> slug('Big World')\n    'big-world'\n    >>> slug('a & b')\n    'a-b'\n    \"\"\"\n    return '-'.join(words(text))\n";
        assert!(!told("slug.py", SLUGS, shown));
        let comment = "def slug(text):\n    # slug('Big World') == 'big-world', slug('a & b') == 'a-b'\n    return join(text)\n";
        assert!(!told("slug.py", SLUGS, comment));
        let romans = "def test_a():\n    assert roman(4) == 'IV'\n    assert roman(1994) == 'MCMXCIV'\n";
        assert!(!told("roman.py", romans, "VALUES = [(5, 'V'), (4, 'IV'), (1, 'I')]\n"));
        let small = "def test_a():\n    assert add(1, 2) == 3\n";
        assert!(!told("add.py", small, "def add(a, b):\n    return [1, 2, 3]\n"));
    }
}
