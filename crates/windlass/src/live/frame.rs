//! What stands at the bottom of the terminal, and the bytes that take it away and put the next one there.

use crate::render::visible_width;

/// The lines drawn last.
#[derive(Debug, Default)]
pub(super) struct Frame {
    drawn: Vec<usize>,
}

impl Frame {
    /// The bytes that remove the lines drawn last, let `scroll` pass, and draw `footer`. A terminal that became narrower has
    /// wrapped the old lines, so they are counted by its width now.
    pub(super) fn next(&mut self, scroll: &str, footer: Vec<String>, columns: usize) -> String {
        // Terminals that know the first and the last sequence draw everything at once; others ignore them.
        let mut text = String::from("\u{1b}[?2026h");
        let rows: usize = self.drawn.iter().map(|width| width.div_ceil(columns.max(1)).max(1)).sum();
        if rows > 0 {
            text.push_str(&format!("\r\u{1b}[{rows}A\u{1b}[J"));
        }
        text.push_str(scroll);
        self.drawn = footer.iter().map(|line| visible_width(line)).collect();
        for line in footer {
            text.push_str(&line);
            text.push('\n');
        }
        text.push_str("\u{1b}[?2026l");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        text.replace("\u{1b}[?2026h", "").replace("\u{1b}[?2026l", "").replace('\u{1b}', "ESC")
    }

    #[test]
    fn the_old_lines_are_taken_away_whatever_the_width_is_now() {
        let mut frame = Frame::default();
        let lines = |n: usize| (0..n).map(|_| "x".repeat(30)).collect::<Vec<_>>();
        assert_eq!(shown(&frame.next("a\n", vec!["one".into()], 80)), "a\none\n");
        assert_eq!(shown(&frame.next("", lines(2), 80)), format!("\rESC[1AESC[J{0}\n{0}\n", "x".repeat(30)));
        // Each of the two lines takes three rows of ten columns.
        assert_eq!(shown(&frame.next("", Vec::new(), 10)), "\rESC[6AESC[J");
        assert_eq!(shown(&frame.next("end\n", Vec::new(), 10)), "end\n");
    }

    #[test]
    fn colours_take_no_columns() {
        let mut frame = Frame::default();
        frame.next("", vec!["\u{1b}[1;33m?\u{1b}[0m abcdefg".into()], 10);
        assert_eq!(shown(&frame.next("", Vec::new(), 10)), "\rESC[1AESC[J");
    }
}
