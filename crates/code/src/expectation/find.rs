//! Finds the assertions of a test and makes its mutants.

use std::borrow::Cow;
use std::ops::Range;

use tree_sitter::Node;

use super::alter::{self, Choice};
use super::beside::add_tables_beside;
use super::bounds::pair_bounds;
use super::change::FormChange;
use super::condition::asked_about;
use super::edit::{SourceEdit, fitted};
use super::flow::ValueFlow;
use super::golden::{self, GoldenUse};
use super::helper::{NamedFunction, is_macro, named_functions};
use super::inner::inner_tests;
use super::opposite;
use super::rules::{AssertionForm, ExpectationRules, SeenAssertion, ValueMatch};
use super::stored;
use super::words::shortened;
use super::{ExpectationKind, ExpectationMutant, TestExpectations};
use crate::language::Language;
use crate::syntax::TestItem;
use crate::syntax::source::{MAX_DEPTH, ParsedText, line_of, named_children};

/// Words in front of a test's body that turn its result round: a failure of its body is no failure of the test.
const INVERTED: [&str; 6] = ["xfail", "expectedFailure", "should_panic", ".fails", ".failing", "expected ="];
/// Words of statements after which the rest may be left out.
const SKIPS: [&str; 3] = ["skip", "Skip", "assume"];
/// The most mutants of one assertion.
const PER_ASSERTION: usize = 8;

