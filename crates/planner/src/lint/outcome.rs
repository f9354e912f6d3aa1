//! The observable outcome that a criterion states, for criteria of a known form.

use super::testable::subject;

/// An outcome that a test can assert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExpectedOutcome {
    /// `X < 200`, `X is at most 200`.
    Compares {
        /// The measured quantity, as an identifier.
        subject: String,
        /// `<`, `<=`, `>` or `>=`.
        sign: &'static str,
        /// The limit.
        number: String,
    },
    /// Given, when, then.
    Scenario {
        /// The precondition.
        given: String,
        /// The action.
        when: String,
        /// The result.
        then: String,
    },
    /// `Password must be >= 8 characters`.
    Validates {
        /// What is validated, as an identifier.
        subject: String,
        /// A text that must be refused.
        sample: String,
    },
    /// `User sees an error message on X`.
    Alerts {
        /// What the message is about.
        about: String,
    },
    /// `User sees the cart`.
    Sees {
        /// What is visible, in words.
        text: String,
    },
    /// `User sees "X"`.
    Shows {
        /// The visible text, as it is quoted.
        text: String,
    },
    /// `API returns 201`.
    Status {
        /// The code.
        code: String,
    },
    /// `returns "X"`.
    Returns {
        /// The value, quoted.
        value: String,
    },
    /// `API returns {"ok": true}`.
    Answers {
        /// The body: a quoted text, or a literal.
        value: String,
    },
    /// `throws X`.
    Rejects {
        /// The error.
        error: String,
    },
}

/// The outcome of a criterion.
pub(crate) fn outcome(text: &str) -> Option<ExpectedOutcome> {
    scenario(text)
        .or_else(|| validation(text))
        .or_else(|| comparison(text))
        .or_else(|| alerts(text))
        .or_else(|| sees(text))
        .or_else(|| returns(text))
        .or_else(|| rejects(text))
}

/// An outcome as an assertion of Jest and Vitest.
pub(crate) fn as_expect(outcome: &ExpectedOutcome) -> String {
    match outcome {
        ExpectedOutcome::Compares { subject, sign, number } => {
            let method = match *sign {
                "<" => "toBeLessThan",
                "<=" => "toBeLessThanOrEqual",
                ">" => "toBeGreaterThan",
                _ => "toBeGreaterThanOrEqual",
            };
            format!("expect({subject}).{method}({number})")
        }
        ExpectedOutcome::Scenario { given, when, then } => {
            format!("describe('{given}', () => {{ it('{when}, {then}', …) }})")
        }
        ExpectedOutcome::Validates { subject, sample } => {
            format!("expect(validate{}('{sample}')).toBe(false)", capital(subject))
        }
        ExpectedOutcome::Alerts { about } => {
            let pattern = about.replace('/', "\\/");
            format!("expect(screen.getByRole('alert')).toHaveTextContent(/{pattern}/i)")
        }
        ExpectedOutcome::Sees { text } => {
            format!("expect(screen.getByText(/{}/i)).toBeVisible()", text.replace('/', "\\/"))
        }
        ExpectedOutcome::Shows { text } => {
            format!("expect(screen.getByText('{}')).toBeVisible()", text.replace('\'', "\\'"))
        }
        ExpectedOutcome::Status { code } => format!("expect(response.status).toBe({code})"),
        ExpectedOutcome::Returns { value } => format!("expect(result).toEqual({value})"),
        ExpectedOutcome::Answers { value } => format!("expect(response.body).toEqual({value})"),
        ExpectedOutcome::Rejects { error } => match error_class(error) {
            Some(class) => format!("expect(() => act()).toThrow({class})"),
            None => format!("expect(() => act()).toThrow(/{}/i)", error.to_lowercase().replace('/', "\\/")),
        },
    }
}

/// The class of a named error: written as code, or ending in `Error` or `Exception`.
pub(crate) fn error_class(error: &str) -> Option<&str> {
    let error = error.trim_start_matches("an ").trim_start_matches("a ");
    let first = error.split_whitespace().next()?;
    let code = first.len() > 2 && first.starts_with('`') && first.ends_with('`');
    let name = first.trim_matches(['`', '"', '\'']);
    let named = code || name.ends_with("Error") || name.ends_with("Exception");
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    (named && is_name).then_some(name)
}

