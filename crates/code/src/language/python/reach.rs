//! Python: what gives a value an equality of its own, a look at its caller, a file, or the runner.
//!
//! Modules that compute and nothing else are plain, as are the special methods that are given nothing of what a test expects. A
//! name that leads on from a plain module (`dataclasses.sys`) is not.

use tree_sitter::Node;

use crate::language::Language;
use crate::syntax::source::ParsedText;
use crate::syntax::tricks::{ReachScan, names};

/// Modules that compute and nothing else.
const PURE: [&str; 46] = [
    "__future__",
    "abc",
    "array",
    "base64",
    "binascii",
    "bisect",
    "calendar",
    "cmath",
    "collections",
    "colorsys",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "enum",
    "errno",
    "fractions",
    "functools",
    "graphlib",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "math",
    "numbers",
    "operator",
    "pprint",
    "queue",
    "random",
    "re",
    "reprlib",
    "statistics",
    "string",
    "struct",
    "textwrap",
    "time",
    "typing",
    "unicodedata",
    "warnings",
    "zlib",
];

/// Special names that say nothing about equal values and lead nowhere.
const PLAIN_SPECIAL: [&str; 38] = [
    "__aenter__",
    "__aiter__",
    "__all__",
    "__anext__",
    "__annotations__",
    "__author__",
    "__await__",
    "__call__",
    "__copy__",
    "__deepcopy__",
    "__delete__",
    "__delitem__",
    "__doc__",
    "__enter__",
    "__future__",
    "__get__",
    "__getitem__",
    "__getstate__",
    "__hash__",
    "__init__",
    "__iter__",
    "__len__",
    "__main__",
    "__missing__",
    "__module__",
    "__name__",
    "__new__",
    "__next__",
    "__post_init__",
    "__qualname__",
    "__repr__",
    "__reversed__",
    "__set__",
    "__set_name__",
    "__setitem__",
    "__setstate__",
    "__slots__",
    "__version__",
];

/// Names that open files, run text, look at frames, or lead to what does.
const REACHING: [&str; 49] = [
    "_current_frames",
    "_getframe",
    "_os",
    "_sys",
    "ag_frame",
    "atexit",
    "attrgetter",
    "bltns",
    "breakpoint",
    "builtins",
    "co_consts",
    "codecs",
    "contextlib",
    "cr_frame",
    "ctypes",
    "delattr",
    "eval",
    "exec",
    "f_back",
    "f_code",
    "f_globals",
    "f_locals",
    "gc",
    "get_field",
    "gi_frame",
    "globals",
    "importlib",
    "inspect",
    "io",
    "iterdir",
    "linecache",
    "locals",
    "make_dataclass",
    "methodcaller",
    "mock",
    "open",
    "os",
    "pathlib",
    "pytest",
    "read_bytes",
    "read_text",
    "subprocess",
    "sys",
    "tb_frame",
    "threading",
    "traceback",
    "types",
    "unittest",
    "vars",
];

/// Whether code could bring what deceives a test.
pub(super) fn reaches_out(scan: &ReachScan<'_>) -> bool {
    let ReachScan { path, code, .. } = *scan;
    let Some(source) = ParsedText::parse(Language::Python, code) else { return true };
    let mut bare = code.to_vec();
    let mut reached = false;
    let mut open = vec![source.root()];
    while let Some(node) = open.pop() {
        match node.kind() {
            "expression_statement" if is_text(node) => bare[node.byte_range()].fill(b' '),
            "call" => reached |= calls_out(&source, node),
            "identifier" => reached |= is_passed_on(&source, node),
            "class_definition" => reached |= makes_types(&source, node),
            "import_statement" | "import_from_statement" => reached |= imports_more(&source, path, node),
            _ => {}
        }
        let mut cursor = node.walk();
        open.extend(node.named_children(&mut cursor));
    }
    let text = String::from_utf8_lossy(&bare);
    let special = |name: &str| name.starts_with("__") && !PLAIN_SPECIAL.contains(&name);
    reached
        || names(&text.replace(".__class__.__name__", ""))
            .any(|name| REACHING.contains(&name) || special(name))
}

