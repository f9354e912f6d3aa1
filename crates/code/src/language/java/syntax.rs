//! Java: tests, exports and imports.

use tree_sitter::Node;

use crate::syntax::Export;
use crate::syntax::Import;
use crate::syntax::TestItem;
use crate::syntax::outline::{self, Enclosure, Outline};
use crate::syntax::source::{MAX_DEPTH, ParsedText, child_of_kind, line_of, named_children};

const OUTLINE: Outline = Outline {
    containers: &["enum_body_declarations"],
    types: &["class_declaration", "record_declaration", "enum_declaration"],
    interfaces: &["interface_declaration", "annotation_type_declaration"],
    functions: &[],
    methods: &["method_declaration", "constructor_declaration"],
    separator: ".",
    decoration: &["annotation", "marker_annotation"],
    visible,
};

/// Public types and methods; a type without a word is visible in its package, and so to its tests.
pub(crate) fn exports(source: &ParsedText<'_>) -> Vec<Export> {
    outline::exports(&OUTLINE, source)
}

fn visible(source: &ParsedText<'_>, node: Node<'_>, inside: Enclosure) -> bool {
    let modifiers = child_of_kind(node, &["modifiers"]).map(|node| source.text(node)).unwrap_or_default();
    let says = |word: &str| modifiers.split_whitespace().any(|other| other == word);
    match inside {
        Enclosure::File | Enclosure::Interface => !says("private"),
        Enclosure::Type => says("public") || says("protected"),
    }
}

/// Methods with `@Test` and its relatives.
pub(crate) fn tests(source: &ParsedText<'_>) -> Vec<TestItem> {
    let mut out = Vec::new();
    collect(source, source.root(), "", 0, &mut out);
    out
}

/// Annotations of JUnit that ask the platform or the environment whether a test runs.
const PLATFORM_MARKS: &[&str] = &[
    "EnabledOnOs",
    "DisabledOnOs",
    "EnabledOnJre",
    "DisabledOnJre",
    "EnabledForJreRange",
    "DisabledForJreRange",
    "EnabledIfEnvironmentVariable",
    "DisabledIfEnvironmentVariable",
    "EnabledIfSystemProperty",
    "DisabledIfSystemProperty",
];

fn collect(source: &ParsedText<'_>, body: Node<'_>, prefix: &str, depth: usize, out: &mut Vec<TestItem>) {
    if depth > MAX_DEPTH {
        return;
    }
    for node in named_children(body) {
        let Some(name) = source.field(node, "name") else { continue };
        match node.kind() {
            "class_declaration" => {
                let from = out.len();
                if let Some(body) = node.child_by_field_name("body") {
                    collect(source, body, &format!("{prefix}{name}::"), depth + 1, out);
                }
                if marked(source, node, &["Disabled", "Ignore"]) {
                    out[from..].iter_mut().for_each(|item| item.skipped = true);
                }
                if marked(source, node, PLATFORM_MARKS) {
                    let condition = || Some("the annotations of its class".to_owned());
                    out[from..].iter_mut().for_each(|item| item.condition = condition());
                }
            }
            "method_declaration"
                if marked(source, node, &["Test", "ParameterizedTest", "RepeatedTest", "Property"]) =>
            {
                out.push(TestItem {
                    name: format!("{prefix}{name}"),
                    range: node.byte_range(),
                    line: line_of(node),
                    skipped: marked(source, node, &["Disabled", "Ignore"]),
                    condition: marked(source, node, PLATFORM_MARKS).then(|| "its annotations".to_owned()),
                    cases: None,
                });
            }
            _ => {}
        }
    }
}

fn marked(source: &ParsedText<'_>, node: Node<'_>, names: &[&str]) -> bool {
    let Some(modifiers) = child_of_kind(node, &["modifiers"]) else { return false };
    named_children(modifiers).iter().any(|annotation| {
        source
            .field(*annotation, "name")
            .is_some_and(|name| names.contains(&name.rsplit('.').next().unwrap_or(&name)))
    })
}

/// The package a file declares.
pub(crate) fn package(source: &ParsedText<'_>) -> Option<String> {
    let node = child_of_kind(source.root(), &["package_declaration"])?;
    child_of_kind(node, &["scoped_identifier", "identifier"]).map(|name| source.text(name))
}

/// `import a.b.C`, `import a.b.*`, `import static a.B.c`.
pub(crate) fn imports(source: &ParsedText<'_>) -> Vec<Import> {
    named_children(source.root())
        .into_iter()
        .filter(|node| node.kind() == "import_declaration")
        .filter_map(|node| {
            let path =
                child_of_kind(node, &["scoped_identifier", "identifier"]).map(|name| source.text(name))?;
            let all = child_of_kind(node, &["asterisk"]).is_some();
            let (module, name) = match path.rsplit_once('.') {
                _ if all => (path.clone(), "*".to_owned()),
                Some((module, name)) => (module.to_owned(), name.to_owned()),
                None => (path.clone(), String::new()),
            };
            let names = if name.is_empty() { Vec::new() } else { vec![name] };
            Some(Import { module, names, line: line_of(node) })
        })
        .collect()
}

/// The types that classes extend and implement.
pub(crate) fn bases(source: &ParsedText<'_>) -> Vec<String> {
    let mut out = Vec::new();
    for node in named_children(source.root()) {
        for field in ["superclass", "interfaces"] {
            if let Some(base) = node.child_by_field_name(field) {
                let text = source.one_line(base.byte_range());
                let list = text.trim_start_matches("extends ").trim_start_matches("implements ");
                out.extend(list.split(", ").map(str::to_owned));
            }
        }
    }
    out
}
