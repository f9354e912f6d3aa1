//! Which lines of a plain text are headings, and how deep each stands.

use super::line::{Line, Style};
use super::regions::{Region, regions};
use crate::spec::ids;
use crate::spec::topic::Topic;

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
    telling: usize,
}

impl Headings {
    pub(super) fn of(lines: &[Line<'_>]) -> Headings {
        let mut search = Search::of(lines);
        for at in 0..lines.len() {
            search.line(at);
        }
        Headings { by_line: search.found, regions: search.regions, telling: search.telling }
    }

    pub(super) fn at(&self, line: usize) -> Option<&Heading> {
        self.by_line.get(line).and_then(Option::as_ref)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.by_line.iter().flatten().count()
    }

    /// How many there are that are hard to take for anything else.
    pub(super) fn telling(&self) -> usize {
        self.telling
    }
}

/// What makes a heading one; those that are seen first stand above those that are seen later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Ruled,
    Capitals,
    Numbered(Style),
}

struct Search<'l, 't> {
    lines: &'l [Line<'t>],
    regions: Vec<Region>,
    found: Vec<Option<Heading>>,
    /// First parts of numbers such as `3.1`: their `3.` is a heading too.
    chapters: Vec<u32>,
    families: Vec<Family>,
    /// Lines that are numbered items of a list.
    items: Vec<bool>,
    /// The level of the last heading that cuts up the document, and of the last that names a thing in it.
    base: usize,
    inner: usize,
    begun: bool,
    telling: usize,
}

