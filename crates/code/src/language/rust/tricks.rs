//! Rust's tricks.

use std::collections::BTreeMap;

use tree_sitter::Node;

use crate::syntax::source::{child_of_kind, children, named_children};
use crate::syntax::tricks::{Rule, TrickScan, literal};

/// Functions of the system that a program must not provide itself.
const SYSTEM: [&str; 9] =
    ["main", "_start", "exit", "_exit", "abort", "write", "atexit", "__libc_start_main", "exit_group"];

/// Macros that tests use to assert.
const ASSERTIONS: [&str; 9] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "panic",
    "matches",
    "unreachable",
];

pub(crate) fn look(look: &mut TrickScan<'_>) {
    let names = exit_names(look);
    for node in look.nodes() {
        match node.kind() {
            "call_expression" => call(look, &names, node),
            "string_literal" | "raw_string_literal" => string(look, node),
            "attribute_item" | "inner_attribute_item" => attribute(look, node),
            "macro_definition" => macro_definition(look, node),
            "macro_invocation" => macro_call(look, node),
            "impl_item" => equality(look, node),
            "function_item" => function(look, node),
            _ => {}
        }
    }
}

/// Names that `use std::process::exit` and its relatives bring in, with what they stand for.
fn exit_names(look: &TrickScan<'_>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for node in look.nodes().into_iter().filter(|n| n.kind() == "use_declaration") {
        let text = look.source.one_line(node.byte_range());
        let text = text.trim_end_matches(';');
        if let Some((full, alias)) = text.rsplit_once(" as ") {
            let full = full.rsplit(' ').next().unwrap_or_default();
            names.insert(alias.trim().to_owned(), full.to_owned());
        } else if text.contains("process::") && text.contains("exit") {
            names.insert("exit".to_owned(), "process::exit".to_owned());
        }
    }
    names
}

fn call(look: &mut TrickScan<'_>, names: &BTreeMap<String, String>, node: Node<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    let written = look.source.one_line(function.byte_range());
    let (first, rest) = written.split_once("::").map_or((written.as_str(), ""), |(f, r)| (f, r));
    let name = match names.get(first) {
        Some(full) if rest.is_empty() => full.clone(),
        Some(full) => format!("{full}::{rest}"),
        None => written.clone(),
    };
    let arguments = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    let argument = arguments.first().map(|a| look.source.text(*a)).unwrap_or_default();
    let exits = ["process::exit", "libc::exit", "libc::_exit", "process::quick_exit"];
    if exits.iter().any(|e| name == *e || name.ends_with(&format!("::{e}"))) {
        if !is_failure(&argument) && !is_program(look, node) {
            look.add(Rule::Exit, node);
        }
    } else if name.ends_with("catch_unwind") {
        caught(look, node);
    } else if name.ends_with("panic::set_hook")
        || name.ends_with("thread::current")
        || name.ends_with("env::current_exe")
    {
        look.add(Rule::SniffsPlace, node);
    } else if name.ends_with("libc::atexit") {
        look.add(Rule::AtExit, node);
    }
}

/// An exit code that says that something went wrong.
fn is_failure(argument: &str) -> bool {
    argument.trim().parse::<i64>().is_ok_and(|n| n != 0)
}

/// Whether this is where a program ends: `main`, and the files of programs.
fn is_program(look: &TrickScan<'_>, node: Node<'_>) -> bool {
    let file = look.path.ends_with("main.rs")
        || look.path.ends_with("build.rs")
        || look.path.contains("/bin/")
        || look.path.contains("examples/")
        || look.path_has(&["cli"]);
    let mut above = node.parent();
    while let Some(outer) = above {
        if outer.kind() == "function_item" && look.source.field(outer, "name").as_deref() == Some("main") {
            return true;
        }
        above = outer.parent();
    }
    file
}

