//! A Markdown file divided into front matter, title, opening prose and `##` sections.

use super::fence::CodeFence;
use super::{SourceLine, lines};

/// A slice of the file and where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TextSlice<'a> {
    /// Offset of its first byte.
    pub(crate) at: usize,
    /// Its text.
    pub(crate) text: &'a str,
}

impl TextSlice<'_> {
    /// One past its last byte.
    pub(crate) fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// A `##` heading and everything up to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawSection<'a> {
    /// The heading's text, without its marks.
    pub(crate) heading: TextSlice<'a>,
    /// The text below it.
    pub(crate) body: TextSlice<'a>,
}

/// A file in its parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SectionedText<'a> {
    /// The front matter's YAML, if there is any.
    pub(crate) front: Option<TextSlice<'a>>,
    /// Whether the front matter has its closing line.
    pub(crate) front_closed: bool,
    /// The text of the first `#` heading.
    pub(crate) title: Option<TextSlice<'a>>,
    /// The prose before the first `##`.
    pub(crate) intro: TextSlice<'a>,
    /// The sections in order.
    pub(crate) sections: Vec<RawSection<'a>>,
}

impl<'a> SectionedText<'a> {
    /// Divides a text. A byte order mark is skipped.
    pub(crate) fn parse(text: &'a str) -> Self {
        let skip = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut document = SectionedText::default();
        let body_at = document.cut_front(text, skip);
        document.cut_body(TextSlice { at: body_at, text: &text[body_at..] });
        document
    }

    /// Finds the front matter and returns where the body begins.
    fn cut_front(&mut self, text: &'a str, skip: usize) -> usize {
        let mut all = lines(&text[skip..], skip);
        let Some(first) = all.next().filter(|l| l.text.trim_end() == "---") else { return skip };
        let from = next_line(text, &first);
        let mut stop = None;
        for line in all {
            let rule = line.text.trim_end();
            if rule == "---" || rule == "..." {
                self.front = Some(TextSlice { at: from, text: &text[from..line.at] });
                self.front_closed = true;
                return next_line(text, &line);
            }
            if stop.is_none() && rule.starts_with('#') && heading(rule).is_some() {
                stop = Some(line.at);
            }
        }
        let to = stop.unwrap_or(text.len());
        self.front = Some(TextSlice { at: from, text: &text[from..to] });
        to
    }

    fn cut_body(&mut self, body: TextSlice<'a>) {
        let mut fence: Option<CodeFence<'a>> = None;
        let mut from = body.at;
        let mut current: Option<TextSlice<'a>> = None;
        for line in lines(body.text, body.at) {
            if let Some(open) = &fence {
                if open.closes(line.text) {
                    fence = None;
                }
                continue;
            }
            fence = CodeFence::open(line.text);
            let Some((level, words)) = heading(line.text) else { continue };
            let part = TextSlice {
                at: line.at + (words.as_ptr() as usize - line.text.as_ptr() as usize),
                text: words,
            };
            let first_title = level == 1 && self.title.is_none() && current.is_none();
            if first_title && is_blank(slice(body, from, line.at)) {
                self.title = Some(part);
                from = next_in(body, &line);
            } else if level == 2 {
                self.end_section(
                    current.replace(part),
                    TextSlice { at: from, text: slice(body, from, line.at) },
                );
                from = next_in(body, &line);
            }
        }
        let rest = TextSlice { at: from, text: slice(body, from, body.end()) };
        self.end_section(current, rest);
    }

    fn end_section(&mut self, heading: Option<TextSlice<'a>>, body: TextSlice<'a>) {
        match heading {
            None => self.intro = body,
            Some(heading) => self.sections.push(RawSection { heading, body }),
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn slice(body: TextSlice<'_>, from: usize, to: usize) -> &str {
    &body.text[from - body.at..to - body.at]
}

fn next_in(body: TextSlice<'_>, line: &SourceLine<'_>) -> usize {
    body.at + next_line(body.text, &SourceLine { at: line.at - body.at, text: line.text })
}

/// Where the line after `line` starts.
fn next_line(text: &str, line: &SourceLine<'_>) -> usize {
    text[line.end()..].find('\n').map_or(text.len(), |i| line.end() + i + 1)
}

/// The level and words of an ATX heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    if !line.starts_with(['#', ' ']) {
        return None;
    }
    let trimmed = line.trim_start_matches(' ');
    if line.len() - trimmed.len() > 3 {
        return None;
    }
    let level = trimmed.bytes().take_while(|b| *b == b'#').count();
    let rest = &trimmed[level..];
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let words = rest.trim();
    let closing = words.trim_end_matches('#');
    let words = if closing.ends_with(' ') || closing.is_empty() { closing.trim_end() } else { words };
    Some((level, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cut_into_its_parts() {
        let text = "\u{feff}---\r\nid: A\r\n---\r\n# A: t ##\r\nhello\r\n## One\r\n```\r\n## no\r\n```\r\n## Two\r\n### deep\r\n";
        let d = SectionedText::parse(text);
        assert_eq!(d.front.map(|p| p.text), Some("id: A\r\n"));
        assert!(d.front_closed);
        assert_eq!(d.title.map(|p| (p.text, &text[p.at..p.end()])), Some(("A: t", "A: t")));
        assert_eq!(d.intro.text, "hello\r\n");
        let sections: Vec<(&str, &str)> = d.sections.iter().map(|s| (s.heading.text, s.body.text)).collect();
        assert_eq!(sections, [("One", "```\r\n## no\r\n```\r\n"), ("Two", "### deep\r\n")]);
        for s in &d.sections {
            assert_eq!(&text[s.heading.at..s.heading.end()], s.heading.text);
            assert_eq!(&text[s.body.at..s.body.end()], s.body.text);
        }
    }

    #[test]
    fn odd_files_are_cut_too() {
        for text in ["", "---", "---\n", "---\nid: x", "---\n# h", "#", "##", "## a\n```", "\u{feff}", "a\r"]
        {
            let _ = SectionedText::parse(text);
        }
        assert_eq!(SectionedText::parse("---\nid: x\n# T\n").title.map(|p| p.text), Some("T"));
    }
}
