//! Ruby tests: rspec, or minitest where the project has it.

use serde_json::json;
use windlass_code::detect::dir_of;
use windlass_code::survey::{Framework, Import};
use windlass_core::path_text::name_stem;

use super::template::fill;
use super::{TestRequest, beside, framework, from};
use crate::lint::outcome::capital;

pub(super) fn write(request: &TestRequest<'_>) -> Option<String> {
    let minitest =
        framework(request) == Some(Framework::Minitest) || !request.wanted.file.ends_with("_spec.rb");
    let constant = request.frame.names.first()?;
    let requires = requires(request, minitest);
    if minitest {
        let class: String = name_stem(request.wanted.subject).split('_').map(capital).collect();
        let values = json!({ "requires": requires, "class": class });
        return fill(include_str!("templates/minitest.rb.j2"), request, values);
    }
    let values = json!({ "requires": requires, "constant": constant });
    fill(include_str!("templates/rspec.rb.j2"), request, values)
}

/// The lines that load the code, as the tests beside have them: a helper first, then the file by its place in `lib` or by
/// the way to it.
fn requires(request: &TestRequest<'_>, minitest: bool) -> Vec<serde_json::Value> {
    let line = |word: &str, module: &str| json!({ "word": word, "module": module });
    let (test, subject) = (request.wanted.file, request.wanted.subject.trim_end_matches(".rb"));
    let facts = beside(request, &[".rb"]).first().and_then(|path| request.survey.facts(path));
    let imports = facts.as_ref().map(|facts| facts.imports.as_slice()).unwrap_or_default();
    let helper = imports.iter().find(|import| import.module.ends_with("_helper"));
    let mut out = Vec::new();
    if let Some(helper) = helper {
        let word = if helper.names.is_empty() { "require" } else { "require_relative" };
        out.push(line(word, &helper.module));
    } else if minitest {
        out.push(line("require", "minitest/autorun"));
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
