//! Which tests stand for which criterion: by the plan, by the test-writer's answer, by their names.
//!
//! Every name is checked against the tests that exist. What nothing says is not guessed.

use std::collections::BTreeMap;

use windlass_core::criteria::{CriterionLink, LinkSource};
use windlass_core::plan::Criterion;

use crate::expectation::{ExpectationKind, ExpectationMutant, expectations};
use crate::syntax::{same_test, tests};

/// The findings about the tests of a task.
pub struct LinkInput<'a> {
    /// The criteria of the task, each with its key as id.
    pub criteria: &'a [Criterion],
    /// The tests that exist, by name.
    pub known: &'a [String],
    /// The files they stand in.
    pub files: &'a [(String, Vec<u8>)],
    /// What the test-writer answered: tests by criterion.
    pub answer: &'a BTreeMap<String, Vec<String>>,
}

/// The criteria with their tests, and what is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkedTests {
    /// The criteria that have tests.
    pub links: Vec<CriterionLink>,
    /// The keys of the criteria that have none.
    pub untested: Vec<String>,
    /// Names that were given for a criterion and that no test has, as `(criterion, name)`.
    pub unknown: Vec<(String, String)>,
    /// Tests that an agent says stand for more criteria than they assert things, with the criteria that are left over.
    pub overclaimed: Vec<(String, Vec<String>)>,
}

/// Links tests with criteria.
pub fn linked(input: &LinkInput<'_>) -> LinkedTests {
    let mut found = LinkedTests::default();
    for criterion in input.criteria {
        match link(input, criterion, &mut found.unknown) {
            Some(link) => found.links.push(link),
            None => found.untested.push(criterion.id.clone()),
        }
    }
    limit_claims(input, &mut found);
    found
}

/// Takes criteria from a test that alone stands for more of them, by an agent's word, than it asserts things. Which of them it shows
/// is not known: the first ones keep it.
fn limit_claims(input: &LinkInput<'_>, found: &mut LinkedTests) {
    for test in input.known {
        let claims = |link: &CriterionLink| {
            matches!(link.by, LinkSource::Answer | LinkSource::Name) && link.tests == [test.clone()]
        };
        let claimed: Vec<String> =
            found.links.iter().filter(|link| claims(link)).map(|link| link.criterion.clone()).collect();
        if claimed.len() < 2 {
            continue;
        }
        let left_over = match asserted_things(input, test) {
            Some(things) => claimed.get(things..).unwrap_or_default().to_vec(),
            None => Vec::new(),
        };
        if !left_over.is_empty() {
            found.links.retain(|link| !left_over.contains(&link.criterion));
            found.untested.extend(left_over.clone());
            found.overclaimed.push((test.clone(), left_over));
        }
    }
}

/// How many things a test asserts at most: its assertions, or the values that it expects and the words in them. None if it cannot be read.
fn asserted_things(input: &LinkInput<'_>, test: &str) -> Option<usize> {
    let is_it = |name: &str| name == test || same_test(test, name);
    let read = |(path, bytes): &'_ (String, Vec<u8>)| {
        let seen = expectations(path, bytes, &is_it, 0).into_iter().find(|seen| !seen.mutants.is_empty())?;
        let is_denial = |mutant: &&ExpectationMutant| mutant.kind == ExpectationKind::Denial;
        let values =
            seen.mutants.iter().filter(|mutant| !is_denial(mutant)).flat_map(|mutant| &mutant.change);
        let words: usize = values.map(|edit| words_around(bytes, edit.range.start)).sum();
        Some(words.max(seen.mutants.iter().filter(is_denial).count()).max(1))
    };
    input.files.iter().find_map(read)
}

/// How many words the text in quotes around a place has, as far as it stands in one line; one if there is none.
fn words_around(bytes: &[u8], at: usize) -> usize {
    let ends = |byte: &u8| matches!(*byte, b'"' | b'\'' | b'`' | b'\n');
    let start = bytes[..at].iter().rposition(ends).map_or(0, |quote| quote + 1);
    let end = bytes[at..].iter().position(ends).map_or(bytes.len(), |quote| at + quote);
    let quoted = start > 0 && bytes[start - 1] != b'\n' && bytes.get(end).is_some_and(|byte| *byte != b'\n');
    let text = String::from_utf8_lossy(&bytes[start..end]);
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count();
    if quoted { words.max(1) } else { 1 }
}

