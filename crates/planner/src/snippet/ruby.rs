//! Ruby tests: rspec, or minitest where the project has it.

use serde_json::json;
use windlass_code::detect::dir_of;
use windlass_code::survey::{Framework, Import};
use windlass_core::path_text::name_stem;

use super::template::fill;
use super::writer::{FrameworkForm, LanguageWriter, form};
use super::{TestRequest, beside, framework, from};
use crate::lint::outcome::capital;

pub(super) const WRITER: LanguageWriter =
    LanguageWriter { tests: write, usual: Some(Framework::Rspec), scenario: |_, _, _| None };

pub(super) const RSPEC: FrameworkForm =
    FrameworkForm { template: include_str!("templates/rspec.rb.j2"), ..FrameworkForm::NONE };

pub(super) const MINITEST: FrameworkForm = FrameworkForm {
    template: include_str!("templates/minitest.rb.j2"),
    words: &[("library", "minitest/autorun")],
    ..FrameworkForm::NONE
};

fn write(request: &TestRequest<'_>) -> Option<String> {
    let is_spec = request.wanted.file.ends_with("_spec.rb");
    let form = if is_spec { framework(request).map_or(&RSPEC, form) } else { &MINITEST };
    let class: String = name_stem(request.wanted.subject).split('_').map(capital).collect();
    let values = json!({
        "requires": requires(request, form),
        "constant": request.frame.names.first()?,
        "class": class,
    });
    fill(form.template, request, values)
}

/// The lines that load the code, as the tests beside have them: a helper first, then the file by its place in `lib` or by
/// the way to it.
fn requires(request: &TestRequest<'_>, form: &FrameworkForm) -> Vec<serde_json::Value> {
    let line = |word: &str, module: &str| json!({ "word": word, "module": module });
    let (test, subject) = (request.wanted.file, request.wanted.subject.trim_end_matches(".rb"));
    let facts = beside(request, &[".rb"]).first().and_then(|path| request.survey.facts(path));
    let imports = facts.as_ref().map(|facts| facts.imports.as_slice()).unwrap_or_default();
    let helper = imports.iter().find(|import| import.module.ends_with("_helper"));
    let mut out = Vec::new();
    if let Some(helper) = helper {
        let word = if helper.names.is_empty() { "require" } else { "require_relative" };
        out.push(line(word, &helper.module));
    } else if !form.word("library").is_empty() {
        out.push(line("require", form.word("library")));
    }
    let inner = subject.split_once("lib/").filter(|(before, _)| before.is_empty() || before.ends_with('/'));
    let by_name = |import: &Import| {
        import.names.is_empty()
            && request.survey.has(&format!(
                "{}lib/{}.rb",
                inner.map_or("", |(before, _)| before),
                import.module
            ))
    };
    match inner {
        Some((_, inner)) if imports.iter().any(by_name) => out.push(line("require", inner)),
        _ => out.push(line("require_relative", &from(dir_of(test), subject))),
    }
    out
}