/// Signs and words of a comparison.
const SIGNS: [(&str, &str); 10] = [
    ("<=", "<="),
    (">=", ">="),
    ("≤", "<="),
    ("≥", ">="),
    ("<", "<"),
    (">", ">"),
    ("at least", ">="),
    ("at most", "<="),
    ("less than", "<"),
    ("more than", ">"),
];

/// A comparison as it stands in a text, in lower case.
struct ComparedNumber<'t> {
    before: &'t str,
    sign: &'static str,
    number: &'t str,
    /// The first word behind the number.
    unit: &'t str,
}

fn measured(lower: &str) -> Option<ComparedNumber<'_>> {
    let (at, word, sign) = SIGNS.iter().find_map(|(word, sign)| Some((lower.find(word)?, *word, *sign)))?;
    let rest = lower[at + word.len()..].trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
    let number = rest[..end].trim_end_matches('.');
    let unit = rest[end..].trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    (!number.is_empty()).then_some(ComparedNumber { before: &lower[..at], sign, number, unit })
}

/// The length of a text is a rule for what is accepted, and not a number to compare with.
fn validation(text: &str) -> Option<ExpectedOutcome> {
    let lower = text.to_lowercase();
    let ComparedNumber { before, sign, number, unit } = measured(&lower)?;
    if !matches!(unit, "character" | "characters" | "chars" | "letters" | "symbols") {
        return None;
    }
    let limit: usize = number.parse().ok().filter(|n| *n <= 64)?;
    let length = match sign {
        ">=" => limit.checked_sub(1)?,
        "<=" => limit + 1,
        _ => limit,
    };
    let sample = "1234567890".chars().cycle().take(length).collect();
    Some(ExpectedOutcome::Validates { subject: identifier(&subject(before)), sample })
}

fn comparison(text: &str) -> Option<ExpectedOutcome> {
    let lower = text.to_lowercase();
    let ComparedNumber { before, sign, number, unit } = measured(&lower)?;
    // `A discount is given when the total > 100` compares in its condition; what it promises is something else.
    let condition = [" when ", " if ", " while ", " once ", " after ", " unless ", " where ", " whose "];
    if condition.iter().any(|word| before.contains(word)) {
        return None;
    }
    let is_time = matches!(unit, "ms" | "milliseconds" | "s" | "sec" | "secs" | "second" | "seconds");
    let named = identifier(&subject(before));
    let subject = match named.as_str() {
        // `API response < 200ms` compares how long it takes.
        name if is_time && name.to_lowercase().ends_with("response") => "responseTime".to_owned(),
        "it" | "value" if is_time => "duration".to_owned(),
        "it" | "value" => return None,
        _ => named,
    };
    Some(ExpectedOutcome::Compares { subject, sign, number: number.to_owned() })
}

/// A word with a capital at its beginning.
pub(crate) fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}

fn identifier(words: &str) -> String {
    let mut name = String::new();
    for word in words.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty() && *w != "the") {
        let mut chars = word.chars();
        match chars.next() {
            Some(first) if !name.is_empty() => name.extend(first.to_uppercase()),
            Some(first) => name.push(first),
            None => {}
        }
        name.extend(chars);
    }
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) { "value".to_owned() } else { name }
}

fn scenario(text: &str) -> Option<ExpectedOutcome> {
    let lower = text.to_lowercase();
    let (when, then) = (lower.find("when ")?, lower.find("then ")?);
    let given = lower.find("given ").filter(|g| *g < when).unwrap_or(when);
    if then < when {
        return None;
    }
    let piece = |from: usize, to: usize| {
        let cut = lower.get(from..to).unwrap_or_default();
        cut.trim().trim_end_matches([',', '.', ';']).replace('\'', "\\'")
    };
    let (setting, act) = (piece(given, when), piece(when, then));
    let outcome = piece(then + 5, lower.len());
    let setting = if setting.is_empty() { "it".to_owned() } else { setting };
    Some(ExpectedOutcome::Scenario { given: setting, when: act, then: outcome })
}

