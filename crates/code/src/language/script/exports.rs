//! Exports of JavaScript and TypeScript: ES modules and CommonJS.

use std::collections::BTreeMap;

use tree_sitter::Node;

use crate::syntax::source::{ParsedText, child_of_kind, children, line_of, named_children};
use crate::syntax::{Export, ExportKind};

/// Everything that another module can import.
pub(crate) fn exports(source: &ParsedText<'_>) -> Vec<Export> {
    let top = named_children(source.root());
    let locals = locals(source, &top);
    let mut out = Vec::new();
    for node in top {
        match node.kind() {
            "export_statement" => push_statement(source, node, &locals, &mut out),
            "expression_statement" => push_commonjs(source, node, &locals, &mut out),
            _ => {}
        }
    }
    out
}

/// Top-level declarations by name: what `export { name }` speaks of.
type Locals<'t> = BTreeMap<String, Node<'t>>;

fn locals<'t>(source: &ParsedText<'_>, top: &[Node<'t>]) -> Locals<'t> {
    let mut out = BTreeMap::new();
    for node in top {
        match node.kind() {
            "lexical_declaration" | "variable_declaration" => {
                for declarator in named_children(*node) {
                    if let Some(name) = source.field(declarator, "name") {
                        out.insert(name, *node);
                    }
                }
            }
            _ => {
                if let Some(name) = source.field(*node, "name") {
                    out.insert(name, *node);
                }
            }
        }
    }
    out
}

fn push_statement(source: &ParsedText<'_>, node: Node<'_>, locals: &Locals<'_>, out: &mut Vec<Export>) {
    let is_default = child_of_kind(node, &["default"]).is_some();
    if let Some(declaration) = node.child_by_field_name("declaration") {
        let as_name = is_default.then_some("default");
        push_declaration(source, declaration, node.start_byte(), as_name, out);
    } else if let Some(clause) = child_of_kind(node, &["export_clause"]) {
        let from_elsewhere = node.child_by_field_name("source").is_some();
        for specifier in named_children(clause) {
            let Some(name) = source.field(specifier, "name") else { continue };
            let shown = source.field(specifier, "alias").unwrap_or_else(|| name.clone());
            match locals.get(&name).filter(|_| !from_elsewhere) {
                Some(local) => push_local(source, *local, &name, &shown, out),
                None => push_value(source, node, shown, out),
            }
        }
    } else if is_default {
        let value = node.child_by_field_name("value");
        if let Some(local) = value.and_then(|value| locals.get(&source.text(value))) {
            push_local(source, *local, &source.text(value.unwrap_or(node)), "default", out);
        } else {
            let kind = value.map_or(ExportKind::Value, |value| kind_of_value(value));
            let signature = head(source, node.start_byte(), value.unwrap_or(node));
            out.push(Export { name: "default".into(), kind, signature, line: line_of(node) });
        }
    }
}

/// A declaration that is exported under another name keeps its own signature.
fn push_local(source: &ParsedText<'_>, local: Node<'_>, name: &str, shown: &str, out: &mut Vec<Export>) {
    let mut found = Vec::new();
    push_declaration(source, local, local.start_byte(), None, &mut found);
    for mut export in found {
        match export.name.strip_prefix(name) {
            Some("") => shown.clone_into(&mut export.name),
            Some(rest) if rest.starts_with('.') => export.name = format!("{shown}{rest}"),
            _ => continue,
        }
        out.push(export);
    }
}

fn push_value(source: &ParsedText<'_>, node: Node<'_>, name: String, out: &mut Vec<Export>) {
    let signature = source.one_line(node.byte_range()).trim_end_matches(';').to_owned();
    out.push(Export { name, kind: ExportKind::Value, signature, line: line_of(node) });
}

fn push_declaration(
    source: &ParsedText<'_>,
    node: Node<'_>,
    start: usize,
    as_name: Option<&str>,
    out: &mut Vec<Export>,
) {
    let name = as_name.map(str::to_owned).or_else(|| source.field(node, "name"));
    let whole = || source.one_line(start..node.end_byte()).trim_end_matches(';').to_owned();
    let line = line_of(node);
    match (node.kind(), name) {
        ("lexical_declaration" | "variable_declaration", _) => push_variables(source, node, start, out),
        ("ambient_declaration", _) => {
            if let Some(inner) = named_children(node).into_iter().next() {
                push_declaration(source, inner, start, as_name, out);
            }
        }
        (
            "function_declaration"
            | "generator_function_declaration"
            | "function_signature"
            | "function_expression",
            Some(name),
        ) => {
            out.push(Export { name, kind: ExportKind::Function, signature: head(source, start, node), line });
        }
        ("class_declaration" | "abstract_class_declaration" | "class", Some(name)) => {
            out.push(Export {
                name: name.clone(),
                kind: ExportKind::Type,
                signature: head(source, start, node),
                line,
            });
            push_members(source, node, &name, out);
        }
        ("interface_declaration", Some(name)) => {
            out.push(Export { name: name.clone(), kind: ExportKind::Interface, signature: whole(), line });
            push_members(source, node, &name, out);
        }
        ("type_alias_declaration" | "enum_declaration", Some(name)) => {
            out.push(Export { name, kind: ExportKind::Type, signature: whole(), line });
        }
        ("internal_module" | "module", Some(name)) => {
            out.push(Export { name, kind: ExportKind::Module, signature: head(source, start, node), line });
        }
        _ => {}
    }
}

fn push_variables(source: &ParsedText<'_>, node: Node<'_>, start: usize, out: &mut Vec<Export>) {
    for declarator in named_children(node).into_iter().filter(|child| child.kind() == "variable_declarator") {
        let Some(name) = declarator.child_by_field_name("name").filter(|name| name.kind() == "identifier")
        else {
            continue;
        };
        let name = source.text(name);
        let value = declarator.child_by_field_name("value");
        let kind = value.map_or(ExportKind::Value, |value| kind_of_value(value));
        let signature = match (kind, value) {
            (ExportKind::Function, Some(value)) => head(source, start, value),
            (_, Some(value)) => {
                source.one_line(start..value.start_byte()).trim_end_matches(['=', ' ']).to_owned()
            }
            (_, None) => source.one_line(start..declarator.end_byte()),
        };
        out.push(Export { name: name.clone(), kind, signature, line: line_of(declarator) });
        // A constant without a value is a declaration: its members are those of its type.
        let stated = declarator.child_by_field_name("type").filter(|_| value.is_none());
        let stated = stated.and_then(|stated| child_of_kind(stated, &["object_type"]));
        if let Some(object) = value.and_then(object_of).or(stated) {
            push_members(source, object, &name, out);
        }
    }
}

/// The object literal behind `{…} as T` and `{…} satisfies T`.
fn object_of(value: Node<'_>) -> Option<Node<'_>> {
    match value.kind() {
        "object" => Some(value),
        "as_expression" | "satisfies_expression" | "parenthesized_expression" => {
            named_children(value).into_iter().find(|child| child.kind() == "object")
        }
        _ => None,
    }
}

fn kind_of_value(value: Node<'_>) -> ExportKind {
    match value.kind() {
        "arrow_function" | "function_expression" | "function" | "generator_function" => ExportKind::Function,
        "class" => ExportKind::Type,
        _ => ExportKind::Value,
    }
}

/// Everything before the body (and before the arrow).
fn head(source: &ParsedText<'_>, start: usize, node: Node<'_>) -> String {
    let end = node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
    let text = source.one_line(start..end);
    let text = text.trim_end_matches([';', ' ']);
    text.strip_suffix("=>").unwrap_or(text).trim_end().to_owned()
}

/// Methods of a class, interface or object, without private ones.
fn push_members(source: &ParsedText<'_>, owner: Node<'_>, name: &str, out: &mut Vec<Export>) {
    let body = owner.child_by_field_name("body").unwrap_or(owner);
    for member in named_children(body) {
        let is_private = children(member).iter().any(|child| {
            child.kind() == "accessibility_modifier" && source.text(*child) != "public"
                || child.kind() == "private_property_identifier"
        });
        let is_method = match member.kind() {
            "method_definition" | "method_signature" | "abstract_method_signature" => true,
            "pair" | "public_field_definition" | "field_definition" => member
                .child_by_field_name("value")
                .is_some_and(|value| kind_of_value(value) == ExportKind::Function),
            _ => false,
        };
        let key = ["name", "key", "property"].iter().find_map(|field| source.field(member, field));
        if is_method
            && !is_private
            && let Some(key) = key
        {
            let value = member.child_by_field_name("value").unwrap_or(member);
            out.push(Export {
                name: format!("{name}.{key}"),
                kind: ExportKind::Method,
                signature: head(source, member.start_byte(), value),
                line: line_of(member),
            });
        }
    }
}

/// `module.exports = …`, `module.exports.name = …` and `exports.name = …`.
fn push_commonjs(source: &ParsedText<'_>, node: Node<'_>, locals: &Locals<'_>, out: &mut Vec<Export>) {
    let Some(assignment) = child_of_kind(node, &["assignment_expression"]) else { return };
    let (Some(left), Some(right)) =
        (source.field(assignment, "left"), assignment.child_by_field_name("right"))
    else {
        return;
    };
    let kind = kind_of_value(right);
    let signature = head(source, assignment.start_byte(), right);
    let line = line_of(node);
    if left == "module.exports" {
        match right.kind() {
            "object" => push_object(source, right, locals, out),
            _ => match locals.get(&source.text(right)) {
                Some(local) => push_local(source, *local, &source.text(right), "default", out),
                None => out.push(Export { name: "default".into(), kind, signature, line }),
            },
        }
    } else if let Some(name) = left.strip_prefix("module.exports.").or_else(|| left.strip_prefix("exports."))
    {
        match locals.get(&source.text(right)) {
            Some(local) => push_local(source, *local, &source.text(right), name, out),
            None => out.push(Export { name: name.to_owned(), kind, signature, line }),
        }
    }
}

fn push_object(source: &ParsedText<'_>, object: Node<'_>, locals: &Locals<'_>, out: &mut Vec<Export>) {
    for member in named_children(object) {
        let line = line_of(member);
        match member.kind() {
            "shorthand_property_identifier" => {
                let name = source.text(member);
                match locals.get(&name) {
                    Some(local) => push_local(source, *local, &name, &name, out),
                    None => push_value(source, member, name, out),
                }
            }
            "pair" => {
                let Some(key) = source.field(member, "key") else { continue };
                let value = member.child_by_field_name("value").unwrap_or(member);
                if let Some(local) = locals.get(&source.text(value)) {
                    push_local(source, *local, &source.text(value), &key, out);
                } else {
                    let signature = head(source, member.start_byte(), value);
                    out.push(Export { name: key, kind: kind_of_value(value), signature, line });
                }
            }
            "method_definition" => {
                if let Some(name) = source.field(member, "name") {
                    let signature = head(source, member.start_byte(), member);
                    out.push(Export { name, kind: ExportKind::Function, signature, line });
                }
            }
            _ => {}
        }
    }
}
