//! Rust: tests, exports, imports, and what belongs to inline tests.

use std::ops::Range;

use tree_sitter::Node;

use crate::syntax::Import;
use crate::syntax::TestItem;
use crate::syntax::source::{MAX_DEPTH, ParsedText, child_of_kind, children, line_of, named_children};
use crate::syntax::{Export, ExportKind};

/// Functions with a test attribute, in modules too, and those inside `proptest!`.
pub(crate) fn tests(source: &ParsedText<'_>) -> Vec<TestItem> {
    let mut out = Vec::new();
    collect_tests(source, source.root(), "", 0, &mut out);
    // `#![cfg(…)]` is about the whole file.
    let inner = named_children(source.root()).into_iter().filter(|n| n.kind() == "inner_attribute_item");
    for attribute in inner.map(|node| source.text(node)) {
        if let Some(condition) = build_condition(&[attribute]) {
            for item in &mut out {
                item.condition = Some(condition.clone());
            }
        }
    }
    out
}

/// What the build is asked whether an item exists and runs: `#[cfg(windows)]`, `#[cfg_attr(miri, ignore)]`. Code cannot
/// change the answer.
fn build_condition(attributes: &[String]) -> Option<String> {
    let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    attributes
        .iter()
        .find(|attribute| match attribute_name(attribute) {
            "cfg" => !plain(attribute).ends_with("[cfg(test)]"),
            "cfg_attr" => plain(attribute).contains(",ignore"),
            _ => false,
        })
        .cloned()
}

fn collect_tests(
    source: &ParsedText<'_>,
    body: Node<'_>,
    prefix: &str,
    depth: usize,
    out: &mut Vec<TestItem>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    for item in items(source, body) {
        match item.node.kind() {
            "function_item" if item.attributes.iter().any(|attribute| is_test_attribute(attribute)) => {
                if let Some(name) = source.field(item.node, "name") {
                    out.push(TestItem {
                        name: format!("{prefix}{name}"),
                        range: item.range.clone(),
                        line: line_of(item.node),
                        skipped: item
                            .attributes
                            .iter()
                            .any(|attribute| attribute_name(attribute) == "ignore"),
                        condition: build_condition(&item.attributes),
                        cases: None,
                    });
                }
            }
            "mod_item" => {
                if let (Some(name), Some(inner)) =
                    (source.field(item.node, "name"), item.node.child_by_field_name("body"))
                {
                    let from = out.len();
                    collect_tests(source, inner, &format!("{prefix}{name}::"), depth + 1, out);
                    if let Some(condition) = build_condition(&item.attributes) {
                        out[from..].iter_mut().for_each(|test| test.condition = Some(condition.clone()));
                    }
                }
            }
            "macro_invocation" | "expression_statement" => collect_macro(source, item.node, prefix, out),
            _ => {}
        }
    }
}

/// An item with what stands before it and belongs to it.
pub(crate) struct AttributedItem<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) attributes: Vec<String>,
    pub(crate) range: Range<usize>,
}

/// The items of a module or file, each with its attributes and documentation.
pub(crate) fn items<'t>(source: &ParsedText<'_>, body: Node<'t>) -> Vec<AttributedItem<'t>> {
    let mut out = Vec::new();
    let mut attributes = Vec::new();
    let mut start = None;
    for node in named_children(body) {
        match node.kind() {
            "attribute_item" => {
                start.get_or_insert(node.start_byte());
                attributes.push(source.text(node));
            }
            "line_comment" | "block_comment" => {
                let doc = source.slice(node.byte_range());
                if doc.starts_with(b"///") || doc.starts_with(b"/**") {
                    start.get_or_insert(node.start_byte());
                }
            }
            _ => {
                let from = start.take().unwrap_or(node.start_byte());
                let attributes = std::mem::take(&mut attributes);
                out.push(AttributedItem { node, attributes, range: from..node.end_byte() });
            }
        }
    }
    out
}

/// `test` out of `#[tokio::test(flavor = "x")]`.
fn attribute_name(attribute: &str) -> &str {
    let inner = attribute.trim_start_matches(['#', '!', '[', ' ']);
    let path = inner.split(['(', ']', '=', ' ']).next().unwrap_or_default();
    path.rsplit("::").next().unwrap_or(path)
}

fn is_test_attribute(attribute: &str) -> bool {
    matches!(
        attribute_name(attribute),
        "test"
            | "rstest"
            | "test_case"
            | "wasm_bindgen_test"
            | "quickcheck"
            | "test_log"
            | "proptest"
            | "bolero"
    )
}

