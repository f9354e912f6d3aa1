//! Handlers that catch failed assertions: whose assertions they can be.
//!
//! A test hands on a function with assertions in it. Code that calls it and drops what it raises turns a failure into a pass. A
//! `try` around nothing but the file's own functions, imported modules and methods of plain values catches its own assertions only.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::syntax::source::named_children;
use crate::syntax::tricks::TrickScan;

/// Python's own functions that call nothing they are given.
const BUILTINS: [&str; 34] = [
    "abs",
    "all",
    "any",
    "bool",
    "bytes",
    "chr",
    "dict",
    "divmod",
    "enumerate",
    "float",
    "frozenset",
    "getattr",
    "hasattr",
    "hash",
    "id",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "list",
    "open",
    "ord",
    "print",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "str",
    "sum",
    "tuple",
    "type",
    "zip",
];
/// Methods of texts, lists, dictionaries and patterns.
const PLAIN_METHODS: [&str; 40] = [
    "append",
    "clear",
    "copy",
    "count",
    "decode",
    "encode",
    "endswith",
    "extend",
    "find",
    "format",
    "get",
    "group",
    "groups",
    "index",
    "insert",
    "isalpha",
    "isdigit",
    "items",
    "join",
    "keys",
    "lower",
    "lstrip",
    "match",
    "partition",
    "pop",
    "read",
    "remove",
    "replace",
    "rpartition",
    "rsplit",
    "rstrip",
    "search",
    "sort",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "update",
    "upper",
    "values",
];

/// Whether a handler can catch an assertion that is not the file's own, and drops it.
pub(super) fn drops_foreign_assertions(look: &TrickScan<'_>, handler: Node<'_>) -> bool {
    if is_passed_on(look, handler) {
        return false;
    }
    let Some(body) = handler.parent().and_then(|statement| statement.child_by_field_name("body")) else {
        return true;
    };
    let known = KnownNames::around(look, handler);
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        let foreign = match node.kind() {
            "yield" | "await" => true,
            "call" => node.child_by_field_name("function").is_some_and(|f| known.is_foreign(look, f)),
            _ => false,
        };
        if foreign {
            return true;
        }
        open.extend(named_children(node));
    }
    false
}

/// Whether the handler hands on what it has caught: by its name, or as what is being handled.
fn is_passed_on(look: &TrickScan<'_>, handler: Node<'_>) -> bool {
    let text = look.source.text(handler);
    let (head, body) = text.split_once('\n').unwrap_or((&text, ""));
    let name = head.split(" as ").nth(1).map(|rest| rest.trim().trim_end_matches(':').trim_end_matches(')'));
    let is_used = |name: &str| {
        let uses = body.lines().filter(|line| has_word(line, name));
        // Writing it down somewhere is not the same as handing it on.
        uses.into_iter().any(|line| !line.contains("print(") && !line.contains("log"))
    };
    body.contains("exc_info()") || name.is_some_and(is_used)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
}

/// The names that mean the file's own things where a handler stands.
struct KnownNames {
    /// Functions, classes and imports of the file.
    own: BTreeSet<String>,
    /// Methods of the class around it.
    methods: BTreeSet<String>,
    /// Parameters of the functions around it.
    parameters: BTreeSet<String>,
}

impl KnownNames {
    fn around(look: &TrickScan<'_>, node: Node<'_>) -> Self {
        let mut own = BTreeSet::new();
        for node in look.nodes() {
            match node.kind() {
                "function_definition" | "class_definition" => own.extend(look.source.field(node, "name")),
                "import_statement" | "import_from_statement" => {
                    let text = look.source.one_line(node.byte_range());
                    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                    own.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
                }
                _ => {}
            }
        }
        let (mut methods, mut parameters) = (BTreeSet::new(), BTreeSet::new());
        let mut above = node.parent();
        while let Some(outer) = above {
            if outer.kind() == "class_definition" {
                let body = outer.child_by_field_name("body").map(named_children).unwrap_or_default();
                let inner = |node: Node<'_>| look.source.field(node, "name");
                methods.extend(body.into_iter().filter_map(|node| {
                    inner(node).or_else(|| node.child_by_field_name("definition").and_then(inner))
                }));
            }
            if matches!(outer.kind(), "function_definition" | "lambda") {
                let text = look.source.field(outer, "parameters").unwrap_or_default();
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                parameters.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
            }
            above = outer.parent();
        }
        Self { own, methods, parameters }
    }

    /// Whether what is called may come from outside the file.
    fn is_foreign(&self, look: &TrickScan<'_>, function: Node<'_>) -> bool {
        let text = look.source.one_line(function.byte_range());
        let Some((owner, method)) = text.rsplit_once('.') else {
            let known = self.own.contains(&text) || BUILTINS.contains(&text.as_str());
            return self.parameters.contains(&text) || !known;
        };
        let root = owner.split(['.', '(', '[']).next().unwrap_or_default();
        match root {
            "self" | "cls" => owner != root || !self.methods.contains(method),
            _ if PLAIN_METHODS.contains(&method) => false,
            _ => self.parameters.contains(root) || !self.own.contains(root),
        }
    }
}
