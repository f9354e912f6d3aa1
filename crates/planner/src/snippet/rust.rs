//! Rust tests of their own, in `tests/`.

use serde_json::json;

use windlass_code::survey::Framework;

use super::TestRequest;
use super::template::fill;
use super::writer::{FrameworkForm, LanguageWriter, double, snake};
use crate::lint::outcome::ExpectedOutcome;

pub(super) const WRITER: LanguageWriter = LanguageWriter {
    tests: write,
    usual: Some(Framework::Rust),
    scenario: |_, words, _| Some(format!("#[test] fn {}() {{ … }}", words.join("_"))),
};

pub(super) const FORM: FrameworkForm =
    FrameworkForm { template: include_str!("templates/rust.rs.j2"), assertion, ..FrameworkForm::NONE };

fn write(request: &TestRequest<'_>) -> Option<String> {
    let (test, subject) = (request.wanted.file, request.wanted.subject);
    // A test module inside the file is written with the file.
    if test == subject {
        return None;
    }
    let member = request.survey.member(subject)?;
    let name = member.name.as_ref().filter(|_| member.manifest.ends_with("Cargo.toml"))?.replace('-', "_");
    let inner =
        if member.dir.is_empty() { subject } else { subject.strip_prefix(&member.dir)?.strip_prefix('/')? };
    let module =
        inner.strip_prefix("src/")?.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
    // A binary has no interface that a test could use.
    if module.starts_with("main") || module.starts_with("bin::") {
        return None;
    }
    let path = if module == "lib" { name } else { format!("{name}::{module}") };
    let used = request.frame.used();
    let list = match used.as_slice() {
        [one] => (*one).to_owned(),
        several => format!("{{{}}}", several.join(", ")),
    };
    fill(FORM.template, request, json!({ "path": path, "list": list }))
}

fn assertion(outcome: &ExpectedOutcome) -> Option<String> {
    match outcome {
        ExpectedOutcome::Compares { subject, sign, number } => {
            Some(format!("assert!({} {sign} {number});", snake(subject)))
        }
        ExpectedOutcome::Validates { subject, sample } => {
            Some(format!("assert!(!validate_{}({sample:?}));", snake(subject)))
        }
        ExpectedOutcome::Sees { text }
        | ExpectedOutcome::Shows { text }
        | ExpectedOutcome::Alerts { about: text } => Some(format!("assert!(output.contains({text:?}));")),
        ExpectedOutcome::Status { code } => Some(format!("assert_eq!(response.status(), {code});")),
        ExpectedOutcome::Returns { value } => Some(format!("assert_eq!(result, {});", double(value))),
        ExpectedOutcome::Answers { value } => {
            Some(format!("assert_eq!(response.body(), {});", double(value)))
        }
        ExpectedOutcome::Rejects { error } => {
            Some(format!("assert!(act().unwrap_err().to_string().contains({error:?}));"))
        }
        ExpectedOutcome::Scenario { .. } => None,
    }
}
