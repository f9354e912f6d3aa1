//! JavaScript's and TypeScript's tricks.

use std::collections::BTreeMap;

use tree_sitter::Node;

use crate::syntax::source::named_children;
use crate::syntax::tricks::{GoldenFiles, Rule, TrickScan, literal};

/// Packages that run tests.
const RUNNERS: [&str; 9] =
    ["node:test", "test", "vitest", "jest", "@jest/globals", "mocha", "ava", "tap", "node:test/reporters"];

pub(crate) fn look(look: &mut TrickScan<'_>) {
    let names = ScriptAliases::of(look);
    for node in look.nodes() {
        match node.kind() {
            "call_expression" => call(look, &names, node),
            "new_expression" => constructed(look, node),
            "string" | "template_string" => string(look, node),
            "assignment_expression" | "augmented_assignment_expression" => assignment(look, &names, node),
            "member_expression" | "subscript_expression" => member(look, &names, node),
            "binary_expression" => comparison(look, node),
            "import_statement" => import(look, node),
            _ => {}
        }
    }
}

/// What names stand for, by declarations and imports.
struct ScriptAliases(BTreeMap<String, String>);

impl ScriptAliases {
    fn of(look: &TrickScan<'_>) -> Self {
        let mut known = BTreeMap::new();
        for node in look.nodes() {
            match node.kind() {
                "variable_declarator" => declared(look, node, &mut known),
                "import_statement" => imported(look, node, &mut known),
                _ => {}
            }
        }
        Self(known)
    }

    /// The full name behind a member expression, `a["b"]` as `a.b`.
    fn resolve(&self, look: &TrickScan<'_>, node: Node<'_>) -> String {
        let mut text = dotted(look, node);
        for _ in 0..3 {
            let (first, rest) = text.split_once('.').map_or((text.as_str(), ""), |(f, r)| (f, r));
            let Some(full) = self.0.get(first).filter(|full| *full != first) else { break };
            text = if rest.is_empty() { full.clone() } else { format!("{full}.{rest}") };
        }
        let text = text.trim_start_matches("globalThis.").trim_start_matches("global.");
        text.to_owned()
    }
}

