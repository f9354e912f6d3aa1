//! Finds any of many phrases in one pass over a text. Case does not matter, and a phrase never begins or ends inside a
//! word.

/// How many groups a finder can tell apart.
pub(super) const GROUPS: usize = 8;

/// The first phrase of each group that was found.
pub(super) type Hits = [Option<&'static str>; GROUPS];

struct Phrase {
    group: usize,
    text: &'static str,
    words: Vec<&'static str>,
}

/// Phrases in groups, filed by their first letter.
pub(super) struct Finder {
    by_letter: Vec<Vec<Phrase>>,
    /// For each first letter, the lengths its first words have, a bit each: most words are passed over at once.
    lengths: [u64; 256],
}

/// The bit of a word's length.
fn length_bit(word: &str) -> u64 {
    1 << word.len().min(63)
}

impl Finder {
    /// Files the phrases; each group is a list.
    pub(super) fn new(groups: &[&[&'static str]]) -> Finder {
        let mut by_letter: Vec<Vec<Phrase>> = (0..256).map(|_| Vec::new()).collect();
        let mut lengths = [0; 256];
        for (group, phrases) in groups.iter().enumerate().take(GROUPS) {
            for text in *phrases {
                let words: Vec<&str> = Words { text, at: 0 }.map(|(_, word)| word).collect();
                if let Some(first) = words.first() {
                    let letter = first.as_bytes()[0].to_ascii_lowercase();
                    lengths[usize::from(letter)] |= length_bit(first);
                    by_letter[usize::from(letter)].push(Phrase { group, text, words });
                }
            }
        }
        Finder { by_letter, lengths }
    }

    /// What is found in a text.
    pub(super) fn find(&self, text: &str) -> Hits {
        let mut hits = [None; GROUPS];
        for (end, word) in (Words { text, at: 0 }) {
            let letter = usize::from(word.as_bytes()[0].to_ascii_lowercase());
            if self.lengths[letter] & length_bit(word) == 0 {
                continue;
            }
            for phrase in &self.by_letter[letter] {
                let open = hits[phrase.group].is_none();
                if open
                    && phrase.words[0].eq_ignore_ascii_case(word)
                    && follows(&phrase.words[1..], text, end)
                {
                    hits[phrase.group] = Some(phrase.text);
                }
            }
        }
        hits
    }
}

fn follows(words: &[&str], text: &str, at: usize) -> bool {
    let mut rest = Words { text, at };
    words.iter().all(|expected| rest.next().is_some_and(|(_, word)| word.eq_ignore_ascii_case(expected)))
}

/// Which bytes are part of a word.
static IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] = byte >= 0x80 || byte.is_ascii_alphanumeric();
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// The words of a text with the place each ends at. Letters of any script count; case is folded for ASCII only.
struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Words<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<(usize, &'t str)> {
        let bytes = self.text.as_bytes();
        let is_word = |b: &u8| IN_WORD[usize::from(*b)];
        let from = self.at + bytes.get(self.at..)?.iter().position(is_word)?;
        let to = bytes[from..].iter().position(|b| !is_word(b)).map_or(bytes.len(), |i| from + i);
        self.at = to;
        Some((to, &self.text[from..to]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_as_whole_words() {
        let finder = Finder::new(&[&["as needed", "etc."], &["user-friendly"], &["is"]]);
        let of = |text: &str| finder.find(text)[..3].to_vec();
        assert_eq!(of("Retry As  needed, etc"), [Some("as needed"), None, None]);
        assert_eq!(of("it is User Friendly"), [None, Some("user-friendly"), Some("is")]);
        assert_eq!(of("as neededness; this; étc"), [None, None, None]);
        assert_eq!(of(""), [None, None, None]);
    }
}
