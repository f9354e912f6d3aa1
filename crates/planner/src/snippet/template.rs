//! Fills the template of a test file in.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use super::TestRequest;
use super::example::Check;

/// What every template is given, beside the values of its language.
#[derive(Serialize)]
struct TestFileValues<'a> {
    /// The tests.
    cases: Vec<CaseValues<'a>>,
    /// The names to import.
    names: Vec<&'a str>,
    /// The signatures, for tests that are still to be stated.
    hint: String,
    /// The values of the language.
    #[serde(flatten)]
    language: serde_json::Value,
}

/// One test: its name in several spellings and what it checks.
#[derive(Serialize)]
struct CaseValues<'a> {
    snake: String,
    pascal: String,
    camel: String,
    title: String,
    says: &'a str,
    checks: Vec<CheckValues<'a>>,
}

/// One check: a call with the value that it gives or the error that it ends in.
#[derive(Serialize)]
struct CheckValues<'a> {
    call: &'a str,
    value: Option<&'a str>,
    error: Option<&'a str>,
}

impl<'a> CheckValues<'a> {
    fn of(check: &'a Check) -> Self {
        match check {
            Check::Equals { call, value } => Self { call, value: Some(value), error: None },
            Check::Raises { call, error } => Self { call, value: None, error: Some(error) },
        }
    }
}

/// The test file that a template makes of the request and of the values of its language; `None` when there is no template, or when they
/// do not fit together, which the tests of every template would show.
pub(super) fn fill(template: &str, request: &TestRequest<'_>, language: serde_json::Value) -> Option<String> {
    if template.is_empty() {
        return None;
    }
    let frame = &request.frame;
    let cases = frame.cases.iter().map(|case| CaseValues {
        snake: case.snake(),
        pascal: case.pascal(),
        camel: case.camel(),
        title: case.title(),
        says: &case.says,
        checks: case.checks.iter().map(CheckValues::of).collect(),
    });
    let values = TestFileValues { cases: cases.collect(), names: frame.used(), hint: frame.hint(), language };
    render(template, &values).ok()
}

fn render(template: &str, values: &TestFileValues<'_>) -> Result<String, minijinja::Error> {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_syntax(
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?,
    );
    env.add_filter("quoted", quoted);
    env.add_filter("doubled_braces", |text: &str| text.replace('{', "{{").replace('}', "}}"));
    env.add_template("test", template)?;
    env.get_template("test")?.render(Value::from(Serde(values)))
}

/// A text between quotes, double ones unless others are named.
fn quoted(text: &str, quote: Option<&str>) -> String {
    let quote = quote.unwrap_or("\"");
    let text = text.replace('\\', "\\\\").replace(quote, &format!("\\{quote}"));
    format!("{quote}{text}{quote}")
}

#[cfg(test)]
mod tests;
