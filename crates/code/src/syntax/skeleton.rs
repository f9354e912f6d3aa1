//! A text without the bodies of its functions, so that a survey need not parse what it does not look at.
//!
//! Works on bytes and keeps every line where it is. When in doubt (brackets that do not match) it gives nothing, and the
//! whole text is parsed.

/// Shorter texts are parsed whole: cutting would not pay.
const WORTH: usize = 1024;

/// How a language with braces is cut.
pub(crate) struct BraceRules {
    /// Whether the text before a brace is the head of a function.
    pub(crate) is_function: fn(&FunctionHead<'_>) -> bool,
    /// Whether `=> {` begins the body of a function.
    pub(crate) arrow_functions: bool,
    /// Whether `#` begins a comment, unless it begins an attribute.
    pub(crate) hash_comments: bool,
    /// Whether a text in double quotes may go on in the next line.
    pub(crate) long_strings: bool,
    /// Whether a text may stand in backticks.
    pub(crate) backticks: bool,
    /// The length of what a single quote begins, if it begins something.
    pub(crate) single_quoted: fn(&[u8]) -> Option<usize>,
    /// The length of the raw string that begins here, if one does.
    pub(crate) raw_string: fn(&[u8]) -> Option<usize>,
}

/// Functions as in C: a head with parentheses that is no class and assigns nothing.
pub(crate) const BRACES: BraceRules = BraceRules {
    is_function: |head| head.has_parentheses && !head.opens_type && !head.assigns,
    arrow_functions: false,
    hash_comments: false,
    long_strings: false,
    backticks: false,
    single_quoted: |rest| Some(text_length(rest, b'\'', StringSpan::Line)),
    raw_string: |_| None,
};

/// The text before a brace, with what can be asked of it.
pub(crate) struct FunctionHead<'a> {
    /// Its words outside parentheses.
    pub(crate) words: Vec<&'a [u8]>,
    /// Whether it has parentheses.
    pub(crate) has_parentheses: bool,
    /// Whether one of its first words begins a type or a module.
    pub(crate) opens_type: bool,
    /// Whether it has a `=` outside parentheses.
    pub(crate) assigns: bool,
}

/// Whether a text is long enough to be cut.
pub(crate) fn is_worth_cutting(bytes: &[u8]) -> bool {
    bytes.len() >= WORTH
}

pub(crate) fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}

/// The text without every `{…}` that follows the head of a function; `None` when its brackets do not match.
pub(crate) fn braces(rules: &BraceRules, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len() / 2);
    let mut head = 0;
    let mut at = 0;
    // The depth of parentheses: a brace inside them belongs to an argument.
    let mut round = 0usize;
    while at < bytes.len() {
        match bytes[at] {
            b'{' if round == 0 && is_function(rules, &out[head..]) => {
                let end = closing(rules, bytes, at)?;
                out.push(b'{');
                out.extend(bytes[at..end].iter().filter(|byte| **byte == b'\n'));
                out.push(b'}');
                at = end + 1;
                head = out.len();
                continue;
            }
            b'{' | b'}' | b';' if round == 0 => {
                out.push(bytes[at]);
                head = out.len();
            }
            b'(' => {
                round += 1;
                out.push(b'(');
            }
            b')' => {
                round = round.saturating_sub(1);
                out.push(b')');
            }
            b'\n' if bytes.get(at + 1) == Some(&b'#') => {
                // A line of the preprocessor or an attribute is no part of what follows.
                out.push(b'\n');
                head = out.len();
            }
            _ => match inert(rules, bytes, at) {
                Some(end) => {
                    out.extend_from_slice(&bytes[at..end]);
                    at = end;
                    continue;
                }
                None => out.push(bytes[at]),
            },
        }
        at += 1;
    }
    (round == 0).then_some(out)
}

/// Whether what stands before a brace is the head of a function.
fn is_function(rules: &BraceRules, head: &[u8]) -> bool {
    const OWNERS: [&[u8]; 12] = [
        b"class",
        b"interface",
        b"struct",
        b"enum",
        b"impl",
        b"trait",
        b"namespace",
        b"mod",
        b"module",
        b"record",
        b"union",
        b"extern",
    ];
    if head.ends_with(b"=> ") || head.ends_with(b"=>") {
        return rules.arrow_functions;
    }
    // What stands in parentheses, annotations and parameters, says nothing about what it is.
    let outside = outside_parentheses(head);
    let words: Vec<&[u8]> = outside
        .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        .filter(|word| !word.is_empty())
        .collect();
    let opens_type = words.iter().take(6).any(|word| OWNERS.contains(word));
    let assigns = outside.contains(&b'=');
    (rules.is_function)(&FunctionHead { words, has_parentheses: head.contains(&b'('), opens_type, assigns })
}

fn outside_parentheses(head: &[u8]) -> Vec<u8> {
    let mut depth = 0usize;
    let mut out = Vec::with_capacity(head.len());
    for byte in head {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            // A blank keeps the words on both sides apart.
            _ => out.push(if depth == 0 { *byte } else { b' ' }),
        }
    }
    out
}

/// Where the brace at `open` is closed.
fn closing(rules: &BraceRules, bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = open;
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {
                if let Some(end) = inert(rules, bytes, at) {
                    at = end;
                    continue;
                }
            }
        }
        at += 1;
    }
    None
}

/// The end of the comment, text or character that starts here, if one does.
fn inert(rules: &BraceRules, bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let length = match bytes[at] {
        b'/' if rest.starts_with(b"//") => line_length(rest),
        b'/' if rest.starts_with(b"/*") => find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4),
        b'#' if rules.hash_comments && !rest.starts_with(b"#[") => line_length(rest),
        b'"' if rules.long_strings => text_length(rest, b'"', StringSpan::Many),
        b'"' => text_length(rest, b'"', StringSpan::Line),
        b'`' if rules.backticks => text_length(rest, b'`', StringSpan::Many),
        b'\'' => (rules.single_quoted)(rest)?,
        b'r' => (rules.raw_string)(rest)?,
        _ => return None,
    };
    Some(at + length)
}

/// Whether a text may go on in the next line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StringSpan {
    Line,
    Many,
}

pub(crate) fn line_length(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
}

pub(crate) fn text_length(rest: &[u8], quote: u8, lines: StringSpan) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 1,
            b'\n' if lines == StringSpan::Line => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

#[cfg(test)]
mod tests;
