//! JavaScript and TypeScript.

mod contract;
mod errors;
mod expectation;
mod exports;
mod imports;
mod mocks;
mod mutation;
mod package;
mod reach;
mod setup;
mod syntax;
mod test_faults;
#[cfg(test)]
mod tests;
mod tooling;
mod tricks;
mod web_tools;

use std::fmt::Write as _;

pub use contract::contract_project;
pub use web_tools::eslint_without_config;

pub(crate) use package::{PACKAGE, any_depends_on, depends_on, package};

use windlass_core::report::Runner;

use super::row::{BASE, LanguageRow, NewProjectFiles, RequiredBodies};
use super::stub::{with_body, with_class_bodies};
use crate::detect::Folder;
use crate::language::Language;
use crate::survey::{Framework, ImportForm, Naming, TestShape, TestStyle};
use crate::syntax::reformatted::FormRules;
use crate::syntax::same_test::{same_path, same_title};
use crate::syntax::signature::{NAME_FIRST, SignatureRules, normal_union, split};
use crate::syntax::skeleton::{BRACES, BraceRules, braces};
use crate::syntax::style::TestFileText;
use crate::syntax::{CanaryRequest, Export, ExportKind};

pub(crate) const TYPESCRIPT: LanguageRow = LanguageRow {
    fence: "typescript",
    new_project: NewProjectFiles {
        folder: "src",
        setup: &["package.json", "tsconfig.json"],
        package: None,
        entry: Some("src/cli.ts"),
        about: "ES modules (`\"type\": \"module\"`); `devDependencies` lists the test runner that the documents name, else \
                vitest.",
    },
    extensions: &["ts", "mts", "cts"],
    family: Language::TypeScript,
    file_names: Naming::Kebab,
    manifest_rank: 2,
    index_files: &["index.ts", "index.tsx", "index.js", "index.mjs", "mod.ts"],
    component_endings: &["vue", "svelte", "jsx", "tsx"],
    generated: &[".min.js", ".d.ts"],
    holds_types: |name| {
        let stem = name.strip_suffix(".ts").unwrap_or_default();
        matches!(stem, "types" | "interfaces") || stem.ends_with(".types") || stem.ends_with(".d")
    },
    relative_module: imports::relative_module,
    prose_names: &["TypeScript", "Typescript", "Angular", "NestJS", "Vitest"],
    runners: &[
        Runner::Vitest,
        Runner::Jest,
        Runner::NodeTest,
        Runner::Uvu,
        Runner::Ava,
        Runner::NodeTap,
        Runner::Tape,
    ],
    is_test: |stem, folder| {
        [".test", ".spec", "_test", "-test", ".e2e", ".cy"].iter().any(|mark| stem.ends_with(mark))
            || matches!(stem, "test" | "tests" | "spec")
            || folder() != Folder::Plain
    },
    test_by_place: |folder| matches!(folder, "test" | "tests" | "__tests__" | "spec"),
    tooling: tooling::TOOLING,
    single_quotes: true,
    optional_semicolons: true,
    literal_words: &["true", "false", "null", "undefined"],
    list_literals: true,
    map_literals: true,
    declaration,
    stub: |code| {
        let code = code.replace(") {}", ");");
        let functions = with_body(&code, "function ", " {\n  throw new Error('not implemented');\n}");
        Some(with_class_bodies(&functions, " {\n        throw new Error('not implemented');\n    }"))
    },
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    exports: exports::exports,
    imports: syntax::imports,
    tests: syntax::tests,
    test_wrappers: |source| {
        let blocks = syntax::in_source_tests(source).into_iter();
        blocks.map(|range| ("import.meta.vitest".to_owned(), range)).collect()
    },
    bases: |_, exports| bases(exports),
    style,
    skeleton: |bytes| braces(&SKELETON, bytes),
    signature: SignatureRules {
        normal_type: |text| normal_union(&normal_array(text)),
        // `=> R` is the result in the type of a constant, up to its value.
        result: |after| {
            let stated = after.strip_prefix("=>").map(|rest| rest.split(" = ").next().unwrap_or(rest));
            stated.or_else(|| after.strip_prefix(':'))
        },
        ..NAME_FIRST
    },
    contract: contract::as_declarations,
    missing_imports: mocks::missing_imports,
    contract_file: Some(contract::check_file),
    hides_exports: |text, _| {
        let passes_all_on = text.lines().any(|line| line.trim_start().starts_with("export *"));
        passes_all_on || text.contains("Object.assign(") || text.contains("Object.defineProperty(")
    },
    name_in: |path, name| format!("{path} > {name}"),
    same_test,
    canaries,
    tricks: tricks::look,
    reaches_out: reach::reaches_out,
    errors: Some(errors::read),
    test_faults: test_faults::read,
    mutation: mutation::TYPESCRIPT,
    expectation: expectation::RULES,
    form: FormRules {
        imports: &["import_statement"],
        import_lists: &["named_imports"],
        strings: &["string"],
        groups: &["parenthesized_expression"],
        optional_semicolons: true,
        // `[1, ,]` has a hole.
        telling_commas: &["array"],
        idle_places: Some(|_| Vec::new()),
    },
    resolve: imports::resolve,
    import_words: &[
        (b"from", ImportForm::ModuleString),
        (b"require", ImportForm::ModuleString),
        (b"import", ImportForm::ModuleString),
    ],
    import_terms: imports::terms,
    import_line: imports::import_line,
    absolute_imports: Some(|modules| {
        modules.iter().any(|module| module.starts_with("@/") || module.starts_with("~/"))
    }),
    test_affixes: &[("", ".test"), ("", ".spec"), ("", "_test"), ("", "-test"), ("", "_spec"), ("", "Spec")],
    usual_test: |file| file.beside(&format!("{}.test.{}", file.stem, file.ending)),
    ..BASE
};

