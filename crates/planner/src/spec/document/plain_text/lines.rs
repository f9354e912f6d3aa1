//! The lines of a plain text: how far each is indented, and which mark or number it begins with.

/// A line of a plain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::spec::document) struct TextLine<'t> {
    /// Where its body begins in the text.
    pub(in crate::spec::document) at: usize,
    /// How many columns it is indented.
    pub(in crate::spec::document) indent: usize,
    /// The line without invisible characters at its ends.
    pub(in crate::spec::document) body: &'t str,
}

/// Every line of a text.
pub(in crate::spec::document) fn text_lines(text: &str) -> Vec<TextLine<'_>> {
    let mut at = 0;
    let mut found = Vec::new();
    for raw in text.split_inclusive('\n') {
        let hidden = |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}');
        let body = raw.trim_start_matches(hidden);
        let lead = &raw[..raw.len() - body.len()];
        let indent = lead.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
        found.push(TextLine { at: at + lead.len(), indent, body: body.trim_end_matches(hidden) });
        at += raw.len();
    }
    found
}

impl<'t> TextLine<'t> {
    pub(in crate::spec::document) fn is_blank(&self) -> bool {
        self.body.is_empty()
    }

    /// The character of a rule: `-----`, `=====`.
    pub(in crate::spec::document) fn rule(&self) -> Option<char> {
        let first = self.body.chars().next().filter(|c| "-=~_*^#+─═━".contains(*c))?;
        let long = self.body.chars().count() >= 3;
        (long && self.body.chars().all(|c| c == first)).then_some(first)
    }

    /// The text behind a bullet.
    pub(in crate::spec::document) fn bullet(&self) -> Option<&'t str> {
        let mut chars = self.body.chars();
        let first = chars.next()?;
        let rest = chars.as_str();
        let mark = "•◦▪▫‣⁃●○■□▶►▸➢➤·–—*-+\u{f0b7}\u{f0a7}✓✔☐☑❑❖".contains(first)
            || (first == 'o' && (self.indent > 0 || rest.trim_start().starts_with(char::is_uppercase)));
        let body = rest.strip_prefix([' ', '\t', '\u{a0}']).map(str::trim_start)?;
        (mark && !body.is_empty()).then_some(body)
    }

    /// The number a line begins with, and what follows it.
    pub(in crate::spec::document) fn number(&self) -> Option<(LineNumber, &'t str)> {
        LineNumber::at_start(self.body)
    }

    /// Whether it is part of a drawing.
    pub(in crate::spec::document) fn is_drawn(&self) -> bool {
        self.body.starts_with(['├', '└', '│', '┌', '|', '+'])
            && (self.body.contains("──") || self.body.contains("--"))
            || self.body.starts_with(['├', '└', '│', '┌', '┐', '┘'])
    }

    /// Its cells, if it is a row separated by tabs.
    pub(in crate::spec::document) fn cells(&self) -> Option<Vec<&'t str>> {
        let cells: Vec<&str> = self.body.split('\t').map(str::trim).filter(|c| !c.is_empty()).collect();
        (cells.len() > 1 && self.bullet().is_none() && self.number().is_none()).then_some(cells)
    }
}

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::spec::document) enum NumberStyle {
    /// `1.`
    Digits,
    /// `1)` or `(1)`
    Bracketed,
    /// `1.1`
    Decimal,
    /// `IV.`
    Roman,
    /// `B.` or `B)`
    Letter,
}

/// A number at the beginning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::spec::document) struct LineNumber {
    pub(in crate::spec::document) style: NumberStyle,
    /// Its parts: 3 and 1 of `3.1`.
    pub(in crate::spec::document) parts: Vec<u32>,
}

impl LineNumber {
    fn at_start(text: &str) -> Option<(LineNumber, &str)> {
        let open = text.starts_with('(');
        let inner = text.strip_prefix('(').unwrap_or(text);
        let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(inner.len());
        let (head, mut rest) = inner.split_at(end);
        let closed = rest.starts_with(')');
        rest = rest.strip_prefix(')').unwrap_or(rest);
        let body = rest.strip_prefix([' ', '\t', '\u{a0}'])?.trim_start();
        let dotted = head.ends_with('.');
        let head = head.strip_suffix('.').unwrap_or(head);
        if body.is_empty() || head.is_empty() || (open && !closed) {
            return None;
        }
        let number = decimal(head, dotted, closed).or_else(|| lettered(head, dotted, closed))?;
        Some((number, body))
    }

    /// Whether it is the number right after another.
    pub(in crate::spec::document) fn follows(&self, other: &LineNumber) -> bool {
        let (Some((last, head)), Some((before, same))) = (self.parts.split_last(), other.parts.split_last())
        else {
            return false;
        };
        self.style == other.style && head == same && *last == before + 1
    }
}

fn decimal(head: &str, dotted: bool, closed: bool) -> Option<LineNumber> {
    let parts: Vec<u32> =
        head.split('.').map(|p| p.parse().ok().filter(|n| *n < 1000)).collect::<Option<_>>()?;
    if parts.len() > 6 || !head.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    let style = match (parts.len(), closed) {
        (1, true) => NumberStyle::Bracketed,
        (1, false) => NumberStyle::Digits,
        _ => NumberStyle::Decimal,
    };
    (parts.len() > 1 || dotted || closed).then_some(LineNumber { style, parts })
}

fn lettered(head: &str, dotted: bool, closed: bool) -> Option<LineNumber> {
    if !(dotted || closed) {
        return None;
    }
    if let Some(value) = roman(head).filter(|_| head.len() > 1 || matches!(head, "I" | "V" | "X")) {
        return Some(LineNumber { style: NumberStyle::Roman, parts: vec![value] });
    }
    let byte = *head.as_bytes().first().filter(|b| head.len() == 1 && b.is_ascii_alphabetic())?;
    let value = u32::from(byte.to_ascii_lowercase() - b'a') + 1;
    Some(LineNumber { style: NumberStyle::Letter, parts: vec![value] })
}

fn roman(text: &str) -> Option<u32> {
    let value = |c: char| match c {
        'I' => Some(1),
        'V' => Some(5),
        'X' => Some(10),
        'L' => Some(50),
        _ => None,
    };
    let values: Vec<u32> = text.chars().map(value).collect::<Option<_>>()?;
    let mut sum = 0;
    for (at, value) in values.iter().enumerate() {
        if values.get(at + 1).is_some_and(|next| next > value) {
            sum -= i64::from(*value);
        } else {
            sum += i64::from(*value);
        }
    }
    u32::try_from(sum).ok().filter(|n| (1..60).contains(n))
}
