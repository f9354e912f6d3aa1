//! Which lines of a plain text are headings, and at which level.

use super::lines::{NumberStyle, TextLine};
use super::regions::{Region, line_regions};
use crate::spec::vocabulary::{Topic, ids};

/// A line that is a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) level: usize,
    /// Where its words begin in the line, and how long they are.
    pub(super) from: usize,
    pub(super) length: usize,
}

/// The headings of a text.
#[derive(Debug)]
pub(super) struct Headings {
    by_line: Vec<Option<Heading>>,
    pub(super) regions: Vec<Region>,
    certain: usize,
}

impl Headings {
    pub(super) fn find(lines: &[TextLine<'_>]) -> Headings {
        let mut search = HeadingSearch::new(lines);
        for at in 0..lines.len() {
            search.check_line(at);
        }
        if search.found.iter().all(Option::is_none) {
            search.find_leads();
        }
        Headings { by_line: search.found, regions: search.regions, certain: search.certain }
    }

    pub(super) fn at(&self, line: usize) -> Option<&Heading> {
        self.by_line.get(line).and_then(Option::as_ref)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.by_line.iter().flatten().count()
    }

    /// How many of them can hardly be anything else.
    pub(super) fn certain(&self) -> usize {
        self.certain
    }
}

/// How a heading is marked. A style that appears first in the document is at a higher level than the later ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeadingStyle {
    Ruled,
    Capitals,
    Pictured,
    Numbered(NumberStyle),
}

struct HeadingSearch<'l, 't> {
    lines: &'l [TextLine<'t>],
    regions: Vec<Region>,
    found: Vec<Option<Heading>>,
    /// The first parts of numbers such as `3.1`: a line `3.` is then a heading too.
    chapters: Vec<u32>,
    styles: Vec<HeadingStyle>,
    /// Lines that are numbered items of a list.
    items: Vec<bool>,
    /// The level of the last chapter heading, and of the last heading that names a thing inside a chapter.
    base: usize,
    inner: usize,
    begun: bool,
    certain: usize,
}

