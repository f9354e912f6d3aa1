//! Finds many phrases in one pass over a text, ignoring case. A phrase matches whole words only.

/// The most groups of a finder.
pub(super) const GROUPS: usize = 8;

/// The first match of each group.
pub(super) type Hits = [Option<&'static str>; GROUPS];

struct Phrase {
    group: usize,
    text: &'static str,
    words: Vec<&'static str>,
}

/// Phrases in groups, indexed by first letter.
pub(super) struct Finder {
    by_letter: Vec<Vec<Phrase>>,
    /// For each first letter a bit set of first-word lengths, which rejects most words at once.
    lengths: [u64; 256],
}

/// The bit of a word's length.
fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

fn words(text: &'static str) -> Vec<&'static str> {
    let mut at = 0;
    let next = || {
        let (from, to) = next_word(text.as_bytes(), at)?;
        at = to;
        Some(&text[from..to])
    };
    std::iter::from_fn(next).collect()
}

impl Finder {
    /// A finder of these groups of phrases.
    pub(super) fn new(groups: &[&[&'static str]]) -> Finder {
        let mut by_letter: Vec<Vec<Phrase>> = (0..256).map(|_| Vec::new()).collect();
        let mut lengths = [0; 256];
        for (group, phrases) in groups.iter().enumerate().take(GROUPS) {
            for text in *phrases {
                let words = words(text);
                if let Some(first) = words.first() {
                    let letter = first.as_bytes()[0].to_ascii_lowercase();
                    lengths[usize::from(letter)] |= length_bit(first.len());
                    by_letter[usize::from(letter)].push(Phrase { group, text, words });
                }
            }
        }
        Finder { by_letter, lengths }
    }

    /// The matches in a text.
    pub(super) fn find(&self, text: &str) -> Hits {
        let mut hits = [None; GROUPS];
        let bytes = text.as_bytes();
        let mut from = None;
        for (at, byte) in bytes.iter().enumerate() {
            match (IN_WORD[usize::from(*byte)], from) {
                (true, None) => from = Some(at),
                (false, Some(begin)) => {
                    from = None;
                    self.word(bytes, begin, at, &mut hits);
                }
                (true, Some(_)) | (false, None) => {}
            }
        }
        if let Some(begin) = from {
            self.word(bytes, begin, bytes.len(), &mut hits);
        }
        hits
    }

    /// Records the phrases that begin with a word.
    fn word(&self, bytes: &[u8], from: usize, to: usize, hits: &mut Hits) {
        let letter = usize::from(bytes[from].to_ascii_lowercase());
        if self.lengths[letter] & length_bit(to - from) == 0 {
            return;
        }
        for phrase in &self.by_letter[letter] {
            let begins = phrase.words[0].as_bytes().eq_ignore_ascii_case(&bytes[from..to]);
            if begins && hits[phrase.group].is_none() && follows(&phrase.words[1..], bytes, to) {
                hits[phrase.group] = Some(phrase.text);
            }
        }
    }
}

fn follows(words: &[&str], bytes: &[u8], mut at: usize) -> bool {
    words.iter().all(|expected| {
        let Some((from, to)) = next_word(bytes, at) else { return false };
        at = to;
        expected.as_bytes().eq_ignore_ascii_case(&bytes[from..to])
    })
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

/// The range of the next word. Letters of any script count; case is folded for ASCII only.
fn next_word(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    while !IN_WORD[usize::from(*bytes.get(at)?)] {
        at += 1;
    }
    let from = at;
    while bytes.get(at).is_some_and(|byte| IN_WORD[usize::from(*byte)]) {
        at += 1;
    }
    Some((from, at))
}

#[cfg(test)]
mod tests;