pub(crate) const TSX: LanguageRow = LanguageRow {
    fence: "tsx",
    extensions: &["tsx"],
    file_names: Naming::Pascal,
    prose_names: &[],
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    // The text between two tags is shown as it stands.
    form: FormRules { idle_places: None, ..TYPESCRIPT.form },
    ..TYPESCRIPT
};

pub(crate) const JAVASCRIPT: LanguageRow = LanguageRow {
    fence: "javascript",
    new_project: NewProjectFiles {
        folder: "src",
        setup: &["package.json"],
        package: None,
        entry: Some("src/cli.js"),
        about: "ES modules (`\"type\": \"module\"`); the script `test` runs the test runner that the documents name, else \
                `node --test`.",
    },
    extensions: &["js", "mjs", "cjs", "jsx"],
    names: &["node"],
    manifests: &["package.json"],
    becomes: Some(("tsconfig.json", Language::TypeScript)),
    prose_names: &["JavaScript", "Javascript", "Node", "Express"],
    bodies: RequiredBodies::All,
    contract_file: None,
    declaration: |signature| format!("{signature} {{}}"),
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    mutation: mutation::JAVASCRIPT,
    expectation: expectation::RULES,
    // What is compiled can use what is not, never the other way round.
    uses_family: false,
    ..TYPESCRIPT
};

const SKELETON: BraceRules = BraceRules {
    // `export const x = { … }` and `describe(…` have no closed parentheses right before the brace.
    is_function: |head| {
        (BRACES.is_function)(head) && head.words.first().is_none_or(|word| *word != b"import")
    },
    arrow_functions: true,
    backticks: true,
    ..BRACES
};

/// An arrow function is declared as a function.
fn declaration(signature: &str) -> String {
    match signature.strip_prefix("export const ") {
        Some(arrow) => match arrow.split_once(" = ") {
            Some((name, rest)) => {
                format!("export function {name}{};", rest.trim_start_matches("async ").trim_start())
            }
            None => format!("{signature};"),
        },
        None => format!("{};", signature.replace("async function", "function")),
    }
}

fn bases(exports: &[Export]) -> Vec<String> {
    let types = exports.iter().filter(|export| export.kind == ExportKind::Type);
    types
        .filter_map(|export| {
            let rest = export.signature.split(" extends ").nth(1)?;
            rest.split([' ', '<', '{']).next().map(str::to_owned)
        })
        .collect()
}

fn style(file: &TestFileText<'_>) -> Option<TestStyle> {
    let framework = if file.imports("vitest") || file.text.contains("vi.fn(") {
        Framework::Vitest
    } else if file.imports("node:test") {
        Framework::NodeTest
    } else if file.imports("@jest/globals") || file.text.contains("jest.") {
        Framework::Jest
    } else if file.imports("mocha") || file.imports("chai") {
        Framework::Mocha
    } else {
        return None;
    };
    Some(TestStyle { framework, shape: file.shape(" > ", TestShape::Suites) })
}

fn normal_array(text: &str) -> String {
    match text.strip_prefix("Array<").and_then(|rest| rest.strip_suffix('>')) {
        Some(inner) if split(inner, ',').len() == 1 => format!("{inner}[]"),
        _ => text.to_owned(),
    }
}

