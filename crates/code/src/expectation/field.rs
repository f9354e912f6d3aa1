//! Values inside an expected value of a type of its own: `Money(3, "EUR")`, `new Money(3)`, `Money::new(3)`, `Money { amount: 3 }`.

use tree_sitter::Node;

use super::ExpectationKind;
use super::alter::Choice;
use super::change::FormChange;
use super::find::TestReader;
use super::flow::ValueFlow;
use super::rules::ValueMatch;
use crate::syntax::source::named_children;

impl<'t> TestReader<'_, 't> {
    /// Each value that is written out in the making of the expected one, changed.
    pub(super) fn of_fields(
        &self,
        left: Node<'t>,
        right: Node<'t>,
        flow: &ValueFlow<'_, '_, 't>,
        choice: &mut Choice,
    ) -> Vec<FormChange> {
        let Some(parts) = flow.computed(left, right).and_then(|side| self.made_of(side)) else {
            return Vec::new();
        };
        let count = parts.len();
        let value = |part: Node<'t>| part.child_by_field_name("value").unwrap_or(part);
        let literals = &self.rules.literals;
        let pure = parts.into_iter().map(value).filter(|part| literals.is_pure(self.source, *part));
        let pure: Vec<Node<'t>> = pure.collect();
        let leaves = pure.iter().flat_map(|part| literals.leaves(self.source, *part));
        let edits = leaves.filter_map(|leaf| literals.altered(self.source, leaf, ValueMatch::Exact, choice));
        let each: Vec<FormChange> =
            edits.map(|(range, text)| FormChange::one(ExpectationKind::Field, range, text)).collect();
        // An equality may leave one value out, but not all that it is made of.
        let whole = if pure.len() == count && count > 1 { self.of_whole(&pure, choice) } else { Vec::new() };
        whole.into_iter().chain(each).collect()
    }

    /// What a value of a named type is made of.
    fn made_of(&self, side: Node<'t>) -> Option<Vec<Node<'t>>> {
        let (name, list) = match side.kind() {
            "call" | "call_expression" => ("function", "arguments"),
            "new_expression" => ("constructor", "arguments"),
            "struct_expression" => ("name", "body"),
            _ => return None,
        };
        let name = self.source.field(side, name)?;
        // `Money`, `shop.Money`, `Money::new`
        let is_type = |part: &str| part.starts_with(|c: char| c.is_ascii_uppercase());
        let parts: Vec<&str> = name.split(['.', ':']).filter(|part| !part.is_empty()).collect();
        let made = match parts.as_slice() {
            [.., owner, "new"] => is_type(owner),
            [.., last] => is_type(last),
            [] => false,
        };
        side.child_by_field_name(list).filter(|_| made).map(named_children)
    }
}

#[cfg(test)]
mod tests {
    use super::super::expectations;

    #[test]
    fn values_inside_expected_ones_of_a_named_type() {
        let fields = |path: &str, text: &str| -> Vec<String> {
            let all = expectations(path, text.as_bytes(), &|_| true, 1);
            let of_kind = all.iter().flat_map(|test| &test.mutants).filter(|m| m.kind.as_str() == "field");
            let mut out: Vec<String> = of_kind.map(|m| m.was.clone()).collect();
            out.sort_unstable();
            out
        };
        let python = |side: &str| fields("test_a.py", &format!("def test_a():\n    assert f(1) == {side}\n"));
        assert_eq!(python("Money(33, currency='EUR')"), ["33", "EUR"]);
        assert_eq!(python("shop.Money(33, g(1))"), ["33"]);
        assert_eq!(python("g(33)"), [] as [&str; 0]);
        // All of them at once, if nothing else is a part of the value: no equality leaves everything out.
        let whole = |side: &str| {
            let text = format!("def test_a():\n    assert f(1) == {side}\n");
            let all = expectations("test_a.py", text.as_bytes(), &|_| true, 1);
            all[0]
                .mutants
                .iter()
                .filter(|m| m.kind.as_str() == "equality")
                .map(|m| m.change.len())
                .collect::<Vec<_>>()
        };
        assert_eq!(whole("Money(33, currency='EUR')"), [2, 2]);
        assert_eq!(whole("Token(NUMBER, 33, 5)"), [] as [usize; 0]);
        assert_eq!(whole("Money(33)"), [] as [usize; 0]);
        let rust = |side: &str| {
            fields("tests/a.rs", &format!("#[test]\nfn a() {{\n    assert_eq!(f(1), {side});\n}}\n"))
        };
        assert_eq!(rust("Money::new(33)"), ["33"]);
        assert_eq!(rust("Money { amount: 33 }"), ["33"]);
        let script = "test('a', () => {\n  assert.deepEqual(f(1), new Money(33));\n});\n";
        assert_eq!(fields("a.test.js", script), ["33"]);
    }
}
