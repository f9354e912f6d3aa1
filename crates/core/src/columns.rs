//! How wide text is in a terminal, in columns. Knows characters and no terminal.

/// The columns that a character takes: none for a combining mark, two for wide scripts and pictures.
pub fn columns(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn marks_take_none_and_wide_characters_two() {
        let table =
            [('a', 1), ('é', 1), ('\u{301}', 0), ('\u{200d}', 0), ('你', 2), ('한', 2), ('😀', 2), ('🚀', 2)];
        for (c, wide) in table {
            assert_eq!(columns(c), wide, "{c:?}");
        }
    }
}
