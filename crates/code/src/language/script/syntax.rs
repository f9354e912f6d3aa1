//! JavaScript and TypeScript: tests and imports. Exports have a file of their own.

use tree_sitter::Node;

use crate::syntax::Import;
use crate::syntax::TestItem;
use crate::syntax::source::{MAX_DEPTH, ParsedText, child_of_kind, line_of, named_children};

/// What a call in a test file is.
enum TestCall {
    Suite { skipped: bool },
    Test { skipped: bool },
}

/// The suites and conditions that a node stands in.
#[derive(Clone, Default)]
struct Enclosing {
    prefix: String,
    skipped: bool,
    condition: Option<String>,
    cases: Option<String>,
}

impl Enclosing {
    fn with_condition(mut self, more: Option<String>) -> Self {
        self.condition = match (self.condition.take(), more) {
            (Some(outer), Some(more)) => Some(format!("{outer} && {more}")),
            (outer, more) => outer.or(more),
        };
        self
    }
}

/// `test`, `it` and their variants, inside `describe` and its variants, and the suites of uvu.
pub(crate) fn tests(source: &ParsedText<'_>) -> Vec<TestItem> {
    let mut out = Vec::new();
    let suites = named_suites(source);
    let foreign = suites_of_another_runner(source);
    // Suites that are open above a node are in its prefix, so one flat walk serves any nesting.
    let mut stack = vec![(source.root(), Enclosing::default(), 0usize)];
    while let Some((node, mut inner, depth)) = stack.pop() {
        if node.kind() == "call_expression"
            && let Some((call, title)) = test_call(source, node, &suites)
        {
            let name = format!("{}{title}", inner.prefix);
            inner = inner.with_condition(curried(source, node, &["skipIf", "runIf"]));
            let cases = curried(source, node, &["each", "for"]);
            inner.cases = cases.filter(|cases| !cases.starts_with("([")).or(inner.cases);
            match call {
                TestCall::Test { skipped } => {
                    let (range, line) = (node.byte_range(), line_of(node));
                    let skipped = skipped || inner.skipped;
                    let cases = inner.cases.clone();
                    let condition = inner.with_condition(own_skip(source, node)).condition;
                    out.push(TestItem { name, range, line, skipped, condition, cases });
                    continue;
                }
                TestCall::Suite { skipped } => {
                    if !foreign {
                        inner.prefix = format!("{name} > ");
                    }
                    inner.skipped |= skipped;
                }
            }
        }
        if node.kind() == "if_statement" {
            inner = inner.with_condition(source.field(node, "condition"));
        }
        if depth < MAX_DEPTH {
            let below = named_children(node).into_iter().rev();
            stack.extend(below.map(|child| (child, inner.clone(), depth + 1)));
        }
    }
    out
}

/// The modules that runners take `describe` and `it` from.
const TEST_MODULES: [&str; 6] =
    ["node:test", "vitest", "@jest/globals", "bun:test", "mocha", "@playwright/test"];

/// Whether `describe` belongs to another runner than `it`, as where an editor imported `describe` from `node:test` into
/// a test of vitest: the runner of the tests then knows nothing of the suites, and their titles are in no name.
fn suites_of_another_runner(source: &ParsedText<'_>) -> bool {
    let imports = imports(source);
    let origin = |names: &[&str]| {
        let takes = |import: &&Import| import.names.iter().any(|name| names.contains(&name.as_str()));
        let known = imports.iter().filter(|import| TEST_MODULES.contains(&import.module.as_str()));
        known.into_iter().find(takes).map(|import| import.module.as_str())
    };
    match (origin(&["describe", "suite"]), origin(&["it", "test"])) {
        (Some(suites), Some(tests)) => suites != tests,
        // Of `node:test` nothing is global: tests that are not imported are those of another runner.
        (Some("node:test"), None) => {
            let whole = |import: &Import| {
                import.module == "node:test"
                    && (import.names.is_empty()
                        || import.names.iter().any(|name| matches!(name.as_str(), "default" | "*")))
            };
            !imports.iter().any(whole)
        }
        _ => false,
    }
}

/// The variables that hold a suite of uvu, with its title: `const Clone = suite('clone')`.
fn named_suites(source: &ParsedText<'_>) -> Vec<(String, String)> {
    let declarations = named_children(source.root()).into_iter().flat_map(named_children);
    declarations
        .filter(|node| node.kind() == "variable_declarator")
        .filter_map(|node| {
            let value =
                node.child_by_field_name("value").filter(|value| value.kind() == "call_expression")?;
            let called = source.field(value, "function")?;
            let arguments = named_children(value.child_by_field_name("arguments")?);
            let callback = arguments.iter().any(|argument| argument.kind().contains("function"));
            let name = arguments.first().map(|first| title(source, *first)).unwrap_or_default();
            (called.rsplit('.').next() == Some("suite") && !callback)
                .then_some((source.field(node, "name")?, name))
        })
        .collect()
}