/// The contents of a macro are tokens: look for `#[test] fn name`.
fn collect_macro(source: &ParsedText<'_>, node: Node<'_>, prefix: &str, out: &mut Vec<TestItem>) {
    let node = child_of_kind(node, &["macro_invocation"]).unwrap_or(node);
    let Some(tokens) = child_of_kind(node, &["token_tree"]) else { return };
    let parts = children(tokens);
    let mut marked: Option<usize> = None;
    let mut after_fn = false;
    let mut pending: Option<TestItem> = None;
    for (index, part) in parts.iter().enumerate() {
        let text = source.text(*part);
        let is_attribute = text.starts_with('[') && index > 0 && source.text(parts[index - 1]) == "#";
        if is_attribute && is_test_attribute(&format!("#{text}")) {
            marked.get_or_insert(parts[index - 1].start_byte());
        } else if text == "fn" && marked.is_some() {
            after_fn = true;
        } else if after_fn && part.kind() == "identifier" {
            after_fn = false;
            pending = Some(TestItem {
                name: format!("{prefix}{text}"),
                range: marked.take().unwrap_or(part.start_byte())..part.end_byte(),
                line: line_of(*part),
                skipped: false,
                condition: None,
                cases: None,
            });
        } else if text.starts_with('{')
            && let Some(mut item) = pending.take()
        {
            item.range.end = part.end_byte();
            out.push(item);
        }
    }
}

/// The modules (and other items) that exist for tests only: those under `#[cfg(test)]`, with their names.
pub(crate) fn test_only_items(source: &ParsedText<'_>) -> Vec<(String, Range<usize>)> {
    let mut out = Vec::new();
    collect_test_only(source, source.root(), "", 0, &mut out);
    out
}

fn collect_test_only(
    source: &ParsedText<'_>,
    body: Node<'_>,
    prefix: &str,
    depth: usize,
    out: &mut Vec<(String, Range<usize>)>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    for item in items(source, body) {
        let name = source.field(item.node, "name").unwrap_or_else(|| source.one_line(item.node.byte_range()));
        let test_only = item.attributes.iter().any(|attribute| {
            let text: String = attribute.chars().filter(|c| !c.is_whitespace()).collect();
            // `any(test, feature = "std")` on an `impl` is code that a feature switches off outside of tests.
            let is_code = item.node.kind() == "impl_item" && text.contains("any(");
            attribute_name(attribute) == "cfg" && mentions_test(&text) && !is_code
        });
        if test_only {
            out.push((format!("{prefix}{name}"), item.range));
        } else if item.node.kind() == "mod_item"
            && let Some(inner) = item.node.child_by_field_name("body")
        {
            collect_test_only(source, inner, &format!("{prefix}{name}::"), depth + 1, out);
        }
    }
}

/// `#[cfg(test)]`, `#[cfg(all(test, …))]`, but not `#[cfg(not(test))]` or `#[cfg(feature="test")]`.
fn mentions_test(cfg: &str) -> bool {
    !cfg.contains("not(test") && cfg.split(['(', ')', ',']).any(|part| part == "test")
}

/// Items with a visibility, their public methods, and exported macros.
pub(crate) fn exports(source: &ParsedText<'_>) -> Vec<Export> {
    let mut out = Vec::new();
    collect_exports(source, source.root(), "", 0, &mut out);
    out
}

fn collect_exports(
    source: &ParsedText<'_>,
    body: Node<'_>,
    prefix: &str,
    depth: usize,
    out: &mut Vec<Export>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    for item in items(source, body) {
        let node = item.node;
        match node.kind() {
            "impl_item" => push_impl(source, node, prefix, out),
            "macro_definition" if item.attributes.iter().any(|a| attribute_name(a) == "macro_export") => {
                if let Some(name) = source.field(node, "name") {
                    let signature = format!("macro_rules! {name}");
                    out.push(Export { name, kind: ExportKind::Macro, signature, line: line_of(node) });
                }
            }
            _ if !is_public(node) => {}
            "use_declaration" => push_reexports(source, node, prefix, out),
            kind => push_item(source, node, kind, prefix, depth, out),
        }
    }
}

fn is_public(node: Node<'_>) -> bool {
    child_of_kind(node, &["visibility_modifier"]).is_some()
}

fn push_item(
    source: &ParsedText<'_>,
    node: Node<'_>,
    kind: &str,
    prefix: &str,
    depth: usize,
    out: &mut Vec<Export>,
) {
    let Some(name) = source.field(node, "name") else { return };
    let export_kind = match kind {
        "function_item" | "function_signature_item" => ExportKind::Function,
        "struct_item" | "enum_item" | "union_item" | "type_item" => ExportKind::Type,
        "trait_item" => ExportKind::Interface,
        "const_item" | "static_item" => ExportKind::Value,
        "mod_item" => ExportKind::Module,
        _ => return,
    };
    let name = format!("{prefix}{name}");
    out.push(Export {
        name: name.clone(),
        kind: export_kind,
        signature: signature(source, node, kind),
        line: line_of(node),
    });
    let Some(body) = node.child_by_field_name("body") else { return };
    match kind {
        "mod_item" => collect_exports(source, body, &format!("{name}::"), depth + 1, out),
        "trait_item" => push_methods(source, body, &name, out, |_| true),
        _ => {}
    }
}

