//! Values inside an expected value of a type of its own: `Money(3, "EUR")`, `new Money(3)`, `Money::new(3)`, `Money { amount: 3 }`.

use tree_sitter::Node;

use super::ExpectationKind;
use super::alter::Choice;
use super::change::FormChange;
use super::find::TestReader;
use super::flow::{ValueFlow, all_nodes, unwrapped};
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
        let literals = &self.rules.literals;
        // Where both sides are calls, the one that makes a value of a type is what is expected. Beside a value that is written
        // out, such as `nil`, a call is what the code gave, and its arguments are inputs.
        let made = flow.computed(left, right).and_then(|side| {
            let other = if side == left { right } else { left };
            let other = Some(other).filter(|_| !literals.is_pure(self.source, side));
            [Some(side), other].into_iter().flatten().find_map(|side| self.made_of(unwrapped(side)))
        });
        let Some(MadeValue { name, parts, by }) = made else { return Vec::new() };
        let count = parts.len();
        let pure = parts.into_iter().map(value_of).filter(|part| literals.is_pure(self.source, *part));
        let pure: Vec<Node<'t>> = pure.collect();
        let leaves = pure.iter().flat_map(|part| literals.leaves(self.source, *part));
        let edits = leaves.filter_map(|leaf| literals.altered(self.source, leaf, ValueMatch::Exact, choice));
        let each: Vec<FormChange> =
            edits.map(|(range, text)| FormChange::one(ExpectationKind::Field, range, text)).collect();
        // An equality may leave one value out, but not all that it is made of.
        let mut whole = if pure.len() == count { self.of_whole(&pure, choice) } else { Vec::new() };
        if count == 1 {
            // One value is all that it is made of, unless the name says enough. Another one in the same file shows that it matters.
            let all = by == MadeBy::Type
                && !tells_by_name(&name)
                && whole.len() > 1
                && self.makes_another(&name, pure[0]);
            whole.retain(|_| all);
            for change in &mut whole {
                change.kind = ExpectationKind::Equality;
            }
        }
        whole.into_iter().chain(each).collect()
    }

    /// Whether the file makes a value of the same type of something else.
    fn makes_another(&self, name: &str, part: Node<'t>) -> bool {
        let own = self.source.text(part);
        all_nodes(self.source.root()).into_iter().filter_map(|node| self.made_of(node)).any(|made| {
            made.name == name
                && made.parts.first().is_some_and(|other| self.source.text(value_of(*other)) != own)
        })
    }

    /// What a value of a named type is made of.
    fn made_of(&self, side: Node<'t>) -> Option<MadeValue<'t>> {
        let text = |field: &str| self.source.field(side, field);
        let (name, list) = match side.kind() {
            // Ruby's `Money.new(3)`
            "call" if text("method").as_deref() == Some("new") => (text("receiver")?, "arguments"),
            "call" | "call_expression" => (text("function")?, "arguments"),
            "new_expression" => (text("constructor")?, "arguments"),
            "struct_expression" => (text("name")?, "body"),
            // Nothing but a type stands there: `new Money(3)`, `Money{3}`.
            "object_creation_expression" => {
                let parts = named_children(side);
                let name = text("type").or_else(|| parts.first().map(|name| self.source.text(*name)))?;
                let list = parts.into_iter().find(|part| part.kind().contains("argument"))?;
                return Some(MadeValue { name, parts: named_children(list), by: MadeBy::Type });
            }
            "compound_literal_expression" => {
                let parts = named_children(side.child_by_field_name("value")?);
                return Some(MadeValue { name: text("type")?, parts, by: MadeBy::Type });
            }
            _ => return None,
        };
        // `Money`, `shop.Money`, `Money::new`
        let words = words(&name);
        let made = match words.as_slice() {
            [.., owner, "new"] => is_type(owner),
            [.., last] => is_type(last),
            [] => false,
        };
        let parts = side.child_by_field_name(list).filter(|_| made).map(named_children)?;
        // Functions of Go have such names, too, and `Boolean(3)` is no type of its own.
        let plain_call = side.kind() == "call_expression" && !name.contains("::");
        let by = if plain_call { MadeBy::TypeOrFunction } else { MadeBy::Type };
        Some(MadeValue { name, parts, by })
    }
}

