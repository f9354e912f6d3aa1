//! Marks that would mislead the Markdown parser are overwritten, byte for byte, so that places stay the same: fences
//! inside fences, fences that are never closed, signs in front of lines, and lines that are a custom tag such as `<context>`.

use std::borrow::Cow;

/// A text whose code fences can be read one after the other.
#[derive(Debug)]
pub(super) struct MaskedText<'t> {
    pub(super) text: Cow<'t, str>,
    /// Where a code block begins that is never closed, though headings follow.
    pub(super) unclosed: Option<usize>,
}

/// Masks the fences inside other fences, and an opening fence that is never closed if headings follow it. A document that
/// shows Markdown with code in it would otherwise end its outer block at the first inner fence.
pub(super) fn without_nested_fences(text: &str) -> MaskedText<'_> {
    let mut inner: Vec<(usize, usize)> = Vec::new();
    let mut open: Vec<FenceLine> = Vec::new();
    let mut begins = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(fence) = FenceLine::from_line(line) {
            let nested = open.len() > 1;
            match open.last() {
                Some(outer) if outer.is_closed_by(&fence) => {
                    open.pop();
                    if nested {
                        inner.push((at + fence.indent, fence.length));
                    }
                }
                Some(outer) if !fence.bare && outer.can_hold(&fence) => {
                    inner.push((at + fence.indent, fence.length));
                    open.push(fence);
                }
                Some(_) => {}
                None => {
                    begins = at + fence.indent;
                    open.push(fence);
                }
            }
        }
        at += line.len();
    }
    let has_headings =
        |from: usize| text[from..].lines().any(|line| line.starts_with("## ") || line.starts_with("### "));
    let unclosed = open.first().filter(|_| has_headings(begins)).map(|fence| {
        inner.push((begins, fence.length));
        begins
    });
    MaskedText { text: overwrite(text, &inner, b'\''), unclosed }
}

/// Blanks the fence around a document that is pasted as one block of Markdown: the whole text, or most of it behind a few words
/// about it.
pub(super) fn without_outer_fence(text: &str) -> Cow<'_, str> {
    let mut written: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        written.extend((!line.trim().is_empty()).then_some((at, line)));
        at += line.len();
    }
    let fences: Vec<(usize, FenceLine)> = (0..written.len())
        .filter_map(|n| FenceLine::from_line(written[n].1).map(|fence| (n, fence)))
        .collect();
    let [(first, outer), inner @ .., (last, closing)] = fences.as_slice() else {
        return Cow::Borrowed(text);
    };
    // Without a name, a fence inside would be the end of the outer one, and words around it would be the document.
    let is_whole = *first == 0 && *last + 1 == written.len();
    let is_named = outer.markdown && !inner.iter().any(|(_, fence)| fence.markdown);
    let is_most = (written[*last].0 - written[*first].0) * 2 > text.len();
    let is_heading = |line: &str| line.starts_with("# ") || line.starts_with("## ");
    let headings = written[*first..*last].iter().filter(|(_, line)| is_heading(line)).count();
    let is_document = (is_named && is_most) || (is_whole && outer.bare && inner.is_empty());
    if headings < 2 || !is_document || !outer.is_closed_by(closing) {
        return Cow::Borrowed(text);
    }
    let fences = [*first, *last].map(|n| (written[n].0, written[n].1.trim_end().len()));
    overwrite(text, &fences, b' ')
}

/// Blanks the directives of reStructuredText that are no text: pictures, link targets, and their options.
pub(super) fn without_directives(text: &str) -> Cow<'_, str> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut inside = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim();
        let is_option = inside && line.starts_with(' ') && body.starts_with(':');
        inside = body.starts_with(".. ") && (body.contains("::") || body.starts_with(".. _")) || is_option;
        if inside {
            found.push((at, line.trim_end_matches(['\r', '\n']).len()));
        }
        at += line.len();
    }
    overwrite(text, &found, b' ')
}

/// Blanks the backslashes in front of marks at the beginning of lines (`\\# Title`, `\\- item`), where an export has put them
/// in front of several.
pub(super) fn without_escapes(text: &str) -> Cow<'_, str> {
    const FEWEST: usize = 3;
    let escaped = lines_outside_fences(text).filter_map(|(at, line)| {
        let body = line.trim_start();
        let marks = body.strip_prefix('\\')?.trim_end();
        let name = marks.trim_start_matches(['#', '-', '*', '+']);
        let is_mark = name.len() < marks.len() && (name.is_empty() || name.starts_with(' '));
        is_mark.then_some((at + line.len() - body.len(), 1))
    });
    let escaped: Vec<(usize, usize)> = escaped.collect();
    if escaped.len() < FEWEST { Cow::Borrowed(text) } else { overwrite(text, &escaped, b' ') }
}

/// The lines that stand in no fenced block, and where they begin.
fn lines_outside_fences(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut open, mut next): (Option<u8>, usize) = (None, 0);
    text.split_inclusive('\n').filter_map(move |line| {
        let at = next;
        next += line.len();
        match (open, FenceLine::from_line(line).map(|fence| fence.mark)) {
            (Some(outer), Some(mark)) if outer == mark => open = None,
            (None, Some(mark)) => open = Some(mark),
            (Some(_) | None, _) => {}
        }
        open.is_none().then_some((at, line))
    })
}

/// Signs that people begin the lines of a list with.
const LIST_SIGNS: &str = "✅⭕☐☑✓✔•▪▫◦‣●○■□🔹🔸🔲⬜";

