//! Estimates how many tokens a text takes, without a tokenizer's tables.
//!
//! The text is cut into the pieces that the byte-pair encoders of current models never merge across (words, digits,
//! marks, white space); each piece has a typical cost in hundredths of a token. The costs were fitted against
//! `o200k_base`; `examples/token_error.rs` measures the error on any files.

/// Added to every estimate: budgets prefer a number that is slightly too large.
const MARGIN_PERCENT: usize = 103;

/// The estimated number of tokens in `text`; never more than its bytes.
pub fn estimate(text: &str) -> usize {
    let hundredths: usize = Pieces { rest: text }.map(Piece::cost).sum();
    (hundredths * MARGIN_PERCENT / 100).div_ceil(100).min(text.len())
}

/// A stretch of text that is encoded on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    /// ASCII letters, with at most one other character in front: `word`, ` word`, `.word`, `Word`, `WORD`.
    Word(&'a str),
    /// Letters that are not all ASCII.
    Foreign(&'a str),
    /// Up to three digits.
    Digits,
    /// Punctuation and symbols, with a leading space and trailing line ends.
    Marks(&'a str),
    /// White space.
    Space(&'a str),
}

impl Piece<'_> {
    /// The typical cost in hundredths of a token.
    fn cost(self) -> usize {
        match self {
            Piece::Word(text) => word_cost(text),
            Piece::Foreign(text) => (text.len() * 28).max(100),
            Piece::Digits => 100,
            Piece::Marks(text) => marks_cost(text),
            Piece::Space(text) => 100 + text.len() / 4,
        }
    }
}

/// Long words are cut into several tokens; a word after a space is more often one of the vocabulary.
fn word_cost(text: &str) -> usize {
    let letters = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let after_space = text.starts_with(' ');
    let beyond = |length: usize| letters.len().saturating_sub(length);
    let shouted = letters.len() > 2 && letters.bytes().all(|b| b.is_ascii_uppercase());
    if shouted {
        return 100 + beyond(2) * 20;
    }
    match (letters.starts_with(|c: char| c.is_ascii_uppercase()), after_space) {
        (true, true) => 100 + beyond(2) * 2 + beyond(12) * 15,
        (true, false) => 100 + beyond(2) * 4 + beyond(12) * 15,
        (false, true) => 100 + beyond(6) * 4 + beyond(13) * 25,
        (false, false) => 100 + beyond(2) * 6 + beyond(12) * 20,
    }
}

/// Rulers (`-----`, `═════`) are cheap; mixed marks are not.
fn marks_cost(text: &str) -> usize {
    let mut marks = text.trim().chars();
    let first = marks.next();
    if text.len() > 6 && marks.all(|mark| Some(mark) == first) {
        100 + text.len() * 4
    } else if text.is_ascii() {
        100 + text.len().saturating_sub(3) * 25
    } else {
        (text.len() * 38).max(100)
    }
}

/// Cuts a text into pieces.
struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let mut chars = self.rest.chars();
        let first = chars.next()?;
        let second = chars.next();
        let letter_follows = second.is_some_and(char::is_alphabetic);
        let mark_follows = second.is_some_and(|c| !c.is_whitespace() && !c.is_alphanumeric());
        Some(if first.is_alphabetic() {
            self.word(0)
        } else if first.is_numeric() {
            self.digits()
        } else if letter_follows && !matches!(first, '\r' | '\n') {
            self.word(first.len_utf8())
        } else if first.is_whitespace() && !(first == ' ' && mark_follows) {
            self.space()
        } else {
            self.marks()
        })
    }
}

