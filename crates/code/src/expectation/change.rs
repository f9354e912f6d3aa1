//! What is changed in an assertion of a known form.

use std::ops::Range;

use tree_sitter::Node;

use super::ExpectationKind;
use super::alter::Choice;
use super::edit::{SourceEdit, fitted};
use super::find::TestReader;
use super::flow::{ValueFlow, all_nodes, unwrapped};
use super::opposite;
use super::rules::{AssertionForm, ValueMatch};
use super::together::indent_of;
use crate::syntax::source::{ParsedText, named_children};

/// How often another spelling of a value is drawn until it differs from the first.
const SECOND_DRAWS: usize = 16;

/// A way to change what one part of an assertion says.
pub(super) struct FormChange {
    pub(super) kind: ExpectationKind,
    pub(super) edits: Vec<SourceEdit>,
    pub(super) every_case: bool,
    /// The condition that a change turns into its opposite; the value that becomes one that nothing is.
    pub(super) turned: Option<Range<usize>>,
    /// Whether it may not compile: the type of what it stands around may not be known there.
    pub(super) may_not_compile: bool,
}

impl FormChange {
    pub(super) fn one(kind: ExpectationKind, range: Range<usize>, text: String) -> Self {
        let edits = vec![SourceEdit::new(range, text)];
        Self { kind, edits, every_case: false, turned: None, may_not_compile: false }
    }

    pub(super) fn opposite(of: Node<'_>, (range, text): (Range<usize>, String)) -> Self {
        Self { turned: Some(of.byte_range()), ..Self::one(ExpectationKind::Negation, range, text) }
    }

    /// The change with as many bytes as before, where blanks can be spared.
    pub(super) fn sized(mut self, source: &ParsedText<'_>, room: Option<Node<'_>>) -> Self {
        if let ([edit], Some(_), true) = (self.edits.as_slice(), room, self.kind != ExpectationKind::Computed)
        {
            self.edits = fitted(source, edit.range.clone(), &edit.text, room);
        }
        self
    }
}