/// The titles of suites and tests behind the file; TAP has no file and joins the titles by a blank.
fn same_test(report: &str, path: &str, name: &str) -> bool {
    match report.split_once(" > ") {
        Some((file, title)) if Language::of_path(file).is_some() => {
            same_path(file, path) && (same_title(title, name) || is_below(title, name))
        }
        _ => {
            same_title(report, name)
                || same_title(report, &name.replace(" > ", " "))
                || is_below(report, name)
        }
    }
}

/// Whether a title is that of a sub-test, which tap and node name behind the test they belong to.
fn is_below(title: &str, test: &str) -> bool {
    title.strip_prefix(test).is_some_and(|rest| rest.starts_with(" > "))
}

fn canaries(request: &CanaryRequest<'_>) -> Option<(String, Vec<String>)> {
    let CanaryRequest { text, model, runner, word } = request;
    let title = |n: u8| {
        let last = model.name.rsplit(" > ").next().unwrap_or(&model.name);
        // One space between words: some runners print no more.
        let plain: String = last.chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
        let words: Vec<&str> = plain.split_whitespace().collect();
        format!("{} {word}{n}", words.join(" "))
    };
    let module = text.lines().any(|line| line.starts_with("import ") || line.starts_with("export "));
    let expects = format!("{word}e(1).toBe(2)");
    let (head, check) = if *runner == Runner::NodeTest {
        let head = if module {
            format!("import {{ test as {word}t }} from 'node:test';\nimport {word}a from 'node:assert';\n")
        } else {
            format!("const {word}t = require('node:test').test;\nconst {word}a = require('node:assert');\n")
        };
        (head, format!("{word}a.strictEqual(1, 2)"))
    } else if *runner == Runner::Vitest {
        (format!("import {{ test as {word}t, expect as {word}e }} from 'vitest';\n"), expects)
    } else if *runner == Runner::Jest {
        (format!("const {word}t = test, {word}e = expect;\n"), expects)
    } else {
        let (head, first, second) = own_canaries(*runner, module, word, &title(1), &title(2))?;
        let text = format!("{}\n{head}{first}{second}", request.ended_text());
        return Some((text, vec![title(1), title(2)]));
    };
    let mut out = request.ended_text();
    let _ = write!(out, "\n{head}{word}t('{}', () => {{ {check}; }});\n", title(1));
    let _ = writeln!(out, "{word}t('{}', async () => {{ throw new Error('{word}'); }});", title(2));
    Some((out, vec![title(1), title(2)]))
}

/// Canaries of runners that pass an object with assertions to their tests, or start their suites themselves: an import, a
/// failed assertion, an exception.
fn own_canaries(
    runner: Runner,
    module: bool,
    word: &str,
    first: &str,
    second: &str,
) -> Option<(String, String, String)> {
    let import = |name: &str, from: &str| {
        if module {
            format!("import {name} from '{from}';\n")
        } else {
            format!("const {} = require('{from}');\n", name.replace("* as ", "").replace(" as ", ": "))
        }
    };
    let throws = format!("throw new Error('{word}');");
    let (head, check, call, end) = if runner == Runner::Uvu {
        let suite = import(&format!("{{ suite as {word}s }}"), "uvu");
        let assert = import(&format!("* as {word}a"), "uvu/assert");
        let head = format!("{suite}{assert}const {word}t = {word}s('');\n");
        (head, format!("{word}a.is(1, 2);"), format!("{word}t"), format!("{word}t.run();\n"))
    } else if runner == Runner::Ava {
        (import(&format!("{word}t"), "ava"), "t.is(1, 2);".into(), format!("{word}t"), String::new())
    } else if runner == Runner::NodeTap {
        let head = import(&format!("{word}t"), "tap");
        (head, "t.equal(1, 2);".into(), format!("{word}t.test"), String::new())
    } else if runner == Runner::Tape {
        let head = import(&format!("{word}t"), "tape");
        // An exception in a test of tape ends the whole run.
        let failed = |title: &str| format!("{word}t('{title}', (t) => {{ t.equal(1, 2); t.end(); }});\n");
        return Some((head, failed(first), failed(second)));
    } else {
        return None;
    };
    let test = |title: &str, body: &str| format!("{call}('{title}', async (t) => {{ {body} }});\n");
    Some((head, test(first, &check), format!("{}{end}", test(second, &throws))))
}
