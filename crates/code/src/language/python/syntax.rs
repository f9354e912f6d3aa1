//! Python: tests, exports and imports.

use tree_sitter::Node;

use crate::syntax::Import;
use crate::syntax::TestItem;
use crate::syntax::source::{MAX_DEPTH, ParsedText, child_of_kind, line_of, named_children};
use crate::syntax::{Export, ExportKind};

/// pytest functions, `Test*` classes and `unittest` cases, also those inside `if`, `try` and other statements.
pub(crate) fn tests(source: &ParsedText<'_>) -> Vec<TestItem> {
    let mut out = Vec::new();
    collect_tests(source, source.root(), "", 0, &mut out);
    // `pytestmark = …`, `pytest.importorskip(…)` and the like are about the whole module.
    let marks = |node: &Node<'_>| {
        let text = source.text(*node);
        node.kind() == "expression_statement" && (text.starts_with("pytestmark") || has_skip(&text))
    };
    if let Some(mark) = named_children(source.root()).into_iter().find(marks) {
        set_condition(&mut out, &source.text(mark));
    }
    out
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
    for outer in named_children(body) {
        let node = definition(outer);
        match node.kind() {
            "function_definition" => out.extend(test_function(source, outer, prefix)),
            "class_definition" => test_class(source, outer, prefix, depth, out),
            "if_statement" | "try_statement" | "with_statement" | "for_statement" | "while_statement"
            | "match_statement" => {
                let from = out.len();
                for block in blocks(node) {
                    collect_tests(source, block, prefix, depth + 1, out);
                }
                let head = source.text(node);
                set_condition(&mut out[from..], head.lines().next().unwrap_or_default());
            }
            _ => {}
        }
    }
}

/// The blocks of a statement, without those of definitions inside it.
fn blocks(statement: Node<'_>) -> Vec<Node<'_>> {
    named_children(statement)
        .into_iter()
        .flat_map(|child| match child.kind() {
            "block" => vec![child],
            kind if kind.ends_with("_clause") => blocks(child),
            _ => Vec::new(),
        })
        .collect()
}

fn test_function(source: &ParsedText<'_>, outer: Node<'_>, prefix: &str) -> Option<TestItem> {
    let node = definition(outer);
    let name = source.field(node, "name").filter(|name| name.starts_with("test"))?;
    let decorators = decorators(source, outer);
    // A fixture may be called `test_url`; pytest does not collect it.
    if decorators.iter().any(|text| last_name(text).ends_with("fixture")) {
        return None;
    }
    let mark = decorators.iter().find(|text| !HARMLESS_DECORATORS.contains(&last_name(text))).cloned();
    Some(TestItem {
        name: format!("{prefix}{name}"),
        range: outer.byte_range(),
        line: line_of(node),
        skipped: is_skipped(source, outer),
        condition: mark.or_else(|| skip_inside(source, node)),
        cases: computed_cases(source, outer),
    })
}

fn test_class(source: &ParsedText<'_>, outer: Node<'_>, prefix: &str, depth: usize, out: &mut Vec<TestItem>) {
    let node = definition(outer);
    let Some(name) = source.field(node, "name") else { return };
    let Some(body) = node.child_by_field_name("body") else { return };
    let case = is_test_case(source, node);
    if !case && !name.starts_with("Test") || is_no_test(source, body, case) {
        return;
    }
    let from = out.len();
    collect_tests(source, body, &format!("{prefix}{name}::"), depth + 1, out);
    if is_skipped(source, outer) {
        out[from..].iter_mut().for_each(|item| item.skipped = true);
    }
    let decorators = decorators(source, outer);
    let mark = decorators.iter().find(|text| !HARMLESS_DECORATORS.contains(&last_name(text))).cloned();
    // `setUp` may skip every test of the class.
    let helper = |node: Node<'_>| {
        let inner = definition(node);
        let named = source.field(inner, "name").is_some_and(|name| name.starts_with("test"));
        (inner.kind() == "function_definition" && !named).then(|| skip_inside(source, inner))?
    };
    let skips = || named_children(body).into_iter().find_map(helper);
    if let Some(condition) = mark.or_else(skips) {
        set_condition(&mut out[from..], &condition);
    }
}

