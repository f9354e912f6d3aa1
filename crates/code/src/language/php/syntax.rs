//! PHP: tests, exports and imports.

use tree_sitter::Node;

use crate::syntax::Export;
use crate::syntax::Import;
use crate::syntax::TestItem;
use crate::syntax::outline::{self, Enclosure, Outline};
use crate::syntax::source::{ParsedText, child_of_kind, children, line_of, named_children};

const TYPES: [&str; 4] =
    ["class_declaration", "enum_declaration", "trait_declaration", "interface_declaration"];

const OUTLINE: Outline = Outline {
    containers: &["namespace_definition", "compound_statement"],
    types: &["class_declaration", "enum_declaration", "trait_declaration"],
    interfaces: &["interface_declaration"],
    functions: &["function_definition"],
    methods: &["method_declaration"],
    separator: ".",
    decoration: &["attribute_list"],
    visible,
};

/// Classes, functions, and what is not private in a class.
pub(crate) fn exports(source: &ParsedText<'_>) -> Vec<Export> {
    outline::exports(&OUTLINE, source)
}

fn visible(source: &ParsedText<'_>, node: Node<'_>, inside: Enclosure) -> bool {
    let hidden = child_of_kind(node, &["visibility_modifier"])
        .is_some_and(|word| matches!(source.text(word).as_str(), "private" | "protected"));
    inside == Enclosure::File || !hidden
}

/// `test…` methods and those with `#[Test]`, in classes.
pub(crate) fn tests(source: &ParsedText<'_>) -> Vec<TestItem> {
    let mut out = Vec::new();
    for class in types(source) {
        let (Some(name), Some(body)) = (source.field(class, "name"), class.child_by_field_name("body"))
        else {
            continue;
        };
        let is_test =
            name.ends_with("Test") || base_names(source, class).iter().any(|base| base.ends_with("TestCase"));
        for method in named_children(body).into_iter().filter(|_| is_test) {
            let Some(own) = source.field(method, "name").filter(|_| method.kind() == "method_declaration")
            else {
                continue;
            };
            let attributed = child_of_kind(method, &["attribute_list"])
                .is_some_and(|list| source.text(list).contains("Test"));
            let documented = method
                .prev_sibling()
                .is_some_and(|doc| doc.kind() == "comment" && source.text(doc).contains("@test"));
            if own.starts_with("test") || attributed || documented {
                let name = format!("{name}::{own}");
                out.push(TestItem {
                    name,
                    range: method.byte_range(),
                    line: line_of(method),
                    skipped: false,
                    condition: None,
                    cases: None,
                });
            }
        }
    }
    out
}

/// The types of the file, also those inside a namespace with braces.
fn types<'t>(source: &'t ParsedText<'_>) -> Vec<Node<'t>> {
    let mut out = Vec::new();
    let mut stack = named_children(source.root());
    stack.reverse();
    while let Some(node) = stack.pop() {
        if TYPES.contains(&node.kind()) {
            out.push(node);
        } else if let Some(body) =
            node.child_by_field_name("body").filter(|_| node.kind() == "namespace_definition")
        {
            stack.extend(named_children(body).into_iter().rev());
        }
    }
    out
}

fn base_names(source: &ParsedText<'_>, class: Node<'_>) -> Vec<String> {
    children(class)
        .into_iter()
        .filter(|child| matches!(child.kind(), "base_clause" | "class_interface_clause"))
        .flat_map(named_children)
        .map(|name| source.text(name))
        .collect()
}

/// The namespace a file declares.
pub(crate) fn package(source: &ParsedText<'_>) -> Option<String> {
    child_of_kind(source.root(), &["namespace_definition"]).and_then(|node| source.field(node, "name"))
}

/// `use A\B;`, `use A\{B, C};`, `require 'x.php'`.
pub(crate) fn imports(source: &ParsedText<'_>) -> Vec<Import> {
    let mut out = Vec::new();
    for node in named_children(source.root()) {
        match node.kind() {
            "namespace_use_declaration" => uses(source, node, &mut out),
            "expression_statement" => out.extend(required(source, node)),
            _ => {}
        }
    }
    out
}

fn uses(source: &ParsedText<'_>, node: Node<'_>, out: &mut Vec<Import>) {
    let line = line_of(node);
    let prefix = child_of_kind(node, &["namespace_name"]).map(|name| source.text(name));
    let group = child_of_kind(node, &["namespace_use_group"]);
    for clause in named_children(group.unwrap_or(node)) {
        if !clause.kind().starts_with("namespace_use") {
            continue;
        }
        let text = source.text(clause);
        let name = text.split(" as ").next().unwrap_or_default().trim();
        let module = match (&prefix, group) {
            (Some(prefix), Some(_)) => format!("{prefix}\\{name}"),
            _ => name.to_owned(),
        };
        out.push(Import { module, names: Vec::new(), line });
    }
}

fn required(source: &ParsedText<'_>, node: Node<'_>) -> Option<Import> {
    let call = child_of_kind(
        node,
        &["require_once_expression", "require_expression", "include_expression", "include_once_expression"],
    )?;
    let text = source.text(call);
    let path = text.split(['\'', '"']).nth(1)?.to_owned();
    Some(Import { module: path, names: Vec::new(), line: line_of(node) })
}

/// The types that classes extend and implement.
pub(crate) fn bases(source: &ParsedText<'_>) -> Vec<String> {
    types(source).into_iter().flat_map(|class| base_names(source, class)).collect()
}