/// Gives lines that begin with a sign (`✅ Landing page`, `• Landing page`) the mark of a list, where at least two lines begin with
/// the same one. The parser would take them for one paragraph.
pub(super) fn with_list_marks(text: &str) -> Cow<'_, str> {
    let mut found: Vec<(char, usize, usize)> = Vec::new();
    for (at, line) in lines_outside_fences(text) {
        let body = line.trim_start_matches(' ');
        let sign = body.chars().next().filter(|c| LIST_SIGNS.contains(*c));
        if let Some(sign) = sign {
            // The sign may be followed by the mark that makes it a picture.
            let rest = body[sign.len_utf8()..].trim_start_matches('\u{fe0f}');
            let length = body.len() - rest.len();
            if rest.starts_with(' ') && !rest.trim().is_empty() {
                found.push((sign, at + line.len() - body.len(), length));
            }
        }
    }
    let is_list = |sign: char| found.iter().filter(|(other, _, _)| *other == sign).count() > 1;
    let mut marked = String::with_capacity(text.len());
    let mut from = 0;
    for (_, at, length) in found.iter().filter(|(sign, _, _)| is_list(*sign)) {
        marked.push_str(&text[from..*at]);
        marked.push_str("- ");
        marked.push_str(&blank(length + 1 - 2));
        from = at + length + 1;
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    marked.push_str(&text[from..]);
    Cow::Owned(marked)
}

/// Gives lines that begin with a letter (`a. Call the client`) the mark of a list, where the next letter follows in the next line.
pub(super) fn with_lettered_lists(text: &str) -> Cow<'_, str> {
    let lettered = |line: &str| {
        let body = line.trim_start();
        let mut chars = body.bytes();
        let letter = chars.next().filter(u8::is_ascii_lowercase)?;
        let is_mark = matches!(chars.next(), Some(b'.' | b')')) && chars.next() == Some(b' ');
        is_mark.then_some((letter, line.len() - body.len()))
    };
    let found: Vec<(usize, Option<(u8, usize)>)> =
        lines_outside_fences(text).map(|(at, line)| (at, lettered(line))).collect();
    let mut marks: Vec<usize> = Vec::new();
    for pair in found.windows(2) {
        if let [(at, Some((first, indent))), (next, Some((second, inner)))] = pair
            && *second == first + 1
        {
            marks.extend([at + indent, next + inner]);
        }
    }
    marks.dedup();
    let dashed = overwrite(text, &marks.iter().map(|at| (*at, 1)).collect::<Vec<_>>(), b'-');
    match overwrite(&dashed, &marks.iter().map(|at| (at + 1, 1)).collect::<Vec<_>>(), b' ') {
        Cow::Borrowed(_) => dashed,
        Cow::Owned(marked) => Cow::Owned(marked),
    }
}

/// So many bytes of space that Markdown does not count: what is nested below the item stays nested.
fn blank(length: usize) -> String {
    match length {
        0 => String::new(),
        1 => " ".to_owned(),
        3 => "\u{2003}".to_owned(),
        more => "\u{a0}".to_owned() + &blank(more - 2),
    }
}

/// Blanks lines that are nothing but a tag that HTML does not have. The parser would take what follows for HTML.
pub(super) fn without_custom_tags(text: &str) -> Cow<'_, str> {
    let mut tags: Vec<(usize, usize)> = Vec::new();
    for (at, line) in lines_outside_fences(text) {
        let body = line.trim();
        if is_custom_tag(body) {
            tags.push((at + line.find('<').unwrap_or(0), body.len()));
        }
    }
    overwrite(text, &tags, b' ')
}

/// The text with ranges (start and length) overwritten by an ASCII character.
fn overwrite<'t>(text: &'t str, ranges: &[(usize, usize)], with: u8) -> Cow<'t, str> {
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for (at, length) in ranges {
        bytes[*at..at + length].fill(with);
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// A line that opens or closes a code block.
#[derive(Debug, Clone, Copy)]
struct FenceLine {
    mark: u8,
    length: usize,
    indent: usize,
    /// Whether it has no info string.
    bare: bool,
    markdown: bool,
}

impl FenceLine {
    fn from_line(line: &str) -> Option<FenceLine> {
        let trimmed = line.trim_start_matches([' ', '\t']);
        let mark = *trimmed.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
        let length = trimmed.bytes().take_while(|b| *b == mark).count();
        let info = trimmed[length..].trim();
        let inline = mark == b'`' && info.contains('`');
        let markdown = matches!(info, "markdown" | "md" | "mdx");
        let indent = line.len() - trimmed.len();
        (length >= 3 && !inline).then_some(FenceLine {
            mark,
            length,
            indent,
            bare: info.is_empty(),
            markdown,
        })
    }

    fn is_closed_by(&self, other: &FenceLine) -> bool {
        other.bare && other.length >= self.length && other.mark == self.mark
    }

    /// Whether another fence is meant to be inside this one.
    fn can_hold(&self, other: &FenceLine) -> bool {
        self.mark == other.mark
            && other.length <= self.length
            && (self.markdown || other.indent > self.indent)
    }
}

/// Elements of HTML that documents have on a line of their own.
const HTML_ELEMENTS: &str = "a abbr article aside b blockquote body br center code dd details div dl dt em figure footer form \
    h1 h2 h3 h4 head header hr html iframe img li main nav ol p pre script section span style \
    summary table tbody td tfoot th thead tr ul video";

fn is_custom_tag(line: &str) -> bool {
    let Some(inner) = line.strip_prefix('<').and_then(|b| b.strip_suffix('>')) else { return false };
    let name = inner.trim_start_matches('/').trim_end_matches('/').trim();
    let is_name = name.starts_with(|c: char| c.is_alphabetic())
        && name.len() <= 60
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    is_name && !HTML_ELEMENTS.split(' ').any(|element| name.eq_ignore_ascii_case(element))
}
