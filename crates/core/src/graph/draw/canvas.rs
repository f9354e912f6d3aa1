//! A sheet of characters on which lines know what they meet.

use super::Charset;
use crate::columns::columns;

/// Directions a line leaves a place in.
const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

/// One place of the sheet.
#[derive(Debug, Clone, Copy, Default)]
struct CanvasCell {
    across: u8,
    along: u8,
    /// Whether the lines that meet here belong together; if not, the vertical one passes over.
    joined: bool,
    /// Whether the place belongs to the frame of a marked box.
    heavy: bool,
    /// A character of a text; `Some('\0')` is the second half of a wide one.
    text: Option<char>,
}

/// The frame of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoxStyle {
    /// Thin.
    Plain,
    /// Heavy: on the critical path.
    Marked,
}

/// The sheet.
#[derive(Debug)]
pub(super) struct Canvas {
    spots: Vec<Vec<CanvasCell>>,
    charset: Charset,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize, charset: Charset) -> Canvas {
        Canvas { spots: vec![vec![CanvasCell::default(); width]; height], charset }
    }

    /// A vertical line between two places.
    pub(super) fn down(&mut self, x: usize, from: usize, to: usize) {
        for y in from..to {
            self.spots[y][x].along |= DOWN;
            self.spots[y + 1][x].along |= UP;
        }
    }

    /// A horizontal line between two places.
    pub(super) fn across(&mut self, y: usize, from: usize, to: usize) {
        for x in from..to {
            self.spots[y][x].across |= RIGHT;
            self.spots[y][x + 1].across |= LEFT;
        }
    }

    /// Says that what meets here belongs together.
    pub(super) fn join(&mut self, x: usize, y: usize) {
        self.spots[y][x].joined = true;
    }

    /// Puts an arrow's head.
    pub(super) fn arrow(&mut self, x: usize, y: usize) {
        let head = match self.charset {
            Charset::Unicode => '▼',
            Charset::Ascii => 'v',
        };
        self.spots[y][x].text = Some(head);
    }

    /// Writes a text; wide characters take two places.
    pub(super) fn write(&mut self, x: usize, y: usize, text: &str) {
        let mut at = x;
        for c in text.chars() {
            let wide = columns(c);
            if wide == 0 || at >= self.spots[y].len() {
                continue;
            }
            self.spots[y][at].text = Some(c);
            if wide == 2 && at + 1 < self.spots[y].len() {
                self.spots[y][at + 1].text = Some('\0');
            }
            at += wide;
        }
    }

    /// Draws a frame; corners are inside the given edges.
    pub(super) fn frame(
        &mut self,
        (left, top): (usize, usize),
        (right, bottom): (usize, usize),
        frame: BoxStyle,
    ) {
        for (y, x1, x2) in [(top, left, right), (bottom, left, right)] {
            self.across(y, x1, x2);
        }
        for x in [left, right] {
            self.down(x, top, bottom);
        }
        for y in top..=bottom {
            for x in left..=right {
                if y == top || y == bottom || x == left || x == right {
                    let spot = &mut self.spots[y][x];
                    (spot.joined, spot.heavy) = (true, frame == BoxStyle::Marked);
                }
            }
        }
    }

    /// The sheet as lines without trailing space.
    pub(super) fn print(&self) -> String {
        let mut out = String::new();
        for row in &self.spots {
            let line: String = row.iter().filter(|s| s.text != Some('\0')).map(|s| self.glyph(*s)).collect();
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    fn glyph(&self, spot: CanvasCell) -> char {
        if let Some(c) = spot.text {
            return c;
        }
        let lines = if spot.joined || spot.along == 0 { spot.along | spot.across } else { spot.along };
        match (self.charset, spot.heavy) {
            (Charset::Unicode, false) => thin(lines),
            (Charset::Unicode, true) => heavy(lines),
            (Charset::Ascii, heavy) => ascii(lines, heavy),
        }
    }
}

fn thin(lines: u8) -> char {
    const GLYPHS: [char; 16] =
        [' ', '│', '│', '│', '─', '┘', '┐', '┤', '─', '└', '┌', '├', '─', '┴', '┬', '┼'];
    GLYPHS[usize::from(lines & 15)]
}

/// Heavy frames; a thin line leaves them downwards only.
fn heavy(lines: u8) -> char {
    const GLYPHS: [char; 16] =
        [' ', '┃', '┃', '┃', '━', '┛', '┓', '┤', '━', '┗', '┏', '├', '━', '┷', '┯', '┿'];
    GLYPHS[usize::from(lines & 15)]
}

fn ascii(lines: u8, heavy: bool) -> char {
    match (lines & (UP | DOWN) != 0, lines & (LEFT | RIGHT) != 0, heavy) {
        (false, false, _) => ' ',
        (true, false, false) => '|',
        (true, _, true) => '#',
        (false, true, false) => '-',
        (false, true, true) => '=',
        (true, true, false) => '+',
    }
}
