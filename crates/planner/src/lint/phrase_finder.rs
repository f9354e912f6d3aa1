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
}

/// The words of a text. Letters of any script count; case is folded for ASCII only.
fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

fn first_letter(word: &str) -> usize {
    usize::from(word.as_bytes()[0].to_ascii_lowercase())
}

impl Finder {
    /// A finder of these groups of phrases; each group is a text with a phrase per line.
    pub(super) fn new(groups: &[&'static str]) -> Finder {
        let mut by_letter: Vec<Vec<Phrase>> = (0..256).map(|_| Vec::new()).collect();
        for (group, phrases) in groups.iter().enumerate().take(GROUPS) {
            for text in phrases.lines() {
                let words: Vec<&str> = words(text).collect();
                if let Some(first) = words.first() {
                    by_letter[first_letter(first)].push(Phrase { group, text, words });
                }
            }
        }
        Finder { by_letter }
    }

    /// The matches in a text.
    pub(super) fn find(&self, text: &str) -> Hits {
        let mut hits = [None; GROUPS];
        let mut rest = words(text);
        let mut here = rest.clone();
        while let Some(word) = rest.next() {
            for phrase in &self.by_letter[first_letter(word)] {
                let mut spoken = here.clone();
                let mut is_next = |word: &&str| spoken.next().is_some_and(|w| w.eq_ignore_ascii_case(word));
                if hits[phrase.group].is_none() && phrase.words.iter().all(&mut is_next) {
                    hits[phrase.group] = Some(phrase.text);
                }
            }
            here = rest.clone();
        }
        hits
    }
}

#[cfg(test)]
mod tests;
