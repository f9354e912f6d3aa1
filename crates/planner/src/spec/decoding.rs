//! Text that was decoded wrongly: UTF-8 read as Windows-1252, so that `─` arrives as `â”€`. The bytes are still there, and
//! are decoded once more.

/// A text that was decoded once more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redecoded {
    /// The text as it was meant.
    pub text: String,
    /// How many characters it has that were several before.
    pub restored: usize,
    /// How many characters stay as they are: a byte of them was lost on the way.
    pub lost: usize,
}

/// The characters of Windows-1252 for the bytes 0x80 to 0x9F. Five bytes have none; programs pass them on or drop them.
#[rustfmt::skip]
const UPPER: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The byte that a character was decoded from.
fn byte(c: char) -> Option<u8> {
    match u32::from(c) {
        code @ 0xa0..=0xff => u8::try_from(code).ok(),
        _ => UPPER.iter().position(|known| *known == c).and_then(|at| u8::try_from(0x80 + at).ok()),
    }
}

/// The text of bytes that are not UTF-8: Windows-1252, which older programs write, unless most of what is beyond ASCII is UTF-8
/// with a few damaged places.
pub fn decoded_bytes(bytes: &[u8]) -> String {
    let lossy = String::from_utf8_lossy(bytes);
    let damaged = lossy.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    let whole = lossy.chars().filter(|c| !c.is_ascii() && *c != char::REPLACEMENT_CHARACTER).count();
    if damaged == 0 || whole >= damaged {
        return lossy.into_owned();
    }
    let meant = |byte: &u8| match byte {
        0x80..=0x9f => UPPER[usize::from(byte - 0x80)],
        other => char::from(*other),
    };
    bytes.iter().map(meant).collect()
}

/// Decodes a text once more, if that is what almost all of its characters beyond ASCII ask for.
pub fn redecoded(text: &str) -> Option<Redecoded> {
    let mut out = String::with_capacity(text.len());
    let (mut restored, mut lost, mut wide) = (0, 0, 0);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((meant, taken)) = first(rest) {
            restored += 1;
            wide += usize::from(meant.len_utf8() > 2);
            out.push(meant);
            rest = &rest[taken..];
            continue;
        }
        lost += usize::from(byte(c).is_some());
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    // One lucky pair proves nothing, and a text in French has accents that decode to nothing.
    let sure = (wide > 0 || restored > 2) && restored >= 4 * lost;
    sure.then_some(Redecoded { text: out, restored, lost })
}

/// The character that the first characters of a text are the bytes of, and how many bytes of the text they take.
fn first(text: &str) -> Option<(char, usize)> {
    let lead = byte(text.chars().next()?)?;
    let length = match lead {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let mut bytes = Vec::with_capacity(length);
    let mut taken = 0;
    for c in text.chars().take(length) {
        let Some(byte) = byte(c) else { break };
        bytes.push(byte);
        taken += c.len_utf8();
    }
    if let Some(meant) = std::str::from_utf8(&bytes).ok().and_then(|t| t.chars().next()) {
        return (meant.len_utf8() == bytes.len()).then_some((meant, taken));
    }
    // The third byte of `┐` and `═` is one of the five that get dropped; no other line of a drawing has it.
    let corner = bytes.len() >= 2 && bytes[0] == 0xe2 && matches!(bytes[1], 0x94 | 0x95);
    let short = bytes.get(2).is_none_or(|third| !(0x80..0xc0).contains(third));
    (corner && short).then(|| {
        let taken = text.chars().take(2).map(char::len_utf8).sum();
        (if bytes[1] == 0x94 { '┐' } else { '═' }, taken)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program shows that takes UTF-8 for Windows-1252; `keep` says which of the five bytes it passes on.
    fn misread(text: &str, keep: bool) -> String {
        let shown = |b: u8| match b {
            0..=0x7f | 0xa0..=0xff => Some(char::from(b)),
            _ => Some(UPPER[usize::from(b - 0x80)]).filter(|c| keep || u32::from(*c) > 0x9f),
        };
        text.bytes().filter_map(shown).collect()
    }

    #[test]
    fn bytes_of_older_programs_are_read() {
        assert_eq!(decoded_bytes(b"Gr\xf6\xdfe: 5 \x80"), "Größe: 5 €");
        assert_eq!(decoded_bytes("Größe".as_bytes()), "Größe");
        // One damaged place in a text that is UTF-8 otherwise.
        let damaged = ["Größe und Länge ".as_bytes(), b"\xff"].concat();
        assert_eq!(decoded_bytes(&damaged), "Größe und Länge \u{fffd}");
    }

    #[test]
    fn a_text_that_was_misread_comes_back() {
        for text in ["A ─▶ B", "„Größe“ — 5 €", "┌──┐\n│ ✅🔄 │\n└──┘ ═══", "naïve"]
        {
            assert_eq!(
                redecoded(&misread(text, true)).map(|r| r.text).as_deref(),
                (text != "naïve").then_some(text)
            );
        }
        let dropped = redecoded(&misread("┌───┐ ┬──▶ ⏳", false)).unwrap();
        assert_eq!((dropped.text.as_str(), dropped.lost), ("┌───┐ ┬──▶ â³", 2));
    }

    #[test]
    fn other_texts_are_left_alone() {
        for text in ["", "plain", "déjà vu, CAFÉ» «É»", "Größe – “quoted” • 5 €", "─▶ │", "日本 â"]
        {
            assert_eq!(redecoded(text), None, "{text}");
        }
    }
}
