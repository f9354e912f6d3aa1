//! Tests inside a test: `t.test('inner', …)`. Some runners (tape) report them by their own title, without the test around them.

use std::ops::Range;

use tree_sitter::Node;

use super::flow::all_nodes;
use super::rules::ExpectationRules;
use super::{ExpectationMutant, TestExpectations};
use crate::syntax::source::ParsedText;

/// A test inside a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InnerTest {
    title: String,
    range: Range<usize>,
}

/// The tests inside the body of a test.
pub(super) fn inner_tests(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    body: Node<'_>,
) -> Vec<InnerTest> {
    let of = |node: Node<'_>| {
        Some(InnerTest { title: (rules.inner_test)(source, node)?, range: node.byte_range() })
    };
    all_nodes(body).into_iter().filter_map(of).collect()
}

impl TestExpectations {
    /// The title of the innermost test inside this one that holds the change of a mutant.
    pub fn inner_title(&self, mutant: &ExpectationMutant) -> Option<&str> {
        let at = mutant.change.first()?.range.clone();
        let holds = |inner: &&InnerTest| inner.range.start <= at.start && at.end <= inner.range.end;
        let innermost = self.inner.iter().filter(holds).min_by_key(|inner| inner.range.len())?;
        Some(&innermost.title)
    }
}

#[cfg(test)]
mod tests {
    use super::super::expectations;

    #[test]
    fn a_change_belongs_to_the_innermost_test() {
        let text = "test('outer', t => {\n  t.equal(f(1), 22)\n  t.test('first', t => { t.equal(f(2), 33); t.end() })\n  group.test('second', st => {\n    st.test('third', st => { assert.equal(f(3), 44) })\n    assert.equal(/a/.test('b'), 55)\n  })\n})\n";
        let seen = expectations("a.test.js", text.as_bytes(), &|_| true, 1);
        let mut found: Vec<(&str, Option<&str>)> = seen
            .iter()
            .flat_map(|test| test.mutants.iter().map(|m| (m.was.as_str(), test.inner_title(m))))
            .filter(|(was, _)| was.parse::<u32>().is_ok())
            .collect();
        found.sort_unstable();
        assert_eq!(
            found,
            [("22", None), ("33", Some("first")), ("44", Some("third")), ("55", Some("second"))]
        );
    }
}
