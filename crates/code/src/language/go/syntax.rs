//! Go: tests, exports and imports.

use tree_sitter::Node;

use crate::syntax::Import;
use crate::syntax::TestItem;
use crate::syntax::source::{ParsedText, child_of_kind, line_of, named_children};
use crate::syntax::{Export, ExportKind};

/// `func TestX(t *testing.T)` and `func FuzzX`.
pub(crate) fn tests(source: &ParsedText<'_>) -> Vec<TestItem> {
    named_children(source.root())
        .into_iter()
        .filter(|node| node.kind() == "function_declaration")
        .filter_map(|node| {
            let name = source.field(node, "name")?;
            let parameters = source.field(node, "parameters")?;
            if is_example(source, node, &name) {
                let range = with_comment(node)..node.end_byte();
                let line = line_of(node);
                return Some(TestItem { name, range, line, skipped: false, condition: None, cases: None });
            }
            is_test_name(&name).then_some(())?;
            // `TestMain(m *testing.M)` runs the tests and is none.
            (parameters.contains("testing.") && !parameters.contains("testing.M")).then(|| TestItem {
                name,
                range: with_comment(node)..node.end_byte(),
                line: line_of(node),
                skipped: false,
                condition: skip_condition(source, node),
                cases: None,
            })
        })
        .collect()
}

/// Whether a function is an example that is run: it says what it prints.
fn is_example(source: &ParsedText<'_>, function: Node<'_>, name: &str) -> bool {
    let output = || {
        let body = source.field(function, "body").unwrap_or_default().to_lowercase();
        body.contains("// output:") || body.contains("// unordered output:")
    };
    name.starts_with("Example") && output()
}

/// The condition under which a test skips itself, where it asks the platform, the environment or the options alone.
fn skip_condition(source: &ParsedText<'_>, test: Node<'_>) -> Option<String> {
    const ASKED: [&str; 7] = [
        "runtime.GOOS",
        "runtime.GOARCH",
        "testing.Short()",
        "os.Getenv(",
        "os.Getuid()",
        "os.Geteuid()",
        "nil",
    ];
    let body = test.child_by_field_name("body")?;
    let skips = |node: Node<'_>| {
        let text = source.text(node);
        [".Skip(", ".Skipf(", ".SkipNow("].iter().any(|call| text.contains(call))
    };
    let branch = named_children(body)
        .into_iter()
        .flat_map(|node| if node.kind() == "statement_list" { named_children(node) } else { vec![node] })
        .find(|node| node.kind() == "if_statement" && skips(*node))?;
    let condition = source.field(branch, "condition")?;
    let mut rest = condition.clone();
    for asked in ASKED {
        rest = rest.replace(asked, "");
    }
    let foreign = strip_strings(&rest).chars().any(char::is_alphabetic);
    (!foreign).then_some(condition)
}

/// The text without what stands in double quotes.
fn strip_strings(text: &str) -> String {
    text.split('"').step_by(2).collect()
}

/// Go runs `TestX` and `Test_x` but not `Testing`.
fn is_test_name(name: &str) -> bool {
    ["Test", "Fuzz"].iter().any(|prefix| {
        name.strip_prefix(prefix).is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase()))
    })
}

fn with_comment(node: Node<'_>) -> usize {
    let mut start = node;
    while let Some(before) = start.prev_sibling().filter(|before| {
        before.kind() == "comment" && before.end_position().row + 1 == start.start_position().row
    }) {
        start = before;
    }
    start.start_byte()
}

/// Everything that begins with a capital.
pub(crate) fn exports(source: &ParsedText<'_>) -> Vec<Export> {
    let mut out = Vec::new();
    for node in named_children(source.root()) {
        match node.kind() {
            "function_declaration" => push_function(source, node, &mut out),
            "method_declaration" => push_method(source, node, &mut out),
            "type_declaration" => {
                for spec in named_children(node) {
                    push_spec(source, spec, ExportKind::Type, &mut out);
                }
            }
            "const_declaration" | "var_declaration" => push_values(source, node, &mut out),
            _ => {}
        }
    }
    out
}

fn is_public(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

fn header(source: &ParsedText<'_>, node: Node<'_>) -> String {
    let end = node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
    source.one_line(node.start_byte()..end)
}

fn push_function(source: &ParsedText<'_>, node: Node<'_>, out: &mut Vec<Export>) {
    let Some(name) = source.field(node, "name").filter(|name| is_public(name)) else { return };
    out.push(Export {
        name,
        kind: ExportKind::Function,
        signature: header(source, node),
        line: line_of(node),
    });
}

fn push_method(source: &ParsedText<'_>, node: Node<'_>, out: &mut Vec<Export>) {
    let (Some(name), Some(receiver)) = (source.field(node, "name"), source.field(node, "receiver")) else {
        return;
    };
    let receiver = receiver.trim_matches(['(', ')']).split('[').next().unwrap_or_default();
    let owner = receiver.rsplit([' ', '*']).next().unwrap_or_default();
    if is_public(&name) && is_public(owner) {
        let name = format!("{owner}.{name}");
        out.push(Export {
            name,
            kind: ExportKind::Method,
            signature: header(source, node),
            line: line_of(node),
        });
    }
}

fn push_spec(source: &ParsedText<'_>, spec: Node<'_>, kind: ExportKind, out: &mut Vec<Export>) {
    let Some(name) = source.field(spec, "name").filter(|name| is_public(name)) else { return };
    let is_interface = spec.child_by_field_name("type").is_some_and(|node| node.kind() == "interface_type");
    let kind = if is_interface { ExportKind::Interface } else { kind };
    let signature = format!("type {}", source.one_line(spec.byte_range()));
    out.push(Export { name, kind, signature, line: line_of(spec) });
}

fn push_values(source: &ParsedText<'_>, node: Node<'_>, out: &mut Vec<Export>) {
    let mut specs = Vec::new();
    for child in named_children(node) {
        if child.kind() == "var_spec_list" {
            specs.extend(named_children(child));
        } else {
            specs.push(child);
        }
    }
    for spec in specs {
        let mut cursor = spec.walk();
        for name in spec.children_by_field_name("name", &mut cursor).map(|name| source.text(name)) {
            if is_public(&name) {
                let signature = source.one_line(spec.byte_range());
                out.push(Export { name, kind: ExportKind::Value, signature, line: line_of(spec) });
            }
        }
    }
}

/// The paths of all imports.
pub(crate) fn imports(source: &ParsedText<'_>) -> Vec<Import> {
    let mut out = Vec::new();
    for node in named_children(source.root()).into_iter().filter(|node| node.kind() == "import_declaration") {
        let specs = match child_of_kind(node, &["import_spec_list"]) {
            Some(list) => named_children(list),
            None => named_children(node),
        };
        for spec in specs.into_iter().filter(|spec| spec.kind() == "import_spec") {
            if let Some(path) = source.field(spec, "path") {
                let module = path.trim_matches(['"', '`']).to_owned();
                out.push(Import { module, names: Vec::new(), line: line_of(spec) });
            }
        }
    }
    out
}
