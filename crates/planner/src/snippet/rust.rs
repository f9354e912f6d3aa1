//! Rust tests of their own, in `tests/`.

use serde_json::json;

use super::TestRequest;
use super::template::fill;

pub(super) fn write(request: &TestRequest<'_>) -> Option<String> {
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
    fill(include_str!("templates/rust.rs.j2"), request, json!({ "path": path, "list": list }))
}
