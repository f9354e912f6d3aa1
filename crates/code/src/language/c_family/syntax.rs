//! C and C++: tests, exports and imports.

use tree_sitter::Node;

use crate::syntax::Import;
use crate::syntax::TestItem;
use crate::syntax::source::{MAX_DEPTH, ParsedText, child_of_kind, line_of, named_children};
use crate::syntax::{Export, ExportKind};

/// Nodes to look into: namespaces, include guards, `extern "C"`, templates.
const CONTAINERS: [&str; 9] = [
    "namespace_definition",
    "declaration_list",
    "linkage_specification",
    "preproc_ifdef",
    "preproc_if",
    "preproc_else",
    "preproc_elif",
    "template_declaration",
    "ERROR",
];

const TYPES: [&str; 4] = ["class_specifier", "struct_specifier", "union_specifier", "enum_specifier"];

/// Functions that are not static, types with a body, what is public in them, and function-like macros.
pub(crate) fn exports(source: &ParsedText<'_>) -> Vec<Export> {
    let mut out = Vec::new();
    SymbolWalk { source, out: &mut out }.body(source.root(), "", 0);
    out
}

struct SymbolWalk<'a, 's> {
    source: &'a ParsedText<'s>,
    out: &'a mut Vec<Export>,
}

impl SymbolWalk<'_, '_> {
    fn body(&mut self, body: Node<'_>, owner: &str, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for node in named_children(body) {
            match node.kind() {
                "namespace_definition" => {
                    let name = self.source.field(node, "name").unwrap_or_default();
                    let inner = node.child_by_field_name("body").unwrap_or(node);
                    self.body(inner, &joined(owner, &name), depth + 1);
                }
                kind if CONTAINERS.contains(&kind) => self.body(node, owner, depth + 1),
                kind if TYPES.contains(&kind) => self.owner(node, owner, depth),
                "function_definition" | "declaration" => self.function(node, owner, depth),
                "type_definition" => self.alias(node, owner, depth),
                "alias_declaration" => self.push(node, owner, ExportKind::Type),
                "preproc_function_def" => self.push(node, "", ExportKind::Macro),
                _ => {}
            }
        }
    }

    fn push(&mut self, node: Node<'_>, owner: &str, kind: ExportKind) {
        let Some(name) = self.source.field(node, "name") else { return };
        let end = node.child_by_field_name("value").filter(|_| kind == ExportKind::Macro);
        let end = end.map_or(node.end_byte(), |value| value.start_byte());
        let signature = trimmed(&self.source.one_line(node.start_byte()..end));
        self.out.push(Export { name: joined(owner, &name), kind, signature, line: line_of(node) });
    }

    /// A type with a body; without one it is only announced.
    fn owner(&mut self, node: Node<'_>, owner: &str, depth: usize) {
        let (Some(name), Some(body)) = (self.source.field(node, "name"), node.child_by_field_name("body"))
        else {
            return;
        };
        let name = joined(owner, &name);
        // A plain struct is its fields; a class is its name and its methods.
        let fields = named_children(body).iter().all(|m| !is_method(*m) && m.kind() != "access_specifier");
        let end = if fields { node.end_byte() } else { body.start_byte() };
        let signature = trimmed(&self.source.one_line(node.start_byte()..end));
        self.out.push(Export { name: name.clone(), kind: ExportKind::Type, signature, line: line_of(node) });
        if !fields {
            self.members(body, &name, node.kind() == "class_specifier", depth);
        }
    }

    fn members(&mut self, body: Node<'_>, owner: &str, hidden: bool, depth: usize) {
        let mut public = !hidden;
        for member in named_children(body) {
            match member.kind() {
                "access_specifier" => public = self.source.text(member).starts_with("public"),
                _ if !public => {}
                "template_declaration" => self.members(member, owner, false, depth),
                kind if TYPES.contains(&kind) => self.owner(member, owner, depth + 1),
                _ if is_method(member) => self.callable(member, owner, ExportKind::Method),
                _ => {}
            }
        }
    }

    fn function(&mut self, node: Node<'_>, owner: &str, depth: usize) {
        let hidden = named_children(node)
            .iter()
            .any(|c| c.kind() == "storage_class_specifier" && self.source.text(*c) == "static");
        // `struct S { … } s;` declares a type on the way.
        if let Some(kind) = node.child_by_field_name("type").filter(|kind| TYPES.contains(&kind.kind())) {
            self.owner(kind, owner, depth);
        }
        let macro_call = node.child_by_field_name("type").is_none() && owner.is_empty();
        if !hidden && is_method(node) && !(macro_call && is_test_macro(self.source, node)) {
            self.callable(node, owner, ExportKind::Function);
        }
    }

    fn callable(&mut self, node: Node<'_>, owner: &str, kind: ExportKind) {
        let Some(name) = function_declarator(node).and_then(|f| self.source.field(f, "declarator")) else {
            return;
        };
        // A definition outside its class repeats what the class says.
        if kind == ExportKind::Function && name.contains("::") {
            return;
        }
        let end = node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
        let end = child_of_kind(node, &["field_initializer_list"]).map_or(end, |list| list.start_byte());
        let signature = trimmed(&self.source.one_line(node.start_byte()..end));
        let name = joined(owner, name.trim_start_matches(['*', '&', ' ']));
        self.out.push(Export { name, kind, signature, line: line_of(node) });
    }

    fn alias(&mut self, node: Node<'_>, owner: &str, depth: usize) {
        let inner = node.child_by_field_name("type").filter(|kind| TYPES.contains(&kind.kind()));
        let named = inner.is_some_and(|kind| kind.child_by_field_name("name").is_some());
        if let Some(kind) = inner.filter(|_| named) {
            self.owner(kind, owner, depth);
        }
        let Some(name) = self.source.field(node, "declarator") else { return };
        let signature = trimmed(&self.source.one_line(node.byte_range()));
        self.out.push(Export { name, kind: ExportKind::Type, signature, line: line_of(node) });
    }
}