/// Whether runners leave a class out: `__test__ = False`, or a constructor that pytest cannot call.
fn is_no_test(source: &ParsedText<'_>, body: Node<'_>, case: bool) -> bool {
    named_children(body).into_iter().any(|member| {
        let inner = definition(member);
        let constructor = inner.kind() == "function_definition"
            && source.field(inner, "name").is_some_and(|name| name == "__init__");
        let text = source.text(member);
        let opted_out = text
            .split_once('=')
            .is_some_and(|(name, value)| name.trim() == "__test__" && value.trim() == "False");
        opted_out || (constructor && !case)
    })
}

/// Decorators that say nothing about whether a test runs.
const HARMLESS_DECORATORS: [&str; 18] = [
    "anyio",
    "asyncio",
    "classmethod",
    "dict",
    "django_db",
    "example",
    "filterwarnings",
    "given",
    "multiple",
    "object",
    "parametrize",
    "patch",
    "settings",
    "staticmethod",
    "timeout",
    "trio",
    "usefixtures",
    "wraps",
];

fn decorators(source: &ParsedText<'_>, outer: Node<'_>) -> Vec<String> {
    let decorators = named_children(outer).into_iter().filter(|child| child.kind() == "decorator");
    decorators.map(|decorator| source.text(decorator)).collect()
}

/// What `parametrize` takes its cases from, where that is no list written out.
fn computed_cases(source: &ParsedText<'_>, outer: Node<'_>) -> Option<String> {
    let marks = named_children(outer).into_iter().filter(|child| child.kind() == "decorator");
    marks
        .filter(|mark| last_name(&source.text(*mark)) == "parametrize")
        .filter_map(|mark| child_of_kind(mark, &["call"])?.child_by_field_name("arguments"))
        .filter_map(|arguments| {
            let given = named_children(arguments);
            let by_name = |argument: &&Node<'_>| {
                source.field(**argument, "name").is_some_and(|name| name == "argvalues")
            };
            let named = given.iter().find(by_name).and_then(|node| node.child_by_field_name("value"));
            named.or_else(|| given.get(1).copied().filter(|node| node.kind() != "keyword_argument"))
        })
        .find(|values| !matches!(values.kind(), "list" | "tuple" | "set" | "dictionary"))
        .map(|values| source.text(values))
}

/// `parametrize` out of `@pytest.mark.parametrize(…)`.
fn last_name(decorator: &str) -> &str {
    let path = decorator.trim_start_matches('@').split('(').next().unwrap_or_default().trim();
    path.rsplit('.').next().unwrap_or(path)
}

/// What decides on the first skip inside a function: the conditions around it, and what is tried where it stands in an
/// `except`; the whole function if there are none.
fn skip_inside(source: &ParsedText<'_>, function: Node<'_>) -> Option<String> {
    let body = function.child_by_field_name("body").filter(|body| has_skip(&source.text(*body)))?;
    let mut skip = body;
    while let Some(inner) = named_children(skip).into_iter().find(|node| has_skip(&source.text(*node))) {
        skip = inner;
    }
    let mut reasons = Vec::new();
    let mut node = skip;
    while let Some(parent) = node.parent().filter(|_| node != body) {
        match parent.kind() {
            "if_statement" | "elif_clause" | "while_statement" | "conditional_expression" => {
                reasons.extend(source.field(parent, "condition"));
            }
            "except_clause" => {
                let tried = parent.parent().and_then(|statement| source.field(statement, "body"));
                reasons.extend(tried);
            }
            _ => {}
        }
        node = parent;
    }
    Some(if reasons.is_empty() { source.text(function) } else { reasons.join(" and ") })
}

/// Whether a text may skip tests while it runs.
fn has_skip(text: &str) -> bool {
    ["skip(", "skipTest(", "SkipTest", "xfail("].iter().any(|call| text.contains(call))
}

fn set_condition(items: &mut [TestItem], condition: &str) {
    for item in items {
        item.condition.get_or_insert_with(|| condition.to_owned());
    }
}

/// The definition inside its decorators.
fn definition(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "decorated_definition" => node.child_by_field_name("definition").unwrap_or(node),
        _ => node,
    }
}

fn is_test_case(source: &ParsedText<'_>, class: Node<'_>) -> bool {
    class.child_by_field_name("superclasses").is_some_and(|bases| {
        named_children(bases).iter().any(|base| source.text(*base).ends_with("TestCase"))
    })
}

