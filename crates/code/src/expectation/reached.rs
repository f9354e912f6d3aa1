//! Whether what stands inside a statement of a test is run whenever the test ends well: the body of a loop over rows that are written
//! out, of a block that hands failures on, of a function that is called for every such row or is run by the test.

use tree_sitter::Node;

use super::condition::call_parts;
use super::find::TestReader;
use super::flow::all_nodes;
use super::helper::name_of;
use super::indexed::by_position;
use crate::syntax::source::{MAX_DEPTH, named_children};

/// Statements that are nothing but what they hold.
const PLAIN: [&str; 7] = [
    "expression_statement",
    "return_statement",
    "await_expression",
    "block",
    "statement_block",
    "statement_list",
    "compound_statement",
];
/// Statements that leave a loop, or a turn of it.
const LEAVES_LOOP: [&str; 6] =
    ["break_statement", "continue_statement", "break_expression", "continue_expression", "break", "next"];
/// Words of contexts that may swallow a failure of their body, as honest ones do: `pytest.raises`, `contextlib.suppress`.
const SWALLOWS: [&str; 9] =
    ["aises", "suppress", "ignor", "skip", "retry", "catch", "move_on", "expect", "fail"];
/// Methods that call a function for every row.
const FOR_EACH: [&str; 4] = ["forEach", "each", "for_each", "each_with_index"];
/// Methods of a list, and functions of one, that have as many rows.
const AS_MANY: [&str; 15] = [
    "items",
    "values",
    "keys",
    "entries",
    "iter",
    "into_iter",
    "copied",
    "cloned",
    "enumerate",
    "reversed",
    "sorted",
    "list",
    "tuple",
    "set",
    "each_with_index",
];
/// Functions that run the coroutine that they are given.
const RUNS: [&str; 4] = ["run", "run_until_complete", "block_on", "run_sync"];

