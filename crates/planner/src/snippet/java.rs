//! Java tests: JUnit 5, or 4 where the project has it.

use serde_json::json;
use windlass_code::detect::dir_of;
use windlass_code::survey::{Framework, Language};
use windlass_core::path_text::name_stem;

use super::template::fill;
use super::writer::{FrameworkForm, LanguageWriter, form};
use super::{TestRequest, framework, package};

pub(super) const WRITER: LanguageWriter =
    LanguageWriter { tests: write, usual: Some(Framework::Junit5), scenario: |_, _, _| None };

pub(super) const JUNIT5: FrameworkForm = FrameworkForm {
    template: include_str!("templates/junit.java.j2"),
    words: &[
        ("annotation", "org.junit.jupiter.api.Test"),
        ("assertions", "org.junit.jupiter.api.Assertions"),
    ],
    ..FrameworkForm::NONE
};

pub(super) const JUNIT4: FrameworkForm = FrameworkForm {
    words: &[("annotation", "org.junit.Test"), ("assertions", "org.junit.Assert"), ("public", "public ")],
    ..JUNIT5
};

fn write(request: &TestRequest<'_>) -> Option<String> {
    let from_path = || {
        let inner = request.wanted.subject.split("src/main/java/").nth(1)?;
        Some(dir_of(inner).replace('/', "."))
    };
    let package = package(request, Language::Java).or_else(from_path)?;
    let class = name_stem(request.wanted.file);
    let form = framework(request).map_or(&JUNIT5, form);
    let values = json!({
        "package": package,
        "class": class,
        "annotation": form.word("annotation"),
        "assertions": form.word("assertions"),
        "public": form.word("public"),
    });
    fill(form.template, request, values)
}
