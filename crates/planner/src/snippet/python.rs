//! Python tests: pytest functions or unittest classes.

use serde_json::json;
use windlass_code::survey::{Framework, Survey, TestShape};

use super::example::Check;
use super::template::fill;
use super::writer::{FrameworkForm, LanguageWriter, form, snake};
use super::{TestRequest, near};
use crate::lint::outcome::{ExpectedOutcome, capital, error_class};
use windlass_code::detect::dir_of;

pub(super) const WRITER: LanguageWriter = LanguageWriter {
    tests: write,
    usual: Some(Framework::Pytest),
    scenario: |_, words, form| Some(format!("def test_{}({}): …", words.join("_"), form.word("receiver"))),
};

pub(super) const PYTEST: FrameworkForm = FrameworkForm {
    template: include_str!("templates/pytest.py.j2"),
    assertion: pytest,
    ..FrameworkForm::NONE
};

pub(super) const UNITTEST: FrameworkForm = FrameworkForm {
    template: include_str!("templates/unittest.py.j2"),
    words: &[("receiver", "self")],
    grouped: true,
    assertion: unittest,
    ..FrameworkForm::NONE
};

fn write(request: &TestRequest<'_>) -> Option<String> {
    let module = module_of(request.survey, request.wanted.subject)?;
    let style = request.survey.conventions_for(request.wanted.file).and_then(|c| c.style);
    let form = style.map_or(&PYTEST, |style| form(style.framework));
    let classes = form.grouped || style.is_some_and(|style| style.shape == TestShape::Classes);
    let raises = request
        .frame
        .cases
        .iter()
        .flat_map(|case| &case.checks)
        .any(|check| matches!(check, Check::Raises { .. }));
    let stem = request.wanted.subject.rsplit('/').next()?.trim_end_matches(".py");
    let class = classes.then(|| format!("Test{}", stem.split('_').map(capital).collect::<String>()));
    let (indent, receiver) = if classes { ("    ", "self") } else { ("", "") };
    let values =
        json!({ "module": module, "class": class, "raises": raises, "indent": indent, "receiver": receiver });
    fill(form.template, request, values)
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

fn pytest(outcome: &ExpectedOutcome) -> Option<String> {
    match outcome {
        ExpectedOutcome::Compares { subject, sign, number } => {
            Some(format!("assert {} {sign} {number}", snake(subject)))
        }
        ExpectedOutcome::Validates { subject, sample } => {
            Some(format!("assert validate_{}({sample:?}) is False", snake(subject)))
        }
        ExpectedOutcome::Sees { text }
        | ExpectedOutcome::Shows { text }
        | ExpectedOutcome::Alerts { about: text } => Some(format!("assert {text:?} in output")),
        ExpectedOutcome::Status { code } => Some(format!("assert response.status_code == {code}")),
        ExpectedOutcome::Returns { value } => Some(format!("assert result == {value}")),
        ExpectedOutcome::Answers { value } => Some(format!("assert response.json() == {}", python(value))),
        ExpectedOutcome::Rejects { error } => Some(match error_class(error) {
            Some(class) => format!("with pytest.raises({class}): act()"),
            None => format!("with pytest.raises(Exception, match={error:?}): act()"),
        }),
        ExpectedOutcome::Scenario { .. } => None,
    }
}

fn unittest(outcome: &ExpectedOutcome) -> Option<String> {
    match outcome {
        ExpectedOutcome::Compares { subject, sign, number } => {
            let check = match *sign {
                "<" => "assertLess",
                "<=" => "assertLessEqual",
                ">" => "assertGreater",
                _ => "assertGreaterEqual",
            };
            Some(format!("self.{check}({}, {number})", snake(subject)))
        }
        ExpectedOutcome::Validates { subject, sample } => {
            Some(format!("self.assertFalse(validate_{}({sample:?}))", snake(subject)))
        }
        ExpectedOutcome::Sees { text }
        | ExpectedOutcome::Shows { text }
        | ExpectedOutcome::Alerts { about: text } => Some(format!("self.assertIn({text:?}, output)")),
        ExpectedOutcome::Status { code } => Some(format!("self.assertEqual(response.status_code, {code})")),
        ExpectedOutcome::Returns { value } => Some(format!("self.assertEqual(result, {value})")),
        ExpectedOutcome::Answers { value } => {
            Some(format!("self.assertEqual(response.json(), {})", python(value)))
        }
        ExpectedOutcome::Rejects { error } => Some(match error_class(error) {
            Some(class) => format!("with self.assertRaises({class}): act()"),
            None => format!("with self.assertRaisesRegex(Exception, {error:?}): act()"),
        }),
        ExpectedOutcome::Scenario { .. } => None,
    }
}

/// A JSON literal as Python writes it.
fn python(value: &str) -> String {
    let names = [("true", "True"), ("false", "False"), ("null", "None")];
    if value.starts_with('\'') {
        return value.to_owned();
    }
    names.iter().fold(value.to_owned(), |text, (json, python)| {
        let parts: Vec<&str> = text.split('"').collect();
        let outside = |(at, part): (usize, &&str)| {
            if at % 2 == 0 { part.replace(json, python) } else { (*part).to_owned() }
        };
        parts.iter().enumerate().map(outside).collect::<Vec<_>>().join("\"")
    })
}
