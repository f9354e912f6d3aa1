//! Assertions that stand in a function of the same file, or of one that it imports: `check([1, 2], 3)`, `same(total([1, 2]), 3)`.
//!
//! One step is followed. A parameter of the helper that is used for nothing but comparisons is an expectation, and so is the
//! argument of the call. Everything else the helper says is left to the denial of the call.

use tree_sitter::Node;

use super::condition::{CallParts, call_parts, claims};
use super::find::{PlacedAssertion, TestReader, messages, sides};
use super::flow::{ValueFlow, all_nodes, unwrapped};
use super::rules::{AssertionForm, ExpectationRules, SeenAssertion, ValueMatch};
use crate::syntax::source::{MAX_DEPTH, ParsedText, named_children};

/// A function of the file, or of one beside it.
#[derive(Clone, Copy)]
pub(super) struct NamedFunction<'s, 't> {
    source: &'t ParsedText<'s>,
    node: Node<'t>,
}

impl NamedFunction<'_, '_> {
    pub(super) fn name(&self) -> Option<String> {
        name_of(self.source, self.node)
    }
}

/// Whether a function is the text of a macro, which no test runs as it stands.
pub(super) fn is_macro(source: &ParsedText<'_>, function: Node<'_>) -> bool {
    let text = source.slice(function.byte_range());
    text.starts_with(b"macro_rules!") || text.starts_with(b"#")
}

/// Every function of a file that has a name.
pub(super) fn named_functions<'s, 't>(
    source: &'t ParsedText<'s>,
    rules: &ExpectationRules,
) -> Vec<NamedFunction<'s, 't>> {
    let mut out = Vec::new();
    let mut open = vec![(source.root(), 0)];
    while let Some((node, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            continue;
        }
        if rules.functions.contains(&node.kind()) && name_of(source, node).is_some() {
            out.push(NamedFunction { source, node });
        }
        open.extend(named_children(node).into_iter().map(|child| (child, depth + 1)));
    }
    out
}

/// The name of a function: its own, or that of the variable that it is the value of.
pub(super) fn name_of(source: &ParsedText<'_>, function: Node<'_>) -> Option<String> {
    if let Some(name) = function.child_by_field_name("name") {
        return Some(source.text(name));
    }
    if let Some(mut node) = function.child_by_field_name("declarator") {
        while let Some(inner) = node.child_by_field_name("declarator") {
            node = inner;
        }
        return Some(source.text(node));
    }
    let holder = function.parent().filter(|parent| parent.kind() == "variable_declarator")?;
    source.field(holder, "name")
}

/// The function that a function gives: `def check(): def inner(a, b): …; return inner`, as fixtures do.
fn given_by<'t>(source: &ParsedText<'_>, rules: &ExpectationRules, function: Node<'t>) -> Option<Node<'t>> {
    let statements = named_children(function.child_by_field_name("body")?);
    let last = statements.last().filter(|last| last.kind() == "return_statement")?;
    let given = *named_children(*last).first()?;
    if rules.functions.contains(&given.kind()) {
        return Some(given);
    }
    let name = rules.names.contains(&given.kind()).then(|| source.text(given))?;
    let is_it = |node: &Node<'t>| {
        rules.functions.contains(&node.kind()) && name_of(source, *node).as_ref() == Some(&name)
    };
    statements.into_iter().find(is_it)
}

