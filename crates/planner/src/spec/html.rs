//! HTML inside Markdown → headings, tables, items and paragraphs. Tags without a meaning of their own are passed over;
//! what stands between them is not.

use std::ops::Range;

use super::markdown::{Table, Words};

/// Something an HTML block holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Heading(usize, Words),
    Paragraph(Words),
    /// An item of a list, and how deep it is nested.
    Item(usize, Words),
    Table(Table, Range<usize>),
}

/// The pieces of a block of HTML that begins at a place.
pub(super) fn pieces(html: &str, start: usize) -> Vec<Piece> {
    let mut reader = Html { start, ..Html::default() };
    let mut at = 0;
    while let Some(open) = html[at..].find('<').map(|n| at + n) {
        reader.text(&html[at..open], at);
        let rest = &html[open..];
        let comment = rest.starts_with("<!--");
        let end = if comment { rest.find("-->").map(|n| n + 3) } else { rest.find('>').map(|n| n + 1) };
        let Some(end) = end else {
            // A sign that opens no tag; of a comment without end nothing is shown either.
            at = if comment { html.len() } else { open + 1 };
            continue;
        };
        if !comment {
            reader.tag(&rest[1..end - 1], open);
        }
        at = open + end;
    }
    reader.text(&html[at.min(html.len())..], at);
    reader.table_ends(html.len());
    reader.flush();
    reader.found
}

#[derive(Debug, Default)]
struct Html {
    start: usize,
    found: Vec<Piece>,
    words: Words,
    heading: Option<usize>,
    lists: usize,
    item: bool,
    table: Option<(Table, usize)>,
    row: Option<Vec<Words>>,
    /// Inside what is never shown.
    hidden: bool,
}

impl Html {
    fn text(&mut self, text: &str, at: usize) {
        if self.hidden || text.trim().is_empty() {
            if !self.words.text.is_empty() {
                self.words.text.push(' ');
            }
            return;
        }
        let lead = text.len() - text.trim_start().len();
        if self.words.text.is_empty() {
            self.words.at.start = self.start + at + lead;
        }
        self.words.at.end = self.start + at + text.trim_end().len();
        for (name, sign) in
            [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        {
            if text.contains('&') && text.contains(name) {
                return self.text_of(&text.replace(name, sign), at);
            }
        }
        self.words.text.push_str(text);
    }

    /// A text whose signs are written out; its place stays that of the original.
    fn text_of(&mut self, text: &str, at: usize) {
        let place = self.words.at.clone();
        self.text(text, at);
        self.words.at = place;
    }

    fn tag(&mut self, tag: &str, at: usize) {
        let closing = tag.starts_with('/');
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase();
        match (name.as_str(), closing) {
            ("script" | "style", _) => self.hidden = !closing,
            ("table", false) => {
                self.flush();
                self.table = Some((Table::default(), at));
            }
            ("table", true) => self.table_ends(at),
            ("tr", _) => self.row_ends(),
            ("td" | "th", _) => self.cell_ends(),
            ("ul" | "ol", false) => {
                self.flush();
                self.lists += 1;
            }
            ("ul" | "ol", true) => {
                self.flush();
                self.lists = self.lists.saturating_sub(1);
            }
            ("li", closing) => {
                self.flush();
                self.item = !closing;
            }
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", false) => {
                self.flush();
                self.heading = name[1..].parse().ok();
            }
            ("br", _) => self.words.text.push(' '),
            (
                "p" | "div" | "summary" | "details" | "section" | "article" | "blockquote" | "h1" | "h2"
                | "h3" | "h4" | "h5" | "h6" | "hr" | "pre" | "dt" | "dd",
                _,
            ) if self.row.is_none() => self.flush(),
            _ => {}
        }
    }

    fn take(&mut self) -> Option<Words> {
        let mut words = std::mem::take(&mut self.words);
        words.text = super::markdown::squeeze(&words.text);
        (!words.text.is_empty()).then_some(words)
    }

    fn flush(&mut self) {
        let heading = self.heading.take();
        let Some(words) = self.take() else { return };
        let piece = match heading {
            Some(level) => Piece::Heading(level, words),
            None if self.item => Piece::Item(self.lists.saturating_sub(1), words),
            None => Piece::Paragraph(words),
        };
        self.item = false;
        self.found.push(piece);
    }

    fn cell_ends(&mut self) {
        if self.table.is_some()
            && let Some(words) = self.take()
        {
            self.row.get_or_insert_default().push(words);
        }
    }

    fn row_ends(&mut self) {
        self.cell_ends();
        if let Some((table, _)) = &mut self.table
            && let Some(row) = self.row.take()
        {
            if table.head.is_empty() { table.head = row } else { table.rows.push(row) }
        }
    }

    fn table_ends(&mut self, at: usize) {
        self.row_ends();
        if let Some((table, from)) = self.table.take().filter(|(t, _)| !t.head.is_empty()) {
            self.found.push(Piece::Table(table, self.start + from..self.start + at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str) -> Vec<String> {
        let one = |piece: &Piece| match piece {
            Piece::Heading(level, words) => format!("h{level} {}", words.text),
            Piece::Paragraph(words) => format!("p {} = {}", words.text, &html[words.at.clone()]),
            Piece::Item(depth, words) => format!("{depth} {}", words.text),
            Piece::Table(table, _) => {
                let row =
                    |row: &Vec<Words>| row.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join("|");
                format!(
                    "t {} / {}",
                    row(&table.head),
                    table.rows.iter().map(row).collect::<Vec<_>>().join(" / ")
                )
            }
        };
        pieces(html, 0).iter().map(one).collect()
    }

    #[test]
    fn what_stands_between_tags_is_kept() {
        let table: [(&str, &[&str]); 7] = [
            ("<div>\n a <b>b</b>\n</div>", &["p a b = a <b>b"]),
            ("<h2 align=\"center\">Shop</h2><p>A &amp; B<br>C", &["h2 Shop", "p A & B C = A &amp; B<br>C"]),
            ("<ul><li>one<ul><li>two</ul><li>three</ul>", &["0 one", "1 two", "0 three"]),
            (
                "<table><tr><th>File<th>Task</tr>\n<tr><td><code>a.py</code></td><td>T-1</td></tr></table>",
                &["t File|Task / a.py|T-1"],
            ),
            ("<!-- TODO --><script>x()</script>", &[]),
            ("<table><tr><td>a", &["t a / "]),
            ("1 < 2", &["p 1 2 = 1 < 2"]),
        ];
        for (html, expected) in table {
            assert_eq!(shown(html), expected, "{html}");
        }
    }
}
