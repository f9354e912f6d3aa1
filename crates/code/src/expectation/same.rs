//! The same expected value written in another way: `6` becomes `(6 if [1] else 8)`.
//!
//! A test with it means what it meant. Code that passes only the tests whose text it knows, because it looks for the lines or the
//! constants of its caller, fails: the text also holds the other value and what a mutant is made of.

use std::ops::Range;

use tree_sitter::Node;

use super::ExpectationKind;
use super::change::FormChange;
use super::edit::SourceEdit;
use super::find::TestReader;
use crate::syntax::language_of;
use crate::syntax::source::ParsedText;

/// Several texts one behind the other, which are one.
const JOINED: [&str; 2] = ["concatenated_string", "chained_string"];

/// How far a literal may reach beyond the part that a mutant changes.
const HIGHEST: usize = 3;

impl TestReader<'_, '_> {
    /// The edits that write the value of a change in another way; none where the language or the change has no such form.
    pub(super) fn same(&self, change: &FormChange) -> Vec<SourceEdit> {
        let compares = match change.kind {
            ExpectationKind::Equality
            | ExpectationKind::Part
            | ExpectationKind::Field
            | ExpectationKind::Computed => true,
            ExpectationKind::Exception
            | ExpectationKind::Golden
            | ExpectationKind::Negation
            | ExpectationKind::Denial => false,
        };
        if !compares || self.rules.either.0.is_empty() {
            return Vec::new();
        }
        change
            .edits
            .iter()
            .map(|edit| self.same_as(change.kind, edit))
            .collect::<Option<_>>()
            .unwrap_or_default()
    }

    fn same_as(&self, kind: ExpectationKind, edit: &SourceEdit) -> Option<SourceEdit> {
        let (before, between, behind) = self.rules.either;
        if edit.range.is_empty() {
            // A parameter gets another value at the beginning of the test.
            let (name, rest) = edit.text.split_once(" = ")?;
            let closing = self.rules.other_value.1;
            let (value, end) = rest.split_at(rest.rfind(closing)? + closing.len());
            let text = format!("{name} = {before}{name}{between}{value}{behind}{end}");
            return Some(SourceEdit::new(edit.range.clone(), text));
        }
        let whole = self.literal_around(kind, &edit.range)?;
        let text = |range: Range<usize>| String::from_utf8_lossy(self.source.slice(range)).into_owned();
        let (head, tail) = (text(whole.start..edit.range.start), text(edit.range.end..whole.end));
        let other = if between.is_empty() { String::new() } else { format!("{head}{}{tail}", edit.text) };
        Some(SourceEdit::new(whole.clone(), format!("{before}{}{between}{other}{behind}", text(whole))))
    }

    /// The whole number, word or text of which a part is changed; of a computed value, its expression.
    fn literal_around(&self, kind: ExpectationKind, range: &Range<usize>) -> Option<Range<usize>> {
        let mut node = self.source.root().descendant_for_byte_range(range.start, range.end)?;
        if kind == ExpectationKind::Computed {
            return (node.byte_range() == *range).then(|| range.clone());
        }
        let literals = &self.rules.literals;
        let numbers = [literals.integers, literals.floats, literals.words].concat();
        for _ in 0..HIGHEST {
            let is_number = numbers.contains(&node.kind()) && node.byte_range() == *range;
            if is_number || literals.strings.contains(&node.kind()) {
                // Texts that stand one behind the other are one text.
                let joined = |parent: &Node<'_>| JOINED.contains(&parent.kind());
                return Some(node.parent().filter(joined).unwrap_or(node).byte_range());
            }
            node = node.parent()?;
        }
        None
    }
}

/// Other names for the cases of a test that has names for them. A case means the same under another name; code that reads the
/// name of the running test finds no answer there.
pub fn other_titles(path: &str, bytes: &[u8]) -> Vec<SourceEdit> {
    let titles = language_of(path).and_then(|language| {
        let source = ParsedText::parse(language, bytes)?;
        Some((language.row().expectation.titles)(&source))
    });
    let numbered = titles.unwrap_or_default().into_iter().enumerate();
    numbered.map(|(at, title)| SourceEdit::new(title, format!("case_{at}"))).collect()
}

#[cfg(test)]
mod tests;
