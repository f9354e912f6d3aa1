//! Examples that criteria state in code: "`total([1, 2, 3])` returns `6`". The verifier puts them into a test and looks whether
//! they hold.
//!
//! Only what can be read in one way counts: a call with written-out arguments, words that say what it gives, a written-out
//! value, and no condition in the sentence.

use super::edit::{SourceEdit, with_edits};
use super::find::{function_of, is_inverted};
use super::rules::ExpectationRules;
use crate::syntax::source::{ParsedText, named_children};
use crate::syntax::{language_of, tests};

/// Words between a call and its value.
const GIVES: [&str; 17] = [
    "returns",
    "return",
    "gives",
    "is",
    "equals",
    "yields",
    "produces",
    "evaluates to",
    "must return",
    "should return",
    "shall return",
    "must be",
    "should be",
    "->",
    "=>",
    "→",
    "==",
];

/// Words between a call and the error that it raises.
const RAISES: [&str; 8] =
    ["raises", "raise", "throws", "throw", "must raise", "should raise", "must throw", "should throw"];

/// Words of a sentence that is true under a condition only.
const CONDITIONS: [&str; 16] = [
    "after", "before", "when", "if", "once", "given", "while", "unless", "until", "then", "for", "where",
    "with", "without", "assuming", "not",
];

/// A call and what it gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedExample {
    /// `total([1, 2, 3])`
    pub call: String,
    /// `6`, or the class of the error.
    pub value: String,
    /// Whether it raises an error in place of giving something.
    pub raises: bool,
}

/// Statements that hold an example: one that fails if it does not hold, and one that fails if its parts cannot be reached.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExampleForms {
    pub(crate) gives: &'static str,
    /// The same for an error; empty where there is no such statement.
    pub(crate) raises: &'static str,
    pub(crate) named: &'static str,
}

impl StatedExample {
    /// The statement that fails if it does not hold.
    fn form(&self, forms: &ExampleForms) -> &'static str {
        if self.raises { forms.raises } else { forms.gives }
    }

    /// What is called, and the text of its arguments.
    fn parts(&self) -> (&str, &str) {
        let at = self.call.find('(').unwrap_or(self.call.len());
        (&self.call[..at], self.call[at..].trim_start_matches('(').strip_suffix(')').unwrap_or_default())
    }

    /// Whether the code defines it as something that gives its answer later.
    fn is_awaited(&self, code: &[(String, Vec<u8>)]) -> bool {
        let name = self.parts().0;
        let forms = [
            format!("async def {name}("),
            format!("async function {name}("),
            format!("{name} = async"),
            format!("async fn {name}("),
        ];
        code.iter().any(|(_, bytes)| {
            let text = String::from_utf8_lossy(bytes);
            forms.iter().any(|form| text.contains(form.as_str()))
        })
    }

    /// A pattern with the parts of this example.
    fn filled_into(&self, pattern: &str) -> String {
        let (name, arguments) = self.parts();
        let parts =
            [("call", self.call.as_str()), ("name", name), ("arguments", arguments), ("value", &self.value)];
        let mut pieces = pattern.split('<');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let part = piece.split_once('>').and_then(|(key, rest)| {
                parts.iter().find(|(known, _)| *known == key).map(|(_, part)| (*part, rest))
            });
            match part {
                Some((part, rest)) => text.extend([part, rest]),
                None => text.extend(["<", piece]),
            }
        }
        text
    }
}

/// The examples of a criterion.
pub fn stated_examples(text: &str) -> Vec<StatedExample> {
    let pieces: Vec<&str> = text.split('`').collect();
    let said: String = pieces.iter().step_by(2).copied().collect::<Vec<_>>().join(" ").to_lowercase();
    let words: Vec<&str> = said.split(|c: char| !c.is_alphanumeric()).collect();
    if pieces.len().is_multiple_of(2) || CONDITIONS.iter().any(|word| words.contains(word)) {
        return Vec::new();
    }
    let example = |window: &[&str]| match window {
        [call, between, value] => {
            let (call, value) = (call.trim(), value.trim());
            let said = between.trim().trim_matches([',', ':']).to_lowercase();
            let raises = RAISES.contains(&said.as_str());
            let stated = if raises {
                is_class(value)
            } else {
                GIVES.contains(&said.as_str()) && is_written_out(value)
            };
            (stated && is_plain_call(call)).then(|| StatedExample {
                call: call.to_owned(),
                value: value.to_owned(),
                raises,
            })
        }
        _ => None,
    };
    (1..pieces.len()).step_by(2).filter_map(|at| example(pieces.get(at..at + 3)?)).collect()
}

