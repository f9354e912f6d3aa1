//! Titles of changes that cannot be tested alone: a single constant or type, a typo, white space.

const DECLARING: &[&str] = &["add", "create", "declare", "define", "export", "introduce"];
const DECLARED: &[&str] = &["constant", "type", "alias", "enum", "typedef"];
const CLEANING: &[&str] = &[
    "adjust",
    "change",
    "clean",
    "correct",
    "delete",
    "fix",
    "normalise",
    "normalize",
    "remove",
    "strip",
    "tidy",
    "trim",
];
const FORMATTING: &[&str] = &["format", "prettify", "re-indent", "reformat", "reindent"];
const TYPOS: &[&str] = &["typo", "typos", "spelling", "misspelling", "misspellings"];
const LAYOUT: &[&str] = &["whitespace", "white-space", "indentation", "formatting", "spacing", "spaces"];
/// Words between what is changed and where.
const PLACES: &[&str] = &["at", "for", "from", "in", "into", "of", "to"];
/// Words for the source text itself; white space in anything else is behaviour.
const SOURCE: &[&str] = &[
    "code",
    "codebase",
    "comments",
    "documentation",
    "docs",
    "file",
    "files",
    "imports",
    "readme",
    "repository",
    "source",
    "sources",
    "spaces",
    "tabs",
];

/// What makes a title that of a change too small to be tested alone.
pub(super) fn tiny(title: &str) -> Option<&'static str> {
    let written: Vec<&str> = title.split_whitespace().map(|w| w.trim_matches([',', ':', ';', '!'])).collect();
    let words: Vec<String> = written.iter().map(|w| w.trim_end_matches('.').to_lowercase()).collect();
    let is = |at: usize, known: &[&str]| words.get(at).is_some_and(|w| known.contains(&w.as_str()));
    let any = |known: &[&str]| (1..words.len()).find(|at| is(*at, known));
    if is(0, CLEANING) && any(TYPOS).is_some() {
        return Some("typo");
    }
    if is(0, FORMATTING) && (1..words.len()).any(|at| is_source(&words[at])) {
        return Some("formatting");
    }
    if is(0, CLEANING) && any(LAYOUT).is_some_and(|at| is_in_source(&words[at + 1..])) {
        return Some("white space");
    }
    if !is(0, DECLARING) || any(&["and", "with"]).is_some() {
        return None;
    }
    let named = |at: usize| {
        let last = at + 1 == words.len() || is(at + 1, PLACES);
        last || is_name(written[at + 1]) && (at + 2 == words.len() || is(at + 2, PLACES))
    };
    let declared = |at: &usize| DECLARED.iter().find(|noun| words[*at] == **noun && named(*at));
    (1..words.len()).find_map(|at| declared(&at)).copied()
}

/// Whether what follows is no place at all, or one in the source text.
fn is_in_source(rest: &[String]) -> bool {
    rest.is_empty() || PLACES.contains(&rest[0].as_str()) && rest.iter().any(|word| is_source(word))
}

/// Whether a word stands for source text: one of the words, a path or a file name.
fn is_source(word: &str) -> bool {
    let file = word.rsplit_once('.').is_some_and(|(name, end)| !name.is_empty() && !end.is_empty());
    SOURCE.contains(&word) || word.contains('/') || file
}

/// Whether a word is a name in code: `ROLES`, `userId`, `UserId`, quoted.
fn is_name(word: &str) -> bool {
    word.starts_with(['`', '\'', '"']) || word.contains(|c: char| c == '_' || c.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::tiny;

    #[test]
    fn titles_of_small_changes() {
        for (title, expected) in [
            ("Add USER_ROLES constant", Some("constant")),
            ("Add the constant DEFAULT_TIMEOUT to src/limits.ts", Some("constant")),
            ("Define a Role type", Some("type")),
            ("Add a type alias UserId", Some("alias")),
            ("Introduce the `Currency` enum", Some("enum")),
            ("Fix typo in README", Some("typo")),
            ("Fix whitespace in user.ts", Some("white space")),
            ("Remove trailing whitespace", Some("white space")),
            ("Change indentation to spaces", Some("white space")),
            ("Reformat src/models", Some("formatting")),
            ("Format the code", Some("formatting")),
            ("Compute the time constant of a filter", None),
            ("Add constant folding to the optimiser", None),
            ("Add content type validation", None),
            ("Add User model with a Role type", None),
            ("Trim whitespace from input", None),
            ("Remove spaces from phone numbers", None),
            ("Handle typos in search queries", None),
            ("Format dates for the reader", None),
            ("Correct the typography of carts", None),
            ("", None),
        ] {
            assert_eq!(tiny(title), expected, "{title}");
        }
    }
}
