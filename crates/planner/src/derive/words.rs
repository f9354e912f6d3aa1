//! Words of texts: similarity by shared words, and shortened titles and names.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

/// Words that most tasks have, so that they say nothing about one.
static EMPTY: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("../words/of_every_task.txt").lines().collect());

/// The significant words of a text, stemmed: `LoginForm`, `login_form` and `login forms` have the same.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut lower_before = false;
    let mut wide_before = None;
    for c in text.chars().chain([' ']) {
        // A script without spaces has no words: two letters in a row stand for one.
        let wide = Some(c).filter(|c| is_wide(*c));
        if let (Some(first), Some(second)) = (wide_before, wide) {
            found.push([first, second].iter().collect());
        }
        wide_before = wide;
        let c = if wide.is_some() { ' ' } else { c };
        let splits = !c.is_alphanumeric() || (c.is_uppercase() && lower_before);
        if splits && !word.is_empty() {
            push(&mut found, &word);
            word.clear();
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        lower_before = c.is_lowercase() || c.is_ascii_digit();
    }
    found
}

/// Whether a letter is of a script that puts no spaces between words.
fn is_wide(c: char) -> bool {
    c >= '\u{3040}' && c.is_alphabetic() && !('\u{ac00}'..='\u{d7a3}').contains(&c)
}

fn push(found: &mut Vec<String>, word: &str) {
    // Small numbers are no evidence of similarity; `404` is.
    let least = if word.chars().all(|c| c.is_ascii_digit()) { 3 } else { 2 };
    if !EMPTY.contains(word) && word.len() >= least {
        found.push(stem(word));
    }
}

/// The stem of a word.
fn stem(word: &str) -> String {
    let cut = |end: &str, least: usize| word.strip_suffix(end).filter(|s| s.len() >= least);
    let short = cut("ations", 4)
        .or_else(|| cut("ation", 4))
        .or_else(|| cut("ings", 3))
        .or_else(|| cut("ing", 3))
        .or_else(|| cut("ied", 3))
        .or_else(|| cut("ies", 3))
        .or_else(|| cut("ed", 3))
        .or_else(|| cut("es", 3))
        .or_else(|| cut("s", 3))
        .or_else(|| cut("e", 3))
        .or_else(|| cut("y", 3));
    let stem = short.unwrap_or(word);
    // `scanning` is from `scan`, `calling` from `call`.
    let mut end = stem.chars().rev();
    let doubled = end.next() == end.next() && !stem.ends_with(['l', 's', 'e', 'o', 'f']);
    let is_cut = short.is_some_and(|s| word[s.len()..].starts_with(['i', 'e']));
    if doubled && is_cut && stem.is_ascii() { stem[..stem.len() - 1].to_owned() } else { stem.to_owned() }
}

