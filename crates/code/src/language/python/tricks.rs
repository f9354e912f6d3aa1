//! The tricks of Python.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::caught::drops_foreign_assertions;
use crate::syntax::source::named_children;
use crate::syntax::tricks::{Rule, TrickScan, literal};

pub(crate) fn look(look: &mut TrickScan<'_>) {
    let names = PythonAliases::of(look);
    for node in look.nodes() {
        match node.kind() {
            "call" => call(look, &names, node),
            "string" => string(look, node),
            "assignment" | "augmented_assignment" => assignment(look, &names, node),
            "function_definition" => equality(look, node),
            "except_clause" => handler(look, node),
            "raise_statement" => raise(look, &names, node),
            "comparison_operator" => comparison(look, &names, node),
            "import_statement" | "import_from_statement" => import(look, node),
            _ => {}
        }
    }
}

/// The longest expression that is looked at for the names of another module.
const LONGEST_NAMESPACE: usize = 200;

/// What names stand for, by the file's imports.
struct PythonAliases {
    known: BTreeMap<String, String>,
    /// Names that stand for the names of another module.
    namespaces: BTreeSet<String>,
}

impl PythonAliases {
    fn of(look: &TrickScan<'_>) -> Self {
        let (mut known, mut namespaces) = (BTreeMap::new(), BTreeSet::new());
        for node in look.nodes() {
            match node.kind() {
                "import_statement" => {
                    for name in named_children(node) {
                        if let Some(alias) = look.source.field(name, "alias") {
                            known.insert(alias, look.source.field(name, "name").unwrap_or_default());
                        }
                    }
                }
                "import_from_statement" => from_import(look, node, &mut known),
                // `bye = os._exit`
                "assignment" => {
                    let (left, right) = (node.child_by_field_name("left"), node.child_by_field_name("right"));
                    if let (Some(left), Some(right)) = (left, right)
                        && left.kind() == "identifier"
                        && matches!(right.kind(), "attribute" | "identifier")
                    {
                        known.insert(look.source.text(left), look.source.one_line(right.byte_range()));
                    }
                    if let (Some(left), Some(right)) = (left, right)
                        && left.kind() == "identifier"
                        && right.byte_range().len() < LONGEST_NAMESPACE
                        && is_namespace(&look.source.text(right))
                    {
                        namespaces.insert(look.source.text(left));
                    }
                }
                _ => {}
            }
        }
        Self { known, namespaces }
    }

    /// The full name behind a dotted one.
    fn resolve(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..3 {
            let (first, rest) = text.split_once('.').map_or((text.as_str(), ""), |(f, r)| (f, r));
            let Some(full) = self.known.get(first).filter(|full| *full != first) else { return text };
            text = if rest.is_empty() { full.clone() } else { format!("{full}.{rest}") };
        }
        text
    }
}

fn from_import(look: &TrickScan<'_>, node: Node<'_>, known: &mut BTreeMap<String, String>) {
    let Some(module) = look.source.field(node, "module_name") else { return };
    let mut cursor = node.walk();
    for name in node.children_by_field_name("name", &mut cursor) {
        let plain = look.source.field(name, "name").unwrap_or_else(|| look.source.text(name));
        let alias = look.source.field(name, "alias").unwrap_or_else(|| plain.clone());
        known.insert(alias, format!("{module}.{plain}"));
    }
}

fn call(look: &mut TrickScan<'_>, names: &PythonAliases, node: Node<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    let name = names.resolve(&look.source.one_line(function.byte_range()));
    let arguments = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    let first = arguments.first().map(|a| look.source.text(*a)).unwrap_or_default();
    match name.as_str() {
        "os._exit" if !is_failure(&first) => look.add(Rule::Exit, node),
        "sys.exit" | "exit" | "quit" if !is_failure(&first) && !is_program(look, node) => {
            look.add(Rule::SoftExit, node);
        }
        "pytest.skip" | "pytest.xfail" | "pytest.exit" | "pytest.importorskip" if !serves_tests(look) => {
            look.add(Rule::Skip, node);
        }
        "atexit.register" => look.add(Rule::AtExit, node),
        "__import__" if is_plain_text(&first) => reach(look, names, node, &name, &arguments),
        "eval" | "exec" | "compile" | "builtins.eval" | "builtins.exec" => {
            look.add(evaluation_rule(look, node, &arguments), node);
        }
        "__import__" => {
            // `__import__(name)` imports; `__import__('o' + 's')` and `__import__(name)._exit` hide what is used.
            let plain = arguments.first().is_some_and(|a| {
                matches!(a.kind(), "identifier" | "attribute" | "subscript") || is_below(&first)
            });
            let used = node.parent().is_some_and(|parent| parent.kind() == "attribute");
            look.add(if plain && !used { Rule::EvaluatesCode } else { Rule::DynamicCode }, node);
        }
        "getattr" | "setattr" | "importlib.import_module" => reach(look, names, node, &name, &arguments),
        // Profilers and memory pages look around like this, too: what comes of it is seen when expectations are changed.
        "sys.settrace"
        | "sys.setprofile"
        | "threading.settrace"
        | "gc.get_objects"
        | "gc.get_referrers"
        | "inspect.stack"
        | "inspect.currentframe"
        | "sys._getframe" => look.add(Rule::SniffsPlace, node),
        _ if name.ends_with(".skipTest") && !serves_tests(look) => look.add(Rule::Skip, node),
        _ => {}
    }
}