/// The mutants of these tests of a file.
pub(super) fn of_items(
    path: &str,
    language: Language,
    bytes: &[u8],
    items: &[TestItem],
    beside: &[(String, Vec<u8>)],
    choice: &mut Choice,
) -> Vec<TestExpectations> {
    let rules = &language.row().expectation;
    let prepared = (rules.prepare)(bytes);
    let Some(source) = ParsedText::parse_prepared(language, &prepared, bytes) else { return Vec::new() };
    let prepared: Vec<(Cow<'_, [u8]>, &[u8])> =
        beside.iter().map(|(_, bytes)| ((rules.prepare)(bytes), bytes.as_slice())).collect();
    let imported: Vec<ParsedText<'_>> = prepared
        .iter()
        .filter_map(|(prepared, bytes)| ParsedText::parse_prepared(language, prepared, bytes))
        .collect();
    let mut helpers = named_functions(&source, rules);
    helpers.extend(imported.iter().flat_map(|other| named_functions(other, rules)));
    let drawn = choice.drawn();
    let said: Vec<(Range<usize>, Vec<Range<usize>>)> = items
        .iter()
        .filter_map(|item| {
            let function = function_of(&source, rules, &item.range)?;
            let reader = TestReader {
                helpers: &helpers,
                ..TestReader::new(&source, rules, item.range.clone(), function)
            };
            Some((item.range.clone(), reader.said()))
        })
        .collect();
    let of = |item: &TestItem, choice: &mut Choice| {
        let others: Vec<Range<usize>> =
            items.iter().map(|other| other.range.clone()).filter(|range| *range != item.range).collect();
        let mut seen = TestExpectations {
            marked: item.condition.is_some(),
            ..TestExpectations::empty(item.name_in(path))
        };
        if let Some(function) = function_of(&source, rules, &item.range) {
            let others_say: Vec<Range<usize>> = said
                .iter()
                .filter(|(test, _)| *test != item.range)
                .flat_map(|(_, said)| said.clone())
                .collect();
            TestReader {
                path,
                drawn,
                helpers: &helpers,
                others: &others,
                other_sides: &others_say,
                ..TestReader::new(&source, rules, item.range.clone(), function)
            }
            .read(&mut seen, choice);
        }
        seen
    };
    let mut seen: Vec<TestExpectations> = items.iter().map(|item| of(item, choice)).collect();
    add_tables_beside(&mut seen, (path, language, bytes), items, beside, choice);
    seen
}

/// The mutants of a file that is one test.
pub(super) fn of_file(
    path: &str,
    language: Language,
    bytes: &[u8],
    choice: &mut Choice,
) -> Option<TestExpectations> {
    let rules = &language.row().expectation;
    let prepared = (rules.prepare)(bytes);
    let source = ParsedText::parse_prepared(language, &prepared, bytes)?;
    let root = source.root();
    let main = rules.main.and_then(|name| {
        let all = functions_in(rules, root, &root.byte_range());
        all.into_iter().find(|node| declared_name(&source, *node).as_deref() == Some(name))
    });
    let mut seen = TestExpectations::empty(path.to_owned());
    let helpers = named_functions(&source, rules);
    // The functions of a program are read one by one.
    let others: Vec<Range<usize>> = match main {
        Some(_) => Vec::new(),
        None => functions_in(rules, root, &root.byte_range()).iter().map(Node::byte_range).collect(),
    };
    let reader = TestReader {
        helpers: &helpers,
        others: &others,
        ..TestReader::new(&source, rules, root.byte_range(), main.unwrap_or(root))
    };
    reader.read(&mut seen, choice);
    // Functions that the program calls: whether it does is seen when it runs.
    for function in functions_in(rules, root, &root.byte_range()) {
        if Some(function) != main && !is_macro(&source, function) {
            let scope = function.byte_range();
            let inner = TestReader { helpers: &helpers, ..TestReader::new(&source, rules, scope, function) };
            let mut more = TestExpectations { mutants: Vec::new(), goldens: Vec::new(), ..seen.clone() };
            inner.read(&mut more, choice);
            seen.goldens.extend(more.goldens);
            let never_straight = |m: ExpectationMutant| ExpectationMutant { straight: false, ..m };
            seen.mutants.extend(more.mutants.into_iter().map(never_straight));
        }
    }
    seen.mutants.retain(|mutant| !mutant.may_not_compile);
    seen.mutants.sort_by_key(|mutant| (mutant.kind, !mutant.is_another_answer(), !mutant.straight));
    (!seen.mutants.is_empty()).then_some(seen)
}

/// Whether a failure of a test's body is no failure of the test.
pub(super) fn is_inverted(source: &ParsedText<'_>, scope: &Range<usize>, body: Node<'_>) -> bool {
    let head = String::from_utf8_lossy(source.slice(scope.start..body.start_byte().max(scope.start)));
    scope.start < body.start_byte() && INVERTED.iter().any(|word| head.contains(word))
}

/// The function of a test: the outermost one that ends last in its bytes.
pub(super) fn function_of<'t>(
    source: &'t ParsedText<'_>,
    rules: &ExpectationRules,
    range: &Range<usize>,
) -> Option<Node<'t>> {
    functions_in(rules, source.root(), range).into_iter().max_by_key(Node::end_byte)
}

/// The outermost functions inside a range, in order.
fn functions_in<'t>(rules: &ExpectationRules, root: Node<'t>, range: &Range<usize>) -> Vec<Node<'t>> {
    let mut out = Vec::new();
    let mut open = vec![(root, 0)];
    while let Some((node, depth)) = open.pop() {
        if node.end_byte() <= range.start || range.end <= node.start_byte() || depth > MAX_DEPTH {
            continue;
        }
        let inside = range.start <= node.start_byte() && node.end_byte() <= range.end;
        if inside && rules.functions.contains(&node.kind()) {
            out.push(node);
        } else {
            open.extend(named_children(node).into_iter().rev().map(|child| (child, depth + 1)));
        }
    }
    out
}

/// The class that a function stands in.
fn class_around<'t>(rules: &ExpectationRules, function: Node<'t>) -> Option<Node<'t>> {
    let (kind, _) = rules.classes?;
    std::iter::successors(function.parent(), Node::parent).find(|node| node.kind() == kind)
}

