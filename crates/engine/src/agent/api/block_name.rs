//! Finds the file that a block of an answer belongs to, from its fence, its first line or the line above.

use super::answer_blocks::AnswerBlock;

/// The file name of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BlockName {
    /// A file that may be changed.
    Own { path: String, how: NameSource },
    /// Another one.
    Foreign(String),
    /// Nothing.
    Nothing,
}

/// Where the name was found, the most reliable last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameSource {
    /// Somewhere in the sentence above.
    Mentioned,
    /// By a line that says nothing else.
    Line,
    /// By the block's first line, which is no part of the file.
    FirstLine,
    /// By the fence.
    Fence,
}

/// The files that may be changed. Where none is named, any is.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnFiles<'a>(pub(super) &'a [String]);

impl OwnFiles<'_> {
    /// The file that a word means.
    fn resolve(&self, word: &str) -> Option<String> {
        let word = cleaned(word);
        if self.0.is_empty() {
            return looks_like_path(word).then(|| word.to_owned());
        }
        if let Some(path) = self.0.iter().find(|p| *p == word) {
            return Some(path.clone());
        }
        let ends = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
        let mut near = self.0.iter().filter(|p| !word.is_empty() && (ends(p, word) || ends(word, p)));
        // A name without its folder, or with more of them than are in the repository, if only one file can be meant.
        near.next().filter(|_| near.next().is_none()).cloned()
    }
}

/// What the block is called.
pub(super) fn name(block: &AnswerBlock<'_>, own: OwnFiles<'_>) -> BlockName {
    let mut foreign = None;
    let first = block.lines.first().copied().unwrap_or_default();
    let above = block.above.unwrap_or_default();
    let words = in_fence(block.info).into_iter().map(|w| (w, NameSource::Fence));
    let line = commented(first)
        .map(|w| (w, NameSource::FirstLine))
        .into_iter()
        .chain(labelled(above).map(|w| (w, NameSource::Line)));
    for (word, how) in words.chain(line) {
        if let Some(path) = own.resolve(word) {
            return BlockName::Own { path, how };
        }
        if foreign.is_none() && looks_like_path(cleaned(word)) {
            foreign = Some(cleaned(word).to_owned());
        }
    }
    if let Some(path) = foreign {
        return BlockName::Foreign(path);
    }
    let mentioned = marked(above).into_iter().find_map(|word| own.resolve(word));
    mentioned.map_or(BlockName::Nothing, |path| BlockName::Own { path, how: NameSource::Mentioned })
}

/// Words of an opening fence that may be paths: `py path=a.py`, `py:a.py`, `py a.py`, `a.py`, `title="a.py"`.
fn in_fence(info: &str) -> Vec<&str> {
    info.split(|c: char| c.is_whitespace() || c == ',')
        .map(|w| w.split_once(['=', ':']).map_or(w, |(_, value)| value))
        .filter(|w| w.contains(['.', '/']))
        .collect()
}

/// The path in a line that is only a comment with a path.
fn commented(line: &str) -> Option<&str> {
    const LEADERS: [&str; 9] = ["///", "//!", "//", "#", "--", ";;", "<!--", "/*", "%"];
    let line = line.trim();
    if line.starts_with("#!") {
        return None;
    }
    let rest = LEADERS.iter().find_map(|l| line.strip_prefix(l))?;
    let rest = rest.trim_end_matches("-->").trim_end_matches("*/").trim();
    only_path(without_label(rest))
}

/// The path in a line that says nothing else: `File: a.py`, `### a.py`, `**a.py**:`.
fn labelled(line: &str) -> Option<&str> {
    let bare = line.trim().trim_start_matches(['#', '-', '*', '>', ' ']);
    // `1. a.py`, as in a list.
    let numbered = bare.split_once(". ").filter(|(n, _)| n.bytes().all(|b| b.is_ascii_digit()));
    let bare = numbered.map_or(bare, |(_, rest)| rest);
    only_path(without_label(bare.trim().trim_start_matches(['*', ' '])))
}

fn without_label(text: &str) -> &str {
    const LABELS: [&str; 6] = ["file:", "filename:", "file name:", "path:", "filepath:", "file "];
    let small = text.to_lowercase();
    // Letters outside ASCII may change their length in small letters; then there is no label.
    let label = LABELS.iter().find(|l| small.starts_with(**l) && text.is_char_boundary(l.len()));
    label.map_or(text, |l| text[l.len()..].trim())
}