/// A value of a type with a name.
struct MadeValue<'t> {
    name: String,
    parts: Vec<Node<'t>>,
    by: MadeBy,
}

/// What makes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MadeBy {
    Type,
    /// A name like that of a type, called like a function, which may give one value for many.
    TypeOrFunction,
}

/// The value of an argument, whatever name it is given.
fn value_of(part: Node<'_>) -> Node<'_> {
    match part.kind() {
        "argument" => named_children(part).last().copied().unwrap_or(part),
        _ => part.child_by_field_name("value").unwrap_or(part),
    }
}

/// The words of a name: `shop`, `Money`.
fn words(name: &str) -> Vec<&str> {
    name.split(['.', ':']).filter(|word| !word.is_empty()).collect()
}

fn is_type(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Whether a name says by itself which value it is, so that an equality may leave out what it holds: an error, a variant.
fn tells_by_name(name: &str) -> bool {
    let words = words(name);
    let is_variant = matches!(words.as_slice(), [.., owner, last] if is_type(owner) && is_type(last));
    is_variant || words.iter().any(|word| word.contains("Err") || word.contains("Exception"))
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
        // One value is all of it, twice, if the file makes another one; what an error or a variant holds may be left out.
        let another = |name: &str| format!("{name}(33)\n    assert f(2) == {name}(44)");
        assert_eq!(whole(&another("Money")), [1, 1, 1, 1]);
        assert_eq!(whole("Money(33)"), [] as [usize; 0]);
        assert_eq!(whole(&another("MoneyError")), [] as [usize; 0]);
        assert_eq!(whole(&another("Unit.Euro")), [] as [usize; 0]);
        let of_script = "test('a', () => {\n  assert.deepEqual(f(1), Boolean(33));\n});\n";
        let all = expectations("a.test.js", of_script.as_bytes(), &|_| true, 1);
        assert!(all[0].mutants.iter().all(|m| m.kind.as_str() != "equality"), "{all:?}");
        let rust = |side: &str| {
            fields("tests/a.rs", &format!("#[test]\nfn a() {{\n    assert_eq!(f(1), {side});\n}}\n"))
        };
        assert_eq!(rust("Money::new(33)"), ["33"]);
        assert_eq!(rust("Money { amount: 33 }"), ["33"]);
        let script = "test('a', () => {\n  assert.deepEqual(f(1), new Money(33));\n});\n";
        assert_eq!(fields("a.test.js", script), ["33"]);
        let java = "class ATest {\n  @Test void a() {\n    assertEquals(new Money(33), f(1));\n  }\n}\n";
        assert_eq!(fields("ATest.java", java), ["33"]);
        let sharp =
            "class ATests {\n  [Fact] public void A() {\n    Assert.Equal(new Money(33), F(1));\n  }\n}\n";
        assert_eq!(fields("ATests.cs", sharp), ["33"]);
        let php = "<?php\nclass ATest extends TestCase {\n  public function testA() {\n    $this->assertEquals(new Money(33), f(1));\n  }\n}\n";
        assert_eq!(fields("ATest.php", php), ["33"]);
        let ruby =
            "class TestA < Minitest::Test\n  def test_a\n    assert_equal Money.new(33), f(1)\n  end\nend\n";
        assert_eq!(fields("test_a.rb", ruby), ["33"]);
        let go = |condition: &str| {
            fields(
                "a_test.go",
                &format!("func TestA(t *testing.T) {{\n\tif {condition} {{\n\t\tt.Fatal()\n\t}}\n}}\n"),
            )
        };
        assert_eq!(go("f(1) != Money(33)"), ["33"]);
        assert_eq!(go("Wrap(nil, \"ab\", 33) != nil"), [] as [&str; 0]);
        assert_eq!(go("nil != Wrap(nil, \"ab\", 33)"), [] as [&str; 0]);
        let cpp = "TEST(A, a) {\n  EXPECT_EQ(f(1), Money{33});\n}\n";
        assert_eq!(fields("a_test.cpp", cpp), ["33"]);
    }
}
