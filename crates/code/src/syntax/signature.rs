//! The parameters and the result in a one-line signature, and whether two signatures can be the same.
//!
//! Works on text, because a contract and the code may be written in two dialects of one language. Reports "different"
//! only when both sides state a thing and the statements cannot be read as one.

use crate::language::Language;

/// The parameters and the result of a function, as far as its signature states them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallShape {
    generics: String,
    parameters: Vec<Parameter>,
    result: Option<String>,
    is_async: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// The name; empty where a prototype leaves it out.
    pub(crate) name: String,
    /// The type, in one spelling.
    pub(crate) kind: Option<String>,
    /// Whether a call may leave it out.
    pub(crate) optional: bool,
    /// Whether it takes any number of arguments.
    pub(crate) rest: bool,
}

/// How the signatures of a language are read.
pub(crate) struct SignatureRules {
    /// Where the parameters begin.
    pub(crate) opening: fn(&str) -> Option<usize>,
    /// The parameters in a text between parentheses.
    pub(crate) parameters: fn(&SignatureRules, &str) -> Vec<Parameter>,
    /// The result in what follows the parameters.
    pub(crate) result: fn(&str) -> Option<&str>,
    /// Whether the result stands before the name: `public static int add(`.
    pub(crate) result_first: bool,
    /// One spelling for types that are written in several ways; blanks are gone already.
    pub(crate) normal_type: fn(&str) -> String,
    /// Whether `*name` takes any number of arguments.
    pub(crate) star_takes_rest: bool,
    /// Whether `&` before a name belongs to the name.
    pub(crate) reference_in_name: bool,
}

/// `name: type`, with the result behind the parameters.
pub(crate) const NAME_FIRST: SignatureRules = SignatureRules {
    opening: |signature| signature.find('('),
    parameters: |rules, inside| split(inside, ',').iter().filter_map(|part| parameter(rules, part)).collect(),
    result: |after| after.strip_prefix(':'),
    result_first: false,
    normal_type: str::to_owned,
    star_takes_rest: false,
    reference_in_name: false,
};

/// `type name`, with the result before the name of the function.
pub(crate) const TYPE_FIRST: SignatureRules = SignatureRules {
    parameters: |rules, inside| {
        split(inside, ',').iter().filter_map(|part| typed_first(rules, part)).collect()
    },
    result: |_| None,
    result_first: true,
    ..NAME_FIRST
};

impl SignatureRules {
    pub(crate) fn type_name(&self, text: &str) -> String {
        let text: String =
            text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | ';')).collect();
        let text = text.replace(",)", ")").replace(",]", "]").replace(",}", "}").replace(",>", ">");
        (self.normal_type)(&text)
    }
}

/// Reads a signature; `None` when it is not that of a function.
pub(crate) fn shape(language: Language, signature: &str) -> Option<CallShape> {
    let rules = &language.row().signature;
    // `const f: (a: T) => R = …` states the type of a function before the function.
    let open = (rules.opening)(signature)?;
    let close = matching(signature, open)?;
    let before = signature.get(..open)?;
    // A result like `Task<int>` before the name has brackets too; those of the function stand right before its own.
    let own = before.trim_end().ends_with('>') || !rules.result_first;
    let generics = before.split_once('<').filter(|_| own).map_or("", |(_, rest)| rest);
    let generics = generics.trim_end_matches(['>', ' ']).to_owned();
    let inside = signature.get(open + 1..close)?;
    let after = signature.get(close + 1..)?;
    let parameters = (rules.parameters)(rules, inside);
    let is_async = before.split([' ', ':', '=']).any(|word| word == "async");
    let result = result(rules, after).or_else(|| result_before(rules, before));
    Some(CallShape { generics, parameters, result, is_async })
}

/// The bracket that closes the one at `open`.
pub(crate) fn matching(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match (quote, c) {
            (Some(q), _) => quote = Some(q).filter(|q| *q != c),
            (None, '"' | '\'' | '`') if !is_lifetime(text, at) => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// `'a` without a closing quote nearby is a Rust lifetime.
fn is_lifetime(text: &str, at: usize) -> bool {
    text.as_bytes().get(at) == Some(&b'\'')
        && text.get(at + 1..).is_some_and(|rest| {
            let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            name > 0 && !rest[name..].starts_with('\'')
        })
}

/// Splits at a separator that stands outside all brackets and quotes.
pub(crate) fn split(text: &str, separator: char) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut depth = 0usize;
    let mut quote = None;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), _) => quote = Some(q).filter(|q| *q != c),
            (None, '"' | '\'' | '`') if !is_lifetime(text, at) => quote = Some(c),
            (None, '(' | '[' | '{' | '<') => depth += 1,
            (None, '>') if matches!(previous, '=' | '-') => {}
            (None, ')' | ']' | '}' | '>') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c == separator && depth == 0 && quote.is_none() {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
        previous = c;
    }
    parts.push(part);
    parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