impl<'l, 't> Search<'l, 't> {
    fn of(lines: &'l [Line<'t>]) -> Self {
        let decimals = lines
            .iter()
            .filter_map(Line::number)
            .filter(|(n, rest)| n.style == Style::Decimal && opens(rest));
        let chapters = decimals.filter_map(|(n, _)| n.parts.first().copied()).collect();
        Search {
            lines,
            regions: regions(lines),
            found: vec![None; lines.len()],
            chapters,
            families: Vec::new(),
            items: vec![false; lines.len()],
            base: 1,
            inner: 0,
            begun: false,
            telling: 0,
        }
    }

    fn line(&mut self, at: usize) {
        let line = self.lines[at];
        if line.is_blank() || self.regions[at] != Region::Prose || line.rule().is_some() {
            return;
        }
        let first = !std::mem::replace(&mut self.begun, true);
        if line.indent > 3 {
            return;
        }
        let _ = self.ruled(at, first)
            || self.title(at, first)
            || self.numbered(at)
            || self.capitals(at)
            || self.named(at)
            || self.short(at);
    }

    fn push(&mut self, at: usize, level: usize, text: &str) {
        let from = self.lines[at].body.find(text).unwrap_or(0);
        self.found[at] = Some(Heading { level: level.clamp(1, 6), from, length: text.len() });
    }

    /// A heading that cuts up the document.
    fn chapter(&mut self, at: usize, family: Family, deeper: usize, text: &str) -> bool {
        if !self.families.contains(&family) {
            self.families.push(family);
        }
        let rank = self.families.iter().position(|f| *f == family).unwrap_or(0);
        self.base = (2 + rank + deeper).min(5);
        self.inner = 0;
        self.telling += 1;
        self.push(at, self.base, text);
        true
    }

    fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|n| !self.lines[*n].is_blank())
    }

    fn after(&self, at: usize) -> Option<usize> {
        (at + 1..self.lines.len()).find(|n| !self.lines[*n].is_blank())
    }

    /// Whether a line stands apart from the prose before it.
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

    /// Underlined, or between rules on one line.
    fn ruled(&mut self, at: usize, first: bool) -> bool {
        let line = self.lines[at];
        let body = line.body;
        let under = self.lines.get(at + 1).and_then(Line::rule).filter(|c| "=-~^─═━".contains(*c));
        if let Some(mark) =
            under.filter(|_| self.is_apart(at) && body.chars().count() <= 100 && line.bullet().is_none())
        {
            if first {
                self.base = 1;
                self.telling += 1;
                self.push(at, 1, body);
                return true;
            }
            let deeper = usize::from(!matches!(mark, '=' | '═' | '━'));
            return self.chapter(at, Family::Ruled, deeper, body);
        }
        let inner = body.trim_matches(|c: char| "=-*#~_".contains(c));
        let marks = (body.len() - inner.len()) / 2;
        let both =
            body.starts_with(['=', '-', '*', '~', '_']) && body.ends_with(['=', '-', '*', '~', '_', '#']);
        let framed =
            both && marks >= 2 && inner.starts_with(' ') && inner.ends_with(' ') && !inner.trim().is_empty();
        framed && self.chapter(at, Family::Ruled, 0, inner.trim())
    }

    /// The first line of a document, where it is a name.
    fn title(&mut self, at: usize, first: bool) -> bool {
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

    fn numbered(&mut self, at: usize) -> bool {
        let Some((number, rest)) = self.lines[at].number() else { return false };
        let numbered = |n: usize| self.lines[n].number().map(|(number, _)| number);
        let follows =
            self.before(at).filter(|n| self.items[*n]).and_then(numbered).is_some_and(|n| number.follows(&n));
        let followed = self.after(at).and_then(numbered).is_some_and(|n| n.follows(&number));
        let chapter = number.style == Style::Digits && self.chapters.contains(&number.parts[0]);
        let small = number.style == Style::Letter
            && !self.lines[at].body.trim_start_matches('(').starts_with(char::is_uppercase);
        let heading = opens(rest)
            && !is_sentence(rest)
            && !small
            && self.is_apart(at)
            && (chapter || !(follows || followed))
            && self.after(at).is_some();
        if !heading {
            self.items[at] = true;
            return true;
        }
        // `1.` and `1.1` are of one kind.
        let style = if number.style == Style::Decimal { Style::Digits } else { number.style };
        // Readers of headings know numbers; letters they would take for words.
        let text = if matches!(style, Style::Digits | Style::Bracketed) { self.lines[at].body } else { rest };
        self.chapter(at, Family::Numbered(style), number.parts.len() - 1, text)
    }

    /// A line in capitals.
    fn capitals(&mut self, at: usize) -> bool {
        let body = self.lines[at].body;
        let letters = body.chars().filter(|c| c.is_alphabetic()).count();
        let large =
            letters >= 4 && !body.chars().any(char::is_lowercase) && body.chars().any(char::is_uppercase);
        let words = body.split_whitespace();
        let code = body.contains(['_', '=', '{', '<', '|']) || words.clone().any(|w| w.starts_with('/'));
        let fits = large && !code && words.count() <= 12 && !body.ends_with(['.', ',', ';']);
        fits && self.is_apart(at)
            && self.lines[at].bullet().is_none()
            && self.chapter(at, Family::Capitals, 0, body.trim_end_matches(':'))
    }

    /// A line that says what it names: `Feature 2: Search`, `FR-1: Login`, with something below it.
    fn named(&mut self, at: usize) -> bool {
        let body = self.lines[at].body;
        let below = self.lines.get(at + 1).is_some_and(|l| !l.is_blank());
        if !names(body) || is_sentence(body) || body.ends_with(':') || !self.is_apart(at) {
            return false;
        }
        let next = self.after(at).map(|n| self.lines[n]);
        let list = next.is_none_or(|l| names(l.body)) || !below && next.is_some_and(|l| l.bullet().is_none());
        if list {
            return false;
        }
        self.inner = self.base + 1;
        self.telling += 1;
        self.push(at, self.inner, body);
        true
    }

    /// A short line above a list, a drawing, a table or prose.
    fn short(&mut self, at: usize) -> bool {
        let line = self.lines[at];
        let body = line.body.trim_end_matches(':').trim_end();
        let topic = Topic::of(body);
        let words = body.split_whitespace().count();
        let fits = (1..=7).contains(&words)
            && body.chars().count() <= 60
            && opens(body)
            && line.bullet().is_none()
            && !body.contains(['\t', '`', '=', ':'])
            && !body.ends_with(['.', ',', ';', '!', '?']);
        let Some(next) = self.lines.get(at + 1).filter(|_| fits) else { return false };
        let listed = next.bullet().is_some()
            || next.number().is_some()
            || matches!(self.regions[at + 1], Region::Code | Region::Table);
        // Below a list, or below a sentence that has ended.
        let ended =
            |l: &Line<'_>| l.bullet().is_some() || (l.body.ends_with(['.', '!', '?', ')']) && words <= 4);
        let within = at > 0 && ended(&self.lines[at - 1]) && line.indent == 0 && next.bullet().is_some();
        let prose = next.body.chars().count() > 40 && !line.body.ends_with(':');
        let said = topic.is_some() && self.is_apart(at);
        let heading = said
            || (within && !line.body.ends_with(':'))
            || (self.is_apart(at) && !line.body.ends_with(':') && (listed || prose));
        if !heading {
            return false;
        }
        self.telling += usize::from(topic.is_some());
        let own = matches!(topic, None | Some(Topic::Criteria));
        let level = if own { self.inner.max(self.base) + 1 } else { self.base + 1 };
        self.push(at, level, body);
        true
    }
}

/// Whether a text begins as a name or sentence does.
fn opens(text: &str) -> bool {
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
fn names(body: &str) -> bool {
    const KINDS: [&str; 14] = [
        "feature",
        "epic",
        "user story",
        "story",
        "use case",
        "requirement",
        "module",
        "component",
        "phase",
        "milestone",
        "screen",
        "sprint",
        "capability",
        "task",
    ];
    if ids::requirement(body).is_some_and(|(_, rest)| !rest.is_empty()) || ids::story(body).is_some() {
        return true;
    }
    let lower = body.to_lowercase();
    let rest = KINDS.iter().find_map(|kind| lower.strip_prefix(kind));
    let rest = rest.map(|r| r.trim_start_matches(|c: char| c.is_ascii_digit() || " .#".contains(c)));
    rest.and_then(|r| r.strip_prefix([':', '-', '—', '–'])).is_some_and(|r| !r.trim().is_empty())
}