fn is_skipped(source: &ParsedText<'_>, outer: Node<'_>) -> bool {
    outer.kind() == "decorated_definition"
        && named_children(outer).iter().filter(|child| child.kind() == "decorator").any(|decorator| {
            let text = source.text(*decorator);
            let name = text.trim_start_matches('@').split('(').next().unwrap_or_default().trim();
            matches!(name, "pytest.mark.skip" | "unittest.skip" | "skip" | "mark.skip" | "pytest.mark.xfail")
        })
}

/// Top-level functions, classes with their methods, and names that are assigned.
pub(crate) fn exports(source: &ParsedText<'_>) -> Vec<Export> {
    let mut out = Vec::new();
    for outer in named_children(source.root()) {
        let node = definition(outer);
        match node.kind() {
            "function_definition" => push_function(source, node, None, &mut out),
            "class_definition" => push_class(source, node, &mut out),
            "expression_statement" => push_assignment(source, node, &mut out),
            "type_alias_statement" => {
                if let Some(name) = source.field(node, "left") {
                    push(&mut out, node, name, ExportKind::Type, source.one_line(node.byte_range()));
                }
            }
            _ => {}
        }
    }
    out
}

fn push(out: &mut Vec<Export>, node: Node<'_>, name: String, kind: ExportKind, signature: String) {
    out.push(Export { name, kind, signature, line: line_of(node) });
}

fn push_function(source: &ParsedText<'_>, node: Node<'_>, class: Option<&str>, out: &mut Vec<Export>) {
    let Some(name) = source.field(node, "name") else { return };
    let hidden = name.starts_with('_') && name != "__init__";
    if hidden {
        return;
    }
    let signature = header(source, node);
    match class {
        Some(class) => push(out, node, format!("{class}.{name}"), ExportKind::Method, signature),
        None => push(out, node, name, ExportKind::Function, signature),
    }
}

fn push_class(source: &ParsedText<'_>, node: Node<'_>, out: &mut Vec<Export>) {
    let Some(name) = source.field(node, "name").filter(|name| !name.starts_with('_')) else { return };
    push(out, node, name.clone(), ExportKind::Type, header(source, node));
    let Some(body) = node.child_by_field_name("body") else { return };
    for member in named_children(body) {
        let member = definition(member);
        if member.kind() == "function_definition" {
            push_function(source, member, Some(&name), out);
        }
    }
}

/// Everything up to the colon before the body.
fn header(source: &ParsedText<'_>, node: Node<'_>) -> String {
    // Not up to the body: a comment may stand between.
    let end = child_of_kind(node, &[":"]).map_or(node.end_byte(), |colon| colon.start_byte());
    source.one_line(node.start_byte()..end).trim_end().to_owned()
}

fn push_assignment(source: &ParsedText<'_>, node: Node<'_>, out: &mut Vec<Export>) {
    let Some(assignment) = child_of_kind(node, &["assignment"]) else { return };
    let Some(left) = assignment.child_by_field_name("left").filter(|left| left.kind() == "identifier") else {
        return;
    };
    let name = source.text(left);
    if name.starts_with('_') {
        return;
    }
    let signature = match source.field(assignment, "type") {
        Some(kind) => format!("{name}: {kind}"),
        None => name.clone(),
    };
    push(out, node, name, ExportKind::Value, signature);
}

/// `import` and `from … import`, anywhere in the file.
pub(crate) fn imports(source: &ParsedText<'_>) -> Vec<Import> {
    let mut out = Vec::new();
    let mut stack = vec![(source.root(), 0usize)];
    while let Some((node, depth)) = stack.pop() {
        match node.kind() {
            "import_statement" => {
                for name in named_children(node) {
                    let module = source.field(name, "name").unwrap_or_else(|| source.text(name));
                    out.push(Import { module, names: Vec::new(), line: line_of(node) });
                }
            }
            "import_from_statement" => out.extend(from_import(source, node)),
            _ if depth < MAX_DEPTH => {
                stack.extend(named_children(node).into_iter().rev().map(|n| (n, depth + 1)));
            }
            _ => {}
        }
    }
    out
}

fn from_import(source: &ParsedText<'_>, node: Node<'_>) -> Option<Import> {
    let module = node.child_by_field_name("module_name")?;
    let mut cursor = node.walk();
    let mut names: Vec<String> = node
        .children_by_field_name("name", &mut cursor)
        .map(|name| source.field(name, "name").unwrap_or_else(|| source.text(name)))
        .collect();
    if child_of_kind(node, &["wildcard_import"]).is_some() {
        names.push("*".to_owned());
    }
    Some(Import { module: source.text(module), names, line: line_of(node) })
}
