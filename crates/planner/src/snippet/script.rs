//! JavaScript and TypeScript tests: vitest, jest, mocha or node:test, in the quotes and with the imports in use.

use serde_json::{Value, json};
use windlass_code::survey::{Conventions, Framework, Language, Quotes, TestShape};

use super::template::fill;
use super::writer::{FrameworkForm, LanguageWriter, form};
use super::{TestRequest, near};
use crate::lint::outcome::{ExpectedOutcome, as_expect, capital, error_class};
use windlass_code::detect::{dir_of, test_command};

pub(super) const WRITER: LanguageWriter = LanguageWriter {
    tests: write,
    usual: Some(Framework::Jest),
    scenario: |scenario, _, _| Some(as_expect(scenario)),
};

pub(super) const JEST: FrameworkForm = FrameworkForm {
    template: include_str!("templates/script.js.j2"),
    assertion: |outcome| Some(as_expect(outcome)),
    ..FrameworkForm::NONE
};

pub(super) const VITEST: FrameworkForm =
    FrameworkForm { imports: &[("{ expect, test }", "{ describe, expect, it }", "vitest")], ..JEST };

pub(super) const NODE_TEST: FrameworkForm = FrameworkForm {
    words: &[("asserts", "assert")],
    imports: &[("{ test }", "{ describe, it }", "node:test"), ASSERT],
    assertion: node,
    ..JEST
};

pub(super) const MOCHA: FrameworkForm = FrameworkForm {
    words: &[("asserts", "assert")],
    imports: &[ASSERT],
    grouped: true,
    // Several runners leave its report.
    told_by_runner: false,
    assertion: node,
    ..JEST
};

const ASSERT: (&str, &str, &str) = ("assert", "assert", "node:assert/strict");

/// How this project writes.
struct ScriptStyle {
    quote: &'static str,
    end: &'static str,
    indent: String,
    form: &'static FrameworkForm,
    suites: bool,
    require: bool,
}

fn write(request: &TestRequest<'_>) -> Option<String> {
    let conventions = request.survey.conventions_for(request.wanted.file);
    let style = style(request, conventions)?;
    let stem = request.wanted.subject.rsplit('/').next()?.split('.').next()?;
    let mut imports = framework_imports(&style);
    imports.push(import(
        &format!("{{ {} }}", request.frame.used().join(", ")),
        &specifier(request, conventions),
    ));
    let values = json!({
        "imports": imports,
        "require": style.require,
        "quote": style.quote,
        "end": style.end,
        "indent": style.indent,
        "shift": if style.suites { style.indent.as_str() } else { "" },
        "suite": style.suites.then(|| suite(request, stem)),
        "asserts": !style.form.word("asserts").is_empty(),
    });
    fill(style.form.template, request, values)
}

/// The name of the suite: the class that is called like the file, else the file.
fn suite(request: &TestRequest<'_>, stem: &str) -> String {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let class = request.frame.names.iter().find(|name| {
        let called = plain(name);
        called.starts_with(&plain(stem)) && name.starts_with(char::is_uppercase)
    });
    class.cloned().unwrap_or_else(|| stem.to_owned())
}

fn style(request: &TestRequest<'_>, conventions: Option<&Conventions>) -> Option<ScriptStyle> {
    let style = conventions.and_then(|c| c.style);
    let form = if let Some(style) = style {
        form(style.framework)
    } else {
        let runner = test_command(request.tree, request.wanted.file)?.runner?;
        Framework::with_global_names(runner).map(form).filter(|form| form.told_by_runner)?
    };
    let module = request.wanted.contract.iter().any(|block| block.code.contains("export "));
    let file = request.wanted.file;
    let is_plain = Language::of_path(file) == Some(Language::JavaScript);
    let require = is_plain && !file.ends_with(".mjs") && (file.ends_with(".cjs") || !module);
    Some(ScriptStyle {
        quote: if conventions.and_then(|c| c.quotes) == Some(Quotes::Double) { "\"" } else { "'" },
        end: if conventions.and_then(|c| c.semicolons) == Some(false) { "" } else { ";" },
        indent: conventions.and_then(|c| c.indent.clone()).unwrap_or_else(|| "  ".to_owned()),
        suites: style.is_some_and(|style| style.shape == TestShape::Suites) || form.grouped,
        form,
        require,
    })
}