/// A text that stands alone says something to readers only.
fn is_text(statement: Node<'_>) -> bool {
    statement.named_child_count() == 1
        && statement.named_child(0).is_some_and(|child| child.kind() == "string")
}

/// Whether a module is loaded that is neither pure nor the file's own package.
fn imports_more(source: &ParsedText<'_>, path: &str, import: Node<'_>) -> bool {
    let own = |first: &str| path.split('/').rev().skip(1).any(|part| part == first);
    let known = |module: &str| {
        let module = module.split_whitespace().next().unwrap_or_default();
        let first = module.split('.').next().unwrap_or_default();
        module.starts_with('.')
            || PURE.contains(&first)
            || module == "urllib.parse"
            || (own(first) && !REACHING.contains(&first))
    };
    let field = if import.kind() == "import_statement" { "name" } else { "module_name" };
    let mut cursor = import.walk();
    import.children_by_field_name(field, &mut cursor).any(|module| !known(&source.text(module)))
}

/// A call that makes a type, runs text, or reads or writes an attribute whose name cannot be read.
fn calls_out(source: &ParsedText<'_>, call: Node<'_>) -> bool {
    let (Some(callee), Some(list)) =
        (call.child_by_field_name("function"), call.child_by_field_name("arguments"))
    else {
        return false;
    };
    let mut cursor = list.walk();
    let given: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
    let callee = source.text(callee);
    match callee.as_str() {
        "compile" => true,
        "getattr" | "setattr" => given.get(1).is_none_or(|name| !is_written(source, *name)),
        "type" => match given.as_slice() {
            [of] => names_a_class(&source.text(*of)),
            _ => true,
        },
        _ => given.len() > 2 && (callee.ends_with("Meta") || callee.ends_with("EnumType")),
    }
}

/// A function that makes types, or reads or runs what is not written, under another name: `make = type`.
fn is_passed_on(source: &ParsedText<'_>, name: Node<'_>) -> bool {
    if !matches!(source.slice(name.byte_range()), b"type" | b"getattr" | b"setattr" | b"compile") {
        return false;
    }
    let Some(parent) = name.parent() else { return true };
    let is = |field: &str| parent.child_by_field_name(field) == Some(name);
    let asked = || {
        let call = parent.parent().filter(|call| call.kind() == "call");
        let callee = call.and_then(|call| source.field(call, "function"));
        matches!(callee.as_deref(), Some("isinstance" | "issubclass"))
    };
    !match parent.kind() {
        "call" => is("function"),
        "attribute" => is("attribute"),
        "keyword_argument" => is("name"),
        "subscript" => is("value"),
        "argument_list" => asked(),
        "type" | "generic_type" => true,
        _ => false,
    }
}

/// A text without parts that are filled in.
fn is_written(source: &ParsedText<'_>, node: Node<'_>) -> bool {
    let text = source.text(node);
    node.kind() == "string" && text.starts_with(['\'', '"']) && !text.contains('\\')
}

/// The type of a class is what makes classes.
fn names_a_class(text: &str) -> bool {
    const BUILT_IN: [&str; 12] = [
        "int",
        "str",
        "float",
        "object",
        "type",
        "list",
        "dict",
        "tuple",
        "bool",
        "set",
        "bytes",
        "frozenset",
    ];
    let last = text.rsplit('.').next().unwrap_or(text);
    BUILT_IN.contains(&last) || text.contains('(') || last.starts_with(|c: char| c.is_ascii_uppercase())
}

/// A class of classes of its own gets every name of the classes it makes.
fn makes_types(source: &ParsedText<'_>, class: Node<'_>) -> bool {
    source.field(class, "superclasses").is_some_and(|bases| names(&bases).any(|base| base == "type"))
}
