//! A place to write to: how wide it is, and whether it shows colours.

use windlass_core::columns::columns;

/// Where text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Screen {
    /// Whether a person is watching.
    pub(crate) terminal: bool,
    /// Whether it shows colours.
    pub(crate) colour: bool,
    /// How many columns it has.
    pub(crate) width: usize,
}

/// What a piece of text is, not which colour it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Something is wrong.
    Error,
    /// Something may be wrong.
    Warning,
    /// Worth knowing.
    Note,
    /// What to do.
    Help,
    /// Done.
    Good,
    /// Under way.
    Busy,
    /// Matters more than its neighbours.
    Strong,
    /// Matters less.
    Faint,
    /// Frames and line numbers.
    Frame,
}

impl Screen {
    /// The text, coloured if the screen shows colours.
    pub(crate) fn paint(&self, paint: Paint, text: &str) -> String {
        if !self.colour || text.is_empty() {
            return text.to_owned();
        }
        let code = match paint {
            Paint::Error => "1;31",
            Paint::Warning => "1;33",
            Paint::Note | Paint::Help => "1;36",
            Paint::Good => "32",
            Paint::Busy => "33",
            Paint::Strong => "1",
            Paint::Faint => "2",
            Paint::Frame => "1;34",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// How many columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// The same for text with colours, which take none.
pub(crate) fn visible_width(text: &str) -> usize {
    width(&super::transcript::harmless(text))
}

/// The text in ASCII, for terminals that show nothing else. Marks become letters and signs, other characters a question mark.
pub(crate) fn in_ascii(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\0'..='\u{7f}' => c,
            '✓' | '✔' | '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' | '╭' | '╮' | '╰' | '╯' => {
                '+'
            }
            '✗' | '✘' | '×' => 'x',
            '▶' | '→' | '›' | '▸' => '>',
            '●' | '◆' | '◇' | '⚓' => '*',
            '■' => '!',
            '‖' => '=',
            '↻' | '↺' => '@',
            '↷' => '^',
            '·' | '…' | '░' => '.',
            '–' | '—' | '−' | '─' | '━' => '-',
            '“' | '”' | '„' => '"',
            '‘' | '’' => '\'',
            '│' | '┃' | '▌' => '|',
            '█' => '#',
            '±' => '~',
            '▾' => 'v',
            _ => '?',
        })
        .collect()
}

/// The text in lines of at most `room` columns, broken at blanks. A word that is longer has a line of its own.
pub(crate) fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word: String = word.chars().map(harmless).collect();
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(&word) <= room => {
                line.push(' ');
                line.push_str(&word);
            }
            Some(_) | None => lines.push(word),
        }
    }
    lines
}

/// The text, cut to so many columns with a mark, and without control sequences.
pub(crate) fn cut(text: &str, columns_left: usize) -> String {
    let clean: String = text.chars().map(harmless).collect();
    if width(&clean) <= columns_left {
        return clean;
    }
    let mut taken = 0;
    let mut short: String = clean
        .chars()
        .take_while(|c| {
            taken += columns(*c);
            taken < columns_left
        })
        .collect();
    short.push('…');
    short
}

/// The text, filled with spaces to so many columns.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// A control character as a visible one: text of plans and agents must not control the terminal.
pub(crate) fn harmless(c: char) -> char {
    match c {
        '\t' | '\n' | '\r' => ' ',
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            '\u{fffd}'
        }
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_by_columns_and_cannot_command_the_terminal() {
        let table = [
            ("short", 10, "short"),
            ("exactly ten", 11, "exactly ten"),
            ("a longer text", 6, "a lon…"),
            ("日本語の題", 5, "日本…"),
            ("a\u{1b}[2Jb\nc", 20, "a\u{fffd}[2Jb c"),
        ];
        for (text, columns, expected) in table {
            assert_eq!(cut(text, columns), expected);
        }
        assert_eq!(pad("日", 4), "日  ");
    }
}
