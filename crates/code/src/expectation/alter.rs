//! Changes literals: the type, the range and the number of bytes stay, the value does not.

/// Numbers that decide what is changed: the same seed and name give the same ones.
pub(crate) struct Choice(u64);

impl Choice {
    pub(crate) fn new(seed: u64, name: &str) -> Self {
        let mixed = name.bytes().fold(seed, |state, byte| state.rotate_left(7) ^ u64::from(byte));
        Self(mixed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number to draw from elsewhere.
    pub(super) fn drawn(&mut self) -> u64 {
        self.next()
    }

    /// A number below `count`, which is not 0.
    pub(super) fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count.max(1) as u64).unwrap_or_default()
    }

    /// Puts a list into another order.
    pub(super) fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

/// A word that stands in no text by chance, of at least this size.
pub(super) fn strange_word(size: usize, choice: &mut Choice) -> String {
    const LEAST: usize = 7;
    const LETTERS: &[u8] = b"qxzjkvw";
    (0..size.max(LEAST)).map(|_| char::from(LETTERS[choice.below(LETTERS.len())])).collect()
}

/// The same text with one more digit in a number of it: an answer of the same form. None without a letter and a number.
pub(super) fn another_number(text: &str, choice: &mut Choice) -> Option<String> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let size = text[start..].bytes().take_while(u8::is_ascii_digit).count();
    let told = text.chars().filter(|c| c.is_alphabetic()).count() > 1;
    if !told || size > 6 || text.contains(['\\', '[', '{', '(', '|', '.', '$', '%']) {
        return None;
    }
    let least = 10_usize.pow(u32::try_from(size).ok()?);
    let other = least + choice.below(least * 9);
    Some(format!("{}{other}{}", &text[..start], &text[start + size..]))
}

/// A number of seven digits that stands in no list by chance.
pub(super) fn strange_number(choice: &mut Choice) -> u32 {
    u32::try_from(choice.below(9_000_000)).unwrap_or_default() + 1_000_000
}

/// A whole number with its last digit changed; never more than the greatest value of a type that it fits into.
pub(super) fn integer(text: &str, choice: &mut Choice) -> Option<String> {
    // In some grammars the sign is a part of the number.
    if let Some(rest) = text.strip_prefix('-') {
        return integer(rest, choice).map(|now| format!("-{now}"));
    }
    let hex = text.starts_with("0x") || text.starts_with("0X");
    let prefixed = hex || ["0b", "0B", "0o", "0O"].iter().any(|prefix| text.starts_with(prefix));
    let digit = |b: u8| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let from = if prefixed { 2 } else { 0 };
    let bytes = text.as_bytes();
    // A suffix such as `u8`, `L` or `n` begins with a letter that is no digit of the number.
    let end = (from..bytes.len()).find(|at| !digit(bytes[*at]) && bytes[*at] != b'_').unwrap_or(bytes.len());
    let last = (from..end).rev().find(|at| digit(bytes[*at]))?;
    let value = char::from(bytes[last]).to_digit(16)?;
    // With more digits in front, up to 5 is never too much: no type's greatest value ends in less.
    let binary = text.starts_with("0b") || text.starts_with("0B");
    let several = !binary && bytes[from..last].iter().any(|b| digit(*b));
    let others: Vec<u32> = match (value, several) {
        (0, false) => vec![1],
        // Zero is what code answers that knows no answer, and nothing equals it by being true.
        (1, false) => vec![0],
        (value, false) => (1..value).collect(),
        (value, true) => (0..value.max(6)).filter(|other| *other != value).collect(),
    };
    let other = others[choice.below(others.len())];
    let other = char::from_digit(other, 16)?;
    Some(format!("{}{other}{}", &text[..last], &text[last + 1..]))
}

/// A decimal number with its first digit changed, by two at least: beyond any tolerance up to one. None without a digit before the point.
pub(super) fn float(text: &str, choice: &mut Choice) -> Option<String> {
    let first = text.find(|c: char| c.is_ascii_digit())?;
    if text[..first].ends_with('.') {
        return None;
    }
    let value = u32::from(text.as_bytes()[first] - b'0');
    // At least two away, and not 0: the sign and the size stay.
    let others: Vec<u32> = (1..=9_u32).filter(|other| other.abs_diff(value) >= 2).collect();
    let other = char::from_digit(others[choice.below(others.len())], 10)?;
    Some(format!("{}{other}{}", &text[..first], &text[first + 1..]))
}

/// A text with one character changed to another one of its class, at a place for which `allowed` holds.
pub(super) fn text(
    text: &str,
    allowed: &dyn Fn(usize, char) -> bool,
    choice: &mut Choice,
) -> Option<(usize, usize, String)> {
    let of_class = |wanted: &dyn Fn(char) -> bool| -> Vec<(usize, char)> {
        text.char_indices().filter(|(at, c)| wanted(*c) && allowed(*at, *c)).collect()
    };
    let letters = of_class(&|c| c.is_ascii_alphanumeric());
    let places =
        if letters.is_empty() { of_class(&|c| !c.is_control() && c != '{' && c != '%') } else { letters };
    let (at, c) = *places.get(choice.below(places.len()))?;
    let other = match c {
        '0'..='9' => pick(b'0'..=b'9', &|other| other != c, choice),
        'a'..='z' => pick(b'a'..=b'z', &|other| other != c, choice),
        'A'..='Z' => pick(b'A'..=b'Z', &|other| other != c, choice),
        // Of as many bytes as before.
        _ => return Some((at, c.len_utf8(), "x".repeat(c.len_utf8()))),
    };
    Some((at, 1, other.to_string()))
}

fn pick(range: std::ops::RangeInclusive<u8>, is_other: &dyn Fn(char) -> bool, choice: &mut Choice) -> char {
    let others: Vec<char> = range.map(char::from).filter(|c| is_other(*c)).collect();
    others[choice.below(others.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_becomes_another_one_that_no_default_answer_equals() {
        let table = [
            ("0", &["1"][..]),
            ("1", &["0"]),
            ("2", &["1"]),
            ("3", &["1", "2"]),
            ("-3", &["-1", "-2"]),
            ("0b11", &["0b10"]),
            ("30", &["31", "32", "33", "34", "35"]),
            ("255", &["250", "251", "252", "253", "254"]),
        ];
        for (text, expected) in table {
            let mut seen: Vec<String> =
                (0..200).filter_map(|seed| integer(text, &mut Choice::new(seed, "a"))).collect();
            seen.sort();
            seen.dedup();
            assert_eq!(seen, expected, "{text}");
        }
    }
}
