//! Rust.

mod cargo;
mod errors;
mod expectation;
mod imports;
mod macro_text;
mod made;
mod mutation;
mod reach;
mod setup;
mod syntax;
mod test_faults;
#[cfg(test)]
mod tests;
mod tooling;
mod tricks;

use std::fmt::Write as _;

pub(crate) use cargo::{CargoPackage, cargo_package, cargo_root};

use windlass_core::path_text::{dir_of, file_name};
use windlass_core::report::Runner;

use super::row::{BASE, LanguageRow, NewProjectFiles, TypeLayout};
use super::stub::{with_body, with_method_bodies};
use crate::detect::Folder;
use crate::language::Language;
use crate::survey::{Framework, ImportForm, TestFile, TestShape, TestStyle, UntestedFile};
use crate::syntax::CanaryRequest;
use crate::syntax::reformatted::FormRules;
use crate::syntax::same_test::{ends_with_path, same_path};
use crate::syntax::signature::{NAME_FIRST, SignatureRules, last_segments};
use crate::syntax::skeleton::{BRACES, BraceRules, braces, find};
use crate::syntax::source::{ParsedText, named_children};
use crate::syntax::style::TestFileText;

pub(crate) const ROW: LanguageRow = LanguageRow {
    fence: "rust",
    extensions: &["rs"],
    family: Language::Rust,
    new_project: NewProjectFiles {
        folder: "src",
        setup: &["Cargo.toml"],
        package: Some("src/lib.rs"),
        entry: Some("src/main.rs"),
        about: "The crate is called `{name}`; tests in `tests/` use its library, `{name}`.",
    },
    manifests: &["Cargo.toml"],
    manifest_rank: 1,
    code_below: Some("src"),
    declaring_files: &["mod.rs", "lib.rs"],
    test_option: |path| Some(format!("--test {}", file_name(path).strip_suffix(".rs")?)),
    prose_names: &["Rust", "Cargo", "Tokio", "Axum"],
    runners: &[Runner::CargoTest, Runner::Nextest],
    is_test: |stem, folder| {
        stem == "tests" || stem.ends_with("_test") || stem.ends_with("_tests") || folder() != Folder::Plain
    },
    test_by_place: |folder| folder == "tests",
    is_collected: |path| file_name(path) != "mod.rs" || !path.split('/').any(|part| part == "tests"),
    tooling: tooling::TOOLING,
    literal_words: &["true", "false", "None"],
    literal_calls: &["Some(", "Ok(", "Err(", "vec!["],
    type_layout: TypeLayout::SeparateBlock,
    attribute_mark: Some('#'),
    only_own_methods: true,
    stub: |code| {
        let functions = with_body(code, "fn ", " {\n    panic!(\"not written yet\")\n}");
        Some(with_method_bodies(&functions, "fn ", " {\n        panic!(\"not written yet\")\n    }"))
    },
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    exports: syntax::exports,
    imports: syntax::imports,
    tests: syntax::tests,
    test_wrappers: syntax::test_only_items,
    bases: |source, _| implemented(source),
    style: |file| Some(style(file)),
    skeleton,
    signature: SignatureRules {
        // `pub(crate)` has a parenthesis of its own.
        opening: |signature| {
            let from = signature.find("fn ")?;
            signature.get(from..)?.find('(').map(|at| at + from)
        },
        result: |after| after.strip_prefix("->")?.split(" where ").next(),
        normal_type: last_segments,
        ..NAME_FIRST
    },
    hides_exports: |text, _| hides_exports(text),
    name_in,
    same_test,
    canaries,
    tricks: tricks::look,
    reaches_out: reach::reaches_out,
    debug_switch: Some((
        "debug_assertions",
        "CARGO_PROFILE_DEV_DEBUG_ASSERTIONS=false CARGO_PROFILE_TEST_DEBUG_ASSERTIONS=false",
    )),
    errors: Some(|text, owned, _| errors::read(text, owned)),
    test_faults: test_faults::read,
    mutation: mutation::RULES,
    expectation: expectation::RULES,
    form: FormRules {
        imports: &["use_declaration"],
        import_lists: &["use_list"],
        groups: &["parenthesized_expression"],
        telling_commas: &["tuple_expression", "tuple_type", "tuple_pattern", "token_tree"],
        idle_places: Some(|_| Vec::new()),
        ..FormRules::NONE
    },
    resolve: imports::resolve,
    import_words: &[(b"use", ImportForm::Statement), (b"extern", ImportForm::Statement)],
    names_are_files: true,
    import_terms: imports::terms,
    import_line: imports::import_line,
    usual_test,
    inline_tests: true,
    ..BASE
};

/// The traits that a file implements.
fn implemented(source: &ParsedText<'_>) -> Vec<String> {
    named_children(source.root())
        .into_iter()
        .filter(|node| node.kind() == "impl_item")
        .filter_map(|node| source.field(node, "trait"))
        .collect()
}

fn style(file: &TestFileText<'_>) -> TestStyle {
    let apart = file.path.split('/').rev().skip(1).any(|dir| dir == "tests");
    let shape = if apart { TestShape::Functions } else { TestShape::Inline };
    TestStyle { framework: Framework::Rust, shape }
}

