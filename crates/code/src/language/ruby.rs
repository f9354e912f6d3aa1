//! Ruby.

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
use super::row::{BASE, LanguageRow, NewProjectFiles, TypeLayout};
use crate::detect::Folder;
use crate::language::Language;
use crate::survey::{
    Framework, Import, ImportForm, ImportRequest, Survey, TestShape, TestStyle, join, resolve_dots, roots,
    split,
};
use crate::syntax::CanaryRequest;
use crate::syntax::same_test::{same_path, same_title};
use crate::syntax::signature::{NAME_FIRST, Parameter, SignatureRules, split as split_list, split_default};
use crate::syntax::style::TestFileText;

pub(crate) const ROW: LanguageRow = LanguageRow {
    fence: "ruby",
    extensions: &["rb"],
    family: Language::Ruby,
    comment: "#",
    source_folder: "lib",
    new_project: NewProjectFiles {
        folder: "lib",
        setup: &["Gemfile"],
        package: None,
        entry: Some("lib/cli.rb"),
        about: "The `Gemfile` lists the library that runs the tests: rspec, unless the documents name another.",
    },
    manifests: &["Gemfile", "*.gemspec"],
    manifest_rank: 7,
    helper_endings: &["_helper.rb"],
    prose_names: &["Ruby", "Rails", "RSpec"],
    runners: &[Runner::Rspec, Runner::Minitest],
    is_test: |stem, folder| {
        stem.ends_with("_spec")
            || stem.ends_with("_test")
            || stem.starts_with("test_")
            || folder() != Folder::Plain
    },
    tooling: tooling::TOOLING,
    single_quotes: true,
    literal_words: &["true", "false", "nil"],
    list_literals: true,
    static_word: Some("self"),
    modules_hold_functions: true,
    type_layout: TypeLayout::Ended,
    declaration: |signature| format!("{signature}; end"),
    grammar: windlass_grammars::ruby,
    exports: syntax::exports,
    imports: syntax::imports,
    tests: syntax::tests,
    bases: |source, _| syntax::bases(source),
    style: |file| Some(style(file)),
    fixtures,
    // The blocks of a text end in words that can stand anywhere, so nothing can be cut out of it.
    skeleton: |_| None,
    signature: SignatureRules {
        parameters: |_, inside| split_list(inside, ',').iter().map(|part| parameter(part)).collect(),
        result: |_| None,
        ..NAME_FIRST
    },
    hides_exports: |text, _| text.contains("define_method") || text.contains("method_missing"),
    same_test,
    canaries,
    errors: Some(|text, owned, _| errors::read(text, owned)),
    mutation: mutation::RULES,
    expectation: expectation::RULES,
    tricks: |look| tricks::TABLE.look(look),
    reaches_out: reach::reaches_out,
    resolve,
    import_words: &[(b"require", ImportForm::Line)],
    import_line,
    test_affixes: &[("test_", ""), ("", "_test"), ("", "_spec")],
    usual_test: |file| file.mirrored("spec", &["lib", "app"], &format!("{}_spec.rb", file.stem)),
    ..BASE
};

fn style(file: &TestFileText<'_>) -> TestStyle {
    let classes = file.most_have("::test_") || file.bases.iter().any(|base| base.contains("Test"));
    if classes {
        TestStyle { framework: Framework::Minitest, shape: TestShape::Classes }
    } else {
        TestStyle { framework: Framework::Rspec, shape: TestShape::Suites }
    }
}

/// What rspec's `let` sets up.
fn fixtures(text: &str) -> Vec<String> {
    let named = |line: &str| {
        let rest = line.strip_prefix("let(:").or_else(|| line.strip_prefix("let!(:"))?;
        rest.split(')').next().map(str::to_owned)
    };
    text.lines().filter_map(|line| named(line.trim())).collect()
}