impl<'a> Pieces<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (piece, rest) = self.rest.split_at(length);
        self.rest = rest;
        piece
    }

    /// A word behind `lead` bytes. `camelCase` is two words, `HTTPServer` and `Word` are one.
    fn word(&mut self, lead: usize) -> Piece<'a> {
        let body = &self.rest[lead..];
        let letters = span(body, char::is_alphabetic);
        if !body[..letters].is_ascii() {
            return Piece::Foreign(self.take(lead + letters));
        }
        let upper = span(body, |c| c.is_ascii_uppercase());
        let lower = span(&body[upper..], |c| c.is_ascii_lowercase());
        Piece::Word(self.take(lead + upper + lower))
    }

    fn digits(&mut self) -> Piece<'a> {
        let three = self.rest.char_indices().nth(3).map_or(self.rest.len(), |(at, _)| at);
        let length = span(&self.rest[..three], char::is_numeric);
        self.take(length);
        Piece::Digits
    }

    /// White space up to its last line end, or up to the space that belongs to the next word.
    fn space(&mut self) -> Piece<'a> {
        let all = span(self.rest, char::is_whitespace);
        let spaces = &self.rest[..all];
        let last = spaces.chars().next_back().map_or(0, char::len_utf8);
        let length = match spaces.rfind(['\r', '\n']) {
            Some(line_end) => line_end + 1,
            None if all < self.rest.len() && all > last => all - last,
            None => all,
        };
        Piece::Space(self.take(length))
    }

    fn marks(&mut self) -> Piece<'a> {
        let lead = usize::from(self.rest.starts_with(' '));
        let marks = lead + span(&self.rest[lead..], |c| !c.is_whitespace() && !c.is_alphanumeric());
        let length = marks + span(&self.rest[marks..], |c| matches!(c, '\r' | '\n' | '/'));
        Piece::Marks(self.take(length))
    }
}

/// How many leading bytes of `text` satisfy the condition.
fn span(text: &str, holds: impl Fn(char) -> bool) -> usize {
    text.find(|c| !holds(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pieces(text: &str) -> Vec<String> {
        let mut rest = Pieces { rest: text };
        let mut out = Vec::new();
        let mut before = text;
        while rest.next().is_some() {
            out.push(before[..before.len() - rest.rest.len()].to_owned());
            before = rest.rest;
        }
        out
    }

    #[test]
    fn text_is_cut_where_encoders_never_merge() {
        for (text, expected) in [
            ("a word", vec!["a", " word"]),
            ("camelCase HTTPServer", vec!["camel", "Case", " HTTPServer"]),
            ("x = 12345;", vec!["x", " =", " ", "123", "45", ";"]),
            ("fn f()\n    go", vec!["fn", " f", "()\n", "   ", " go"]),
            ("a  \n\n b", vec!["a", "  \n\n", " b"]),
            ("straße", vec!["straße"]),
            ("path/to", vec!["path", "/to"]),
        ] {
            assert_eq!(pieces(text), expected, "{text:?}");
        }
    }

    /// Real counts of `o200k_base` beside the estimate.
    #[test]
    fn estimates_are_close_to_a_real_tokenizer() {
        for (text, real) in [
            ("The quick brown fox jumps over the lazy dog.", 10),
            ("pub fn estimate(text: &str) -> usize {", 11),
            ("| id | title | depends_on |\n|---|---|---|\n", 15),
            ("{\"id\": \"TASK-001\", \"files\": {\"create\": [\"src/a.py\"]}}", 20),
        ] {
            let estimated = estimate(text);
            assert!(estimated.abs_diff(real) <= real.div_ceil(4), "{text:?}: {estimated} for {real}");
        }
    }

    #[test]
    fn rulers_are_cheap_and_mixed_marks_are_not() {
        assert!(estimate(&"-".repeat(80)) <= 6);
        assert!(estimate(&"═".repeat(80)) <= 12);
        assert!(estimate(&"({[<".repeat(20)) >= 15);
    }

    proptest! {
        #[test]
        fn an_estimate_is_at_most_the_bytes_and_grows_with_the_text(a in ".{0,80}", b in ".{0,80}") {
            let (whole, part) = (estimate(&format!("{a}{b}")), estimate(&a));
            prop_assert!(part <= a.len());
            prop_assert!(whole + 2 >= part, "{whole} for the whole, {part} for its beginning");
        }
    }
}
