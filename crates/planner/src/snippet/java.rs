//! Java tests: JUnit 5, or 4 where the project has it.

use serde_json::json;
use windlass_code::detect::dir_of;
use windlass_code::survey::{Framework, Language};
use windlass_core::path_text::name_stem;

use super::template::fill;
use super::{TestRequest, framework, package};

pub(super) fn write(request: &TestRequest<'_>) -> Option<String> {
    let from_path = || {
        let inner = request.wanted.subject.split("src/main/java/").nth(1)?;
        Some(dir_of(inner).replace('/', "."))
    };
    let package = package(request, Language::Java).or_else(from_path)?;
    let class = name_stem(request.wanted.file);
    let (annotation, assertions, public) = if framework(request) == Some(Framework::Junit4) {
        ("org.junit.Test", "org.junit.Assert", "public ")
    } else {
        ("org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions", "")
    };
    let values = json!({
        "package": package,
        "class": class,
        "annotation": annotation,
        "assertions": assertions,
        "public": public,
    });
    fill(include_str!("templates/junit.java.j2"), request, values)
}