fn test_call(
    source: &ParsedText<'_>,
    node: Node<'_>,
    suites: &[(String, String)],
) -> Option<(TestCall, String)> {
    let callee = node.child_by_field_name("function")?;
    let arguments = node.child_by_field_name("arguments").filter(|a| a.kind() == "arguments")?;
    let words = callee_words(source, callee);
    let (base, modifiers) = words.split_first()?;
    // `t.test(…)` and `tap.test(…)`
    let (base, modifiers) = match modifiers {
        [test, rest @ ..] if matches!(base.as_str(), "t" | "tap") && test == "test" => (test, rest),
        all => (base, all),
    };
    let off = |word: &String| matches!(word.as_str(), "skip" | "todo" | "fails" | "failing");
    let known = |word: &String| off(word) || MODIFIERS.contains(&word.as_str());
    if !modifiers.iter().all(known) {
        return None;
    }
    let skipped = base.starts_with('x') || modifiers.iter().any(off);
    let suite = suites.iter().find(|(variable, _)| variable == base);
    let call = match base.as_str() {
        "test" | "it" | "specify" | "xit" | "xtest" | "fit" => TestCall::Test { skipped },
        "describe" | "suite" | "context" | "xdescribe" | "fdescribe" => TestCall::Suite { skipped },
        _ if suite.is_some() => TestCall::Test { skipped: modifiers.iter().any(off) },
        _ => return None,
    };
    // `test.each(table)` alone is not a test yet: it is called with a title.
    let curried = modifiers.iter().any(|word| matches!(word.as_str(), "each" | "for" | "runIf" | "skipIf"));
    if curried && callee.kind() != "call_expression" {
        return None;
    }
    let first = named_children(arguments).into_iter().find(|argument| argument.kind() != "comment")?;
    let own = title(source, first);
    let named = suite.filter(|(_, name)| !name.is_empty());
    Some((call, named.map_or_else(|| own.clone(), |(_, name)| format!("{name} > {own}"))))
}

/// The title of a test inside a test: `t.test('inner', (t) => …)`, whatever the object is called.
pub(super) fn inner_test(source: &ParsedText<'_>, node: Node<'_>) -> Option<String> {
    let callee = node.child_by_field_name("function").filter(|_| node.kind() == "call_expression")?;
    let words = callee_words(source, callee);
    let [.., word] = words.as_slice() else { return None };
    let arguments = named_children(node.child_by_field_name("arguments")?);
    let runs = |node: &&Node<'_>| node.kind().contains("function");
    let _ = arguments.iter().find(runs).filter(|_| matches!(word.as_str(), "test" | "it"))?;
    arguments.first().map(|first| title(source, *first))
}

/// Words behind `test` and `describe` that change how, not whether, something runs.
const MODIFIERS: [&str; 11] = [
    "only",
    "each",
    "concurrent",
    "sequential",
    "serial",
    "for",
    "runIf",
    "skipIf",
    "extend",
    "shuffle",
    "cb",
];

/// What the given words before the title are called with: `test.skipIf(…)`, `describe.each(…)`.
fn curried(source: &ParsedText<'_>, call: Node<'_>, words: &[&str]) -> Option<String> {
    let mut node = call.child_by_field_name("function");
    while let Some(inner) = node.filter(|inner| inner.kind() == "call_expression") {
        let called = inner.child_by_field_name("function")?;
        let word = source.field(called, "property").unwrap_or_default();
        if words.contains(&word.as_str()) {
            return source.field(inner, "arguments");
        }
        node = Some(called);
    }
    None
}

/// The conditions under which a test skips itself with `this.skip()` or `t.skip()`.
fn own_skip(source: &ParsedText<'_>, test: Node<'_>) -> Option<String> {
    let mut stack = vec![(test, None::<String>, 0usize)];
    while let Some((node, mut condition, depth)) = stack.pop() {
        if node.kind() == "if_statement" {
            condition = source.field(node, "condition").or(condition);
        }
        if node.kind() == "call_expression" && node != test {
            let words = node.child_by_field_name("function").map(|callee| source.text(callee));
            if words.is_some_and(|words| matches!(words.as_str(), "this.skip" | "t.skip" | "ctx.skip")) {
                return Some(condition.unwrap_or_else(|| source.text(test)));
            }
        }
        if depth < MAX_DEPTH {
            let below = named_children(node).into_iter().rev();
            stack.extend(below.map(|child| (child, condition.clone(), depth + 1)));
        }
    }
    None
}

