//! Lists of words and phrases, which are data: each is a file in `words/` with an entry per line.

/// Whether a list has this entry.
pub(crate) fn is_listed(list: &str, word: &str) -> bool {
    list.lines().any(|entry| entry == word)
}