/// `User must see error message on invalid email`.
fn alerts(text: &str) -> Option<ExpectedOutcome> {
    let ExpectedOutcome::Sees { text } = sees(text)? else { return None };
    let said = text.strip_prefix("error message").or_else(|| text.strip_prefix("error"))?;
    let about = [" on ", " for ", " about "].iter().find_map(|word| said.strip_prefix(word))?.trim();
    (!about.is_empty()).then(|| ExpectedOutcome::Alerts { about: about.to_owned() })
}

fn sees(text: &str) -> Option<ExpectedOutcome> {
    let lower = text.to_lowercase();
    let verb = ["must see ", "sees ", "should see ", "can see ", "displays ", "shows ", "is shown "];
    let at = verb.iter().find_map(|v| lower.find(v).map(|i| i + v.len()))?;
    if let Some(shown) = text.get(at..).and_then(quoted).filter(|_| lower.len() == text.len()) {
        return Some(ExpectedOutcome::Shows { text: shown });
    }
    let shown = quoted(&lower[at..]).unwrap_or_else(|| lower[at..].trim().trim_end_matches('.').to_owned());
    let shown =
        shown.trim_start_matches("an ").trim_start_matches("a ").trim_start_matches("the ").to_owned();
    Some(ExpectedOutcome::Sees { text: shown })
}

fn returns(text: &str) -> Option<ExpectedOutcome> {
    let lower = text.to_lowercase();
    let verbs = ["returns ", "responds with ", "answers with ", "responds ", "answers "];
    let at = verbs.iter().find_map(|v| lower.find(v).map(|i| i + v.len()))?;
    let rest = lower[at..].trim();
    let code: String =
        rest.trim_start_matches("http ").trim_start_matches("status ").chars().take(3).collect();
    if code.len() == 3 && code.chars().all(|c| c.is_ascii_digit()) {
        return Some(ExpectedOutcome::Status { code });
    }
    if serves(&lower[..at])
        && lower.len() == text.len()
        && let Some(value) = text.get(at..).and_then(literal)
    {
        return Some(ExpectedOutcome::Answers { value });
    }
    let value = quoted(rest)?;
    Some(ExpectedOutcome::Returns { value: format!("'{}'", value.replace('\'', "\\'")) })
}

/// Whether the words before a verb are about something that answers requests.
fn serves(before: &str) -> bool {
    let words: Vec<&str> = before.split(|c: char| !(c.is_alphanumeric() || c == '/')).collect();
    let known = ["api", "endpoint", "route", "server", "response"];
    words.iter().any(|word| known.contains(word) || word.starts_with('/') && word.len() > 1)
}

/// The value at the beginning of a text, one that JSON would accept; `returns 20 rows` has none.
fn literal(text: &str) -> Option<String> {
    let text = text.trim();
    let (text, in_code) = match text.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        Some((code, _)) => (code, true),
        None => (text, false),
    };
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    let value = values.next()?.ok()?;
    let end = text.get(values.byte_offset()..)?.trim_start();
    let stops = end.starts_with(['.', ',', ';']) || end.starts_with("for ") || end.starts_with("when ");
    let ends = end.is_empty() || stops && !in_code;
    let written = match value.as_str() {
        Some(text) => format!("'{}'", text.replace('\'', "\\'")),
        None => value.to_string(),
    };
    ends.then_some(written)
}

fn rejects(text: &str) -> Option<ExpectedOutcome> {
    let lower = text.to_lowercase();
    let found = ["rejects ", "raises ", "throws ", "refuses "]
        .iter()
        .find_map(|v| lower.find(v).map(|i| i + v.len()))?;
    // In the original case, to recognise class names; lower case can change the length.
    let said = if lower.len() == text.len() { text.get(found..) } else { lower.get(found..) };
    let what = said.unwrap_or_default().split([',', '.', ';']).next().unwrap_or_default().trim();
    (!what.is_empty()).then(|| ExpectedOutcome::Rejects { error: what.to_owned() })
}

/// The first quoted text.
pub(crate) fn quoted(text: &str) -> Option<String> {
    let (at, mark) = text.char_indices().find(|(_, c)| matches!(c, '`' | '"'))?;
    let rest = &text[at + mark.len_utf8()..];
    rest.find(mark).map(|end| rest[..end].to_owned())
}

#[cfg(test)]
mod tests;
