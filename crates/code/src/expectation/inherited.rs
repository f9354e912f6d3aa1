//! Tests that a class has from another class of the file, and values that a class gives its tests: `want = 6` in a class body,
//! `self.want` in a test.

use tree_sitter::Node;

use super::TestExpectations;
use super::alter::Choice;
use super::find::TestReader;
use super::flow::{ValueFlow, all_nodes};
use super::helper::named_functions;
use super::rules::ExpectationRules;
use crate::syntax::language_of;
use crate::syntax::source::{MAX_DEPTH, ParsedText, named_children};

/// What a test of this name expects, changed, if its class has it from another class of the file.
pub fn inherited_expectations(path: &str, bytes: &[u8], test: &str, seed: u64) -> Option<TestExpectations> {
    let language = language_of(path)?;
    let rules = &language.row().expectation;
    let (classes, method) = test.split_once('[').map_or(test, |(name, _)| name).rsplit_once("::")?;
    let class = classes.rsplit(['.', ':']).next()?;
    let prepared = (rules.prepare)(bytes);
    let source = ParsedText::parse_prepared(language, &prepared, bytes)?;
    let class = class_named(&source, rules, class)?;
    let function = family(&source, rules, class)
        .into_iter()
        .find_map(|class| method_of(&source, rules, class, method))?;
    let helpers = named_functions(&source, rules);
    let whole =
        function.parent().filter(|parent| parent.kind() == "decorated_definition").unwrap_or(function);
    let mut seen = TestExpectations::empty(test.to_owned());
    let class = Some(class);
    let reader = TestReader {
        class,
        helpers: &helpers,
        ..TestReader::new(&source, rules, whole.byte_range(), function)
    };
    reader.read(&mut seen, &mut Choice::new(seed, path));
    // That the method is the one which runs is seen when its assertion is denied, and not otherwise.
    seen.marked = true;
    (!seen.mutants.is_empty()).then_some(seen)
}

/// The only class of this name.
fn class_named<'t>(source: &'t ParsedText<'_>, rules: &ExpectationRules, name: &str) -> Option<Node<'t>> {
    let (kind, _) = rules.classes?;
    let is_it = |node: &Node<'t>| node.kind() == kind && source.field(*node, "name").as_deref() == Some(name);
    let mut found = all_nodes(source.root()).into_iter().filter(is_it);
    found.next().filter(|_| found.next().is_none())
}

/// A class and those of the file that it is made from, the nearest first, up to one that stands elsewhere: what comes behind that may
/// be hidden by it.
fn family<'t>(source: &'t ParsedText<'_>, rules: &ExpectationRules, class: Node<'t>) -> Vec<Node<'t>> {
    let Some((_, bases)) = rules.classes else { return Vec::new() };
    let mut out = vec![class];
    let mut at = 0;
    while let Some(class) = out.get(at).copied().filter(|_| at < MAX_DEPTH) {
        for base in class.child_by_field_name(bases).map(named_children).unwrap_or_default() {
            let name = source.text(base);
            match class_named(source, rules, &name) {
                Some(base) if !out.contains(&base) => out.push(base),
                Some(_) => {}
                None if name.ends_with("TestCase") || matches!(name.as_str(), "object" | "ABC") => {}
                None => return out,
            }
        }
        at += 1;
    }
    out
}

/// A method that a class has itself.
fn method_of<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    class: Node<'t>,
    name: &str,
) -> Option<Node<'t>> {
    let members = named_children(class.child_by_field_name("body")?).into_iter();
    let plain = members.map(|member| member.child_by_field_name("definition").unwrap_or(member));
    plain
        .filter(|member| rules.functions.contains(&member.kind()))
        .find(|member| source.field(*member, "name").as_deref() == Some(name))
}

impl<'t> ValueFlow<'_, '_, 't> {
    /// The value that the class of a test gives a member that the test compares, and nothing else in the file uses.
    pub(super) fn given_by_class(&self, side: Node<'t>) -> Option<Node<'t>> {
        let (object, member) = self.member(side)?;
        let _ = Some(object).filter(|object| matches!(self.source.text(*object).as_str(), "self" | "cls"))?;
        let is_use = |node: &Node<'t>| self.member(*node).is_some_and(|(_, other)| other == member);
        let is_side = |node: &Node<'t>| self.sides.iter().any(|side| side.byte_range() == node.byte_range());
        let is_said = |node: &Node<'t>| {
            let range = node.byte_range();
            self.messages.iter().any(|part| part.start_byte() <= range.start && range.end <= part.end_byte())
        };
        let mut uses = all_nodes(self.source.root()).into_iter().filter(is_use);
        if !uses.all(|node| is_side(&node) || is_said(&node)) {
            return None;
        }
        let given = |class: Node<'t>| {
            let body = class.child_by_field_name("body")?;
            let mut values = named_children(body).into_iter().flat_map(named_children).filter_map(|node| {
                let (_, names, value) = self.rules.bindings.iter().find(|(kind, ..)| *kind == node.kind())?;
                let own = self.source.field(node, names).as_deref() == Some(&member);
                own.then(|| node.child_by_field_name(value)).flatten()
            });
            values.next().filter(|_| values.next().is_none())
        };
        let value = family(self.source, self.rules, self.class?).into_iter().find_map(given)?;
        self.rules.literals.is_pure(self.source, value).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::inherited_expectations;

    const TEXT: &str = "class Base:\n    want = None\n\n    def test_sum(self):\n        assert f(self.prices) == self.want\n\n    def test_size(self):\n        assert g(self.prices) == 33\n\n\nclass TestOne(Base):\n    want = 44\n\n\nclass TestTwo(TestOne):\n    want = 55\n\n    def test_size(self):\n        super().test_size()\n";

    fn changed(text: &str, test: &str) -> Vec<String> {
        let seen = inherited_expectations("tests/test_a.py", text.as_bytes(), test, 1);
        let mutants = seen.into_iter().flat_map(|test| test.mutants);
        mutants.filter(|m| m.kind.as_str() == "equality").map(|m| format!("{} {}", m.line, m.was)).collect()
    }

    #[test]
    fn a_class_has_the_tests_of_its_base_with_its_own_values() {
        for (test, expected) in [
            ("tests/test_a.py::TestOne::test_sum", "12 44"),
            ("tests/test_a.py::TestTwo::test_sum[a]", "16 55"),
            ("tests.test_a.TestTwo::test_sum", "16 55"),
            ("tests/test_a.py::TestOne::test_size", "8 33"),
        ] {
            assert_eq!(changed(TEXT, test), [expected], "{test}");
        }
        for test in ["tests/test_a.py::TestOne::test_other", "tests/test_a.py::Missing::test_sum"] {
            assert_eq!(changed(TEXT, test), [] as [&str; 0], "{test}");
        }
        // What another file's class has may hide it.
        let hidden = TEXT.replace("TestOne(Base)", "TestOne(Other, Base)");
        assert_eq!(changed(&hidden, "tests/test_a.py::TestOne::test_sum"), [] as [&str; 0]);
        // The value is an input as well.
        let other = TEXT.replace("f(self.prices)", "f(self.want)");
        assert_eq!(changed(&other, "tests/test_a.py::TestOne::test_sum"), [] as [&str; 0]);
    }
}