/// `a`, `b = 1`, `key:`, `key: 1`, `*rest`, `&block`.
fn parameter(part: &str) -> Parameter {
    let (text, default) = split_default(part);
    let rest = text.starts_with(['*', '&']);
    let (name, after) = text.split_once(':').unwrap_or((&text, ""));
    Parameter {
        name: name.trim_matches(['*', '&', ' ']).to_owned(),
        kind: None,
        optional: default || rest || !after.trim().is_empty(),
        rest,
    }
}

/// The file that a `require` means.
fn resolve(survey: &Survey, path: &str, import: &Import) -> Vec<String> {
    let file = format!("{}.rb", import.module.trim_end_matches(".rb"));
    let near = import.names.first().is_some_and(|how| how == "relative");
    if near {
        return resolve_dots(split(path).0, &file).filter(|p| survey.has(p)).into_iter().collect();
    }
    let roots = roots(path, &["lib", "app", "spec", "test"]);
    roots.iter().find_map(|root| survey.first([join(root, &file)])).into_iter().collect()
}

fn import_line(request: &ImportRequest<'_>) -> Option<String> {
    let (importer, import) = request.as_written?;
    let relative = import.names.first().is_some_and(|how| how == "relative");
    if !relative {
        return Some(format!("require \"{}\"", import.module));
    }
    (split(importer).0 == request.here).then(|| format!("require_relative \"{}\"", import.module))
}

/// rspec leaves blanks out where a title begins like a method; minitest and Rails make method names of titles. What stands
/// in `#{…}` may be anything, and an example without a title has one made for it.
fn same_test(report: &str, path: &str, name: &str) -> bool {
    let report = match report.split_once("::") {
        Some((file, rest)) if Language::of_path(file) == Some(Language::Ruby) => {
            if !same_path(file, path) {
                return false;
            }
            rest
        }
        _ => report,
    };
    let plain = |text: &str| {
        let words: Vec<String> = text.replace("::", " ").split_whitespace().map(str::to_owned).collect();
        words.join(" ").replace(" #", "#").replace(" .", ".")
    };
    let (said, wanted) = (plain(report), plain(&name.replace("#{", "${")));
    let rails = || {
        let (class, title) = name.rsplit_once("::")?;
        Some(format!("{class} test_{}", title.split_whitespace().collect::<Vec<_>>().join("_")))
    };
    same_title(&said, &wanted)
        || (name.ends_with(' ') && said.starts_with(&wanted))
        || rails().is_some_and(|rails| said == plain(&rails))
}

fn canaries(request: &CanaryRequest<'_>) -> Option<(String, Vec<String>)> {
    let own = request.text.get(request.model.range.clone())?;
    if request.runner == Runner::Minitest && own.starts_with("def ") {
        return beside_canary::in_class(request, minitest);
    }
    if request.runner == Runner::Rspec { rspec(request, own) } else { None }
}

fn minitest(name: &str, word: &str, n: u8) -> String {
    let body = if n == 1 { format!("assert_equal \"{word}\", \"\"") } else { format!("raise \"{word}\"") };
    format!("def {name}\n  {body}\nend")
}

/// Two examples of the model's group, whose titles begin like its own.
fn rspec(request: &CanaryRequest<'_>, own: &str) -> Option<(String, Vec<String>)> {
    let CanaryRequest { model, word, .. } = request;
    let quote = own.chars().find(|c| matches!(c, '"' | '\''))?;
    let title = own.split(quote).nth(1)?;
    let prefix = model.name.strip_suffix(title)?;
    if title.contains(['#', '\\']) {
        return None;
    }
    let one = |n: u8, body: String| {
        let name = format!("{title} {word}{n}");
        (format!("it {quote}{name}{quote} do\n  {body}\nend"), format!("{prefix}{name}"))
    };
    let equal = one(1, format!("expect(\"{word}\").to eq(\"\")"));
    beside_canary::behind(request, vec![equal, one(2, format!("raise \"{word}\""))])
}
