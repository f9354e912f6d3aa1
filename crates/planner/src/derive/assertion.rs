//! Test assertions for criteria of a known form, in the project's test framework.

use crate::lint::Profile;
use crate::lint::outcome::{self, ExpectedOutcome, capital, error_class};
use crate::repository::Repository;
use windlass_code::survey::{Framework, Language};
use windlass_core::plan::{Plan, Task};

/// Adds assertions to the criteria of a plan.
pub(super) fn assertions(plan: &mut Plan, repository: &Repository<'_>) {
    // homerun's planner turns every criterion of a known form into an assertion, a description too.
    let literal = plan.profile.as_deref() != Some(Profile::Homerun.as_str());
    let parts: Vec<Task> = plan.tasks.iter().filter(|t| t.parent.is_some()).cloned().collect();
    for task in &mut plan.tasks {
        // A parent is tested as its parts are.
        let part = parts.iter().find(|part| part.parent.as_ref() == Some(&task.id));
        let tested = part.cloned().unwrap_or_else(|| task.clone());
        let Some(language) = language(&tested) else { continue };
        let framework = framework(&tested, repository, language);
        for criterion in task.criteria.iter_mut().filter(|c| c.assertion.is_none()) {
            let outcome = if literal { said(&criterion.text) } else { outcome::outcome(&criterion.text) };
            criterion.assertion = match outcome {
                Some(scenario @ ExpectedOutcome::Scenario { .. }) if !literal => {
                    told(&scenario, language, framework)
                }
                outcome => outcome.and_then(|outcome| written(&outcome, language, framework)),
            };
        }
    }
}

/// A scenario as the head of a test, in the words of the project's tests.
fn told(scenario: &ExpectedOutcome, language: Language, framework: Option<Framework>) -> Option<String> {
    let ExpectedOutcome::Scenario { given, when, then } = scenario else { return None };
    if language.same_family(Language::TypeScript) {
        return Some(outcome::as_expect(scenario));
    }
    let whole = format!("{given} {when} then {then}");
    let words: Vec<&str> = whole.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let name = words.join("_");
    if language.same_family(Language::Python) {
        let this = if framework == Some(Framework::Unittest) { "self" } else { "" };
        Some(format!("def test_{name}({this}): …"))
    } else if language.same_family(Language::Rust) {
        Some(format!("#[test] fn {name}() {{ … }}"))
    } else if language.same_family(Language::Go) {
        Some(format!("t.Run({:?}, …)", words.join(" ")))
    } else {
        None
    }
}

/// The outcome that a criterion states literally; a description gives a test nothing to compare with.
fn said(text: &str) -> Option<ExpectedOutcome> {
    // A criterion with a call in code is an assertion already: `slug("A")` returns `"a"`.
    let calls = |code: &str| code.contains('(') && code.ends_with(')');
    if text.split('`').skip(1).step_by(2).any(calls) {
        return None;
    }
    let outcome = outcome::outcome(text)?;
    let shown = match &outcome {
        ExpectedOutcome::Sees { text } | ExpectedOutcome::Shows { text } => text,
        // What raises the error is not said: an assertion would have to make it up.
        ExpectedOutcome::Alerts { .. } | ExpectedOutcome::Rejects { .. } => return None,
        // Words of a sentence are no name of a value or a function.
        ExpectedOutcome::Compares { subject, .. } | ExpectedOutcome::Validates { subject, .. } => {
            let is_named = text.split('`').skip(1).step_by(2).any(|code| code == subject);
            return is_named.then_some(outcome);
        }
        ExpectedOutcome::Scenario { .. }
        | ExpectedOutcome::Status { .. }
        | ExpectedOutcome::Returns { .. }
        | ExpectedOutcome::Answers { .. } => return Some(outcome),
    };
    let at = text.to_lowercase().find(&shown.to_lowercase()).filter(|_| !shown.is_empty())?;
    let as_written = text.get(at..at + shown.len())?;
    let before = text.get(..at)?.chars().next_back();
    let quoted = before.is_some_and(|c| matches!(c, '"' | '`' | '“'));
    // An example need not appear literally.
    let lead = text[..at].trim_end_matches(['"', '`', '“', ' ', ',', ':', '(']).to_lowercase();
    let example = ["e.g.", "e.g", "like", "such as", "for example", "similar to", "for instance"];
    let shown = !example.iter().any(|word| lead.ends_with(word));
    (quoted && shown).then(|| ExpectedOutcome::Sees { text: as_written.to_owned() })
}

/// The language of a task's test file, else of its first file.
fn language(task: &Task) -> Option<Language> {
    let test = task.test.file.as_deref().and_then(Language::of_path);
    test.or_else(|| task.files.owned().find_map(Language::of_path))
}

fn framework(task: &Task, repository: &Repository<'_>, language: Language) -> Option<Framework> {
    let path = task.test.file.as_deref().or_else(|| task.files.owned().next())?;
    let found = repository.survey().conventions_for(path).filter(|c| c.language.same_family(language));
    found.and_then(|c| c.style).map(|s| s.framework)
}

/// An outcome as one line of test code.
fn written(outcome: &ExpectedOutcome, language: Language, framework: Option<Framework>) -> Option<String> {
    type LineWriter = fn(&ExpectedOutcome, Option<Framework>) -> Option<String>;
    const WRITERS: [(Language, LineWriter); 4] = [
        (Language::TypeScript, |outcome, framework| match framework {
            Some(Framework::NodeTest | Framework::Mocha) => node(outcome),
            _ => Some(outcome::as_expect(outcome)),
        }),
        (Language::Python, |outcome, framework| match framework {
            Some(Framework::Unittest) => unittest(outcome),
            _ => pytest(outcome),
        }),
        (Language::Rust, |outcome, _| rust(outcome)),
        (Language::Go, |outcome, _| go(outcome)),
    ];
    let (_, write) = WRITERS.iter().find(|(written, _)| written.same_family(language))?;
    write(outcome, framework)
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
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

/// A single-quoted string as a double-quoted one.
fn double(value: &str) -> String {
    let inner = value.trim_matches('\'').replace("\\'", "'");
    format!("{inner:?}")
}

fn rust(outcome: &ExpectedOutcome) -> Option<String> {
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

fn go(outcome: &ExpectedOutcome) -> Option<String> {
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

fn node(outcome: &ExpectedOutcome) -> Option<String> {
    match outcome {
        ExpectedOutcome::Compares { subject, sign, number } => {
            Some(format!("assert.ok({subject} {sign} {number})"))
        }
        ExpectedOutcome::Validates { subject, sample } => {
            Some(format!("assert.equal(validate{}('{sample}'), false)", capital(subject)))
        }
        ExpectedOutcome::Sees { text }
        | ExpectedOutcome::Shows { text }
        | ExpectedOutcome::Alerts { about: text } => Some(format!("assert.ok(output.includes({text:?}))")),
        ExpectedOutcome::Status { code } => Some(format!("assert.equal(response.status, {code})")),
        ExpectedOutcome::Returns { value } => Some(format!("assert.equal(result, {value})")),
        ExpectedOutcome::Answers { value } => Some(format!("assert.deepEqual(response.body, {value})")),
        ExpectedOutcome::Rejects { error } => Some(match error_class(error) {
            Some(class) => format!("assert.throws(() => act(), {class})"),
            None => format!("assert.throws(() => act(), /{}/i)", error.replace('/', "\\/")),
        }),
        ExpectedOutcome::Scenario { .. } => None,
    }
}