impl<'t> TestReader<'_, 't> {
    /// Whether every good run of a statement comes by what it holds.
    pub(super) fn passes_on(&self, node: Node<'t>) -> bool {
        let kind = node.kind();
        let parts = || named_children(node);
        PLAIN.contains(&kind)
            || self.is_full_loop(node)
            || match kind {
                "with_statement" => parts().first().is_some_and(|clause| {
                    let text = self.source.text(*clause);
                    !SWALLOWS.iter().any(|word| text.contains(word))
                }),
                // It is run once at least: the usual frame of a macro in C.
                "do_statement" => !all_nodes(node).iter().any(|inner| LEAVES_LOOP.contains(&inner.kind())),
                // One arm for all that there is.
                "match_expression" => {
                    node.child_by_field_name("body").is_some_and(|body| self.passes_on(body))
                }
                "match_block" => parts().iter().filter(|part| part.kind() == "match_arm").count() == 1,
                "match_arm" => node.parent().is_some_and(|block| self.passes_on(block)),
                // Go runs a test inside a test at once.
                "call_expression" => {
                    self.source.field(node, "function").as_deref() == Some("t.Run")
                        || self.is_waited_for(node)
                }
                "argument_list" | "arguments" | "member_expression" => {
                    node.parent().is_some_and(|call| self.passes_on(call))
                }
                "func_literal" => node.parent().is_some_and(|list| self.passes_on(list)),
                _ => false,
            }
    }

    /// `return load().then((value) => …)`: the test ends well only after the function was called.
    fn is_waited_for(&self, call: Node<'t>) -> bool {
        let property = |member: Node<'t>| self.source.field(member, "property").unwrap_or_default();
        let alone = |call: Node<'t>| {
            call.child_by_field_name("arguments").is_some_and(|list| list.named_child_count() == 1)
        };
        let own = call.child_by_field_name("function").filter(|member| member.kind() == "member_expression");
        if !own.is_some_and(|member| matches!(property(member).as_str(), "then" | "finally")) || !alone(call)
        {
            return false;
        }
        let mut node = call;
        while let Some(parent) = node.parent() {
            match parent.kind() {
                "await_expression" | "return_statement" => return true,
                "arrow_function" => return parent == self.function,
                "parenthesized_expression" => node = parent,
                // What follows may neither catch a failure nor be given what does.
                "member_expression" => {
                    let next =
                        parent.parent().filter(|next| next.kind() == "call_expression" && alone(*next));
                    match next.filter(|_| matches!(property(parent).as_str(), "then" | "finally")) {
                        Some(next) => node = next,
                        None => return false,
                    }
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether a function is what a promise calls that the test waits for.
    pub(super) fn is_called_by_promise(&self, function: Node<'t>) -> bool {
        function
            .parent()
            .and_then(|list| list.parent())
            .is_some_and(|call| call.kind() == "call_expression" && self.is_waited_for(call))
    }

    /// Whether the test goes on if something is thrown at a statement.
    pub(super) fn is_caught(&self, statement: Node<'t>) -> bool {
        let has = |node: Node<'t>, word: &str| named_children(node).iter().any(|n| n.kind().contains(word));
        let mut at = statement;
        while let Some(parent) = at.parent().filter(|_| at != self.function) {
            let is_guarded = match parent.kind() {
                "try_statement" => {
                    let is_body = parent.child_by_field_name("body") == Some(at);
                    is_body && (has(parent, "except") || has(parent, "catch"))
                }
                "begin" | "body_statement" => at.kind() != "rescue" && has(parent, "rescue"),
                _ => false,
            };
            if is_guarded {
                return true;
            }
            at = parent;
        }
        false
    }

    /// The function that a statement calls for every row of a list that has some.
    pub(super) fn called_for_each(&self, node: Node<'t>) -> Option<Node<'t>> {
        let call = call_parts(self.source, node)?;
        let object = call.object.filter(|_| FOR_EACH.contains(&call.name.as_str()))?;
        let given = || call.arguments.first().copied().or_else(|| node.child_by_field_name("block"));
        let function = given().filter(|given| self.rules.functions.contains(&given.kind()))?;
        self.has_rows(object, 0).then_some(function)
    }

    /// Whether the test runs a function of its own, and every good run comes by there.
    pub(super) fn is_run(&self, function: Node<'t>) -> bool {
        let Some(name) = name_of(self.source, function) else { return false };
        let is_async = self.source.text(function).starts_with("async");
        let Some(body) = self.function.child_by_field_name("body") else { return false };
        for statement in named_children(body) {
            if self.runs(statement, &name, is_async) {
                return true;
            }
            if self.may_leave(statement) {
                return false;
            }
        }
        false
    }

    fn runs(&self, statement: Node<'t>, name: &str, is_async: bool) -> bool {
        let mut node = statement;
        let mut awaited = false;
        while matches!(node.kind(), "expression_statement" | "await" | "await_expression") {
            awaited |= node.kind() != "expression_statement";
            let Some(inner) = named_children(node).first().copied() else { return false };
            node = inner;
        }
        let Some(call) = call_parts(self.source, node) else { return false };
        if call.object.is_none() && call.name == name {
            return awaited || !is_async;
        }
        let is_it = |argument: &Node<'t>| {
            let called = call_parts(self.source, *argument);
            self.source.text(*argument) == name
                || called.is_some_and(|called| called.object.is_none() && called.name == name)
        };
        RUNS.contains(&call.name.as_str()) && call.arguments.iter().any(is_it)
    }

    /// A loop that is never left early and has something to go through.
    fn is_full_loop(&self, node: Node<'t>) -> bool {
        let head = |node: Node<'t>| self.rules.loops.iter().find(|(kind, ..)| *kind == node.kind());
        let own = head(node).map(|head| (node, head));
        let found = own.or_else(|| {
            let is_for = node.kind() == "for_statement";
            named_children(node)
                .into_iter()
                .filter(|_| is_for)
                .find_map(|child| head(child).map(|head| (child, head)))
        });
        let rows = match found {
            Some((at, (_, _, list))) if at.kind() != "for_in_clause" => {
                at.child_by_field_name(list).is_some_and(|list| self.has_rows(list, 0))
                    || self.goes_with_rows(node, at)
            }
            Some(_) => false,
            None => self.counts_up(node),
        };
        rows && !all_nodes(node).iter().any(|inner| LEAVES_LOOP.contains(&inner.kind()))
    }

    /// Whether a loop compares with `want[at]` at its own position. A test that writes such rows expects the code to return
    /// some.
    fn goes_with_rows(&self, node: Node<'t>, head: Node<'t>) -> bool {
        let bound = self.rules.loops.iter().find(|(kind, ..)| *kind == head.kind());
        let Some(names) = bound.and_then(|(_, names, _)| head.child_by_field_name(names)) else {
            return false;
        };
        let names: Vec<String> = all_nodes(names).into_iter().map(|name| self.source.text(name)).collect();
        all_nodes(node)
            .into_iter()
            .filter_map(by_position)
            .any(|(table, at)| names.contains(&self.source.text(at)) && self.has_rows(table, 0))
    }

    /// `for (i = 0; i < 3; i++)`
    fn counts_up(&self, node: Node<'t>) -> bool {
        let field = |names: &[&str]| names.iter().find_map(|name| node.child_by_field_name(name));
        let (Some(start), Some(condition)) =
            (field(&["initializer", "init"]), node.child_by_field_name("condition"))
        else {
            return false;
        };
        let start = self.source.text(start);
        let text = self.source.text(condition);
        let Some((_, end)) = text.trim_end_matches(';').split_once('<') else { return false };
        let end = end.trim();
        let rows = || {
            let list = end.strip_suffix(".length").unwrap_or_default();
            let names = all_nodes(condition);
            names.into_iter().any(|node| self.source.text(node) == list && self.has_rows(node, 0))
        };
        start.trim_end_matches(';').ends_with("= 0")
            && (end.starts_with("sizeof") || end.parse::<u32>().is_ok_and(|end| end > 0) || rows())
    }

    /// Whether a list is written out and has rows.
    fn has_rows(&self, list: Node<'t>, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let inner = |node: Node<'t>| self.has_rows(node, depth + 1);
        let rows = || named_children(list).into_iter().filter(|row| !row.kind().contains("comment"));
        if self.rules.names.contains(&list.kind()) {
            return self.only_value(list).is_some_and(inner);
        }
        if let Some(call) = call_parts(self.source, list) {
            let number = |node: &Node<'t>| self.source.text(*node).parse::<i64>().ok();
            let arguments = call.arguments.as_slice();
            return match (call.name.as_str(), call.object) {
                ("range", None) => match arguments {
                    [end] => number(end).is_some_and(|end| end > 0),
                    [start, end] => number(start).zip(number(end)).is_some_and(|(start, end)| start < end),
                    _ => false,
                },
                ("entries" | "values" | "keys", Some(object)) if self.source.text(object) == "Object" => {
                    arguments.iter().all(|list| inner(*list))
                }
                // A test that writes rows to compare with those of the code expects the code to return some.
                ("zip", object) => object.into_iter().chain(call.arguments.iter().copied()).any(inner),
                (name, Some(object)) if AS_MANY.contains(&name) => {
                    inner(object) && arguments.iter().all(|list| inner(*list))
                }
                (name, None) if AS_MANY.contains(&name) => {
                    !arguments.is_empty() && arguments.iter().all(|list| inner(*list))
                }
                _ => false,
            };
        }
        match (list.kind(), rows().collect::<Vec<_>>().as_slice()) {
            ("range_expression", [start, end]) => {
                let number = |node: &Node<'t>| self.source.text(*node).parse::<i64>().ok();
                return number(start).zip(number(end)).is_some_and(|(start, end)| start < end);
            }
            ("reference_expression" | "expression_list" | "parenthesized_expression", [one]) => {
                return inner(*one);
            }
            _ => {}
        }
        if let Some([one]) = (self.rules.literals.wrapped)(self.source, list).as_deref() {
            return inner(*one);
        }
        let spread = |row: Node<'t>| self.source.text(row).starts_with(['*', '.']);
        self.rules.literals.containers.contains(&list.kind()) && rows().any(|row| !spread(row))
    }

    /// The value of a name that the file binds once.
    fn only_value(&self, name: Node<'t>) -> Option<Node<'t>> {
        let text = self.source.text(name);
        let mut values = all_nodes(self.source.root()).into_iter().filter_map(|node| {
            let (_, names, value) = self.rules.bindings.iter().find(|(kind, ..)| *kind == node.kind())?;
            let own = self.source.field(node, names)? == text;
            own.then(|| node.child_by_field_name(value)).flatten()
        });
        let first = values.next()?;
        values.next().is_none().then_some(first)
    }
}

#[cfg(test)]
mod tests;
