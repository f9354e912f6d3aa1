//! Tests in C++ with GoogleTest or Catch2, where the tests beside show how a header is included.
//!
//! How a test is built and linked is written in no convention, so without a neighbour there is nothing.

use serde_json::json;
use windlass_code::survey::Language;

use super::template::fill;
use super::writer::{FrameworkForm, LanguageWriter, form};
use super::{TestRequest, beside, from};
use crate::lint::outcome::capital;
use windlass_code::detect::{dir_of, text};

pub(super) const WRITER: LanguageWriter =
    LanguageWriter { tests: write, usual: None, scenario: |_, _, _| None };

pub(super) const GTEST: FrameworkForm =
    FrameworkForm { template: include_str!("templates/gtest.cpp.j2"), ..FrameworkForm::NONE };

pub(super) const CATCH2: FrameworkForm =
    FrameworkForm { template: include_str!("templates/catch2.cpp.j2"), ..FrameworkForm::NONE };

fn write(request: &TestRequest<'_>) -> Option<String> {
    let (test, subject) = (request.wanted.file, request.wanted.subject);
    // What is not in a header cannot be seen by a test.
    if !Language::is_header(subject) {
        return None;
    }
    let form = form(request.survey.conventions_for(test).and_then(|c| c.style)?.framework);
    let is_frame = |line: &&str| {
        line.starts_with("#include") && ["gtest", "catch"].iter().any(|name| line.contains(name))
    };
    let (frame, include) = beside(request, &[".cpp", ".cc", ".cxx"]).into_iter().find_map(|path| {
        let shown = text(request.tree, path)?;
        let frame = shown.lines().find(is_frame)?.to_owned();
        Some((frame, included(request, &shown)?))
    })?;
    let stem = subject.rsplit('/').next()?.split('.').next()?;
    let suite: String = stem.split(['_', '-']).map(capital).collect();
    let indent = request.survey.conventions_for(test).and_then(|c| c.indent.clone());
    let indent = indent.unwrap_or_else(|| "    ".to_owned());
    let values = json!({ "framework": frame, "header": include, "suite": suite, "indent": indent });
    fill(form.template, request, values)
}

/// The header as the test beside would name it: by the way from the test, or by its path below a directory that is
/// searched.
fn included(request: &TestRequest<'_>, shown: &str) -> Option<String> {
    let (test, subject) = (request.wanted.file, request.wanted.subject);
    let by_way = from(dir_of(test), subject);
    let quoted = |line: &str| line.strip_prefix("#include \"")?.strip_suffix('"').map(str::to_owned);
    shown.lines().filter_map(|line| quoted(line.trim())).find_map(|header| {
        if header.starts_with("../") {
            return Some(by_way.clone());
        }
        let found = request.survey.sources().find(|path| path.ends_with(&format!("/{header}")))?;
        let root = found.strip_suffix(&header)?;
        subject.strip_prefix(root).map(str::to_owned)
    })
}