fn is_plain_call(text: &str) -> bool {
    let Some((name, rest)) = text.split_once('(') else { return false };
    let named = |part: &str| {
        part.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let arguments = rest.strip_suffix(')');
    named(name) && arguments.is_some_and(|inner| inner.trim().is_empty() || is_written_out(inner))
}

/// A name such as `ValueError`.
fn is_class(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(char::is_alphanumeric)
}

/// Whether a text is made of literals only. Decimal numbers are left out: they are compared with a tolerance.
fn is_written_out(text: &str) -> bool {
    let mut rest = text.trim();
    let mut any = false;
    while let Some(first) = rest.chars().next() {
        let size = match first {
            '"' | '\'' => {
                let Some(end) = rest[1..].find(first) else { return false };
                if rest[1..=end].contains('\\') {
                    return false;
                }
                end + 2
            }
            '[' | ']' | '{' | '}' | '(' | ')' | ',' | ':' | '-' | '&' | ' ' => first.len_utf8(),
            c if c.is_ascii_digit() => rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()),
            c if c.is_alphabetic() => {
                let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
                let words = ["true", "false", "True", "False", "None", "null", "nil"];
                if !words.contains(&&rest[..end]) {
                    return false;
                }
                end
            }
            _ => return false,
        };
        any = any || !matches!(first, ' ' | ',' | ':');
        rest = &rest[size..];
    }
    any
}

/// A test file with examples in front of one of its tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleFile {
    /// The test that they are put into.
    pub test: String,
    /// The file with the examples: the test fails if one of them does not hold.
    pub asserted: Vec<u8>,
    /// The file with their names and values alone: the test fails if they cannot be reached from it.
    pub named: Vec<u8>,
}

/// The file with these examples in a test for which `wanted` holds. `code` is what the change touched. `None` where no test can
/// hold them.
pub fn with_examples(
    path: &str,
    bytes: &[u8],
    examples: &[StatedExample],
    code: &[(String, Vec<u8>)],
    wanted: &dyn Fn(&str) -> bool,
) -> Option<ExampleFile> {
    let language = language_of(path)?;
    let rules = &language.row().expectation;
    let prepared = (rules.prepare)(bytes);
    let source = ParsedText::parse_prepared(language, &prepared, bytes)?;
    let forms = rules.example?;
    let examples: Vec<&StatedExample> = examples
        .iter()
        .filter(|example| !example.is_awaited(code) && !example.form(&forms).is_empty())
        .collect();
    let filled = |pattern: &dyn Fn(&StatedExample) -> &'static str| -> Vec<String> {
        let reach = |name: &str| (rules.reach)(bytes, name, code).unwrap_or_default();
        let of = |example: &&StatedExample| {
            let class = if example.raises { reach(&example.value) } else { String::new() };
            reach(example.parts().0) + &class + &example.filled_into(pattern(example))
        };
        examples.iter().map(of).collect()
    };
    if examples.is_empty() {
        return None;
    }
    let (asserted, named) = (filled(&|example| example.form(&forms)), filled(&|_| forms.named));
    for item in tests(path, bytes).into_iter().filter(|item| !item.skipped && item.condition.is_none()) {
        let test = item.name_in(path);
        let Some(function) = function_of(&source, rules, &item.range).filter(|_| wanted(&test)) else {
            continue;
        };
        let Some(body) = function.child_by_field_name("body") else { continue };
        if is_inverted(&source, &item.range, body) {
            continue;
        }
        let laid = |statements: &[String]| lay(&source, rules, body, statements);
        if let (Some(asserted), Some(named)) = (laid(&asserted), laid(&named)) {
            return Some(ExampleFile { test, asserted, named });
        }
    }
    None
}

/// Statements in front of a body.
fn lay(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    body: tree_sitter::Node<'_>,
    statements: &[String],
) -> Option<Vec<u8>> {
    let edits = if body.kind().ends_with("_expression") {
        let text = statements.concat();
        vec![
            SourceEdit::new(body.start_byte()..body.start_byte(), format!("{{ {text} return (")),
            SourceEdit::new(body.end_byte()..body.end_byte(), "); }"),
        ]
    } else {
        let first = named_children(body).into_iter().find(|node| !node.kind().contains("comment"))?;
        let at = first.start_byte();
        let text = if rules.free_blanks {
            statements.concat()
        } else {
            let blanks = " ".repeat(first.start_position().column);
            statements.iter().map(|line| format!("{line}\n{blanks}")).collect::<String>()
        };
        vec![SourceEdit::new(at..at, text)]
    };
    with_edits(source.bytes, &edits.iter().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests;
