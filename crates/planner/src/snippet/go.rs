//! Go tests in the package of the code; a table where the project's tests are tables.

use serde_json::json;
use windlass_code::survey::{Framework, Survey, TestShape};

use super::TestRequest;
use super::case::TestCase;
use super::example::Check;
use super::template::fill;
use super::writer::{FrameworkForm, LanguageWriter, double};
use crate::lint::outcome::{ExpectedOutcome, capital};
use windlass_code::detect::dir_of;

pub(super) const WRITER: LanguageWriter = LanguageWriter {
    tests: write,
    usual: Some(Framework::Go),
    scenario: |_, words, _| Some(format!("t.Run({:?}, …)", words.join(" "))),
};

pub(super) const FORM: FrameworkForm =
    FrameworkForm { template: include_str!("templates/go.go.j2"), assertion, ..FrameworkForm::NONE };

fn write(request: &TestRequest<'_>) -> Option<String> {
    if dir_of(request.wanted.file) != dir_of(request.wanted.subject) {
        return None;
    }
    let package = package_of(request.survey, request.wanted.subject)?;
    let table = request.survey.conventions_for(request.wanted.file).and_then(|c| c.style);
    let table = table.is_some_and(|style| style.shape == TestShape::Table);
    let checked = request.frame.cases.iter().all(|case| one_equals(case).is_some());
    let callee = |case: &TestCase| {
        one_equals(case).map(|(call, _)| call.split('(').next().unwrap_or_default().to_owned())
    };
    let first = request.frame.cases.first().and_then(callee);
    let kind = first.as_deref().and_then(|function| result_kind(request, function));
    if let (true, true, Some(function), Some(kind)) = (table, checked, &first, kind)
        && request.frame.cases.iter().all(|case| callee(case) == first)
    {
        let values = json!({ "package": package, "function": function, "kind": kind });
        return fill(include_str!("templates/go_table.go.j2"), request, values);
    }
    fill(FORM.template, request, json!({ "package": package }))
}

/// The package of a file: that of its neighbours, or else the name of its directory where that can be one.
pub(super) fn package_of(survey: &Survey, file: &str) -> Option<String> {
    let dir = dir_of(file);
    let mut neighbours = survey
        .sources()
        .filter(|path| dir_of(path) == dir && path.ends_with(".go") && !path.ends_with("_test.go"));
    let stated = neighbours.find_map(|path| survey.facts(path)?.package.clone());
    stated.or_else(|| {
        let name = dir.rsplit('/').next().filter(|name| !name.is_empty())?;
        name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()).then(|| name.to_owned())
    })
}

fn one_equals(case: &TestCase) -> Option<(&str, &str)> {
    match case.checks.as_slice() {
        [Check::Equals { call, value }] => Some((call, value)),
        _ => None,
    }
}

/// The type of a function's one result, where that is a plain word: `string` in `func Slug(text string) string`.
fn result_kind<'a>(request: &'a TestRequest<'_>, function: &str) -> Option<&'a str> {
    let (_, signature) = request.frame.calls.iter().find(|(name, _)| name == function)?;
    let (_, kind) = signature.rsplit_once(") ")?;
    let kind = kind.trim().trim_end_matches('{').trim();
    (!kind.is_empty() && kind.chars().all(|c| c.is_ascii_alphanumeric())).then_some(kind)
}

fn assertion(outcome: &ExpectedOutcome) -> Option<String> {
    match outcome {
        ExpectedOutcome::Compares { subject, sign, number } => {
            Some(format!("if !({subject} {sign} {number}) {{ t.Errorf(\"got %v\", {subject}) }}"))
        }
        ExpectedOutcome::Validates { subject, sample } => {
            let name = capital(subject);
            Some(format!("if Validate{name}({sample:?}) {{ t.Error(\"accepted\") }}"))
        }
        ExpectedOutcome::Sees { text }
        | ExpectedOutcome::Shows { text }
        | ExpectedOutcome::Alerts { about: text } => {
            Some(format!("if !strings.Contains(output, {text:?}) {{ t.Error(output) }}"))
        }
        ExpectedOutcome::Status { code } => {
            Some(format!("if response.StatusCode != {code} {{ t.Error(response.Status) }}"))
        }
        ExpectedOutcome::Returns { value } => {
            Some(format!("if result != {} {{ t.Errorf(\"got %v\", result) }}", double(value)))
        }
        ExpectedOutcome::Answers { value } => {
            Some(format!("if body != {} {{ t.Errorf(\"got %v\", body) }}", double(value)))
        }
        ExpectedOutcome::Rejects { .. } => Some("if err == nil { t.Error(\"no error\") }".to_owned()),
        ExpectedOutcome::Scenario { .. } => None,
    }
}