/// The beginning of a text, cut between words and with an ellipsis.
pub(super) fn cut(text: &str, most: usize) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() && out.chars().count() + word.chars().count() >= most {
            return out.trim_end_matches([',', ';', ':', '(']).to_owned() + "…";
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// A text as a title: a long one loses its brackets, then is cut at a punctuation mark or conjunction, else between
/// words.
pub(super) fn headline(text: &str, most: usize) -> String {
    let text = text.replace('`', "");
    let text = outcome(&text).unwrap_or(text);
    let text = wanted(&text).unwrap_or(text);
    let open = text.trim().ends_with(':');
    let whole = text.trim().trim_end_matches(['.', ';', ':', ',']);
    let whole = if open { closed(whole) } else { whole };
    if whole.chars().count() <= most {
        return whole.to_owned();
    }
    let bare = without_brackets(whole);
    if bare.chars().count() <= most {
        return bare;
    }
    let end = bare.char_indices().nth(most).map_or(bare.len(), |(at, _)| at);
    let marks = [
        ". ",
        "; ",
        ", ",
        ": ",
        " - ",
        " — ",
        " – ",
        " so that ",
        " because ",
        " when ",
        " if ",
        " which ",
        " and ",
    ];
    let part = marks.iter().filter_map(|mark| bare[..end].rfind(mark)).max();
    if let Some(at) = part.filter(|at| *at * 2 >= end) {
        return bare[..at].trim_end_matches([',', ';', ':']).to_owned();
    }
    format!("{}…", closed(cut(&bare, most).trim_end_matches('…').trim_end()))
}

/// A text without trailing stop words.
fn closed(text: &str) -> &str {
    let mut end = text;
    while let Some((head, last)) = end.rsplit_once(' ') {
        let small = last.len() <= 3 || EMPTY.contains(last);
        if !small || last.chars().any(|c| c.is_ascii_digit() || c.is_uppercase()) {
            break;
        }
        end = head;
    }
    end
}

/// The text after `The system shall`.
pub(super) fn wanted(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let who = ["the system ", "system ", "the application ", "the app ", "the user ", "users ", "user "];
    let rest = who.iter().find_map(|who| lower.strip_prefix(who))?;
    let how =
        ["shall be able to ", "must be able to ", "should be able to ", "shall ", "must ", "should ", "can "];
    let done = how.iter().find_map(|how| rest.strip_prefix(how))?;
    let from = text.len().checked_sub(done.len()).filter(|at| text.is_char_boundary(*at))?;
    let mut chars = text[from..].chars();
    let first = chars.next().filter(|c| c.is_alphabetic())?;
    // `must not` and `must be` describe a state, not an action.
    let state = ["not ", "be ", "have ", "never "].iter().any(|word| done.starts_with(word));
    (!state).then(|| first.to_uppercase().chain(chars).collect())
}

/// The outcome of a scenario: the text after `then`.
fn outcome(text: &str) -> Option<String> {
    let scenario = ["Given ", "When ", "GIVEN ", "WHEN "].iter().any(|open| text.starts_with(open));
    let at = [", Then ", ", then ", " Then ", " THEN ", " then ", ", THEN "]
        .iter()
        .find_map(|mark| text.find(mark).map(|at| at + mark.len()))?;
    let rest = text[at..].trim();
    let mut chars = rest.chars();
    let first = chars.next().filter(|_| scenario && rest.split_whitespace().count() > 2)?;
    Some(first.to_uppercase().chain(chars).collect())
}

/// A text without parenthesised parts; an unclosed parenthesis stays.
fn without_brackets(text: &str) -> String {
    let mut out = text.to_owned();
    while let Some(open) = out.find('(') {
        let Some(close) = out[open..].find(')').map(|n| open + n) else { break };
        let open = out[..open].trim_end().len();
        out.replace_range(open..=close, "");
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first words of a text as an identifier: `rejects_an_empty_cart`.
pub(super) fn plain(text: &str, most: usize) -> String {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    words.take(most).collect::<Vec<_>>().join("_")
}

/// An index of a set of texts: the texts that each word is in.
pub(super) struct Corpus {
    places: HashMap<String, Vec<usize>>,
    texts: usize,
    /// How many different words each text has.
    lengths: Vec<usize>,
}

impl Corpus {
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t [String]>) -> Corpus {
        let mut corpus = Corpus { places: HashMap::new(), texts: 0, lengths: Vec::new() };
        for text in texts {
            let different: HashSet<&String> = text.iter().collect();
            corpus.lengths.push(different.len());
            for word in different {
                corpus.places.entry(word.clone()).or_default().push(corpus.texts);
            }
            corpus.texts += 1;
        }
        corpus
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of texts are small")]
    fn weight(&self, places: &[usize]) -> f64 {
        ((self.texts as f64 + 1.0) / (places.len() as f64 + 0.5)).ln().max(0.05)
    }

    /// The same, less for texts that are much longer than most: they have some words in common with everything.
    #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
    pub(super) fn fairly_alike(&self, wanted: &[String]) -> Vec<f64> {
        const LEAST: f64 = 0.5;
        let mut sorted = self.lengths.clone();
        sorted.sort_unstable();
        let usual = sorted.get(sorted.len() / 2).copied().unwrap_or_default().max(12);
        let fair = |length: usize| (usual as f64 / length.max(1) as f64).sqrt().clamp(LEAST, 1.0);
        self.alike(wanted)
            .into_iter()
            .zip(&self.lengths)
            .map(|(share, length)| share * fair(*length))
            .collect()
    }

    /// The weighted share of the wanted words that each text has, from 0 to 1.
    pub(super) fn alike(&self, wanted: &[String]) -> Vec<f64> {
        let mut shares = vec![0.0; self.texts];
        let mut all = 0.0;
        // Sorted: floating-point sums depend on the order, and a plan must be reproducible.
        for word in wanted.iter().collect::<BTreeSet<_>>() {
            let places = self.places.get(word).map_or(&[][..], Vec::as_slice);
            let weight = self.weight(places);
            all += weight;
            for text in places {
                shares[*text] += weight;
            }
        }
        if all > 0.0 {
            for share in &mut shares {
                *share /= all;
            }
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one() {
        assert_eq!(words("LoginForm validates emails"), words("login_form validate email"));
        assert!(words("the of and").is_empty());
    }

    #[test]
    fn headlines_end_where_the_sentence_can() {
        let table = [
            ("Short enough.", "Short enough"),
            ("The system SHALL keep a cart.", "Keep a cart"),
            ("Users must not pay twice", "Users must not pay twice"),
            ("Given a cart, When it is empty, Then the total is 0", "The total is 0"),
            (
                "Chips visible on the screen (Swimming, Sunbathing, Sailing, Sunset, Peace)",
                "Chips visible on the screen",
            ),
            (
                "A very long line about carts that hold things, and orders that are sent to people",
                "A very long line about carts that hold things",
            ),
            (
                "One long line without any mark in it that says where it could be cut in two",
                "One long line without any mark in it that says where…",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(headline(text, 60), expected);
        }
    }

    #[test]
    fn rare_words_weigh_more() {
        let texts: Vec<Vec<String>> =
            ["tests pass", "tests run", "tests cart"].iter().map(|t| words(t)).collect();
        let corpus = Corpus::of(texts.iter().map(Vec::as_slice));
        let wanted = words("tests cart");
        let shares = corpus.alike(&wanted);
        assert!(shares[2] > 0.99 && shares[0] < 0.2 && (shares[0] - shares[1]).abs() < 1e-9, "{shares:?}");
        assert_eq!(corpus.alike(&[]), [0.0, 0.0, 0.0]);
    }
}
