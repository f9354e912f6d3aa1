//! Modules that a test replaces: `vi.mock('./store.js', () => ({ store: … }))`.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::syntax::source::{ParsedText, child_of_kind, named_children};

/// The imports of names that a test replaces and uses, and neither imports nor declares.
pub(super) fn missing_imports(source: &ParsedText<'_>) -> Vec<String> {
    let mut seen = TestNames::default();
    walk(source, source.root(), &mut seen);
    let mut lines = Vec::new();
    for (module, names) in &seen.replaced {
        let missing: Vec<&str> = names
            .iter()
            .filter(|n| seen.used.contains(*n) && !seen.declared.contains(*n))
            .map(String::as_str)
            .collect();
        if !missing.is_empty() {
            lines.push(format!("import {{ {} }} from '{module}';", missing.join(", ")));
        }
    }
    lines
}

#[derive(Default)]
struct TestNames {
    /// Replaced modules with the names that the replacement provides.
    replaced: Vec<(String, Vec<String>)>,
    used: BTreeSet<String>,
    declared: BTreeSet<String>,
}

fn walk(source: &ParsedText<'_>, node: Node<'_>, seen: &mut TestNames) {
    match node.kind() {
        "call_expression" => {
            if let Some(replaced) = replacement(source, node) {
                seen.replaced.push(replaced);
                // What stands in the replacement is no use of it.
                return;
            }
        }
        "import_statement" => {
            declare(source, node, &mut seen.declared);
            return;
        }
        "variable_declarator" | "function_declaration" | "class_declaration" => {
            if let Some(name) = node.child_by_field_name("name") {
                declare(source, name, &mut seen.declared);
            }
        }
        "formal_parameters" => declare(source, node, &mut seen.declared),
        "identifier" => {
            seen.used.insert(source.text(node));
        }
        _ => {}
    }
    for child in named_children(node) {
        walk(source, child, seen);
    }
}

/// Every name in a pattern or an import.
fn declare(source: &ParsedText<'_>, node: Node<'_>, declared: &mut BTreeSet<String>) {
    if matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern") {
        declared.insert(source.text(node));
    }
    for child in named_children(node) {
        declare(source, child, declared);
    }
}

/// The module and the names of `vi.mock('…', () => ({ … }))` or `jest.mock(…)`.
fn replacement(source: &ParsedText<'_>, call: Node<'_>) -> Option<(String, Vec<String>)> {
    let function = source.field(call, "function")?;
    if !matches!(function.as_str(), "vi.mock" | "jest.mock") {
        return None;
    }
    let arguments = named_children(call.child_by_field_name("arguments")?);
    let module = arguments.first().filter(|node| node.kind() == "string")?;
    let module = source.text(*module).trim_matches(['\'', '"']).to_owned();
    let body = arguments.get(1).and_then(|factory| factory.child_by_field_name("body"));
    let object = body.and_then(|body| match body.kind() {
        "parenthesized_expression" => child_of_kind(body, &["object"]),
        "object" => Some(body),
        _ => None,
    });
    let key = |member: Node<'_>| match member.kind() {
        "pair" => source.field(member, "key"),
        "shorthand_property_identifier" => Some(source.text(member)),
        _ => None,
    };
    let names = object.map(|object| named_children(object).into_iter().filter_map(key).collect());
    Some((module, names.unwrap_or_default()))
}