/// Files that serve tests work with their runner. A test that is skipped from there has not passed.
fn serves_tests(look: &TrickScan<'_>) -> bool {
    look.path_has(&["conftest", "testing", "tests"])
}

/// A module below a package that is written out, which is none of those that rules watch: `"dialects.mysql.%s" % name`.
fn is_below(argument: &str) -> bool {
    const WATCHED: [&str; 9] =
        ["os", "sys", "pytest", "_pytest", "unittest", "builtins", "importlib", "ctypes", "signal"];
    let text = argument.trim_start_matches(['f', 'r']).trim_start_matches(['"', '\'']);
    let (package, _) = text.split_once('.').unwrap_or_default();
    let plain = !package.is_empty() && package.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    argument.len() > text.len() && plain && !WATCHED.contains(&package)
}

/// What is evaluated from a file or from another call may come from anywhere.
fn evaluation_rule(look: &TrickScan<'_>, call: Node<'_>, arguments: &[Node<'_>]) -> Rule {
    let first = arguments.first().map(|a| look.source.text(*a)).unwrap_or_default();
    let opened = ["open(", "urlopen(", "input(", "environ"].iter().any(|sign| first.contains(sign));
    if opened { Rule::DynamicCode } else { look.evaluation_rule_at(call) }
}

/// `getattr(os, …)`, `setattr(pytest, …)`, `import_module("os")`: indirect access to modules that the other rules watch.
fn reach(
    look: &mut TrickScan<'_>,
    names: &PythonAliases,
    node: Node<'_>,
    name: &str,
    arguments: &[Node<'_>],
) {
    let Some(target) = arguments.first().map(|a| look.source.text(*a)) else { return };
    let target = names.resolve(target.trim_matches(['"', '\'']));
    let root = target.split('.').next().unwrap_or_default();
    let guarded = matches!(root, "os" | "sys" | "builtins" | "pytest" | "_pytest" | "unittest" | "junitxml");
    let asked = arguments.get(1).map(|a| look.source.text(*a)).unwrap_or_default();
    let plain = matches!(root, "os" | "sys") && is_harmless_name(&asked);
    if guarded && !(name == "getattr" && (plain || is_stream(&target))) {
        look.add(if name == "setattr" { Rule::Patches } else { Rule::DynamicCode }, node);
    }
}

/// A standard stream. Its attributes are those of a file, whatever their names: they lead to nothing that a rule is
/// about, and what can be written to it can be printed.
fn is_stream(target: &str) -> bool {
    let part = target.split('.').nth(1).unwrap_or_default().trim_matches('_');
    target.starts_with("sys.") && matches!(part, "stdin" | "stdout" | "stderr")
}

/// A text in quotes, all in one piece.
fn is_plain_text(argument: &str) -> bool {
    let inside = ['"', '\''].into_iter().find_map(|q| argument.strip_prefix(q)?.strip_suffix(q));
    inside.is_some_and(|text| text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.'))
}

/// A quoted name, in one piece, that no rule is about: `getattr(os, "O_BINARY", 0)`.
fn is_harmless_name(argument: &str) -> bool {
    const GUARDED: [&str; 10] = [
        "_exit",
        "exit",
        "abort",
        "kill",
        "modules",
        "settrace",
        "setprofile",
        "environ",
        "argv",
        "meta_path",
    ];
    let quoted = ['"', '\''].into_iter().find_map(|q| argument.strip_prefix(q)?.strip_suffix(q));
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    quoted.is_some_and(|text| is_name(text) && !GUARDED.contains(&text) && !text.starts_with("exec"))
}

/// An exit code that no runner takes for success.
fn is_failure(argument: &str) -> bool {
    let text = argument.trim();
    let number = text.parse::<i64>();
    number.is_ok_and(|n| n != 0)
        || text.starts_with(['"', '\''])
        || text.starts_with("f\"")
        || text.starts_with("f'")
}

/// Whether this is where a program ends: under `if __name__ == "__main__"`, in `main`, or in a file that is a program.
fn is_program(look: &TrickScan<'_>, node: Node<'_>) -> bool {
    if look.path_has(&["__main__", "main", "cli", "manage", "scripts", "bin", "setup", "commands"]) {
        return true;
    }
    let mut above = node.parent();
    while let Some(outer) = above {
        let named = outer.kind() == "function_definition"
            && look
                .source
                .field(outer, "name")
                .is_some_and(|name| name.contains("main") || name.contains("cli"));
        let guarded = outer.kind() == "if_statement"
            && look.source.field(outer, "condition").is_some_and(|c| c.contains("__name__"));
        if named || guarded {
            return true;
        }
        above = outer.parent();
    }
    false
}

fn string(look: &mut TrickScan<'_>, node: Node<'_>) {
    let text = look.source.text(node);
    let inner = text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim_matches(['"', '\'']);
    // A text that stands alone is documentation.
    let alone = node.parent().is_some_and(|parent| parent.kind() == "expression_statement");
    if !alone && let Some(rule) = literal::rule_of(inner, look.golden) {
        look.add(rule, node);
    }
}

/// `builtins.print = …`, `unittest.TestCase.assertEqual = …`, `sys.modules["pytest"] = …`
fn assignment(look: &mut TrickScan<'_>, names: &PythonAliases, node: Node<'_>) {
    let Some(left) = node.child_by_field_name("left") else { return };
    if !matches!(left.kind(), "attribute" | "subscript") {
        return;
    }
    let target = names.resolve(&look.source.one_line(left.byte_range()));
    let root = target.split(['.', '[']).next().unwrap_or_default();
    if is_importer(look, left, &target) {
        look.add(Rule::ReplacesModules, node);
        return;
    }
    let patched = reaches_a_namespace(names, &target, left)
        || matches!(root, "builtins" | "pytest" | "_pytest" | "unittest" | "pluggy" | "__builtins__")
        || (target.starts_with("sys.modules") && !target.starts_with("sys.modules[__name__]."))
        || target.starts_with("sys.exit")
        || target.starts_with("sys.stdout.")
        || target.starts_with("os._exit")
        || is_measure(look, &target);
    if patched {
        look.add(Rule::Patches, node);
    } else if matches!(target.as_str(), "sys.stdout" | "sys.stderr" | "sys.excepthook") {
        // Programs do this, and it changes no verdict: verdicts come from exit codes and files.
        look.add(Rule::Redirects, node);
    }
}

/// `time.monotonic = …`, `random.choice = …`: what tests measure with, for everybody in the process.
fn is_measure(look: &TrickScan<'_>, target: &str) -> bool {
    const MODULES: [&str; 6] = ["time", "random", "datetime", "secrets", "uuid", "importlib.metadata"];
    let Some((module, _)) = target.rsplit_once('.') else { return false };
    // Another thing may have the name.
    let imports = |node: &Node<'_>| {
        node.kind() == "import_statement"
            && look.source.text(*node).split([' ', ',', '\n']).any(|name| name == module)
    };
    MODULES.contains(&module) && look.nodes().iter().any(imports)
}

/// `sys.modules["test_a"].__dict__["sum"] = …`, `sys._getframe(1).f_globals["sum"] = …`, also by a name for the part in front:
/// what another module means by its names is changed.
fn reaches_a_namespace(names: &PythonAliases, target: &str, left: Node<'_>) -> bool {
    let head = target.split(['[', '.']).next().unwrap_or_default();
    is_namespace(target) || (left.kind() == "subscript" && names.namespaces.contains(head))
}

/// Whether an expression stands for the names of another module.
fn is_namespace(text: &str) -> bool {
    let module = text.contains("sys.modules") && !text.contains("__name__") && !text.contains("__package__");
    text.contains(".f_globals") || text.contains(".f_builtins") || (module && text.contains(".__dict__"))
}

/// `sys.modules[name] = module` with a name that stands alone, in a file that neither hides code nor names a runner.
fn is_importer(look: &TrickScan<'_>, left: Node<'_>, target: &str) -> bool {
    let key = left.child_by_field_name("subscript");
    let alone = key.is_some_and(|key| matches!(key.kind(), "identifier" | "attribute"));
    let text = String::from_utf8_lossy(look.source.bytes);
    let names_runner = ["pytest", "unittest", "junit"].iter().any(|name| text.contains(name));
    target.starts_with("sys.modules[")
        && alone
        && !names_runner
        && look.evaluation_rule_at(left) == Rule::EvaluatesCode
}

/// An `__eq__` that does not use its argument.
fn equality(look: &mut TrickScan<'_>, node: Node<'_>) {
    let name = look.source.field(node, "name").unwrap_or_default();
    if !matches!(name.as_str(), "__eq__" | "__ne__" | "__instancecheck__" | "__lt__" | "__contains__") {
        return;
    }
    let parameters = node.child_by_field_name("parameters").map(named_children).unwrap_or_default();
    let other = parameters.last().map(|p| look.source.text(*p)).unwrap_or_default();
    let other = other.split([':', '=']).next().unwrap_or_default().trim_matches(['*', ' ']).to_owned();
    let body = look.source.field(node, "body").unwrap_or_default();
    let words = || body.split(|c: char| !c.is_alphanumeric() && c != '_');
    // A method that always answers no, or that only declares the operation, does not make everything equal.
    let never =
        name != "__ne__" && words().any(|word| word == "False") && !words().any(|word| word == "True");
    let says_no = never
        || is_silent(node)
        || (name == "__lt__" && has_opposite(look, node))
        || body.trim().starts_with("...")
        || words().any(|word| matches!(word, "NotImplemented" | "raise" | "NotImplementedError"));
    if !words().any(|word| word == other) && !says_no {
        look.add(Rule::AlwaysEqual, node);
    }
}

/// Whether a function gives nothing back: it is declared only, and nothing is equal by it.
fn is_silent(function: Node<'_>) -> bool {
    let mut open: Vec<Node<'_>> = function.child_by_field_name("body").into_iter().collect();
    while let Some(node) = open.pop() {
        if matches!(node.kind(), "return_statement" | "yield") && node.named_child_count() > 0 {
            return false;
        }
        open.extend(named_children(node));
    }
    true
}

/// Whether the class of `__lt__` says no to `__gt__`: it is smaller than everything, and an order all the same.
fn has_opposite(look: &TrickScan<'_>, function: Node<'_>) -> bool {
    let Some(class) = function.parent() else { return false };
    named_children(class).into_iter().any(|other| {
        let body = look.source.field(other, "body").unwrap_or_default();
        look.source.field(other, "name").as_deref() == Some("__gt__")
            && body.contains("False")
            && !body.contains("True")
    })
}

fn handler(look: &mut TrickScan<'_>, node: Node<'_>) {
    let head: String = look.source.text(node).lines().next().unwrap_or_default().to_owned();
    let body = named_children(node).into_iter().find(|child| child.kind() == "block");
    let text = body.map(|b| look.source.text(b)).unwrap_or_default();
    let raises = text.contains("raise");
    let words: Vec<&str> = head.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    if words.contains(&"AssertionError") && !raises && drops_foreign_assertions(look, node) {
        look.add(Rule::CatchesAssertion, node);
    } else if (words.contains(&"BaseException") || head.trim_end() == "except:") && !raises {
        look.add(Rule::CatchesAll, node);
    }
}

fn raise(look: &mut TrickScan<'_>, names: &PythonAliases, node: Node<'_>) {
    let Some(what) = named_children(node).into_iter().next() else { return };
    let text = look.source.one_line(what.byte_range());
    let (name, arguments) = text.split_once('(').unwrap_or((&text, ""));
    match names.resolve(name.trim()).as_str() {
        "SystemExit" if !is_failure(arguments.trim_end_matches(')')) && !is_program(look, node) => {
            look.add(Rule::SoftExit, node);
        }
        "unittest.SkipTest" | "SkipTest" | "unittest.case.SkipTest" if !serves_tests(look) => {
            look.add(Rule::Skip, node);
        }
        _ => {}
    }
}

/// `"pytest" in sys.modules`
fn comparison(look: &mut TrickScan<'_>, names: &PythonAliases, node: Node<'_>) {
    let text = look.source.one_line(node.byte_range());
    let watched = ["pytest", "unittest", "nose"].iter().any(|name| text.contains(name));
    let place = named_children(node).iter().any(|side| {
        let side = names.resolve(&look.source.one_line(side.byte_range()));
        side.starts_with("sys.modules") || side.starts_with("sys.argv")
    });
    if watched && place {
        look.add(Rule::SniffsTest, node);
    }
}

fn import(look: &mut TrickScan<'_>, node: Node<'_>) {
    let text = look.source.one_line(node.byte_range());
    let module = text.trim_start_matches("from ").trim_start_matches("import ");
    let module = module.split([' ', '.', ',']).next().unwrap_or_default();
    let runner =
        matches!(module, "pytest" | "_pytest" | "pluggy") || (module == "unittest" && !text.contains("mock"));
    if runner && !look.path.contains("test") {
        look.add(Rule::UsesRunner, node);
    }
    // An example that the code rejects is one that it is never tried with.
    let rejects = ["assume", "reject", "UnsatisfiedAssumption"].iter().any(|name| text.contains(name));
    if module == "hypothesis" && rejects && !serves_tests(look) {
        look.add(Rule::Skip, node);
    }
}