fn only_path(text: &str) -> Option<&str> {
    let word = cleaned(text);
    looks_like_path(word).then_some(word)
}

/// What stands between backticks or stars.
fn marked(line: &str) -> Vec<&str> {
    let between = |mark: &'static str| line.split(mark).skip(1).step_by(2);
    between("`").chain(between("**")).collect()
}

/// Without quotes, decoration and the ways of saying "from here".
fn cleaned(word: &str) -> &str {
    let decoration =
        |c: char| matches!(c, '"' | '\'' | '`' | '*' | '_' | ':' | ',' | '(' | ')' | '[' | ']' | '{' | '}');
    // An underscore may begin a file's name.
    let word =
        word.trim().trim_start_matches(|c| decoration(c) && c != '_').trim_end_matches(decoration).trim();
    word.strip_prefix("./").unwrap_or(word)
}

fn looks_like_path(word: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || "/._-+@$[]()".contains(c);
    let last = word.rsplit('/').next().unwrap_or_default();
    let extension = last.rsplit_once('.').map(|(_, e)| e).unwrap_or_default();
    let has_extension =
        (1..=10).contains(&extension.len()) && extension.starts_with(|c: char| c.is_alphabetic());
    !word.is_empty()
        && word.chars().all(fits)
        && !word.contains("//")
        && (has_extension || word.contains('/') && !last.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(info: &str, above: Option<&str>, first: &str) -> BlockName {
        let own = ["src/greet.py".to_owned(), "README".to_owned(), "lib/_init.rs".to_owned()];
        name(&AnswerBlock { info, above, lines: vec![first, "x"] }, OwnFiles(&own))
    }

    #[test]
    fn a_block_is_named_in_many_ways() {
        let own = |how| BlockName::Own { path: "src/greet.py".into(), how };
        for (info, above, first, wanted) in [
            ("python path=src/greet.py", None, "", own(NameSource::Fence)),
            ("python:src/greet.py", None, "", own(NameSource::Fence)),
            ("python title=\"src/greet.py\"", None, "", own(NameSource::Fence)),
            ("src/greet.py", None, "", own(NameSource::Fence)),
            ("python ./src/greet.py", None, "", own(NameSource::Fence)),
            ("python path=/home/me/project/src/greet.py", None, "", own(NameSource::Fence)),
            ("python", None, "# src/greet.py", own(NameSource::FirstLine)),
            ("js", None, "// File: greet.py", own(NameSource::FirstLine)),
            ("html", None, "<!-- src/greet.py -->", own(NameSource::FirstLine)),
            ("", Some("File: src/greet.py"), "", own(NameSource::Line)),
            ("", Some("### `src/greet.py`"), "", own(NameSource::Line)),
            ("", Some("**src/greet.py**:"), "", own(NameSource::Line)),
            ("", Some("1. greet.py"), "", own(NameSource::Line)),
            ("", Some("Here is the new `src/greet.py`, as you wished:"), "", own(NameSource::Mentioned)),
            ("python path=other.py", Some("src/greet.py"), "", own(NameSource::Line)),
            ("python path=other.py", None, "", BlockName::Foreign("other.py".into())),
            ("python", None, "import os.path", BlockName::Nothing),
            ("python", Some("This is e.g. what you want."), "#!/usr/bin/python3", BlockName::Nothing),
            ("bash", Some("Run it:"), "python src/greet.py", BlockName::Nothing),
        ] {
            assert_eq!(of(info, above, first), wanted, "{info:?} {above:?} {first:?}");
        }
    }

    #[test]
    fn odd_names_are_names_too() {
        let BlockName::Own { path, .. } = of("rust path=lib/_init.rs", None, "") else { panic!() };
        assert_eq!(path, "lib/_init.rs");
        assert_eq!(of("", Some("README"), ""), BlockName::Nothing, "a word is not a path by itself");
        let anything =
            name(&AnswerBlock { info: "py path=x/y.py", above: None, lines: vec![] }, OwnFiles(&[]));
        assert_eq!(anything, BlockName::Own { path: "x/y.py".into(), how: NameSource::Fence });
        assert_eq!(of("", Some("Ⱥİ file: x"), ""), BlockName::Nothing);
    }
}
