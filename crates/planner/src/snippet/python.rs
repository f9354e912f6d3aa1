//! Python tests: pytest functions or unittest classes.

use serde_json::json;
use windlass_code::survey::{Framework, Survey, TestShape};

use super::example::Check;
use super::template::fill;
use super::{TestRequest, near};
use crate::lint::outcome::capital;
use windlass_code::detect::dir_of;

pub(super) fn write(request: &TestRequest<'_>) -> Option<String> {
    let module = module_of(request.survey, request.wanted.subject)?;
    let style = request.survey.conventions_for(request.wanted.file).and_then(|c| c.style);
    let unittest = style.is_some_and(|style| style.framework == Framework::Unittest);
    let classes = unittest || style.is_some_and(|style| style.shape == TestShape::Classes);
    let raises = request
        .frame
        .cases
        .iter()
        .flat_map(|case| &case.checks)
        .any(|check| matches!(check, Check::Raises { .. }));
    let stem = request.wanted.subject.rsplit('/').next()?.trim_end_matches(".py");
    let class = classes.then(|| format!("Test{}", stem.split('_').map(capital).collect::<String>()));
    if unittest {
        let values = json!({ "module": module, "class": class });
        return fill(include_str!("templates/unittest.py.j2"), request, values);
    }
    let (indent, receiver) = if classes { ("    ", "self") } else { ("", "") };
    let values =
        json!({ "module": module, "class": class, "raises": raises, "indent": indent, "receiver": receiver });
    fill(include_str!("templates/pytest.py.j2"), request, values)
}

/// How the tests of the repository would import a file: from the root that its other imports show, else from the
/// nearest directory that a test run has on its path for certain. `None` when that is not clear.
pub(super) fn module_of(survey: &Survey, subject: &str) -> Option<String> {
    let root = shown_root(survey, subject).or_else(|| usual_root(survey, subject))?;
    let inner = if root.is_empty() { subject } else { subject.strip_prefix(&root)?.strip_prefix('/')? };
    let module = inner.trim_end_matches(".py").trim_end_matches("/__init__").replace('/', ".");
    let fits = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !part.starts_with(|c: char| c.is_ascii_digit())
    };
    module.split('.').all(fits).then_some(module)
}

/// The root of full import names, taken from a file above the subject.
fn shown_root(survey: &Survey, subject: &str) -> Option<String> {
    near(survey, subject, &|path| path.ends_with(".py")).into_iter().find_map(|path| {
        let facts = survey.facts(path)?;
        let absolute: Vec<&str> =
            facts.imports.iter().map(|i| i.module.as_str()).filter(|m| !m.starts_with('.')).collect();
        if absolute.is_empty() {
            return None;
        }
        survey.imported_by(path).into_iter().find_map(|found| {
            let dotted = found.trim_end_matches(".py").trim_end_matches("/__init__").replace('/', ".");
            absolute.iter().find_map(|module| {
                let root = dotted.strip_suffix(module)?;
                let root = root.trim_end_matches('.').replace('.', "/");
                let above =
                    root.is_empty() || subject.strip_prefix(&root).is_some_and(|rest| rest.starts_with('/'));
                above.then_some(root)
            })
        })
    })
}

/// The member's directory, which `python -m pytest` has on its path; `src` where the member can be installed.
fn usual_root(survey: &Survey, subject: &str) -> Option<String> {
    let member = survey.member(subject);
    let dir = member.map_or("", |m| m.dir.as_str());
    let inner = if dir.is_empty() { subject } else { subject.strip_prefix(dir)?.strip_prefix('/')? };
    if !inner.starts_with("src/") {
        return Some(dir.to_owned());
    }
    let src = if dir.is_empty() { "src".to_owned() } else { format!("{dir}/src") };
    let installable =
        member.is_some_and(|m| m.manifest.ends_with("pyproject.toml") || m.manifest.ends_with("setup.py"));
    // `src/x.py` itself is imported in two ways; a package below `src` in one.
    (installable && dir_of(subject) != src).then_some(src)
}
