//! C#: tests, exports and imports.

use tree_sitter::Node;

use crate::syntax::Export;
use crate::syntax::Import;
use crate::syntax::TestItem;
use crate::syntax::outline::{self, Enclosure, Outline};
use crate::syntax::source::{MAX_DEPTH, ParsedText, child_of_kind, children, line_of, named_children};

const NAMESPACES: [&str; 2] = ["namespace_declaration", "file_scoped_namespace_declaration"];

const OUTLINE: Outline = Outline {
    containers: &["namespace_declaration", "file_scoped_namespace_declaration", "declaration_list"],
    types: &[
        "class_declaration",
        "struct_declaration",
        "record_declaration",
        "record_struct_declaration",
        "enum_declaration",
    ],
    interfaces: &["interface_declaration"],
    functions: &["delegate_declaration"],
    methods: &["method_declaration", "constructor_declaration", "property_declaration"],
    separator: ".",
    decoration: &["attribute_list"],
    visible,
};

/// Public and internal types, public and protected members.
pub(crate) fn exports(source: &ParsedText<'_>) -> Vec<Export> {
    outline::exports(&OUTLINE, source)
}

fn visible(source: &ParsedText<'_>, node: Node<'_>, inside: Enclosure) -> bool {
    let modifiers: Vec<String> =
        children(node).iter().filter(|c| c.kind() == "modifier").map(|c| source.text(*c)).collect();
    let says = |word: &str| modifiers.iter().any(|other| other == word);
    match inside {
        Enclosure::File | Enclosure::Interface => !says("private"),
        Enclosure::Type => says("public") || says("protected") || says("internal"),
    }
}

/// Methods with `[Fact]`, `[Theory]`, `[Test]`, `[TestMethod]`.
pub(crate) fn tests(source: &ParsedText<'_>) -> Vec<TestItem> {
    let mut out = Vec::new();
    collect(source, source.root(), "", 0, &mut out);
    out
}

fn collect(source: &ParsedText<'_>, body: Node<'_>, prefix: &str, depth: usize, out: &mut Vec<TestItem>) {
    if depth > MAX_DEPTH {
        return;
    }
    for node in named_children(body) {
        match node.kind() {
            kind if NAMESPACES.contains(&kind) || kind == "declaration_list" => {
                collect(source, node.child_by_field_name("body").unwrap_or(node), prefix, depth + 1, out);
            }
            "class_declaration" => {
                let name = source.field(node, "name").unwrap_or_default();
                if let Some(body) = node.child_by_field_name("body") {
                    collect(source, body, &format!("{prefix}{name}::"), depth + 1, out);
                }
            }
            "method_declaration" => out.extend(test(source, node, prefix)),
            _ => {}
        }
    }
}

fn test(source: &ParsedText<'_>, node: Node<'_>, prefix: &str) -> Option<TestItem> {
    let attributes: Vec<String> = children(node)
        .into_iter()
        .filter(|child| child.kind() == "attribute_list")
        .flat_map(named_children)
        .map(|attribute| source.text(attribute))
        .collect();
    let named = |names: &[&str]| {
        attributes.iter().any(|text| names.contains(&text.split(['(', ' ']).next().unwrap_or_default()))
    };
    named(&["Fact", "Theory", "Test", "TestCase", "TestMethod", "DataTestMethod"]).then_some(())?;
    let skipped = named(&["Ignore"]) || attributes.iter().any(|text| text.contains("Skip ="));
    let name = format!("{prefix}{}", source.field(node, "name")?);
    Some(TestItem {
        name,
        range: node.byte_range(),
        line: line_of(node),
        skipped,
        condition: None,
        cases: None,
    })
}

/// The namespace a file declares.
pub(crate) fn package(source: &ParsedText<'_>) -> Option<String> {
    child_of_kind(source.root(), &NAMESPACES).and_then(|node| source.field(node, "name"))
}

/// `using A.B;`, also inside a namespace.
pub(crate) fn imports(source: &ParsedText<'_>) -> Vec<Import> {
    let mut nodes = named_children(source.root());
    if let Some(namespace) = child_of_kind(source.root(), &NAMESPACES) {
        nodes.extend(named_children(namespace.child_by_field_name("body").unwrap_or(namespace)));
    }
    nodes
        .into_iter()
        .filter(|node| node.kind() == "using_directive")
        .filter_map(|node| {
            let name = named_children(node)
                .into_iter()
                .rfind(|c| matches!(c.kind(), "identifier" | "qualified_name"))?;
            Some(Import { module: source.text(name), names: Vec::new(), line: line_of(node) })
        })
        .collect()
}

/// The base types.
pub(crate) fn bases(source: &ParsedText<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let mut stack = named_children(source.root());
    while let Some(node) = stack.pop() {
        if NAMESPACES.contains(&node.kind()) || node.kind() == "declaration_list" {
            stack.extend(named_children(node));
        } else if let Some(list) = child_of_kind(node, &["base_list"]) {
            out.extend(named_children(list).iter().map(|base| source.one_line(base.byte_range())));
        }
    }
    out
}