impl<'l, 't> HeadingSearch<'l, 't> {
    fn new(lines: &'l [TextLine<'t>]) -> Self {
        let decimals = lines
            .iter()
            .filter_map(TextLine::number)
            .filter(|(n, rest)| n.style == NumberStyle::Decimal && begins_name(rest));
        let chapters = decimals.filter_map(|(n, _)| n.parts.first().copied()).collect();
        HeadingSearch {
            lines,
            regions: line_regions(lines),
            found: vec![None; lines.len()],
            chapters,
            styles: Vec::new(),
            items: vec![false; lines.len()],
            base: 1,
            inner: 0,
            begun: false,
            certain: 0,
        }
    }

    fn check_line(&mut self, at: usize) {
        let line = self.lines[at];
        if line.is_blank() || self.regions[at] != Region::Prose || line.rule().is_some() {
            return;
        }
        let first = !std::mem::replace(&mut self.begun, true);
        if line.indent > 3 {
            return;
        }
        let _ = self.check_comment(at)
            || self.check_hashed(at)
            || self.check_ruled(at, first)
            || self.check_title(at, first)
            || self.check_numbered(at)
            || self.check_pictured(at)
            || self.check_capitals(at)
            || self.check_named(at)
            || self.check_short(at);
    }

    /// `omar commented 3 weeks ago`: the text after it is another person's.
    fn check_comment(&mut self, at: usize) -> bool {
        let body = self.lines[at].body;
        let Some((who, when)) = body.split_once(" commented ") else { return false };
        let is_comment =
            who.split_whitespace().count() <= 2 && (when.contains(" ago") || when.starts_with("on "));
        if is_comment {
            self.push(at, 2, body);
        }
        is_comment
    }

    /// `#Input file`: a heading of Markdown without the space behind its mark.
    fn check_hashed(&mut self, at: usize) -> bool {
        let body = self.lines[at].body;
        let text = body.trim_start_matches('#');
        let level = body.len() - text.len();
        let is_heading =
            (1..=6).contains(&level) && text.starts_with(char::is_uppercase) && !is_sentence(text);
        if is_heading {
            self.certain += 1;
            self.push(at, level, text);
        }
        is_heading
    }

    /// `📌 Project goal`: a name behind a picture, where several lines begin so.
    fn check_pictured(&mut self, at: usize) -> bool {
        let name = |line: &TextLine<'t>| pictured_name(line.body).map(str::to_owned);
        let Some(text) = name(&self.lines[at]) else { return false };
        let others = self.lines.iter().filter(|line| name(line).is_some()).count();
        others > 1 && self.push_chapter(at, HeadingStyle::Pictured, 0, &text)
    }

    fn push(&mut self, at: usize, level: usize, text: &str) {
        let from = self.lines[at].body.find(text).unwrap_or(0);
        self.found[at] = Some(Heading { level: level.clamp(1, 6), from, length: text.len() });
    }

    /// Records a heading that divides the document into chapters.
    fn push_chapter(&mut self, at: usize, style: HeadingStyle, deeper: usize, text: &str) -> bool {
        if !self.styles.contains(&style) {
            self.styles.push(style);
        }
        let rank = self.styles.iter().position(|f| *f == style).unwrap_or(0);
        self.base = (2 + rank + deeper).min(5);
        self.inner = 0;
        self.certain += 1;
        self.push(at, self.base, text);
        true
    }

    fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|n| !self.lines[*n].is_blank())
    }

    fn after(&self, at: usize) -> Option<usize> {
        (at + 1..self.lines.len()).find(|n| !self.lines[*n].is_blank())
    }

    /// Whether a line is separated from the prose above it.
    fn is_apart(&self, at: usize) -> bool {
        let above = at.checked_sub(1);
        above.is_none_or(|n| {
            let line = &self.lines[n];
            line.is_blank()
                || line.rule().is_some()
                || self.found[n].is_some()
                || self.regions[n] != Region::Prose
        })
    }

    /// A line that is underlined or framed: `*** NOTES ***`.
    fn check_ruled(&mut self, at: usize, first: bool) -> bool {
        let line = self.lines[at];
        let body = line.body;
        let under = self.lines.get(at + 1).and_then(TextLine::rule).filter(|c| "=-~^─═━".contains(*c));
        if let Some(mark) =
            under.filter(|_| self.is_apart(at) && body.chars().count() <= 100 && line.bullet().is_none())
        {
            if first {
                self.base = 1;
                self.certain += 1;
                self.push(at, 1, body);
                return true;
            }
            let deeper = usize::from(!matches!(mark, '=' | '═' | '━'));
            return self.push_chapter(at, HeadingStyle::Ruled, deeper, body);
        }
        let inner = body.trim_matches(|c: char| "=-*#~_".contains(c));
        let marks = (body.len() - inner.len()) / 2;
        let both =
            body.starts_with(['=', '-', '*', '~', '_']) && body.ends_with(['=', '-', '*', '~', '_', '#']);
        let framed =
            both && marks >= 2 && inner.starts_with(' ') && inner.ends_with(' ') && !inner.trim().is_empty();
        framed && self.push_chapter(at, HeadingStyle::Ruled, 0, inner.trim())
    }

    /// The first line of a document, if it is a name.
    fn check_title(&mut self, at: usize, first: bool) -> bool {
        let line = self.lines[at];
        let named = first && line.bullet().is_none() && line.number().is_none() && !is_sentence(line.body);
        let plain = named
            && !line.body.ends_with(':')
            && !line.body.starts_with('#')
            && line.body.chars().count() <= 100;
        if plain {
            self.push(at, 1, line.body);
        }
        plain
    }

    /// A numbered line that is not an item of a numbered list.
    fn check_numbered(&mut self, at: usize) -> bool {
        let Some((number, rest)) = self.lines[at].number() else { return false };
        let numbered = |n: usize| self.lines[n].number().map(|(number, _)| number);
        let follows =
            self.before(at).filter(|n| self.items[*n]).and_then(numbered).is_some_and(|n| number.follows(&n));
        let followed = self.after(at).and_then(numbered).is_some_and(|n| n.follows(&number));
        let chapter = number.style == NumberStyle::Digits && self.chapters.contains(&number.parts[0]);
        let small = number.style == NumberStyle::Letter
            && !self.lines[at].body.trim_start_matches('(').starts_with(char::is_uppercase);
        let heading = begins_name(rest)
            && !is_sentence(rest)
            && !small
            && self.is_apart(at)
            && (chapter || !(follows || followed))
            && self.after(at).is_some();
        if !heading {
            self.items[at] = true;
            return true;
        }
        // `1.` and `1.1` belong to one numbering.
        let numbering = if number.style == NumberStyle::Decimal { NumberStyle::Digits } else { number.style };
        // Topics are recognised behind digits, but not behind letters.
        let text = if matches!(numbering, NumberStyle::Digits | NumberStyle::Bracketed) {
            self.lines[at].body
        } else {
            rest
        };
        self.push_chapter(at, HeadingStyle::Numbered(numbering), number.parts.len() - 1, text)
    }

    /// A line in capitals.
    fn check_capitals(&mut self, at: usize) -> bool {
        let body = self.lines[at].body;
        let letters = body.chars().filter(|c| c.is_alphabetic()).count();
        let large =
            letters >= 4 && !body.chars().any(char::is_lowercase) && body.chars().any(char::is_uppercase);
        let words = body.split_whitespace();
        let code = body.contains(['_', '=', '{', '<', '|']) || words.clone().any(|w| w.starts_with('/'));
        let fits = large && !code && words.count() <= 12 && !body.ends_with(['.', ',', ';']);
        fits && self.is_apart(at)
            && self.lines[at].bullet().is_none()
            && self.push_chapter(at, HeadingStyle::Capitals, 0, body.trim_end_matches(':'))
    }

    /// A line that says what it names (`Feature 2: Search`, `FR-1: Login`) with something below it.
    fn check_named(&mut self, at: usize) -> bool {
        let body = self.lines[at].body;
        let below = self.lines.get(at + 1).is_some_and(|l| !l.is_blank());
        if !names_thing(body) || is_sentence(body) || body.ends_with(':') || !self.is_apart(at) {
            return false;
        }
        let next = self.after(at).map(|n| self.lines[n]);
        let list =
            next.is_none_or(|l| names_thing(l.body)) || !below && next.is_some_and(|l| l.bullet().is_none());
        if list {
            return false;
        }
        self.inner = self.base + 1;
        self.certain += 1;
        self.push(at, self.inner, body);
        true
    }

    /// A short line above a list, a drawing, a table or prose.
    fn check_short(&mut self, at: usize) -> bool {
        let line = self.lines[at];
        let body = line.body.trim_end_matches(':').trim_end();
        let topic = Topic::from_title(body);
        let words = body.split_whitespace().count();
        let fits = (1..=7).contains(&words)
            && body.chars().count() <= 60
            && begins_name(body)
            && line.bullet().is_none()
            && !body.contains(['\t', '`', '=', ':'])
            && !body.ends_with(['.', ',', ';', '!', '?']);
        let Some(next) = self.lines.get(at + 1).filter(|_| fits) else { return false };
        let listed = next.bullet().is_some()
            || next.number().is_some()
            || matches!(self.regions[at + 1], Region::Code | Region::Table);
        // Below a list, or below a sentence that has ended.
        let ended =
            |l: &TextLine<'_>| l.bullet().is_some() || (l.body.ends_with(['.', '!', '?', ')']) && words <= 4);
        let within = at > 0 && ended(&self.lines[at - 1]) && line.indent == 0 && next.bullet().is_some();
        let prose = next.body.chars().count() > 40 && !line.body.ends_with(':');
        let said = topic.is_some() && self.is_apart(at);
        let heading = said
            || (within && !line.body.ends_with(':'))
            || (self.is_apart(at) && !line.body.ends_with(':') && (listed || prose));
        if !heading {
            return false;
        }
        self.certain += usize::from(topic.is_some());
        let own = matches!(topic, None | Some(Topic::Criteria));
        let level = if own { self.inner.max(self.base) + 1 } else { self.base + 1 };
        self.push(at, level, body);
        true
    }
}