/// What a name of a helper stands for, if it is bound once: `let want = $want`, `match (&$got, &$want) { (got, want) => … }`.
fn alias<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    body: Node<'t>,
    name: &str,
) -> Option<Node<'t>> {
    let mut found = Vec::new();
    for node in all_nodes(body) {
        let bound = rules.bindings.iter().find(|(kind, ..)| *kind == node.kind());
        let (pattern, value) = match bound {
            Some((_, pattern, value)) => (node.child_by_field_name(pattern), node.child_by_field_name(value)),
            None if node.kind() == "match_expression" => {
                let arm =
                    node.child_by_field_name("body").and_then(|arms| named_children(arms).first().copied());
                let pattern = arm.and_then(|arm| arm.child_by_field_name("pattern"));
                let inner = pattern.and_then(|pattern| named_children(pattern).first().copied());
                (inner, node.child_by_field_name("value"))
            }
            None => continue,
        };
        let (Some(pattern), Some(value)) = (pattern, value) else { continue };
        let (names, values) = (named_children(pattern), named_children(value));
        if pattern.kind() == "tuple_pattern"
            && value.kind() == "tuple_expression"
            && names.len() == values.len()
        {
            found.extend(names.into_iter().zip(values));
        } else {
            found.push((pattern, value));
        }
    }
    found.retain(|(pattern, _)| source.text(*pattern) == name);
    match found.as_slice() {
        [(_, value)] => Some(unwrapped(*value)),
        _ => None,
    }
}

/// The names of a function's parameters.
fn parameters(source: &ParsedText<'_>, rules: &ExpectationRules, function: Node<'_>) -> Vec<String> {
    let mut list = function.child_by_field_name("parameters");
    // C has them in the declarator.
    let mut node = function;
    while let (None, Some(inner)) = (list, node.child_by_field_name("declarator")) {
        list = inner.child_by_field_name("parameters");
        node = inner;
    }
    let mut out = Vec::new();
    for parameter in list.map(named_children).unwrap_or_default() {
        if parameter.kind().contains("comment") || parameter.kind() == "type_parameters" {
            continue;
        }
        if parameter.kind() == "self_parameter" {
            out.push("self".to_owned());
            continue;
        }
        // Go names several parameters of one type together.
        let mut cursor = parameter.walk();
        let names: Vec<Node<'_>> = parameter.children_by_field_name("name", &mut cursor).collect();
        if names.len() > 1 {
            out.extend(names.iter().map(|name| source.text(*name)));
            continue;
        }
        let mut name = parameter;
        while !rules.names.contains(&name.kind()) {
            let fields = ["name", "pattern", "declarator"];
            let next = fields.iter().find_map(|field| name.child_by_field_name(field));
            match next.or_else(|| named_children(name).first().copied()) {
                Some(next) => name = next,
                None => break,
            }
        }
        out.push(source.text(name));
    }
    out
}

/// The member in `self.want`.
fn own_member(source: &ParsedText<'_>, node: Node<'_>) -> Option<String> {
    let text = source.text(node);
    let member = ["self.", "this.", "$this->"].iter().find_map(|own| text.strip_prefix(own))?;
    let plain = member.chars().all(|c| c.is_alphanumeric() || c == '_');
    plain.then(|| member.to_owned())
}

impl<'a, 't> TestReader<'a, 't> {
    /// The only function of a name; what the file has itself hides what it could import.
    fn helper_named(&self, name: &str) -> Option<NamedFunction<'a, 't>> {
        let same = self.helpers.iter().copied().filter(|helper| helper.name().as_deref() == Some(name));
        let (own, beside): (Vec<NamedFunction<'a, 't>>, Vec<NamedFunction<'a, 't>>) =
            same.partition(|helper| std::ptr::eq(helper.source, self.source));
        match (own.as_slice(), beside.as_slice()) {
            ([one], _) | ([], [one]) => Some(*one),
            _ => None,
        }
    }
}