/// The declaration without its body; fields and variants are part of a type's declaration.
fn signature(source: &ParsedText<'_>, node: Node<'_>, kind: &str) -> String {
    let keeps_body = matches!(kind, "struct_item" | "enum_item" | "union_item");
    let end = if keeps_body {
        node.end_byte()
    } else {
        let value = node.child_by_field_name("body").or_else(|| node.child_by_field_name("value"));
        value.filter(|_| kind != "type_item").map_or(node.end_byte(), |body| body.start_byte())
    };
    let text = source.one_line(node.start_byte()..end);
    text.trim_end_matches([';', '=', '{', ' ']).to_owned()
}

fn push_impl(source: &ParsedText<'_>, node: Node<'_>, prefix: &str, out: &mut Vec<Export>) {
    let (Some(owner), Some(body)) = (source.field(node, "type"), node.child_by_field_name("body")) else {
        return;
    };
    let owner = owner.split('<').next().unwrap_or(&owner).trim();
    let of_trait = node.child_by_field_name("trait").is_some();
    push_methods(source, body, &format!("{prefix}{owner}"), out, |method| of_trait || is_public(method));
}

fn push_methods(
    source: &ParsedText<'_>,
    body: Node<'_>,
    owner: &str,
    out: &mut Vec<Export>,
    counts: impl Fn(Node<'_>) -> bool,
) {
    for node in named_children(body) {
        let is_function = matches!(node.kind(), "function_item" | "function_signature_item");
        if is_function
            && counts(node)
            && let Some(name) = source.field(node, "name")
        {
            out.push(Export {
                name: format!("{owner}::{name}"),
                kind: ExportKind::Method,
                signature: signature(source, node, node.kind()),
                line: line_of(node),
            });
        }
    }
}

fn push_reexports(source: &ParsedText<'_>, node: Node<'_>, prefix: &str, out: &mut Vec<Export>) {
    for import in use_imports(source, node) {
        for name in import.names {
            let signature = source.one_line(node.byte_range()).trim_end_matches(';').to_owned();
            out.push(Export {
                name: format!("{prefix}{name}"),
                kind: ExportKind::Value,
                signature,
                line: line_of(node),
            });
        }
    }
}

/// `use` and `extern crate`, in modules too.
pub(crate) fn imports(source: &ParsedText<'_>) -> Vec<Import> {
    let mut out = Vec::new();
    let mut stack = vec![(source.root(), 0usize)];
    while let Some((node, depth)) = stack.pop() {
        match node.kind() {
            "use_declaration" => out.extend(use_imports(source, node)),
            "extern_crate_declaration" => {
                if let Some(module) = source.field(node, "name") {
                    out.push(Import { module, names: Vec::new(), line: line_of(node) });
                }
            }
            _ if depth < MAX_DEPTH => {
                stack.extend(named_children(node).into_iter().rev().map(|n| (n, depth + 1)));
            }
            _ => {}
        }
    }
    out
}

/// One import per path: `use a::{b, c::d}` is `a` with `b` and `a::c` with `d`.
fn use_imports(source: &ParsedText<'_>, node: Node<'_>) -> Vec<Import> {
    let mut flat: Vec<(String, String)> = Vec::new();
    if let Some(argument) = node.child_by_field_name("argument") {
        flatten_use(source, argument, "", 0, &mut flat);
    }
    let mut out: Vec<Import> = Vec::new();
    for (module, name) in flat {
        match out.iter_mut().find(|import| import.module == module) {
            Some(import) => import.names.push(name),
            None => out.push(Import { module, names: vec![name], line: line_of(node) }),
        }
    }
    out
}

fn flatten_use(
    source: &ParsedText<'_>,
    node: Node<'_>,
    prefix: &str,
    depth: usize,
    out: &mut Vec<(String, String)>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    let join = |path: &str| if prefix.is_empty() { path.to_owned() } else { format!("{prefix}::{path}") };
    match node.kind() {
        "use_list" => {
            for child in named_children(node) {
                flatten_use(source, child, prefix, depth + 1, out);
            }
        }
        "scoped_use_list" => {
            let path = source.field(node, "path").unwrap_or_default();
            if let Some(list) = node.child_by_field_name("list") {
                flatten_use(source, list, &join(&path), depth + 1, out);
            }
        }
        "use_wildcard" => {
            let path = source.text(node);
            out.push((join(path.trim_end_matches("::*")), "*".to_owned()));
        }
        "use_as_clause" => {
            let path = join(&source.field(node, "path").unwrap_or_default());
            let (module, _) = path.rsplit_once("::").unwrap_or(("", &path));
            out.push((module.to_owned(), source.field(node, "alias").unwrap_or_default()));
        }
        _ => {
            let path = join(&source.text(node));
            match path.rsplit_once("::") {
                Some((module, name)) => out.push((module.to_owned(), name.to_owned())),
                None => out.push((path.clone(), path)),
            }
        }
    }
}