fn import(names: &str, module: &str) -> Value {
    json!({ "names": names, "module": module })
}

/// What the framework itself needs.
fn framework_imports(style: &ScriptStyle) -> Vec<Value> {
    let needed = style.form.imports.iter();
    needed
        .map(|(alone, in_suite, module)| import(if style.suites { in_suite } else { alone }, module))
        .collect()
}

/// The subject as seen from the test, with the ending that the project's own imports have.
fn specifier(request: &TestRequest<'_>, conventions: Option<&Conventions>) -> String {
    let (test, subject) = (request.wanted.file, request.wanted.subject);
    let bare = subject.rsplit_once('.').map_or(subject, |(bare, _)| bare);
    let absolute = conventions.and_then(|c| c.absolute_imports) == Some(true);
    let member = request.survey.member(subject).map_or("", |m| m.dir.as_str());
    let src = if member.is_empty() { "src/".to_owned() } else { format!("{member}/src/") };
    let path = match bare.strip_prefix(&src) {
        Some(inner) if absolute => format!("@/{inner}"),
        _ => relative(dir_of(test), bare),
    };
    format!("{path}{}", ending(request, subject))
}

/// `.js`, `.ts` or nothing: as most relative imports of the project have it; node itself needs the real one.
fn ending(request: &TestRequest<'_>, subject: &str) -> String {
    let own = subject.rsplit_once('.').map_or("", |(_, ending)| ending);
    let known = |module: &str| {
        ["js", "mjs", "cjs", "ts", "tsx", "jsx"]
            .iter()
            .find(|ending| module.ends_with(&format!(".{ending}")))
            .copied()
    };
    let scripts = |path: &str| Language::of_path(path).is_some_and(Language::is_script);
    let imports = near(request.survey, subject, &scripts)
        .into_iter()
        .filter_map(|path| request.survey.facts(path))
        .flat_map(|facts| facts.imports.iter().map(|import| import.module.clone()).collect::<Vec<_>>())
        .filter(|module| module.starts_with('.'));
    let (mut with, mut without, mut last) = (0usize, 0usize, "js");
    for module in imports.take(500) {
        match known(&module) {
            Some(ending) => {
                with += 1;
                last = ending;
            }
            None => without += 1,
        }
    }
    let by_node = test_command(request.tree, request.wanted.file)
        .is_some_and(|found| found.runner == Some(windlass_core::report::Runner::NodeTest));
    if by_node && with == 0 {
        return format!(".{own}");
    }
    if with <= without {
        return String::new();
    }
    let typed = own.contains("ts");
    format!(".{}", if typed && last == "js" { "js" } else { own })
}

/// A path as seen from a directory: `./x`, `../y/x`.
fn relative(from: &str, to: &str) -> String {
    let parts = |path: &str| path.split('/').filter(|p| !p.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (from, to) = (parts(from), parts(to));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = "../".repeat(from.len() - shared);
    let down = to[shared..].join("/");
    if up.is_empty() { format!("./{down}") } else { format!("{up}{down}") }
}

fn node(outcome: &ExpectedOutcome) -> Option<String> {
    match outcome {
        ExpectedOutcome::Compares { subject, sign, number } => {
            Some(format!("assert.ok({subject} {sign} {number})"))
        }
        ExpectedOutcome::Validates { subject, sample } => {
            Some(format!("assert.equal(validate{}('{sample}'), false)", capital(subject)))
        }
        ExpectedOutcome::Sees { text }
        | ExpectedOutcome::Shows { text }
        | ExpectedOutcome::Alerts { about: text } => Some(format!("assert.ok(output.includes({text:?}))")),
        ExpectedOutcome::Status { code } => Some(format!("assert.equal(response.status, {code})")),
        ExpectedOutcome::Returns { value } => Some(format!("assert.equal(result, {value})")),
        ExpectedOutcome::Answers { value } => Some(format!("assert.deepEqual(response.body, {value})")),
        ExpectedOutcome::Rejects { error } => Some(match error_class(error) {
            Some(class) => format!("assert.throws(() => act(), {class})"),
            None => format!("assert.throws(() => act(), /{}/i)", error.replace('/', "\\/")),
        }),
        ExpectedOutcome::Scenario { .. } => None,
    }
}

#[cfg(test)]
mod tests;