fn link(
    input: &LinkInput<'_>,
    criterion: &Criterion,
    unknown: &mut Vec<(String, String)>,
) -> Option<CriterionLink> {
    let mut tests: Vec<String> = Vec::new();
    let mut by = None;
    let mut add = |source: LinkSource, more: Vec<String>| {
        if !more.is_empty() {
            by = by.or(Some(source));
        }
        tests.extend(more.into_iter().filter(|name| !tests.contains(name)).collect::<Vec<_>>());
    };
    let answered = input.answer.get(&criterion.id).map(Vec::as_slice).unwrap_or_default();
    for (source, names) in [(LinkSource::Plan, criterion.tests.as_slice()), (LinkSource::Answer, answered)] {
        for name in names {
            let same = named(input, name);
            if same.is_empty() {
                unknown.push((criterion.id.clone(), name.clone()));
            }
            add(source, same);
        }
    }
    add(LinkSource::Plan, asserting(input, criterion));
    add(LinkSource::Name, input.known.iter().filter(|test| names(test, &criterion.id)).cloned().collect());
    if by.is_none() && input.criteria.len() == 1 && !input.known.is_empty() {
        (by, tests) = (Some(LinkSource::OnlyCriterion), input.known.to_vec());
    }
    by.map(|by| CriterionLink { criterion: criterion.id.clone(), tests, by })
}

/// The tests that a name stands for: a whole name, or the name inside its file.
fn named(input: &LinkInput<'_>, name: &str) -> Vec<String> {
    let name = name.trim().trim_matches('`').trim_end_matches("()");
    if name.is_empty() {
        return Vec::new();
    }
    let is_it = |known: &String| same_test(known, name) || same_test(name, known);
    input.known.iter().filter(|known| is_it(known)).cloned().collect()
}

/// The tests whose text contains what the plan gives the criterion to be checked by: its assertion, or the example in code
/// that it is stated with.
fn asserting(input: &LinkInput<'_>, criterion: &Criterion) -> Vec<String> {
    /// A shorter assertion stands in tests by chance.
    const TELLING: usize = 8;
    let assertion = criterion.assertion.as_deref().map(|text| squeezed(text.trim_end_matches(';')));
    let assertion = assertion.filter(|a| a.len() >= TELLING);
    let example = example(&criterion.text);
    if assertion.is_none() && example.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (path, bytes) in input.files {
        for item in tests(path, bytes) {
            let text =
                squeezed(&bytes.get(item.range.clone()).map(String::from_utf8_lossy).unwrap_or_default());
            let asserts = assertion.as_ref().is_some_and(|a| text.contains(a));
            if asserts || (!example.is_empty() && example.iter().all(|span| text.contains(span))) {
                let name = item.name_in(path);
                let is_it = |known: &&String| **known == name || same_test(known, &name);
                found.extend(input.known.iter().filter(is_it).cloned());
            }
        }
    }
    found
}

/// The spans of code of a criterion that is stated by an example: a call and what it gives. None for any other text.
fn example(text: &str) -> Vec<String> {
    let spans: Vec<String> =
        text.split('`').skip(1).step_by(2).map(squeezed).filter(|span| !span.is_empty()).collect();
    let is_call = |span: &String| span.ends_with(')') && span.find('(').is_some_and(|at| at > 0);
    if spans.len() > 1 && spans.iter().any(is_call) { spans } else { Vec::new() }
}

/// A text without white space and with one kind of quotes: formatters change both.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '\'' { '"' } else { c }).collect()
}

/// Whether a test's name contains the id of a criterion, with any separators between its parts. An id needs a letter and
/// a digit: a number alone stands in names by chance.
fn names(test: &str, id: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let mut all: Vec<String> = vec![String::new()];
        let mut before: Option<char> = None;
        for c in text.chars() {
            let splits = before.is_some_and(|b| {
                (b.is_ascii_digit() != c.is_ascii_digit())
                    || (b.is_ascii_lowercase() && c.is_ascii_uppercase())
            });
            if splits || !c.is_ascii_alphanumeric() {
                all.push(String::new());
            }
            if let (true, Some(last)) = (c.is_ascii_alphanumeric(), all.last_mut()) {
                last.push(c.to_ascii_lowercase());
            }
            before = Some(c);
        }
        all.retain(|part| !part.is_empty());
        all
    };
    let number = |part: &String| part.trim_start_matches('0').to_owned();
    let telling = id.contains(|c: char| c.is_ascii_alphabetic()) && id.contains(|c: char| c.is_ascii_digit());
    let (test, id): (Vec<String>, Vec<String>) =
        (parts(test).iter().map(number).collect(), parts(id).iter().map(number).collect());
    telling && test.windows(id.len()).any(|window| window == id)
}

#[cfg(test)]
mod tests;