impl<'t> TestReader<'_, 't> {
    /// The ways to change what a part of an assertion says.
    pub(super) fn changes(
        &self,
        form: &AssertionForm<'t>,
        flow: &ValueFlow<'_, '_, 't>,
        choice: &mut Choice,
    ) -> Vec<FormChange> {
        let literals = &self.rules.literals;
        let of_values = |values: &[Node<'t>], by: ValueMatch, choice: &mut Choice| -> Vec<FormChange> {
            let leaves = values.iter().flat_map(|value| literals.leaves(self.source, *value));
            let edits = leaves.filter_map(|leaf| literals.altered(self.source, leaf, by, choice));
            edits.map(|(range, text)| FormChange::one(ExpectationKind::Equality, range, text)).collect()
        };
        match form {
            AssertionForm::Equal(left, right, ValueMatch::Said) => {
                let values = flow.expected(*left, *right);
                let whole = self.each_whole(&values, choice);
                whole
                    .into_iter()
                    .map(|change| FormChange { kind: ExpectationKind::Field, ..change })
                    .collect()
            }
            AssertionForm::Equal(left, right, by) => {
                let values = flow.expected(*left, *right);
                let own = *by == ValueMatch::Own && values.iter().any(|value| !self.is_plain(*value));
                if !own
                    && flow.are_all_cases(*left, *right, &values)
                    && let Some(change) = self.of_every_case(&values, *by, choice)
                {
                    return vec![change];
                }
                let written =
                    if own { self.each_whole(&values, choice) } else { of_values(&values, *by, choice) };
                if let Some(sibling) = self.sibling(*left, *right, choice).filter(|_| written.is_empty()) {
                    vec![sibling]
                } else if written.is_empty() {
                    let mut changes = self.of_fields(*left, *right, flow, choice);
                    if *by == ValueMatch::Own && changes.is_empty() {
                        changes = self.given_to(*right, choice);
                    }
                    changes.extend(self.computed(*left, *right, flow));
                    changes
                } else {
                    written
                }
            }
            AssertionForm::OneOf(list) => self.of_every_value(*list, choice).into_iter().collect(),
            AssertionForm::Is(value) if literals.is_pure(self.source, *value) => {
                of_values(&[*value], ValueMatch::Exact, choice)
            }
            AssertionForm::Is(value) => of_values(&flow.bound(*value), ValueMatch::Exact, choice),
            AssertionForm::Part(value) => self.of_part(*value, flow, choice),
            AssertionForm::Between(low, high) => self.beyond(*low, *high, choice).into_iter().collect(),
            AssertionForm::Holds(condition) => {
                let all = opposite::opposites(self.source, self.rules, *condition);
                all.into_iter().map(|change| FormChange::opposite(*condition, change)).collect()
            }
            AssertionForm::Never(value, (before, behind)) => {
                let text = format!("{before}{}{behind}", self.source.text(*value));
                let change = FormChange::one(ExpectationKind::Computed, value.byte_range(), text);
                vec![FormChange { turned: Some(value.byte_range()), ..change }]
            }
            AssertionForm::Other => Vec::new(),
            AssertionForm::Says(value, by) => {
                let leaves = literals.leaves(self.source, *value);
                let edits = leaves
                    .into_iter()
                    .filter_map(|leaf| literals.altered_search(self.source, leaf, *by, choice));
                edits.map(|(range, text)| FormChange::one(ExpectationKind::Exception, range, text)).collect()
            }
            AssertionForm::Throws(class, other) => self.another_class(*class, other).into_iter().collect(),
        }
    }

    /// What must be a part of a longer value: something that is not in it, and the same with another number.
    fn of_part(&self, value: Node<'t>, flow: &ValueFlow<'_, '_, 't>, choice: &mut Choice) -> Vec<FormChange> {
        let literals = &self.rules.literals;
        let pure = literals.is_pure(self.source, value) || value.kind() == "regex";
        let values = if pure { vec![value] } else { flow.bound(value) };
        let both = values.into_iter().flat_map(|value| {
            let strange = literals.strange(self.source, value, choice);
            [strange, literals.another_part(self.source, value, choice)]
        });
        let edits = both.flatten();
        edits.map(|(range, text)| FormChange::one(ExpectationKind::Part, range, text)).collect()
    }

    /// Another class of exception than the expected one, which is not longer.
    fn another_class(&self, class: Node<'t>, other: &str) -> Option<FormChange> {
        let range = class.byte_range();
        if range.len() < other.len() || self.source.text(class) == other {
            return None;
        }
        let edits = fitted(self.source, range, other, None);
        let kind = ExpectationKind::Exception;
        Some(FormChange { kind, edits, every_case: false, turned: None, may_not_compile: false })
    }

    /// A range of numbers that lies beyond the one that is written out.
    fn beyond(&self, low: Node<'t>, high: Node<'t>, choice: &mut Choice) -> Option<FormChange> {
        let number = |node: Node<'t>| self.source.text(node).parse::<i64>().ok();
        let (from, to) = (number(low)?, number(high)?);
        if to < from {
            return None;
        }
        let shift = to.checked_sub(from)?.checked_add(1 + i64::try_from(choice.below(900)).ok()?)?;
        let moved = |node: Node<'t>, value: i64| {
            Some(SourceEdit::new(node.byte_range(), value.checked_add(shift)?.to_string()))
        };
        let edits = vec![moved(low, from)?, moved(high, to)?];
        Some(FormChange {
            kind: ExpectationKind::Part,
            edits,
            every_case: false,
            turned: None,
            may_not_compile: false,
        })
    }

    /// The expected values of all cases of a test that is reported case by case, each changed: every case must fail.
    fn of_every_case(&self, values: &[Node<'t>], by: ValueMatch, choice: &mut Choice) -> Option<FormChange> {
        let literals = &self.rules.literals;
        let mut edits = Vec::new();
        for value in values {
            let leaves = literals.leaves(self.source, *value);
            let (range, text) =
                leaves.into_iter().find_map(|leaf| literals.altered(self.source, leaf, by, choice))?;
            edits.push(SourceEdit::new(range, text));
        }
        Some(FormChange {
            kind: ExpectationKind::Equality,
            edits,
            every_case: true,
            turned: None,
            may_not_compile: false,
        })
    }

    /// Whether a value is one literal, which compares in the way of the language.
    fn is_plain(&self, value: Node<'t>) -> bool {
        self.rules.literals.leaves(self.source, value) == [unwrapped(value)]
    }

    /// Everything that values of a type of their own are made of, changed at once: their equality may leave one part out. Twice,
    /// for another spelling may be the same value: `Fraction(1, 2)` and `Fraction(3, 6)`.
    pub(super) fn of_whole(&self, values: &[Node<'t>], choice: &mut Choice) -> Vec<FormChange> {
        let literals = &self.rules.literals;
        let leaves: Vec<Node<'t>> =
            values.iter().flat_map(|value| literals.leaves(self.source, *value)).collect();
        let all = |choice: &mut Choice| -> Option<FormChange> {
            let altered =
                leaves.iter().map(|leaf| literals.altered(self.source, *leaf, ValueMatch::Exact, choice));
            let edits = altered.map(|edit| edit.map(|(range, text)| SourceEdit::new(range, text)));
            let edits: Vec<SourceEdit> = edits.collect::<Option<_>>()?;
            let kind = if edits.len() > 1 { ExpectationKind::Equality } else { ExpectationKind::Field };
            Some(FormChange { edits, ..FormChange::one(kind, 0..0, String::new()) })
        };
        let Some(first) = all(choice) else { return Vec::new() };
        // Small digits leave little to choose from: the second is drawn until it differs.
        let second = (0..SECOND_DRAWS).find_map(|_| all(choice).filter(|other| other.edits != first.edits));
        std::iter::once(first).chain(second).collect()
    }

    /// What a function of a type is given that makes the other value of a question, all at once: `a.cmp(&Money::euros(3, 50))`. It may
    /// make the same value of it. What any other function is given is an input.
    fn given_to(&self, made: Node<'t>, choice: &mut Choice) -> Vec<FormChange> {
        let literals = &self.rules.literals;
        let text = self.source.text(made);
        let callee = text.trim_start_matches(['&', '*', '(', ' ']).split('(').next().unwrap_or_default();
        if !callee.starts_with(char::is_uppercase) || !callee.contains(['.', ':']) {
            return Vec::new();
        }
        let values: Vec<Node<'t>> = all_nodes(made)
            .into_iter()
            .filter(|node| literals.leaves(self.source, *node) == [*node])
            .collect();
        if values.is_empty() { Vec::new() } else { as_fields(self.of_whole(&values, choice)) }
    }

    fn each_whole(&self, values: &[Node<'t>], choice: &mut Choice) -> Vec<FormChange> {
        values.iter().flat_map(|value| self.of_whole(&[*value], choice)).collect()
    }

    /// Another member of the same type in place of an expected one, if the file names one: `Size::Large` for `Size::Small`.
    fn sibling(&self, left: Node<'t>, right: Node<'t>, choice: &mut Choice) -> Option<FormChange> {
        let members = |node: Node<'t>| {
            let text = self.source.text(node);
            let at = text.rfind("::").map(|at| at + 2).or_else(|| text.rfind('.').map(|at| at + 1))?;
            let (owner, member) = text.split_at(at);
            let plain =
                |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.'));
            let last = owner.trim_end_matches([':', '.']).rsplit([':', '.']).next()?;
            let named = |text: &str| text.chars().next().is_some_and(char::is_uppercase);
            let is_member = plain(&text) && named(last) && named(member) && node.named_child_count() > 0;
            is_member.then(|| (owner.to_owned(), member.to_owned()))
        };
        let (side, (owner, member)) =
            [right, left].into_iter().find_map(|side| members(side).map(|found| (side, found)))?;
        let mut others: Vec<String> = Vec::new();
        let mut open = vec![self.source.root()];
        while let Some(node) = open.pop() {
            if node.kind() == side.kind()
                && let Some((other, name)) = members(node)
                && other == owner
                && name != member
            {
                others.push(name);
            }
            open.extend(named_children(node));
        }
        let other = others.get(choice.below(others.len()))?;
        // A constant may be the same as another one.
        let (before, between, behind) = self.rules.other_member;
        let text = if !before.is_empty() {
            format!("{before}{owner}{other}{between}{owner}{member}{behind}")
        } else if self.rules.has_variants
            && [&member, other].iter().all(|name| name.contains(char::is_lowercase))
        {
            format!("{owner}{other}")
        } else {
            return None;
        };
        Some(FormChange::one(ExpectationKind::Equality, side.byte_range(), text))
    }

    /// Every value of a list changed to one that the list does not have.
    fn of_every_value(&self, list: Node<'t>, choice: &mut Choice) -> Option<FormChange> {
        const TRIES: usize = 12;
        let literals = &self.rules.literals;
        if !literals.is_pure(self.source, list) {
            return None;
        }
        let values = named_children(list);
        let number = |text: &str| text.parse::<f64>().ok();
        let old: Vec<String> = values.iter().map(|value| self.source.text(*value)).collect();
        let is_old = |text: &str| {
            old.iter().any(|known| known == text || (number(text).is_some() && number(known) == number(text)))
        };
        let mut edits = Vec::new();
        for value in values {
            let changed = (0..TRIES).find_map(|_| {
                let leaf = literals.leaves(self.source, value).into_iter().next()?;
                let (range, text) = literals.altered(self.source, leaf, ValueMatch::Exact, choice)?;
                let inside = range.start - value.start_byte()..range.end - value.start_byte();
                let mut whole = self.source.text(value);
                whole.replace_range(inside, &text);
                (!is_old(&whole)).then(|| SourceEdit::new(range, text))
            });
            edits.push(changed?);
        }
        Some(FormChange {
            kind: ExpectationKind::Equality,
            edits,
            every_case: false,
            turned: None,
            may_not_compile: false,
        })
    }

    /// Where a name of the test's own gets another value, and the blanks there: behind its binding if only the assertion uses it,
    /// else in front of the assertion, which may use it for nothing else.
    fn own_statement(&self, side: Node<'t>) -> Option<(usize, String)> {
        let name = self.source.text(side);
        let mut statement = side;
        while let Some(parent) = statement.parent().filter(|parent| parent.kind() != "block") {
            if parent.kind().contains("comprehension")
                || matches!(parent.kind(), "generator_expression" | "lambda")
            {
                return None;
            }
            statement = parent;
        }
        let mut around = statement.parent();
        while let Some(node) = around.filter(|node| !self.rules.functions.contains(&node.kind())) {
            around = node.parent();
        }
        let is_name =
            |node: &Node<'_>| self.rules.names.contains(&node.kind()) && self.source.text(*node) == name;
        let count = |node: Node<'t>| all_nodes(node).iter().filter(|node| is_name(node)).count();
        if around != Some(self.function) || !is_name(&side) || count(statement) != 1 {
            return None;
        }
        let kinds = || self.rules.bindings.iter().chain(self.rules.loops);
        let left = |node: Node<'t>| {
            let (_, left, _) = kinds().find(|(kind, ..)| *kind == node.kind())?;
            let left = node.child_by_field_name(left)?;
            (!matches!(left.kind(), "attribute" | "subscript") && count(left) > 0).then_some(left)
        };
        let bindings: Vec<Node<'t>> =
            all_nodes(self.function).into_iter().filter(|node| left(*node).is_some()).collect();
        let place = match bindings.as_slice() {
            [] => return None,
            [one] if count(self.function) == 2 => behind_binding(*one).unwrap_or(statement),
            _ => statement,
        };
        indent_of(self.source, place).map(|blanks| (place.start_byte(), blanks))
    }

    /// A value that is not written out, changed when the test runs: a parameter for the whole of the test, and a name of the test
    /// before it is compared, so that code that looks at its caller's variables sees the other value, too; else where it is
    /// compared.
    fn computed(&self, left: Node<'t>, right: Node<'t>, flow: &ValueFlow<'_, '_, 't>) -> Option<FormChange> {
        let (before, behind) = self.rules.other_value;
        let side = flow.computed(left, right).filter(|_| !before.is_empty())?;
        let may_not_compile = self.rules.other_of_names && !self.rules.names.contains(&side.kind());
        let text = self.source.text(side);
        let end = self.rules.rebinds;
        let first = named_children(flow.body).into_iter().find(|node| !node.kind().contains("comment"));
        let place = first.map(|first| (first.start_byte(), first.start_position()));
        if let Some((at, start)) = place
            && !end.is_empty()
            && flow.is_parameter(side)
            && (end != "\n" || self.function.start_position().row < start.row)
        {
            let blanks = if end == "\n" { " ".repeat(start.column) } else { String::new() };
            let rebound = format!("{text} = {before}{text}{behind}{end}{blanks}");
            return Some(FormChange::one(ExpectationKind::Computed, at..at, rebound));
        }
        if let Some((at, blanks)) = self.own_statement(side).filter(|_| end == "\n") {
            let rebound = format!("{text} = {before}{text}{behind}{end}{blanks}");
            return Some(FormChange::one(ExpectationKind::Computed, at..at, rebound));
        }
        let text = format!("{before}{text}{behind}");
        let change = FormChange::one(ExpectationKind::Computed, side.byte_range(), text);
        Some(FormChange { may_not_compile, ..change })
    }
}

/// The same changes of values that an equality may leave out.
fn as_fields(changes: Vec<FormChange>) -> Vec<FormChange> {
    changes.into_iter().map(|change| FormChange { kind: ExpectationKind::Field, ..change }).collect()
}

/// The first statement that is run after a name was bound.
fn behind_binding(binding: Node<'_>) -> Option<Node<'_>> {
    let comment = |node: &Node<'_>| node.kind().contains("comment");
    if let Some(body) = binding.child_by_field_name("body") {
        return named_children(body).into_iter().find(|node| !comment(node));
    }
    let mut next =
        binding.parent().filter(|parent| parent.kind() == "expression_statement")?.next_named_sibling();
    while let Some(node) = next.filter(comment) {
        next = node.next_named_sibling();
    }
    next
}