impl<'t> TestReader<'_, 't> {
    /// A call of a function of this file that asserts something, as an assertion of the test.
    pub(super) fn helped(
        &self,
        node: Node<'t>,
        straight: bool,
        found: &mut Vec<PlacedAssertion<'t>>,
    ) -> bool {
        let Some(call) = call_parts(self.source, node) else { return false };
        let Some(helper) = self.helper_named(&call.name) else { return false };
        let inside = std::ptr::eq(helper.source, self.source)
            && helper.node.start_byte() <= node.start_byte()
            && node.end_byte() <= helper.node.end_byte();
        let Some(denied) = self.denied_call(node).filter(|_| !inside) else { return false };
        let Some(forms) = self.forms_of(&helper, &call) else { return false };
        let seen = SeenAssertion { forms, denied };
        found.push(PlacedAssertion { seen, written: Vec::new(), node, straight });
        true
    }

    /// What makes the call fail, if it is a statement.
    #[expect(clippy::option_option, reason = "a call that is no statement differs from one without a denial")]
    fn denied_call(&self, call: Node<'t>) -> Option<Option<(Node<'t>, &'static str)>> {
        let (statement, expression) = self.rules.fails;
        let mut node = call;
        while let Some(parent) = node.parent() {
            match parent.kind() {
                "await_expression" | "await" => node = parent,
                "expression_statement" if statement.is_empty() => {
                    return Some((!expression.is_empty()).then_some((call, expression)));
                }
                "expression_statement" => return Some(Some((parent, statement))),
                kind if kind.contains("block") || kind.ends_with("body") || kind == "body_statement" => {
                    return Some((!expression.is_empty()).then_some((node, expression)));
                }
                "arrow_function" | "lambda_expression" | "closure_expression" | "statement_list" => {
                    return Some((!expression.is_empty()).then_some((node, expression)));
                }
                _ => return None,
            }
        }
        None
    }

    /// What a helper asserts, in the words of a call. `None` if it asserts nothing.
    fn forms_of(
        &self,
        helper: &NamedFunction<'_, 't>,
        call: &CallParts<'t>,
    ) -> Option<Vec<AssertionForm<'t>>> {
        let NamedFunction { source, node: helper } = *helper;
        let helper = given_by(source, self.rules, helper).unwrap_or(helper);
        let body = helper.child_by_field_name("body")?;
        let reader = TestReader::new(source, self.rules, helper.byte_range(), helper);
        let mut inner = Vec::new();
        reader.block(body, true, 0, &mut inner);
        if inner.is_empty() {
            return None;
        }
        let sides: Vec<Node<'t>> = inner.iter().flat_map(|placed| sides(&placed.seen)).collect();
        let messages: Vec<Node<'t>> = inner.iter().flat_map(messages).collect();
        let flow = ValueFlow {
            source,
            rules: self.rules,
            item: helper,
            body,
            function: helper,
            class: None,
            sides: &sides,
            messages: &messages,
            other_sides: &[],
        };
        let mut names = parameters(source, self.rules, helper);
        if names.first().is_some_and(|name| name == "self" || name == "cls") {
            names.remove(0);
        }
        if source.slice(helper.byte_range()).starts_with(b"macro_rules!") {
            for name in &mut names {
                name.insert(0, '$');
            }
        }
        let argument = |side: Node<'t>| {
            if let (Some(member), Some(object)) = (own_member(source, side), call.object) {
                return self.member_given(object, &member, 0);
            }
            let name = flow.written(unwrapped(flow.behind_star(side)));
            if let Some(at) = names.iter().position(|known| *known == name) {
                return self.argument(call, at, &name).filter(|_| flow.is_parameter(side));
            }
            let given = flow.written(alias(source, self.rules, body, &name)?);
            let at = names.iter().position(|known| *known == given)?;
            let uses = all_nodes(body).into_iter().filter(|node| flow.is_name(*node));
            let once = uses.filter(|node| flow.written(*node) == given).count() == 1;
            self.argument(call, at, &given).filter(|_| once && flow.only_compared(body, &name, None))
        };
        let straight = inner.iter().filter(|placed| placed.straight).flat_map(|placed| &placed.seen.forms);
        let mut forms: Vec<AssertionForm<'t>> = straight
            .filter_map(|form| match form {
                AssertionForm::Equal(left, right, by) => match (argument(*left), argument(*right)) {
                    (Some(a), Some(b)) => Some(AssertionForm::Equal(a, b, *by)),
                    (Some(value), None) | (None, Some(value)) if *by == ValueMatch::Exact => {
                        Some(AssertionForm::Is(value))
                    }
                    _ => None,
                },
                AssertionForm::Is(value) => argument(*value).map(AssertionForm::Is),
                AssertionForm::Part(value) => argument(*value).map(AssertionForm::Part),
                AssertionForm::OneOf(..)
                | AssertionForm::Between(..)
                | AssertionForm::Holds(..)
                | AssertionForm::Says(..)
                | AssertionForm::Throws(..)
                | AssertionForm::Never(..)
                | AssertionForm::Other => None,
            })
            .collect();
        forms.extend(self.stated_by(&reader, &inner, &names, call));
        if forms.is_empty() {
            forms.push(AssertionForm::Other);
        }
        Some(forms)
    }

    /// What a receiver was given for a member that its method compares: `Case { want: 3 }.check()`, `Case::new().gives(3).check()`.
    fn member_given(&self, receiver: Node<'t>, member: &str, depth: usize) -> Option<Node<'t>> {
        if depth > MAX_DEPTH {
            return None;
        }
        if receiver.kind() == "struct_expression" {
            return all_nodes(receiver).into_iter().find_map(|field| {
                let own = self.source.field(field, "field").as_deref() == Some(member);
                own.then(|| field.child_by_field_name("value")).flatten()
            });
        }
        let call = call_parts(self.source, receiver)?;
        let given = self.helper_named(&call.name).and_then(|NamedFunction { source, node }| {
            let mut names = parameters(source, self.rules, node);
            if names.first().is_some_and(|name| name == "self") {
                names.remove(0);
            }
            let sets = |node: &Node<'_>| {
                node.kind().contains("assignment") || matches!(node.kind(), "field_initializer" | "pair")
            };
            let mut set = all_nodes(node).into_iter().filter(sets).filter_map(|node| {
                let left = node.child_by_field_name("left").or_else(|| node.child_by_field_name("field"))?;
                let right =
                    node.child_by_field_name("right").or_else(|| node.child_by_field_name("value"))?;
                let named = own_member(source, left).unwrap_or_else(|| source.text(left));
                (named == member).then_some(right)
            });
            let value = set.next().filter(|_| set.next().is_none())?;
            let at = names.iter().position(|name| *name == source.text(value))?;
            self.argument(&call, at, &names[at])
        });
        given.or_else(|| self.member_given(call.object?, member, depth + 1))
    }

    /// `check(f(1) == 3)`: what the argument says for a parameter that the helper asserts as it is.
    fn stated_by(
        &self,
        helper: &TestReader<'_, 't>,
        inner: &[PlacedAssertion<'t>],
        names: &[String],
        call: &CallParts<'t>,
    ) -> Vec<AssertionForm<'t>> {
        let asserted = inner.iter().filter(|placed| placed.straight).flat_map(|placed| &placed.seen.forms);
        let stated = asserted.filter_map(|form| {
            let AssertionForm::Holds(condition) = form else { return None };
            let text = helper.source.text(*condition);
            // The condition of a branch that fails is the opposite of what is asserted.
            let bare = text.trim_matches(['(', ')', ' ']);
            let at = names.iter().position(|known| known == bare || known.strip_prefix('$') == Some(bare))?;
            self.argument(call, at, bare)
        });
        stated.flat_map(|argument| claims(self.source, argument, true)).collect()
    }

    /// The argument for a parameter, by its name or its position.
    fn argument(&self, call: &CallParts<'t>, at: usize, name: &str) -> Option<Node<'t>> {
        let keyword = |node: &Node<'_>| matches!(node.kind(), "keyword_argument" | "pair");
        let spread = |node: &Node<'_>| node.kind().contains("splat") || node.kind().contains("spread");
        let named = call.arguments.iter().find(|argument| {
            keyword(argument) && self.source.field(**argument, "name").as_deref() == Some(name)
        });
        if let Some(named) = named {
            return named.child_by_field_name("value");
        }
        let before = call.arguments.get(..=at)?;
        (!before.iter().any(|node| spread(node) || keyword(node))).then(|| call.arguments[at])
    }
}