/// A caught panic whose message is dropped.
fn caught(look: &mut TrickScan<'_>, node: Node<'_>) {
    let mut outer = node;
    let mut dropped = false;
    while let Some(parent) = outer.parent() {
        match parent.kind() {
            "field_expression" | "call_expression" | "arguments" => {
                let method = look.source.field(parent, "field").unwrap_or_default();
                dropped |= method.starts_with("ok") || method.starts_with("unwrap_or") || method == "is_ok";
                outer = parent;
            }
            "expression_statement" => {
                dropped = true;
                break;
            }
            "let_declaration" => {
                dropped |= look.source.field(parent, "pattern").is_some_and(|p| p.starts_with('_'));
                break;
            }
            _ => break,
        }
    }
    look.add(if dropped { Rule::CatchesAssertion } else { Rule::CatchesAll }, node);
}

fn string(look: &mut TrickScan<'_>, node: Node<'_>) {
    let text = look.source.text(node);
    let inner = text.trim_start_matches(['b', 'c', 'r', '#']).trim_end_matches('#').trim_matches('"');
    let rule = literal::rule_of(inner, look.golden);
    let found = if inner == "/deps/" || inner == "deps" { Some(Rule::SniffsTest) } else { rule };
    if let Some(rule) = found.filter(|rule| *rule != Rule::ReadsGolden || !is_for_tests(look, node)) {
        look.add(rule, node);
    }
}

/// Whether a node stands in an inline test, its module, or a benchmark: what tests read is theirs to read.
fn is_for_tests(look: &TrickScan<'_>, node: Node<'_>) -> bool {
    if look.path_has(&["benches"]) {
        return true;
    }
    let marked = |item: Node<'_>| {
        let mut before = item.prev_named_sibling();
        while let Some(attribute) = before.filter(|n| matches!(n.kind(), "attribute_item" | "line_comment")) {
            let text: String = look.source.text(attribute).chars().filter(|c| !c.is_whitespace()).collect();
            if matches!(text.as_str(), "#[cfg(test)]" | "#[test]") {
                return true;
            }
            before = attribute.prev_named_sibling();
        }
        false
    };
    std::iter::successors(Some(node), Node::parent)
        .filter(|outer| matches!(outer.kind(), "mod_item" | "function_item"))
        .any(marked)
}

fn attribute(look: &mut TrickScan<'_>, node: Node<'_>) {
    let text: String = look.source.text(node).chars().filter(|c| !c.is_whitespace()).collect();
    let name = text.trim_start_matches(['#', '!', '[']).split(['(', '=', ']']).next().unwrap_or_default();
    let section = text.contains("link_section=")
        && ["init_array", "fini_array", "mod_init_func", ".ctors", ".dtors", "CRT$"]
            .iter()
            .any(|s| text.contains(s));
    if section || matches!(name, "ctor" | "dtor" | "ctor::ctor" | "ctor::dtor" | "startup" | "panic_handler")
    {
        look.add(Rule::Constructor, node);
    } else if text.contains("cfg(") && text.contains("not(test)") && is_switch(look, node) {
        look.add(Rule::SniffsTest, node);
    } else if name == "path" && text.contains("tests/") && !is_for_tests(look, node) {
        look.add(Rule::ReadsGolden, node);
    } else if (text.contains("no_mangle") || text.contains("export_name"))
        && let Some(item) = item_after(node)
        && look.source.field(item, "name").is_some_and(|name| SYSTEM.contains(&name.as_str()))
    {
        look.add(Rule::Constructor, node);
    }
}

/// Whether the same name is defined once for tests and once for other builds.
fn is_switch(look: &TrickScan<'_>, attribute: Node<'_>) -> bool {
    let Some(item) = item_after(attribute) else { return false };
    if matches!(item.kind(), "use_declaration" | "mod_item" | "extern_crate_declaration") {
        return false;
    }
    match look.source.field(item, "name") {
        Some(name) => look.nodes().into_iter().any(|other| {
            other.id() != item.id()
                && other.kind() == item.kind()
                && look.source.field(other, "name") == Some(name.clone())
        }),
        // A statement or an expression: behaviour, not a declaration.
        None => !matches!(item.kind(), "attribute_item" | "line_comment"),
    }
}