/// `["describe", "skip"]` out of `describe.skip` and `["test", "each"]` out of `test.each(…)`.
fn callee_words(source: &ParsedText<'_>, callee: Node<'_>) -> Vec<String> {
    let mut node = callee;
    let mut words = Vec::new();
    loop {
        match node.kind() {
            "member_expression" => {
                words.extend(source.field(node, "property"));
                match node.child_by_field_name("object") {
                    Some(object) => node = object,
                    None => break,
                }
            }
            "call_expression" => match node.child_by_field_name("function") {
                Some(function) => node = function,
                None => break,
            },
            "identifier" => {
                words.push(source.text(node));
                break;
            }
            // Something else is called: no test.
            _ => return Vec::new(),
        }
    }
    words.reverse();
    words
}

/// The title as written; what is only known at run time stands as `${…}`.
fn title(source: &ParsedText<'_>, node: Node<'_>) -> String {
    match node.kind() {
        "string" => unescape(&inside(&source.text(node))),
        "template_string" => inside(&source.text(node)),
        _ => format!("${{{}}}", source.one_line(node.byte_range())),
    }
}

fn inside(text: &str) -> String {
    let mut chars = text.chars();
    chars.next();
    chars.next_back();
    chars.as_str().to_owned()
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\\' {
            match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// `import`, `export … from`, `require` and `import()`.
pub(crate) fn imports(source: &ParsedText<'_>) -> Vec<Import> {
    let mut out = Vec::new();
    let mut stack = vec![(source.root(), 0usize)];
    while let Some((node, depth)) = stack.pop() {
        match node.kind() {
            "import_statement" | "export_statement" => out.extend(module_import(source, node)),
            "call_expression" => out.extend(call_import(source, node)),
            _ => {}
        }
        if depth < MAX_DEPTH {
            stack.extend(named_children(node).into_iter().rev().map(|child| (child, depth + 1)));
        }
    }
    out
}

fn module_import(source: &ParsedText<'_>, node: Node<'_>) -> Option<Import> {
    let module = source.field(node, "source")?;
    let mut names = Vec::new();
    if let Some(clause) = child_of_kind(node, &["import_clause", "export_clause", "namespace_export"]) {
        let mut stack = vec![clause];
        while let Some(part) = stack.pop() {
            match part.kind() {
                "import_specifier" | "export_specifier" => names.extend(source.field(part, "name")),
                "identifier" => names.push("default".to_owned()),
                "namespace_import" | "namespace_export" => names.push("*".to_owned()),
                _ => stack.extend(named_children(part).into_iter().rev()),
            }
        }
    } else if node.kind() == "export_statement" {
        names.push("*".to_owned());
    }
    Some(Import { module: inside(&module), names, line: line_of(node) })
}

fn call_import(source: &ParsedText<'_>, node: Node<'_>) -> Option<Import> {
    let function = node.child_by_field_name("function")?;
    if !matches!(source.text(function).as_str(), "require" | "import") {
        return None;
    }
    let argument = named_children(node.child_by_field_name("arguments")?).into_iter().next()?;
    (argument.kind() == "string").then(|| Import {
        module: inside(&source.text(argument)),
        names: destructured(source, node),
        line: line_of(node),
    })
}

/// The names that `const { a, b } = require(…)` takes.
fn destructured(source: &ParsedText<'_>, call: Node<'_>) -> Vec<String> {
    let mut parent = call.parent();
    if parent.is_some_and(|node| node.kind() == "await_expression") {
        parent = parent.and_then(|node| node.parent());
    }
    let pattern = parent
        .filter(|node| node.kind() == "variable_declarator")
        .and_then(|node| node.child_by_field_name("name"))
        .filter(|name| name.kind() == "object_pattern");
    let Some(pattern) = pattern else { return Vec::new() };
    named_children(pattern)
        .into_iter()
        .map(|part| match part.kind() {
            "pair_pattern" => source.field(part, "key").unwrap_or_default(),
            _ => source.text(part),
        })
        .collect()
}

/// Vitest's in-source tests: the blocks behind `if (import.meta.vitest)`.
pub(crate) fn in_source_tests(source: &ParsedText<'_>) -> Vec<std::ops::Range<usize>> {
    named_children(source.root())
        .into_iter()
        .filter(|node| node.kind() == "if_statement")
        .filter(|node| {
            source.field(*node, "condition").is_some_and(|text| text.contains("import.meta.vitest"))
        })
        .map(|node| node.byte_range())
        .collect()
}
