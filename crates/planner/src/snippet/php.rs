//! PHP tests: PHPUnit, where a neighbour shows the namespace.

use serde_json::json;
use windlass_code::detect::text;
use windlass_code::survey::{Framework, Language};
use windlass_core::path_text::name_stem;

use super::template::fill;
use super::writer::{FrameworkForm, LanguageWriter};
use super::{TestRequest, beside, package};

pub(super) const WRITER: LanguageWriter =
    LanguageWriter { tests: write, usual: Some(Framework::Phpunit), scenario: |_, _, _| None };

pub(super) const FORM: FrameworkForm =
    FrameworkForm { template: include_str!("templates/phpunit.php.j2"), ..FrameworkForm::NONE };

fn write(request: &TestRequest<'_>) -> Option<String> {
    let beside = beside(request, &[".php"]).first().copied();
    let strict = beside
        .is_none_or(|path| text(request.tree, path).is_some_and(|text| text.contains("strict_types=1")));
    let values = json!({
        "namespace": package(request, Language::Php)?,
        "subject": name_stem(request.wanted.subject),
        "class": name_stem(request.wanted.file),
        "strict": strict,
        "own_namespace": beside.and_then(|path| request.survey.facts(path)?.package.clone()),
    });
    fill(FORM.template, request, values)
}