/// `const p = process`, `const { exit } = process`, `const assert = require("assert")`
fn declared(look: &TrickScan<'_>, node: Node<'_>, known: &mut BTreeMap<String, String>) {
    let (Some(name), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value"))
    else {
        return;
    };
    let full = dotted(look, value);
    if full.is_empty() {
        return;
    }
    match name.kind() {
        "identifier" => {
            known.insert(look.source.text(name), full);
        }
        "object_pattern" => {
            for part in named_children(name) {
                let key = look.source.field(part, "key").unwrap_or_else(|| look.source.text(part));
                let alias = look.source.field(part, "value").unwrap_or_else(|| key.clone());
                known.insert(alias, format!("{full}.{key}"));
            }
        }
        _ => {}
    }
}

fn imported(look: &TrickScan<'_>, node: Node<'_>, known: &mut BTreeMap<String, String>) {
    let module = module_name(&look.source.field(node, "source").unwrap_or_default());
    let mut stack = named_children(node);
    while let Some(part) = stack.pop() {
        match part.kind() {
            "import_specifier" => {
                let key = look.source.field(part, "name").unwrap_or_default();
                let alias = look.source.field(part, "alias").unwrap_or_else(|| key.clone());
                known.insert(alias, format!("{module}.{key}"));
            }
            "identifier" => {
                known.insert(look.source.text(part), module.clone());
            }
            _ => stack.extend(named_children(part)),
        }
    }
}

/// `process` for `"node:process"`.
fn module_name(quoted: &str) -> String {
    let plain = quoted.trim_matches(['"', '\'', '`']);
    match plain.strip_prefix("node:").unwrap_or(plain) {
        "assert/strict" => "assert".to_owned(),
        other => other.to_owned(),
    }
}

/// A chain of names as one text; empty when it is anything else.
fn dotted(look: &TrickScan<'_>, node: Node<'_>) -> String {
    match node.kind() {
        "identifier" | "this" | "property_identifier" => look.source.text(node),
        "member_expression" | "subscript_expression" => {
            let object = node.child_by_field_name("object").map(|o| dotted(look, o)).unwrap_or_default();
            let key = node.child_by_field_name("property").or_else(|| node.child_by_field_name("index"));
            let key = key
                .map(|k| look.source.text(k).trim_matches(['"', '\'', '`']).to_owned())
                .unwrap_or_default();
            if object.is_empty() { String::new() } else { format!("{object}.{key}") }
        }
        "call_expression" => {
            let called =
                node.child_by_field_name("function").map(|f| look.source.text(f)).unwrap_or_default();
            let arguments = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
            match arguments.first() {
                Some(module) if matches!(called.as_str(), "require" | "import") => {
                    module_name(&look.source.text(*module))
                }
                _ => String::new(),
            }
        }
        "parenthesized_expression" | "await_expression" | "non_null_expression" | "as_expression" => {
            named_children(node).first().map(|inner| dotted(look, *inner)).unwrap_or_default()
        }
        _ => String::new(),
    }
}

fn call(look: &mut TrickScan<'_>, names: &ScriptAliases, node: Node<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    let name = names.resolve(look, function);
    let arguments = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    let first = arguments.first().map(|a| look.source.text(*a)).unwrap_or_default();
    match name.as_str() {
        "process.exit" | "process.reallyExit" if !is_failure(&first) && !is_program(look, node) => {
            look.add(Rule::Exit, node);
        }
        "process.binding" | "process._linkedBinding" | "process.dlopen" => look.add(Rule::Patches, node),
        "process.on" | "process.once" | "process.addListener" | "process.prependListener" => {
            listener(look, node, &first);
        }
        "eval" | "Function" | "vm.runInThisContext" | "vm.runInContext" | "vm.runInNewContext" => {
            look.add(evaluation_rule(look, node, &arguments), node);
        }
        "Object.defineProperty" | "Object.assign" | "Reflect.set" | "Reflect.defineProperty"
            if is_guarded(&arguments.first().map(|a| names.resolve(look, *a)).unwrap_or_default()) =>
        {
            look.add(Rule::Patches, node);
        }
        "test.skip" | "it.skip" | "describe.skip" | "t.skip" | "t.todo" | "ctx.skip" | "context.skip"
        | "this.skip" => {
            look.add(Rule::Skip, node);
        }
        "require" if RUNNERS.contains(&first.trim_matches(['"', '\'', '`'])) => uses_runner(look, node),
        _ => {}
    }
}

fn listener(look: &mut TrickScan<'_>, node: Node<'_>, event: &str) {
    match event.trim_matches(['"', '\'', '`']) {
        "exit" | "beforeExit" => look.add(Rule::AtExit, node),
        "uncaughtException" | "unhandledRejection" | "uncaughtExceptionMonitor"
            if !is_program(look, node) =>
        {
            look.add(Rule::CatchesAll, node);
        }
        _ => {}
    }
}

/// An exit code that says that something went wrong.
fn is_failure(argument: &str) -> bool {
    argument.trim().parse::<i64>().is_ok_and(|n| n != 0)
}

/// Whether this is where a program ends: a script, a command-line file, the end of a signal.
fn is_program(look: &TrickScan<'_>, node: Node<'_>) -> bool {
    if look.path_has(&["cli", "bin", "scripts", "main", "server"]) || look.source.bytes.starts_with(b"#!") {
        return true;
    }
    let mut above = node.parent();
    while let Some(outer) = above {
        let guarded = outer.kind() == "if_statement"
            && look
                .source
                .field(outer, "condition")
                .is_some_and(|c| c.contains("require.main") || c.contains("import.meta"));
        let signal = outer.kind() == "call_expression"
            && look.source.field(outer, "function").is_some_and(|f| f == "process.on" || f == "process.once")
            && look.source.field(outer, "arguments").is_some_and(|a| a.contains("SIG"));
        if guarded || signal {
            return true;
        }
        above = outer.parent();
    }
    false
}

fn constructed(look: &mut TrickScan<'_>, node: Node<'_>) {
    if look.source.field(node, "constructor").as_deref() == Some("Function") {
        let arguments = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
        look.add(evaluation_rule(look, node, &arguments), node);
    }
}

/// Evaluated text that names the process, its modules or a test runner reaches past the other rules.
fn evaluation_rule(look: &TrickScan<'_>, call: Node<'_>, arguments: &[Node<'_>]) -> Rule {
    const REACHES: [&str; 6] = ["process", "require", "import(", "global", "assert", "expect"];
    let text: String = arguments.iter().map(|a| look.source.text(*a)).collect();
    let reaches = REACHES.iter().any(|name| text.contains(name));
    if reaches { Rule::DynamicCode } else { look.evaluation_rule_at(call) }
}

fn string(look: &mut TrickScan<'_>, node: Node<'_>) {
    let text = look.source.text(node);
    if let Some(rule) = literal::rule_of(text.trim_matches(['"', '\'', '`']), look.golden) {
        look.add(rule, node);
    }
}

/// Things that belong to the runner, to assertions or to the language.
fn is_guarded(target: &str) -> bool {
    let root = target.split('.').next().unwrap_or_default();
    RUNNERS.contains(&root)
        || matches!(root, "assert" | "expect" | "it" | "describe" | "require")
        || matches!(target, "process.stdout" | "process.exit" | "process.emit" | "Module" | "module.Module")
        || ["Object.prototype", "Array.prototype", "Function.prototype", "Object.is", "process.stdout.write"]
            .iter()
            .any(|name| target.starts_with(name))
        || target.contains("AssertionError")
        || target.ends_with("._load")
        || target.contains("require.cache")
}

fn assignment(look: &mut TrickScan<'_>, names: &ScriptAliases, node: Node<'_>) {
    let Some(left) = node.child_by_field_name("left") else { return };
    let target = names.resolve(look, left);
    if target == "process.exitCode" {
        let right = look.source.field(node, "right").unwrap_or_default();
        if !is_failure(&right) && !is_program(look, node) {
            look.add(Rule::Exit, node);
        }
        return;
    }
    let guarded = target.contains('.') && is_guarded(&target) && !target.starts_with("test.");
    let global = left.kind() == "member_expression"
        && look.source.text(left).starts_with("global")
        && matches!(target.as_str(), "test" | "it" | "expect" | "describe" | "assert");
    // What tests measure with, for everybody in the process.
    let measure = matches!(
        target.as_str(),
        "Date.now" | "Math.random" | "performance.now" | "process.hrtime" | "process.hrtime.bigint"
    );
    if guarded || global || measure {
        look.add(Rule::Patches, node);
    }
}

/// `listener.mock.calls`: what a stand-in of a test has written down about its calls.
fn is_record_of_calls(look: &TrickScan<'_>, node: Node<'_>) -> bool {
    let property = |node: Node<'_>| look.source.field(node, "property");
    let records = ["calls", "results", "lastCall", "instances", "contexts", "invocationCallOrder"];
    let mock = node.child_by_field_name("object").and_then(property);
    mock.as_deref() == Some("mock") && property(node).is_some_and(|name| records.contains(&name.as_str()))
}

/// `process.env.JEST_WORKER_ID`, and `process[…]` with something that is only known at run time.
fn member(look: &mut TrickScan<'_>, names: &ScriptAliases, node: Node<'_>) {
    let name = names.resolve(look, node);
    if let Some(variable) = name.strip_prefix("process.env.") {
        match literal::rule_of(variable, &GoldenFiles::none()) {
            Some(rule) => look.add(rule, node),
            None if variable == "NODE_ENV" => look.add(Rule::SniffsPlace, node),
            None => {}
        }
    }
    if name == "process.execArgv" || name == "import.meta.vitest" || is_record_of_calls(look, node) {
        look.add(Rule::SniffsTest, node);
    }
    if node.kind() == "subscript_expression" {
        let object = node.child_by_field_name("object").map(|o| names.resolve(look, o)).unwrap_or_default();
        let literal = node.child_by_field_name("index").is_some_and(|i| i.kind() == "string");
        let is_global = matches!(object.as_str(), "globalThis" | "global");
        // `new globalThis[type](buffer)`: a class by its name.
        let index = node.child_by_field_name("index").is_some_and(|i| i.kind() == "identifier");
        let is_made = node.parent().is_some_and(|parent| parent.kind() == "new_expression");
        if is_global && index && is_made {
            look.add(Rule::EvaluatesCode, node);
        } else if !literal && (is_global || object == "process") {
            look.add(Rule::DynamicCode, node);
        }
    }
}

/// `e.code === "ERR_ASSERTION"`, `e instanceof AssertionError`
fn comparison(look: &mut TrickScan<'_>, node: Node<'_>) {
    let sides = [node.child_by_field_name("left"), node.child_by_field_name("right")];
    let names = |side: Option<Node<'_>>| side.map(|s| look.source.text(s)).unwrap_or_default();
    let says = |text: &str| {
        let text = text.trim_matches(['"', '\'', '`']);
        text == "ERR_ASSERTION" || text.ends_with("AssertionError")
    };
    if sides.into_iter().any(|side| says(&names(side))) {
        look.add(Rule::CatchesAssertion, node);
    }
}

fn import(look: &mut TrickScan<'_>, node: Node<'_>) {
    let module = look.source.field(node, "source").unwrap_or_default();
    if RUNNERS.contains(&module.trim_matches(['"', '\'', '`'])) {
        uses_runner(look, node);
    }
}

fn uses_runner(look: &mut TrickScan<'_>, node: Node<'_>) {
    if !look.path.contains("test") {
        look.add(Rule::UsesRunner, node);
    }
}