/// Macros at item level and wildcards that are passed on.
fn hides_exports(text: &str) -> bool {
    let macro_item = |line: &str| {
        line.split_once('!').is_some_and(|(name, rest)| {
            !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b':')
                && rest.trim_start().starts_with(['{', '(', '['])
        })
    };
    let passes_all_on = |line: &str| line.trim_start().starts_with("pub use") && line.contains('*');
    text.lines().any(|line| macro_item(line) || passes_all_on(line))
}

/// cargo names the tests of a file that is a test program of its own by the program: `tests/it.rs`.
fn name_in(path: &str, name: &str) -> String {
    let program = path.strip_prefix("tests/").is_some_and(|file| !file.contains('/'));
    if program { format!("{path} {name}") } else { format!("{path}::{name}") }
}

fn usual_test(file: &UntestedFile<'_>) -> Option<TestFile> {
    let in_crate = file.stem == "main" || file.inner.starts_with("src") || file.inner.is_empty();
    in_crate.then(|| TestFile { path: file.path.to_owned(), inline: true })
}

fn skeleton(bytes: &[u8]) -> Option<Vec<u8>> {
    const RULES: BraceRules = BraceRules {
        is_function: |head| head.has_parentheses && head.words.contains(&&b"fn"[..]),
        long_strings: true,
        single_quoted: character_length,
        raw_string: raw_length,
        ..BRACES
    };
    // Tests in a module of the file, and macros with items in them, need their bodies.
    if find(bytes, b"#[test]").is_some() || find(bytes, b"::test]").is_some() {
        return None;
    }
    braces(&RULES, bytes)
}

/// `'x'` and `'\n'`, but not the lifetime `'a`.
fn character_length(rest: &[u8]) -> Option<usize> {
    if rest.get(1) == Some(&b'\\') {
        return rest.iter().skip(3).position(|byte| *byte == b'\'').map(|at| at + 4);
    }
    // A character has at most four bytes.
    (2..=5).find(|at| rest.get(*at) == Some(&b'\'')).filter(|at| *at == 2 || rest[1] >= 0x80).map(|at| at + 1)
}

/// `r"…"` and `r#"…"#`.
fn raw_length(rest: &[u8]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
    (rest.get(1 + hashes) == Some(&b'"')).then_some(())?;
    let mut end = vec![b'"'];
    end.extend(std::iter::repeat_n(b'#', hashes));
    let from = 2 + hashes;
    find(&rest[from..], &end).map(|at| from + at + end.len())
}

/// cargo gives the program and the path of the modules.
fn same_test(report: &str, path: &str, name: &str) -> bool {
    let Some((target, test)) = report.split_once(' ') else { return ends_with_path(report, name).is_some() };
    let Some(modules) = ends_with_path(test, name) else { return false };
    let source = target.split(['@', '#']).next().unwrap_or(target);
    let integration = path.split('/').rev().skip(1).any(|dir| dir == "tests");
    if Language::of_path(source) == Some(Language::Rust) {
        let in_tests = source.starts_with("tests/") || source.contains("/tests/");
        if in_tests != integration {
            return false;
        }
        if in_tests {
            // `tests/it.rs` holds its own tests, `tests/it/main.rs` also those of its neighbours.
            let dir = dir_of(source);
            return same_path(source, path)
                || (source.ends_with("/main.rs") && path.contains(&format!("{dir}/")));
        }
    }
    integration || modules.is_empty() || module_path(path).ends_with(modules)
}

/// `a::b` for `crates/x/src/a/b.rs`.
fn module_path(path: &str) -> String {
    let inner = path.rsplit_once("src/").map_or(path, |(_, inner)| inner);
    let inner = inner.trim_end_matches(".rs");
    let inner = inner.trim_end_matches("/mod");
    let inner = if matches!(inner, "lib" | "main") { "" } else { inner };
    inner.replace('/', "::")
}

/// Behind an existing test, so that filters by module find them too. They use nothing that a crate without `std` lacks.
fn canaries(request: &CanaryRequest<'_>) -> Option<(String, Vec<String>)> {
    if ![Runner::CargoTest, Runner::Nextest].contains(&request.runner) {
        return None;
    }
    let CanaryRequest { text, model, word, .. } = request;
    let (modules, own) = model.name.rsplit_once("::").map_or(("", model.name.as_str()), |(m, n)| (m, n));
    let name = |n: u8| format!("{own}_{word}{n}");
    let mut canaries = String::new();
    let _ = write!(
        canaries,
        "\n#[test]\nfn {}() {{ let value = {word:?}; assert_eq!(value.len(), value.len() + 1); }}\n",
        name(1)
    );
    let _ = write!(canaries, "\n#[test]\nfn {}() {{ panic!({word:?}); }}\n", name(2));
    let in_macro = text.contains("proptest!");
    let (at, modules) = if in_macro || !text.is_char_boundary(model.range.end) {
        (text.len(), "")
    } else {
        (model.range.end, modules)
    };
    let full = |n: u8| if modules.is_empty() { name(n) } else { format!("{modules}::{}", name(n)) };
    let out = format!("{}\n{canaries}{}", &text[..at], &text[at..]);
    Some((out, vec![full(1), full(2)]))
}