impl HeadingSearch<'_, '_> {
    /// In a text without any other heading, lines that introduce lists below them divide it, if there are several.
    fn find_leads(&mut self) {
        const LONGEST: usize = 100;
        let leads = |at: usize| {
            let line = self.lines[at];
            let below = self.after(at).map(|n| self.lines[n]);
            let is_listed =
                below.is_some_and(|l| l.indent > 1 && (l.bullet().is_some() || l.number().is_some()));
            line.indent == 0
                && line.body.ends_with([':', '：'])
                && line.body.chars().count() <= LONGEST
                && line.bullet().is_none()
                && self.regions[at] == Region::Prose
                && is_listed
        };
        let found: Vec<usize> = (0..self.lines.len()).filter(|at| leads(*at)).collect();
        for at in found.iter().copied().filter(|_| found.len() > 1) {
            let text = self.lines[at].body.trim_end_matches([':', '：']);
            self.push(at, 2, text);
        }
    }
}

/// Whether a text begins like a name or sentence.
fn begins_name(text: &str) -> bool {
    let first = text.chars().find(|c| !matches!(c, '"' | '\'' | '“' | '(' | '['));
    first.is_some_and(|c| c.is_uppercase() || (c.is_alphabetic() && !c.is_lowercase()) || c.is_ascii_digit())
}

