//! PHP.

mod errors;
mod expectation;
mod mutation;
mod reach;
mod setup;
mod syntax;
#[cfg(test)]
mod tests;
mod tooling;
mod tricks;

use windlass_core::report::Runner;

use super::beside_canary;
use super::row::{BASE, CLASS_AFFIXES, LanguageRow, NewProjectFiles};
use crate::detect::is_class_test;
use crate::language::Language;
use crate::survey::{
    Framework, Import, ImportForm, Naming, Survey, TestShape, TestStyle, join, resolve_dots, roots, split,
};
use crate::syntax::CanaryRequest;
use crate::syntax::signature::{SignatureRules, TYPE_FIRST};
use crate::syntax::skeleton::{BRACES, BraceRules, StringSpan, braces, text_length};

pub(crate) const ROW: LanguageRow = LanguageRow {
    fence: "php",
    extensions: &["php"],
    family: Language::Php,
    file_names: Naming::Pascal,
    new_project: NewProjectFiles {
        folder: "src",
        setup: &["composer.json"],
        package: None,
        entry: Some("src/cli.php"),
        about: "`composer.json` lists phpunit and loads the classes of `src`.",
    },
    manifests: &["composer.json"],
    manifest_rank: 6,
    prose_names: &["PHP", "Laravel", "Symfony"],
    runners: &[Runner::Phpunit],
    is_test: is_class_test,
    tooling: tooling::TOOLING,
    single_quotes: true,
    list_literals: true,
    static_word: Some("static"),
    static_separator: "::",
    grammar: || tree_sitter_php::LANGUAGE_PHP.into(),
    exports: syntax::exports,
    imports: syntax::imports,
    tests: syntax::tests,
    package: syntax::package,
    bases: |source, _| syntax::bases(source),
    style: |_| Some(TestStyle { framework: Framework::Phpunit, shape: TestShape::Classes }),
    skeleton: |bytes| braces(&SKELETON, bytes),
    signature: SignatureRules {
        result: |after| after.strip_prefix(':'),
        result_first: false,
        normal_type: |text| text.trim_start_matches('?').rsplit('\\').next().unwrap_or_default().to_owned(),
        reference_in_name: true,
        ..TYPE_FIRST
    },
    contract: |contract| {
        if contract.contains("<?php") { contract.to_owned() } else { format!("<?php\n{contract}") }
    },
    hides_exports: |text, _| text.contains("__call") || text.contains("eval("),
    canaries,
    errors: Some(|text, owned, _| errors::read(text, owned)),
    mutation: mutation::RULES,
    expectation: expectation::RULES,
    tricks: |look| tricks::TABLE.look(look),
    reaches_out: reach::reaches_out,
    resolve,
    import_words: &[
        (b"use", ImportForm::Statement),
        (b"require", ImportForm::Statement),
        (b"include", ImportForm::Statement),
    ],
    import_line: |request| {
        let module = &request.as_written?.1.module;
        (!module.contains('/')).then(|| format!("use {module};"))
    },
    test_affixes: CLASS_AFFIXES,
    usual_test: |file| file.mirrored("tests", &["src", "app"], &format!("{}Test.php", file.stem)),
    ..BASE
};

const SKELETON: BraceRules = BraceRules {
    is_function: |head| {
        let function = head.words.contains(&&b"function"[..]);
        head.has_parentheses && !head.assigns && (!head.opens_type || function)
    },
    hash_comments: true,
    long_strings: true,
    single_quoted: |rest| Some(text_length(rest, b'\'', StringSpan::Many)),
    ..BRACES
};

/// The file that a `use` or a `require` means.
fn resolve(survey: &Survey, path: &str, import: &Import) -> Vec<String> {
    if import.module.contains('/') || import.module.ends_with(".php") {
        return resolve_dots(split(path).0, import.module.trim_start_matches('/'))
            .filter(|p| survey.has(p))
            .into_iter()
            .collect();
    }
    let parts: Vec<&str> = import.module.trim_matches('\\').split('\\').collect();
    // The first segments are a prefix that stands for `src`: how many is written in composer.json, so try.
    let roots = roots(path, &["src", "app", "lib"]);
    (0..parts.len())
        .find_map(|skip| {
            let file = format!("{}.php", parts[skip..].join("/"));
            roots.iter().find_map(|root| survey.first([join(root, &file)]))
        })
        .into_iter()
        .collect()
}

/// Only methods named `test…` are copied: an attribute may not fit a neighbouring method.
fn canaries(request: &CanaryRequest<'_>) -> Option<(String, Vec<String>)> {
    if !request.model.name.contains("::test") || request.runner != Runner::Phpunit {
        return None;
    }
    beside_canary::in_class(request, |name, word, n| {
        let body = if n == 1 {
            format!("self::assertSame('{word}', '');")
        } else {
            format!("throw new \\RuntimeException('{word}');")
        };
        format!("public function {name}(): void\n{{\n    {body}\n}}")
    })
}