/// The name that a function is declared with.
fn declared_name(source: &ParsedText<'_>, function: Node<'_>) -> Option<String> {
    if let Some(name) = source.field(function, "name") {
        return Some(name);
    }
    let mut node = function.child_by_field_name("declarator")?;
    while let Some(inner) = node.child_by_field_name("declarator") {
        node = inner;
    }
    Some(source.text(node))
}

/// An assertion and its place in the test.
pub(super) struct PlacedAssertion<'t> {
    pub(super) seen: SeenAssertion<'t>,
    /// What it says as it is written, where `seen` has what that is about: the answer to `a.equals(b)` is `true`.
    pub(super) written: Vec<AssertionForm<'t>>,
    pub(super) node: Node<'t>,
    pub(super) straight: bool,
}

pub(super) struct TestReader<'a, 't> {
    pub(super) path: &'a str,
    /// A number that is drawn once for the file.
    pub(super) drawn: u64,
    /// What the other tests of the file compare or print.
    pub(super) other_sides: &'a [Range<usize>],
    pub(super) source: &'t ParsedText<'a>,
    pub(super) rules: &'a ExpectationRules,
    /// The bytes of the test with its attributes and decorators.
    pub(super) scope: Range<usize>,
    pub(super) function: Node<'t>,
    /// The class that runs the test, where it has the test from another one.
    pub(super) class: Option<Node<'t>>,
    /// The functions of the file, which may assert something for the test.
    pub(super) helpers: &'a [NamedFunction<'a, 't>],
    /// The bytes of the other tests of the file.
    pub(super) others: &'a [Range<usize>],
}

impl<'a, 't> TestReader<'a, 't> {
    /// A reader of a function that knows nothing of the rest of the file.
    pub(super) fn new(
        source: &'t ParsedText<'a>,
        rules: &'a ExpectationRules,
        scope: Range<usize>,
        function: Node<'t>,
    ) -> Self {
        Self {
            path: "",
            drawn: 0,
            other_sides: &[],
            source,
            rules,
            scope,
            function,
            class: None,
            helpers: &[],
            others: &[],
        }
    }
}

