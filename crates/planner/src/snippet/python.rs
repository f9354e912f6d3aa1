//! Python tests: pytest functions or unittest classes.

use windlass_code::survey::{Framework, Survey, TestShape};

use super::case::{TestCase, quoted};
use super::example::Check;
use super::{Ask, near};
use windlass_code::detect::dir_of;

pub(super) fn write(ask: &Ask<'_>) -> Option<String> {
    let module = module_of(ask.survey, ask.wanted.subject)?;
    let style = ask.survey.conventions_for(ask.wanted.file).and_then(|c| c.style);
    let unittest = style.is_some_and(|style| style.framework == Framework::Unittest);
    let classes = unittest || style.is_some_and(|style| style.shape == TestShape::Classes);
    let frame = &ask.frame;
    let raises =
        frame.cases.iter().flat_map(|case| &case.checks).any(|check| matches!(check, Check::Raises { .. }));
    let mut out = String::new();
    if unittest {
        out.push_str("import unittest\n\n");
    } else if raises {
        out.push_str("import pytest\n\n");
    }
    out.push_str(&format!("from {module} import {}\n", frame.used().join(", ")));
    if classes {
        let stem = ask.wanted.subject.rsplit('/').next()?.trim_end_matches(".py");
        let name: String = stem.split('_').map(capital).collect();
        let base = if unittest { "(unittest.TestCase)" } else { "" };
        out.push_str(&format!("\n\nclass Test{name}{base}:"));
    }
    for case in &frame.cases {
        out.push_str(&one(case, classes, unittest, &frame.hint()));
    }
    Some(out)
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}

fn one(case: &TestCase, classes: bool, unittest: bool, hint: &str) -> String {
    let (indent, receiver) = if classes { ("    ", "self") } else { ("", "") };
    let gap = if classes { "\n" } else { "\n\n" };
    let mut out = format!("{gap}{indent}def test_{}({receiver}):\n", case.snake());
    let mut line = |text: &str| out.push_str(&format!("{indent}    {text}\n"));
    for check in &case.checks {
        match check {
            Check::Equals { call, value } if unittest => line(&format!("self.assertEqual({call}, {value})")),
            Check::Equals { call, value } if matches!(value.as_str(), "True" | "False" | "None") => {
                line(&format!("assert {call} is {value}"));
            }
            Check::Equals { call, value } => line(&format!("assert {call} == {value}")),
            Check::Raises { call, error } => {
                let with = if unittest { "self.assertRaises" } else { "pytest.raises" };
                line(&format!("with {with}({error}):"));
                line(&format!("    {call}"));
            }
        }
    }
    if case.checks.is_empty() {
        line(&format!("# {hint}"));
        line(&format!("raise AssertionError({})", quoted(&case.says)));
    }
    out
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

/// The root below which a file that is imported by its full name stands, taken from a file above the subject.
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
