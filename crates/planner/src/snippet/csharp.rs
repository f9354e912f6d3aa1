//! C# tests: xUnit or NUnit, where the project has one of them.

use serde_json::json;
use windlass_code::survey::Language;
use windlass_core::path_text::name_stem;

use super::template::fill;
use super::writer::{FrameworkForm, LanguageWriter, form};
use super::{TestRequest, framework, package};

pub(super) const WRITER: LanguageWriter =
    LanguageWriter { tests: write, usual: None, scenario: |_, _, _| None };

pub(super) const XUNIT: FrameworkForm = FrameworkForm {
    template: include_str!("templates/dotnet.cs.j2"),
    words: &[("using", "Xunit"), ("attribute", "Fact"), ("equal", "Equal")],
    ..FrameworkForm::NONE
};

pub(super) const NUNIT: FrameworkForm = FrameworkForm {
    words: &[("using", "NUnit.Framework"), ("attribute", "Test"), ("equal", "AreEqual")],
    ..XUNIT
};

fn write(request: &TestRequest<'_>) -> Option<String> {
    let form = form(framework(request)?);
    let values = json!({
        "using": form.word("using"),
        "attribute": form.word("attribute"),
        "equal": form.word("equal"),
        "namespace": package(request, Language::CSharp)?,
        "class": name_stem(request.wanted.file),
    });
    fill(form.template, request, values)
}