impl<'t> TestReader<'_, 't> {
    /// What the test compares and prints.
    fn said(&self) -> Vec<Range<usize>> {
        let body = self.function.child_by_field_name("body").unwrap_or(self.function);
        let mut found = Vec::new();
        self.block(body, true, 0, &mut found);
        let nodes = found.iter().flat_map(|placed| [sides(&placed.seen), messages(placed)].concat());
        nodes.map(|node| node.byte_range()).collect()
    }

    /// The mutants of a test alone.
    pub(super) fn mutants_of_item(
        source: &ParsedText<'_>,
        language: Language,
        item: &TestItem,
        choice: &mut Choice,
    ) -> Vec<ExpectationMutant> {
        let rules = &language.row().expectation;
        let mut seen = TestExpectations::empty(item.name.clone());
        if let Some(function) = function_of(source, rules, &item.range) {
            let scope = item.range.clone();
            TestReader::new(source, rules, scope, function).read(&mut seen, choice);
        }
        seen.mutants
    }

    pub(super) fn read(&self, seen: &mut TestExpectations, choice: &mut Choice) {
        let body = self.function.child_by_field_name("body").unwrap_or(self.function);
        seen.inner = inner_tests(self.source, self.rules, body);
        let mut found = Vec::new();
        if is_inverted(self.source, &self.scope, body) {
            seen.marked = true;
        } else {
            self.block(body, true, 0, &mut found);
            seen.entry = self.entry(body);
            seen.end = self.last_step(body);
            seen.ends = self.comes_to_its_end(body);
        }
        let outside = (self.rules.outside)(self.source, self.item_node());
        if !outside.is_empty() {
            let assertion = SeenAssertion { forms: outside, denied: None };
            found.push(PlacedAssertion {
                seen: assertion,
                written: Vec::new(),
                node: self.function,
                straight: false,
            });
        }
        pair_bounds(self.source, self.rules, &mut found);
        let messages: Vec<Node<'t>> = found.iter().flat_map(messages).collect();
        let sides: Vec<Node<'t>> = found.iter().flat_map(|placed| sides(&placed.seen)).collect();
        let flow = ValueFlow {
            source: self.source,
            rules: self.rules,
            item: self.item_node(),
            body,
            function: self.function,
            class: self.class.or_else(|| class_around(self.rules, self.function)),
            sides: &sides,
            messages: &messages,
            other_sides: self.other_sides,
        };
        for placed in &found {
            seen.mutants.extend(self.mutants_of(placed, &flow, body, choice));
        }
        for placed in &found {
            let room = self.rules.free_blanks.then_some(body);
            let denial =
                placed.seen.denied.map(|(node, text)| fitted(self.source, node.byte_range(), text, room));
            let line = line_of(placed.node);
            if seen.beside.is_empty() {
                seen.beside.extend(self.shared_constant(placed, &flow, denial.as_ref()));
            }
            let files = placed.seen.forms.iter().filter_map(|form| match form {
                AssertionForm::Equal(left, right, _) => flow
                    .golden(*left)
                    .or_else(|| flow.golden(*right))
                    .or_else(|| flow.case_file(*left))
                    .or_else(|| flow.case_file(*right)),
                _ => golden::snapshot_of(&self.source.text(placed.node)),
            });
            seen.goldens.extend(files.map(|file| GoldenUse { file, line, denial: denial.clone() }));
        }
        seen.mutants.extend(self.printed(choice));
        choice.shuffle(&mut seen.mutants);
        seen.mutants.sort_by_key(|mutant| (mutant.may_not_compile, mutant.kind, !mutant.is_another_answer()));
        if seen.mutants.first().is_some_and(|mutant| mutant.may_not_compile) {
            seen.mutants.clear();
        }
    }

    /// Another text that the test is said to print.
    fn printed(&self, choice: &mut Choice) -> Option<ExpectationMutant> {
        let range = (self.rules.shown)(self.source, self.function)?;
        let text = String::from_utf8_lossy(self.source.slice(range.clone()));
        let (at, size, now) = alter::text(&text, &|_, c| c.is_ascii_alphanumeric(), choice)?;
        let edit = SourceEdit::new(range.start + at..range.start + at + size, now);
        let (was, now) = self.in_words(&edit);
        Some(ExpectationMutant {
            kind: ExpectationKind::Equality,
            line: self.line_at(edit.range.start),
            was,
            now,
            straight: true,
            every_case: false,
            change: vec![edit],
            denial: None,
            same: Vec::new(),
            framed: None,
            may_not_compile: false,
        })
    }

    /// The node that holds the test with what is written in front of it.
    fn item_node(&self) -> Node<'t> {
        let mut node = self.function;
        while let Some(parent) = node.parent() {
            if parent.start_byte() < self.scope.start || self.scope.end < parent.end_byte() {
                break;
            }
            node = parent;
        }
        node
    }

    /// A failure as the first step of the test.
    fn entry(&self, body: Node<'t>) -> Option<Vec<SourceEdit>> {
        // The body of an arrow function can be an expression: its denial is the same as a failure at once.
        if body.kind().ends_with("_expression") {
            return None;
        }
        let text = (self.rules.entry)(self.source, self.function)?;
        let first = named_children(body).into_iter().find(|node| !node.kind().contains("comment"))?;
        if self.rules.free_blanks {
            let at = first.start_byte();
            return Some(fitted(self.source, at..at, &text, Some(body)));
        }
        Some(fitted(self.source, first.byte_range(), &text, None))
    }

    /// Looks at the statements of a block. A statement is straight if it is always reached.
    pub(super) fn block(
        &self,
        block: Node<'t>,
        straight: bool,
        depth: usize,
        found: &mut Vec<PlacedAssertion<'t>>,
    ) {
        // The body of a function can be an expression.
        if self.assertion(block, straight, found) || self.helped(block, straight, found) {
            return;
        }
        let mut straight = straight;
        for statement in named_children(block) {
            self.statement(statement, straight, depth + 1, found);
            straight = straight && !self.may_leave(statement);
        }
    }

    fn statement(&self, node: Node<'t>, straight: bool, depth: usize, found: &mut Vec<PlacedAssertion<'t>>) {
        if depth > MAX_DEPTH {
            return;
        }
        if self.rules.functions.contains(&node.kind()) {
            if is_macro(self.source, node) {
                return;
            }
            let straight = self.is_run(node) || (straight && self.is_called_by_promise(node));
            return self.called_back(node, straight, depth, found);
        }
        if self.assertion(node, straight, found) || self.helped(node, straight, found) {
            return;
        }
        if let Some(function) = self.called_for_each(node) {
            return self.called_back(function, straight, depth, found);
        }
        self.block_inside(node, straight && self.passes_on(node), depth, found);
    }

    /// A function inside the test: whether it is run is often seen only when the test runs. Another test is left to itself.
    fn called_back(
        &self,
        function: Node<'t>,
        straight: bool,
        depth: usize,
        found: &mut Vec<PlacedAssertion<'t>>,
    ) {
        let range = function.byte_range();
        let own = !self.others.iter().any(|other| other.start < range.end && range.start < other.end);
        if let Some(body) = function.child_by_field_name("body").filter(|_| own) {
            self.block(body, straight, depth + 1, found);
        }
    }

    fn block_inside(
        &self,
        node: Node<'t>,
        straight: bool,
        depth: usize,
        found: &mut Vec<PlacedAssertion<'t>>,
    ) {
        let mut straight = straight;
        for child in named_children(node) {
            self.statement(child, straight, depth + 1, found);
            straight = straight && !self.may_leave(child);
        }
    }

    fn assertion(&self, node: Node<'t>, straight: bool, found: &mut Vec<PlacedAssertion<'t>>) -> bool {
        let Some(mut seen) = (self.rules.assertion)(self.source, node) else { return false };
        if matches!(seen.forms.as_slice(), [] | [AssertionForm::Other | AssertionForm::Holds(_)]) {
            let stored = stored::condition(self.source, self.rules, self.function, node);
            seen.forms = stored.unwrap_or(seen.forms);
        }
        let differences = stored::differences(self.source, self.rules, self.function, &seen.forms);
        seen.forms = differences.unwrap_or(seen.forms);
        let about = match seen.forms.as_slice() {
            [AssertionForm::Equal(left, right, ValueMatch::Exact)] => asked_about(self.source, *left, *right),
            _ => Vec::new(),
        };
        let written = if about.is_empty() { Vec::new() } else { std::mem::replace(&mut seen.forms, about) };
        let text = self.source.slice(node.byte_range());
        let straight = straight && !self.rules.switched.iter().any(|word| text.starts_with(word.as_bytes()));
        found.push(PlacedAssertion { seen, written, node, straight });
        true
    }

    /// Whether the test may end with this statement.
    pub(super) fn may_leave(&self, statement: Node<'_>) -> bool {
        let text = self.source.text(statement);
        if SKIPS.iter().any(|word| text.contains(word)) {
            return true;
        }
        let mut open = vec![statement];
        while let Some(node) = open.pop() {
            if self.rules.leaving.contains(&node.kind()) {
                return true;
            }
            if !self.rules.functions.contains(&node.kind()) {
                open.extend(named_children(node));
            }
        }
        false
    }

    fn mutants_of(
        &self,
        placed: &PlacedAssertion<'t>,
        flow: &ValueFlow<'_, '_, 't>,
        body: Node<'t>,
        choice: &mut Choice,
    ) -> Vec<ExpectationMutant> {
        let room = self.rules.free_blanks.then_some(body);
        let denied = placed.seen.denied;
        let denial = denied.map(|(node, text)| fitted(self.source, node.byte_range(), text, room));
        let compares =
            |change: &FormChange| change.kind != ExpectationKind::Negation && !change.may_not_compile;
        let mut changes_of = |forms: &[AssertionForm<'t>]| -> Vec<FormChange> {
            forms.iter().flat_map(|form| self.changes(form, flow, choice)).collect()
        };
        let mut changes = changes_of(&placed.seen.forms);
        if !changes.iter().any(compares) {
            changes.extend(changes_of(&placed.written));
        }
        if !changes.iter().any(compares) {
            let word = opposite::opposite_word(self.source, placed.node);
            changes.extend(word.map(|change| FormChange::opposite(placed.node, change)));
        }
        choice.shuffle(&mut changes);
        changes.truncate(PER_ASSERTION);
        let mut out: Vec<ExpectationMutant> = changes
            .into_iter()
            .map(|change| {
                let framed = self.framed(placed, change.kind, &change.edits);
                (self.same(&change), framed, change.sized(self.source, room))
            })
            .filter_map(|(same, framed, FormChange { kind, edits, every_case, turned, may_not_compile })| {
                let edit = edits.first()?;
                let (was, now) = match kind {
                    ExpectationKind::Computed => {
                        let whole = turned.map(|whole| shortened(&self.source.one_line(whole)));
                        (whole.unwrap_or_else(|| self.expected_words(edit)), "another value".to_owned())
                    }
                    ExpectationKind::Negation => self.turned_words(edit, turned),
                    _ => self.in_words(edit),
                };
                let line = self.line_at(edit.range.start);
                // What the code throws there may be what the test waits for, and the denial does not call the code.
                let denial = denial.clone().filter(|_| !self.is_caught(placed.node));
                let straight = placed.straight;
                let change = edits;
                Some(ExpectationMutant {
                    kind,
                    line,
                    was,
                    now,
                    straight,
                    every_case,
                    change,
                    denial,
                    same,
                    framed,
                    may_not_compile,
                })
            })
            .collect();
        if let Some(change) = denial {
            out.push(ExpectationMutant {
                kind: ExpectationKind::Denial,
                line: line_of(placed.node),
                was: shortened(&self.source.one_line(placed.node.byte_range())),
                now: denied.map_or("", |(_, text)| text).to_owned(),
                straight: placed.straight,
                every_case: false,
                change,
                denial: None,
                same: Vec::new(),
                framed: None,
                may_not_compile: false,
            });
        }
        out
    }
}