fn trimmed(text: &str) -> String {
    text.trim_end_matches([';', '{', ' ']).to_owned()
}

fn joined(owner: &str, name: &str) -> String {
    match (owner.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (false, true) => owner.to_owned(),
        (false, false) => format!("{owner}::{name}"),
    }
}

fn is_method(node: Node<'_>) -> bool {
    function_declarator(node).is_some()
}

/// The declarator with the parameters, inside pointers and references.
fn function_declarator(node: Node<'_>) -> Option<Node<'_>> {
    let mut current = node.child_by_field_name("declarator")?;
    for _ in 0..8 {
        if current.kind() == "function_declarator" {
            return Some(current);
        }
        current = current
            .child_by_field_name("declarator")
            .or_else(|| child_of_kind(current, &["function_declarator"]))?;
    }
    None
}

const TEST_MACROS: [&str; 8] = [
    "TEST",
    "TEST_F",
    "TEST_P",
    "TYPED_TEST",
    "TEST_CASE",
    "SCENARIO",
    "TEST_METHOD",
    "BOOST_AUTO_TEST_CASE",
];

fn is_test_macro(source: &ParsedText<'_>, node: Node<'_>) -> bool {
    let name = function_declarator(node).and_then(|f| source.field(f, "declarator")).unwrap_or_default();
    TEST_MACROS.contains(&name.as_str())
}

/// `TEST(Suite, Name)` of GoogleTest and `TEST_CASE("name")` of Catch2: macros, so they are read as text.
pub(crate) fn tests(source: &ParsedText<'_>) -> Vec<TestItem> {
    let text = String::from_utf8_lossy(source.bytes);
    let mut out = Vec::new();
    let mut at = 0;
    for (row, line) in text.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        let Some((name, rest)) = line.split_once('(') else { continue };
        if !TEST_MACROS.contains(&name.trim()) || line.starts_with(char::is_whitespace) {
            continue;
        }
        let inside = rest.split(')').next().unwrap_or_default();
        let name = match inside.trim_start().strip_prefix('"') {
            Some(quoted) => quoted.split('"').next().unwrap_or_default().to_owned(),
            None => inside.split(',').map(str::trim).collect::<Vec<_>>().join("."),
        };
        let end = source.bytes.get(start..).and_then(closing).map_or(at, |length| start + length);
        let end = end.min(source.bytes.len());
        let skipped = name.contains("DISABLED_") || inside.contains("[.]");
        let range = start.min(end)..end;
        out.push(TestItem { name, range, line: row + 1, skipped, condition: None, cases: None });
    }
    out
}

/// The length up to the brace that closes the first one.
fn closing(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// `#include`, also inside conditions.
pub(crate) fn imports(source: &ParsedText<'_>) -> Vec<Import> {
    let mut out = Vec::new();
    let mut stack = vec![(source.root(), 0usize)];
    while let Some((node, depth)) = stack.pop() {
        for child in named_children(node) {
            if child.kind() == "preproc_include" {
                let path = source.field(child, "path").unwrap_or_default();
                let module = path.trim_matches(['"', '<', '>']).to_owned();
                out.push(Import { module, names: Vec::new(), line: line_of(child) });
            } else if child.kind().starts_with("preproc_") && depth < MAX_DEPTH {
                stack.push((child, depth + 1));
            }
        }
    }
    out.sort_by_key(|import| import.line);
    out
}

/// The base classes.
pub(crate) fn bases(source: &ParsedText<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let mut stack = vec![(source.root(), 0usize)];
    while let Some((node, depth)) = stack.pop() {
        for child in named_children(node) {
            if let Some(list) = child_of_kind(child, &["base_class_clause"]) {
                let names = named_children(list).into_iter().filter(|c| c.kind() != "access_specifier");
                out.extend(names.map(|name| source.text(name)));
            }
            if CONTAINERS.contains(&child.kind()) && depth < MAX_DEPTH {
                stack.push((child, depth + 1));
            }
        }
    }
    out
}