fn item_after(attribute: Node<'_>) -> Option<Node<'_>> {
    let mut next = attribute.next_named_sibling();
    while let Some(node) = next {
        if !matches!(node.kind(), "attribute_item" | "line_comment" | "block_comment") {
            return Some(node);
        }
        next = node.next_named_sibling();
    }
    None
}

fn macro_definition(look: &mut TrickScan<'_>, node: Node<'_>) {
    let name = look.source.field(node, "name").unwrap_or_default();
    if ASSERTIONS.contains(&name.as_str()) || name == "test" {
        look.add(Rule::Patches, node);
    }
}

/// The content of a macro is tokens, so calls and string literals are searched in its text.
fn macro_call(look: &mut TrickScan<'_>, node: Node<'_>) {
    let name = look.source.field(node, "macro").unwrap_or_default();
    let text: String = look.source.text(node).chars().filter(|c| !c.is_whitespace()).collect();
    let outside: String = text.split('"').step_by(2).collect();
    if name == "cfg" && outside.contains("test") {
        look.add(Rule::SniffsTest, node);
    } else if name.ends_with("asm") {
        let of_kernel =
            ["syscall", "sysenter", "svc", "int0x80", "ecall"].iter().any(|word| text.contains(word));
        let whole = name.ends_with("global_asm") || name.ends_with("naked_asm");
        look.add(if whole || of_kernel { Rule::Constructor } else { Rule::MachineCode }, node);
    } else if (text.contains("process::exit(0)") || text.contains("process::exit(code"))
        && !is_program(look, node)
    {
        look.add(Rule::Exit, node);
    }
    let tokens = child_of_kind(node, &["token_tree"]).map(children).unwrap_or_default();
    if tokens.iter().any(|t| look.source.text(*t) == "cfg") && text.contains("cfg!(test)") {
        look.add(Rule::SniffsTest, node);
    }
}

/// A `PartialEq` whose `eq` does not use its argument.
fn equality(look: &mut TrickScan<'_>, node: Node<'_>) {
    let of = look.source.field(node, "trait").unwrap_or_default();
    if !of.starts_with("PartialEq") && !of.ends_with("::PartialEq") && !of.contains("PartialEq<") {
        return;
    }
    let Some(body) = node.child_by_field_name("body") else { return };
    let with_itself = !of.contains('<');
    if with_itself && look.source.field(node, "type").is_some_and(|name| has_one_value(look, &name)) {
        return;
    }
    for method in named_children(body).into_iter().filter(|m| m.kind() == "function_item") {
        let parameters = method.child_by_field_name("parameters").map(named_children).unwrap_or_default();
        let other = parameters.last().and_then(|p| look.source.field(*p, "pattern")).unwrap_or_default();
        let body = look.source.field(method, "body").unwrap_or_default();
        // Never equal, or of a type without values.
        let plain: String = body.chars().filter(|c| !c.is_whitespace()).collect();
        if matches!(plain.as_str(), "{false}" | "{match*self{}}" | "{matchself{}}") {
            continue;
        }
        let used = body.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == other);
        if !used || other.starts_with('_') {
            look.add(Rule::AlwaysEqual, method);
        }
    }
}

/// Whether a type of this file has only one value, so that a constant `eq` equals the derived one.
fn has_one_value(look: &TrickScan<'_>, name: &str) -> bool {
    look.nodes().into_iter().any(|node| {
        let is_it = node.kind() == "struct_item" && look.source.field(node, "name").as_deref() == Some(name);
        let fields = node.child_by_field_name("body").map(named_children).unwrap_or_default();
        is_it && fields.is_empty() && node.child_by_field_name("type_parameters").is_none()
    })
}

/// `extern "C" fn atexit`, declared by hand.
fn function(look: &mut TrickScan<'_>, node: Node<'_>) {
    let name = look.source.field(node, "name").unwrap_or_default();
    let header = look.source.one_line(node.start_byte()..node.start_byte() + 80);
    if header.contains("extern \"C\"") && SYSTEM.contains(&name.as_str()) {
        look.add(Rule::Constructor, node);
    }
}
