//! Examples that a criterion states in code: `` `add(1, 2)` returns `3` ``.

use windlass_code::survey::Language;

/// Something that can be checked with the values a criterion states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Check {
    /// A call gives a value.
    Equals {
        /// The call, as written.
        call: String,
        /// The value, as written.
        value: String,
    },
    /// A call ends in an error.
    Raises {
        /// The call, as written.
        call: String,
        /// The error's name.
        error: String,
    },
}

impl Check {
    /// Whether a name occurs in it.
    pub(super) fn mentions(&self, name: &str) -> bool {
        let (Self::Equals { call, value: other } | Self::Raises { call, error: other }) = self;
        [call, other].iter().any(|text| has_word(text, name))
    }
}

fn has_word(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// The examples in a criterion that call something of the contract with everything stated.
pub(super) fn checks(language: Language, text: &str, calls: &[(String, String)]) -> Vec<Check> {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut at = 1;
    while at < parts.len() {
        let span = parts[at].trim();
        if let Some((call, value)) = span.split_once("==") {
            let value = value.trim_start_matches('=').trim();
            if let Some(call) = called(language, call.trim(), calls).filter(|_| is_literal(language, value)) {
                out.push(Check::Equals { call, value: value.to_owned() });
            }
        } else if let Some(call) = called(language, span, calls) {
            let between = parts.get(at + 1).copied().unwrap_or_default();
            let check = parts.get(at + 2).and_then(|value| linked(language, &call, between, value.trim()));
            if check.is_some() {
                at += 2;
            }
            out.extend(check.or_else(|| named_error(&call, between)));
        }
        at += 2;
    }
    out
}

/// Words that say that a call ends in an error.
const FAILS: [&str; 5] = ["raises", "raise", "throws", "throw", "fails"];

/// A call, and the error behind it without a mark: `raises ValueError`.
fn named_error(call: &str, after: &str) -> Option<Check> {
    let mut words = after.split_whitespace().map(|word| word.trim_matches([',', '.', ':', ';']));
    words.next().filter(|word| FAILS.contains(&word.to_lowercase().as_str()))?;
    let error = words.find(|word| !matches!(*word, "a" | "an" | "with"))?;
    let is_name = error.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_error = error.ends_with("Error") || error.ends_with("Exception");
    (is_name && is_error).then(|| Check::Raises { call: call.to_owned(), error: error.to_owned() })
}

/// A call, the words between, and its expected result.
fn linked(language: Language, call: &str, between: &str, value: &str) -> Option<Check> {
    const GIVES: [&str; 13] = [
        "returns",
        "return",
        "gives",
        "equals",
        "is",
        "yields",
        "produces",
        "evaluates",
        "becomes",
        "results",
        "→",
        "=>",
        "->",
    ];
    // A long way between the two is another sentence.
    let words: Vec<String> = between.split_whitespace().map(str::to_lowercase).collect();
    if words.len() > 4 || words.iter().any(|word| matches!(word.as_str(), "not" | "never" | "and" | "or")) {
        return None;
    }
    let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.trim_matches([',', ':'])));
    if any(&FAILS) && value.chars().all(|c| c.is_alphanumeric() || c == '_') && !value.is_empty() {
        return Some(Check::Raises { call: call.to_owned(), error: value.to_owned() });
    }
    (any(&GIVES) && is_literal(language, value))
        .then(|| Check::Equals { call: call.to_owned(), value: value.to_owned() })
}

/// The call of something in the contract that a text is, as a test would write it.
fn called(language: Language, text: &str, calls: &[(String, String)]) -> Option<String> {
    let (name, arguments) = text.split_once('(').filter(|_| text.ends_with(')'))?;
    let name = name.trim();
    let last = name.rsplit(['.', ':', ' ', '\\']).next()?;
    if name == last && calls.iter().any(|(known, _)| known == last) {
        return Some(text.to_owned());
    }
    // A method needs an object, and how to get one is not stated; one of the class needs only its name.
    let owner = name[..name.len() - last.len()].trim_end_matches(['.', ':']);
    let owner_of = |(known, signature): &'_ (String, String)| {
        let own = known.strip_suffix(last)?.strip_suffix(['.', ':'])?.trim_end_matches(':').to_owned();
        let meant = owner.is_empty() || own == owner || own.rsplit([':', '.']).next() == Some(owner);
        (is_static(language, signature) && meant).then_some(own)
    };
    let mut owners = calls.iter().filter_map(owner_of);
    let own = owners.next().filter(|_| owners.next().is_none())?;
    let between = language.row().static_separator;
    Some(format!("{own}{between}{last}({arguments}"))
}

/// Whether a method is called on its class.
fn is_static(language: Language, signature: &str) -> bool {
    language.row().static_word.is_some_and(|word| has_word(signature, word))
}

/// Whether a text is a value on its own: not a word of prose, not an expression that needs a name.
fn is_literal(language: Language, text: &str) -> bool {
    let number = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '_'))
            && text.chars().any(|c| c.is_ascii_digit())
    };
    let between =
        |open: char, close: char| text.len() >= 2 && text.starts_with(open) && text.ends_with(close);
    let row = language.row();
    let single = row.single_quotes && between('\'', '\'');
    let list = row.list_literals && between('[', ']');
    let table = row.map_literals && between('{', '}');
    let made = row.literal_calls.iter().any(|start| text.starts_with(start)) && text.ends_with([')', ']']);
    let word = row.literal_words.contains(&text) || made;
    number(text) || between('"', '"') || single || list || table || word
}

#[cfg(test)]
mod tests;