pub(super) fn sides<'t>(seen: &SeenAssertion<'t>) -> Vec<Node<'t>> {
    let of = |form: &AssertionForm<'t>| match form {
        AssertionForm::Equal(left, right, _) => vec![*left, *right],
        AssertionForm::Is(value)
        | AssertionForm::Part(value)
        | AssertionForm::Says(value, _)
        | AssertionForm::Never(value, _)
        | AssertionForm::OneOf(value) => vec![*value],
        AssertionForm::Between(low, high) => vec![*low, *high],
        AssertionForm::Holds(_) | AssertionForm::Throws(..) | AssertionForm::Other => Vec::new(),
    };
    seen.forms.iter().flat_map(of).collect()
}

/// The parts of an assertion that are only printed.
pub(super) fn messages<'t>(placed: &PlacedAssertion<'t>) -> Vec<Node<'t>> {
    let node = placed.node;
    if node.kind() == "assert_statement" {
        return named_children(node).split_off(1);
    }
    if let Some(block) = node.child_by_field_name("consequence") {
        return vec![block];
    }
    // `assertEqual(a, b, "…")`: what stands behind both sides.
    let [AssertionForm::Equal(left, right, _)] = placed.seen.forms.as_slice() else { return Vec::new() };
    let list = left.parent().filter(|list| right.parent() == Some(*list));
    let behind = left.end_byte().max(right.end_byte());
    let all = list.filter(|list| list.kind().contains("argument")).map(named_children).unwrap_or_default();
    all.into_iter().filter(|argument| behind <= argument.start_byte()).collect()
}