/// Whether a text is more than a name.
pub(super) fn is_sentence(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let modal = words.iter().skip(1).any(|w| {
        matches!(
            w.to_ascii_lowercase().as_str(),
            "shall" | "must" | "should" | "will" | "can" | "may" | "is" | "are"
        )
    });
    words.len() > 12 || text.ends_with(['.', ';', ',', '!', '?', '。']) || (modal && words.len() > 3)
}

/// Whether a line says what kind of thing it names.
fn names_thing(body: &str) -> bool {
    const KINDS: &str = "feature|epic|user story|story|use case|requirement|module|component|phase|milestone|\
                         screen|sprint|capability|task";
    if ids::requirement(body).is_some_and(|(_, rest)| !rest.is_empty()) || ids::story(body).is_some() {
        return true;
    }
    let lower = body.to_lowercase();
    let rest = KINDS.split('|').find_map(|kind| lower.strip_prefix(kind));
    let rest = rest.map(|r| r.trim_start_matches(|c: char| c.is_ascii_digit() || " .#".contains(c)));
    rest.and_then(|r| r.strip_prefix([':', '-', '—', '–'])).is_some_and(|r| !r.trim().is_empty())
}

/// The few words behind the picture that a line begins with. Marks of lists and ticks are no pictures.
fn pictured_name(body: &str) -> Option<&str> {
    const MARKS: &str = "✅⭕☐☑✓✔✗✘❌•▪▫◦‣●○■□🔹🔸🔲⬜→←↑↓⇒";
    const LONGEST: usize = 6;
    let first =
        body.chars().next().filter(|c| *c >= '\u{2190}' && !c.is_alphanumeric() && !MARKS.contains(*c))?;
    let is_picture = ('\u{2600}'..='\u{27bf}').contains(&first) || first >= '\u{1f300}';
    let rest = body.split_once(' ').map(|(_, rest)| rest.trim()).filter(|_| is_picture)?;
    let is_name = rest.starts_with(char::is_uppercase)
        && rest.split_whitespace().count() <= LONGEST
        && !rest.ends_with(['.', '!', '?', ';', ',']);
    is_name.then_some(rest)
}
