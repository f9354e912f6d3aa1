//! Ruby: tests, exports and imports.

use tree_sitter::Node;

use crate::syntax::Import;
use crate::syntax::TestItem;
use crate::syntax::source::{MAX_DEPTH, ParsedText, child_of_kind, line_of, named_children};
use crate::syntax::{Export, ExportKind};

/// Classes, modules, and methods before `private`.
pub(crate) fn exports(source: &ParsedText<'_>) -> Vec<Export> {
    let mut out = Vec::new();
    body(source, source.root(), "", 0, &mut out);
    out
}

fn body(source: &ParsedText<'_>, node: Node<'_>, owner: &str, depth: usize, out: &mut Vec<Export>) {
    if depth > MAX_DEPTH {
        return;
    }
    let mut public = true;
    for child in named_children(node) {
        match child.kind() {
            "class" | "module" => {
                let Some(name) = source.field(child, "name") else { continue };
                let name = if owner.is_empty() { name } else { format!("{owner}::{name}") };
                let kind = if child.kind() == "class" { ExportKind::Type } else { ExportKind::Module };
                out.push(Export {
                    name: name.clone(),
                    kind,
                    signature: header(source, child),
                    line: line_of(child),
                });
                if let Some(inner) = child.child_by_field_name("body") {
                    body(source, inner, &name, depth + 1, out);
                }
            }
            "method" | "singleton_method" if public || child.kind() == "singleton_method" => {
                let Some(name) = source.field(child, "name") else { continue };
                let kind = if owner.is_empty() { ExportKind::Function } else { ExportKind::Method };
                let name = if owner.is_empty() { name } else { format!("{owner}.{name}") };
                out.push(Export { name, kind, signature: header(source, child), line: line_of(child) });
            }
            "identifier" => match source.text(child).as_str() {
                "private" | "protected" => public = false,
                "public" => public = true,
                _ => {}
            },
            "assignment" => push_constant(source, child, owner, out),
            _ => {}
        }
    }
}

fn push_constant(source: &ParsedText<'_>, node: Node<'_>, owner: &str, out: &mut Vec<Export>) {
    let Some(left) = node.child_by_field_name("left").filter(|left| left.kind() == "constant") else {
        return;
    };
    let own = source.text(left);
    let name = if owner.is_empty() { own.clone() } else { format!("{owner}::{own}") };
    out.push(Export { name, kind: ExportKind::Value, signature: own, line: line_of(node) });
}

/// The first line of a definition, with all its parameters.
fn header(source: &ParsedText<'_>, node: Node<'_>) -> String {
    let last = ["parameters", "superclass", "name"].iter().find_map(|field| node.child_by_field_name(field));
    source.one_line(node.start_byte()..last.map_or(node.end_byte(), |last| last.end_byte()))
}

/// rspec examples, `test_…` methods of minitest and `test "…"` blocks of Rails.
pub(crate) fn tests(source: &ParsedText<'_>) -> Vec<TestItem> {
    let mut out = Vec::new();
    collect(source, source.root(), "", 0, &mut out);
    out
}

fn collect(source: &ParsedText<'_>, node: Node<'_>, prefix: &str, depth: usize, out: &mut Vec<TestItem>) {
    if depth > MAX_DEPTH {
        return;
    }
    for child in named_children(node) {
        match child.kind() {
            "call" => call(source, child, prefix, depth, out),
            "class" | "module" => {
                let name = source.field(child, "name").unwrap_or_default();
                if let Some(inner) = child.child_by_field_name("body") {
                    collect(source, inner, &format!("{prefix}{name}::"), depth + 1, out);
                }
            }
            "method" => {
                let name = source.field(child, "name").unwrap_or_default();
                if name.starts_with("test_") && !prefix.is_empty() {
                    out.push(item(child, format!("{prefix}{name}"), false));
                }
            }
            _ => {}
        }
    }
}

fn call(source: &ParsedText<'_>, node: Node<'_>, prefix: &str, depth: usize, out: &mut Vec<TestItem>) {
    let method = source.field(node, "method").unwrap_or_default();
    let Some(block) = node.child_by_field_name("block") else { return };
    let title = title(source, node);
    match method.as_str() {
        // Tests in a loop over a table: `[[1, 2], …].each do |a, b| … end`.
        "each" | "each_pair" | "each_with_index" => {
            let inner = block.child_by_field_name("body").unwrap_or(block);
            collect(source, inner, prefix, depth + 1, out);
        }
        "describe" | "context" | "feature" | "xdescribe" | "xcontext" => {
            let from = out.len();
            let prefix = if prefix.is_empty() { format!("{title} ") } else { format!("{prefix}{title} ") };
            let inner = block.child_by_field_name("body").unwrap_or(block);
            collect(source, inner, &prefix, depth + 1, out);
            if method.starts_with('x') {
                out[from..].iter_mut().for_each(|item| item.skipped = true);
            }
        }
        // Outside of a group, and without a title, no runner has a name for it.
        _ if prefix.is_empty() && title.is_empty() => {}
        "it" | "specify" | "example" | "scenario" | "test" => {
            out.push(item(node, format!("{prefix}{title}"), false));
        }
        "xit" | "xspecify" | "skip" | "pending" => out.push(item(node, format!("{prefix}{title}"), true)),
        _ => {}
    }
}

fn item(node: Node<'_>, name: String, skipped: bool) -> TestItem {
    TestItem { name, range: node.byte_range(), line: line_of(node), skipped, condition: None, cases: None }
}

/// The texts, without their quotes, and constants among the arguments.
fn title(source: &ParsedText<'_>, node: Node<'_>) -> String {
    let arguments = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    let titles: Vec<String> = arguments
        .into_iter()
        .filter(|argument| matches!(argument.kind(), "string" | "constant" | "scope_resolution"))
        .map(|argument| source.text(argument).trim_matches(['"', '\'']).to_owned())
        .collect();
    titles.join(" ")
}

/// `require` and `require_relative`, which is marked by the name `relative`.
pub(crate) fn imports(source: &ParsedText<'_>) -> Vec<Import> {
    named_children(source.root())
        .into_iter()
        .filter(|node| node.kind() == "call")
        .filter_map(|node| {
            let method = source.field(node, "method")?;
            let names = match method.as_str() {
                "require" => Vec::new(),
                "require_relative" => vec!["relative".to_owned()],
                _ => return None,
            };
            Some(Import { module: title(source, node), names, line: line_of(node) })
        })
        .collect()
}

/// The base classes.
pub(crate) fn bases(source: &ParsedText<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let mut stack = named_children(source.root());
    while let Some(node) = stack.pop() {
        if !matches!(node.kind(), "class" | "module" | "body_statement") {
            continue;
        }
        if let Some(base) = child_of_kind(node, &["superclass"]) {
            out.push(source.text(base).trim_start_matches(['<', ' ']).to_owned());
        }
        stack.extend(named_children(node));
    }
    out
}