fn parameter(rules: &SignatureRules, part: &str) -> Option<Parameter> {
    // Only the first colon outside brackets parts name and type; a path has more of them.
    let name = split(part, ':').into_iter().next()?;
    let kind = part.get(name.len()..)?.trim_start().strip_prefix(':').map(|kind| kind.trim().to_owned());
    let name = name.as_str();
    let (kind, default) = match kind.as_deref().map(split_default) {
        Some((kind, default)) => (Some(kind), default),
        None => (None, false),
    };
    let (name, late_default) = split_default(name);
    let receiver = name.trim_start_matches(['&', '\'']).rsplit(' ').next().unwrap_or_default();
    let is_receiver = matches!(receiver, "self" | "cls") || matches!(name.as_str(), "this" | "*" | "/");
    if is_receiver {
        return None;
    }
    let rest = name.starts_with("...") || (rules.star_takes_rest && name.starts_with('*'));
    let optional = default || late_default || name.ends_with('?') || rest;
    let words: Vec<&str> = name.split_whitespace().collect();
    let bare = words.last().copied().unwrap_or_default().trim_matches(['.', '*', '?', '_']);
    Some(Parameter { name: bare.to_owned(), kind: kind.map(|kind| rules.type_name(&kind)), optional, rest })
}

/// `final List<String> names`, `const char *name`, `int $limit = 3`: the last word is the name, the rest its type.
fn typed_first(rules: &SignatureRules, part: &str) -> Option<Parameter> {
    let (text, optional) = split_default(part);
    let rest = text.contains("...");
    let words = ["final ", "const ", "readonly ", "this ", "public ", "private ", "protected "];
    let mut text = text.replace("...", " ");
    while let Some(inner) = words.iter().find_map(|word| text.trim_start().strip_prefix(word)) {
        text = inner.to_owned();
    }
    let text = text.trim();
    if text.is_empty() || text == "void" {
        return None;
    }
    let start = text.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '$').len();
    let (kind, name) = text.split_at(start.min(text.len()));
    let kind = kind.trim();
    // A prototype of C may leave the name out.
    let unnamed = kind.is_empty() && !text.starts_with('$');
    let (kind, name) = if unnamed { (text, "") } else { (kind, name) };
    let by_reference = kind.trim_end_matches(['&', '.']).trim();
    let kind = if rules.reference_in_name { by_reference } else { kind };
    Some(Parameter {
        name: name.trim_start_matches('$').to_owned(),
        kind: (!kind.is_empty()).then(|| rules.type_name(kind)),
        optional: optional || rest,
        rest,
    })
}

/// The result where it stands before the name: `public static int add(`.
fn result_before(rules: &SignatureRules, before: &str) -> Option<String> {
    const WORDS: [&str; 17] = [
        "public",
        "private",
        "protected",
        "internal",
        "static",
        "final",
        "abstract",
        "virtual",
        "override",
        "sealed",
        "async",
        "inline",
        "extern",
        "explicit",
        "default",
        "synchronized",
        "constexpr",
    ];
    if !rules.result_first {
        return None;
    }
    let text = before.trim_end();
    let name = text.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '~' | ':')).len();
    let kind: Vec<&str> = text.get(..name)?.split_whitespace().filter(|word| !WORDS.contains(word)).collect();
    let kind = kind.join(" ");
    (!kind.is_empty() && !kind.starts_with('<')).then(|| rules.type_name(&kind))
}

/// Cuts off a default value.
pub(crate) fn split_default(text: &str) -> (String, bool) {
    let mut pieces = split(text, '=').into_iter();
    let first = pieces.next().unwrap_or_default();
    // `(x) => y` is a type, not a default.
    match pieces.next() {
        Some(next) if next.starts_with('>') => (text.to_owned(), false),
        Some(_) => (first, true),
        None => (first, false),
    }
}

fn result(rules: &SignatureRules, after: &str) -> Option<String> {
    let text = (rules.result)(after.trim())?.trim().trim_end_matches([':', ';', '{']).trim();
    (!text.is_empty()).then(|| rules.type_name(text))
}

pub(crate) fn normal_union(text: &str) -> String {
    let mut parts = split(text, '|');
    parts.sort();
    parts.join("|")
}

/// `std::io::Result<a::B>` is `Result<B>`.
pub(crate) fn last_segments(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == ':' && chars.peek() == Some(&':') {
            chars.next();
            word.clear();
        } else if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            out.push_str(&std::mem::take(&mut word));
            out.push(c);
        }
    }
    out + &word
}

impl CallShape {
    /// Whether the code certainly does not have the contract's signature.
    pub(crate) fn differs_from(&self, code: &Self) -> bool {
        let open_ended = self.parameters.iter().chain(&code.parameters).any(|parameter| parameter.rest);
        let required = |shape: &Self| shape.parameters.iter().filter(|parameter| !parameter.optional).count();
        let counts_differ = required(self) > code.parameters.len()
            || required(code) > self.parameters.len()
            || self.parameters.len() > code.parameters.len();
        if counts_differ && !open_ended {
            return true;
        }
        // Other generics give the same types other names.
        let same_generics = self.generics == code.generics;
        let pairs = self.parameters.iter().zip(&code.parameters);
        let parameters_differ =
            pairs.clone().any(|(a, b)| !a.name.is_empty() && !b.name.is_empty() && a.name != b.name)
                || (same_generics
                    && pairs.clone().any(|(a, b)| types_differ(a.kind.as_deref(), b.kind.as_deref())));
        let results_differ = same_generics
            && self.is_async == code.is_async
            && types_differ(self.result.as_deref(), code.result.as_deref());
        (parameters_differ && !open_ended) || results_differ
    }
}

fn types_differ(a: Option<&str>, b: Option<&str>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            a != b && ![a, b].iter().any(|text| text.contains("Self") || text.contains("impl"))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
